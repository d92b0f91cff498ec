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
    slot_page = app.jinja_env.get_template("web/_slot.html")

    def lay(*slots: Slot, sealed: str = "") -> Page:
        form = "".join(slot_page.render(slot=slot, chosen="") for slot in slots)
        shown = f'<div data-sealed><pre>{sealed}</pre></div><textarea id="text"></textarea>' if sealed else ""
        bar = '<div class="board-bar"><p class="board-said"></p><button form="choices" hidden>Seal these orders</button></div>'
        page.set_content(f'<figure class="board-frame">{picture()}{bar}</figure>{shown}<form id="choices">{form}</form>')
        page.add_style_tag(path=str(STATIC / "match.css"))
        for script in ("site.js", "forms.js", "orders.js"):
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
