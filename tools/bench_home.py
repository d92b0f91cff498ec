"""The cost of a player's home page with many running matches: statements, and the time of the
processor.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from adjudicator.platform import clock, db
from adjudicator.service.matches.creation import Wish
from tests.asked import asking, queries_of
from tests.harness import Harness
from tests.web.site import Site, Visitor

MATCHES = (3, 30, 200)
KINDS = (
    ("pyramid", ("Alice", "Bob", "Charlie")),
    ("diplomacy", ("Bob", "Alice")),
    ("phoenix", ("Charlie", "Bob", "Alice")),
)
TIMES = 30


def bench_home(say: Callable[[str], None]) -> None:
    """Give one player ever more running matches of three games, and time the home page."""
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/bench.sqlite3"
        db.migrate(url)
        harness = Harness(url)
        harness.now = clock.now()
        site = Site.create(harness, Path(name) / "data")
        alice = site.visitor("Alice")
        made = 0
        for number in MATCHES:
            for at in range(made, number):
                game, people = KINDS[at % len(KINDS)]
                harness.match(*people, wish=Wish(game, f"Table {at}", {}, players=len(people)))
            made = number
            say(
                f"home page with {number} running matches: {count_statements(site, alice)}"
                f" statements, {_measure(alice):.0f} ms"
            )
        site.app.extensions["database"].engine.dispose()
        harness.dispose()


def count_statements(site: Site, visitor: Visitor) -> int:
    """Return how many statements the visitor's home page sends to the database."""
    with asking(site.app.extensions["database"]) as asked:
        assert visitor.get("/").status_code == 200  # noqa: S101 else its statements mean nothing
    return len(queries_of(asked))


def _measure(visitor: Visitor) -> float:
    """Return the median milliseconds of the processor that a home page takes."""
    took = []
    for _ in range(TIMES):
        begun = time.process_time()
        visitor.get("/")
        took.append((time.process_time() - begun) * 1000)
    return statistics.median(took)
