"""Holding what a match's rows say since its log's last entry against who asked for it; what nobody
may have asked for is put right.

The worker does this before the log tells of a change, and before a phase closes.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.core.jcs import format_timestamp
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base.due.phase_clock import set_closing
from adjudicator.service.base.memory import forget_read
from adjudicator.service.base.phase_records import KnownMatch, ends, recall_known
from adjudicator.service.base.rows import open_phase, seats_of, show_change, unclosed_phase
from adjudicator.service.base.state import conceded_in
from adjudicator.service.base.tables import (
    Due,
    LogEntry,
    MasterNote,
    Match,
    PhaseRow,
    Proposal,
    Receipt,
)
from adjudicator.service.log.acts import NOT_AGREED, Acts
from adjudicator.service.log.entries import is_own_entry
from adjudicator.service.log.log_tail import newest_entry
from adjudicator.service.log.seats.rows import any_differs
from adjudicator.service.log.tampering import tell_master, tell_seat
from adjudicator.service.matches import clock, timetables
from adjudicator.service.matches.notes import A_SEAT, CLOSED, CONCEDED, SERVICE_ACT, STOPPED

_LONGEST_DAY = timedelta(hours=25)  # as clocks go back


def is_unsettled(session: Session, keyring: Keyring, match: Match) -> bool:
    """Whether rows of a match besides unlogged notes say what neither its log tells nor the worker
    vouches for in the open phase.
    """
    phase = unclosed_phase(session, match)
    known = _recall(keyring, match, phase)
    if phase is None or known is None:
        return False
    if find_moved(session, keyring, match) is not None:
        return True
    return (
        any_differs(session, keyring, match, known)
        or _Settling(session, keyring, match, phase, known).finds_fault()
    )


def settle(
    session: Session,
    keyring: Keyring,
    match: Match,
    phase: PhaseRow | None,
    notes: Sequence[MasterNote],
    *,
    newcomers: Collection[SeatName],
    now: datetime,
) -> Sequence[MasterNote]:
    """Return the unlogged notes that are believed, and put right what none of those that are
    believed decides; `newcomers`: seats in which a tenure began that the log does not tell yet.

    1. Look at the notes; drop acts that nobody signed who may act, and the votes that nobody
       signed.
    2. Put back concessions, a stop, a closing by the master, and the rules of votes and of
       readiness.
    3. Put the deadline back, or the pause, unless a note that is believed has it, or it is moved
       for a newcomer or for a return.

    Nothing in a phase that a worker of an earlier release opened. The caller has locked the match.
    """
    known = _recall(keyring, match, phase)
    if phase is None or known is None:
        return notes
    settling = _Settling(session, keyring, match, phase, known, newcomers)
    believed = settling.look_at(notes, now)
    settling.put_right(now)
    settling.settle_deadline(now)
    return believed


def _recall(keyring: Keyring, match: Match, phase: PhaseRow | None) -> KnownMatch | None:
    try:
        return recall_known(keyring, match, phase)
    except CannotOpen:  # the closing holds the record against the log, and stops the match
        return None


def find_moved(
    session: Session, keyring: Keyring, match: Match
) -> tuple[PhaseRow, LogEntry, dict[str, Any]] | None:
    """Return the open phase, the entry that tells its deadline, and what its row says, where these
    differ.

    None where the worker did not sign that entry, or it is of another phase: then the closing stops
    the match.
    """
    phase = open_phase(session, match)
    newest = newest_entry(session, match, "open", "deadline") if phase is not None else None
    if phase is None or newest is None or newest.body["phase"] != phase.number:
        return None
    if not is_own_entry(keyring, match, newest):
        return None
    until = ends(match, phase)
    return (phase, newest, until) if {name: newest.body[name] for name in until} != until else None


class _Settling:
    """One look at a match whose open phase has a record of what the worker knew."""

    def __init__(
        self,
        session: Session,
        keyring: Keyring,
        match: Match,
        phase: PhaseRow,
        known: KnownMatch,
        newcomers: Collection[SeatName] = (),
    ) -> None:
        self._session = session
        self._keyring = keyring
        self._match = match
        self._phase = phase
        self._known = known
        self._newcomers = newcomers
        self._acts = Acts(session, keyring, match, phase, known, newcomers)
        self._trusted: list[MasterNote] = []  # notes whose clock is believed as it stands

    def look_at(self, notes: Sequence[MasterNote], now: datetime) -> list[MasterNote]:
        believed = []
        for note in sorted(notes, key=lambda each: (each.actor != A_SEAT, each.id or 0)):
            why = self._acts.reject(note)
            if not why:
                believed.append(note)
                if note.signer is None or note.actor != SERVICE_ACT:
                    self._trusted.append(note)
                self._acts.vouch(note)
            elif note.log_as == SERVICE_ACT and note.actor != A_SEAT:
                note.log_as = None  # what the service tells beside a change; it decides nothing
            else:
                self._drop(note, why, now)
        self._session.flush()
        return sorted(believed, key=lambda each: each.id or 0)

    def _drop(self, note: MasterNote, why: str, now: datetime) -> None:
        match, number = self._match, self._phase.number
        if why == NOT_AGREED:
            self._take_back_votes(note, now)
        self._session.delete(note)
        show_change(match)
        conceded = [
            each.removeprefix(CONCEDED) for each in note.decides or () if each.startswith(CONCEDED)
        ]
        if conceded:
            tell_seat(self._session, self._keyring, match, conceded[0], number, "act", why, now=now)
        else:
            tell_master(self._session, self._keyring, match, number, "act", why, now=now)

    def _take_back_votes(self, note: MasterNote, now: datetime) -> None:
        """Let proposals stand again that passed without the signed votes for it; drop the votes
        that are not signed.
        """
        passed = select(Proposal).where(
            Proposal.match_id == self._match.id, Proposal.outcome == "passed"
        )
        for proposal in self._session.exec(
            passed.where(Proposal.phase_number == self._phase.number)
        ).all():
            if self._acts.carries(proposal, note):
                continue
            for vote in self._acts.list_votes(proposal):
                why = self._acts.reject_vote(proposal, vote)
                if why:
                    self._session.delete(vote)
                    tell_seat(
                        self._session,
                        self._keyring,
                        self._match,
                        vote.seat,
                        self._phase.number,
                        "vote",
                        why,
                        now=now,
                    )
            proposal.outcome, proposal.was = "lapsed", None
        self._session.flush()

    # --- what notes decide besides the clock

    def finds_fault(self) -> bool:
        """Whether something is stored that no note decides that the worker vouches for."""
        decided = self._decided()
        return (
            self._has_other_concessions(decided)
            or bool(self._other_why(decided))
            or self._has_other_rules()
        )

    def put_right(self, now: datetime) -> None:
        decided = self._decided()
        if self._has_other_concessions(decided):
            self._restore_concessions(decided, now)
        if self._has_other_rules():
            self._match.vote_rule = self._known.vote_rule
            self._match.ready_rule = self._known.ready_rule
            self._warn_master("the rules of votes or of readiness were changed", now)
        other = self._other_why(decided)
        if other:
            self._phase.why = None
            self._match.stopped_after = None
            self._match.stopped_why = None
            self._match.stop_note = ""
            self._warn_master(other, now)

    def _warn_master(self, why: str, now: datetime) -> None:
        show_change(self._match)
        self._session.flush()
        set_closing(self._session, self._match, self._phase, now)
        tell_master(
            self._session, self._keyring, self._match, self._phase.number, "act", why, now=now
        )

    def _decided(self) -> set[str]:
        return {each for note in self._acts.list_vouched() for each in note.decides or ()}

    def _has_other_rules(self) -> bool:
        return (self._match.vote_rule, self._match.ready_rule) != (
            self._known.vote_rule,
            self._known.ready_rule,
        )

    def _other_why(self, decided: set[str]) -> str:
        """Return why the phase may not be over as its row says, "" where it may."""
        if self._phase.why == "stopped" or self._match.stopped_why is not None:
            stopped = (
                self._phase.why == "stopped"
                and STOPPED + (self._match.stopped_why or "") in decided
            )
            return "" if stopped else "no act that is believed stopped the match"
        closed = self._phase.why != "master" or CLOSED in decided
        return "" if closed else "no act that is believed closed the phase"

    def _true_concessions(self, decided: set[str]) -> list[tuple[str, int]]:
        now = [
            (each.removeprefix(CONCEDED), self._phase.number - 1)
            for each in decided
            if each.startswith(CONCEDED)
        ]
        return [*self._known.conceded, *sorted(now)]

    def _has_other_concessions(self, decided: set[str]) -> bool:
        return conceded_in(self._match) != dict(self._true_concessions(decided))

    def _restore_concessions(self, decided: set[str], now: datetime) -> None:
        """Put back who conceded, and wait again for the seats that did not."""
        match, phase, true = self._match, self._phase, self._true_concessions(decided)
        wrong = conceded_in(match).keys() - dict(true).keys()
        match.conceded = [list(each) for each in true] or None
        opened = newest_entry(self._session, match, "open")
        phase.due = [
            seat
            for seat in (opened.body["due"] if opened is not None else ())
            if seat not in dict(true)
        ]
        known = set(self._session.exec(select(Due.seat).where(Due.phase_id == phase.id)))
        for seat in (each for each in phase.due if each not in known):
            self._session.add(
                Due(phase_id=phase.id or 0, seat=seat, handed_in_at=self._handed_in_at(seat))
            )
        self._session.flush()
        forget_read(self._session)
        self._warn_master("a concession was stored that nobody signed", now)
        for seat in wrong:
            tell_seat(
                self._session,
                self._keyring,
                match,
                seat,
                phase.number,
                "act",
                "nobody signed it",
                now=now,
            )

    def _handed_in_at(self, seat: str) -> datetime | None:
        tenure = next(
            (each.tenure for each in seats_of(self._session, self._match) if each.name == seat), 0
        )
        own = (
            Receipt.match_id == self._match.id,
            Receipt.phase_number == self._phase.number,
            Receipt.seat == seat,
        )
        signed = select(Receipt).where(
            *own,
            Receipt.tenure == tenure,
            col(Receipt.signature).is_not(None),
            Receipt.disposition != "refused",
        )
        handed_in = [
            receipt.at
            for receipt in self._session.exec(signed.order_by(col(Receipt.seq)))
            if receipt.commitments
        ]
        return handed_in[-1] if handed_in else None

    # --- the clock

    def settle_deadline(self, now: datetime) -> None:
        moved = find_moved(self._session, self._keyring, self._match)
        if moved is None:
            return
        _, newest, until = moved
        if any(note.clock == until for note in self._trusted):
            return
        if (
            (self._newcomers and self._is_for_newcomer(newest, now))
            or self._is_deserted(until)
            or self._is_return(until, now)
        ):
            return
        self._put_back(newest, now)
        why = "no act that is believed moved the deadline"
        tell_master(
            self._session, self._keyring, self._match, self._phase.number, "deadline", why, now=now
        )

    def _is_for_newcomer(self, newest: LogEntry, now: datetime) -> bool:
        """Whether the deadline moved as far as a new player's whole phase moves it at most."""
        deadline, was = self._phase.deadline, newest.body["deadline"]
        if deadline is None or self._match.paused_at is not None:
            return False
        return (
            was is None or format_timestamp(deadline) >= was
        ) and deadline <= timetables.whole_phase(self._match, self._phase, now)

    def _is_deserted(self, until: dict[str, Any]) -> bool:
        """Whether a match is paused as every player has gone."""
        seats = seats_of(self._session, self._match)
        hidden = bool(self._match.options.get("anonymous"))
        gone = (
            seat.player_id is None
            or (seat.open_since is not None and seat.name in self._known.vacant)
            or (not hidden and self._acts.vouching.is_bots(seat.name, seat.tenure))
            for seat in seats
        )
        return until["deadline"] is None and self._match.deserted and all(gone)

    def _is_return(self, until: dict[str, Any], now: datetime) -> bool:
        """Whether a match goes on that was paused as every player had gone, with a deadline as late
        as the pause makes it at most.
        """
        pause, deadline, was = self._pause(), self._phase.deadline, self._last_deadline()
        if (
            pause is None
            or pause.actor != SERVICE_ACT
            or deadline is None
            or until["deadline"] is None
            or was is None
        ):
            return False
        latest = clock.moved_by_pause(self._match, was, now - pause.at, now=now)
        # it went on before `now`; past midnight a day off may yield an earlier time of day
        return deadline <= latest + _LONGEST_DAY

    def _pause(self) -> MasterNote | None:
        """Return the note with which the newest pause of the phase began, None without one. Later
        notes tell of the pause, too.
        """
        began, goes_on = None, True
        for note in self._acts.list_vouched():
            if note.clock is not None:
                paused = note.clock["deadline"] is None
                began = note if paused and goes_on else began
                goes_on = not paused
        return began

    def _deadline_before(self, moment: datetime) -> datetime | None:
        """Return the deadline that the open phase had before a pause of which the log told at a
        moment.
        """
        clocks = (
            note.clock
            for note in self._acts.list_vouched()
            if note.clock is not None and note.at <= moment
        )
        deadlines = [
            each["deadline"]
            for each in clocks
            if each["phase"] == self._phase.number and each["deadline"] is not None
        ]
        return datetime.fromisoformat(deadlines[-1]) if deadlines else self._last_deadline()

    def _last_deadline(self) -> datetime | None:
        query = select(LogEntry).where(
            LogEntry.match_id == self._match.id, col(LogEntry.type).in_(("open", "deadline"))
        )
        for row in self._session.exec(query.order_by(col(LogEntry.index).desc())):
            if row.body["phase"] == self._phase.number and row.body["deadline"] is not None:
                return datetime.fromisoformat(row.body["deadline"])
        return None

    def _put_back(self, newest: LogEntry, now: datetime) -> None:
        """Give the open phase the deadline and the pause that the log tells."""
        deadline, match, phase = newest.body["deadline"], self._match, self._phase
        match.paused_at = newest.at if deadline is None else None
        if deadline is None:
            phase.deadline = self._deadline_before(newest.at) or phase.deadline
        else:
            phase.deadline = datetime.fromisoformat(deadline)
            phase.grace_seconds = newest.body["grace"]
            phase.overtime_after = phase.overtime_until = None
        show_change(match)
        self._session.flush()
        set_closing(self._session, match, phase, now)
