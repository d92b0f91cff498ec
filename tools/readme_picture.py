"""Takes the README's pictures from a running service: python -m tools.readme_picture http://localhost:8000 docs/pictures."""

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import find_chromium

PIECES = ("B2", "W3", "C1", "W1")
TURNS = {"phoenix": 11, "genesis": 9}  # own decisions before the picture is taken


def main(address: str, folder: str) -> None:
    """Play a few rounds of some games against house bots and photograph each match's page."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport={"width": 1160, "height": 1010})
        page.goto(address)
        page.get_by_role("button", name="Play now").click()
        for number, piece in enumerate(PIECES, start=1):
            page.get_by_role("heading", name=f"You owe orders for Round {number}").wait_for()
            page.locator(f"label.pick:has(input[value={piece}])").click()
            page.get_by_role("button", name="Seal these orders").first.click()
        page.get_by_role("heading", name=f"You owe orders for Round {len(PIECES) + 1}").wait_for()
        _take(page, Path(folder) / "match.png")
        for game, turns in TURNS.items():
            page.goto(address)
            page.locator(f"button[name=game][value={game}]").first.click()
            for _ in range(turns):
                _play(page)
            page.get_by_role("heading", name="You owe orders").wait_for()
            _take(page, Path(folder) / f"{game}.png", of=".board-frame svg.board")
        chromium.close()


def _play(page: Page) -> None:
    """Submit a choice for the first slot, and wait for the next phase."""
    heading = page.get_by_role("heading", name="You owe orders")
    heading.wait_for()
    phase = heading.text_content() or ""
    slot = page.locator("#choices .slot").first
    if slot.locator("select").count():
        options = slot.locator("select option:not([value=''])")
        value = options.nth(min(3, options.count() - 1)).get_attribute("value")
        slot.locator("select").select_option(value)
    else:
        slot.locator("label.pick").first.click()
    page.locator("#choices").get_by_role("button", name="Seal these orders").click()
    page.wait_for_function("phase => !document.body.textContent.includes(phase)", arg=phase)


def _take(page: Page, file: Path, *, of: str = "") -> None:
    page.goto(page.url)  # scroll to the top
    page.locator(of).screenshot(path=file) if of else page.screenshot(path=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
