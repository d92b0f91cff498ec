"""Take the README's picture from a running service: python -m tools.readme_picture http://localhost:8000 FILE."""

import sys

from playwright.sync_api import sync_playwright

from tests.browser import find_chromium

PIECES = ("B2", "W3", "C1", "W1")


def main(address: str, file: str) -> None:
    """Play a few rounds against the house bots and take the match's page."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport={"width": 1160, "height": 1010})
        page.goto(address)
        page.get_by_role("button", name="Play now").click()
        for number, piece in enumerate(PIECES, start=1):
            page.get_by_role("heading", name=f"You owe orders for Round {number}").wait_for()
            page.locator(f"label.pick:has(input[value={piece}])").click()
            page.get_by_role("button", name="Seal these orders").click()
        page.get_by_role("heading", name=f"You owe orders for Round {len(PIECES) + 1}").wait_for()
        page.goto(page.url)  # from its top again
        page.screenshot(path=file)
        chromium.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
