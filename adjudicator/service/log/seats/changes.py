"""Whether seats changed hands as somebody asked who may: the worker follows signed requests, and
puts right the rows that differ.
"""

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, delete, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.core.jcs import H, format_timestamp
from adjudicator.platform import entropy
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import WorkerSigner, tenure_proof
from adjudicator.service.base.phase_records import KnownMatch, KnownSeat, keep_known
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.tables import FormerTenure, Match, PhaseRow, Seat, SeatRequest
from adjudicator.service.log.acts import runs_match
from adjudicator.service.log.entries import former_tenure, log_tenure, logged_tenures
from adjudicator.service.log.seats.askers import SeatAskers
from adjudicator.service.log.seats.rows import SeatRows, plain_time
from adjudicator.service.log.tampering import tell_seat
from adjudicator.service.matches.tenures import has_returned
from adjudicator.service.requests.bodies import seat_request

UNFIT = "neither its player, nor a substitute, nor the master asked for it"


def drop_requests(session: Session, match: Match) -> None:
    """Drop the requests of a match that has ended, or whose open phase a worker of an earlier
    release opened: its rows are believed.
    """
    session.exec(delete(SeatRequest).where(col(SeatRequest.match_id) == match.id))


class SeatChanges:
    """One look at the seats of a match whose open phase has a record of who has them; the caller
    has locked the match.
    """

    def __init__(
        self, session: Session, keyring: Keyring, match: Match, phase: PhaseRow, known: KnownMatch
    ) -> None:
        self._session = session
        self._keyring = keyring
        self._match = match
        self._phase = phase
        self._known = known
        self._seats, self._vacant = dict(known.seats or {}), list(known.vacant)
        self._rows = SeatRows(session, keyring, match)
        self._askers = SeatAskers(session, keyring, match)
        self._asks: list[SeatRequest] = []  # those of substitutes that stand
        self._begun: dict[tuple[str, int], KnownSeat] = {}
        self._refused: dict[str, str] = {}  # seats, and why a request was refused

    def settle(self, now: datetime, *, asked: bool) -> frozenset[SeatName]:
        """Follow the requests, log the tenures that began, and put other rows right; returns the
        seats in which one did.

        `asked`: whether there may be requests although every seat is as the worker knows it.
        """
        self._note_returns()
        seats = seats_of(self._session, self._match)
        if asked or any(
            self._rows.differs(seat, self._seats.get(seat.name), self._vacant) for seat in seats
        ):
            self._look_at_requests(now)
        for seat in seats:
            self._write(seat, now)
        after = replace(self._known, seats=self._seats, vacant=self._vacant)
        if after != self._known:
            keep_known(self._keyring, self._match, self._phase, after)
        self._session.flush()
        return frozenset(name for name, _ in self._begun)

    def _note_returns(self) -> None:
        """Forget that a seat looks for a player once its own one is back: nobody can take it any
        more.
        """
        for seat in seats_of(self._session, self._match):
            known = self._seats.get(seat.name)
            if (
                seat.name not in self._vacant
                or known is None
                or known.who is None
                or seat.tenure != known.n
            ):
                continue
            if seat.open_since is None or has_returned(self._session, seat):
                self._vacant.remove(seat.name)

    # --- requests

    def _look_at_requests(self, now: datetime) -> None:
        wanted = (
            select(SeatRequest)
            .where(SeatRequest.match_id == self._match.id)
            .order_by(col(SeatRequest.id))
        )
        for row in self._session.exec(wanted).all():
            if row.what == "ask":
                self._look_at_ask(row)
                continue
            why = self._follow(row, now)
            if why:
                self._refused[row.seat] = why
            self._session.delete(row)
        for row in self._asks:
            if row.tenure != self._seats[row.seat].n:
                self._session.delete(row)

    def _look_at_ask(self, row: SeatRequest) -> None:
        """Keep under the worker's word who was asked to be a substitute, or drop it; no seat
        changes hands yet.
        """
        known, asker = self._seats.get(row.seat), self._askers.find(row)
        mine = (
            known is not None
            and asker.who is not None
            and (asker.who, row.tenure, None) == (known.who, known.n, known.owner)
        )
        whom = row.whom if row.signer is None else self._askers.find_asked(row)
        if not mine or whom is None:
            self._session.delete(row)
            return
        row.who, row.whom, row.signer = asker.who, whom, None
        row.request_signature = WorkerSigner(self._keyring).sign(seat_request(self._match.uid, row))
        self._asks.append(row)

    def _follow(self, row: SeatRequest, now: datetime) -> str:
        """Change what is known as a request says; returns why it is refused, "" where it is not."""
        known, asker = self._seats.get(row.seat), self._askers.find(row)
        after = self._change(row, known, asker.who) if known is not None and not asker.why else None
        if after is None:
            return asker.why or UNFIT
        if row.seat in self._vacant:
            self._vacant.remove(row.seat)
        if row.what in ("take", "substitute", "return"):
            after = self._begun[row.seat, after.n] = self._log(row.seat, after, now)
        self._seats[row.seat] = after
        return ""

    def _log(self, name: str, known: KnownSeat, now: datetime) -> KnownSeat:
        """Draw the nonce of a tenure that begins and log it, unless a worker of an earlier release
        did so a moment ago.
        """
        if logged_tenures(self._session, self._match).get(name, 0) >= known.n:
            seat = next(each for each in seats_of(self._session, self._match) if each.name == name)
            return replace(known, nonce=seat.tenure_nonce)
        begun = replace(known, nonce=entropy.token_hex(32))
        covers = {
            "match": self._match.uid,
            "seat": name,
            "n": begun.n,
            "who": begun.who,
            "nonce": begun.nonce,
        }
        log_tenure(
            self._session,
            self._keyring,
            self._match,
            name,
            begun.n,
            H("tenure", covers).hex(),
            now=now,
        )
        return begun

    def _change(self, row: SeatRequest, known: KnownSeat, who: str | None) -> KnownSeat | None:
        """Return what is known of a seat once `who` got what a request asks for, None where that
        person may not ask for it.
        """
        at = format_timestamp(row.at)
        ends = known.who is not None and row.tenure == known.n
        begins = row.tenure == known.n + 1
        match row.what:
            case "leave" if ends and known.owner is None and who == known.who:
                return KnownSeat(known.n + 1)
            case "replace" if (
                ends
                and who is not None
                and runs_match(self._session, self._keyring, self._known, who)
            ):
                return KnownSeat(known.n + 1)
            case "keep" if ends and known.owner is not None and who == known.owner:
                return replace(known, owner=None, until=None)
            case "return" if (
                ends
                and known.owner is not None
                and (who in (known.who, known.owner) if who else at >= (known.until or at))
            ):
                return KnownSeat(known.n + 1, at, known.owner)
            case "take" if who is not None and self._is_free(row, known):
                return KnownSeat(row.tenure, at, who)
            case "substitute" if (
                begins
                and who is not None
                and known.who is not None
                and known.owner is None
                and self._is_asked(row, who)
            ):
                return KnownSeat(
                    row.tenure,
                    at,
                    who,
                    owner=known.who,
                    until=format_timestamp(row.until or row.at),
                )
        return None

    def _is_free(self, row: SeatRequest, known: KnownSeat) -> bool:
        """Whether a seat has no player, or one who may be succeeded, having missed what the match's
        rule allows.
        """
        if known.who is None:
            return row.tenure == known.n
        return known.owner is None and row.seat in self._vacant and row.tenure == known.n + 1

    def _is_asked(self, row: SeatRequest, who: str) -> bool:
        requests = [
            ask
            for ask in self._asks
            if (ask.seat, ask.tenure, ask.whom) == (row.seat, row.tenure - 1, who)
        ]
        return any(
            ask.until is not None and row.until == ask.until and row.at < ask.until
            for ask in requests
        )

    # --- rows

    def _write(self, seat: Seat, now: datetime) -> None:
        """Write into a seat's row what is known: who has it since now, or that it is as before,
        where somebody else changed it.
        """
        known = self._seats.get(seat.name)
        self._vouch_for_former(seat, known)
        if known is not None and (seat.name, known.n) in self._begun:
            self._rows.begin(seat, known)
        differs = known is not None and self._rows.differs(seat, known, self._vacant)
        if known is not None and differs:
            self._rows.restore(seat, known, vacant=seat.name in self._vacant, now=now)
        if differs or seat.name in self._refused:
            why = self._refused.get(seat.name, UNFIT)
            tell_seat(
                self._session,
                self._keyring,
                self._match,
                seat.name,
                self._phase.number,
                "tenure",
                why,
                now=now,
            )

    def _vouch_for_former(self, seat: Seat, known: KnownSeat | None) -> None:
        """Vouch for tenures that were over before the worker saw them."""
        over = [
            n for name, n in self._begun if name == seat.name and known is not None and n < known.n
        ]
        rows = select(FormerTenure).where(
            FormerTenure.seat_id == seat.id, col(FormerTenure.number).in_(over)
        )
        for row in self._session.exec(rows).all() if over else ():
            had = self._begun[seat.name, row.number]
            if row.tenure_proof is None and plain_time(row.since) == had.since:
                row.tenure_proof = tenure_proof(
                    self._keyring, former_tenure(self._match, row), had.who or ""
                )
