"""Letters written at the local mailbox: composed as by a mail program, and delivered to the real
inbox by SMTP or LMTP.
"""

import re
import smtplib
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from urllib.parse import urlsplit

from adjudicator.mail import addresses
from adjudicator.mail.composing.headers import POLICY, one_line
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.platform.config import Settings

LONGEST = 20_000  # characters typed
_SECONDS = 10.0
_PORTS = {"smtp": 25, "lmtp": 24}
_ENHANCED = re.compile(r"^\d\.\d{1,3}\.\d{1,3} ")
_HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 compared, not bound


class NotHanded(Exception):
    """The inbox did not accept the letter; the message is a sentence that says why."""


def make_reply(letter: Posted, text: str, *, uid: str, at: datetime) -> EmailMessage:
    """Return the answer to a letter: the typed text above the quoted letter. Raises ValueError, a
    sentence, for an invalid text.
    """
    head = f"On {at:%a, %d %b %Y} at {at:%H:%M}, {letter.sender} wrote:"
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.text.rstrip().splitlines())
    subject = (
        letter.subject if letter.subject.lower().startswith("re:") else f"Re: {letter.subject}"
    )
    message = _letter(
        letter.reader, letter.answer_to, f"{_typed(text)}\n\n{head}\n{quoted}\n", uid=uid, at=at
    )
    message["Subject"] = one_line(subject)
    if letter.message_id:
        message["In-Reply-To"] = letter.message_id
        message["References"] = " ".join(f"{letter.references} {letter.message_id}".split())
    return message


def make_letter(
    settings: Settings, sender: str, text: str, *, uid: str, at: datetime
) -> EmailMessage:
    """Return a letter to the service itself; raises ValueError, a sentence, for an invalid sender
    or text.
    """
    try:
        plain = addresses.checked_address(sender.strip()).addr_spec
    except ValueError as fault:
        raise ValueError(
            "Write an address to send it from, such as alice@example.org: the answer goes there."
        ) from fault
    message = _letter(
        plain, addresses.service_address(settings).addr_spec, f"{_typed(text)}\n", uid=uid, at=at
    )
    message["Subject"] = one_line(text.strip().splitlines()[0])[:60]
    return message


def _typed(text: str) -> str:
    """Return what was typed with \\n line ends; raises ValueError, a sentence, where it is empty or
    too long.
    """
    lines = "\n".join(text.split("\r\n")).strip()
    if not lines:
        raise ValueError("Write something first.")
    if len(lines) > LONGEST:
        raise ValueError(f"That is longer than {LONGEST:,} characters; send less of it.")
    return lines


def _letter(sender: str, to: str, body: str, *, uid: str, at: datetime) -> EmailMessage:
    message = EmailMessage(POLICY)
    message["From"], message["To"] = Address(addr_spec=sender), Address(addr_spec=to)
    message["Date"] = at
    message["Message-ID"] = f"<{uid}@{sender.rpartition('@')[2]}>"
    message.set_content(body, cte="quoted-printable")
    return message


def hand_over(inbox_url: str, message: EmailMessage) -> None:
    """Deliver a letter to the inbox; it is stored when this returns. Raises NotHanded."""
    where = urlsplit(inbox_url)
    host, port = where.hostname or "", where.port or _PORTS[where.scheme]
    sender, to = (message[name].addresses[0].addr_spec for name in ("From", "To"))
    try:
        with (smtplib.LMTP if where.scheme == "lmtp" else smtplib.SMTP)(
            _HERE.get(host, host), port, timeout=_SECONDS
        ) as client:
            client.sendmail(sender, [to], message.as_bytes())
    except smtplib.SMTPRecipientsRefused as refused:
        _code, reason = next(iter(refused.recipients.values()))
        raise NotHanded(f"The inbox did not take it: {_words(reason)}.") from refused
    except smtplib.SMTPResponseException as answer:
        raise NotHanded(f"The inbox did not take it: {_words(answer.smtp_error)}.") from answer
    except (OSError, smtplib.SMTPException) as fault:
        raise NotHanded(
            "The inbox does not answer just now, so nothing was handed over. Try again in a moment."
        ) from fault


def _words(reason: bytes | str) -> str:
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
    return _ENHANCED.sub("", " ".join(text.split())).rstrip(".")[:300]
