"""Parses a letter: its bytes to what it says. `parse_letter` is the entry point of this room and
runs in the child only.
"""

import hashlib

from adjudicator.mail.reading import automatic, gestures, reply_text
from adjudicator.mail.reading.bodies.part_text import Text, text_of
from adjudicator.mail.reading.headers import find_correspondents, find_ids, media_type, one_address
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from adjudicator.mail.reading.orderlike import any_of, compile_text
from adjudicator.mail.reading.parts import MimePart, parse_head, parse_parts

_MOST_REFERENCES = 20
_RE = compile_text(
    rf"\s*(?:\[(?:external|extern|ext|spam\??|\*+spam\*+)\]|{any_of('reply_marks')}\s*(?:\[\d{{1,3}}\]|\(\d{{1,3}}\)|\^\d{{1,3}})?\s*[:：])\s*"
)


def parse_letter(raw: bytes) -> LetterText:
    """Return what a letter says. Raises Unreadable, and MemoryError or RecursionError where the
    limits are reached.
    """
    junk = _recognise_automatic(raw)
    if junk is not None:
        return junk
    root = parse_parts(raw)
    sender, name = one_address(root.headers.all("from"))
    subject = root.headers.text("subject")
    why = automatic.why_automatic(root.headers, root.kind, sender)
    complaint = automatic.find_complaint(root)
    bounces = () if complaint else automatic.find_bounces(root, raw, sender)
    text = _text_of_root(root, lenient=bool(why or bounces or complaint))
    wrote = reply_text.find_own_lines(
        text.text, name or sender.partition("@")[0], find_correspondents(root.headers, sender)
    )
    bare = reply_text.one_line(_bare(subject), 200)
    why = (
        why
        or gestures.why_pressed(root, wrote.lines, wrote.passed_over)
        or automatic.why_away(bare, wrote.lines)
    )
    return LetterText(
        lines=tuple(wrote.lines),
        passed_over=tuple(wrote.passed_over),
        sender=sender[:320],
        subject=bare,
        message_id=next(iter(find_ids(root.headers.first("message-id"))), ""),
        refers_to=_refers_to(root),
        automatic=why,
        bounces=bounces,
        complaint=complaint,
        struck=tuple(wrote.struck),
        unseen=tuple(wrote.unseen),
        cut=wrote.cut or (text.cut and not wrote.ended),
        digest=_digest(root, sender, subject, text.text),
    )


def _recognise_automatic(raw: bytes) -> LetterText | None:
    """Return what a letter says whose header alone tells that a program wrote it, and no report;
    None for any other.

    Such letters may come by the thousand and be large, and a closing waits for those to its seats:
    they are not taken apart.
    """
    head = parse_head(raw)
    sender, _ = one_address(head.all("from"))
    kind, _ = media_type(head)
    why = automatic.why_automatic(head, kind, sender)
    if not why or automatic.may_report(head, kind, sender):
        return None
    subject = head.text("subject")
    message_id = next(iter(find_ids(head.first("message-id"))), "")
    digest = hashlib.sha256(
        "\0".join((message_id, sender, head.first("date"), subject)).encode("utf-8", "replace")
    ).hexdigest()
    return LetterText(
        (),
        (),
        sender[:320],
        reply_text.one_line(_bare(subject), 200),
        message_id,
        (),
        why,
        digest=digest,
    )


def _text_of_root(root: MimePart, *, lenient: bool) -> Text:
    """Return the text of a letter; `lenient` allows a letter of a program to have none."""
    try:
        return text_of(root)
    except Unreadable:
        if lenient:
            return Text()
        raise


def _bare(subject: str) -> str:
    """Return a subject without `Re:` and the other marks that mail programs put before it."""
    bare = subject[:1000]
    for _ in range(20):
        found = _RE.match(bare)
        if not found:
            break
        bare = bare[found.end() :]
    return bare


def _refers_to(root: MimePart) -> tuple[str, ...]:
    nearest = [
        *find_ids(root.headers.first("in-reply-to")),
        *reversed(find_ids(root.headers.first("references"))),
    ]
    return tuple(list(dict.fromkeys(nearest))[:_MOST_REFERENCES])


def _digest(root: MimePart, sender: str, subject: str, text: str) -> str:
    """Return a hash of what no mail server on the way changes."""
    settled = "\n".join(line.rstrip() for line in text.strip().split("\n"))
    parts = (root.headers.first("message-id"), sender, root.headers.first("date"), subject, settled)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
