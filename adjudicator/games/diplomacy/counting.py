"""Which of the good lines of a text count: of several for one unit the last (G8), builds and removals as long as some are due (R3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.games.diplomacy.adjustments import account
from adjudicator.games.diplomacy.geography import Power, Unit, province_of
from adjudicator.games.diplomacy.orders import Build, Change, Concede, Disband, Order, Vote, Waive
from adjudicator.games.diplomacy.standing import Field
from adjudicator.games.kit.words import count


@dataclass(frozen=True)
class Entry:
    """One line that was understood and can be obeyed."""

    line: str  # as the player wrote it
    orders: tuple[Order, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Over:
    """A build or removal more than are due."""

    entry: Entry
    reason: str


@dataclass(frozen=True)
class Counted:
    """What a text comes to."""

    orders: tuple[Order, ...]
    remarks: tuple[str, ...] = ()
    over: tuple[Over, ...] = ()


def counted(field: Field, entries: Sequence[Entry]) -> Counted:
    """Return the orders that count in the order they were written, with a remark for each that was replaced."""
    if field.state.stage == "A":
        return _adjustments(field, entries)
    last = {_subject(order): at for at, entry in enumerate(entries) for order in entry.orders if not isinstance(order, Change)}
    good = [entry for at, entry in enumerate(entries) if all(isinstance(o, Change) or last[_subject(o)] == at for o in entry.orders)]
    changed = {order.unit: id(order) for entry in good for order in entry.orders if isinstance(order, Change)}
    kept = tuple(o for entry in good for o in entry.orders if not isinstance(o, Change) or changed[o.unit] == id(o))
    remarks = (*(remark for entry in good for remark in entry.remarks), *_replaced(entries, kept))
    return Counted(kept, tuple(remarks))


def _subject(order: Order) -> str:
    """Return what an order is about; of two about the same the later counts."""
    if isinstance(order, Vote | Concede | Waive):
        return order.kind
    return f"{order.unit} {order.kind}" if isinstance(order, Change) else order.unit


def _replaced(entries: Sequence[Entry], kept: Sequence[Order]) -> list[str]:
    """Say which good orders later ones replaced (ruling G8)."""
    now = {_subject(order): order for order in kept}
    remarks = []
    for order in (order for entry in entries for order in entry.orders):
        newer = now.get(_subject(order))
        if newer is None:
            remarks.append(f"{order} does not count: the line it stood in was replaced by a later one.")
        elif newer != order:
            remarks.append(f"{order} does not count: the later line, {newer}, does.")
    return remarks


# --- builds and removals


def _adjustments(field: Field, entries: Sequence[Entry]) -> Counted:
    left = {power: abs(account(field.state, power).over) for power in field.powers}
    kept: dict[int, Order] = {}
    over: list[Over] = []
    for at, entry in enumerate(entries):
        order = entry.orders[-1]
        power = adjusted(field, order)
        if power is None or left[power] > 0:
            kept[at] = order
        else:
            over.append(Over(entry, _too_many(field, power)))
        if power is not None:
            left[power] -= 1
    votes: dict[type, int] = {type(order): at for at, order in kept.items() if isinstance(order, Vote | Concede)}
    orders = tuple(order for at, order in kept.items() if votes.get(type(order), at) == at)
    remarks = (*(remark for at in kept for remark in entries[at].remarks), *_twice(orders))
    return Counted(orders, remarks, tuple(over))


def adjusted(field: Field, order: Order) -> Power | None:
    """Return whose build or removal an order is, None for a vote."""
    if isinstance(order, Waive):
        return order.power
    if isinstance(order, Build):
        code = province_of(order.unit)
        return next(power for power in field.powers if code in field.state.centres.get(power, ()))
    return field.owner[order.unit] if isinstance(order, Disband) else None


def _too_many(field: Field, power: Power) -> str:
    over = account(field.state, power).over
    said = count(abs(over), "unit")
    what = f"may build {said}" if over > 0 else f"has to remove {said}"
    return f"{power.capitalize()} {what}, and as many lines stand before this one; to begin anew, write clear on the first line."


def _twice(orders: Sequence[Order]) -> list[str]:
    """Say which builds and removals come to nothing, since an earlier line has the same place or unit."""
    seen: set[str] = set()
    remarks = []
    for order in orders:
        if isinstance(order, Build | Disband):
            code = province_of(order.unit)
            if code in seen:
                remarks.append(_void(order, order.unit))
            seen.add(code)
    return remarks


def _void(order: Build | Disband, unit: Unit) -> str:
    if isinstance(order, Build):
        return f"{unit} B comes to nothing: another line builds there already; this build stays unused."
    return f"{unit} is removed once only; which other unit goes is then decided by the rules for civil disorder."
