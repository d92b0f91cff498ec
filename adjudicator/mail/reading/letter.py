"""Parses a letter: its bytes to what it says. `parse_letter` is the entry point of this room and runs in the child only."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.reading import automatic, reply_text
from adjudicator.mail.reading.headers import find_correspondents, find_ids, one_address
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from adjudicator.mail.reading.orderlike import any_of, compile_text
from adjudicator.mail.reading.parts import LARGEST_TEXT, MimePart, parse_parts

_MOST_REFERENCES = 20
_RE = compile_text(
    rf"\s*(?:\[(?:external|extern|ext|spam\??|\*+spam\*+)\]|{any_of('reply_marks')}\s*(?:\[\d{{1,3}}\]|\(\d{{1,3}}\)|\^\d{{1,3}})?\s*[:：])\s*"
)
LONGEST = 300_000  # characters of a text
MOST_TEXTS = 8  # parts that are joined: some programs put pictures between lines
_RICH = {"text/html", "application/xhtml+xml"}
_PLAIN = {"text/plain", "text/enriched", "text/x-markdown", "text/markdown", "text"}
_EXCUSE = re.compile(
    r"(?:not support|requires?|view(?:ed)? (?:this|the|it)|enable|unterstützt kein|capable|able to (?:display|read|show)).{0,80}html|"
    r"html.{0,80}(?:not support|capable|required|to view|viewer|anzeigen)",
    re.IGNORECASE | re.DOTALL,
)
_HARMLESS = "\n\t\f\v\xa0\ufeff\u200b\u200c\u200d\xad\u3000\u2003\u2002\u2009\u202f"  # invisible, but usual in text
_SIGNED = "It is signed in a way that hides its text from this service; please send it without that signature."
_ENCRYPTED = "It is encrypted, and this service has no key for letters; please send it without encryption."
_DEEP = "Its text lies in more parts within parts than this service opens."
_BINARY = "It holds bytes that are no text."
_QUOTES = re.compile(r"^>*")
_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_PGP_ENCRYPTED = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """The text of a letter, and whether it was cut."""

    text: str = ""
    cut: bool = False


def parse_letter(raw: bytes) -> LetterText:
    """Return what a letter says. Raises Unreadable, and MemoryError or RecursionError where the limits are reached."""
    root = parse_parts(raw)
    sender, name = one_address(root.headers.all("from"))
    subject = root.headers.text("subject")
    why = automatic.why_automatic(root.headers, root.kind, sender)
    complaint = automatic.find_complaint(root)
    bounces = () if complaint else automatic.find_bounces(root, raw, sender)
    told = _text_of_root(root, lenient=bool(why or bounces or complaint))
    wrote = reply_text.find_own_lines(told.text, name or sender.partition("@")[0], find_correspondents(root.headers, sender))
    bare = _bare(subject)
    return LetterText(
        lines=tuple(wrote.lines), passed_over=tuple(wrote.passed_over), sender=sender[:320], subject=reply_text.one_line(bare, 200),
        message_id=next(iter(find_ids(root.headers.first("message-id"))), ""), refers_to=_refers_to(root),
        automatic=why or automatic.why_away(bare, wrote.lines), bounces=bounces, complaint=complaint,
        cut=wrote.cut or (told.cut and not wrote.ended), digest=_digest(root, sender, subject, told.text),
    )  # fmt: skip


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
    nearest = [*find_ids(root.headers.first("in-reply-to")), *reversed(find_ids(root.headers.first("references")))]
    return tuple(list(dict.fromkeys(nearest))[:_MOST_REFERENCES])


def _digest(root: MimePart, sender: str, subject: str, text: str) -> str:
    """Return a hash of what no mail server on the way changes."""
    settled = "\n".join(line.rstrip() for line in text.strip().split("\n"))
    told = (root.headers.first("message-id"), sender, root.headers.first("date"), subject, settled)
    return hashlib.sha256("\0".join(told).encode("utf-8", "replace")).hexdigest()


# --- the text of its parts


def text_of(part: MimePart) -> Text:
    """Return the text of a letter, "" where it has none. Raises Unreadable with a sentence on what its writer can do."""
    told = _part_text(part)
    found = told.text
    if not found.strip() and any(each.kind.startswith("multipart/") and not each.parts for each in part.walk()):
        raise Unreadable(_DEEP)
    sample = found[:5000]
    if sum(each == "\ufffd" or not (each.isprintable() or each in _HARMLESS) for each in sample) * 10 > max(len(sample), 100):
        raise Unreadable(_BINARY)
    return Text(found[:LONGEST], told.cut or len(found) > LONGEST)


def _part_text(part: MimePart) -> Text:
    if part.kind == "multipart/encrypted":
        raise Unreadable(_ENCRYPTED)
    if part.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        raise Unreadable(_SIGNED if part.parameters.get("smime-type", "").startswith("signed") else _ENCRYPTED)
    if part.kind == "multipart/alternative":
        return _preferred(part.parts)
    if part.kind in ("multipart/signed", "multipart/report"):
        return _part_text(part.parts[0]) if part.parts else Text()
    if part.parts:
        return _together(part.parts)
    return _leaf(part)


def _leaf(part: MimePart) -> Text:
    if part.attached or part.kind not in _RICH | _PLAIN:
        return Text()
    text, cut = part.text(), len(part.body) > LARGEST_TEXT
    if part.kind in _RICH:
        from adjudicator.mail.reading import markup  # slow to import, and most letters do not need it

        return Text(_without_pgp(markup.html_to_text(text)), cut or len(text) > markup.LARGEST)
    cut = cut or len(text) > LONGEST
    text = text[:LONGEST]
    if part.parameters.get("format", "").lower() == "flowed":
        text = _unflow(text, delete_spaces=part.parameters.get("delsp", "").lower() == "yes")
    return Text(_without_pgp(text), cut)


def _preferred(parts: Sequence[MimePart]) -> Text:
    """Return the text of the plain alternative; where that is empty or an excuse, the first one with text."""
    plain = [each for each in parts if each.kind in _PLAIN]
    for part in [*plain, *(each for each in parts if each.kind not in _PLAIN)]:
        told = _part_text(part)
        if told.text.strip() and not (part in plain and len(parts) > 1 and _is_excuse(told.text)):
            return told
    return Text()


def _is_excuse(text: str) -> bool:
    """Whether a plain part only says that the letter is HTML."""
    return len(text) < 400 and len(text.strip().splitlines()) <= 4 and bool(_EXCUSE.search(text))


def _together(parts: Sequence[MimePart]) -> Text:
    texts: list[Text] = []
    for part in parts:
        if len(texts) < MOST_TEXTS and not part.kind.startswith(("message/", "image/")):
            told = _part_text(part)
            texts += [told] if told.text.strip() else []
    return Text("\n".join(each.text for each in texts), any(each.cut for each in texts))


# --- plain text


def _unflow(text: str, *, delete_spaces: bool) -> str:
    """Return the text with flowed lines of the same quote depth joined (RFC 3676); `delete_spaces` is DelSp=yes."""
    out: list[str] = []
    open_depth = -1  # quote depth of the flowed line above, -1 for none
    for raw in text.split("\n"):
        depth = len(_QUOTES.match(raw)[0])  # type: ignore[index]  # it matches everything
        line = raw[depth:].removeprefix(" ")
        flows = line.endswith(" ") and line != "-- "
        kept = line[:-1] if flows and delete_spaces else line
        if depth == open_depth and line != "-- ":
            out[-1] += kept
        else:
            out.append(("> " if depth else "") + kept)
        open_depth = depth if flows else -1
        if len(out[-1]) > 4000:
            open_depth = -1
    return "\n".join(out)


def _without_pgp(text: str) -> str:
    """Return the text without the armour of an OpenPGP signature; raises Unreadable where it is encrypted."""
    if _PGP_ENCRYPTED.search(text) and _PGP_SIGNED not in text:
        raise Unreadable(_ENCRYPTED)
    if _PGP_SIGNED not in text:
        return text
    before, _, rest = text.partition(_PGP_SIGNED)
    _, _, covered = rest.partition("\n\n")
    covered, _, after = covered.partition(_PGP_SIGNATURE)
    _, _, after = after.partition("-----END PGP SIGNATURE-----")
    return "\n".join([before.strip("\n"), *(line.removeprefix("- ") for line in covered.split("\n")), after.strip("\n")])
