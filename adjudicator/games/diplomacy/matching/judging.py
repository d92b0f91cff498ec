"""Validates one line for a seat on a board: the orders it gives in this phase, or the reason why it
gives none.
"""

from dataclasses import dataclass, replace

from adjudicator.games.diplomacy.language.spelling import Said
from adjudicator.games.diplomacy.map.geography import Unit, kind_of, the_place
from adjudicator.games.diplomacy.matching.refusals import coast_missing, fault_of
from adjudicator.games.diplomacy.matching.unit_lookup import Fault, Field, describe_unit, spell_unit
from adjudicator.games.diplomacy.matching.validate_short_phases import (
    judge_build,
    judge_removal,
    judge_retreat,
    judge_waive,
)
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.orders import (
    Build,
    Change,
    Concede,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    Support,
    Vote,
    Waive,
)
from adjudicator.games.diplomacy.resolve.legality import with_coast
from adjudicator.games.kit.words import capital, listing

NO_TRAITS = "Characteristics belong to Rock, Scissors, Paper Diplomacy; here units have none."
NO_SUPPORT = (
    "There is no support in this game: a unit’s characteristic alone decides; the unit holds unless"
    " it is ordered otherwise."
)
NOW = {
    "M": "Now units hold (H), move (-), support (S) or convoy (C).",
    "R": "Now dislodged units retreat (R) or are disbanded (D).",
    "A": "Now units are built (B) or removed (D).",
}
STAGES: dict[str, tuple[type, ...]] = {
    "M": (Hold, Move, Support, Convoy, Change),
    "R": (Move, Retreat, Disband),
    "A": (Build, Waive, Disband),
}


@dataclass(frozen=True)
class Judged:
    """The orders of a valid line."""

    orders: tuple[Order, ...]
    remarks: tuple[str, ...] = ()


def judge_line(field: Field, line: Said) -> Judged | Fault:
    """Return the orders of a line with each unit as on the board, or the first fault."""
    wrong, stolen = out_of_place(field, line), _wrong_power(field, line)
    fault = replace(wrong, why=stolen.why) if wrong and stolen else wrong or stolen
    if fault:
        return fault
    judged: list[Judged] = []
    for order in line.orders:
        each = _order(field, line, order)
        if isinstance(each, Fault):
            return each
        judged.append(each)
    remarks = dict.fromkeys(
        (*(remark for each in judged for remark in each.remarks), *_route(field, line))
    )
    return Judged(tuple(order for each in judged for order in each.orders), tuple(remarks))


def out_of_place(field: Field, line: Said) -> Fault | None:
    """Return the fault of a line that belongs to another game or to another phase, else None."""
    return next(
        filter(
            None, (_wrong_game(field, order) or _wrong_time(field, order) for order in line.orders)
        ),
        None,
    )


def spell_orders(line: Said) -> str:
    """Return the orders of a line in canonical spelling, without a kind of unit that is not
    known.
    """
    return "\n".join(spell_unit(str(order)).strip().replace(" ? ", " ") for order in line.orders)


# --- rule set, phase, power


def _wrong_game(field: Field, order: Order) -> Fault | None:
    rsp = field.rules.rule_set == "rsp"
    if isinstance(order, Support) and rsp:
        return Fault(
            spell_unit(str(order)), NO_SUPPORT, (f"{spell_unit(order.unit)} H",), "invalid"
        )
    if isinstance(order, Change) and not rsp:
        return Fault(order.trait, NO_TRAITS, (), "invalid")
    if isinstance(order, Build) and order.trait and not rsp:
        return Fault(
            order.trait, NO_TRAITS, (spell_unit(str(replace(order, trait=None))),), "invalid"
        )
    return None


def _wrong_time(field: Field, order: Order) -> Fault | None:
    position = field.position
    if field.idle:
        return Fault(spell_unit(str(order)).strip(), field.idle)
    if isinstance(order, (Vote, Concede, *STAGES[position.stage])):
        return None
    return Fault(
        spell_unit(str(order)).strip(),
        f"{_not_now(order)} in {calendar.phase_name(position.phase)}. {NOW[position.stage]}",
    )


