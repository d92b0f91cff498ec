"""The mutable position while one decision is carried out, with the events so far."""

from dataclasses import replace

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import Kind
from adjudicator.games.phoenix.model.events import ChipPaid, Happened, fallen_birds, scored_points
from adjudicator.games.phoenix.model.grid import Bird, Place, Square
from adjudicator.games.phoenix.model.state import Purse, State


class Position:
    """A mutable copy of a state's Birds; `events` lists what happened so far."""

    def __init__(self, state: State) -> None:
        self.state, self.part, self.dice, self.seat = state, state.part, state.dice, state.on_turn
        self.events: list[Happened] = []
        self._birds = {(bird.seat, bird.kind): bird for bird in state.birds}
        self._squares = {bird.square: bird for bird in state.birds if bird.stands}
        self._sides = {seat: side for side in state.sides for seat in side}

    # --- asking

    @property
    def rolled(self) -> Square:
        """The square of the dice; raises LookupError if none were rolled."""
        if self.dice is None:
            raise LookupError("no dice were rolled")
        return self.dice

    def own(self, kind: Kind) -> Bird:
        """Return a Bird of the seat on turn."""
        return self._birds[self.seat, kind]

    def all_own(self) -> tuple[Bird, ...]:
        """Return the Birds of the seat on turn: Rock, Paper, Scissors."""
        return tuple(bird for bird in self._birds.values() if bird.seat == self.seat)

    def at(self, square: Square) -> Bird | None:
        """Return the Bird on a square, if any."""
        return self._squares.get(square)

    def friend_at(self, square: Square, seat: Seat) -> Bird | None:
        """Return the Bird of the seat's own side on a square, if any (ruling R13: a partner's Bird
        blocks like one's own).
        """
        bird = self._squares.get(square)
        return bird if bird and bird.seat in self._sides[seat] else None

    def foe_at(self, square: Square, seat: Seat) -> Bird | None:
        """Return the Bird of an opponent of `seat` on a square, if any."""
        bird = self._squares.get(square)
        return bird if bird and bird.seat not in self._sides[seat] else None

    # --- changing

    def shift(self, bird: Bird, to: Place) -> Bird:
        """Move a Bird to another place and return it there."""
        if bird.stands:
            del self._squares[bird.square]
        moved = Bird(bird.seat, bird.kind, to)
        self._birds[bird.seat, bird.kind] = moved
        if moved.stands:
            self._squares[moved.square] = moved
        return moved

    def settle(self) -> State:
        """Return the state with the Birds moved, the events' points scored and, in casino, the
        chips paid (R6, R13).
        """
        scores, lost = (
            dict(self.state.scores),
            [bird.seat for event in self.events for bird in fallen_birds(event)],
        )
        for event in self.events:
            for seat, worth in scored_points(event):
                scores[seat] += worth
        purses = dict(self.state.purses)
        if self.state.modes.casino:
            self._pay(purses, lost)
        return replace(self.state, birds=tuple(self._birds.values()), scores=scores, purses=purses)

    def _pay(self, purses: dict[Seat, Purse], lost: list[Seat]) -> None:
        pot = self.state.pot
        for seat in (seat for seat in self.state.seats if seat in lost):
            pot += lost.count(seat)
            purses[seat] = replace(purses[seat], paid=purses[seat].paid + lost.count(seat))
            self.events.append(ChipPaid(seat=seat, chips=lost.count(seat), pot=pot))
