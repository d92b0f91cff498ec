"""The orders of one phase for one reader: their owners, the names of units, and the parts of
orders.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from adjudicator.games.diplomacy.map.geography import (
    Power,
    Province,
    Unit,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.events import Done
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.story.wording import is_own, kind_name, spot_name, unit_name, whose
from adjudicator.games.kit.words import listing


@dataclass(frozen=True)
class PhaseRecord:
    """The results of the orders of one phase, and the view of the reader."""

    view: BoardView
    done: Sequence[Done]

    @cached_property
    def powers(self) -> tuple[Power, ...]:
        """The powers that have orders, the reader's own first."""
        return tuple(
            sorted(
                {event.power for event in self.done},
                key=lambda power: (not is_own(self.view, power), power),
            )
        )

    @cached_property
    def of(self) -> dict[Unit, Done]:
        """The result of each unit's order."""
        return {event.unit: event for event in self.done if event.unit}

    def owner(self, unit: Unit) -> Power:
        """Return the owner of a unit, "" if it has no result in this phase."""
        return self.of[unit].power if unit in self.of else ""

    # --- names of units

    def name(self, unit: Unit, beside: Power) -> str:
        """Return `army Paris`, or `France’s army Paris` if it does not belong to the power
        `beside`.
        """
        power = self.owner(unit)
        return (
            unit_name(unit)
            if power in ("", beside)
            else f"{whose(self.view, power)} {unit_name(unit)}"
        )

    def names(self, units: Iterable[Unit], beside: Power = "") -> str:
        """Return `Italy’s army Rome and army Venice and your fleet Brest`: an owner is named once
        for adjacent units.
        """
        names: list[str] = []
        for unit in units:
            names.append(self.name(unit, beside))
            beside = self.owner(unit)
        return listing(names) if names else "another unit"

    def ordered(self, units: Iterable[Unit]) -> list[Unit]:
        """Return units by power, the reader's own first."""
        return sorted(
            units,
            key=lambda unit: (not is_own(self.view, self.owner(unit)), self.owner(unit), unit),
        )

    def support_of(self, unit: Unit, to: Province) -> str:
        """Return `, supported from Ruhr and Belgium` for the supporters of a unit's move, "" if
        there were none.
        """
        start = f" S {unit} - {to}"
        helpers = [
            each.unit
            for each in self.done
            if each.unit and each.fate.result == "supported" and start in each.order
        ]
        return (
            f", supported from {listing([spot_name(province_of(each)) for each in helpers])}"
            if helpers
            else ""
        )


# --- the parts of canonical orders


def target_of(order: str) -> str:
    """Return the destination of an order: the last place in `A PAR - BUR`, `A LON - NWY VIA`, `F
    SWE R BAL`.
    """
    return order.removesuffix(" VIA").rsplit(" ", 1)[-1]


def goal_of(event: Done) -> Province:
    """Return the province of an order's destination."""
    return province_at(target_of(event.order))


def is_move(order: str) -> bool:
    """Whether it is an order to move."""
    return " - " in order and " S " not in order and " C " not in order


def helped_unit(order: str) -> Unit:
    """Return the unit that is supported or carried: `A BER` in `A MUN S A BER - KIE`."""
    return order.replace(" C ", " S ").partition(" S ")[2].partition(" - ")[0]


def support_clause(record: PhaseRecord, event: Done, verb: str) -> str:
    """Return `supported army Berlin into Kiel` for `A MUN S A BER - KIE` and the verb
    `supported`.
    """
    into = f" into {spot_name(target_of(event.order))}" if " - " in event.order else ""
    return f"{verb} {record.name(helped_unit(event.order), event.power)}{into}"


def convoy_clause(record: PhaseRecord, event: Done, verb: str) -> str:
    """Return `carried army London to Norway` for `F NTH C A LON - NWY` and the verb `carried`."""
    return (
        f"{verb} {record.name(helped_unit(event.order), event.power)} to"
        f" {spot_name(target_of(event.order))}"
    )


def that_unit(event: Done) -> str:
    """Return `that army` for the unit that an order was to support or convoy."""
    return f"that {kind_name(helped_unit(event.order))}"


def group_alike(events: Iterable[Done], key: str) -> Iterator[list[Done]]:
    """Yield groups of events whose orders are equal after `key`, in the order of their first: all
    supports of one move.
    """
    groups: dict[str, list[Done]] = {}
    for event in events:
        groups.setdefault(event.order.partition(key)[2], []).append(event)
    yield from groups.values()
