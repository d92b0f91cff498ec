"""Forced orders: an order is forced only where nothing else is possible (ruling G7)."""

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from adjudicator.core.game import AnyGame, Choice, Parsed, Phase, Slot
from adjudicator.games.pyramid.rules import ABOUT
from adjudicator.play.loop import forced_orders

ONE, TWO = (
    Slot("pick", "Which?", tuple(Choice(text, text) for text in texts))
    for texts in (("B3",), ("B3", "B2"))
)


@dataclass(frozen=True)
class Table:
    """The part of a game that forced orders need; the state is the slots of each seat."""

    about: Any = ABOUT
    free: bool = False  # whether it says that nothing is forced

    def may_force(self, state: object) -> bool:
        return not self.free

    def slots(self, state: dict[str, tuple[Slot, ...]], seat: str) -> tuple[Slot, ...]:
        return state[seat]

    def parse(self, state: object, seat: str, text: str) -> Parsed[str]:
        return Parsed(tuple(text.splitlines()))


@pytest.mark.parametrize(
    ("first", "second", "forced"),
    [
        ((ONE,), (ONE,), {"1": ("B3",), "2": ("B3",)}),
        ((ONE, ONE), (ONE,), {"1": ("B3", "B3"), "2": ("B3",)}),
        ((ONE,), (TWO,), None),
        ((ONE,), (), None),
        ((ONE,), (ONE, replace(ONE, optional=True)), None),
    ],
    ids=["one order each", "two slots", "a choice", "nothing to choose", "may be left empty"],
)
def test_G7_orders_are_forced_where_every_due_seat_has_exactly_one(
    first: Any, second: Any, forced: Any
) -> None:
    game = cast(AnyGame, Table())
    assert forced_orders(game, {"1": first, "2": second}, Phase("Round 1", ("1", "2"))) == forced


def test_no_slots_are_worked_out_where_nothing_is_forced_and_nobody_is_waited_for_without_seats() -> (
    None
):
    game, phase = cast(AnyGame, Table(free=True)), Phase("Round 1", ("1",))
    assert forced_orders(game, {}, phase) is None
    assert forced_orders(game, {}, phase, out=("1",)) == {}


def test_G7_is_not_followed_where_it_would_tell_a_secret() -> None:
    game = cast(AnyGame, Table(replace(ABOUT, waits_for_forced=True)))
    assert forced_orders(game, {"1": (ONE,)}, Phase("Round 1", ("1",))) is None
