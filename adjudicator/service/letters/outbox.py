"""Outgoing letters: use cases add them, the mail room claims them with a lease, sends them and
marks the outcome.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, bindparam, or_
from sqlmodel import Session, SQLModel, col, select, update
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.platform import entropy, wakeups
from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import PublicKeys
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.lease_queue import LeaseQueue
from adjudicator.service.base.tables import Letter, Link, Match, Player, Receipt, Seat
from adjudicator.service.letters import kinds, suppression
from adjudicator.service.letters.contents.content import LetterContent, with_values
from adjudicator.service.tokens.references import Reference

LEASE = timedelta(minutes=2)  # longer than a send may take; afterwards another worker may try
# Seconds until the next try: short at first, because deadlines are near; later as long as mail
# servers wait (RFC 5321, 4.5.4.1).
# five days; then the letter is held
BACK_OFF = (10, 60, 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, *(6 * 3600,) * 19)
LONGEST_LINK_PAUSE = 120  # seconds; a sign-in link expires within minutes
MOST_CUT_SHORT = 8  # tries of a letter that never reported an outcome
# the trouble of such a held letter, which is sent once letters arrive again
COMES_BACK = "letters to this address come back"
LINK_OVER = "its sign-in link was over before the letter could go out"
SENT_ALL_THE_SAME = frozenset({"signin", "confirm"})  # they prove that an address works
# Urgency: somebody waits for it; anything else; reports, which may be thousands and are slow to
# draw; announcements, after all others
ASKED_FOR, NEWS, REPORT, BULK = range(4)
SOON, LATER = (ASKED_FOR, NEWS), (REPORT, BULK)
EVERY = (*SOON, *LATER)
QUEUE = LeaseQueue(Letter, col(Letter.state) == "waiting", LEASE)
_LETTERS = SQLModel.metadata.tables["letter"]
_SENT = (
    _LETTERS.update()
    .where(
        _LETTERS.c.id.in_(bindparam("ids", expanding=True)),
        _LETTERS.c.uid.in_(bindparam("uids", expanding=True)),
    )
    .values(state="sent", sent_at=bindparam("at"), context=None, trouble=None)
)


@dataclass(frozen=True)
class LetterReference:
    """The match and seat that a letter is about, and what it answers."""

    match_id: int | None = None
    seat: str | None = None
    receipt_id: int | None = None
    phase: int | None = None  # the phase for which it asks orders
    incoming_id: int | None = None  # the letter it answers
    tenure: int | None = None  # the seat's tenure that it belongs to; None: the present one


def put_letter(
    session: Session,
    keys: PublicKeys,
    content: LetterContent,
    *,
    address: str,
    now: datetime,
    player_id: int | None = None,
    about: LetterReference = LetterReference(),
    uid: str = "",
) -> Letter:
    """Add a letter to the outbox, as `make_letter`."""
    match = session.get(Match, about.match_id) if about.match_id is not None else None
    player = session.get(Player, player_id) if player_id is not None else None
    made = make_letter(
        session, keys, content, match, player, address=address, now=now, about=about, uid=uid
    )
    letter = Letter(**vars(made))
    session.add(letter)
    return letter


def write_to(
    session: Session,
    player: Player,
    content: LetterContent,
    *,
    now: datetime,
    about: LetterReference = LetterReference(),
    keys: PublicKeys | None = None,
) -> None:
    """Add a letter to a player to the outbox, as `make_letter`, sealed to the newest keys unless
    others are given; nothing for a player without an address.
    """
    if player.address is None:
        return
    put_letter(
        session,
        keys or public_keys.current_keys(session),
        content,
        address=player.address,
        now=now,
        player_id=player.id,
        about=about,
    )


def make_letter(
    session: Session,
    keys: PublicKeys,
    content: LetterContent,
    match: Match | None,
    player: Player | None,
    *,
    address: str,
    now: datetime,
    about: LetterReference = LetterReference(),
    uid: str = "",
) -> Letter:
    """Return a draft of a letter for the outbox, about a match and to a player if there are any;
    its content is sealed to the worker and includes the keys' fingerprint for the footer.

    A letter to a player refers to the token that stops such letters, and is held while letters to
    that player bounce. A letter to an unproved address refers to the token that stops all letters
    to it. `uid` is chosen at random unless it is given.
    """
    uid, kind = uid or entropy.token_hex(12), content.KIND
    context: dict[str, Any] = {"fingerprint": keys.fingerprint}
    if match is not None and match.log_hash is not None:
        context |= {"log_index": match.log_size - 1, "log_hash": match.log_hash}
    if player is not None:
        context["stop_token"] = Reference("stop", str(player.id))
    elif kind in suppression.TO_STRANGERS:
        stranger = suppression.stranger_at(session, address, now=now)
        context["never_token"] = Reference("never", stranger)
    content = with_values(content, **context)
    sealed = crypto.seal(keys.wrapping, kinds.dump_context(content), bound_to=bound_to(uid))
    letter = Letter.draft(
        uid=uid,
        kind=kind,
        urgency=_urgency(kind, about),
        address=address,
        context=sealed,
        player_id=player.id if player is not None else None,
        made_at=now,
        next_try=now,
        match_id=about.match_id,
        seat=about.seat,
        receipt_id=about.receipt_id,
        phase_number=about.phase,
        incoming_id=about.incoming_id,
        tenure=about.tenure or _tenure(session, about),
    )
    if player is not None and comes_back(player, letter):
        letter.state, letter.trouble = "held", COMES_BACK
    elif letter.receipt_id is None:  # else its signature sends it
        wakeups.wake(session, wakeups.POST if letter.urgency in SOON else wakeups.REPORTS)
    return letter


def _tenure(session: Session, about: LetterReference) -> int:
    """Return the present tenure of the seat that a letter is about, 1 for a letter about none."""
    if about.seat is None:
        return 1
    present = select(Seat.tenure).where(Seat.match_id == about.match_id, Seat.name == about.seat)
    return session.exec(present).first() or 1


def _urgency(kind: str, about: LetterReference) -> int:
    if kind in SENT_ALL_THE_SAME or about.receipt_id is not None or about.incoming_id is not None:
        return ASKED_FOR
    return {"report": REPORT, "tournament": REPORT, "announcement": BULK}.get(kind, NEWS)


def comes_back(player: Player, letter: Letter) -> bool:
    """Whether letters to this player bounce, so that this one is held."""
    return player.bounced_at is not None and letter.kind not in SENT_ALL_THE_SAME


def bound_to(uid: str) -> bytes:
    """Return what the sealed content of the letter with this uid is bound to."""
    return f"letter:{uid}".encode()


@dataclass(frozen=True)
class SignedReceipt:
    """What the worker adds to a receipt as it signs it; `head` and `chained` are None in a match
    without a log.
    """

    signature: str  # hex
    head: str | None
    chained: tuple[int, str] | None  # the seat's tenure and the hash of its receipt before


@dataclass(frozen=True)
class LetterToSend:
    """A letter that this worker may send until its lease ends."""

    id: int
    uid: str
    kind: str
    address: str
    context: dict[str, object]  # its content with tokens, for kinds.load_context
    made_at: datetime
    match_id: int | None
    seat: str | None
    tries: int
    receipt: SignedReceipt | None  # what the signature of its receipt adds
    until: datetime  # end of the lease; then another worker may send it
    # secret part of the address to which it comes back if it cannot be delivered
    return_token: str = ""


def waiting_letters(
    session: Session, now: datetime, *, most: int = 200, urgencies: Sequence[int] = EVERY
) -> list[int]:
    """Return the ids of letters that may be sent now, by urgency, then by `next_try`; a receipt
    waits for its signature.

    It queries each urgency separately, so that the index yields the rows in this order.
    """
    found: list[int] = []
    for urgency in urgencies:
        if len(found) < most:
            due = select(Letter.id).join(
                Receipt, isouter=True, onclause=col(Letter.receipt_id) == col(Receipt.id)
            )
            due = due.where(
                Letter.state == "waiting", Letter.urgency == urgency, Letter.next_try <= now
            )
            due = due.where(
                or_(col(Letter.receipt_id).is_(None), col(Receipt.signature).is_not(None))
            )
            due = due.order_by(col(Letter.next_try), col(Letter.id)).limit(most - len(found))
            found += session.exec(due)
    return found


def oldest_due(session: Session, urgencies: Sequence[int]) -> datetime | None:
    """Return the earliest `next_try` of the waiting letters with these urgencies, None if none
    waits.
    """
    since = [session.exec(_first_of(urgency)).first() for urgency in urgencies]
    return min((each for each in since if each is not None), default=None)


def _first_of(urgency: int) -> SelectOfScalar[datetime]:
    waits = select(Letter.next_try).where(Letter.state == "waiting", Letter.urgency == urgency)
    return waits.order_by(col(Letter.next_try), col(Letter.id)).limit(1)


def link_is_over(session: Session, letter: Letter, now: datetime) -> bool:
    """Whether a letter contains a sign-in link that has expired. The link has the letter's address
    and `made_at`.
    """
    if letter.kind != "signin":
        return False
    works = select(Link.token_hash).where(
        Link.address == letter.address, Link.made_at == letter.made_at, Link.until > now
    )
    return session.exec(works).first() is None


def send_prolonged(session: Session, link: Link, now: datetime) -> None:
    """Send the letter of a prolonged link now, if it was held because the link had expired."""
    its_letter = (
        col(Letter.kind) == "signin",
        col(Letter.address) == link.address,
        col(Letter.made_at) == link.made_at,
    )
    late = update(Letter).where(
        *its_letter, col(Letter.state) == "held", col(Letter.trouble) == LINK_OVER
    )
    session.exec(late.values(state="waiting", tries=0, next_try=now, trouble=None))
    wakeups.wake(session, wakeups.POST)


def mark_sent(database: Database, claimed: Sequence[LetterToSend], now: datetime) -> None:
    """Mark letters as sent and erase their content.

    One that was withdrawn meanwhile is no more, and SQLite may have given its number to another,
    which still has to be sent.
    """
    with database.write_tx() as session:
        ids, uids = [each.id for each in claimed], [each.uid for each in claimed]
        session.connection().execute(_SENT, {"ids": ids, "uids": uids, "at": now})


def mark_failed(
    database: Database,
    claimed: LetterToSend,
    now: datetime,
    trouble: str,
    *,
    for_good: bool = False,
) -> None:
    """Record a failed try: retry with back-off, or hold the letter after the last try or a
    permanent failure.
    """
    hold = for_good or claimed.tries > len(BACK_OFF)
    pause = BACK_OFF[min(claimed.tries, len(BACK_OFF)) - 1]
    wait = timedelta(seconds=min(pause, LONGEST_LINK_PAUSE) if claimed.kind == "signin" else pause)
    with database.write_tx() as session:
        if session.exec(select(Letter.uid).where(Letter.id == claimed.id)).first() == claimed.uid:
            QUEUE.retry_at(
                session,
                claimed.id,
                now + wait,
                state="held" if hold else "waiting",
                trouble=trouble[:300],
            )


def give_back(database: Database, claimed: Sequence[LetterToSend], now: datetime) -> None:
    """End the leases of letters that were claimed together and not begun, so that any worker may
    send them at once.
    """
    with database.write_tx() as session:
        QUEUE.give_back(session, [each.id for each in claimed], claimed[0].until, now)


_RETURNED = and_(
    col(Letter.state) == "bounced",
    or_(col(Letter.player_id).is_(None), col(Player.bounced_at).is_not(None)),
)
_UNDELIVERED = (
    select(Letter)
    .join(Player, isouter=True, onclause=col(Letter.player_id) == col(Player.id))
    .where(col(Letter.match_id) == bindparam("match"), or_(col(Letter.state) == "held", _RETURNED))
    .order_by(col(Letter.id))
)


def undelivered_letters(session: Session, match: Match) -> list[Letter]:
    """Return the undelivered letters of a match: held, or bounced and letters to the address have
    not arrived again since.
    """
    return list(session.exec(_UNDELIVERED, params={"match": match.id}))
