"""Pairs of matches: nobody else gets another value, and leaks that are planted are found."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any
from unittest import mock

import pytest

from adjudicator.games.diplomacy.phases import characteristics
from adjudicator.games.diplomacy.phases import view as board
from adjudicator.games.pyramid import view as pyramid
from adjudicator.games.redeux import view as redeux
from adjudicator.service.base.press_rules import Reader
from adjudicator.service.base.storing import change_row
from adjudicator.service.orders import submitting
from adjudicator.service.views.table import closed_phases
from tests.interference.command import a_world, report
from tests.interference.pairs import ORDER, Pair, pairs_of
from tests.interference.world import World
from tests.sampling import examples

ROUNDS = examples(1, 8)  # matches of each game


@pytest.fixture
def world() -> Iterator[World]:
    """A world of this test, in a process that keeps nothing of what other tests have leaked."""
    kept = closed_phases.ByteCache[Any, Any](closed_phases.MOST_KEPT)
    with mock.patch.object(closed_phases, "_kept", kept), a_world() as made:
        yield made


@pytest.mark.parametrize("number", range(ROUNDS))
def test_no_value_that_others_get_tells_what_a_seat_hides(world: World, number: int) -> None:
    seeds = range(number * len(ORDER), (number + 1) * len(ORDER))
    made = [pair for seed in seeds for pair in pairs_of(world, seed)]
    assert [(pair.seed, pair.name, pair.differences[:3]) for pair in made if pair.differences] == []
    assert {pair.game for pair in made} == set(ORDER)
    assert sum(pair.own for pair in made) > 0.8 * len(made)


# --- planted leaks


def count_rock(side: Any, *, open_to_all: bool) -> Any:
    return redeux.OpenSide(side.seat, side.score, side.hand.count("rock"), side.pile, side.spent)


def tell_everybody(state: Any, traits: Any, own: Any = characteristics.tell_changed) -> Any:
    return tuple(replace(event, readers=None) for event in own(state, traits))


def show_sealing(
    session: Any,
    match: Any,
    phase: Any,
    arrived: Any,
    own: Any = submitting.set_closing,
    **known: Any,
) -> None:
    own(session, match, phase, arrived, **known)
    change_row(session, match, shown=match.shown + 1)


LEAKS: dict[str, tuple[str, str, Any, str, Callable[..., Any]]] = {
    "how much rock a hand has": ("redeux", "hand", redeux, "_side", count_rock),
    "a red piece": ("pyramid", "red piece", pyramid, "_covered", lambda hand: hand),
    "a changed trait": (
        "rsp-diplomacy",
        "change of a trait",
        characteristics,
        "tell_changed",
        tell_everybody,
    ),
    "who votes": ("diplomacy", "vote", board, "_own_vote", lambda state, seat: state),
    "a submission as a step": ("genesis", "sealed orders", submitting, "set_closing", show_sealing),
    "press of others": ("diplomacy", "press", Reader, "may_read", lambda reader, row: True),
}


# seeds that tell it; most are told by the first match
TOLD_FIRST = {"how much rock a hand has": 13, "a submission as a step": 15}
BY_TWINS, BY_ACTS = {"acts": 0}, {"twins": 0}
MADE_OF = {
    "hand": BY_TWINS,
    "red piece": BY_TWINS,
    "change of a trait": BY_TWINS,
    "vote": BY_TWINS,
    "sealed orders": BY_ACTS,
}
MOST_MATCHES = 12  # of one game, within which a planted leak is found


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.nightly
def test_a_planted_leak_is_found(world: World, leak: str) -> None:
    game, kind, where, name, broken = LEAKS[leak]
    seeds = range(ORDER.index(game), MOST_MATCHES * len(ORDER), len(ORDER))
    first = TOLD_FIRST.get(leak, seeds[0])
    with mock.patch.object(where, name, broken):
        pairs = chain.from_iterable(
            pairs_of(world, seed, **MADE_OF.get(kind, {}))
            for seed in sorted(seeds, key=lambda seed: seed != first)
        )
        assert any(pair.kind == kind and pair.differences for pair in pairs)


# --- the command


def test_the_command_names_a_difference_and_how_to_repeat_it() -> None:
    said: list[str] = []
    pair = Pair(7, "pyramid", "red piece", True, ("seat 2, the view: …'R3' became …'R2'",))
    assert not report(iter([pair]), said.append)
    assert "seed 7, pyramid: red piece" in said[0] and "--from 7" in said[1]
    assert report(iter([replace(pair, differences=())]), said.append)


def test_the_command_fails_where_the_seat_itself_sees_no_difference() -> None:
    said: list[str] = []
    assert not report(iter([Pair(7, "pyramid", "red piece", False, ())] * 20), said.append)
    assert "prove little: pyramid: red piece" in said[-1]
