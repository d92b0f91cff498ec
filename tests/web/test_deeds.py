"""Pieces with several actions, and very many pieces: menus, rows and a phone, in a real browser on
a sample board.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

from adjudicator.core.game import Choice, Slot
from tests.web.sample_board import FILES, MANY, LayForm, board_line, click


def deed(who: str, group: str, *names: str) -> Choice:
    """Return one action of a piece; its click path is the piece and the named ids."""
    spots = tuple(f"sample-{name}1" if name in FILES else f"sample-{name}" for name in names)
    return Choice(
        " ".join((who, group.lower(), *names)),
        " ".join((group.lower(), *names)),
        group,
        (f"sample-{who}", *spots),
    )


def deeds(who: str, *, optional: bool = False) -> Slot:
    """Return the actions of a piece: rest, move to a file, or help the rival hold or move."""
    moves = tuple(deed(who, "Move", name) for name in "bc")
    helps = (
        deed(who, "Help", "rival"),
        deed(who, "Help", "rival", "d"),
        deed(who, "Help", "jackal" if who == "cat" else "cat"),
    )
    return Slot(who, f"The {who}", (deed(who, "Rest"), *moves, *helps), optional=optional)


def ways(page: Page) -> Locator:
    """Return the buttons for the clicked piece's actions."""
    return page.locator(".board-ways button")


def chosen(page: Page, name: str) -> str:
    """Return the order chosen in a slot, in a list or on a card."""
    form = page.locator(f"select[name=slot-{name}], input[name=slot-{name}]:checked")
    return form.input_value() if form.count() else ""


