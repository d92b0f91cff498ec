"""Posting: claim letters, compose them, send them, mark them. Delivery is at least once, always
under the same Message-ID.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import jinja2
import structlog

from adjudicator.mail import addresses
from adjudicator.mail.composing import pictures
from adjudicator.mail.composing.compose import Show, compose_letter
from adjudicator.mail.composing.mime import WrittenLetter
from adjudicator.mail.sending import push, signing
from adjudicator.mail.sending.mailbox import LocalMailbox
from adjudicator.mail.sending.smtp import LONGEST, MailServer, NotSent
from adjudicator.platform import clock, failpoints
from adjudicator.platform.config import Settings
from adjudicator.platform.db import FAULTS, WAIT_SECONDS, Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.letters import bounces, outbox
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.posting import claims

MARK_AFTER = 0.1  # seconds after the first of the letters that are marked together
MARK_SECONDS = 30.0
# a report that has waited so long for its first try goes out without a picture that must be drawn
TEXT_AFTER = timedelta(seconds=45)
# the last mark may wait for the database, too
LONGEST_SENDING = timedelta(seconds=LONGEST + MARK_AFTER + MARK_SECONDS + WAIT_SECONDS)
WRITING_FAULTS = (
    jinja2.TemplateError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
)

log = structlog.get_logger()


class Carrier:
    """Delivers letters to the mail server, or to the local mailbox while none is set; not shared
    between processes.

    Creating one raises signing.DkimKeyError where the DKIM key cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._mailbox = LocalMailbox(settings.data_dir / "mailbox")
        self._server = (
            None if settings.local_mailbox else MailServer(settings.smtp_url.get_secret_value())
        )
        self._signer = signing.load_signer(settings)

    def hand_over(self, letter: LetterToSend, message: WrittenLetter, now: datetime) -> None:
        """Send one letter; `await_answer` tells whether it was taken. Raises NotSent."""
        if self._server is not None:
            signature = self._signer.sign(message.content, now) if self._signer else b""
            own, recipient = self._own_address(letter), message.recipient
            self._server.hand_over(
                signature + message.content,
                sender="" if _answers(letter) else own,
                recipient=recipient,
                instead=own,
            )
            return
        try:
            self._mailbox.post(message)
        except OSError as error:
            raise NotSent(f"the local mailbox cannot be written: {error.strerror}") from error

    def await_answer(self) -> None:
        """Wait until the letter that was handed over last is taken. Raises NotSent."""
        if self._server is not None:
            self._server.await_answer()

    def _own_address(self, letter: LetterToSend) -> str:
        """Return the envelope sender for bounces: an address that identifies the letter, or the
        service's own where nothing is to.
        """
        if not (self._settings.answerable and letter.return_token):
            return addresses.service_address(self._settings).addr_spec
        return addresses.token_address(
            self._settings, addresses.BOUNCE + letter.return_token
        ).addr_spec

    def rest(self) -> None:
        """Close an idle connection."""
        if self._server is not None:
            self._server.rest()

    def close(self) -> None:
        """Close the connection."""
        if self._server is not None:
            self._server.close()


@dataclass(frozen=True)
class PostRoom:
    """What posting needs."""

    settings: Settings
    database: Database
    keyring: Keyring
    carrier: Carrier
    now: Callable[[], datetime]
    show: Show = pictures.show_view


def post_letters(room: PostRoom, letter_ids: Sequence[int], *, until: float = math.inf) -> int:
    """Post letters; return how many this call sent. None is begun after `until` but the first; the
    rest is given back.

    1. Claim the letters: take their leases and open what they say.
    2. Compose each, while the mail server takes the one before, and send it, unless its lease could
       end meanwhile.
    3. Mark them as sent, all that were sent within MARK_AFTER together: what is not marked when
       this process dies goes out again.

    A fault of a letter is recorded in its row: it is tried again later, or held and shown to the
    host. No match is touched.
    """
    claimed = claims.claim_letters(room.database, room.keyring, letter_ids, room.now())
    sent = _Sent(room)
    try:
        for place, letter in enumerate(claimed):
            message = _compose(room, letter, sent)
            sent.await_answer()
            if place and clock.monotonic() > until:
                sent.mark()
                outbox.give_back(room.database, claimed[place:], room.now())
                break
            if message is not None:
                _hand_over(room, letter, message, sent)
        sent.await_answer()
    finally:
        # also where the database's clock cannot be asked for the next letter, or the task's time is
        # over
        sent.mark()
        sent.await_answer()
        sent.mark()
    return sent.count


