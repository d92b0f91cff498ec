"""The header block of a letter or a part, from raw bytes: capped before anything looks into it, so no field can cost much."""

import binascii
import re
from dataclasses import dataclass

from adjudicator.mail.reading import charsets

MOST_FIELDS = 300
LONGEST = 8192  # bytes kept of a field; of References the end is what counts, of the others the beginning
MOST_BYTES = 1024 * 1024  # of a block; fields beyond are not looked at
_FIELD = re.compile(rb"([!-9;-~]{1,80})[ \t]*:(.*)", re.DOTALL)
_ENVELOPE = re.compile(rb"\A(?:>?From [^\n]*\n)+")
_WORD = re.compile(r"=\?([\w.:+-]{1,40})(?:\*[\w-]{1,20})?\?([bBqQ])\?([^?\n]{0,2000})\?=")
_BETWEEN = re.compile(r"(\?=)[ \t]+(?==\?[\w.:+-]{1,40}(?:\*[\w-]{1,20})?\?[bBqQ]\?[^?\n]{0,2000}\?=)")


@dataclass(frozen=True)
class Headers:
    """Fields in order, names in lower case, values unfolded."""

    fields: tuple[tuple[str, bytes], ...]

    def all(self, name: str) -> list[str]:
        """Return the values of every field of this name, encoded words left as they are."""
        return [charsets.decode(value, "").strip() for each, value in self.fields if each == name]

    def first(self, name: str) -> str:
        """Return the value of the first field of this name, "" where there is none."""
        return next(iter(self.all(name)), "")

    def text(self, name: str) -> str:
        """Return the first such field as people read it (RFC 2047)."""
        return words(self.first(name))

    def has(self, name: str) -> bool:
        """Whether there is such a field."""
        return any(each == name for each, _ in self.fields)


def split(raw: bytes) -> tuple[Headers, bytes]:
    """Return the header block, and what follows it. Lines end with \\n only. Text without a header block has no fields."""
    raw = _ENVELOPE.sub(b"", raw, count=1)
    if raw.startswith(b"\n"):
        return Headers(()), raw[1:]
    end = raw.find(b"\n\n")
    block, body = (raw, b"") if end < 0 else (raw[:end], raw[end + 2 :])
    kept: list[tuple[str, bytearray]] = []
    at = 0
    for line in block[:MOST_BYTES].split(b"\n"):
        field = _FIELD.fullmatch(line[: LONGEST * 2])
        if line[:1] in (b" ", b"\t") and kept:
            _grow(kept[-1], b" " + line.strip())
        elif field is None:
            return Headers(_fields(kept)), raw[at:]  # the text begins without an empty line
        elif len(kept) < MOST_FIELDS:
            kept.append((field[1].decode("ascii").lower(), bytearray()))
            _grow(kept[-1], field[2].strip())
        at += len(line) + 1
    return Headers(_fields(kept)), body


def _grow(field: tuple[str, bytearray], more: bytes) -> None:
    name, value = field
    if name == "references":
        value += more[-LONGEST:]
        del value[:-LONGEST]
    elif len(value) < LONGEST:
        value += more[: LONGEST - len(value)]


def _fields(kept: list[tuple[str, bytearray]]) -> tuple[tuple[str, bytes], ...]:
    return tuple((name, bytes(value).replace(b"\0", b"")) for name, value in kept)


def words(text: str) -> str:
    """Return text with its encoded words read (RFC 2047); a word that is broken stays as it is."""
    joined = _BETWEEN.sub(r"\1", text)
    out, at, held = [], 0, ("", b"")  # words side by side in one charset may split a character between them
    for word in _WORD.finditer(joined):
        charset, data = word[1].lower(), _bytes(word[2].lower(), word[3])
        if word.start() > at or held[0] != charset:
            out += [charsets.decode(held[1], held[0]), joined[at : word.start()]]
            held = (charset, b"")
        held, at = (charset, held[1] + data), word.end()
    return "".join([*out, charsets.decode(held[1], held[0]), joined[at:]])


def _bytes(kind: str, text: str) -> bytes:
    data = text.encode("ascii", "ignore")
    if kind == "q":
        return binascii.a2b_qp(data, header=True)
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    return binascii.a2b_base64(data[: len(data) - (len(data) % 4 == 1)] + b"===")
