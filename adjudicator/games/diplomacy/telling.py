"""What came of one power's orders, in sentences: what succeeded together, every failure with its reason."""

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.games.diplomacy.events import Done
from adjudicator.games.diplomacy.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.view import BoardView
from adjudicator.games.diplomacy.wording import spot_name, unit_name, units_text, who, whose
from adjudicator.games.kit.words import count, listing


def orders_told(view: BoardView, done: Sequence[Done], owner: Mapping[Unit, Power]) -> Iterator[str]:
    """Yield the sentences on the orders of one power; `owner` is whose every unit of the phase is."""
    power = done[0].power
    teller = _Teller(view, power, owner)
    yield from teller.together(done)
    for event in done:
        sentence = teller.alone(event)
        if sentence:
            yield sentence


class _Teller:
    """Tells the orders of one power to one reader."""

    def __init__(self, view: BoardView, power: Power, owner: Mapping[Unit, Power]) -> None:
        self.view, self.power, self.owner = view, power, owner
        self.subject, self.own = who(view, power), whose(view, power)

    # --- what succeeded

    def together(self, done: Sequence[Done]) -> Iterator[str]:
        """Yield one sentence for all moves that succeeded, one for all holds, and so on."""
        for result, verb in (("moved", "moved"), ("retreated", "retreated"), ("built", "built"), ("disbanded", "gave up")):
            parts = [self._succeeded(event) for event in done if event.fate.result == result and not event.fate.why]
            if parts:
                yield f"{self.subject} {verb} {listing(parts)}."
        held = [event.unit for event in done if event.unit and event.fate.result == "held" and not event.fate.why]
        if held:
            yield f"{self.own} {units_text(held)} held."
        waived = sum(1 for event in done if event.fate.result == "waived")
        if waived:
            yield f"{self.subject} left {count(waived, 'build')} unused."

    def _succeeded(self, event: Done) -> str:
        unit, to = event.unit or "", _target(event.order)
        if event.fate.result not in ("moved", "retreated"):
            return unit_name(unit)
        by_convoy = event.fate.result == "moved" and to not in STANDARD.reach[unit]
        return f"{unit_name(unit)}{' by convoy' if by_convoy else ''} to {spot_name(to)}"

    # --- what needs a sentence of its own

    def alone(self, event: Done) -> str:
        """Return the sentence for one order, "" where it was told together with others."""
        result, unit = event.fate.result, unit_name(event.unit) if event.unit else ""
        mine = f"{self.own} {unit}"
        if result in ("supported", "cut", "support failed"):
            return f"{mine} {_supporting(event.order)}{self._why_support(event)}."
        if result == "convoyed":
            return f"{mine} carried {_carried(event.order)}."
        if result == "dislodged":
            return f"{mine} {self._tried(event.order)}was driven out by {self._others(event)}."
        if result in ("bounced", "convoy disrupted", "void"):
            return f"{mine} {self._failed(event)}."
        return self._left_over(event, mine)

    def _left_over(self, event: Done, mine: str) -> str:
        result, why = event.fate.result, event.fate.why
        if result == "held" and why:
            return f"{mine} had no order and held."
        if result != "disbanded" or not why:
            return ""
        if why == "several retreats":
            return f"{mine} and {self._others(event)} fled to {spot_name(_target(event.order))} at once, so all of them were disbanded."
        reason = {"no order": "had no order to retreat and", "civil disorder": "was not asked: civil disorder took it and it"}.get(why)
        return f"{mine} {reason or 'could not go where it was sent and'} was disbanded."

    def _why_support(self, event: Done) -> str:
        if event.fate.result == "cut":
            return f", but was cut by {self._others(event)}"
        return "" if event.fate.result == "supported" else ", but nobody carried that army"

    def _failed(self, event: Done) -> str:
        """Return what a unit could not do, and why."""
        order, why = event.order, event.fate.why
        if " S " in order:
            return f"{_supporting(order)}, which came to nothing: {self._mismatch(event)}"
        if " C " in order:
            return f"was to carry {_carried(order)}, which came to nothing: {self._mismatch(event)}"
        if order.endswith(" B") or order.endswith(" D"):
            verb = "could not be built" if order.endswith(" B") else "was not given up"
            return f"{verb}: {'no more were due' if why == 'too many' else 'it is not possible there'}"
        if order.endswith(" H") or not order:
            return "held"
        return f"did not get to {spot_name(_target(order))}: {self._why_move(event)}"

    def _why_move(self, event: Done) -> str:
        by = self._others(event)
        to = spot_name(_target(event.order))
        return {
            "standoff": f"{by} tried to enter it too",
            "beaten": f"{by} moved in",
            "defended": f"{by} stood there and was not outdone",
            "head to head": f"{by} came the other way and was not outdone",
            "own unit": f"{by} is of the same power and stayed",
            "convoy broken": f"its convoy broke when {by} was driven out",
            "paradox": "its convoy would have decided over itself",
            "no convoy": "no chain of fleets was ordered to carry it",
        }.get(event.fate.why, f"it cannot go to {to}")

    def _mismatch(self, event: Done) -> str:
        by = self._others(event)
        return {
            "no such order": f"{by} was ordered otherwise",
            "no convoy": "no whole chain of fleets was ordered to carry it",
            "paradox": "that convoy would have decided over itself",
            "own unit": f"{by} is of the same power",
        }.get(event.fate.why, "it was not possible")

    def _tried(self, order: str) -> str:
        to = _target(order)
        return f"set out for {spot_name(to)} and " if to and " - " in order and " S " not in order and " C " not in order else ""

    def _others(self, event: Done) -> str:
        """Return the units that made it so, each with its owner where that is another power."""
        names = []
        for unit in event.fate.by:
            power = self.owner.get(unit)
            other = "" if power is None or power == self.power else f"{whose(self.view, power)} "
            names.append(f"{other}{unit_name(unit)}")
        return listing(names) if names else "another unit"


def _target(order: str) -> str:
    """Return where an order leads: the last place named in `A PAR - BUR`, `A LON - NWY VIA`, `F SWE R BAL`."""
    return order.removesuffix(" VIA").rsplit(" ", 1)[-1]


def _supporting(order: str) -> str:
    """Return `supported army Berlin to Kiel` for `A MUN S A BER - KIE`."""
    of, _, to = order.partition(" S ")[2].partition(" - ")
    return f"supported {unit_name(of)}{f' to {spot_name(to)}' if to else ''}"


def _carried(order: str) -> str:
    """Return `army London to Norway` for `F NTH C A LON - NWY`."""
    of, _, to = order.partition(" C ")[2].partition(" - ")
    return f"{unit_name(of)} to {spot_name(to)}"