def test_a_piece_that_can_do_several_things_offers_them_and_a_place_means_the_first_that_needs_one(
    lay_form: LayForm,
) -> None:
    page = lay_form(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    assert ways(page).all_text_contents() == ["Rest", "Move", "Help"]
    assert [each.get_attribute("aria-pressed") for each in ways(page).all()] == [
        "false",
        "true",
        "false",
    ]
    expect(page.locator(".hint.next")).to_have_count(2)
    expect(board_line(page)).to_have_text(
        "The cat: click one of the 2 marked places, or say what it does."
    )
    assert chosen(page, "cat") == ""
    click(page, "b")
    assert chosen(page, "cat") == "cat move b"


@pytest.mark.nightly
def test_what_needs_no_place_is_done_with_one_more_click(lay_form: LayForm) -> None:
    page = lay_form(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    page.get_by_role("button", name="Rest").click()
    assert chosen(page, "cat") == "cat rest"
    expect(page.locator(".hint.next")).to_have_count(0)


def test_what_is_done_on_the_spot_is_a_second_click_on_the_piece_or_its_button(
    lay_form: LayForm,
) -> None:
    rest = Choice("cat rest", "rest", "Rest", ("sample-cat", "sample-cat"))
    page = lay_form(
        Slot(
            "cat",
            "The cat",
            (
                rest,
                deed("cat", "Move", "c"),
                deed("cat", "Move", "d"),
                deed("cat", "Help", "rival"),
            ),
        )
    )
    click(page, "cat")
    expect(board_line(page)).to_have_text(
        "The cat: click one of the 2 marked places, or say what it does."
    )
    click(page, "cat")
    assert chosen(page, "cat") == "cat rest"
    expect(page.locator(".hint.way")).to_have_count(0)
    click(page, "jackal", "cat", "d", "cat")
    page.get_by_role("button", name="Rest").click()
    assert chosen(page, "cat") == "cat rest"


def test_the_thing_that_was_said_alone_lights_up_and_may_go_on(lay_form: LayForm) -> None:
    page = lay_form(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    page.get_by_role("button", name="Help").click()
    expect(page.locator(".hint.next")).to_have_count(2)
    expect(board_line(page)).to_have_text("The cat, Help: now click one of the 2 marked places.")
    click(page, "rival")
    assert chosen(page, "cat") == "cat help rival"
    expect(page.locator(".hint.way.aid")).to_have_count(1)
    expect(board_line(page)).to_contain_text("You may go on with the marked place.")
    click(page, "d")
    assert chosen(page, "cat") == "cat help rival d"


@pytest.mark.nightly
def test_another_own_piece_begins_anew_unless_it_was_said_to_be_helped(lay_form: LayForm) -> None:
    page = lay_form(deeds("cat"), deeds("jackal"))
    click(page, "cat", "jackal", "c")
    assert [chosen(page, name) for name in ("cat", "jackal")] == ["", "jackal move c"]
    click(page, "cat")
    page.get_by_role("button", name="Help").click()
    click(page, "jackal")
    assert chosen(page, "cat") == "cat help jackal"


@pytest.mark.nightly
def test_a_done_piece_does_not_hold_back_the_next_one_on_a_place_it_might_go_on_with(
    lay_form: LayForm,
) -> None:
    helps = (deed("cat", "Help", "rival"), deed("cat", "Help", "rival", "a"))  # the jackal's square
    page = lay_form(Slot("cat", "The cat", (deed("cat", "Move", "d"), *helps)), deeds("jackal"))
    click(page, "cat")
    page.get_by_role("button", name="Help").click()
    click(page, "rival", "jackal", "b")
    assert [chosen(page, name) for name in ("cat", "jackal")] == ["cat help rival", "jackal move b"]


@pytest.mark.nightly
def test_the_menu_goes_with_its_piece(lay_form: LayForm) -> None:
    page = lay_form(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    page.keyboard.press("Escape")
    expect(page.locator(".board-ways")).to_be_hidden()
    expect(ways(page)).to_have_count(0)


def test_very_many_choices_are_rows_with_a_count_of_what_is_done(lay_form: LayForm) -> None:
    page = lay_form(
        *(deeds(who) for who in ("cat", "jackal")),
        *(Slot(f"more{n}", f"More {n}", MANY) for n in range(3)),
    )
    expect(page.locator("fieldset.slot-row select")).to_have_count(5)
    expect(page.locator(".slots-count")).to_have_text("0 of 5 are chosen.")
    click(page, "cat", "b")
    expect(page.locator(".slots-count")).to_have_text("1 of 5 are chosen.")
    expect(board_line(page)).to_have_text("Chosen: The cat, move b. 1 of 5 are chosen.")
    expect(page.get_by_label("The jackal")).to_have_count(2)  # the row and its list


@pytest.mark.nightly
def test_what_a_piece_is_stands_beside_what_it_does(lay_form: LayForm) -> None:
    nature = Slot(
        "cat-is",
        "What the cat is",
        (Choice("cat wild", "wild"), Choice("cat tame", "tame")),
        optional=True,
    )
    page = lay_form(deeds("cat"), nature, deeds("jackal"))
    expect(page.locator("fieldset.slot-row select")).to_have_count(2)
    page.get_by_label("What the cat is").select_option("cat wild")
    click(page, "cat", "c")
    assert chosen(page, "cat") == "cat move c" and chosen(page, "cat-is") == "cat wild"
    expect(board_line(page)).to_have_text(
        "Chosen: The cat, move c; What the cat is, wild. Still to choose: The jackal"
    )


def test_what_a_piece_is_can_be_said_on_the_board_too(lay_form: LayForm) -> None:
    page = lay_form(
        deeds("cat"),
        Slot(
            "cat-is",
            "What the cat is",
            (Choice("cat wild", "wild"), Choice("cat tame", "tame")),
            optional=True,
        ),
    )
    click(page, "cat")
    page.get_by_role("group", name="What The cat is").get_by_role("button", name="tame").click()
    assert chosen(page, "cat-is") == "cat tame" and chosen(page, "cat") == ""
    page.get_by_role("button", name="Rest").click()
    page.get_by_role("button", name="unchanged").click()
    assert chosen(page, "cat-is") == "" and chosen(page, "cat") == "cat rest"


@pytest.mark.nightly
def test_what_stands_apart_is_not_counted(lay_form: LayForm) -> None:
    vote = Slot(
        "vote",
        "A draw?",
        (Choice("draw", "yes"), Choice("no draw", "no")),
        optional=True,
        aside=True,
    )
    page = lay_form(*(deeds(who) for who in ("cat", "jackal", "rival")), vote)
    page.get_by_text("A draw?").first.click()
    page.locator(".pick", has_text="yes").click()
    expect(page.locator(".slots-count")).to_have_text("0 of 3 are chosen.")


@pytest.mark.nightly
def test_many_rows_may_be_left_empty_and_are_folded_on_a_phone_only(
    lay_form: LayForm, page: Page
) -> None:
    for width, folded in ((1280, False), (390, True)):
        page.set_viewport_size({"width": width, "height": 800})
        lay_form(*(deeds(who) for who in ("cat", "jackal", "rival")))
        assert page.locator("details.rows").evaluate("(rows) => rows.open") is not folded
    click(page, "cat")
    page.get_by_role("button", name="Rest").click()
    page.get_by_role("button", name="Seal and say ready").click()
    assert page.evaluate("window.sent")[0] == ["slot-cat", "cat rest"]


def test_a_picture_too_small_to_be_read_can_be_made_larger(lay_form: LayForm, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    lay_form(deeds("cat"))
    expect(page.locator(".board-size")).to_have_count(0)
    page.evaluate("document.querySelector('svg.board').style.width = '150px'")
    page.evaluate("document.dispatchEvent(new Event('htmx:after:settle'))")
    page.get_by_role("button", name="Larger").click()
    assert page.evaluate("document.querySelector('.board-frame').classList.contains('large')")
    expect(page.get_by_role("button", name="Smaller")).to_be_visible()


def test_a_finger_beside_a_small_piece_still_means_it(lay_form: LayForm) -> None:
    page = lay_form(deeds("cat"))
    box = page.locator("#sample-cat").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] + 4, box["y"] + box["height"] / 2)
    expect(ways(page)).to_have_count(3)
