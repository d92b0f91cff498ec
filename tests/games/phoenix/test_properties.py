"""Invariants of every match of RPS Phoenix, and a second implementation of its meetings from the
text of R5.
"""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Adjudication, Event, Seat
from adjudicator.core.options import complete_options
from adjudicator.games.phoenix.model.events import Eliminated, Ended, Met, Raised
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.phoenix.positions import SEATS, decide, position, texts

quick = settings(derandomize=True, max_examples=12)


def dice(source: random.Random) -> ScriptedChance:
    """Return 100 random dice: enough for one decision, or for repeated rolls for the first turn."""
    return ScriptedChance([source.randint(1, 6) for _ in range(100)])


@st.composite
def matches(draw: st.DrawFn) -> tuple[Adjudication[State], ...]:
    """Draw a whole match as the adjudication of each decision; the opening position comes first,
    without events.
    """
    source = random.Random(draw(st.integers(0, 2**32)))
    seats = SEATS[: draw(st.integers(2, 4))]
    chosen = {
        "team": len(seats) == 4 and draw(st.booleans()),
        "give-away": draw(st.booleans()),
        "casino": draw(st.booleans()),
    }
    options = complete_options(
        PHOENIX.about, {**chosen, "escalation": draw(st.sampled_from([3, 27])), "turn_limit": 30}
    )
    done = [Adjudication(PHOENIX.start(seats, options, dice(source)), ())]
    while due := PHOENIX.phase(done[-1].state).due:
        state = done[-1].state
        orders = {
            seat: PHOENIX.parse(state, seat, source.choice(texts(state))).orders for seat in due
        }
        done.append(PHOENIX.adjudicate(state, orders, dice(source)))
    return tuple(done)


@quick
@given(matches())
def test_every_bird_is_unplaced_on_a_square_of_its_own_or_in_the_ashes(
    match: tuple[Adjudication[State], ...],
) -> None:
    names = [(bird.seat, bird.kind) for bird in match[0].state.birds]
    for done in match:
        assert [(bird.seat, bird.kind) for bird in done.state.birds] == names
        squares = [
            bird.place for bird in done.state.birds if bird.place not in ("unplaced", "ashes")
        ]
        assert len(set(squares)) == len(squares)
        assert all(x in range(1, 7) and y in range(1, 7) for x, y in squares)  # type: ignore[str-unpack]


@quick
@given(matches())
def test_scores_are_the_points_of_the_events_and_chips_the_birds_that_fell(
    match: tuple[Adjudication[State], ...],
) -> None:
    scores, fallen = Counter[Seat](), 0
    for done in match:
        for event in done.events:
            scores.update(_points(event))
            fallen += _fallen(event)
        assert done.state.scores == {seat: scores[seat] for seat in done.state.seats}
        paid = sum(purse.paid for purse in done.state.purses.values())
        assert paid == (fallen if done.state.modes.casino else 0)
        assert done.state.pot >= 0


def _points(event: Event) -> dict[Seat, int]:
    if isinstance(event, Eliminated):
        return {event.by.seat: 1}
    if isinstance(event, Met):
        return {
            "won": {event.bird.seat: 1},
            "lost": {event.other.seat: 1},
            "mutual": {event.bird.seat: 1, event.other.seat: 1},
        }[event.outcome]
    if isinstance(event, Raised):
        return {event.bird.seat: 2}
    return dict(event.bonus) if isinstance(event, Ended) else {}


def _fallen(event: Event) -> int:
    if isinstance(event, Met):
        return 2 if event.outcome == "mutual" else 1
    return int(isinstance(event, Eliminated))


@quick
@given(matches())
def test_turns_are_counted_in_seat_order_and_a_match_ends_within_its_limit(
    match: tuple[Adjudication[State], ...],
) -> None:
    seats, limit = match[0].state.seats, 30 * len(match[0].state.seats)
    for before, after in pairwise(done.state for done in match):
        step = after.turn - before.turn
        assert step in (0, 1)
        assert seats.index(after.on_turn) == (seats.index(before.on_turn) + step) % len(seats)
        assert step == 1 or (before.dice is None and after.dice is not None)
    assert match[-1].state.turn <= limit
    assert len(match) <= 1 + 2 * limit


