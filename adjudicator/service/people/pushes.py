"""Push messages: the browsers that players asked to be told on, and the messages that wait, each
encrypted to its browser.

Whoever changes a browser, or messages of one, locks the browser first, several in the order of
their ids (`_lock`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, delete, or_, select

from adjudicator.platform.db import Database
from adjudicator.platform.net.outside import CannotFetch, check_address
from adjudicator.seal.web_push import BrowserKeys, encoded
from adjudicator.service.base.due.lease_queue import LeaseQueue
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.memory import OF
from adjudicator.service.base.rows import count_rows, hold_player, one_at_a_time
from adjudicator.service.base.tables import Letter, Match, PushBrowser, PushMessage, WorkerKeys
from adjudicator.service.letters.outbox import SENT_ALL_THE_SAME
from adjudicator.service.requests.acts import act

MOST_BROWSERS = 5  # of one player; one more takes the place of the oldest
MOST_WAITING = 20  # messages of one browser; further ones are left out
MOST_FAILURES = 6  # in a row, over two hours; then the browser is forgotten
LONGEST_ADDRESS = 1000
LASTS = timedelta(hours=24)  # then a message is out of date
LEASE = timedelta(minutes=1)
# seconds until a browser that could not be reached is tried again
BACK_OFF = (30, 120, 600, 1800, 3600)
QUEUE = LeaseQueue(PushMessage, col(PushMessage.id).is_not(None), LEASE)
# letters whose players are told, and their browsers: of none that its player asked for, which are
# answers, receipts and sign-in links
_TOLD = (
    select(Letter.id, Match.uid, PushBrowser)
    .join(PushBrowser, onclause=col(Letter.player_id) == col(PushBrowser.player_id))
    .join(Match, isouter=True)
    .where(col(Letter.id).in_(OF), col(Letter.kind).not_in(SENT_ALL_THE_SAME))
    .where(col(Letter.receipt_id).is_(None), col(Letter.incoming_id).is_(None))
)
# statuses of a push service that no longer knows the browser (RFC 8030)
_GONE = frozenset({404, 410})


@dataclass(frozen=True)
class BrowserGiven:
    """What a browser says of itself: its address at its push service, and its keys in base64url."""

    address: str
    public: str
    secret: str


@dataclass(frozen=True)
class Browser:
    """A browser that a message can be encrypted to."""

    id: int
    keys: BrowserKeys


@dataclass(frozen=True)
class MessageToPush:
    """A message that this worker may deliver until its lease ends."""

    id: int
    browser_id: int
    address: str  # of the browser at its push service
    body: bytes


def public_key(session: Session) -> str:
    """Return the key by which browsers know this service, in base64url; "" while no worker has
    started since the upgrade.
    """
    found = session.exec(select(WorkerKeys.push_key).order_by(col(WorkerKeys.id).desc())).first()
    return encoded(found) if found else ""


def add_browser(database: Database, player_id: int, given: BrowserGiven, *, now: datetime) -> None:
    """Tell a player on this browser from now on; one that another player used changes hands.

    Raises Refused for keys that are none, and for an address that is not a public one of https,
    NotAllowed for an erased player.
    """
    try:
        keys = BrowserKeys.read(given.public, given.secret)
    except ValueError as error:
        raise Refused("This browser’s keys could not be read; nothing was changed.") from error
    try:
        address = check_address(given.address, longest=LONGEST_ADDRESS)
    except CannotFetch as error:
        raise Refused(f"This browser’s push service cannot be used: {error}") from error
    with database.write_tx() as session:
        hold_player(session, player_id)
        one_at_a_time(session, address)
        there = _lock(
            session,
            or_(col(PushBrowser.address) == address, col(PushBrowser.player_id) == player_id),
        )
        others = [browser.id for browser in there if browser.address != address]
        _forget(
            session,
            [
                *(browser.id for browser in there if browser.address == address),
                *others[: 1 - MOST_BROWSERS],
            ],
        )
        session.add(
            PushBrowser(
                player_id=player_id,
                address=address,
                public=keys.public,
                secret=keys.secret,
                made_at=now,
            )
        )


@act
def remove_browsers(session: Session, player_id: int, address: str | None = None) -> None:
    """Tell a player no longer on the browser of this address, or on any."""
    own = col(PushBrowser.player_id) == player_id
    there = _lock(session, own if address is None else own & (col(PushBrowser.address) == address))
    _forget(session, [browser.id for browser in there])


def count_browsers(session: Session, player_id: int) -> int:
    """Return on how many browsers a player is told."""
    return count_rows(session, PushBrowser, PushBrowser.player_id == player_id)


def _lock(session: Session, which: ColumnElement[bool]) -> list[PushBrowser]:
    """Lock the browsers of this condition until the transaction ends; return those that are left,
    the oldest first.
    """
    wanted = select(PushBrowser).where(which).order_by(col(PushBrowser.id))
    return list(session.exec(wanted.with_for_update().execution_options(populate_existing=True)))


def _forget(session: Session, browsers: list[int | None]) -> None:
    """Delete browsers that the caller has locked, with their messages."""
    session.exec(delete(PushMessage).where(col(PushMessage.browser_id).in_(browsers)))
    session.exec(delete(PushBrowser).where(col(PushBrowser.id).in_(browsers)))


# --- messages


def browsers_for(session: Session, letter_ids: Collection[int]) -> list[tuple[int, str, Browser]]:
    """Return the browsers to tell of letters, with the letter's id and the path of its match's
    page, or of the home page; none for what its player asked for.
    """
    return [
        (
            letter_id or 0,
            f"/matches/{uid}" if uid else "/",
            Browser(row.id, BrowserKeys(row.public, row.secret)),
        )
        for letter_id, uid, row in session.exec(_TOLD, params={"of": list(letter_ids)})
    ]


def put_messages(database: Database, bodies: Mapping[int, bytes], *, now: datetime) -> None:
    """Let encrypted messages wait for delivery, by browser, unless too many do or the browser was
    removed meanwhile.
    """
    with database.write_tx() as session:
        for browser in _lock(session, col(PushBrowser.id).in_(bodies)):
            own = PushMessage.browser_id == browser.id
            if count_rows(session, PushMessage, own) < MOST_WAITING:
                next_try = max(now, browser.next_try or now)
                session.add(
                    PushMessage(
                        browser_id=browser.id,
                        body=bodies[browser.id],
                        made_at=now,
                        next_try=next_try,
                    )
                )


def waiting_messages(session: Session, now: datetime, *, most: int = 20) -> list[int]:
    """Return the ids of messages that may be delivered now, the longest waiting first."""
    due = (
        select(PushMessage.id)
        .where(PushMessage.next_try <= now)
        .order_by(col(PushMessage.next_try), col(PushMessage.id))
    )
    return list(session.exec(due.limit(most)))


def claim_message(database: Database, message_id: int, now: datetime) -> MessageToPush | None:
    """Lease a message; None if another worker has it, its browser is to be left alone for now, or
    it was out of date and is gone.
    """
    with database.write_tx() as session:
        row = QUEUE.claim(session, message_id, now)
        if row is None:
            return None
        browser = session.get_one(PushBrowser, row.browser_id)
        if row.made_at + LASTS <= now:
            session.delete(row)
            return None
        if browser.next_try is not None and browser.next_try > now:
            row.next_try = browser.next_try
            return None
        return MessageToPush(message_id, row.browser_id, browser.address, row.body)


def settle_message(database: Database, message: MessageToPush, status: int, now: datetime) -> None:
    """Record the answer of a push service, 0 for none.

    Taken (2xx): the message is gone. Unknown browser (404, 410), or MOST_FAILURES in a row: the
    browser is forgotten. A message that is refused for itself (another 4xx) is gone. Else all
    messages of the browser wait, longer each time.
    """
    with database.write_tx() as session:
        browser = next(iter(_lock(session, col(PushBrowser.id) == message.browser_id)), None)
        if browser is None:
            return
        taken = 200 <= status < 300
        browser.failures = 0 if taken else browser.failures + 1
        if status in _GONE or browser.failures >= MOST_FAILURES:
            _forget(session, [browser.id])
        elif taken or (400 <= status < 500 and status not in (408, 429)):
            browser.next_try = None
            session.exec(delete(PushMessage).where(col(PushMessage.id) == message.id))
        else:
            browser.next_try = now + timedelta(
                seconds=BACK_OFF[min(browser.failures, len(BACK_OFF)) - 1]
            )
            QUEUE.retry_at(session, message.id, browser.next_try)
