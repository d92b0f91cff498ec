"""Selects the valid lines of a text that count: the last of several for one unit (G8), as many
builds or removals as are due (R3).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.games.diplomacy.map.geography import Power, province_of
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.model.orders import (
    Build,
    Change,
    Concede,
    Disband,
    Order,
    Vote,
    Waive,
)
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.resolve.resolve_adjustments import carry_out
from adjudicator.games.kit.words import count

_WITHOUT_UNIT = (Vote, Concede, Waive)


@dataclass(frozen=True)
class Entry:
    """One valid line."""

    line: str  # as the player wrote it
    orders: tuple[Order, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Over:
    """A build, removal or waive beyond the number that is due."""

    entry: Entry
    reason: str


@dataclass(frozen=True)
class Counted:
    """The orders of a text that count."""

    orders: tuple[Order, ...]
    remarks: tuple[str, ...] = ()
    over: tuple[Over, ...] = ()


def select_orders(field: Field, entries: Sequence[Entry]) -> Counted:
    """Return the orders that count, as written, with a remark for each that a later one
    replaced.
    """
    if field.position.stage == "A":
        return _adjustments(field, entries)
    alone = tuple(order for entry in entries for order in entry.orders)
    if len(set(map(_subject, alone))) == len(alone):
        return Counted(alone, tuple(remark for entry in entries for remark in entry.remarks))
    written = [(at, order) for at, entry in enumerate(entries) for order in entry.orders]
    last = {_subject(order): at for at, order in written if not isinstance(order, Change)}
    good = {
        at
        for at, entry in enumerate(entries)
        if all(isinstance(o, Change) or last[_subject(o)] == at for o in entry.orders)
    }
    now = {_subject(order): (at, order) for at, order in written if at in good}
    kept = tuple(order for at, order in written if now.get(_subject(order)) == (at, order))
    remarks = (
        *(remark for at, entry in enumerate(entries) if at in good for remark in entry.remarks),
        *_replaced(written, now),
    )
    return Counted(kept, remarks)


def _subject(order: Order) -> str:
    """Return the subject of an order; a later order of the same subject replaces it."""
    if isinstance(order, _WITHOUT_UNIT):
        return order.kind
    return f"{order.unit} {order.kind}" if isinstance(order, Change) else order.unit


def _replaced(
    written: Sequence[tuple[int, Order]], now: Mapping[str, tuple[int, Order]]
) -> Iterator[str]:
    """Yield a remark for each valid order that does not count (G8); `now` has by subject the line
    and the order that does.
    """
    for at, order in written:
        line, counting = now.get(_subject(order), (-1, None))
        if counting == order:
            continue
        why = (
            f"the later line, {counting}, does"
            if line > at
            else "the line it stood in was replaced by a later one"
        )
        yield f"{order} does not count: {why}."


# --- builds and removals


@dataclass(frozen=True)
class Adjusted:
    """The result of a build, a removal or a waive."""

    order: Build | Disband | Waive
    power: Power
    fate: Fate


def _adjustments(field: Field, entries: Sequence[Entry]) -> Counted:
    """Refuse the lines beyond the number that is due; one that is illegal at its turn does not
    reduce that number (R3).
    """
    orders = [entry.orders[-1] for entry in entries]
    done = try_adjustments(field, orders)
    too_many = [at for at, each in done.items() if each.fate.why == "too many"]
    votes = [(at, order) for at, order in enumerate(orders) if isinstance(order, Vote | Concede)]
    now = {_subject(order): (at, order) for at, order in votes}
    over = tuple(Over(entries[at], _too_many(field, done[at], orders[at:])) for at in too_many)
    kept = [at for at in range(len(orders)) if at not in too_many]
    remarks = (
        *(remark for at in kept for remark in entries[at].remarks),
        *_in_vain(done.values()),
        *_replaced(votes, now),
    )
    return Counted(
        tuple(orders[at] for at in kept if now.get(_subject(orders[at]), (at,))[0] == at),
        remarks,
        over,
    )


def try_adjustments(field: Field, orders: Sequence[Order]) -> dict[int, Adjusted]:
    """Return the results of the builds, removals and waives among a seat's orders, by their
    indexes.
    """
    by_power: dict[Power, dict[int, Build | Disband | Waive]] = {}
    for at, order in enumerate(orders):
        if isinstance(order, Build | Disband | Waive):
            by_power.setdefault(_adjuster(field, order), {})[at] = order
    found: dict[int, Adjusted] = {}
    for power, own in by_power.items():
        _, fates = carry_out(field.accounts[power], list(own.values()))
        found |= {
            at: Adjusted(order, power, fate)
            for (at, order), fate in zip(own.items(), fates, strict=True)
        }
    return dict(sorted(found.items()))


def _adjuster(field: Field, order: Build | Disband | Waive) -> Power:
    if isinstance(order, Waive):
        return order.power
    if isinstance(order, Build):
        return field.position.centres[province_of(order.unit)]
    return field.owner[order.unit]


def _too_many(field: Field, adjusted: Adjusted, following: Sequence[Order]) -> str:
    over = field.accounts[adjusted.power].over
    number = count(abs(over), "unit")
    what = f"{adjusted.power.capitalize()} {'may build' if over > 0 else 'has to remove'} {number}"
    if isinstance(adjusted.order, Waive) and any(isinstance(order, Build) for order in following):
        return (
            f"{what}, and as many other lines use that up; builds come before what is waived,"
            " wherever it is written."
        )
    return (
        f"{what}, and as many lines stand before this one; to begin anew, write clear on the first"
        " line."
    )


def _in_vain(done: Iterable[Adjusted]) -> Iterator[str]:
    """Yield a remark for each build or removal that is void because an earlier line has the same
    province or unit.
    """
    for each in done:
        if each.fate.why == "not allowed" and isinstance(each.order, Build):
            yield f"{each.order.unit} B comes to nothing: another line builds there already."
        elif each.fate.why == "no such unit" and isinstance(each.order, Disband):
            yield f"{each.order.unit} is removed once only: this line comes to nothing."
