"""The view of one seat: the whole board, and under `rsp` its own characteristics and the revealed
ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import Power, Province, Unit
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.orders import Trait
from adjudicator.games.diplomacy.model.state import End, Homeless, Last, Realm, RuleSet, Seen, State
from adjudicator.games.diplomacy.phases.ending import count_centres, proposed_draws


@dataclass(frozen=True)
class BoardView:
    """The board as `seat` sees it, None for an observer; nothing is hidden after the end (rsp
    R9).
    """

    seat: Seat | None
    rule_set: RuleSet
    phase: str  # "S1901M"
    title: str  # "Spring 1901", or "The end"
    victory_centres: int
    realms: tuple[Realm, ...]
    units: Mapping[Power, tuple[Unit, ...]]
    centres: Mapping[Power, tuple[Province, ...]]
    homeless: tuple[Homeless, ...]  # with a characteristic only if `seat` may know it
    contested: tuple[Province, ...]
    traits: Mapping[Unit, Trait]  # rsp: of the units of `seat`; of all units after the end
    seen: Mapping[Unit, Seen]
    voted: tuple[Seat, ...]
    conceded: tuple[Seat, ...]
    last: Last | None
    end: End | None
    scores: Mapping[Seat, int] = field(default_factory=dict)  # centres
    edition: str = "2023"  # a key of EDITIONS, for trials
    build_anywhere: bool = False
    # by seat that agrees to a draw: the sharers, unless all survivors
    among: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    taken: int | None = None  # the year in which a centre last changed hands
    # secret votes: the sharers of each draw that is proposed, () for all survivors
    proposed: tuple[tuple[Seat, ...], ...] = ()
    # whether nothing is hidden: after the end, or under rules without secrets
    open_to_all: bool = False


def look(state: State, seat: Seat | None, *, reveal: bool = False) -> BoardView:
    """Return the view of `seat`; `reveal` shows all characteristics, as after the end (rsp R9)."""
    over = reveal or state.end is not None
    shown = state if over or state.setup.votes == "open" else _own_vote(state, seat)
    view = _view(shown, seat, open_to_all=over or state.setup.rule_set == "standard")
    return view if shown is state else replace(view, proposed=proposed_draws(state))


def _own_vote(state: State, seat: Seat | None) -> State:
    """Return the state with the vote of one seat only (R12)."""
    among = {voter: sharing for voter, sharing in state.among.items() if voter == seat}
    return replace(state, voted=tuple(voter for voter in state.voted if voter == seat), among=among)


def _view(state: State, seat: Seat | None, *, open_to_all: bool) -> BoardView:
    mine = set(state.powers_of(seat)) if seat is not None else set()
    known = {
        unit
        for power, units in state.units.items()
        if open_to_all or power in mine
        for unit in units
    }
    return BoardView(
        seat=seat,
        rule_set=state.setup.rule_set,
        phase=state.phase,
        title="The end" if state.end else calendar.phase_name(state.phase),
        victory_centres=state.setup.victory_centres,
        realms=state.realms,
        units=state.units,
        centres=state.centres,
        homeless=tuple(
            each if open_to_all or each.power in mine else replace(each, trait=None)
            for each in state.homeless
        ),
        contested=state.contested,
        traits={unit: trait for unit, trait in sorted(state.traits.items()) if unit in known},
        seen=dict(sorted(state.seen.items())),
        voted=state.voted,
        conceded=state.conceded,
        last=state.last,
        end=state.end,
        scores=count_centres(state),
        edition=state.setup.edition,
        build_anywhere=state.setup.build_anywhere,
        among=dict(sorted(state.among.items())),
        taken=state.taken,
        open_to_all=open_to_all,
    )