def _not_now(order: Order) -> str:
    if isinstance(order, Build | Waive):
        return "Nothing is built"
    if isinstance(order, Retreat):
        return "No unit retreats"
    if isinstance(order, Disband):
        return "No unit is disbanded"
    return (
        "No characteristic is changed" if isinstance(order, Change) else "Units do not move or hold"
    )


def _wrong_power(field: Field, line: Said) -> Fault | None:
    """Return the fault of a line that names the wrong owner of a unit, else None."""
    claims, order = dict(line.claims), line.orders[-1]
    if line.power and isinstance(
        order, Hold | Move | Support | Convoy | Retreat | Disband | Change
    ):
        claims[order.unit] = line.power
    for written, power in claims.items():
        found = field.find(written)
        if not isinstance(found, Fault) and field.owner[found.unit] != power:
            reason = (
                f"{capital(describe_unit(found.unit))} is {field.owner[found.unit].capitalize()}’s,"
                f" not {power.capitalize()}’s."
            )
            return Fault(power, reason, why="no such unit")
    return None


def _route(field: Field, line: Said) -> tuple[str, ...]:
    if not line.route or not isinstance(line.orders[-1], Move | Support | Convoy):
        return ()
    seas = listing([the_place(field.world, code) for code in line.route])
    return (
        (
            f"The way by {seas} is not part of the army’s order: the fleets there have to be"
            " ordered to convoy it."
        ),
    )


# --- one order


def _order(field: Field, line: Said, order: Order) -> Judged | Fault:
    if isinstance(order, Vote | Concede):
        return Judged((order,))
    if isinstance(order, Build):
        return _as_judged(judge_build(field, order, line.power))
    if isinstance(order, Waive):
        return _as_judged(judge_waive(field, order, line.power))
    found = field.find(order.unit)
    if isinstance(found, Fault):
        return replace(found, like=tuple(_with_unit(order, unit) for unit in found.like))
    if not field.is_own(found.unit):
        return Fault(
            found.unit,
            f"{capital(describe_unit(found.unit))} is {field.owner[found.unit].capitalize()}’s, not"
            " yours.",
        )
    remarks = (found.remark,) if found.remark else ()
    judged = _own_unit(field, replace(order, unit=found.unit))
    return (
        judged if isinstance(judged, Fault) else Judged(judged.orders, (*remarks, *judged.remarks))
    )


def _with_unit(order: Order, unit: Unit) -> str:
    """Return the text of the same order for `unit`."""
    return (
        spell_unit(str(replace(order, unit=unit)))
        if not isinstance(order, Vote | Concede | Waive)
        else str(order)
    )


def _own_unit(field: Field, order: Order) -> Judged | Fault:
    if isinstance(order, Move | Retreat) and field.position.stage == "R":
        return _as_judged(judge_retreat(field, order))
    if isinstance(order, Disband) and field.position.stage == "A":
        return _as_judged(judge_removal(field, order))
    if isinstance(order, MovementOrder):
        return _movement(field, order)
    return Judged((order,))


def _as_judged(order: Order | Fault) -> Judged | Fault:
    return order if isinstance(order, Fault) else Judged((order,))


def _movement(field: Field, order: MovementOrder) -> Judged | Fault:
    remarks: tuple[str, ...] = ()
    if isinstance(order, Support | Convoy):
        found = field.find(order.of)
        if isinstance(found, Fault):
            return replace(
                found, like=tuple(spell_unit(str(replace(order, of=unit))) for unit in found.like)
            )
        order, remarks = replace(order, of=found.unit), (found.remark,) if found.remark else ()
    if isinstance(order, Move):
        order, remarks = _fitted(field, order)
        missing = coast_missing(field, order)
        if missing:
            return missing
    fault = fault_of(field, order)
    return fault or Judged((order,), remarks)


def _fitted(field: Field, order: Move) -> tuple[Move, tuple[str, ...]]:
    """Return a move with the only coast that a fleet can reach, and for a fleet without `via
    convoy`, with a remark.
    """
    to = with_coast(field.world, order.unit, order.to)
    if kind_of(order.unit) == "A":
        return replace(order, to=to), ()
    remarks = (
        (f"{capital(describe_unit(order.unit))} goes by itself: only armies are convoyed.",)
        if order.via
        else ()
    )
    return replace(order, to=to, via=False), remarks
