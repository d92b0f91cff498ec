"""Parses a whole text of orders on one position into the orders that count, refusals with reasons,
and remarks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from adjudicator.core.game import Parsed, Refusal, Seat
from adjudicator.games.diplomacy.language.lexing import lex
from adjudicator.games.diplomacy.language.spelling import (
    LONGEST_LINE,
    Said,
    read_line,
    split_orders,
)
from adjudicator.games.diplomacy.matching.judging import Judged, judge_line, spell_orders
from adjudicator.games.diplomacy.matching.sure_lines import find_sure
from adjudicator.games.diplomacy.matching.unit_lookup import Fault, Field, field_of
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.orders import Change, Order, Vote
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.ordering.choices import open_slots, slots
from adjudicator.games.diplomacy.ordering.counting import Entry, Over, select_orders
from adjudicator.games.diplomacy.ordering.warnings import find_warnings
from adjudicator.games.diplomacy.phases.ending import survivors
from adjudicator.games.diplomacy.phases.flow import seats_due
from adjudicator.games.kit.parsing import Misread
from adjudicator.games.kit.words import listing, quote

MOST_REMEDIES = 4
MOST_AMBIGUOUS = 3  # names of a line of which every meaning is tried


def parse(state: State, seat: Seat, text: str) -> Parsed[Order]:
    """Parse orders for the present phase. The last of several for one unit counts, with a remark
    (G8); builds are a list (R3).

    Useless orders are accepted with a remark, illegal ones are refused (R1). Never raises.
    """
    reader = _reader(state, seat)
    entries: list[Entry] = []
    refusals: list[Refusal] = []
    for line in text.splitlines():
        for read in reader.line(line):
            if isinstance(read, Refusal):
                refusals.append(read)
            else:
                entries.append(read)
    done = select_orders(reader.field, entries)
    refusals += [reader.too_many(over) for over in done.over]
    remarks = dict.fromkeys((*done.remarks, *find_warnings(reader.field, done.orders)))
    left = () if state.end or seat in state.conceded else open_slots(reader.field, done.orders)
    return Parsed(done.orders, tuple(refusals), tuple(remarks), left)


def parse_alone(state: State, seat: Seat, lines: Sequence[str]) -> Iterator[tuple[str, Order]]:
    """Yield the legal orders of lines, each with its line, as if it were the only one; nothing is
    looked up for the others.
    """
    reader = _reader(state, seat)
    for line in lines:
        legal = [
            Entry(line, judged.orders, judged.remarks)
            for _, _, judged in reader.judged(line)
            if isinstance(judged, Judged)
        ]
        for order in select_orders(reader.field, legal).orders:
            yield line, order


def _reader(state: State, seat: Seat) -> "_Reader":
    return _Reader(state, seat, replace(field_of(state, seat), idle=_idle(state, seat)))


def _idle(state: State, seat: Seat) -> str:
    """Return why a seat has nothing to order now, "" if it has."""
    if state.end:
        return "The match is over."
    return (
        ""
        if seat in seats_due(state)
        else f"You have nothing to decide in {calendar.phase_name(state.phase)}."
    )


@dataclass(frozen=True)
class _Reader:
    """Parses lines on one board."""

    state: State
    seat: Seat
    field: Field

    def line(self, line: str) -> Iterator[Entry | Refusal]:
        """Yield an entry or a refusal for each order of a line; a heading, which only names a
        power, has none.
        """
        for part, read, judged in self.judged(line):
            if isinstance(judged, Judged):
                yield Entry(line, judged.orders, judged.remarks)
            elif isinstance(read, Misread):
                yield self._unclear(line, read, self._choices(part))
            elif judged:
                yield self._fault(line, read, judged)

    def judged(self, line: str) -> Iterator[tuple[str, Said | Misread, Judged | Fault | None]]:
        """Yield each order of a line as written, as read, and as it is judged."""
        sure = find_sure(self.field, line)
        if sure:
            yield line, sure.read, sure.judged
            return
        for part in split_orders(line, self.field.world):
            read = read_line(part, self.field.world)
            yield (
                part,
                read,
                self._only_possible(read) if isinstance(read, Misread) else self._judge(read),
            )

    def _only_possible(self, wrong: Misread) -> Judged | None:
        """Return the one reading of a line with ambiguous names that is possible now, with a
        remark; None for none or several.
        """
        found = {judged.orders: judged for judged in self._readings(wrong, MOST_AMBIGUOUS)}
        if len(found) != 1:
            return None
        (judged,) = found.values()
        orders = listing([str(order) for order in judged.orders])
        remark = (
            f"“{quote(wrong.piece)}” has several meanings, of which one is possible here: {orders}."
        )
        return Judged(judged.orders, (*judged.remarks, remark))

    def _readings(self, wrong: Misread, most: int) -> Iterator[Judged]:
        """Yield what a line with up to `most` ambiguous names can mean that is possible now."""
        for text in wrong.like if wrong.kind == "ambiguous" and most else ():
            read = read_line(text, self.field.world)
            judged = None if isinstance(read, Misread) else self._judge(read)
            if isinstance(read, Misread):
                yield from self._readings(read, most - 1)
            elif isinstance(judged, Judged):
                yield judged

    def too_many(self, over: Over) -> Refusal:
        """Return the refusal of a build, removal or waive beyond the number that is due."""
        text = "\n".join(map(str, over.entry.orders))
        return Refusal.illegal(over.entry.line, quote(text), over.reason, understood=text)

    def _fault(self, line: str, parsed: Said, fault: Fault) -> Refusal:
        text = spell_orders(parsed)
        if fault.kind == "illegal":
            remedies = self._remedies(fault, self._choices(text))
            refusal = Refusal.illegal(
                line, quote(fault.piece), fault.reason, remedies, understood=text
            )
        else:
            refusal = self._unclear(line, fault, self._choices(text))
        return replace(
            refusal, unconditional=any(isinstance(order, Change) for order in parsed.orders)
        )

    def _unclear(self, line: str, wrong: Misread, others: Sequence[str]) -> Refusal:
        return wrong.refusal(line, self._remedies(wrong, others))

    def _remedies(self, wrong: Misread, others: Sequence[str]) -> tuple[str, ...]:
        """Return the suggestions that are legal now, or the `others` if there are none."""
        return (
            tuple(dict.fromkeys(filter(None, map(self._possible, wrong.like)))) or tuple(others)
        )[:MOST_REMEDIES]

    def _judge(self, parsed: Said) -> Judged | Fault:
        """Return the orders of a line on the board, or its vote under the options of the match."""
        judged = judge_line(self.field, parsed)
        vote = parsed.orders[0]
        if isinstance(judged, Fault) or not isinstance(vote, Vote):
            return judged
        sharing = _judge_vote(self.state, vote)
        return sharing if isinstance(sharing, Fault) else Judged((sharing,))

    def _possible(self, text: str) -> str:
        """Return a text in its canonical spelling if it is legal now, else ""."""
        read = read_line(text, self.field.world)
        judged = None if isinstance(read, Misread) else self._judge(read)
        return "\n".join(map(str, judged.orders)) if isinstance(judged, Judged) else ""

    def _choices(self, text: str) -> Sequence[str]:
        """Return the choices of the unit that a text names first, the most similar to the text
        first.
        """
        read = lex(text[:LONGEST_LINE], self.field.world)
        power = next((word.means for word in read if word.kind == "P"), "")
        words = {word.means if word.kind in "KP" else word.kind for word in read}
        return sorted(
            self._slots.get(power, ()), key=lambda choice: -len(words & set(choice.split()))
        )

    @cached_property
    def _slots(self) -> dict[str, tuple[str, ...]]:
        found = slots(self.state, self.seat)
        return {
            slot.name: tuple(choice.text for choice in slot.choices)
            for slot in found
            if not slot.aside
        }


def _judge_vote(state: State, order: Vote) -> Vote | Fault:
    """Return the vote with its sharers in seat order, () if these are all survivors; or why it is
    not allowed.
    """
    if not order.among:
        return order
    left = survivors(state)
    if state.setup.draws != "named":
        return Fault(
            " ".join(order.among),
            "In this match all survivors share a draw; nobody is named.",
            (str(Vote(True)),),
        )
    seats = {power: state.seat_of(power) for power in order.among}
    out = next((power for power, seat in seats.items() if seat not in left), None)
    if out:
        names = listing([seat.capitalize() for seat in left], "or")
        return Fault(
            out,
            f"{out.capitalize()} cannot share a draw: those who can are {names}.",
            (str(Vote(True)),),
        )
    sharing = tuple(seat for seat in left if seat in seats.values())
    return Vote(True, () if sharing == left else sharing)
