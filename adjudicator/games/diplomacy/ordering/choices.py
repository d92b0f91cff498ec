"""The possible orders of a seat, slot by slot: for the map, the form, the help and the house
bots.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from adjudicator.core.game import Choice, Seat, Slot, Slots
from adjudicator.games.diplomacy.map.geography import (
    KINDS,
    Unit,
    kind_of,
    place_name,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.matching.unit_lookup import Field, a_kind, field_of
from adjudicator.games.diplomacy.model.marks import homeless_mark, spot_mark, unit_mark
from adjudicator.games.diplomacy.model.orders import (
    TRAITS,
    Build,
    Change,
    Concede,
    Disband,
    Order,
    Retreat,
    Vote,
    Waive,
)
from adjudicator.games.diplomacy.model.state import Homeless, State
from adjudicator.games.diplomacy.ordering.counting import try_adjustments
from adjudicator.games.diplomacy.ordering.ways import Ways
from adjudicator.games.diplomacy.phases.ending import proposed_draws
from adjudicator.games.diplomacy.resolve.resolve_adjustments import Account
from adjudicator.games.kit.words import listing, plural

DRAW = "draw"
_CONCEDE = "To give up, write CONCEDE on a line of its own."
TRAIT = "-is"
"""The suffix in the name of a unit's slot for its characteristic: `PAR-is` (rsp)."""


def slots(state: State, seat: Seat) -> Slots:
    """Return a slot for each unit to be ordered and each build or removal to be decided; () for a
    seat with nothing to decide.

    A movement phase adds an optional slot `draw`.
    """
    if state.end or seat in state.conceded:
        return ()
    field = field_of(state, seat)
    if state.stage == "R":
        return tuple(_retreat(field, each) for each in state.homeless if each.power in field.powers)
    if state.stage == "A":
        return tuple(_adjustments(field))
    ways = Ways(field)
    units = tuple(slot for unit in field.own for slot in _unit(ways, unit))
    return (*units, _draw(state, seat)) if units else ()


def open_slots(field: Field, orders: Sequence[Order]) -> tuple[str, ...]:
    """Return the names of the slots that these orders leave open; () if the seat concedes."""
    if any(isinstance(order, Concede) for order in orders):
        return ()
    if field.position.stage == "A":
        given = Counter(
            each.power
            for each in try_adjustments(field, orders).values()
            if each.fate.result != "void"
        )
        return tuple(
            name for what in _accounts(field) for name in _names(field, what)[given[what.power] :]
        )
    ordered = {
        order.unit for order in orders if not isinstance(order, (Vote, Concede, Waive, Change))
    }
    return tuple(province_of(unit) for unit in field.own if unit not in ordered)


def unit_name(field: Field, unit: Unit) -> str:
    """Return `Army Paris`, with its power if the seat has several: `France: Army Paris`."""
    name = f"{KINDS[kind_of(unit)].capitalize()} {place_name(field.world, spot_of(unit))}"
    return f"{field.owner[unit].capitalize()}: {name}" if len(field.powers) > 1 else name


def _unit(ways: Ways, unit: Unit) -> Iterator[Slot]:
    name = unit_name(ways.field, unit)
    yield Slot(province_of(unit), name, ways.choices(unit))
    if ways.field.rules.rule_set == "rsp":
        now = ways.field.position.traits.get(unit)
        choices = tuple(Choice(str(Change(unit, trait)), trait) for trait in TRAITS)
        hint = f"It is {now}; left empty, it stays so." if now else ""
        yield Slot(
            f"{province_of(unit)}{TRAIT}",
            f"{name}: its characteristic",
            choices,
            hint=hint,
            optional=True,
        )


