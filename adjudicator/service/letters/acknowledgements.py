"""Answers to letters, within daily limits, and the confirmation questions whose answer proves an
address.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select, update

from adjudicator.platform import entropy
from adjudicator.service.base import public_keys, rows
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.tables import (
    Confirmation,
    Incoming,
    Letter,
    Match,
    Player,
    Seat,
    Tournament,
    TournamentDirector,
)
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.answer_content import (
    AnswerLetter,
    ConfirmLetter,
    ReceiptLetter,
)
from adjudicator.service.letters.incoming import LetterToRead
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.letters.receiving import Target
from adjudicator.service.tokens.references import UNWRITTEN, Reference

# Answers that may go out at once; afterwards one more each time the same part of a day is over, so
# that all may go out again in a day.
# to one seat's or master's address: more than a person needs, and it stops mail loops
MOST_TO_SEAT = 200
# the same for letters to all other secret addresses together: invitations, questions
MOST_TO_TOKENS = 50
# the same for letters to the service itself, whose sender may be forged; who directs a tournament
# that goes on writes a letter for each act of a round, and may have as many as to tokens
MOST_NAMED = 10
# answers within an hour to all addresses without a player: limits what forged senders can cause
MOST_STRANGERS = 100
NOT_ANSWERED = (
    "So many answers went to its writer within a day that this letter was read and not answered."
)
# Letters of the present players of seats to these; an index finds them by the seat, not by the
# match.
_OF_SEATS = (
    select(Seat.match_id, Incoming)
    .join(Incoming, onclause=col(Incoming.seat_id) == col(Seat.id))
    .where(col(Seat.match_id).in_(OF))
)
_SILENT = (
    Incoming.kind == "seat",
    Incoming.reason == NOT_ANSWERED,
    func.coalesce(Incoming.tenure, Seat.tenure) == Seat.tenure,
)
UNANSWERED = RowsOf("unanswered letters", _OF_SEATS.where(*_SILENT))
_DAY = timedelta(days=1)
LASTS = timedelta(days=7)  # how long a question can be answered


@dataclass(frozen=True)
class AnswersLeft:
    """How many more answers may go to an address."""

    left: int
    given: int  # within a day
    after: datetime  # when the next one may, if one goes now


def count_left(answered: Sequence[datetime], most: int, now: datetime) -> AnswersLeft:
    """Return what is left of `most` answers, of which one more comes back in each such part of a
    day; `answered`: oldest first.
    """
    every, full = _DAY / most, now - _DAY  # when all have come back
    for at in answered:
        full = max(full, at) + every
    missing = max(0, math.ceil((full - now) / every))
    return AnswersLeft(max(0, most - missing), len(answered), max(full, now) - every * (most - 2))


def answers_left(session: Session, target: Target, address: str, now: datetime) -> AnswersLeft:
    """Return how many more answers to letters to `target` may go to an address now.

    Each kind of target is counted separately, so letters with a forged sender use up nothing of the
    limit of that player's seats. Of letters to the service, a question that was answered with *yes*
    does not count: who could answer it wrote what it asked about.
    """
    here = (
        select(Letter.made_at)
        .join(Incoming, onclause=col(Letter.incoming_id) == col(Incoming.id))
        .order_by(col(Letter.made_at))
    )
    here = here.where(Letter.address == address, Letter.made_at > now - _DAY)
    if target.kind == "seat":
        return count_left(
            session.exec(
                here.where(Incoming.kind == "seat", Incoming.seat_id == target.seat_id)
            ).all(),
            MOST_TO_SEAT,
            now,
        )
    if target.kind == "master":
        return count_left(
            session.exec(here.where(Incoming.kind == "master", Incoming.ref == target.ref)).all(),
            MOST_TO_SEAT,
            now,
        )
    if target.kind != "service":
        others = here.where(col(Incoming.kind).not_in(("seat", "master", "service")))
        return count_left(session.exec(others).all(), MOST_TO_TOKENS, now)
    open_ones = here.where(Incoming.kind == "service", ~_was_confirmed())
    most = MOST_TO_TOKENS if _directs(session, address) else MOST_NAMED
    found = count_left(session.exec(open_ones).all(), most, now)
    if found.given == 0 and not rows.is_known(session, address):
        strangers = (
            select(func.count())
            .select_from(Letter)
            .where(col(Letter.incoming_id).is_not(None), col(Letter.player_id).is_(None))
        )
        lately = session.exec(strangers.where(Letter.made_at > now - timedelta(hours=1))).one()
        return found if lately < MOST_STRANGERS else replace(found, left=0)
    return found


def _was_confirmed() -> ColumnElement[bool]:
    """Return the condition for letters that are questions which were answered with *yes*."""
    asked = (
        Confirmation.address == Letter.address,
        Confirmation.made_at == Letter.made_at,
        col(Confirmation.used_at).is_not(None),
    )
    return (col(Letter.kind) == ConfirmLetter.KIND) & select(Confirmation.id).where(*asked).exists()


def _directs(session: Session, address: str) -> bool:
    """Whether the player of an address directs a tournament that goes on."""
    directs = (
        select(TournamentDirector.id)
        .join(Player, onclause=col(Player.id) == col(TournamentDirector.player_id))
        .join(Tournament, onclause=col(Tournament.id) == col(TournamentDirector.tournament_id))
        .where(Player.address == address, col(TournamentDirector.left_at).is_(None))
        .where(col(Tournament.status).in_(("making", "entering", "running")))
    )
    return session.exec(directs.limit(1)).first() is not None


def put_acknowledgement(
    session: Session,
    claimed: LetterToRead,
    letter: AnswerLetter | ConfirmLetter | ReceiptLetter,
    about: LetterReference,
    *,
    address: str,
    now: datetime,
    player_id: int | None,
) -> bool:
    """Put an answer into the outbox, a question with the commands that it asks about; returns
    False, with nothing done, where no more answers may go there.

    The last answer for now says until when. The caller's transaction must have claimed the letter
    that is answered.
    """
    room = answers_left(session, claimed.target, address, now)
    if not room.left:
        return False
    if isinstance(letter, ConfirmLetter):
        question = ask_confirmation(session, address, letter.wanted, now=now)
        letter = replace(letter, reply_token=question)
    kind = claimed.target.kind
    until = room.after if room.left == 1 else None
    letter = replace(
        letter, last_until=until, last_named=kind == "service", last_to_seat=kind == "seat"
    )
    about = replace(about, incoming_id=claimed.id)
    outbox.put_letter(
        session,
        public_keys.current_keys(session),
        letter,
        address=address,
        now=now,
        player_id=player_id,
        about=about,
    )
    return True


def unanswered_letters(
    session: Session, match: Match, since: datetime
) -> list[tuple[int, datetime]]:
    """Return the letters of present players to their seats that were read after `since` and not
    answered: seat id and time of reading.
    """
    letters = UNANSWERED.read(session, match.id, keep=False)
    return [
        (row.seat_id, row.read_at)
        for row in letters
        if row.seat_id is not None and row.read_at is not None and row.read_at > since
    ]


# --- questions


def ask_confirmation(
    session: Session, address: str, wanted: Sequence[str], *, now: datetime
) -> Reference:
    """Store commands from an unproved address; returns the reference to the address that takes the
    answer `yes`.
    """
    uid = entropy.token_hex(12)
    session.add(
        Confirmation(
            token_hash=UNWRITTEN + uid,
            uid=uid,
            address=address,
            wanted=list(wanted),
            made_at=now,
            until=now + LASTS,
        )
    )
    return Reference("question", uid)


@dataclass(frozen=True)
class Question:
    """A request to confirm commands, and the address it went to."""

    address: str
    wanted: tuple[str, ...]
    made_at: datetime  # when its commands were read
    good: bool  # whether it is neither answered nor expired, so an answer proves the address
    # to the address that takes the answer; None for questions of earlier releases
    reference: Reference | None


def find_question(session: Session, claimed: LetterToRead, now: datetime) -> Question:
    """Return the question that a letter answers."""
    row = session.get_one(Confirmation, int(claimed.target.ref or 0))
    reference = Reference("question", row.uid) if row.uid else None
    return Question(
        row.address,
        tuple(row.wanted),
        row.made_at,
        row.used_at is None and row.until > now,
        reference,
    )


def use_question(session: Session, claimed: LetterToRead, now: datetime) -> bool:
    """Mark the question as answered by compare-and-set; returns False if it was answered before or
    has expired.
    """
    still_good = (
        col(Confirmation.id) == int(claimed.target.ref or 0),
        col(Confirmation.used_at).is_(None),
        col(Confirmation.until) > now,
    )
    return session.exec(update(Confirmation).where(*still_good).values(used_at=now)).rowcount == 1
