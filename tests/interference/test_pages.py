"""Pairs of matches over the wire: pages, pictures, headers, JSON, letters and the live stream are
the same for everybody else.
"""

from collections.abc import Iterator
from itertools import count, islice

import pytest

from tests import clocks
from tests.interference.command import a_world
from tests.interference.pages import SiteWorld, pages_as
from tests.interference.pairs import ORDER, pairs_of
from tests.sampling import examples, sample

FIRST = 6_000
ROUNDS = examples(1, 3)  # matches of each game


@pytest.fixture
def site_world(monkeypatch: pytest.MonkeyPatch) -> Iterator[SiteWorld]:
    """A world with a site, whose clocks are the harness's."""
    with a_world(SiteWorld) as world:
        clocks.set_clocks(monkeypatch, lambda: world.harness.now)
        yield world


@pytest.mark.parametrize("game", sample(ORDER, 2))
def test_no_byte_that_others_get_tells_what_a_seat_hides(site_world: SiteWorld, game: str) -> None:
    seeds = islice(count(FIRST + ORDER.index(game), len(ORDER)), ROUNDS)
    made = [pair for seed in seeds for pair in pairs_of(site_world, seed, pages_as)]
    assert {pair.game for pair in made} == {game}
    assert [(pair.seed, pair.name, pair.differences[:3]) for pair in made if pair.differences] == []
    assert sum(pair.own for pair in made) >= len(made) / 2