def _draw(state: State, seat: Seat) -> Slot:
    """Return the question whether the seat agrees to a draw (R6)."""
    mine = state.among.get(seat, ())
    agreed = (
        f"You agree to one of {listing([seat.capitalize() for seat in mine])} so far."
        if mine
        else "You agree to one so far."
    )
    now = agreed if seat in state.voted else "You do not agree to one so far."
    powers = tuple(
        Choice(str(Vote(True, among)), f"Yes, {_sharers(among)}")
        for among in proposed_draws(state)
        if among
    )
    secret = (
        " Votes are secret; it is told which draws are proposed."
        if state.setup.votes == "secret"
        else ""
    )
    naming = (
        " For a draw of some write DRAW and who shares: DRAW ENGLAND FRANCE."
        if state.setup.draws == "named"
        else ""
    )
    return Slot(
        name=DRAW,
        title="Do you agree to a draw?",
        choices=(
            Choice(str(Vote(True)), "Yes, all survivors share the match"),
            *powers,
            Choice(str(Vote(False)), "No"),
        ),
        hint=(
            f"{now} It takes every survivor; your answer stands until you change"
            f" it.{secret}{naming} {_CONCEDE}"
        ),
        optional=True,
        aside=True,
    )


def _sharers(among: Sequence[Seat]) -> str:
    """Return `England alone shares the match`, `England and France share the match`."""
    return (
        f"{listing([seat.capitalize() for seat in among])}"
        f" {plural(len(among), 'shares the match', 'share the match')}"
    )


def _retreat(field: Field, each: Homeless) -> Slot:
    rules = field.rules.rule_set
    mark = homeless_mark(rules, each.unit)
    retreats = tuple(
        Choice(
            str(Retreat(each.unit, to)),
            f"to {place_name(field.world, to)}",
            "Retreat",
            (mark, spot_mark(rules, to)),
        )
        for to in each.retreats
    )
    return Slot(
        province_of(each.unit),
        unit_name(field, each.unit),
        (*retreats, Choice(str(Disband(each.unit)), "disbands", "Disband", (mark, mark))),
    )


# --- builds and removals


def _accounts(field: Field) -> list[Account]:
    """Return the accounts of the seat's powers that have something to decide."""
    return [what for what in (field.accounts[power] for power in field.powers) if what.has_choice()]


def _names(field: Field, what: Account) -> list[str]:
    """Return the names of a power's slots: `build-1`, or `FRANCE-build-1` if the seat has several
    powers.
    """
    power = f"{what.power}-" if len(field.powers) > 1 else ""
    return [
        f"{power}{'build' if what.due > 0 else 'remove'}-{each}"
        for each in range(1, abs(what.due) + 1)
    ]


def _adjustments(field: Field) -> Iterator[Slot]:
    for what in _accounts(field):
        choices = _builds(field, what) if what.due > 0 else _removals(field, what)
        names = _names(field, what)
        for at, name in enumerate(names, start=1):
            title = ("Build" if what.due > 0 else "Removal") + (
                f" {at} of {len(names)}" if len(names) > 1 else ""
            )
            yield Slot(
                name,
                f"{what.power.capitalize()}: {title.lower()}" if len(field.powers) > 1 else title,
                choices,
            )


def _builds(field: Field, what: Account) -> tuple[Choice, ...]:
    rules = field.rules.rule_set
    units = tuple(
        Choice(
            str(Build(unit)),
            f"{KINDS[kind_of(unit)]} in {place_name(field.world, spot_of(unit))}",
            f"Build {a_kind(unit)}",
            (spot_mark(rules, spot_of(unit)),),
        )
        for unit in what.buildable
    )
    return (*units, Choice(str(Waive(what.power)), "no unit", "Build nothing"))


def _removals(field: Field, what: Account) -> tuple[Choice, ...]:
    rules = field.rules.rule_set
    return tuple(
        Choice(
            str(Disband(unit)),
            f"{KINDS[kind_of(unit)]} in {place_name(field.world, spot_of(unit))}",
            "Remove",
            (unit_mark(rules, unit),),
        )
        for unit in what.units
    )
