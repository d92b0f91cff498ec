"""Trials: the adjudication of supposed orders of any powers, on the board of a view or on one that
the text describes.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from adjudicator.core import chance
from adjudicator.core.game import Event, Laid, Refusal, Seat, Trial
from adjudicator.games.diplomacy.map.geography import STANDARD, Unit
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.events import (
    Closed,
    Counted,
    Done,
    Driven,
    Eliminated,
    Ended,
    Revealed,
    Taken,
)
from adjudicator.games.diplomacy.model.orders import (
    TRAITS,
    Build,
    Change,
    Concede,
    Order,
    Trait,
    Vote,
)
from adjudicator.games.diplomacy.model.state import Realm, Setup, State, position_of
from adjudicator.games.diplomacy.ordering import position
from adjudicator.games.diplomacy.ordering.choices import slots
from adjudicator.games.diplomacy.ordering.parsing import parse, parse_alone
from adjudicator.games.diplomacy.ordering.position import Typed, TypedRules
from adjudicator.games.diplomacy.ordering.position_text import write_position
from adjudicator.games.diplomacy.phases import flow
from adjudicator.games.diplomacy.phases.ending import count_centres
from adjudicator.games.diplomacy.phases.stages import power_of
from adjudicator.games.diplomacy.phases.view import BoardView, look

_EVERYBODY = "EVERYBODY"
_TOLD = (Closed, Done, Revealed, Driven, Taken, Counted, Eliminated, Ended)
_NOT_HERE = "A trial asks nobody for a draw, and nobody gives up in it."
# what the state and the view of a position have alike
_OF_BOARD = ("phase", "units", "centres", "homeless", "contested", "traits", "seen", "last")


def try_orders(view: BoardView, text: str) -> Trial:
    """Return the results of supposed orders of any powers; units without an order hold or disband,
    and builds are waived (R7).

    An order belongs to the power of its unit. The text may have headings with names of powers, and
    a position under `units` (`ordering/position`). Under `rsp` a characteristic that the view does
    not know is the one in the text, else the last one seen. If a conflict needs one and there is
    neither, nothing is adjudicated and a refusal names the unit.
    """
    typed = position.read_typed(text)
    state = _state(view, typed)
    read = parse(_of_everybody(state), _EVERYBODY, "\n".join(typed.orders))
    orders = _by_seat(state, read.orders)
    refusals = (*typed.refusals, *read.refusals)
    remarks = (
        *_remarks(state, orders),
        *([_NOT_HERE] if any(isinstance(each, Vote | Concede) for each in read.orders) else []),
    )
    return _carried_out(
        view,
        _Orders(
            state,
            orders,
            {each.unit: each.trait for each in read.orders if isinstance(each, Change)},
        ),
        refusals,
        remarks,
    )


def lay_board(view: BoardView, text: str) -> Laid[BoardView]:
    """Return the board of a view, or the one that the text describes, with the choices of every
    power on it.
    """
    typed = position.read_typed(text)
    state = _state(view, typed)
    everybody = _of_everybody(state)
    shown = view if typed.units is None else _laid(view, state)
    choices = tuple(slot for slot in slots(everybody, _EVERYBODY) if not slot.aside)
    given = tuple(
        (line.strip(), str(order))
        for line, order in parse_alone(everybody, _EVERYBODY, typed.orders)
    )
    return Laid(
        shown, choices, write_position(shown), "\n".join(typed.orders), given, typed.refusals
    )


def _of_everybody(state: State) -> State:
    """Return the position as one seat that has all powers plays it."""
    return replace(state, realms=(Realm(_EVERYBODY, STANDARD.powers),))


@dataclass(frozen=True)
class _Orders:
    """The orders of a trial with their position, and the characteristics that the text names."""

    state: State
    by_seat: Mapping[Seat, tuple[Order, ...]]
    named: Mapping[Unit, Trait]


def _carried_out(
    view: BoardView, tried: _Orders, refusals: tuple[Refusal, ...], remarks: tuple[str, ...]
) -> Trial:
    guessed = _guessed(view, tried)
    state = replace(tried.state, traits={**guessed, **tried.state.traits})
    done = flow.adjudicate(state, tried.by_seat, _chance())
    after = done.state
    shown = after.last.revealed if after.last else {}
    unknown = [unit for unit in sorted(shown) if unit in guessed and unit not in tried.state.seen]
    if unknown:
        return Trial(
            _laid(view, tried.state), refusals=(*refusals, *map(_asks, unknown)), remarks=remarks
        )
    remarks = (
        *remarks,
        *(_as_seen(tried.state, unit) for unit in sorted(shown) if unit in guessed),
    )
    return Trial(_looked(view, after, tried), _reported_events(done.events), refusals, remarks)


# --- the position


def _state(view: BoardView, typed: Typed) -> State:
    """Return the view's position, or the one in the text; unplayed powers get a seat, since a trial
    may give them orders too.
    """
    setup = _setup(view, typed.rules or TypedRules())
    played = {power for realm in view.realms for power in realm.powers}
    realms = (
        *view.realms,
        *(Realm(power, (power,)) for power in STANDARD.powers if power not in played),
    )
    state = State(setup, realms, **{name: getattr(view, name) for name in _OF_BOARD})
    if typed.units is None:
        return state
    return replace(
        state,
        phase=typed.phase or f"{view.phase[:5].replace('W', 'F')}M",
        units=typed.units,
        centres=view.centres if typed.centres is None else typed.centres,
        homeless=typed.homeless,
        contested=typed.contested,
        traits=dict(typed.traits),
        seen=typed.seen,
        last=None,
    )


def _setup(view: BoardView, rules: TypedRules) -> Setup:
    victory_centres = rules.victory_centres or view.victory_centres
    anywhere = view.build_anywhere if rules.build_anywhere is None else rules.build_anywhere
    return Setup(
        view.rule_set, rules.edition or view.edition, victory_centres, 0, anywhere, "disorder"
    )


def _laid(view: BoardView, state: State) -> BoardView:
    """Return the view of a position that was not adjudicated."""
    title = view.title if state.phase == view.phase else calendar.phase_name(state.phase)
    return replace(
        view,
        **{name: getattr(state, name) for name in _OF_BOARD},
        title=title,
        edition=state.setup.edition,
        victory_centres=state.setup.victory_centres,
        build_anywhere=state.setup.build_anywhere,
        scores=count_centres(replace(state, realms=view.realms)),
    )


# --- orders


def _by_seat(state: State, orders: tuple[Order, ...]) -> dict[Seat, tuple[Order, ...]]:
    given: dict[Seat, tuple[Order, ...]] = {}
    position = position_of(state)
    for order in orders:
        power = power_of(position, order)
        seat = state.seat_of(power) if power else None
        if seat:
            given[seat] = (*given.get(seat, ()), order)
    return given


def _remarks(state: State, orders: Mapping[Seat, tuple[Order, ...]]) -> list[str]:
    """Return the remarks on each seat's orders alone, since orders of one power against another are
    no mistake.
    """
    return [
        remark
        for realm in state.realms
        if realm.seat in orders
        for remark in parse(state, realm.seat, "\n".join(map(str, orders[realm.seat]))).remarks
    ]


# --- characteristics (rsp)


def _guessed(view: BoardView, tried: _Orders) -> dict[Unit, Trait]:
    """Return a characteristic for each unit for which neither the view nor the text has one: the
    last one seen, else Rock.
    """
    if view.rule_set != "rsp":
        return {}
    state = tried.state
    units = [
        unit
        for units in state.units.values()
        for unit in units
        if unit not in state.traits and unit not in tried.named
    ]
    return {unit: state.seen[unit].trait if unit in state.seen else TRAITS[0] for unit in units}


def _asks(unit: Unit) -> Refusal:
    reason = f"What {unit} is decides here, and it is not known: write its characteristic with it."
    return Refusal.ambiguous(
        unit, unit, reason, tuple(str(Change(unit, trait)) for trait in TRAITS)
    )


def _as_seen(state: State, unit: Unit) -> str:
    seen = state.seen[unit]
    return (
        f"{unit} was taken for {seen.trait}, as it was last seen in"
        f" {calendar.phase_name(seen.phase)}."
    )


# --- what is shown


def _looked(view: BoardView, after: State, tried: _Orders) -> BoardView:
    """Return the view after the trial, with the seats, votes and secrets of `view`; newly drawn
    characteristics are left out.
    """
    ended = after.end if after.end and after.end.how == "victory" else None
    state = replace(
        after,
        realms=view.realms,
        end=None,
        voted=view.voted,
        among=view.among,
        conceded=view.conceded,
    )
    shown = look(state, view.seat, reveal=view.open_to_all)
    drawn = {
        each.unit
        for given in tried.by_seat.values()
        for each in given
        if isinstance(each, Build) and each.trait is None
    }
    traits = {unit: trait for unit, trait in shown.traits.items() if unit not in drawn}
    return replace(shown, traits=traits, end=ended, title="The end" if ended else shown.title)


def _reported_events(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events that a trial reports: no votes, no end but a victory, and no idle unit that
    influenced nothing.
    """
    mattered = {unit for each in events if isinstance(each, Done) for unit in each.fate.by}
    return tuple(each for each in events if isinstance(each, _TOLD) and not _idle(each, mattered))


def _idle(event: Event, mattered: Set[Unit]) -> bool:
    if isinstance(event, Ended):
        return event.how != "victory"
    return (
        isinstance(event, Done)
        and not event.order
        and event.fate.result in ("held", "waived")
        and event.unit not in mattered
    )


def _chance() -> chance.Chance:
    """Return a constant source of chance; nothing drawn from it is shown."""
    firsts = {name: chance.first_element(bytes(32), name) for name in chance.STREAMS}
    return chance.of_phase(firsts, chance.Setting("trial", 0))
