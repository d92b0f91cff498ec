"""What a visitor's browser loads: the bytes of each kind of page as they are sent, and of the
fonts, styles and scripts beside it.
"""

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from adjudicator import catalogue
from adjudicator.platform import clock, db
from adjudicator.service.matches.creation import Wish
from tests.harness import Harness
from tests.web.site import Site, Visitor

_PART = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js)\?v=[^"]+)"')
# those of English text; the others wait for their letters
_FONT = re.compile(r"url\((fonts/[^)]+-latin-(?:400|600)\.woff2)\)")
_PACKED = {"Accept-Encoding": "gzip"}


def bench_weights(say: Callable[[str], None]) -> None:
    """Weigh the pages of a site with a match of each game, all seats taken and one phase closed,
    for one of its players.
    """
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/bench.sqlite3"
        db.migrate(url)
        harness = Harness(url)
        harness.now = clock.now()
        site = Site.create(harness, Path(name) / "data")
        for title, path, viewer in list(_pages(harness)):
            visitor = site.visitor(viewer)
            page = visitor.get(path).text
            sent = len(visitor.client.get(path, headers=_PACKED, buffered=True).data)
            parts = sum(weigh_parts(visitor, page).values())
            kilobytes = (sent / 1000, len(page.encode()) / 1000, parts / 1000)
            say(
                "{}: {:.1f} kB sent, {:.0f} kB unpacked; fonts, styles and scripts {:.1f} kB".format(
                    title, *kilobytes
                )
            )
        site.app.extensions["database"].engine.dispose()
        harness.dispose()


def weigh_parts(visitor: Visitor, page: str) -> dict[str, int]:
    """Return the bytes that are sent of each font, style and script of a page of English text, by
    its address.
    """
    links = _PART.findall(page)
    style = visitor.client.get(
        next(link for link in links if "base.css" in link), buffered=True
    ).text
    found = {path: visitor.client.get(path, headers=_PACKED, buffered=True).data for path in links}
    fonts = {f"/static/{font}" for font in _FONT.findall(style)}
    return {path: len(data) for path, data in found.items()} | {
        font: len(visitor.client.get(font, buffered=True).data) for font in fonts
    }


def _pages(harness: Harness) -> Iterator[tuple[str, str, str | None]]:
    """Begin the matches; give the title, the path and the viewer of each page."""
    matches = {
        game.about.key: _begin(harness, game.about.key, max(game.about.seats))
        for game in catalogue.every_game()
    }
    yield from (("home, a visitor", "/", None), ("home, a player", "/", "Alice"))
    for title, path in (
        ("watch", "/watch"),
        ("play", "/play"),
        ("make a match", "/matches/new"),
        ("account", "/account"),
        ("ladder", "/ladder/pyramid"),
    ):
        yield title, path, "Alice"
    yield from ((f"a match of {key}", f"/matches/{uid}", "Alice") for key, uid in matches.items())
    yield from (
        (f"{what}, Diplomacy", f"/matches/{matches['diplomacy']}/{last}", "Alice")
        for what, last in _BESIDE
    )
    yield from ((f"the rules of {key}", f"/rules/{key}", None) for key in ("pyramid", "diplomacy"))


_BESIDE = (("a phase", "phases/1"), ("press", "press"), ("a trial", "phases/1/try"))


def _begin(harness: Harness, key: str, seats: int) -> str:
    options = {"press": "private"} if key == "diplomacy" else {}
    uid = harness.match(
        "Alice", "Bob", wish=Wish(key, "The Long Table", options, players=seats, house=seats - 2)
    )
    harness.later(hours=49)
    harness.close(uid)
    return uid
