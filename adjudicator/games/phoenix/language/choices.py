"""The slot of a decision: each choice with its order text, a label and clicks; directions to meet
only where they change the result.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from adjudicator.core.game import Choice, Seat, Slot, Slots
from adjudicator.games.phoenix.model.grid import (
    COMPASS,
    SIDE,
    STEPS,
    Bird,
    Square,
    is_beside,
    square_text,
    step_from,
)
from adjudicator.games.phoenix.model.orders import Diagonal, Move, Order, Phoenix, Place, Second
from adjudicator.games.phoenix.model.position import Position
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.resolve.diagonal import Way, chain_squares, open_ways
from adjudicator.games.phoenix.resolve.execution import carry_out, land_birds
from adjudicator.games.phoenix.resolve.landing import possible_meetings
from adjudicator.games.phoenix.resolve.legal import (
    able_birds,
    is_forced_phoenix,
    is_free,
    may_raise,
)

SLOT = "turn"  # the one choice of a decision
KEY = "phoenix"
LandingT = TypeVar("LandingT", Diagonal, Move, Phoenix)


def slots(state: State, seat: Seat) -> Slots:
    """Return the one slot of the seat on turn; it has a single choice only if nothing else is
    possible (ruling G7).
    """
    if state.ended or seat != state.on_turn:
        return ()
    position = Position(state)
    return (Slot(SLOT, _question(position), tuple(_choices(position))),)


def _question(position: Position) -> str:
    if position.dice is None:
        return "Do you roll, or move a Bird diagonally?"
    dice = square_text(position.rolled)
    if position.part == "opening":
        return f"The dice show {dice}: which Bird do you place there?"
    return f"You rolled {dice}: what do you do?"


def _choices(position: Position) -> Iterator[Choice]:
    if position.dice is None:
        yield Choice("roll", "Roll the dice", marks=(f"{KEY}-dice",))
        for bird in able_birds(position):
            yield from _diagonals(position, bird)
        return
    able, free, forced = able_birds(position), is_free(position), is_forced_phoenix(position)
    if free and not forced:
        for bird in able:
            yield from _place_or_move(position, bird)
    if may_raise(position):
        for bird in position.all_own():
            if bird.place == "ashes":
                yield from _risings(position, bird)
    if not forced and not (free and able):
        yield Choice("stay", "Stay as you are")


# --- one Bird


def _place_or_move(position: Position, bird: Bird) -> Iterator[Choice]:
    name, to, marks = (
        _name(bird),
        square_text(position.rolled),
        (_piece(bird), _square(position.rolled)),
    )
    taken = _taking(position, position.rolled)
    if position.part == "opening":
        yield Choice(str(Place(bird.kind)), f"Place {name} on {to}{taken}", marks=marks)
        return
    plain = Choice("", f"Move {name} to {to}{taken}", marks=marks)
    yield from _with_meetings(position, Move(bird.kind), plain, position.rolled)


def _diagonals(position: Position, bird: Bird) -> Iterator[Choice]:
    group = f"{_name(bird)} at {square_text(bird.square)}"
    for way in open_ways(position, bird):
        label = (
            f"{_name(bird)} to {square_text(way.end)},"
            f" {COMPASS[way.direction]}{_taking(position, way.end)}"
        )
        plain = Choice("", label, group, (_piece(bird), _square(way.end)))
        yield from _with_meetings(position, Diagonal(bird.kind, way.end), plain, way.end)
        yield from _chains(position, bird, way, plain)


def _chains(position: Position, bird: Bird, way: Way, plain: Choice) -> Iterator[Choice]:
    for steps, square in enumerate(chain_squares(position, bird, way), start=1):
        label = f"{plain.label}, and on to {square_text(square)}{_taking(position, square)}"
        onward = replace(plain, label=label, marks=(*plain.marks, _square(square)))
        yield from _with_meetings(position, Diagonal(bird.kind, way.end, steps), onward, square)


def _risings(position: Position, bird: Bird) -> Iterator[Choice]:
    label = (
        f"Phoenix: raise {_name(bird)} on"
        f" {square_text(position.rolled)}{_taking(position, position.rolled)}"
    )
    plain = Choice("", label, f"Phoenix: {_name(bird)}", (_piece(bird), _square(position.rolled)))
    yield from _with_meetings(position, Phoenix(bird.kind), plain, position.rolled)
    if position.part != "escalation":
        return
    for other in position.all_own():
        if other.place == "ashes" and other != bird:
            yield from _pairs(position, bird, other, plain)


def _pairs(position: Position, bird: Bird, other: Bird, plain: Choice) -> Iterator[Choice]:
    for to in _empty_beside(position, position.rolled):
        label = f"{plain.label}, and {_name(other)} on {square_text(to)}"
        both = replace(plain, label=label, marks=(*plain.marks, _piece(other), _square(to)))
        yield from _with_meetings(
            position, Phoenix(bird.kind, Second(other.kind, to)), both, position.rolled
        )


def _empty_beside(position: Position, square: Square) -> list[Square]:
    around = [(x, y) for x in range(1, SIDE + 1) for y in range(1, SIDE + 1)]
    return [each for each in around if is_beside(square, each) and position.at(each) is None]


# --- the order of meetings


def _with_meetings(
    position: Position, order: LandingT, plain: Choice, at: Square
) -> Iterator[Choice]:
    """Yield an order that lands a Bird `at` a square, and a variant for each first direction that
    changes the result (R5).
    """
    yield replace(plain, text=str(order))
    if (
        sum(
            position.foe_at(step_from(at, direction), position.seat) is not None
            for direction in STEPS
        )
        < 2
    ):
        return
    state, landed = position.state, Position(position.state)
    found = possible_meetings(landed, land_birds(landed, order)[0])
    if len(found) < 2:
        return
    seen = [_result(state, order)]
    for direction, other in found[1:]:
        directed = replace(order, meeting=(direction,))
        outcome = _result(state, directed)
        if outcome not in seen:
            seen.append(outcome)
            label = (
                f"{plain.label}, meeting {other.seat}’s {_name(other)} ({COMPASS[direction]}) first"
            )
            yield replace(
                plain, text=str(directed), label=label, marks=(*plain.marks, _piece(other))
            )


def _result(state: State, order: Order) -> State:
    return carry_out(state, order).settle()


# --- words and marks


def _name(bird: Bird) -> str:
    return bird.kind.capitalize()


def _taking(position: Position, square: Square) -> str:
    foe = position.foe_at(square, position.seat)
    return f", eliminating {foe.seat}’s {_name(foe)}" if foe else ""


def _piece(bird: Bird) -> str:
    return f"{KEY}-{bird.seat}-{bird.kind}"


def _square(square: Square) -> str:
    return f"{KEY}-{square[0]}-{square[1]}"
