"""A letter's bytes to what it says: the one way through this room, run in the child only."""

import hashlib

from adjudicator.mail.reading import automatic, body, correspondents, fields, parts, reply_text, reports
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from adjudicator.mail.reading.parts import MimePart
from adjudicator.mail.reading.wordlists import any_of, compiled

_MOST_REFERENCES = 20
_RE = compiled(
    rf"\s*(?:\[(?:external|extern|ext|spam\??|\*+spam\*+)\]|{any_of('reply_marks')}\s*(?:\[\d{{1,3}}\]|\(\d{{1,3}}\)|\^\d{{1,3}})?\s*[:：])\s*"
)


def read(raw: bytes) -> LetterText:
    """Return what a letter says. Raises Unreadable, and MemoryError or RecursionError where the limits are reached."""
    root = parts.tree(raw)
    sender, name = fields.one_address(root.headers.all("from"))
    subject = root.headers.text("subject")
    why = automatic.why_automatic(root.headers, root.kind, sender)
    complaint = reports.complaint(root)
    bounces = () if complaint else reports.bounces(root, raw, sender)
    told = _text(root, lenient=bool(why or bounces or complaint))
    wrote = reply_text.own(told.text, name or sender.partition("@")[0], correspondents.of(root.headers, sender))
    bare = _bare(subject)
    return LetterText(
        lines=tuple(wrote.lines), passed_over=tuple(wrote.passed_over), sender=sender[:320], subject=reply_text.one_line(bare, 200),
        message_id=next(iter(fields.ids(root.headers.first("message-id"))), ""), refers_to=_refers_to(root),
        automatic=why or automatic.why_away(bare, wrote.lines), bounces=bounces, complaint=complaint,
        cut=wrote.cut or (told.cut and not wrote.ended), digest=_digest(root, sender, subject, told.text),
    )  # fmt: skip


def _text(root: MimePart, *, lenient: bool) -> body.Text:
    """Return the text; a program's letter need not have one."""
    try:
        return body.text_of(root)
    except Unreadable:
        if lenient:
            return body.Text()
        raise


def _bare(subject: str) -> str:
    """Return a subject without the words that mail programs set before it."""
    bare = subject[:1000]
    for _ in range(20):
        found = _RE.match(bare)
        if not found:
            break
        bare = bare[found.end() :]
    return bare


def _refers_to(root: MimePart) -> tuple[str, ...]:
    nearest = [*fields.ids(root.headers.first("in-reply-to")), *reversed(fields.ids(root.headers.first("references")))]
    return tuple(list(dict.fromkeys(nearest))[:_MOST_REFERENCES])


def _digest(root: MimePart, sender: str, subject: str, text: str) -> str:
    """What no mail server on the way changes."""
    settled = "\n".join(line.rstrip() for line in text.strip().split("\n"))
    told = (root.headers.first("message-id"), sender, root.headers.first("date"), subject, settled)
    return hashlib.sha256("\0".join(told).encode("utf-8", "replace")).hexdigest()
