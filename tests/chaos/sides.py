"""Both sides of the audit, grouped for comparison."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tests.chaos.facts import Facts, InFact, PhaseFact, ReceiptFact
from tests.chaos.ledger import Handed, Kept, Ledger, Posted

Place = tuple[str, int, str]  # match, phase, seat


@dataclass(frozen=True)
class Promise:
    """An accepted submission for a phase; `begun`: when it was sent."""

    place: Place
    seq: int
    seal: str
    begun: float
    words: str


@dataclass(frozen=True)
class Sides:
    """The ledger and the facts of the database."""

    ledger: Ledger
    facts: Facts

    @cached_property
    def phases(self) -> Mapping[tuple[str, int], PhaseFact]:
        return {(phase.match, phase.number): phase for phase in self.facts.phases}

    @cached_property
    def receipts(self) -> Mapping[tuple[Place, int], ReceiptFact]:
        return {
            ((each.match, each.phase, each.seat), each.seq): each for each in self.facts.receipts
        }

    @cached_property
    def envelopes(self) -> set[tuple[Place, int]]:
        return {((each.match, each.phase, each.seat), each.seq) for each in self.facts.envelopes}

    @cached_property
    def came(self) -> Mapping[str, list[InFact]]:
        """Incoming letters by Message-ID, without recognised duplicates."""
        found = defaultdict(list)
        for row in self.facts.into:
            if row.disposition != "repeated":
                found[row.message_id].append(row)
        return found

    @cached_property
    def arrivals(self) -> Mapping[str, list[Kept]]:
        found = defaultdict(list)
        for each in sorted(self.ledger.kept, key=lambda each: each.at):
            if each.kept:
                found[each.message_id].append(each)
        return found

    @cached_property
    def promises(self) -> list[Promise]:
        forms = [each for each in self.ledger.handed if each.fate in ("accepted", "late")]
        own = [
            Promise(
                (e.match, e.phase, e.seat),
                e.seq,
                e.seal,
                e.begun,
                f"the form {where(e)}, submission {e.seq}",
            )
            for e in forms
        ]
        return [*own, *self._promised_by_letter()]

    def _promised_by_letter(self) -> Iterator[Promise]:
        for posted in self.ledger.posted:
            receipt = self.receipt_of(posted)
            if receipt is not None and receipt.disposition in ("accepted", "late"):
                place = (receipt.match, receipt.phase, receipt.seat)
                yield Promise(
                    place,
                    receipt.seq,
                    receipt.seals[0],
                    posted.begun,
                    f"the letter {posted.message_id}",
                )

    def receipt_of(self, posted: Posted) -> ReceiptFact | None:
        moments = {round(row.received, 3) for row in self.came[posted.message_id]}
        mine = (
            each
            for each in self.facts.receipts
            if (each.match, each.seat, each.channel) == (posted.match, posted.seat, "letter")
        )
        return next((each for each in mine if round(each.at, 3) in moments), None)

    def seq_of(self, place: Place, seal: str) -> int | None:
        mine = (
            each for each in self.facts.receipts if (each.match, each.phase, each.seat) == place
        )
        return next((each.seq for each in mine if seal and seal in each.seals), None)

    def open_at(self, match: str, moment: float) -> PhaseFact | None:
        """Return the phase of a match that was open at a time."""
        mine = (
            phase
            for (uid, _), phase in self.phases.items()
            if uid == match and phase.last_call is not None
        )
        return next(
            (phase for phase in mine if phase.opened <= moment < (phase.closed or float("inf"))),
            None,
        )

    def last_call(self, place: Place) -> float:
        phase = self.phases.get((place[0], place[1]))
        return (
            phase.last_call if phase is not None and phase.last_call is not None else float("inf")
        )


def end_of(phase: PhaseFact) -> float:
    """Return the time from which nothing counts for a phase."""
    return min(
        moment for moment in (phase.last_call, phase.closed, float("inf")) if moment is not None
    )


def where(each: Handed) -> str:
    return f"of seat {each.seat} in {each.match}, phase {each.phase}"
