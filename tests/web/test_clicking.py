"""Ordering by clicking the picture in a real browser: a sample board with the site's real form and
scripts, without a service.
"""

from playwright.sync_api import expect

from adjudicator.core.game import Choice, Slot
from tests.web.sample_board import MANY, MOVES, THROW, LayForm, board_line, click, listed, move


def test_a_piece_and_then_a_square_choose_in_the_list(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "What moves?", MANY))
    click(page, "jackal")
    expect(page.locator(".hint.next")).to_have_count(4)
    expect(board_line(page)).to_have_text("The jackal: now click one of the 4 marked places.")
    click(page, "b")
    expect(listed(page, "turn")).to_have_value("jackal b1")
    expect(board_line(page)).to_have_text("Chosen: to b1 · jackal b1.")


def test_a_piece_with_nowhere_to_go_is_asked_what_it_does(lay_form: LayForm) -> None:
    page = lay_form(
        Slot(
            "turn",
            "What now?",
            (
                Choice("hold", "hold", "Hold", ("sample-jackal",)),
                Choice("rest", "rest", "Rest", ("sample-jackal",)),
            ),
        )
    )
    click(page, "jackal")
    expect(board_line(page)).to_have_text("The jackal: say what it does.")


def test_the_list_alone_sends_what_the_clicks_send(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "What moves?", MANY))
    click(page, "cat", "d")
    page.get_by_role("button", name="Seal and say ready").click()
    clicked = page.evaluate("window.sent")
    listed(page, "turn").select_option("")
    listed(page, "turn").select_option("cat d1")
    page.evaluate("document.getElementById('choices').requestSubmit()")
    assert page.evaluate("window.sent") == clicked == [["slot-turn", "cat d1"]]


def test_a_path_that_is_whole_may_go_on(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "What moves?", MANY))
    click(page, "jackal", "d")
    expect(listed(page, "turn")).to_have_value("jackal d1")
    expect(board_line(page)).to_contain_text("You may go on with the marked place.")
    click(page, "rival")
    expect(listed(page, "turn")).to_have_value("jackal d1 rival")


def test_a_square_is_hit_through_the_piece_on_it(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "What moves?", MANY))
    click(page, "cat", "rival")
    expect(listed(page, "turn")).to_have_value("cat c1")


def test_another_piece_begins_anew_and_so_do_escape_and_a_click_beside(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "What moves?", (move("jackal", "d"), move("cat", "d"))))
    click(page, "jackal", "cat", "d")
    expect(page.locator("input[value='cat d1']")).to_be_checked()
    for begin_anew in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator("svg.board > text").click(force=True),
    ):
        click(page, "jackal")
        expect(page.locator(".hint.next")).to_have_count(1)
        begin_anew()
        expect(page.locator(".hint.next")).to_have_count(0)
    expect(page.locator("input[value='cat d1']")).to_be_checked()


def test_each_piece_goes_to_a_slot_of_its_own_and_stays_there(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "First?", MOVES), Slot("other", "Then?", MOVES, optional=True))
    click(page, "cat", "d")
    click(page, "jackal", "b")
    click(page, "cat", "c")
    assert [
        page.locator(f"input[name=slot-{slot}]:checked").input_value() for slot in ("turn", "other")
    ] == ["cat c1", "jackal b1"]
    page.get_by_role("button", name="Seal and say ready").click()
    assert page.evaluate("window.sent") == [["slot-turn", "cat c1"], ["slot-other", "jackal b1"]]


def test_a_move_takes_the_place_of_what_no_other_slot_could_hold(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "First?", MANY), Slot("other", "Then?", MOVES, optional=True))
    listed(page, "turn").select_option("sleep")
    click(page, "cat", "d")
    expect(listed(page, "turn")).to_have_value("cat d1")
    expect(page.locator("input[name=slot-other]:checked")).to_have_value("")


def test_clicked_once_more_an_optional_choice_is_taken_back(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "First?", MOVES, optional=True))
    click(page, "cat", "d")
    expect(page.locator("input[value='cat d1']")).to_be_checked()
    click(page, "cat", "d")
    expect(page.locator("input[value='']")).to_be_checked()
    expect(board_line(page)).to_have_text("Nothing is chosen.")


def test_one_place_that_means_two_things_is_clicked_on(lay_form: LayForm) -> None:
    page = lay_form(Slot("throw", "What now?", THROW))
    for value in ("leap", "decline", "leap"):
        click(page, "die")
        expect(page.locator(f"input[value={value}]")).to_be_checked()


def test_what_is_left_to_choose_is_told_and_the_button_waits_for_it(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "What moves?", MANY), Slot("throw", "What now?", THROW))
    button = page.locator(".board-bar button")
    click(page, "cat", "d")
    expect(board_line(page)).to_contain_text("Still to choose: What now?")
    expect(button).to_be_hidden()
    click(page, "die")
    expect(button).to_be_visible()


def test_what_the_form_chooses_is_marked_on_the_board(lay_form: LayForm) -> None:
    page = lay_form(Slot("turn", "What moves?", MANY))
    listed(page, "turn").select_option("cat d1")
    expect(page.locator(".hint.chosen")).to_have_count(2)
    expect(page.locator(".hint.way")).to_have_count(1)
    expect(board_line(page)).to_have_text("Click the picture to order, or use the form.")


def test_sealed_orders_fill_each_slot_once_in_the_order_written(lay_form: LayForm) -> None:
    page = lay_form(
        Slot("turn", "First?", MANY),
        Slot("other", "Then?", MANY, optional=True),
        sealed="cat d1\njackal b1",
    )
    assert [listed(page, slot).input_value() for slot in ("turn", "other")] == [
        "cat d1",
        "jackal b1",
    ]
    assert page.evaluate("window.sealed.dirty()") is False
    click(page, "jackal")
    assert page.evaluate("window.sealed.dirty()") is True


def test_a_second_move_goes_when_the_first_gives_way_to_a_rest(lay_form: LayForm) -> None:
    page = lay_form(
        Slot("turn", "What moves?", MANY), Slot("other", "And then?", MOVES, optional=True)
    )
    second = page.locator("input[name=slot-other]:checked")
    click(page, "jackal", "b", "cat", "d")
    expect(second).to_have_value("cat d1")
    listed(page, "turn").select_option("jackal c1")
    expect(second).to_have_value("cat d1")
    listed(page, "turn").select_option("sleep")
    expect(second).to_have_value("")
