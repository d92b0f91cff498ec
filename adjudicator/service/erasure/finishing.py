"""What the worker takes away of erased players: the texts of their press and the letters that came
from them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, or_, select, tuple_, update
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.platform.words import MASTER
from adjudicator.service.base.names import REMOVED
from adjudicator.service.base.rows import exists, hold_matches, show_change
from adjudicator.service.base.tables import (
    Confirmation,
    Erasure,
    FormerTenure,
    Incoming,
    Letter,
    MasterAddress,
    Match,
    Player,
    PressNote,
    PressReport,
    Seat,
    SeatRequest,
    SignedIn,
)
from adjudicator.service.people.own_data import Span, seat_spans

_MOST = 50  # players that one call looks at
_UNSENT = ("waiting", "held")


def note_letters(session: Session, player: Player, now: datetime) -> None:
    """Note which letters came from a player, before the rows that tell it are deleted; the worker
    finishes the erasure from that.
    """
    answered = select(Letter.incoming_id).where(
        or_(col(Letter.player_id) == player.id, col(Letter.address) == player.address)
    )
    found = {
        each
        for each in session.exec(answered.where(col(Letter.incoming_id).is_not(None)))
        if each is not None
    }
    tenures = [
        (row.id, row.tenure)
        for row in session.exec(select(Seat).where(Seat.player_id == player.id))
    ]
    tenures += [
        (row.seat_id, row.number)
        for row in session.exec(select(FormerTenure).where(FormerTenure.player_id == player.id))
    ]
    refs = {"master": select(MasterAddress.id).where(MasterAddress.player_id == player.id)}
    refs["confirmation"] = select(Confirmation.id).where(
        col(Confirmation.address) == player.address
    )
    ways: list[ColumnElement[bool]] = (
        [tuple_(col(Incoming.seat_id), col(Incoming.tenure)).in_(tenures)] if tenures else []
    )
    for kind, wanted in refs.items():
        ids = [str(each) for each in session.exec(wanted)]
        ways += [(col(Incoming.kind) == kind) & col(Incoming.ref).in_(ids)] if ids else []
    found |= {each for way in ways for each in session.exec(select(Incoming.id).where(way))}
    session.add(Erasure(player_id=player.id, incoming=sorted(found), at=now))


def any_unfinished(session: Session) -> bool:
    """Whether the worker still has to take something away."""
    return exists(session, select(Erasure.player_id))


def finish_erasures(database: Database) -> int:
    """Finish what was erased, each player in a transaction; returns how many were finished.
    Idempotent.

    A player whose letters are still to be read or answered, or whose requests to leave seats wait,
    is left to the next call.
    """
    with database.read_tx() as session:
        waiting = session.exec(
            select(Erasure.player_id).order_by(col(Erasure.player_id)).limit(_MOST)
        ).all()
    return sum(_finish(database, player_id) for player_id in waiting)


def _finish(database: Database, player_id: int) -> bool:
    with database.write_tx() as session:
        spans = _spans(session, player_id)
        matches = hold_matches(session, {match for match, *_ in spans})
        row = session.get(Erasure, player_id, with_for_update=True)
        if (
            row is None
            or _still_answered(session, row.incoming)
            or exists(session, waiting_sessions(player_id))
        ):
            return False
        session.exec(delete(SignedIn).where(col(SignedIn.player_id) == player_id))
        for match in matches:
            _remove_press(session, match, [span for span in spans if span[0] == match.id])
        own = col(Incoming.id).in_(row.incoming)
        session.exec(update(Incoming).where(own).values(raw=None))
        session.exec(delete(Letter).where(col(Letter.incoming_id).in_(row.incoming)))
        session.delete(row)
        failpoints.kill_here("erased.before_commit")
    return True


def _spans(session: Session, player_id: int) -> list[Span]:
    """Return when the player wrote as which seat; as master in all matches that the player runs."""
    runs = session.exec(select(Match.id).where(Match.master_id == player_id))
    return [*seat_spans(session, player_id), *((match or 0, MASTER, None, None) for match in runs)]


def _still_answered(session: Session, incoming: Sequence[int]) -> bool:
    """Whether one of these letters waits to be read, or its answer to be sent."""
    unread = select(Incoming.id).where(
        col(Incoming.id).in_(incoming), col(Incoming.disposition).is_(None)
    )
    unsent = select(Letter.id).where(
        col(Letter.incoming_id).in_(incoming), Letter.state == "waiting"
    )
    return any(exists(session, each) for each in (unread, unsent))


def waiting_sessions(player_id: int | None) -> SelectOfScalar[str]:
    """Return the query for the sessions of a player that signed changes of seats at which the
    worker has not looked, by their keys.
    """
    signed = select(SeatRequest.id).where(SeatRequest.signer == SignedIn.public)
    return select(SignedIn.token_hash).where(SignedIn.player_id == player_id, signed.exists())


def _remove_press(session: Session, match: Match, spans: Iterable[Span]) -> None:
    """Replace the texts and reports that a player wrote in a locked match, and delete the letters
    with these texts that were not sent.
    """
    removed = []
    for span in spans:
        notes = session.exec(
            select(PressNote).where(PressNote.match_id == match.id, PressNote.seat == span[1])
        ).all()
        removed += [note for note in notes if _is_within(span, note.at) and note.text != REMOVED]
        reports = session.exec(
            select(PressReport).where(PressReport.match_id == match.id, PressReport.seat == span[1])
        ).all()
        for report in reports:
            report.reason = REMOVED if _is_within(span, report.at) else report.reason
    for note in removed:
        note.text = REMOVED
        conditions = (
            Letter.match_id == match.id,
            col(Letter.kind).in_(("press", "reported")),
            Letter.made_at == note.at,
        )
        session.exec(delete(Letter).where(*conditions, col(Letter.state).in_(_UNSENT)))  # type: ignore[arg-type]  # conditions
    if removed:
        match.version += 1
    if any(not note.readers for note in removed):
        show_change(match)


def _is_within(span: Span, at: datetime) -> bool:
    """Whether a moment is in a span, its end included."""
    _, _, since, until = span
    return (since is None or at >= since) and (until is None or at <= until)
