"""The text of a letter's parts: which parts are read, and which one of those that say the same."""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.reading.bodies.drawn_rules import DRAWN
from adjudicator.mail.reading.bodies.flowed import unflow, without_entities
from adjudicator.mail.reading.bodies.symbols import replace_private, replace_smiles
from adjudicator.mail.reading.bodies.withdrawn import STRUCK, UNSEEN
from adjudicator.mail.reading.letter_text import Unreadable
from adjudicator.mail.reading.parts import LARGEST_TEXT, MimePart

LONGEST = 300_000  # characters of a text
MOST_TEXTS = 8  # parts that are joined: some programs put pictures between lines
_RICH = {"text/html", "application/xhtml+xml"}
_PLAIN = {"text/plain", "text/enriched", "text/x-markdown", "text/markdown", "text"}
_EXCUSE = re.compile(
    r"(?:not support|requires?|view(?:ed)? (?:this|the|it)|enable|unterstützt kein|capable|able to"
    r" (?:display|read|show)).{0,80}html|"
    r"html.{0,80}(?:not support|capable|required|to view|viewer|anzeigen)",
    re.IGNORECASE | re.DOTALL,
)
_STRIKES = re.compile(r"<(?:s|strike|del)\b|line-through|msodel", re.IGNORECASE)
_MEANS = re.compile(  # HTML that may mean more, or less, than its plain text shows
    rf"{_STRIKES.pattern}|(?:wing|web)dings|&#(?:x0{{0,4}}f0|61[4-7])|[\uf020-\uf0ff]|display\s*:\s*none|mso-hide|visibility\s*:|clip\b|"
    r":\s*-\d{3}|(?:opacity|font|font-size|height|width|zoom)\s*:\s*[01.]|(?:scale\w?|opacity)\(\s*[0.]"
    r"|translate\w{0,2}\([^)]{0,60}-\d{3}|hsla?\(|"
    r"color[\"']?\s*[:=]\s*[\"']?(?:#?f|white|snow|ivory|ghost|transp|rgba?\(\s*2[45])|\shidden\b|<details",
    re.IGNORECASE,
)
_HARMLESS = "\n\t\f\v\xa0\ufeff\u200b\u200c\u200d\xad\u3000\u2003\u2002\u2009\u202f" + "".join(
    (*STRUCK, *UNSEEN, DRAWN)
)  # invisible, but usual
_SIGNED = (
    "It is signed in a way that hides its text from this service; please send it without that"
    " signature."
)
_ENCRYPTED = (
    "It is encrypted, and this service has no key for letters; please send it without encryption."
)
_DEEP = "Its text lies in more parts within parts than this service opens."
_BINARY = "It holds bytes that are no text."
_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_PGP_ENCRYPTED = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """The text of a letter, and whether it was cut."""

    text: str = ""
    cut: bool = False
    meant: bool = False  # whether it is of HTML that says more than plain text can, as by a stroke


def text_of(root: MimePart) -> Text:
    """Return the text of a letter, "" where it has none. Raises Unreadable with a sentence on what
    its writer can do.

    A part with the name of a file is text only where there is no other, and a declared attachment
    only where it is the letter.
    """
    text = _part_text(root)
    if not text.text.strip():
        text = _leaf(root, files=True) if not root.parts else _part_text(root, files=True)
    found = text.text
    if not found.strip() and any(
        each.kind.startswith("multipart/") and not each.parts for each in root.walk()
    ):
        raise Unreadable(_DEEP)
    sample = found[:5000]
    if sum(
        each == "\ufffd" or not (each.isprintable() or each in _HARMLESS) for each in sample
    ) * 10 > max(len(sample), 100):
        raise Unreadable(_BINARY)
    return Text(found[:LONGEST], text.cut or len(found) > LONGEST)


