"""The language and direction of each part of a page, and times that the scripts tell in the page's
language.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page

from adjudicator.platform import words
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE
from tests.web.site import Site
from web.http import request_context

SCRIPT = Path(__file__).parents[2] / "web" / "static" / "site.js"
HEBREW, RUSSIAN = "שלום (1901)", "Привет, как дела?"
NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
DISTANCES = (0, 1, 89, 90, 3600, 7169, 7170, 86400, 170999, 171000, 30 * 86400, -1, -300, -90000)


def test_a_page_is_in_english_and_what_people_wrote_in_a_language_that_nobody_knows(
    small_site: Site,
) -> None:
    uid = small_site.harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish("diplomacy", "The Long Table", {"press": "private"}, players=3),
    )
    press = f"/matches/{uid}/press"
    small_site.visitor(ALICE).post(press, {"to": "everybody", "text": f"{HEBREW}\n{RUSSIAN}"})
    page = small_site.visitor(BOB).get(f"{press}?to=everybody").text
    assert '<html lang="en-GB"' in page
    assert f'<p class="said" lang="" dir="auto">{HEBREW}<br>{RUSSIAN}</p>' in page
    assert f'<bdi lang="">{HEBREW} {RUSSIAN}</bdi>' in page, "the list of conversations"
    assert re.search(r'<textarea [^>]*lang="" dir="auto"', page), "where one writes"


def test_a_name_in_another_script_does_not_turn_its_line_around(small_site: Site) -> None:
    name = "דנה"
    uid = small_site.harness.match(name, BOB, CHARLIE, wish=Wish("pyramid", "The Long Table", {}))
    assert f"<bdi>{name}</bdi>" in small_site.visitor().get(f"/matches/{uid}").text


def test_a_page_is_written_in_the_locale_of_its_viewer(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = small_site.begin_match()
    monkeypatch.setattr(request_context, "viewer_locale", lambda: "de")
    page = small_site.visitor().get(f"/matches/{uid}").text
    assert '<html lang="de"' in page
    assert re.search(r"<time [^>]*>Mi., 4. Nov. \d\d:\d\d \(UTC\)</time>", page)
    assert words.language_tag() == "en-GB", "and the next request is not"


def lay(page: Page, language: str) -> Page:
    """Return a page with distances and a time, whose scripts tell them; its clock stands at NOW."""
    page.clock.set_fixed_time(NOW)
    stamps = [(NOW + timedelta(seconds=each)).isoformat() for each in DISTANCES]
    spans = "".join(f'<span data-until="{each}"></span>' for each in stamps)
    page.set_content(
        f'<html lang="{language}"><body data-times="UTC">{spans}<time'
        ' datetime="2025-09-03T18:05:00Z"></time></body></html>'
    )
    page.add_script_tag(path=str(SCRIPT))
    page.evaluate("document.dispatchEvent(new Event('htmx:after:settle'))")
    return page


def test_the_script_tells_times_in_the_words_of_the_server(page: Page) -> None:
    told = lay(page, "en-GB").locator("[data-until]").all_text_contents()
    assert told == [words.format_distance(NOW + timedelta(seconds=each), NOW) for each in DISTANCES]


def test_the_script_tells_times_in_the_language_of_the_page(page: Page) -> None:
    told = lay(page, "de").locator("[data-until]").all_text_contents()
    assert told[:5] == ["jetzt", "in 1 Sekunde", "in 89 Sekunden", "in 2 Minuten", "in 1 Stunde"]
    assert told[-2:] == ["vor 5 Minuten", "vor 25 Stunden"]
