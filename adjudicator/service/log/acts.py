"""Whether an act that a note tells was asked for by who may ask for it: a master, the host, a seat,
or the players by their votes.
"""

from collections.abc import Collection

from sqlmodel import Session, and_, col, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.core.jcs import format_timestamp
from adjudicator.seal import requests
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import SignedRequest, WorkerSigner
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.phase_records import KnownMatch
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import conceded_in, hides_players
from adjudicator.service.base.tables import (
    MasterNote,
    Match,
    PhaseRow,
    Player,
    Proposal,
    Seat,
    TournamentTable,
    Vote,
)
from adjudicator.service.log.log_tail import newest_entry
from adjudicator.service.log.vouching import ALTERED, NO_SESSION, OTHERS, Vouching
from adjudicator.service.matches import proposals
from adjudicator.service.matches.notes import (
    A_SEAT,
    ADJUDGED,
    CLOSED,
    CONCEDED,
    SERVICE_ACT,
    STOPPED,
)
from adjudicator.service.requests.bodies import act_request, appointment, vote_request

_IN_PHASE = and_(
    col(MasterNote.match_id) == col(PhaseRow.match_id),
    col(MasterNote.phase_number) == col(PhaseRow.number),
)
_NOTES = (
    select(PhaseRow.id, MasterNote)
    .join(MasterNote, onclause=_IN_PHASE)
    .where(col(PhaseRow.id).in_(OF))
)
NOTES = RowsOf("notes of phase", _NOTES.order_by(col(MasterNote.id)))
SPENT = "the log tells it already"
EARLIER = "it is of another phase"
NOT_AGREED = "the votes that were signed do not carry it"
MORE = "it decides more than it may"


def runs_match(session: Session, keyring: Keyring, known: KnownMatch, who: str) -> bool:
    """Whether somebody runs a match: as its master, or as one of all matches."""
    if who == known.master:
        return True
    everywhere = session.exec(
        select(Player.appointed).where(
            col(Player.master).is_(True), col(Player.appointed).is_not(None)
        )
    )
    return any(requests.is_workers(keyring, appointment(who), each or b"") for each in everywhere)