@quick
@given(matches())
def test_a_match_goes_on_exactly_while_two_sides_are_on_the_grid_or_nobody_is(
    match: tuple[Adjudication[State], ...],
) -> None:
    for done in match:
        state = done.state
        if state.part == "opening" or state.modes.give_away or state.turn >= 30 * len(state.seats):
            continue
        sides = [
            side
            for side in state.sides
            if any(bird.stands for bird in state.birds if bird.seat in side)
        ]
        assert (len(sides) == 1) == (state.ended is not None)


@quick
@given(matches(), st.randoms(use_true_random=False))
def test_every_order_of_looking_that_changes_something_is_offered_and_no_other(
    match: tuple[Adjudication[State], ...], source: random.Random
) -> None:
    state = source.choice(
        [done.state for done in match if done.state.part != "opening" and not done.state.ended]
        or [position("Rr33 Bs55")]
    )
    offered = {text: _outcome(state, text) for text in texts(state) if text != "roll"}
    for text in offered:
        plain, _, direction = text.partition(" meeting ")
        assert not direction or offered[text] != offered[plain]
        if text == plain != "stay":
            variants = [
                outcome
                for other, outcome in offered.items()
                if other.partition(" meeting ")[0] == plain
            ]
            assert all(_outcome(state, f"{plain} meeting {look}") in variants for look in AROUND)


def _outcome(state: State, text: str) -> object:
    after = decide(state, text).state
    return after.birds, after.scores


# --- a second implementation of R5: a board of square -> (seat, type), and the table of what loses
# to what

LOSES_TO = {"rock": "paper", "paper": "scissors", "scissors": "rock"}
AROUND = {"NE": (1, 1), "SE": (1, -1), "SW": (-1, -1), "NW": (-1, 1)}
Grid = dict[tuple[int, int], tuple[Seat, str]]


def settled(grid: Grid, at: tuple[int, int], named: list[str]) -> Grid:
    """Return what is left on the grid after all meetings of the Bird that landed `at`."""

    grid, looks = dict(grid), [*named, *AROUND]
    while True:
        seat, kind = grid[at]
        corners = [(at[0] + AROUND[look][0], at[1] + AROUND[look][1]) for look in looks]
        there = [
            corner
            for corner in corners
            if corner in grid and grid[corner][0] != seat and grid[corner][1] != kind
        ]
        if not there:
            return grid
        loser, winner = (at, there[0]) if LOSES_TO[kind] == grid[there[0]][1] else (there[0], at)
        grid[loser] = grid.pop(winner)
        at, looks = loser, list(AROUND)


@pytest.mark.parametrize("seed", range(60))
def test_phoenix_R5_random_positions_come_out_as_the_text_says(seed: int) -> None:
    source = random.Random(seed)
    squares = source.sample([(x, y) for x in range(1, 7) for y in range(1, 7)], 10)
    codes = [seat[0] + kind for seat in SEATS[:3] for kind in "rps"]
    state = position(
        " ".join(f"{code}{x}{y}" for code, (x, y) in zip(codes, squares, strict=False)), seats=3
    )
    state = replace(state, dice=squares[9])
    named = source.sample(list(AROUND), source.randint(0, 3))
    done = decide(state, f"move rock{' meeting ' if named else ''}{' '.join(named)}")
    before: Grid = {
        square: (bird.seat, bird.kind)
        for bird in state.birds[1:]
        if (square := bird.place) and not isinstance(square, str)
    }
    before[squares[9]] = ("Red", "rock")
    stand = {bird.place: (bird.seat, bird.kind) for bird in done.state.birds if bird.stands}
    assert stand == settled(before, squares[9], named)