def _part_text(part: MimePart, *, files: bool = False) -> Text:
    if part.kind == "multipart/encrypted":
        raise Unreadable(_ENCRYPTED)
    if part.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        raise Unreadable(
            _SIGNED if part.parameters.get("smime-type", "").startswith("signed") else _ENCRYPTED
        )
    if part.kind == "multipart/alternative":
        return _preferred(part.parts, files=files)
    if part.kind in ("multipart/signed", "multipart/report"):
        return _part_text(part.parts[0], files=files) if part.parts else Text()
    if part.parts:
        return _together(part.parts, files=files)
    return _leaf(part, files=files) if part.disposition != "attachment" else Text()


def _leaf(part: MimePart, *, files: bool) -> Text:
    """Return the text of a part without parts; `files` allows it the name of a file."""
    if part.kind not in _RICH | _PLAIN or (part.named and not files):
        return Text()
    text, cut = part.text(), len(part.body) > LARGEST_TEXT
    if part.kind in _RICH:
        # slow to import, and most letters do not need it
        from adjudicator.mail.reading.bodies import markup

        shown = markup.html_to_text(text)
        translated = replace_private(shown.text)
        return Text(
            _without_pgp(translated),
            cut or len(text) > markup.LARGEST,
            shown.meant or translated != shown.text,
        )
    cut = cut or len(text) > LONGEST
    text = replace_smiles(replace_private(without_entities(text[:LONGEST])))
    if part.parameters.get("format", "").lower() == "flowed":
        text = unflow(text, delete_spaces=part.parameters.get("delsp", "").lower() == "yes")
    return Text(_without_pgp(text), cut)


def _preferred(parts: Sequence[MimePart], *, files: bool) -> Text:
    """Return the text of the plain alternative; that of another where the plain one is empty, an
    excuse, or lost what HTML means.
    """
    plain = [each for each in parts if each.kind in _PLAIN]
    rich = [each for each in parts if each.kind not in _PLAIN]
    for part in [*plain, *rich]:
        text = _part_text(part, files=files)
        if text.text.strip() and not (part in plain and len(parts) > 1 and _is_excuse(text.text)):
            return (_meant(rich, files=files) or text) if part in plain else text
    return Text()


def _meant(rich: Sequence[MimePart], *, files: bool) -> Text | None:
    """Return the text of the alternative in HTML that says more than plain text can, None where
    none does.

    Raises Unreadable where one may strike text and cannot be read: its plain text shows that text
    as if it counted.
    """
    for part in rich:
        markup = "\n".join(
            leaf.text()
            for leaf in part.walk()
            if leaf.kind in _RICH and (files or not leaf.attached)
        )
        if not _MEANS.search(markup):
            continue
        with (
            contextlib.nullcontext() if _STRIKES.search(markup) else contextlib.suppress(Unreadable)
        ):
            text = _part_text(part, files=files)
            if text.meant:
                return text
    return None


def _is_excuse(text: str) -> bool:
    """Whether a plain part only says that the letter is HTML."""
    return len(text) < 400 and len(text.strip().splitlines()) <= 4 and bool(_EXCUSE.search(text))


def _together(parts: Sequence[MimePart], *, files: bool) -> Text:
    texts: list[Text] = []
    for part in parts:
        if len(texts) < MOST_TEXTS and not part.kind.startswith(("message/", "image/")):
            text = _part_text(part, files=files)
            texts += [text] if text.text.strip() else []
    return Text(
        "\n".join(each.text for each in texts),
        any(each.cut for each in texts),
        any(each.meant for each in texts),
    )


def _without_pgp(text: str) -> str:
    """Return the text without the armour of an OpenPGP signature; raises Unreadable where it is
    encrypted.
    """
    if _PGP_ENCRYPTED.search(text) and _PGP_SIGNED not in text:
        raise Unreadable(_ENCRYPTED)
    if _PGP_SIGNED not in text:
        return text
    before, _, rest = text.partition(_PGP_SIGNED)
    _, _, covered = rest.partition("\n\n")
    covered, _, after = covered.partition(_PGP_SIGNATURE)
    _, _, after = after.partition("-----END PGP SIGNATURE-----")
    return "\n".join(
        [
            before.strip("\n"),
            *(line.removeprefix("- ") for line in covered.split("\n")),
            after.strip("\n"),
        ]
    )
