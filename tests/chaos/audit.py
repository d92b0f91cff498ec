"""Compares what players were answered with the database and the mail server; each sentence names a
broken promise.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tests.chaos.facts import Facts, InFact
from tests.chaos.ledger import Kept, Ledger, Posted
from tests.chaos.sides import Place, Promise, Sides, end_of, where

NEAR = 3.0  # seconds around a fault in which an accepted letter may stay unmarked
LATE = ("The deadline of", "was closed before")  # beginnings of the refusals for lateness


@dataclass(frozen=True)
class Verdict:
    """The findings of an audit."""

    lost: tuple[str, ...]
    double: tuple[str, ...]
    # late orders that counted, letters about nothing, matches that do not replay
    other: tuple[str, ...]
    repeats: int  # letters sent again because of a fault
    held: int  # letters held and shown because the mail server refused their address

    @property
    def sound(self) -> bool:
        """Whether every promise was kept."""
        return not (self.lost or self.double or self.other)


@dataclass(frozen=True)
class Audit:
    """Compares both sides."""

    ledger: Ledger
    facts: Facts
    near: float = NEAR

    def verdict(self) -> Verdict:
        """Run all comparisons."""
        lost = [
            *self._unkept(),
            *self._replaced(),
            *self._refused_in_time(),
            *self._unread(),
            *self._untold(),
            *self._unsent(),
        ]
        double = [
            *self._numbers(),
            *self._same_number(),
            *self._read_twice(),
            *self._told_twice(),
            *self._sent_twice(),
        ]
        other = [*self._late(), *self._of_nothing(), *self._played_again()]
        held = sum(letter.state == "held" for letter in self.facts.out)
        again = sum(len(copies) - 1 for copies in self._sides.arrivals.values()) - len(
            list(self._sent_twice())
        )
        return Verdict(tuple(lost), tuple(double), tuple(other), again, held)

    @cached_property
    def _sides(self) -> Sides:
        return Sides(self.ledger, self.facts)

    # --- lost

    def _unkept(self) -> Iterator[str]:
        """Accepted, but without a signed receipt that says so, or without an envelope."""
        for promise in self._sides.promises:
            receipt = self._sides.receipts.get((promise.place, promise.seq))
            if (
                receipt is None
                or receipt.disposition not in ("accepted", "late")
                or promise.seal not in receipt.seals
            ):
                yield f"{promise.words}: accepted, and there is no such receipt"
            elif not receipt.signed:
                yield f"{promise.words}: its receipt was never signed"
            if (promise.place, promise.seq) not in self._sides.envelopes:
                yield f"{promise.words}: accepted, and there is no envelope"

    def _replaced(self) -> Iterator[str]:
        """The newest accepted orders were not played, and the seat has no newer ones."""
        newest: dict[Place, Promise] = {}
        for promise in sorted(self._sides.promises, key=lambda each: each.seq):
            newest[promise.place] = promise
        for (match, number, seat), promise in newest.items():
            phase = self._sides.phases.get((match, number))
            if phase is None or phase.closed is None or phase.why == "forced":
                continue
            played = phase.taken.get(seat)
            seq = self._sides.seq_of(promise.place, played.seal if played else "")
            if seq is None or seq < promise.seq:
                yield (
                    f"{promise.words}: accepted, and {played.how if played else 'nothing'} was"
                    " played instead"
                )
            elif seq > promise.seq and not self._unanswered(promise):
                yield (
                    f"{promise.words}: accepted, and something that nobody sent was played instead"
                )

    def _unanswered(self, promise: Promise) -> bool:
        """Whether that seat submitted something later without getting an answer; a letter may be
        stored but not acknowledged.
        """
        match, number, seat = promise.place
        forms = any(
            (e.match, e.phase, e.seat, e.fate) == (match, number, seat, "unanswered")
            for e in self.ledger.handed
        )
        known = {each.message_id for each in self.ledger.posted}
        return forms or any(
            (row.match, row.seat) == (match, seat) and row.message_id not in known
            for row in self.facts.into
        )

    def _refused_in_time(self) -> Iterator[str]:
        for each in self.ledger.handed:
            phase = self._sides.phases.get((each.match, each.phase))
            if (
                each.fate != "refused"
                or phase is None
                or not any(words in each.reason for words in LATE)
            ):
                continue
            if each.ended < end_of(phase):
                yield f"the form {where(each)} was refused as late before the phase was over"

    def _unread(self) -> Iterator[str]:
        """Acknowledged but never read; or read, with its orders neither accepted nor refused with a
        reason.
        """
        for posted in self.ledger.posted:
            rows = self._sides.came[posted.message_id]
            if not rows or not all(row.disposition for row in rows):
                yield (
                    f"the letter {posted.message_id} to {posted.match}: 250 was said, and it was"
                    " never read"
                )
            elif reason := self._not_taken(posted, rows[0]):
                yield f"the letter {posted.message_id} to {posted.match}: {reason}"

    def _not_taken(self, posted: Posted, row: InFact) -> str:
        """Return what is wrong with the outcome of a letter's orders: acknowledged in time, they
        count for the phase that was open.
        """
        receipt, phase = (
            self._sides.receipt_of(posted),
            self._sides.open_at(posted.match, row.received),
        )
        if (
            phase is None
            or posted.ended >= end_of(phase)
            or self._played_before(posted, phase.number)
        ):
            return ""
        if receipt is None:
            return "its orders were not handed in"
        if receipt.disposition == "refused":
            return f"it was acknowledged in time, and refused in phase {receipt.phase}"
        return (
            ""
            if receipt.phase == phase.number
            else f"it came in phase {phase.number}, and counts in phase {receipt.phase}"
        )

    def _played_before(self, posted: Posted, number: int) -> bool:
        """Whether the piece was already played: orders meant for one phase may arrive in the
        next.
        """
        earlier = (
            phase
            for (match, each), phase in self._sides.phases.items()
            if match == posted.match and each < number
        )
        return any(
            posted.text in phase.taken[posted.seat].text
            for phase in earlier
            if posted.seat in phase.taken
        )

    def _untold(self) -> Iterator[str]:
        """A seat got no report of a closing."""
        told = {
            (letter.match, letter.seat, letter.phase)
            for letter in self.facts.out
            if letter.kind == "report"
        }
        for match in self.facts.matches:
            opened: list[int | None] = [
                p.number
                for p in self.facts.phases
                if p.match == match.uid and p.last_call is not None
            ]
            for seat in match.written_to:
                for number in [*opened, *([None] if match.status == "ended" else [])]:
                    if (match.uid, seat, number) not in told:
                        yield f"{match.uid}, seat {seat}: no report that asks for phase {number}"

    def _unsent(self) -> Iterator[str]:
        """A letter was not sent although its address works; or it is marked as sent and never
        arrived.
        """
        refused = {each.to for each in self.ledger.kept if each.answer == "refused"}
        for letter in self.facts.out:
            came = letter.uid in self._sides.arrivals
            if letter.state == "sent" and not came:
                yield f"the {letter.kind} letter {letter.uid} is marked as sent, and never came"
            elif letter.state != "sent" and not (
                letter.state == "held" and letter.address in refused
            ):
                yield (
                    f"the {letter.kind} letter {letter.uid} was never sent: {letter.state},"
                    f" {letter.trouble or 'no trouble known'}"
                )

    # --- double

    def _numbers(self) -> Iterator[str]:
        for match in self.facts.matches:
            phases = [phase for phase in self.facts.phases if phase.match == match.uid]
            if [phase.number for phase in phases] != list(range(len(phases))):
                yield f"{match.uid}: its phases are numbered {[phase.number for phase in phases]}"
            still_open = [phase.number for phase in phases if phase.closed is None]
            if len(still_open) > (match.status == "running"):
                yield f"{match.uid}: it is {match.status}, and phases {still_open} are open"

    def _same_number(self) -> Iterator[str]:
        counted = Counter((promise.place, promise.seq) for promise in self._sides.promises)
        yield from (
            f"{place}: submission {seq} was given to {times}"
            for (place, seq), times in counted.items()
            if times > 1
        )

    def _read_twice(self) -> Iterator[str]:
        for message_id, rows in self._sides.came.items():
            if len([row for row in rows if row.disposition]) > 1:
                yield f"the letter {message_id} was read {len(rows)} times"

    def _told_twice(self) -> Iterator[str]:
        reports = Counter(
            (letter.match, letter.seat, letter.phase)
            for letter in self.facts.out
            if letter.kind == "report"
        )
        yield from (
            f"{match}, seat {seat}: {times} reports of one closing, that asks for phase {number}"
            for (match, seat, number), times in reports.items()
            if times > 1
        )

    def _sent_twice(self) -> Iterator[str]:
        for message_id, copies in self._sides.arrivals.items():
            for each in copies[:-1]:
                if not self._explained(each):
                    yield (
                        f"the letter {message_id} came again, and no fault was near when it was"
                        " first taken"
                    )

    def _explained(self, first: Kept) -> bool:
        near = any(
            fault.between and fault.begin - self.near <= first.at <= fault.end + self.near
            for fault in self.ledger.faults
        )
        return near or first.answer in ("cut", "silent")

    # --- other

    def _late(self) -> Iterator[str]:
        """Something submitted or stored at the last call or later was counted."""
        for promise in self._sides.promises:
            if promise.begun >= self._sides.last_call(promise.place):
                yield f"{promise.words}: it was sent after the last call, and accepted"
        for each in self.facts.envelopes:
            if each.seq and each.at >= self._sides.last_call((each.match, each.phase, each.seat)):
                yield (
                    f"{each.match}, phase {each.phase}, seat {each.seat}: an envelope is from after"
                    " the last call"
                )

    def _of_nothing(self) -> Iterator[str]:
        known = {letter.uid for letter in self.facts.out}
        yield from (
            f"the letter {message_id} came, and no row knows it"
            for message_id in self._sides.arrivals
            if message_id not in known
        )

    def _played_again(self) -> Iterator[str]:
        for match in self.facts.matches:
            yield from (
                f"{match.uid}, played again: {difference}" for difference in match.differences
            )
            if match.status != "ended":
                yield f"{match.uid} did not come to its end: it is {match.status}"


def first_findings(sentences: Sequence[str], most: int = 10) -> list[str]:
    """Return the first `most` sentences, and how many more there are."""
    more = len(sentences) - most
    return [*sentences[:most], *([f"... and {more} more"] if more > 0 else [])]
