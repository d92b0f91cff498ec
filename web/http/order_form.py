"""The forms of a seat: what they were made for, and orders clicked and typed, composed into the
text that a letter would contain.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from flask import request
from werkzeug.datastructures import MultiDict

from adjudicator.core.game import Slots
from adjudicator.service.base.errors import Refused
from adjudicator.service.requests.made_for import MadeFor
from adjudicator.service.views.match_page import LARGEST_NUMBER

# characters of orders that remedies of one page repeat, times six: a refused line has up to six
# remedies
MOST_COPIED = 12_000
SLOT = "slot-"  # prefix of the fields that hold a slot's choice
_LEADING_THEN = re.compile(r"\s*THEN(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Typed:
    """The forms as they were sent."""

    # the clicked orders in form order: some games carry them out in that order
    chosen: tuple[str, ...]
    plan: str  # for later phases, under the choices
    text: str  # all orders, from the text box
    whole: bool  # whether the text box was sent, not the choices
    says: str = ""  # "ready" or "wait", by the button
    # the slot of each clicked order; () for sealed orders, whose slots are unknown
    slots: tuple[str, ...] = ()

    @classmethod
    def read(cls, form: MultiDict[str, str]) -> Self:
        """Return a submitted form."""
        clicked = [
            (name.removeprefix(SLOT), value)
            for name in form
            for value in form.getlist(name)
            if name.startswith(SLOT) and value
        ]
        chosen, slots = tuple(value for _, value in clicked), tuple(name for name, _ in clicked)
        says = form.get("says", "")
        word = says if says in ("ready", "wait") else ""
        return cls(chosen, form.get("plan", ""), form.get("text", ""), "text" in form, word, slots)

    @classmethod
    def of_parts(cls, parts: Sequence[str], *, for_later: bool) -> Self:
        """Return a form filled with sealed orders, one text for each part; `for_later`: no part is
        for the open phase.
        """
        texts = ("", *parts) if for_later else tuple(parts)
        plan = "\nTHEN\n".join(texts[1:])
        return cls(
            tuple(texts[0].splitlines()),
            plan,
            plan if for_later else "\nTHEN\n".join(texts).strip(),
            whole=False,
        )

    def orders_by_slot(self, slots: Slots) -> dict[str, str]:
        """Return the chosen order of each slot: the clicked slots, else each order in the first
        empty slot that offers it.
        """
        if self.slots:
            return dict(zip(self.slots, self.chosen, strict=True))
        found: dict[str, str] = {}
        for order in self.chosen:
            offering = (
                slot.name
                for slot in slots
                if slot.name not in found and any(order == choice.text for choice in slot.choices)
            )
            name = next(offering, None)
            if name is not None:
                found[name] = order
        return found

    @property
    def orders(self) -> str:
        """The orders as a letter would contain them, without `clear`, `ready` or `wait`."""
        if self.whole:
            return self.text
        plan = _LEADING_THEN.sub("", self.plan, count=1).strip()
        return "\n".join(self.chosen) + (f"\nTHEN\n{plan}" if plan else "")

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The fields that send the same orders again, without the button."""
        if self.whole:
            return (("text", self.text),)
        return (
            *((SLOT + slot, order) for slot, order in zip(self.slots, self.chosen, strict=True)),
            ("plan", self.plan),
        )

    @property
    def submission(self) -> str:
        """The text to submit. It begins with `clear`, since the form sends all orders."""
        return "\n".join(part for part in ("clear", self.orders, self.says) if part)


NOTHING = Typed((), "", "", whole=False)  # an untouched form


def made_for() -> MadeFor | None:
    """Return what the form that is answered was made for, None for one that names no phase."""
    phase = request.form.get("phase", type=_read_number)
    return (
        MadeFor(
            phase,
            request.form.get("tenure", 1, _read_number),
            request.form.get("seq", 0, _read_number),
        )
        if phase is not None
        else None
    )


def _read_number(text: str) -> int:
    """Return a whole number that a column holds; raises ValueError."""
    number = int(text)
    if abs(number) > LARGEST_NUMBER:
        raise ValueError(text[:20])
    return number


def require_made_for() -> MadeFor:
    """Return what the form that is answered was made for; raises Refused for one that does not say
    it.
    """
    found = made_for()
    if found is None:
        raise Refused(
            "This form does not say which phase it is for, so nothing was changed. Load this page"
            " again and send it once more."
        )
    return found


def count_mendable(text: str) -> int:
    """Return the number of refused lines for which remedies are offered: each remedy contains a
    copy of `text`.
    """
    return MOST_COPIED // max(len(text), 1)


def mend_orders(text: str, line: str, remedy: str) -> str:
    """Return orders with the first line equal to `line` replaced by `remedy`; without such a line
    it is put first.
    """
    lines = text.splitlines()
    place = next(
        (number for number, each in enumerate(lines) if each.strip() == line.strip()), None
    )
    if place is None:
        return "\n".join([remedy, *lines])
    return "\n".join([*lines[:place], remedy, *lines[place + 1 :]])
