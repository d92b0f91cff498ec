"""What a player clicked and typed into the forms of a match; it is composed into the text that a letter would carry, and never lost."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from werkzeug.datastructures import MultiDict

from adjudicator.core.game import Slots

MOST_COPIED = 12_000  # characters of orders that the clicks of one answer repeat, six times over
SLOT = "slot-"  # begins the names of the fields that hold a slot's choice
_LEADING_THEN = re.compile(r"\s*THEN(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Typed:
    """The forms as they were sent."""

    chosen: tuple[str, ...]  # the orders clicked, in the order of the form: some games carry them out in the order written
    plan: str  # for later phases, under the choices
    text: str  # the whole orders, in the box for those who write
    whole: bool  # whether the box was sent, not the choices
    says: str = ""  # ready or wait, by the button that was pressed
    slots: tuple[str, ...] = ()  # the slot of each order that was clicked; () for sealed orders, which do not tell it

    @classmethod
    def read(cls, form: MultiDict[str, str]) -> Self:
        """Return what a form sent."""
        clicked = [(name.removeprefix(SLOT), value) for name in form for value in form.getlist(name) if name.startswith(SLOT) and value]
        chosen, slots = tuple(value for _, value in clicked), tuple(name for name, _ in clicked)
        says = form.get("says", "")
        said = says if says in ("ready", "wait") else ""
        return cls(chosen, form.get("plan", ""), form.get("text", ""), "text" in form, said, slots)

    @classmethod
    def of_parts(cls, parts: Sequence[str], *, for_later: bool) -> Self:
        """Return forms filled with sealed orders, one text a part; `for_later`: none of them is for the open phase."""
        texts = ("", *parts) if for_later else tuple(parts)
        plan = "\nTHEN\n".join(texts[1:])
        return cls(tuple(texts[0].splitlines()), plan, plan if for_later else "\nTHEN\n".join(texts).strip(), whole=False)

    def orders_by_slot(self, slots: Slots) -> dict[str, str]:
        """Return the order chosen in each slot: where it was clicked, else each in the first empty slot that offers it."""
        if self.slots:
            return dict(zip(self.slots, self.chosen, strict=True))
        found: dict[str, str] = {}
        for order in self.chosen:
            offering = (slot.name for slot in slots if slot.name not in found and any(order == choice.text for choice in slot.choices))
            name = next(offering, None)
            if name is not None:
                found[name] = order
        return found

    @property
    def orders(self) -> str:
        """The orders as a letter would carry them, without the words about them."""
        if self.whole:
            return self.text
        plan = _LEADING_THEN.sub("", self.plan, count=1).strip()
        return "\n".join(self.chosen) + (f"\nTHEN\n{plan}" if plan else "")

    @property
    def submission(self) -> str:
        """The text to hand in: the form posts the whole set, so it begins with `clear`."""
        return "\n".join(part for part in ("clear", self.orders, self.says) if part)


NOTHING = Typed((), "", "", whole=False)  # forms nobody has touched


def count_mendable(text: str) -> int:
    """Return for how many refused lines a click may mend `text`: each click carries a copy of it."""
    return MOST_COPIED // max(len(text), 1)


def mend_orders(text: str, line: str, remedy: str) -> str:
    """Return orders in which the first line that reads `line` is replaced by a legal spelling; added where there is none."""
    lines = text.splitlines()
    place = next((number for number, each in enumerate(lines) if each.strip() == line.strip()), None)
    if place is None:
        return "\n".join([remedy, *lines])
    return "\n".join([*lines[:place], remedy, *lines[place + 1 :]])
