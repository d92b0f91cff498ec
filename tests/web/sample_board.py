"""A sample board for the tests of clicking: four squares, three pieces and a die, with the site's
real form and scripts.
"""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page

from adjudicator.core.game import Choice, Slot
from adjudicator.platform.config import Settings
from web.app import create_app

STATIC = Path(__file__).parent.parent.parent / "web" / "static"
SIDE = 60  # of a square, in the picture's units
FILES = "abcd"

# Four squares in a row, a1 to d1; the jackal stands on a1, the cat on b1, a rival on c1, and a die
# lies beside the board.
PIECES = {"jackal": "a", "cat": "b", "rival": "c"}


def square(name: str) -> str:
    """Return a square of the board."""
    box = f'x="{FILES.index(name) * SIDE}" y="0" width="{SIDE}" height="{SIDE}"'
    return (
        f'<rect id="sample-{name}1" class="square" {box} fill="#eee"'
        f' stroke="#999"><title>{name}1</title></rect>'
    )


def piece(name: str, file: str) -> str:
    """Return a piece, which covers a part of its square."""
    disc = f'<circle cx="{(FILES.index(file) + 0.5) * SIDE}" cy="30" r="20" fill="#9cf"/>'
    return f'<g id="sample-{name}" class="piece"><title>The {name}</title>{disc}</g>'


def picture() -> str:
    """Return the board."""
    grid, standing = (
        "".join(map(square, FILES)),
        "".join(piece(name, file) for name, file in PIECES.items()),
    )
    die = (
        '<g id="sample-die"><title>The die</title><rect x="260" y="10" width="40" height="40"'
        ' fill="none" pointer-events="all"/></g>'
    )
    words = '<text x="10" y="110" pointer-events="none">Nothing to click here</text>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 320 120"'
        f' width="640">{grid}{standing}{die}{words}</svg>'
    )


def move(who: str, to: str, *more: str, label: str = "") -> Choice:
    """Return a move of a piece, clicked as the piece, the square, and what is more."""
    text = " ".join((who, f"{to}1", *more))
    return Choice(
        text,
        label or f"to {to}1",
        f"The {who}",
        (f"sample-{who}", f"sample-{to}1", *(f"sample-{name}" for name in more)),
    )


MOVES = tuple(move(who, to) for who in ("jackal", "cat") for to in FILES)
MANY = (
    *MOVES,
    move("jackal", "d", "rival", label="to d1, past the rival"),
    Choice("stay", "stay"),
    Choice("sleep", "sleep"),
)
THROW = (
    Choice("leap", "leap", "", ("sample-die",)),
    Choice("decline", "decline", "", ("sample-die",)),
)

KEEP_SENT = """document.addEventListener("submit", (event) => {
    event.preventDefault();
    window.sent = [...new FormData(event.target).entries()];
})"""

LayForm = Callable[..., Page]


def sample_board(page: Page, folder: Path) -> LayForm:
    """Return a function that renders a form for slots beside the board; the page keeps what is sent
    as `window.sent`.
    """
    app = create_app(Settings(data_dir=folder, database_url=f"sqlite:///{folder}/none.db"))
    form_page = app.jinja_env.get_template("web/_slots.html")

    def lay(*slots: Slot, sealed: str = "") -> Page:
        form = form_page.render(slots=slots, filled={})
        shown = (
            f'<div data-sealed><pre>{sealed}</pre></div><textarea id="text"></textarea>'
            if sealed
            else ""
        )
        bar = (
            '<div class="board-bar"><p class="board-said"></p><button form="choices" hidden>Seal'
            " and say ready</button></div>"
        )
        page.set_content(
            '<figure class="board-frame"><div'
            f' class="board-scroll">{picture()}</div>{bar}</figure>{shown}<form'
            f' id="choices">{form}</form>'
        )
        page.add_style_tag(path=str(STATIC / "match.css"))
        for script in ("site.js", "picture.js", "forms.js", "orders.js"):
            page.add_script_tag(path=str(STATIC / script))
        page.evaluate("document.dispatchEvent(new Event('htmx:after:settle'))")
        page.evaluate(KEEP_SENT)
        return page

    return lay


def click(page: Page, *names: str) -> None:
    """Click squares by their file, pieces by their name, or the die."""
    for name in names:
        page.locator(f"#sample-{name}1" if name in FILES else f"#sample-{name}").click(force=True)


def board_line(page: Page) -> Locator:
    """Return the line under the board."""
    return page.locator(".board-said")


def listed(page: Page, name: str) -> Locator:
    """Return the list of a slot."""
    return page.locator(f"select[name=slot-{name}]")
