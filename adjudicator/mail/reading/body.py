"""Which parts of a letter are what its writer says, as one text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.reading import flowed
from adjudicator.mail.reading.letter_text import Unreadable
from adjudicator.mail.reading.parts import LARGEST_TEXT, MimePart

LONGEST = 300_000  # characters of a text
MOST_TEXTS = 8  # parts that are put together, as where a client sets pictures between lines
_RICH = {"text/html", "application/xhtml+xml"}
_PLAIN = {"text/plain", "text/enriched", "text/x-markdown", "text/markdown", "text"}
_EXCUSE = re.compile(
    r"(?:not support|requires?|view(?:ed)? (?:this|the|it)|enable|unterstützt kein|capable|able to (?:display|read|show)).{0,80}html|"
    r"html.{0,80}(?:not support|capable|required|to view|viewer|anzeigen)",
    re.IGNORECASE | re.DOTALL,
)
_HARMLESS = "\n\t\f\v\xa0\ufeff\u200b\u200c\u200d\xad\u3000\u2003\u2002\u2009\u202f"  # not printable by name only
_SIGNED = "It is signed in a way that hides its text from this service; please send it without that signature."
_ENCRYPTED = "It is encrypted, and this service has no key for letters; please send it without encryption."
_DEEP = "Its text lies in more parts within parts than this service opens."
_BINARY = "It holds bytes that are no text."


@dataclass(frozen=True)
class Text:
    """What a letter says, and whether more stood there than is read."""

    text: str = ""
    cut: bool = False


def text_of(part: MimePart) -> Text:
    """Return the text of a letter, "" where it has none. Raises Unreadable with what its writer can do."""
    told = _text(part)
    found = told.text
    if not found.strip() and any(each.kind.startswith("multipart/") and not each.parts for each in part.walk()):
        raise Unreadable(_DEEP)
    sample = found[:5000]
    if sum(each == "\ufffd" or not (each.isprintable() or each in _HARMLESS) for each in sample) * 10 > max(len(sample), 100):
        raise Unreadable(_BINARY)
    return Text(found[:LONGEST], told.cut or len(found) > LONGEST)


def _text(part: MimePart) -> Text:
    if part.kind == "multipart/encrypted":
        raise Unreadable(_ENCRYPTED)
    if part.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        raise Unreadable(_SIGNED if part.parameters.get("smime-type", "").startswith("signed") else _ENCRYPTED)
    if part.kind == "multipart/alternative":
        return _preferred(part.parts)
    if part.kind in ("multipart/signed", "multipart/report"):
        return _text(part.parts[0]) if part.parts else Text()
    if part.parts:
        return _together(part.parts)
    return _leaf(part)


def _leaf(part: MimePart) -> Text:
    if part.attached or part.kind not in _RICH | _PLAIN:
        return Text()
    text, cut = part.text(), len(part.body) > LARGEST_TEXT
    if part.kind in _RICH:
        from adjudicator.mail.reading import markup  # heavy, and most letters need none of it

        return Text(flowed.unsigned(markup.to_text(text)), cut or len(text) > markup.LARGEST)
    cut = cut or len(text) > LONGEST
    text = text[:LONGEST]
    if part.parameters.get("format", "").lower() == "flowed":
        text = flowed.unflow(text, delete_spaces=part.parameters.get("delsp", "").lower() == "yes")
    return Text(flowed.unsigned(text), cut)


def _preferred(parts: Sequence[MimePart]) -> Text:
    """Return the plain one of several that say the same; where it says nothing of its own, the first that does."""
    plain = [each for each in parts if each.kind in _PLAIN]
    for part in [*plain, *(each for each in parts if each.kind not in _PLAIN)]:
        told = _text(part)
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
            told = _text(part)
            texts += [told] if told.text.strip() else []
    return Text("\n".join(each.text for each in texts), any(each.cut for each in texts))
