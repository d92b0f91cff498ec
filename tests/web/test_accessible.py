"""Axe finds nothing against WCAG 2.2 AA on any kind of page, in both themes, on a phone and on a
desktop.
"""

import random
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from adjudicator import catalogue
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE
from tests.sampling import EVERY_CASE
from tests.web.live import Live
from tests.web.test_security import walk

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_WIDTHS = (390, 1280)
_Theme = Literal["light", "dark"]
_RUN_ONLY: dict[_Theme, dict[str, Any]] = {
    "light": {"type": "tag", "values": _TAGS},
    # the themes differ in nothing but colours
    "dark": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}


def _pages(live: Live) -> list[str]:
    """Return one address of each kind of page that Alice may see, and a match of each game."""
    site, kinds = live.site, dict[str, str]()
    alice, router = site.visitor(ALICE), site.app.url_map.bind("localhost")
    for path in walk(site):
        answer = alice.get(path)
        # others are parts of pages
        whole = answer.mimetype == "text/html" and answer.text.lstrip().startswith(
            "<!doctype html>"
        )
        if (
            whole
            and "sandbox" not in answer.headers["Content-Security-Policy"]
            and (answer.status_code == 200 or "guess" in path)
        ):
            kinds.setdefault(
                f"{router.match(path.partition('?')[0])[0]} {answer.status_code}", path
            )
    least = {game.about.key: min(game.about.seats) for game in catalogue.every_game()}
    wishes = [
        Wish(game, "The Table", {}, players=max(seats, 2), house=max(seats - 2, 0))
        for game, seats in least.items()
    ]
    return [
        *kinds.values(),
        "/matches/new?game=diplomacy",
        *(f"/matches/{site.harness.match(ALICE, BOB, wish=wish)}" for wish in wishes),
    ]


def _look(page: Page, widths: tuple[int, ...], found: dict[str, Any]) -> None:
    """Add what axe finds on the page as it stands: in the light at the first width, in the dark at
    the last; with EVERY_CASE=1 at all.
    """
    for theme, run_only in _RUN_ONLY.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width in widths if EVERY_CASE else widths[:1] if theme == "light" else widths[-1:]:
            page.set_viewport_size({"width": width, "height": 844})
            options = {"runOnly": run_only, "resultTypes": ["violations"]}
            for broken in _Axe().run(page, options=options).response["violations"]:
                found.setdefault(f"{broken['id']}: {broken['help']}", []).append(
                    (page.url, theme, width, broken["nodes"][0]["html"][:200])
                )


class _Axe(Axe):
    """Axe, which is loaded once into a page."""

    def __init__(self) -> None:
        super().__init__(f"(window.axe || (() => {{ {AXE_SCRIPT} }})(), undefined)")


@pytest.mark.nightly
def test_axe_finds_nothing_on_any_kind_of_page(live: Live) -> None:
    paths, found = _pages(live), dict[str, Any]()
    assert len(paths) > 40
    page = live.context(ALICE).new_page()
    first = random.randrange(2)  # each whole run looks at the other half of the pages as on a phone
    for number, path in enumerate(paths, start=first):
        page.goto(path)
        _look(page, _WIDTHS if number % 2 else _WIDTHS[::-1], found)
    assert found == {}


def test_axe_finds_nothing_on_the_narrowest_and_a_wide_screen(live: Live) -> None:
    site, widths, found = live.site, (320, 1920), dict[str, Any]()
    watched = site.begin_match()
    site.harness.round(watched, [(name, "B1") for name in (ALICE, BOB, CHARLIE)])
    wish = Wish("diplomacy", "The Long Table", {"press": "private"}, players=3, seating="order")
    uid = site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    for name, to, text in (
        (ALICE, "FRANCE", "Shall Burgundy stay empty?"),
        (BOB, "ENGLAND", "It shall."),
    ):
        assert (
            site.visitor(name).post(f"/matches/{uid}/press", {"to": to, "text": text}).status_code
            == 303
        )
    visitor, alice = (live.context(name).new_page() for name in (None, ALICE))
    visitor.goto("/")
    expect(visitor.locator(".hero-board img")).to_be_visible()
    _look(visitor, widths, found)
    visitor.goto("/sign-in")
    visitor.get_by_label("E-mail address").fill("alice@nowhere")
    visitor.locator("main form").evaluate(
        "(form) => { form.noValidate = true; form.requestSubmit(); }"
    )
    expect(visitor.locator("main .error")).to_be_visible()
    _look(visitor, widths, found)
    alice.goto(f"/matches/{uid}/press?to=FRANCE")
    expect(alice.locator(".said")).to_have_count(2)
    _look(alice, widths, found)
    alice.goto("/matches/new?game=pyramid")
    alice.locator("[name=every_hours]").evaluate(
        "(field) => { field.value = 'x'; field.form.noValidate = true;"
        " field.form.requestSubmit(); }"
    )
    expect(alice.locator("main .error, main [role=alert]").first).to_be_visible()
    _look(alice, widths, found)
    alice.goto(f"/matches/{watched}")
    _look(alice, widths, found)
    assert found == {}
