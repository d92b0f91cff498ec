"""Failures of incoming and outgoing letters, for the host; shows no address and no letter's
content.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import Incoming, Letter, Match, Player
from adjudicator.service.letters import bounces, outbox

_NOT_READ = ("discarded", "unreadable")
_PASSED_OVER = (*_NOT_READ, "automatic", "repeated", "empty", "bounce", "complaint")


@dataclass(frozen=True)
class Line:
    """One letter that failed, or waits for another try."""

    at: datetime
    uid: str
    kind: str
    match: str  # public name of its match, "" for none
    seat: str
    fate: str  # its state (held, bounced, waiting) or disposition (discarded, unreadable ...)
    why: str


def out(session: Session, *, most: int = 200) -> list[Line]:
    """Return our letters that are held, bounced or being retried, newest first."""
    lost = select(Letter, Match.uid).join(
        Match, isouter=True, onclause=col(Letter.match_id) == col(Match.id)
    )
    lost = lost.where(
        col(Letter.trouble).is_not(None), col(Letter.state).in_(("held", "bounced", "waiting"))
    )
    rows = session.exec(lost.order_by(col(Letter.id).desc()).limit(most))
    return [
        Line(
            row.made_at,
            row.uid,
            row.kind,
            uid or "",
            row.seat or "",
            row.state,
            bounces.without_addresses(row.trouble or ""),
        )
        for row, uid in rows
    ]


def incoming(session: Session, *, every: bool = False, most: int = 200) -> list[Line]:
    """Return incoming letters that could not be read or answered, newest first; `every` adds those
    that were rightly ignored.
    """
    lost = select(Incoming, Match.uid).join(
        Match, isouter=True, onclause=col(Incoming.match_id) == col(Match.id)
    )
    lost = lost.where(col(Incoming.disposition).in_(_PASSED_OVER if every else _NOT_READ))
    rows = session.exec(lost.order_by(col(Incoming.id).desc()).limit(most))
    return [
        Line(
            row.received_at,
            row.uid,
            row.kind,
            uid or "",
            "",
            row.disposition or "",
            row.reason or "",
        )
        for row, uid in rows
    ]


def resend(database: Database, uid: str, *, now: datetime) -> None:
    """Send a held letter now; clears its player's bounce, so other letters held for that go out
    too. Raises NotFound, NotNow.
    """
    with database.write_tx() as session:
        letter = session.exec(select(Letter).where(Letter.uid == uid)).first()
        if letter is None:
            raise NotFound(
                "There is no letter of this name; it may have been erased after LETTER_DAYS."
            )
        if letter.state != "held":
            raise NotNow(
                f"This letter is not held: it is {letter.state}. What was sent once is erased here,"
                " so it cannot be sent again."
            )
        if outbox.link_is_over(session, letter, now):
            raise NotNow(
                "The sign-in link in this letter is over: whoever wants to sign in asks for a new"
                " one."
            )
        player = session.get(Player, letter.player_id) if letter.player_id is not None else None
        if player is not None and player.bounced_at is not None:
            bounces.arrives_again(session, player.id, now=now)
        letter.state, letter.tries, letter.next_try, letter.trouble = "waiting", 0, now, None


@dataclass(frozen=True)
class Which:
    """A filter for held letters; the defaults select all of them."""

    since: datetime | None = None  # the earliest creation time
    domain: str = ""  # domain of the address; "" for any


def resend_all(database: Database, which: Which, *, now: datetime) -> int:
    """Send the selected held letters now and clear their players' bounces; returns how many.
    Expired sign-in links stay held.
    """
    with database.write_tx() as session:
        every = session.exec(
            select(Letter).where(Letter.state == "held").order_by(col(Letter.id))
        ).all()
        held = [
            each
            for each in every
            if _meant(each, which) and not outbox.link_is_over(session, each, now)
        ]
        for player_id in sorted({each.player_id for each in held if each.player_id is not None}):
            bounces.arrives_again(session, player_id, now=now)
        for letter in held:
            session.refresh(letter)
            letter.state, letter.tries, letter.next_try, letter.trouble = "waiting", 0, now, None
        return len(held)


def _meant(letter: Letter, which: Which) -> bool:
    domain = letter.address.rpartition("@")[2].lower()
    since = which.since is None or letter.made_at >= which.since
    return since and (not which.domain or domain == which.domain.lower().lstrip("@"))


def of_match(session: Session, uid: str) -> list[str]:
    """Return what is wrong with a match, one sentence each, for the host: why it is stuck, which
    letters did not arrive.
    """
    match = by_uid(session, uid)
    stuck = [f"It is stuck: {match.trouble}."] if match.status == "stuck" else []
    lost = [
        f"Letters to {seat_phrase(name)} come back."
        for name in bounces.seats_not_reached(session, match)
    ]
    return [*stuck, *lost, *map(bounces.sentence, outbox.undelivered_letters(session, match))]
