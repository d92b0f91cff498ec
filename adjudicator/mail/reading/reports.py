"""What mail servers report: letters of ours that did not arrive (RFC 3464, and servers of their own ways), and complaints (RFC 5965)."""

import contextlib
import email
import re
from collections.abc import Iterator

from adjudicator.mail.reading import fields, headers, parts
from adjudicator.mail.reading.headers import Headers
from adjudicator.mail.reading.letter_text import Bounce, Complaint
from adjudicator.mail.reading.parts import MimePart
from adjudicator.mail.reading.reply_text import one_line

MOST_BOUNCES = 50
_LARGEST_ODD = 128 * 1024  # bytes of a report in no standard form that are looked at
_MOST_LINES = 3000
_RETURNED = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "text/rfc822", "message/global", "message/global-headers")
_ABUSE = {"abuse", "fraud", "virus", "other", "opt-out", "opt-out-list", "miscategorized", ""}
_STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")
_REPLY_CODE = re.compile(r"(?<![\d.])([45])[0-5]\d[ -]")
_ID_FIELD = re.compile(rb"^[> \t]*Message-ID:\s*(<[!-;=?-~]{1,250}>)", re.IGNORECASE | re.MULTILINE)
_DAEMON = re.compile(r"mailer-?daemon|postmaster|mail-?daemon|mail delivery", re.IGNORECASE)
_FAILED_SUBJECT = re.compile(
    r"undeliver|returned mail|delivery (?:status|failure|has failed|problem|report)|failure notice|mail delivery|unzustellbar|non remis|"
    r"mail system error|delayed",
    re.IGNORECASE,
)
_LATE = re.compile(
    r"\bdelayed\b|warning message only|do not need to resend|not yet been delivered|will (?:be retried|retry|continue to try)|"
    r"will keep trying|still being retried|could not send message for past|delivery (?:is )?delayed|\(delay\)",
    re.IGNORECASE,
)
_OUR_TEXT = re.compile(
    r"^.{0,20}(?:original message|copy of (?:your|the) message|message headers? follow|below this line).*$", re.IGNORECASE | re.MULTILINE
)
_BY_DMA = re.compile(r"There was an error delivering your mail to (<[^<>\s]{3,320}>)")  # the DragonFly Mail Agent
_BY_HOTMAIL = re.compile(r"staff@(?:hotmail|outlook|live|msn)\.|complaint about message from", re.IGNORECASE)


def complaint(root: MimePart) -> Complaint | None:
    """Return the complaint that this letter reports, None where it reports none."""
    if (told := _of_hotmail(root)) is not None:
        return told
    for part in root.walk():
        if part.kind == "message/feedback-report":
            report = _blocks(part)[0] if _blocks(part) else Headers(())
            if report.first("feedback-type").lower() not in _ABUSE:
                return None
            original = _returned(root)
            named = report.first("original-rcpt-to") or report.first("removal-recipient") or original.first("to")
            return Complaint(next(iter(fields.addresses(named)), "")[:320], _message_id(original))
    return None


def _of_hotmail(root: MimePart) -> Complaint | None:
    """Return the complaint in a letter of Outlook.com's Junk Mail Reporting Program: ours, enclosed, with whose it was above it."""
    if not _BY_HOTMAIL.search(f"{root.headers.first('from')} {root.headers.text('subject')}"):
        return None
    original = _returned(root)
    named = original.first("x-hmxmroriginalrecipient") or root.headers.first("x-hmxmroriginalrecipient")
    if not named:
        return None
    return Complaint(next(iter(fields.addresses(named)), "")[:320], _message_id(original))


def bounces(root: MimePart, raw: bytes, sender: str) -> tuple[Bounce, ...]:
    """Return what this letter says of letters of ours that did not arrive, nothing where it is no such report."""
    found = [
        each
        for part in root.walk()
        if part.kind in ("message/delivery-status", "message/global-delivery-status")
        for each in _standard(part, root)
    ]
    reports = any(part.kind in ("message/delivery-status", "message/global-delivery-status") for part in root.walk())
    if not reports and _is_odd(root, sender):
        found = list(_odd(root, raw))
    return tuple(list(dict.fromkeys(found))[:MOST_BOUNCES])


def _standard(part: MimePart, root: MimePart) -> Iterator[Bounce]:
    """RFC 3464: a block for the report, then one for each recipient."""
    message_id = _message_id(_returned(root))
    for block in _blocks(part)[:MOST_BOUNCES]:
        action = block.first("action").partition(" ")[0].partition(";")[0].strip().lower()
        named = block.first("original-recipient") or block.first("final-recipient")
        address = next(iter(fields.addresses(named.partition(";")[2] or named)), "")
        status = _STATUS.search(block.first("status"))
        code = status[1] if status else ""
        if action in ("failed", "delayed") or (not action and code[:1] in ("4", "5") and code):
            said = block.first("diagnostic-code")
            code = code or _code_in(said)
            final = action == "failed" or (not action and code.startswith("5"))
            yield Bounce(address[:320], code[:15], final, _said(re.sub(r"^\s*[\w-]+\s*;", "", said)), message_id)