class Acts:
    """What the worker knows of the acts in an open phase while it looks at notes; `known` is its
    own record of the match.

    `newcomers` are the seats whose tenure the log tells only now: a proposal may have passed before
    it began.
    """

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
        self._newcomers = frozenset(newcomers)
        # of the notes that are looked at: the note that told it, and who conceded
        self._conceding: list[tuple[int, SeatName]] = []
        self.vouching = Vouching(session, keyring, match)

    def reject(self, note: MasterNote) -> str:
        """Return why a note is not believed, "" where it is."""
        request, given = act_request(self._match.uid, note), note.request_signature
        if given is None:
            return NO_SESSION
        if note.phase_number != self._phase.number:
            return EARLIER
        spent = newest_entry(self._session, self._match, "master", "deadline")
        if note.log_size is None or (spent is not None and note.log_size <= spent.index):
            return SPENT
        if note.signer is None:
            return (
                self._reject_decided(note)
                if requests.is_workers(self._keyring, request, given)
                else ALTERED
            )
        return self._reject_signed(note, request, note.signer, given) or self._reject_decided(note)

    def vouch(self, note: MasterNote) -> None:
        """Put the worker's own word in the place of a session's, once a note was believed: it lasts
        longer than the session.
        """
        self._conceding += [
            (note.id or 0, each.removeprefix(CONCEDED))
            for each in note.decides or ()
            if each.startswith(CONCEDED)
        ]
        note.signer, note.request_signature = (
            None,
            WorkerSigner(self._keyring).sign(act_request(self._match.uid, note)),
        )

    def list_vouched(self) -> list[MasterNote]:
        """Return the notes of the phase that the worker vouches for, oldest first."""
        return [
            note
            for note in NOTES.read(self._session, self._phase.id, keep=False)
            if self._is_vouched(note)
        ]

    def _is_vouched(self, note: MasterNote) -> bool:
        given = note.request_signature
        return (
            note.signer is None
            and given is not None
            and requests.is_workers(self._keyring, act_request(self._match.uid, note), given)
        )

    def _reject_signed(
        self, note: MasterNote, request: SignedRequest, signer: bytes, given: bytes
    ) -> str:
        session = self.vouching.find_session(
            signer, at=note.at, scope="vote" if note.actor in (A_SEAT, "players") else "act"
        )
        if session is None:
            return NO_SESSION
        if not requests.is_signed(signer, request, given):
            return ALTERED
        return "" if self._may(note, session.who) else OTHERS

    def _may(self, note: MasterNote, who: str) -> bool:
        if note.actor == "master":
            return self._runs(who)
        if note.actor == A_SEAT:
            seats = {CONCEDED + seat.name: seat for seat in seats_of(self._session, self._match)}
            return any(
                each in seats and self.vouching.has_seat(who, seats[each].name, seats[each].tenure)
                for each in note.decides or ()
            )
        return note.actor in ("players", SERVICE_ACT) and (
            self.vouching.has_had_a_seat(who) or self._runs(who)
        )

    def _runs(self, who: str) -> bool:
        return runs_match(self._session, self._keyring, self._known, who)

    def _reject_decided(self, note: MasterNote) -> str:
        """Return why a note may not decide what it does besides the clock, "" where it may."""
        decided = set(note.decides or ())
        if note.actor in ("host", "master"):
            adjudged = ADJUDGED in decided and not self._is_at_known_table()
            return MORE if adjudged or decided - {STOPPED + "master", CLOSED, ADJUDGED} else ""
        if note.actor == "players":
            return "" if self._is_agreed(note, decided) else NOT_AGREED
        if note.actor == A_SEAT:
            return self._reject_concession(decided)
        return MORE if decided or note.actor != SERVICE_ACT else ""

    def _is_at_known_table(self) -> bool:
        table = (
            self._session.get(TournamentTable, self._match.table_id)
            if self._match.table_id is not None
            else None
        )
        return table is not None and table.tournament_id == self._known.tournament

    def _reject_concession(self, decided: set[str]) -> str:
        """Return why a concession may not end the match, as others are left; "" where it may, or
        does not.
        """
        reasons = {each.removeprefix(STOPPED) for each in decided if each.startswith(STOPPED)}
        left = [
            seat
            for seat in seats_of(self._session, self._match)
            if seat.name not in conceded_in(self._match)
        ]
        people = [seat for seat in left if not self.vouching.is_bots(seat.name, seat.tenure)]
        allowed = {"conceded"} if len(left) == 1 else {"nobody left"} if not people else set()
        return MORE if reasons - allowed or len(decided) != len(reasons) + 1 else ""

    # --- votes

    def _is_agreed(self, note: MasterNote, decided: set[str]) -> bool:
        """Whether a proposal that passed with a note of the players, and that fits it, has the
        signed votes that it needs.
        """
        passed = select(Proposal).where(
            Proposal.match_id == self._match.id, Proposal.outcome == "passed"
        )
        fitting = [each for each in self._session.exec(passed) if self._fits(note, decided, each)]
        return any(self._passed_with(note, each) and self.carries(each, note) for each in fitting)

    def _passed_with(self, note: MasterNote, proposal: Proposal) -> bool:
        """Whether the vote that decided a proposal was cast as a note was made: an earlier proposal
        that passed carries no later act.
        """
        return any(vote.yes and vote.at == note.at for vote in self.list_votes(proposal))

    def _fits(self, note: MasterNote, decided: set[str], proposal: Proposal) -> bool:
        ends = {"end": {STOPPED + "agreed"}, "draw": {STOPPED + "draw"}, "close": {CLOSED}}.get(
            proposal.kind, set()
        )
        if decided != ends or (
            proposal.kind in proposals.OF_PHASE and proposal.phase_number != self._phase.number
        ):
            return False
        deadline = (note.clock or {}).get("deadline")
        if proposal.target is not None:
            return deadline == format_timestamp(proposal.target)
        return proposal.kind not in ("pause", "resume") or (deadline is None) == (
            proposal.kind == "pause"
        )

    def carries(self, proposal: Proposal, note: MasterNote) -> bool:
        """Whether the signed votes carried a proposal as `note` was made, counted among those whom
        the worker knows to have had a vote.
        """
        votes = self.list_votes(proposal)
        signed = {vote.seat for vote in votes if vote.yes and not self.reject_vote(proposal, vote)}
        voters = [
            seat
            for seat in self._list_voters(proposal.kind, note)
            if seat.name in signed or seat.name not in self._newcomers
        ]
        yes = [seat for seat in voters if seat.name in signed]
        majority = proposal.kind in proposals.BY_RULE and self._known.vote_rule == "majority"
        return 0 < (len(voters) // 2 + 1 if majority else len(voters)) <= len(yes)

    def list_votes(self, proposal: Proposal) -> list[Vote]:
        """Return the stored votes on a proposal of those who have the seats still, or had them
        until now.
        """
        tenures = {seat.name: seat.tenure for seat in seats_of(self._session, self._match)}
        votes = self._session.exec(select(Vote).where(Vote.proposal_id == proposal.id))
        return [
            vote
            for vote in votes
            if vote.seat in self._newcomers or tenures.get(vote.seat) == vote.tenure
        ]

    def reject_vote(self, proposal: Proposal, vote: Vote) -> str:
        """Return why a vote does not count, "" where it does."""
        request = vote_request(self._match.uid, proposal, vote)
        given = vote.request_signature or b""
        if vote.signer is None:
            return (
                ""
                if requests.is_workers(self._keyring, request, given)
                else ALTERED
                if given
                else NO_SESSION
            )
        return self.vouching.reject_signed(
            request, vote.signer, given, at=vote.at, scope="vote", tenure=vote.tenure
        )

    def _list_voters(self, kind: str, note: MasterNote) -> list[Seat]:
        """Do as `proposals.voters` did when a note was made, but believe of no seat that it looks
        for a player or is a bot's.

        Such a seat is passed over only where the worker knows it. Seats that conceded after the
        note still count.
        """
        later = {seat for number, seat in self._conceding if number > (note.id or 0)}
        left = proposals.seats_left(self._session, self._match, self._phase, later)
        if kind == "draw":
            return left
        here = [
            seat
            for seat in left
            if seat.player_id is not None
            and not (seat.open_since is not None and seat.name in self._known.vacant)
        ]
        if not hides_players(self._match):
            here = [seat for seat in here if not self.vouching.is_bots(seat.name, seat.tenure)]
        return (
            [seat for seat in here if seat.name in {*self._phase.due, *later}]
            if kind == "extend"
            else here
        )
