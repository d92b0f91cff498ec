"""People with a seat that may change hands: they hand in orders with unique words, and look at the
pages of their match.
"""

import random
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.service.base import rows
from adjudicator.service.base.rows import open_phase, seats_of, sitting
from adjudicator.service.base.tables import Envelope, PhaseRow, Receipt, Seat
from adjudicator.service.orders import disclosure, receipts
from adjudicator.service.views import match_page
from tests.simulation.ledger import Ledger, Peek
from tests.simulation.players import Open, Player, Players
from tests.simulation.service import Service
from tests.simulation.world import World

_EVERY = 40.0  # mean seconds between a person's looks
_WORDS = ("THEN", "ready", "wait")
_FIRST_LETTER = 10_000  # number; those of other players begin with 1


@dataclass
class Hands(Players):
    """Players of a match whose seats change hands; a refused line of some orders has words that
    nobody else writes.
    """

    _letters: int = _FIRST_LETTER
    _dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._dice = random.Random(f"{self.world.seed}/hands")

    def order_now(self, player: Player) -> None:
        """Hand in orders at once, by page or letter, if the player has a seat that owes some."""
        seen = self._open(player)
        if seen is not None and seen.due and self.service.faults.on:
            text = self._orders(seen, player)
            if self._dice.random() < 0.5:
                self._post(player, seen, text)
            else:
                self._hand_in(player, seen, text, 0)

    def order_whole(self, player: Player) -> None:
        """Hand in whole orders by page at once, most of them with `ready`, as somebody may who
        leaves the seat then.
        """
        seen = self._open(player)
        if seen is not None and seen.due and self.service.faults.on:
            word = "\nready" if self._dice.random() < 0.7 else ""
            self._hand_in(player, seen, super()._orders(seen, player).split("\nTHEN")[0] + word, 0)

    def order_in_part(self, player: Player) -> None:
        """Write a letter with one line of orders, as somebody may who has just come to the seat."""
        seen = self._open(player)
        if seen is not None and seen.due and self.service.faults.on:
            lines = [
                line for line in super()._orders(seen, player).splitlines() if line not in _WORDS
            ]
            self._post(player, seen, self._dice.choice(lines or ["wait"]))

    def _sit(self, player: Player) -> None:
        """Take a free seat while the match gathers; later only the acts of handing over take
        one.
        """
        if (player.uid, 0) not in self.ledger.openings:
            super()._sit(player)

    def _orders(self, seen: Open, player: Player) -> str:
        lines = super()._orders(seen, player).splitlines()
        # a part of the orders; by letter, the rest of those before stays
        if self._dice.random() < 0.4:
            lines = [line for line in lines if line in _WORDS or self._dice.random() < 0.5]
        if lines and "THEN" not in lines and self._dice.random() < 0.3:
            lines += ["THEN", lines[0]]
        text = "\n".join(lines)
        if self._dice.random() < 0.6:
            return text
        marker = f"mumbled {len(self.ledger.markers):04} words"
        self.ledger.markers[marker] = player.id
        return f"{text}\n{marker}"


class Peekers:
    """People who look at the pages of their match."""

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        people: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        for person in people:
            world.at(_EVERY * 2 * dice.random(), self._look, person)

    def _look(self, person: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._look, person)

        def answered(peek: Any, fault: BaseException | None) -> None:
            if fault is None and peek is not None:
                self._ledger.peeks.append(peek)

        self._service.ask("web", "peek", lambda process: self._peek(process, person), answered)

    def _peek(self, process: Any, person: Player) -> Peek | None:
        """Look as the pages do, and read the rows of the same snapshot; None without a seat."""
        database = self._service.fixture_db.databases[process.slot]
        now = database.now()
        with database.read_tx() as session:
            match = rows.by_uid(session, person.uid)
            seat, phase = sitting(seats_of(session, match), person.id), open_phase(session, match)
            if seat is None:
                return None
            page = match_page.match_page(session, person.uid, person.id, now=now)
            listed = receipts.receipts_of(session, person.uid, person.id)
            text = repr((page, listed, disclosure.list_disclosures(session, person.uid, person.id)))
            own, sealed = _facts(session, seat, phase)
        owed, planning = page.owed, page.planning
        shown: tuple[object, ...] = (planning.planned_at if planning else None,)
        if owed is not None:
            shown = (owed.handed_in_at, owed.says, owed.ready, owed.late)
        return Peek(
            person.uid,
            person.id,
            seat.name,
            seat.tenure,
            phase.number if phase else None,
            phase is not None and seat.taken_at is not None and seat.taken_at > phase.opened_at,
            shown,
            owed is not None and owed.inherited,
            tuple((each.phase, each.seq) for each in listed[1]),
            own,
            sealed,
            tuple(self._of_others(person, text)),
        )

    def _of_others(self, person: Player, text: str) -> list[str]:
        found = [
            marker
            for marker, player in self._ledger.markers.items()
            if player != person.id and marker in text
        ]
        told = (
            each
            for each in self._ledger.told
            if each.uid == person.uid and each.player != person.id
        )
        return found + [
            part.nonce
            for each in told
            for part in each.answer.parts
            if part.nonce in text and not self._is_closed(each)
        ]

    def _is_closed(self, told: Any) -> bool:
        return (told.uid, told.answer.phase) in self._ledger.closings


def _facts(
    session: Session, seat: Seat, phase: PhaseRow | None
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return the receipts of a seat's present tenure, and the tenures that sealed something for the
    open phase.
    """
    own = select(Receipt.phase_number, Receipt.seq).where(
        Receipt.match_id == seat.match_id, Receipt.seat == seat.name
    )
    mine = session.exec(own.where(Receipt.tenure == seat.tenure).order_by(col(Receipt.id).desc()))
    sealed = select(Envelope.tenure).where(
        Envelope.phase_id == (phase.id if phase else None), Envelope.seat == seat.name
    )
    return tuple(tuple(each) for each in mine), tuple(
        session.exec(sealed.order_by(col(Envelope.id)))
    )