class _Sent:
    """Letters that were sent, and not marked yet; and one that was handed over, and not answered
    yet.
    """

    def __init__(self, room: PostRoom) -> None:
        self.count = 0
        self._room, self._since = room, 0.0
        self._unmarked: list[LetterToSend] = []
        self._subjects: dict[int, str] = {}
        self._handed: tuple[LetterToSend, str] | None = None

    def hand(self, letter: LetterToSend, subject: str) -> None:
        """Take a letter that the mail server has not answered yet."""
        self._handed = letter, subject

    def await_answer(self) -> None:
        """Wait until the letter that was handed over is taken, or note why it was not; nothing
        where none was.
        """
        handed, self._handed = self._handed, None
        if handed is None:
            return
        try:
            self._room.carrier.await_answer()
        except NotSent as trouble:
            self.mark()
            _note_trouble(self._room, handed[0], trouble)
            return
        failpoints.kill_here("post.after_send")
        self._add(*handed)

    def _add(self, letter: LetterToSend, subject: str) -> None:
        """Take a letter that was sent; mark it with those before it once MARK_AFTER is over."""
        self.count += 1
        self._since = self._since if self._unmarked else clock.monotonic()
        self._unmarked.append(letter)
        self._subjects[letter.id] = subject
        if clock.monotonic() - self._since >= MARK_AFTER:
            self.mark()

    def mark(self) -> None:
        """Mark all of them, before anything else is written about letters."""
        marked, subjects = self._unmarked, self._subjects
        if not marked:
            return
        self._unmarked, self._subjects = [], {}
        _mark(self._room.database, marked, self._room.now)
        _tell_browsers(self._room.database, subjects, self._room.now)
        for letter in marked:
            log.info("letter.sent", letter=letter.uid, kind=letter.kind)
        failpoints.kill_here("post.after_mark")


def _compose(room: PostRoom, letter: LetterToSend, sent: _Sent) -> WrittenLetter | None:
    """Return the letter as it is sent; None where it cannot be written, which its row records."""
    try:
        return compose_letter(
            room.settings, letter, pictures.show_kept if _is_late(letter) else room.show
        )
    except WRITING_FAULTS as fault:
        log.error(
            "letter.not_written", letter=letter.uid, kind=letter.kind, fault=type(fault).__name__
        )
        sent.mark()
        outbox.mark_failed(
            room.database,
            letter,
            room.now(),
            f"the letter could not be written: {_fault_text(fault)}",
        )
        return None


def _hand_over(room: PostRoom, letter: LetterToSend, message: WrittenLetter, sent: _Sent) -> None:
    failpoints.kill_here("post.before_send")
    now = room.now()
    # this process was suspended: another may be sending it by now
    if now + LONGEST_SENDING > letter.until:
        log.warning("letter.lease_over", letter=letter.uid, kind=letter.kind)
        return
    try:
        room.carrier.hand_over(letter, message, now)
    except NotSent as trouble:
        sent.mark()
        _note_trouble(room, letter, trouble)
        return
    sent.hand(letter, message.subject)


def _is_late(letter: LetterToSend) -> bool:
    """Whether so many reports wait that drawing for this one would delay those behind it; a retry
    waits for other reasons.
    """
    return (
        letter.kind == "report"
        and letter.tries == 1
        and letter.until - outbox.LEASE - letter.made_at > TEXT_AFTER
    )


def _note_trouble(room: PostRoom, letter: LetterToSend, trouble: NotSent) -> None:
    reason = str(trouble).replace(letter.address, "the address")
    log.warning(
        "letter.not_sent", letter=letter.uid, kind=letter.kind, tries=letter.tries, trouble=reason
    )
    if trouble.unknown:
        bounces.refused(room.database, letter, reason, now=room.now())
    else:
        outbox.mark_failed(room.database, letter, room.now(), reason, for_good=trouble.for_good)


def _tell_browsers(
    database: Database, subjects: Mapping[int, str], now: Callable[[], datetime]
) -> None:
    """Let push messages of letters that are sent wait; a fault of the database loses them alone."""
    try:
        push.put_pushes(database, subjects, now())
    except FAULTS as fault:
        log.warning("push.not_put", letters=len(subjects), fault=type(fault).__name__)


def _answers(letter: LetterToSend) -> bool:
    """Whether it answers a letter: then its envelope sender is empty, so that no program answers it
    (RFC 3834, 3.1).
    """
    return "in_reply_to" in letter.context


def _mark(database: Database, letters: Sequence[LetterToSend], now: Callable[[], datetime]) -> None:
    """Mark letters as sent, with retries while the database fails: unmarked they would be sent
    again when their leases end.
    """
    until, wait = clock.monotonic() + MARK_SECONDS, 0.1
    while True:
        try:
            return outbox.mark_sent(database, letters, now())
        except FAULTS as fault:
            if clock.monotonic() + wait > until:
                for letter in letters:
                    log.error(
                        "letter.not_marked",
                        letter=letter.uid,
                        kind=letter.kind,
                        fault=type(fault).__name__,
                    )
                raise
        clock.sleep(wait)
        wait = min(wait * 2, 5.0)


def _fault_text(fault: BaseException) -> str:
    """Describe a fault for the host without revealing what the letter says."""
    return (
        f"{type(fault).__name__}: {fault}"
        if isinstance(fault, jinja2.TemplateError)
        else type(fault).__name__
    )
