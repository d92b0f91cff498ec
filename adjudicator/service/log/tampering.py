"""Who is told that stored rows were refused: the match's log that it happened, the seat alone which
rows they were.
"""

from datetime import datetime, timedelta
from typing import Literal

import structlog
from sqlmodel import Session, col, select

from adjudicator.core.jcs import format_timestamp
from adjudicator.platform.words import seat_phrase
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.rows import seats_of, waiting_phase
from adjudicator.service.base.tables import LogEntry, Match, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.seat_content import SeatLetter
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.log.entries import append_entry, time_of_next
from adjudicator.service.matches import tenure_letters
from adjudicator.service.matches.tenure_letters import News
from adjudicator.service.tokens.references import of_seat

Kind = Literal[
    "log",
    "state",
    "key",
    "chance",
    "receipt",
    "envelope",
    "orders",
    "ready",
    "deadline",
    "act",
    "vote",
    "tenure",
    "letter",
    "salt",
]
ONCE_IN = timedelta(hours=1)  # a match's log tells the same kind of tampering no more often

log = structlog.get_logger()

_SEAT_SENTENCES: dict[str, str] = {
    "orders": (
        "Something was stored as orders, `ready` or `wait` of {seat} that you did not hand in here:"
        " {why}."
    ),
    "letter": "A letter was stored for {seat} that did not come to its address.",
    "act": "It was stored that {seat} conceded, which you did not do: {why}.",
    "vote": "A vote of {seat} was stored that you did not cast here: {why}.",
    "tenure": "It was stored that {seat} has another player, or looks for one: {why}.",
    "salt": "A salt was stored in the name of {seat} that you did not give here: {why}.",
    "ready": "What is stored of whether {seat} is ready was changed by somebody other than you.",
}
_MASTER_SENTENCE = (
    "Something was stored for your match that neither you, nor the host, nor its players by their"
    " votes asked for: {why}."
)
_PUT_RIGHT = (
    "It did not count, what it changed was put back, and the host was told. The log of the match"
    " tells that it happened."
)
_NOTHING_LOST = (
    "It did not count, nothing of yours was lost or shown, and the host was told. Look at your"
    " receipts on the match’s page."
)


def log_tampering(
    session: Session, keyring: Keyring, match: Match, phase: int, kind: Kind, *, now: datetime
) -> bool:
    """Log that stored rows were refused; at most once in ONCE_IN for each kind, which this returns.
    The caller has locked the match.
    """
    sentence = (
        select(LogEntry)
        .where(LogEntry.match_id == match.id, LogEntry.type == "tampering")
        .order_by(col(LogEntry.index))
    )
    rows = [row for row in session.exec(sentence) if row.body["kind"] == kind]
    if match.log_hash is None or match.status == "ended" or (rows and rows[-1].at > now - ONCE_IN):
        return False
    now = time_of_next(session, match, now)
    body = {"phase": phase, "kind": kind, "count": len(rows) + 1, "time": format_timestamp(now)}
    append_entry(session, keyring, match, "tampering", body, now=now)
    return True


def tell_seat(
    session: Session,
    keyring: Keyring,
    match: Match,
    seat: str,
    phase: int,
    kind: Kind,
    why: str = "",
    *,
    now: datetime,
) -> None:
    """Log refused rows of a seat, and write to its player as often as the log tells. The log and
    the master never learn which seat.
    """
    log.error("request.refused", match=match.uid, seat=seat, phase=phase, kind=kind, why=why)
    if not log_tampering(session, keyring, match, phase, kind, now=now):
        return
    row = next((each for each in seats_of(session, match) if each.name == seat), None)
    if row is not None:
        sentence = _SEAT_SENTENCES[kind].format(seat=seat_phrase(seat), why=why)
        _write(session, match, row, sentence, now)


def tell_master(
    session: Session,
    keyring: Keyring,
    match: Match,
    phase: int,
    kind: Kind,
    why: str,
    *,
    now: datetime,
) -> None:
    """Log refused rows that are no seat's, and write to the master of the match as often as the log
    tells.
    """
    log.error("request.refused", match=match.uid, phase=phase, kind=kind, why=why)
    if log_tampering(session, keyring, match, phase, kind, now=now):
        news = News(
            "Somebody else tried to run your match", (_MASTER_SENTENCE.format(why=why), _PUT_RIGHT)
        )
        tenure_letters.tell_player(session, match, match.master_id, news, now=now)


def tell_of_letter(
    session: Session, keyring: Keyring, match_id: int, seat_id: int | None, *, now: datetime
) -> None:
    """Log that a stored letter was refused, and tell the seat that it is stored for; the caller has
    locked the match.
    """
    match = session.get_one(Match, match_id)
    phase = waiting_phase(session, match)
    seat = session.get(Seat, seat_id) if seat_id is not None else None
    number = phase.number if phase is not None else 0
    if seat is not None and seat.match_id == match.id:
        tell_seat(session, keyring, match, seat.name, number, "letter", now=now)
    else:
        log_tampering(session, keyring, match, number, "letter", now=now)


def _write(session: Session, match: Match, seat: Seat, sentence: str, now: datetime) -> None:
    player = session.get(Player, seat.player_id) if seat.player_id is not None else None
    if player is None or player.address is None or player.house or not player.letters:
        return
    letter = SeatLetter(
        title="Somebody else tried to act for your seat",
        lines=(sentence, _NOTHING_LOST),
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        zone=player.zone,
        seat=seat.name,
        reply_token=of_seat(match, seat),
    )
    keys, about = public_keys.current_keys(session), LetterReference(match.id, seat.name)
    outbox.write_to(session, player, letter, now=now, about=about, keys=keys)
