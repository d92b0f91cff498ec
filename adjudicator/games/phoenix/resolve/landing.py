"""Resolves a Bird's landing: first the Bird under it, then the opponents' Birds at the corners of
its square (rulings R3-R9).
"""

from typing import Literal

from adjudicator.games.phoenix.model.events import Eliminated, Met
from adjudicator.games.phoenix.model.grid import STEPS, Bird, Direction, Square, step_from
from adjudicator.games.phoenix.model.position import Position
from adjudicator.games.phoenix.model.state import beats

Landing = Literal["placed", "roll", "phoenix", "diagonal", "chain"]
_LOOKS: tuple[Direction, ...] = tuple(STEPS)


def land_bird(position: Position, bird: Bird, to: Square, why: Landing) -> Bird:
    """Put a Bird on a square that no Bird of its side holds; an opponent's Bird there goes to the
    Ashes, whatever the types.
    """
    victim = position.foe_at(to, bird.seat)
    if victim:
        position.shift(victim, "ashes")
    landed = position.shift(bird, to)
    if victim:
        position.events.append(Eliminated(bird=victim, by=landed, why=why))
    return landed


def possible_meetings(position: Position, bird: Bird) -> tuple[tuple[Direction, Bird], ...]:
    """Return the opponents' Birds that a landed Bird would interact with, in the order it looks:
    NE, SE, SW, NW (R4, R5, R9).
    """
    return tuple(found for direction in _LOOKS if (found := _found(position, bird, direction)))


def resolve_meetings(position: Position, bird: Bird, wished: tuple[Direction, ...] = ()) -> None:
    """Resolve the meetings of a landed Bird one by one; the directions `named` come first, for the
    first meeting only (ruling R5).
    """
    if position.part == "opening":
        return
    looks = wished + _LOOKS
    while found := next(
        (each for direction in looks if (each := _found(position, bird, direction))), None
    ):
        direction, other = found
        by_wish = len(looks) > len(_LOOKS) and direction in wished
        if position.part == "escalation":
            position.events.append(
                Met(bird=bird, other=other, direction=direction, outcome="mutual", named=by_wish)
            )
            position.shift(bird, "ashes")
            position.shift(other, "ashes")
            return
        won = beats(bird, other)
        position.events.append(
            Met(
                bird=bird,
                other=other,
                direction=direction,
                outcome="won" if won else "lost",
                named=by_wish,
            )
        )
        bird = _replace(position, *((bird, other) if won else (other, bird)))
        looks = _LOOKS


def _found(position: Position, bird: Bird, direction: Direction) -> tuple[Direction, Bird] | None:
    other = position.foe_at(step_from(bird.square, direction), bird.seat)
    if other is None or (other.kind == bird.kind and position.part != "escalation"):
        return None
    return direction, other


def _replace(position: Position, winner: Bird, loser: Bird) -> Bird:
    """Send the loser to the Ashes and put the winner on its square."""
    position.shift(loser, "ashes")
    return position.shift(winner, loser.place)
