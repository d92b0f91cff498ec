"""Plays the record of a match that was played elsewhere again, by our rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import AnyGame, Event, Phase
from adjudicator.core.options import Options, OptionValue, complete_options
from adjudicator.play import loop
from adjudicator.play.loop import Closed, Given

MOST_MISSING = 20  # phases that a record may leave out although somebody has a choice in them


class RecordedPhase(Protocol):
    """A phase of a record, by its name in the game."""

    @property
    def name(self) -> str: ...

    @property
    def orders(self) -> Mapping[str, str]:
        """The text of each seat that gave any."""

    @property
    def difference(self) -> Callable[[Any], str]:
        """From our state after the phase: how it differs from the record, "" if it does not or is
        not told.
        """


class MatchRecord(Protocol):
    """A match of one game as another service kept it, from its opening on, with all its seats."""

    @property
    def game(self) -> str: ...

    @property
    def options(self) -> Options: ...

    @property
    def seats(self) -> tuple[str, ...]: ...

    @property
    def phases(self) -> Sequence[RecordedPhase]: ...

    @property
    def digest(self) -> bytes:
        """Equal for two records of the same match, whatever file they are in."""


@dataclass(frozen=True)
class PlayedRecord:
    """A record as it goes by our rules."""

    options: dict[str, OptionValue]
    start: object  # the opening state
    opened: tuple[Event, ...]
    closed: tuple[Closed[Any], ...]
    state: object  # the last one
    over: bool  # whether the rules end the match there, else its record does
    differences: tuple[str, ...]  # sentences, in the order of the phases


def replay_record(game: AnyGame, record: MatchRecord) -> PlayedRecord:
    """Play a record from its opening to its end. Each phase is played on our own board, so what
    differs once goes on differing.

    1. A phase that the record has is played with its orders; silent seats give their default.
    2. A phase that it leaves out is played by default, which is told unless nobody had a choice.
    3. A phase of the record that is not played here, such as retreats with nowhere to go, belongs
       to the one before.
    4. Play ends with the record, or where the rules end the match before.
    """
    options = dict(game.settle(complete_options(game.about, record.options), ()))
    state = start = game.start(record.seats, options, ScriptedChance(()))
    left, closed, differences, missing = list(record.phases), list[Closed[Any]](), list[str](), 0
    while (
        left
        and game.phase(state).due
        and missing <= MOST_MISSING
        and len(closed) < loop.MOST_PHASES
    ):
        name = game.phase(state).name
        known = left.pop(0) if left[0].name == name else None
        if known is None and loop.forced_orders(game, state, game.phase(state)) is None:
            missing += 1
            differences.append(
                f"differs from the record in {name}: the record has no orders for it."
            )
        closed.append(_play(game, state, len(closed) + 1, known))
        state = closed[-1].after
        known = _skip(left, game.phase(state)) or known
        difference = known.difference(state) if known is not None else ""
        if difference:
            differences.append(f"differs from the record in {name}: {difference}.")
    unplayed = next((phase.name for phase in left if any(phase.orders.values())), None)
    if unplayed is not None:
        differences.append(
            f"differs from the record in {unplayed}: that phase was not reached here."
        )
    over = not game.phase(state).due
    return PlayedRecord(
        options, start, game.opened(start), tuple(closed), state, over, tuple(differences)
    )


def _skip(left: list[RecordedPhase], following: Phase) -> RecordedPhase | None:
    """Take the phases from the front of `left` that are not played here; return the last of them.

    These come before the phase that follows here. Once the match is over they are the ones without
    orders.
    """
    names, skipped = [phase.name for phase in left], None
    if following.due:
        end = names.index(following.name) if following.name in names else 0
    else:
        end = next(
            (number for number, phase in enumerate(left) if any(phase.orders.values())), len(left)
        )
    for _ in range(end):
        skipped = left.pop(0)
    return skipped


def _play(game: AnyGame, state: object, number: int, known: RecordedPhase | None) -> Closed[Any]:
    texts = known.orders if known is not None else {}
    written = [seat for seat in game.phase(state).due if texts.get(seat)]
    given = {
        seat: Given[Any](game.parse(state, seat, texts[seat]).orders, "record") for seat in written
    }
    return loop.close_phase(
        game, state, number=number, given=given, chance=ScriptedChance(()), why="record"
    )
