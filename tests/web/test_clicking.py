"""Ordering by clicking the picture, in a real browser: a made-up board and the site's own form and scripts, no service behind them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from adjudicator.config import Settings
from adjudicator.game import Choice, Slot
from web.app import create_app

STATIC = Path(__file__).parent.parent.parent / "web" / "static"
SIDE = 60  # of a square, in the picture's units
FILES = "abcd"

# Four squares in a row, a1 to d1; the jackal stands on a1, the cat on b1, a rival on c1, and a die lies beside the board.
PIECES = {"jackal": "a", "cat": "b", "rival": "c"}


def square(name: str) -> str:
    """Return a square of the board."""
    box = f'x="{FILES.index(name) * SIDE}" y="0" width="{SIDE}" height="{SIDE}"'
    return f'<rect id="toy-{name}1" class="square" {box} fill="#eee" stroke="#999"><title>{name}1</title></rect>'


def piece(name: str, file: str) -> str:
    """Return a piece on its square, which it covers in part."""
    disc = f'<circle cx="{(FILES.index(file) + 0.5) * SIDE}" cy="30" r="20" fill="#9cf"/>'
    return f'<g id="toy-{name}" class="piece"><title>The {name}</title>{disc}</g>'


def picture() -> str:
    """Return the board."""
    grid, standing = "".join(map(square, FILES)), "".join(piece(name, file) for name, file in PIECES.items())
    die = '<g id="toy-die"><title>The die</title><rect x="260" y="10" width="40" height="40" fill="none" pointer-events="all"/></g>'
    words = '<text x="10" y="110" pointer-events="none">Nothing to click here</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 320 120" width="640">{grid}{standing}{die}{words}</svg>'


def move(who: str, to: str, *more: str, label: str = "") -> Choice:
    """Return a move of a piece, clicked as the piece, the square, and what is more."""
    text = " ".join((who, f"{to}1", *more))
    return Choice(text, label or f"to {to}1", f"The {who}", (f"toy-{who}", f"toy-{to}1", *(f"toy-{name}" for name in more)))


MOVES = tuple(move(who, to) for who in ("jackal", "cat") for to in FILES)
MANY = (*MOVES, move("jackal", "d", "rival", label="to d1, past the rival"), Choice("stay", "stay"), Choice("sleep", "sleep"))
THROW = (Choice("leap", "leap", "", ("toy-die",)), Choice("decline", "decline", "", ("toy-die",)))

KEEP_SENT = """document.addEventListener("submit", (event) => {
    event.preventDefault();
    window.sent = [...new FormData(event.target).entries()];
})"""

Table = Callable[..., Page]


@pytest.fixture
def table(page: Page, tmp_path: Path) -> Table:
    """Lay a form for some slots beside the board; what is sent is kept in the page as `window.sent`."""
    app = create_app(Settings(data_dir=tmp_path, database_url=f"sqlite:///{tmp_path}/none.db"))
    form_page = app.jinja_env.get_template("web/_slots.html")

    def lay(*slots: Slot, sealed: str = "") -> Page:
        form = form_page.render(slots=slots, filled={})
        shown = f'<div data-sealed><pre>{sealed}</pre></div><textarea id="text"></textarea>' if sealed else ""
        bar = '<div class="board-bar"><p class="board-said"></p><button form="choices" hidden>Seal these orders</button></div>'
        page.set_content(
            f'<figure class="board-frame"><div class="board-scroll">{picture()}</div>{bar}</figure>{shown}<form id="choices">{form}</form>'
        )
        page.add_style_tag(path=str(STATIC / "match.css"))
        for script in ("site.js", "picture.js", "forms.js", "orders.js"):
            page.add_script_tag(path=str(STATIC / script))
        page.evaluate("document.dispatchEvent(new Event('htmx:after:settle'))")
        page.evaluate(KEEP_SENT)
        return page

    return lay


def click(page: Page, *names: str) -> None:
    """Click squares by their file, the die, and pieces by their name."""
    for name in names:
        page.locator(f"#toy-{name}1" if name in FILES else f"#toy-{name}").click(force=True)


def said(page: Page) -> Locator:
    """Return the line under the board."""
    return page.locator(".board-said")


def listed(page: Page, name: str) -> Locator:
    """Return the list of a slot."""
    return page.locator(f"select[name=slot-{name}]")


def test_a_piece_and_then_a_square_choose_in_the_list(table: Table) -> None:
    page = table(Slot("turn", "What moves?", MANY))
    click(page, "jackal")
    expect(page.locator(".hint.next")).to_have_count(4)
    expect(said(page)).to_have_text("The jackal: now click one of the 4 marked places.")
    click(page, "b")
    expect(listed(page, "turn")).to_have_value("jackal b1")
    expect(said(page)).to_have_text("Chosen: to b1 · jackal b1.")


def test_the_list_alone_sends_what_the_clicks_send(table: Table) -> None:
    page = table(Slot("turn", "What moves?", MANY))
    click(page, "cat", "d")
    page.get_by_role("button", name="Seal these orders").click()
    clicked = page.evaluate("window.sent")
    listed(page, "turn").select_option("")
    listed(page, "turn").select_option("cat d1")
    page.evaluate("document.getElementById('choices').requestSubmit()")
    assert page.evaluate("window.sent") == clicked == [["slot-turn", "cat d1"]]


def test_a_path_that_is_whole_may_go_on(table: Table) -> None:
    page = table(Slot("turn", "What moves?", MANY))
    click(page, "jackal", "d")
    expect(listed(page, "turn")).to_have_value("jackal d1")
    expect(said(page)).to_contain_text("You may go on with the marked place.")
    click(page, "rival")
    expect(listed(page, "turn")).to_have_value("jackal d1 rival")


def test_a_square_is_hit_through_the_piece_on_it(table: Table) -> None:
    page = table(Slot("turn", "What moves?", MANY))
    click(page, "cat", "rival")
    expect(listed(page, "turn")).to_have_value("cat c1")


def test_another_piece_begins_anew_and_so_do_escape_and_a_click_beside(table: Table) -> None:
    page = table(Slot("turn", "What moves?", (move("jackal", "d"), move("cat", "d"))))
    click(page, "jackal", "cat", "d")
    expect(page.locator("input[value='cat d1']")).to_be_checked()
    for begin_anew in (lambda: page.keyboard.press("Escape"), lambda: page.locator("svg.board > text").click(force=True)):
        click(page, "jackal")
        expect(page.locator(".hint.next")).to_have_count(1)
        begin_anew()
        expect(page.locator(".hint.next")).to_have_count(0)
    expect(page.locator("input[value='cat d1']")).to_be_checked()


def test_each_piece_goes_to_a_slot_of_its_own_and_stays_there(table: Table) -> None:
    page = table(Slot("turn", "First?", MOVES), Slot("other", "Then?", MOVES, optional=True))
    click(page, "cat", "d")
    click(page, "jackal", "b")
    click(page, "cat", "c")
    assert [page.locator(f"input[name=slot-{slot}]:checked").input_value() for slot in ("turn", "other")] == ["cat c1", "jackal b1"]
    page.get_by_role("button", name="Seal these orders").click()
    assert page.evaluate("window.sent") == [["slot-turn", "cat c1"], ["slot-other", "jackal b1"]]


def test_a_move_takes_the_place_of_what_no_other_slot_could_hold(table: Table) -> None:
    page = table(Slot("turn", "First?", MANY), Slot("other", "Then?", MOVES, optional=True))
    listed(page, "turn").select_option("sleep")
    click(page, "cat", "d")
    expect(listed(page, "turn")).to_have_value("cat d1")
    expect(page.locator("input[name=slot-other]:checked")).to_have_value("")


def test_clicked_once_more_an_optional_choice_is_taken_back(table: Table) -> None:
    page = table(Slot("turn", "First?", MOVES, optional=True))
    click(page, "cat", "d")
    expect(page.locator("input[value='cat d1']")).to_be_checked()
    click(page, "cat", "d")
    expect(page.locator("input[value='']")).to_be_checked()
    expect(said(page)).to_have_text("Nothing is chosen.")


def test_one_place_that_means_two_things_is_clicked_on(table: Table) -> None:
    page = table(Slot("throw", "What now?", THROW))
    for value in ("leap", "decline", "leap"):
        click(page, "die")
        expect(page.locator(f"input[value={value}]")).to_be_checked()


def test_what_is_left_to_choose_is_told_and_the_button_waits_for_it(table: Table) -> None:
    page = table(Slot("turn", "What moves?", MANY), Slot("throw", "What now?", THROW))
    button = page.locator(".board-bar button")
    click(page, "cat", "d")
    expect(said(page)).to_contain_text("Still to choose: What now?")
    expect(button).to_be_hidden()
    click(page, "die")
    expect(button).to_be_visible()


def test_what_the_form_chooses_is_marked_on_the_board(table: Table) -> None:
    page = table(Slot("turn", "What moves?", MANY))
    listed(page, "turn").select_option("cat d1")
    expect(page.locator(".hint.chosen")).to_have_count(2)
    expect(page.locator(".hint.way")).to_have_count(1)
    expect(said(page)).to_have_text("Click the picture to order, or use the form.")


def test_sealed_orders_fill_each_slot_once_in_the_order_written(table: Table) -> None:
    page = table(Slot("turn", "First?", MANY), Slot("other", "Then?", MANY, optional=True), sealed="cat d1\njackal b1")
    assert [listed(page, slot).input_value() for slot in ("turn", "other")] == ["cat d1", "jackal b1"]
    assert page.evaluate("window.sealed.dirty()") is False
    click(page, "jackal")
    assert page.evaluate("window.sealed.dirty()") is True


def test_a_second_move_goes_when_the_first_gives_way_to_a_rest(table: Table) -> None:
    page = table(Slot("turn", "What moves?", MANY), Slot("other", "And then?", MOVES, optional=True))
    second = page.locator("input[name=slot-other]:checked")
    click(page, "jackal", "b", "cat", "d")
    expect(second).to_have_value("cat d1")
    listed(page, "turn").select_option("jackal c1")
    expect(second).to_have_value("cat d1")
    listed(page, "turn").select_option("sleep")
    expect(second).to_have_value("")


# --- pieces that can do several things


def deed(who: str, group: str, *names: str) -> Choice:
    """Return one of the things a piece can do, clicked as the piece and what is named."""
    spots = tuple(f"toy-{name}1" if name in FILES else f"toy-{name}" for name in names)
    return Choice(" ".join((who, group.lower(), *names)), " ".join((group.lower(), *names)), group, (f"toy-{who}", *spots))


def deeds(who: str, *, optional: bool = False) -> Slot:
    """Return what a piece can do: rest, move to a file, or help the rival where it is or on its way."""
    moves = tuple(deed(who, "Move", name) for name in "bc")
    helps = (deed(who, "Help", "rival"), deed(who, "Help", "rival", "d"), deed(who, "Help", "jackal" if who == "cat" else "cat"))
    return Slot(who, f"The {who}", (deed(who, "Rest"), *moves, *helps), optional=optional)


def ways(page: Page) -> Locator:
    """Return the buttons for what the clicked piece can do."""
    return page.locator(".board-ways button")


def chosen(page: Page, name: str) -> str:
    """Return the order chosen in a slot, in a list or on a card."""
    form = page.locator(f"select[name=slot-{name}], input[name=slot-{name}]:checked")
    return form.input_value() if form.count() else ""


def test_a_piece_that_can_do_several_things_offers_them_and_a_place_means_the_first_that_needs_one(table: Table) -> None:
    page = table(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    assert ways(page).all_text_contents() == ["Rest", "Move", "Help"]
    assert [each.get_attribute("aria-pressed") for each in ways(page).all()] == ["false", "true", "false"]
    expect(page.locator(".hint.next")).to_have_count(2)
    expect(said(page)).to_have_text("The cat: click one of the 2 marked places, or say what it does.")
    assert chosen(page, "cat") == ""
    click(page, "b")
    assert chosen(page, "cat") == "cat move b"


def test_what_needs_no_place_is_done_with_one_more_click(table: Table) -> None:
    page = table(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    page.get_by_role("button", name="Rest").click()
    assert chosen(page, "cat") == "cat rest"
    expect(page.locator(".hint.next")).to_have_count(0)


def test_what_is_done_on_the_spot_is_a_second_click_on_the_piece_or_its_button(table: Table) -> None:
    rest = Choice("cat rest", "rest", "Rest", ("toy-cat", "toy-cat"))
    page = table(Slot("cat", "The cat", (rest, deed("cat", "Move", "c"), deed("cat", "Move", "d"), deed("cat", "Help", "rival"))))
    click(page, "cat")
    expect(said(page)).to_have_text("The cat: click one of the 2 marked places, or say what it does.")
    click(page, "cat")
    assert chosen(page, "cat") == "cat rest"
    expect(page.locator(".hint.way")).to_have_count(0)
    click(page, "jackal", "cat", "d", "cat")
    page.get_by_role("button", name="Rest").click()
    assert chosen(page, "cat") == "cat rest"


def test_the_thing_that_was_said_alone_lights_up_and_may_go_on(table: Table) -> None:
    page = table(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    page.get_by_role("button", name="Help").click()
    expect(page.locator(".hint.next")).to_have_count(2)
    expect(said(page)).to_have_text("The cat, Help: now click one of the 2 marked places.")
    click(page, "rival")
    assert chosen(page, "cat") == "cat help rival"
    expect(page.locator(".hint.way.aid")).to_have_count(1)
    expect(said(page)).to_contain_text("You may go on with the marked place.")
    click(page, "d")
    assert chosen(page, "cat") == "cat help rival d"


def test_another_own_piece_begins_anew_unless_it_was_said_to_be_helped(table: Table) -> None:
    page = table(deeds("cat"), deeds("jackal"))
    click(page, "cat", "jackal", "c")
    assert [chosen(page, name) for name in ("cat", "jackal")] == ["", "jackal move c"]
    click(page, "cat")
    page.get_by_role("button", name="Help").click()
    click(page, "jackal")
    assert chosen(page, "cat") == "cat help jackal"


def test_a_done_piece_does_not_hold_back_the_next_one_on_a_place_it_might_go_on_with(table: Table) -> None:
    page = table(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    page.get_by_role("button", name="Help").click()
    click(page, "rival", "jackal", "b")
    assert [chosen(page, name) for name in ("cat", "jackal")] == ["cat help rival", "jackal move b"]


def test_the_menu_goes_with_its_piece(table: Table) -> None:
    page = table(deeds("cat"), deeds("jackal"))
    click(page, "cat")
    page.keyboard.press("Escape")
    expect(page.locator(".board-ways")).to_be_hidden()
    expect(ways(page)).to_have_count(0)


def test_very_many_choices_are_rows_with_a_count_of_what_is_done(table: Table) -> None:
    page = table(*(deeds(who) for who in ("cat", "jackal")), *(Slot(f"more{n}", f"More {n}", MANY) for n in range(3)))
    expect(page.locator("fieldset.slot-row select")).to_have_count(5)
    expect(page.locator(".slots-count")).to_have_text("0 of 5 are chosen.")
    click(page, "cat", "b")
    expect(page.locator(".slots-count")).to_have_text("1 of 5 are chosen.")
    expect(said(page)).to_have_text("Chosen: move b. 1 of 5 are chosen.")
    expect(page.get_by_label("The jackal")).to_have_count(2)  # the row and its list


def test_what_a_piece_is_stands_beside_what_it_does(table: Table) -> None:
    nature = Slot("cat-is", "What the cat is", (Choice("cat wild", "wild"), Choice("cat tame", "tame")), optional=True)
    page = table(deeds("cat"), nature, deeds("jackal"))
    expect(page.locator("fieldset.slot-row select")).to_have_count(2)
    page.get_by_label("What the cat is").select_option("cat wild")
    click(page, "cat", "c")
    assert chosen(page, "cat") == "cat move c" and chosen(page, "cat-is") == "cat wild"
    expect(said(page)).to_have_text("Chosen: move c; wild. Still to choose: The jackal")


def test_what_a_piece_is_can_be_said_on_the_board_too(table: Table) -> None:
    page = table(deeds("cat"), Slot("cat-is", "What the cat is", (Choice("cat wild", "wild"), Choice("cat tame", "tame")), optional=True))
    click(page, "cat")
    page.get_by_role("group", name="What The cat is").get_by_role("button", name="tame").click()
    assert chosen(page, "cat-is") == "cat tame" and chosen(page, "cat") == ""
    page.get_by_role("button", name="Rest").click()
    page.get_by_role("button", name="unchanged").click()
    assert chosen(page, "cat-is") == "" and chosen(page, "cat") == "cat rest"


def test_what_stands_apart_is_not_counted(table: Table) -> None:
    vote = Slot("vote", "A draw?", (Choice("draw", "yes"), Choice("no draw", "no")), optional=True, aside=True)
    page = table(*(deeds(who) for who in ("cat", "jackal", "rival")), vote)
    page.get_by_text("A draw?").first.click()
    page.locator(".pick", has_text="yes").click()
    expect(page.locator(".slots-count")).to_have_text("0 of 3 are chosen.")


def test_many_rows_may_be_left_empty_and_are_folded_on_a_phone_only(table: Table, page: Page) -> None:
    for width, folded in ((1280, False), (390, True)):
        page.set_viewport_size({"width": width, "height": 800})
        table(*(deeds(who) for who in ("cat", "jackal", "rival")))
        assert page.locator("details.rows").evaluate("(rows) => rows.open") is not folded
    click(page, "cat")
    page.get_by_role("button", name="Rest").click()
    page.get_by_role("button", name="Seal these orders").click()
    assert page.evaluate("window.sent")[0] == ["slot-cat", "cat rest"]


def test_a_picture_too_small_to_be_read_can_be_made_larger(table: Table, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    table(deeds("cat"))
    expect(page.locator(".board-size")).to_have_count(0)
    page.evaluate("document.querySelector('svg.board').style.width = '150px'")
    page.evaluate("document.dispatchEvent(new Event('htmx:after:settle'))")
    page.get_by_role("button", name="Larger").click()
    assert page.evaluate("document.querySelector('.board-frame').classList.contains('large')")
    expect(page.get_by_role("button", name="Smaller")).to_be_visible()


def test_a_finger_beside_a_small_piece_still_means_it(table: Table) -> None:
    page = table(deeds("cat"))
    box = page.locator("#toy-cat").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] + 4, box["y"] + box["height"] / 2)
    expect(ways(page)).to_have_count(3)
