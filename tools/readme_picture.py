"""Takes the README's pictures anew from matches of a service that it starts: python -m
tools.readme_picture [docs/pictures].
"""

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

from tests.browser import FLAGS, find_chromium
from tests.hosting.service import ROOT, run_service
from tests.journeys.test_clicking import follow

PIECES = ("B2", "W3", "C1", "W1")
TURNS = {"phoenix": 11, "genesis": 9}  # own decisions before the picture is taken
YEAR = 1903  # of the orders on Diplomacy's map, in fall
_BOARD = ".board-frame svg.board"
_PATIENCE = 60_000  # milliseconds


def main(folder: Path) -> None:
    """Play a few rounds of some games against house bots and photograph each match's page or
    board.
    """
    with (
        tempfile.TemporaryDirectory() as place,
        run_service(Path(place) / "var", "serve", PYTHONPATH=str(ROOT)) as service,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS) as chromium,
    ):
        page = chromium.new_page(
            viewport={"width": 1400, "height": 900}, base_url=f"http://localhost:{service.port}"
        )
        page.set_default_timeout(_PATIENCE)
        _take_pyramid(page, folder / "match.png")
        for game, turns in TURNS.items():
            _begin(page, game)
            for _ in range(turns):
                _play(page)
            page.locator(_BOARD).screenshot(path=folder / f"{game}.png")
        _take_diplomacy(page, folder / "diplomacy.png")


def _take_pyramid(page: Page, file: Path) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    for number, piece in enumerate(PIECES, start=1):
        follow(page, _owed(page, f"Round {number}"))
        page.locator(f"label.pick:has(input[value={piece}])").click()
        page.get_by_role("button", name="Seal and say ready").first.click()
    follow(page, _owed(page, f"Round {len(PIECES) + 1}"))
    page.goto(page.url.partition("#")[0])  # a reload would stay where it is
    page.screenshot(path=file)


def _take_diplomacy(page: Page, file: Path) -> None:
    """Play until the fall of YEAR is over, and take that phase's map with its orders."""
    _begin(page, "diplomacy")
    while _play(page) != f"Fall {YEAR}":
        pass
    # the whole map, no larger than it is shown
    page.set_viewport_size({"width": 1150, "height": 1000})
    page.goto(f"{page.url.partition('?')[0]}/history")
    page.locator("main a", has_text=re.compile(f"Fall {YEAR}(?! retreats)")).first.click()
    page.locator(_BOARD).screenshot(path=file)


def _begin(page: Page, game: str) -> None:
    page.goto("/")
    page.locator(f"button[name=game][value={game}]").first.click()
    follow(page, _owed(page))


def _owed(page: Page, phase: str = "") -> Locator:
    return page.get_by_role("heading", name=re.compile(f"You owe orders for {phase}"))


def _play(page: Page) -> str:
    """Submit choices, and wait for the next phase with orders of ours; return the name of the phase
    that was played.
    """
    phase = (_owed(page).text_content() or "").rpartition(" for ")[2].strip()
    # a line for each piece of a map
    slots, lines = page.locator("#choices .slot"), page.locator("#choices .slot.line:not(.beside)")
    choosing = lines if lines.count() else slots.first
    if choosing.locator("select").count():
        for select in choosing.locator("select").all():
            moves = select.locator("optgroup[label=Move] option")
            options = moves if moves.count() else select.locator("option:not([value=''])")
            select.select_option(options.nth(min(3, options.count() - 1)).get_attribute("value"))
    else:
        choosing.locator("label.pick").first.click()
    page.locator("#choices").get_by_role(
        "button", name=re.compile("Seal and say ready")
    ).first.click()
    follow(page, _owed(page, f"(?!{re.escape(phase)}$)"))
    return phase


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
