"""The next round of a tournament of any format."""

from collections.abc import Sequence

from adjudicator.core.chance import Stream
from adjudicator.play.tournaments.formats import Format, KnockOut, League, Mixer, RoundRobin
from adjudicator.play.tournaments.methods.circle import pair_round_robin
from adjudicator.play.tournaments.methods.knock_out import pair_knock_out
from adjudicator.play.tournaments.methods.league import pair_league
from adjudicator.play.tournaments.methods.mixer import pair_mixer
from adjudicator.play.tournaments.methods.swiss import pair_swiss
from adjudicator.play.tournaments.records import Entrant, History, Round, Table, TournamentError
from adjudicator.play.tournaments.standings import TieBreak, pair_top

BY_HAND = 0  # the version of a round whose tables a director set
# raised by every change that gives other rounds for the same arguments; a tournament's file names
# it
PAIRING_VERSION = 2
PLANNED = 2  # the version from which mixers of few entrants plan their rounds together


def pair_round(
    format_: Format,
    entrants: Sequence[Entrant],
    history: History,
    draw: Stream,
    *,
    name: str = "",
    version: int = PAIRING_VERSION,
    tie_breaks: Sequence[TieBreak] = (),
) -> Round | None:
    """Return the next round of a tournament, or None if it is over.

    `entrants` are those who play on, in entry order; they may have become more or fewer since the
    last round. `history` has all rounds so far. The only chance is one shuffle of the entrants, or
    in a league one of each division, labelled `order of round 3` after the `name` of a division or
    group, if there is one; rounds that follow from the order of an earlier one draw nothing. So the
    same arguments and the same draw give the same round; `version` is that of the release that
    first drew it. Each format says in its own docstring what it promises. `tie_breaks` choose who
    meets at a top table after a Swiss.

    Raises TournamentError if somebody is entered twice, and for what the format refuses.
    """
    if len(set(entrants)) < len(entrants):
        raise TournamentError("Somebody is entered twice.")

    def lots_of(part: str, who: Sequence[Entrant]) -> tuple[Entrant, ...]:
        return draw.shuffle(f"{part}: order of round {len(history) + 1}".removeprefix(": "), who)

    def lots() -> tuple[Entrant, ...]:
        return lots_of(name, entrants)

    if isinstance(format_, RoundRobin):
        return pair_round_robin(format_, entrants, history, lots)
    if isinstance(format_, Mixer):
        return pair_mixer(format_, entrants, history, lots, planned=version >= PLANNED)
    if isinstance(format_, KnockOut):
        return pair_knock_out(format_, entrants, history, lots)
    if isinstance(format_, League):
        return pair_league(format_, entrants, history, lots_of, planned=version >= PLANNED)
    return pair_swiss(format_, entrants, history, lots) or pair_top(
        format_, entrants, history, tie_breaks
    )


def rotate_legs(table: Table, legs: int) -> tuple[Table, ...]:
    """Return the seat orders of the matches that one table plays at once: each leg moves everybody
    one seat on.

    Two legs at a table of two exchange the seats, as Genesis does. As many legs as seats give
    everybody every seat.
    """
    turns = (leg % len(table) for leg in range(legs))
    return tuple(table[turn:] + table[:turn] for turn in turns)
