"""What a first visit loads: fonts, styles and scripts together stay light, and each is kept for
good.
"""

import gzip
import re

import pytest

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.web.live import Live, wait_in
from tests.web.site import Site

# bytes, compressed, of all fonts, styles and scripts that a page of English text loads
MOST_PARTS = 90_000
PAGES = (
    "/",
    "/account",
    "/matches/new",
    "/rules/pyramid",
    "/matches/{uid}",
    "/matches/{uid}/press",
    "/matches/{uid}/phases/0",
    "/matches/{uid}/phases/1/try",
)
_LINKS = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js)\?v=[^"]+)"')
_FONT = re.compile(r"url\((fonts/[^)]+-latin-(?:400|600)\.woff2)\)")


def _parts(site: Site, path: str = "/rules/pyramid") -> list[str]:
    """Return the addresses of the styles, the scripts and the fonts that a page loads."""
    visitor = site.visitor(ALICE)
    links = _LINKS.findall(visitor.get(path).text)
    style = next(link for link in links if "base.css" in link)
    return [*links, *(f"/static/{font}" for font in _FONT.findall(visitor.get(style).text))]


@pytest.mark.parametrize("page", PAGES)
def test_fonts_styles_and_scripts_are_light_together(small_site: Site, page: str) -> None:
    uid = small_site.harness.match(
        ALICE, BOB, wish=Wish("diplomacy", "Europe", {"press": "private"}, players=2)
    )
    visitor = small_site.visitor(None)
    parts = {
        path: visitor.client.get(path, buffered=True)
        for path in _parts(small_site, page.format(uid=uid))
    }
    assert {answer.status_code for answer in parts.values()} == {200} and sum(
        path.endswith("woff2") for path in parts
    ) == 2
    weights = {
        path: len(answer.data if path.endswith("woff2") else gzip.compress(answer.data))
        for path, answer in parts.items()
    }
    assert sum(weights.values()) <= MOST_PARTS, weights


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "further"), [("Café Zoë", False), ("Łódź", True)])
def test_fonts_of_further_letters_are_loaded_where_such_letters_stand(
    live: Live, name: str, further: bool
) -> None:
    uid = live.site.harness.match(ALICE, BOB, wish=Wish("genesis", name, {}))
    page = live.page(f"/matches/{uid}")
    wait_in(page, "document.fonts.status === 'loaded'")
    loaded = [path for _, path in live.asked if path.endswith(".woff2")]
    assert any("-latin-400" in path or "-latin-600" in path for path in loaded)
    assert any("-latin-ext-" in path for path in loaded) == further


@pytest.mark.parametrize("kind", ["css", "js", "woff2"])
def test_each_is_kept_for_a_year(small_site: Site, kind: str) -> None:
    path = next(path for path in _parts(small_site) if f".{kind}" in path)
    assert (
        "immutable"
        in small_site.visitor(None).client.get(path, buffered=True).headers["Cache-Control"]
    )