def _blocks(part: MimePart) -> list[Headers]:
    """Return the blocks of fields in a report, those without a field left out."""
    text = part.data().replace(b"\r\n", b"\n").replace(b"\r", b"\n").strip(b"\n")
    pieces = re.split(rb"\n(?:[ \t]*\n)+", text, maxsplit=MOST_BOUNCES + 1)[: MOST_BOUNCES + 1]
    blocks = [headers.split(piece + b"\n\n")[0] for piece in pieces]
    return [block for block in blocks if block.fields]


def _returned(root: MimePart) -> Headers:
    """Return the header of the letter that came back, which servers enclose whole or in part."""
    return next((parts.embedded(part) for part in root.walk() if part.kind in _RETURNED), Headers(()))


def _message_id(headers: Headers) -> str:
    return next(iter(fields.ids(headers.first("message-id"))), "")


def _is_odd(root: MimePart, sender: str) -> bool:
    head = root.headers
    null = any(re.fullmatch(r"<\s*>", each) for each in head.all("return-path"))
    daemon = bool(_DAEMON.search(sender.partition("@")[0] or head.first("from")))
    failed = head.has("x-failed-recipients") or root.kind == "multipart/report" or bool(_FAILED_SUBJECT.search(head.text("subject")))
    return failed and (null or daemon)


def _odd(root: MimePart, raw: bytes) -> Iterator[Bounce]:
    """Reports in no standard form: Exim's header, else what flufl.bounce knows of Exchange, qmail and others."""
    text = raw[:_LARGEST_ODD].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    code, said = _STATUS.search(text), _why(text)
    ids = _ID_FIELD.findall(raw[:_LARGEST_ODD])
    own_id = root.headers.first("message-id")
    message_id = next((each.decode("ascii", "ignore") for each in ids if each.decode("ascii", "ignore") != own_id), "")
    named = fields.addresses(root.headers.first("x-failed-recipients"))
    temporary, permanent = ([], named) if named else _guessed(raw)
    if not (temporary or permanent):
        permanent = fields.addresses(found[1]) if (found := _BY_DMA.search(text)) else []
    if _is_warning(root, text):
        temporary, permanent = [*temporary, *permanent], []
    for addresses, final in ((temporary, False), (permanent, True)):
        for address in addresses:
            fitting = code[1] if code and (code[1][0] == "5") is final else ""
            yield Bounce(address[:320], fitting, final, said, message_id)


def _is_warning(root: MimePart, text: str) -> bool:
    """Whether a report only says that a letter is late: servers that write freely say so in its subject or its first lines."""
    body = text.partition("\n\n")[2]
    return bool(_LATE.search(root.headers.text("subject")) or _LATE.search(_OUR_TEXT.split(body, maxsplit=1)[0][:3000]))


def _code_in(said: str) -> str:
    """Return the status that a server's words tell, "" where they tell none: `450 4.2.0 ...`, or of `450 ...` the class alone."""
    status, reply = _STATUS.search(said), _REPLY_CODE.search(said)
    return status[1] if status else f"{reply[1]}.0.0" if reply else ""


def _guessed(raw: bytes) -> tuple[list[str], list[str]]:
    """Return the addresses that a report names as delayed and as failed; none where no detector knows its form."""
    import flufl.bounce  # heavy, and hardly any report needs it

    text = b"\n".join(line[:500] for line in raw[:_LARGEST_ODD].replace(b"\r\n", b"\n").split(b"\n")[:_MOST_LINES])
    with contextlib.suppress(ValueError, LookupError, TypeError, AttributeError, UnicodeError, AssertionError):
        temporary, permanent = flufl.bounce.all_failures(email.message_from_bytes(text))
        return _read(temporary), _read(permanent)
    return [], []


def _read(found: frozenset[bytes]) -> list[str]:
    return sorted({address for each in found for address in fields.addresses(each.decode("utf-8", "replace"))})


def _why(text: str) -> str:
    """Return the line in which a server says why: one with a code."""
    body = text.partition("\n\n")[2]
    lines = (line for line in body.split("\n")[:200] if _STATUS.search(line) or _REPLY_CODE.search(line))
    return _said(next(lines, ""))


def _said(text: str) -> str:
    return one_line(text, 200)
