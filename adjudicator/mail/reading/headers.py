"""Parses the header of a letter or a part from raw bytes; blocks and fields are cut to their limits
before they are parsed.
"""

import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote_to_bytes

from adjudicator.mail.reading.charsets import decode_bytes

MOST_FIELDS = 300
LONGEST = 8192  # bytes kept of a field: of References the last, of others the first
MOST_BYTES = 1024 * 1024  # of a block; fields beyond are ignored
_FIELD = re.compile(rb"([!-9;-~]{1,80})[ \t]*:(.*)", re.DOTALL)
_ENVELOPE = re.compile(rb"\A(?:>?From [^\n]*\n)+")
_WORD = re.compile(r"=\?([\w.:+-]{1,40})(?:\*[\w-]{1,20})?\?([bBqQ])\?([^?\n]{0,2000})\?=")
_BETWEEN = re.compile(
    r"(\?=)[ \t]+(?==\?[\w.:+-]{1,40}(?:\*[\w-]{1,20})?\?[bBqQ]\?[^?\n]{0,2000}\?=)"
)
_TYPE = re.compile(r"\s*([\w.+-]{1,60}/[\w.+-]{1,100})")
_PARAMETER = re.compile(
    r""";\s*([\w-]{1,40})(\*\d{1,2})?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))"""
)
_MOST_PARAMETERS = 30
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_ADDRESS = re.compile(r"[^\s@<>()\[\]:;,\"\\]{1,64}@[^\s@<>()\[\]:;,\"\\]{1,253}")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAME = "sealed orders"  # the display name in From of every instance
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_MOST_ADDRESSES = 12  # addresses of a letter that are used


@dataclass(frozen=True)
class Headers:
    """Fields in order, names in lower case, values unfolded."""

    fields: tuple[tuple[str, bytes], ...]

    def all(self, name: str) -> list[str]:
        """Return the values of every field of this name, with encoded words as they are."""
        return [decode_bytes(value, "").strip() for each, value in self.fields if each == name]

    def first(self, name: str) -> str:
        """Return the value of the first field of this name, "" where there is none."""
        return next(iter(self.all(name)), "")

    def text(self, name: str) -> str:
        """Return the first such field with its encoded words decoded (RFC 2047)."""
        return decode_words(self.first(name))

    def has(self, name: str) -> bool:
        """Whether there is such a field."""
        return any(each == name for each, _ in self.fields)


def split_header(raw: bytes) -> tuple[Headers, bytes]:
    """Return the header block and the bytes after it; lines end with \\n only. Without a header
    block there are no fields.
    """
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


def decode_words(text: str) -> str:
    """Return text with its encoded words decoded (RFC 2047); an invalid one stays as it is."""
    joined = _BETWEEN.sub(r"\1", text)
    out, at, held = [], 0, ("", b"")  # adjacent words of one charset may split a character
    for word in _WORD.finditer(joined):
        charset, data = word[1].lower(), _bytes(word[2].lower(), word[3])
        if word.start() > at or held[0] != charset:
            out += [decode_bytes(held[1], held[0]), joined[at : word.start()]]
            held = (charset, b"")
        held, at = (charset, held[1] + data), word.end()
    return "".join([*out, decode_bytes(held[1], held[0]), joined[at:]])


def _bytes(kind: str, text: str) -> bytes:
    data = text.encode("ascii", "ignore")
    if kind == "q":
        return binascii.a2b_qp(data, header=True)
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    return binascii.a2b_base64(data[: len(data) - (len(data) % 4 == 1)] + b"===")


# --- structured fields


def parse_field(headers: Headers, name: str = "content-type") -> tuple[str, dict[str, str]]:
    """Return a field's lower-case value and its parameters by lower-case name (RFC 2045, RFC
    2231).
    """
    value = headers.first(name)
    parameters: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[bool, str]]] = {}
    for found in islice(_PARAMETER.finditer(value), _MOST_PARAMETERS):
        key, text = found[1].lower(), found[4] if found[4] is not None else found[5].strip()
        text = re.sub(r"\\(.)", r"\1", text)
        if found[2] is None and found[3] is None:
            parameters.setdefault(key, decode_words(text))
        else:
            pieces.setdefault(key, {})[int((found[2] or "*0")[1:])] = (bool(found[3]), text)
    return value.partition(";")[0].strip().lower()[:160], parameters | {
        key: _joined(parts) for key, parts in pieces.items()
    }


def _joined(parts: dict[int, tuple[bool, str]]) -> str:
    """Join the pieces of a value (RFC 2231, 3 and 4)."""
    charset, data = "", b""
    for number, (encoded, text) in sorted(parts.items()):
        if encoded and number == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        data += unquote_to_bytes(text) if encoded else text.encode("utf-8", "replace")
    return decode_bytes(data, charset)


def media_type(headers: Headers) -> tuple[str, dict[str, str]]:
    """Return the content type of a part with its parameters, text/plain where it names no valid
    one.
    """
    kind, parameters = parse_field(headers)
    found = _TYPE.match(kind)
    return (found[1], parameters) if found else ("text/plain", parameters)


def find_ids(value: str) -> list[str]:
    """Return the message ids in a field, in order."""
    return _ID.findall(value)


def one_address(values: list[str]) -> tuple[str, str]:
    """Return the lower-case address and the display name of From; ("", "") unless there is exactly
    one usable address.
    """
    if len(values) != 1:
        return "", ""
    bare = _QUOTED.sub(" ", _without_comments(values[0]))
    angled = re.findall(r"<([^<>]*)>", bare)
    found = _ADDRESS.findall(" ".join(angled) if angled else bare)
    if len(found) != 1 or len(angled) > 1 or not found[0].isprintable():
        return "", ""
    return found[0].lower().strip("."), _shown_name(values[0])


def find_addresses(value: str) -> list[str]:
    """Return every address in a text, lower-case."""
    return [each.lower().strip(".") for each in _ADDRESS.findall(value) if each.isprintable()]


def _without_comments(value: str) -> str:
    """Return a field without its comments. They nest; a depth counter cannot overflow as recursion
    would.
    """
    out, depth, quoted = [], 0, False
    for letter in value[:4096]:
        if letter == '"' and not depth:
            quoted = not quoted
        if not quoted and letter == "(":
            depth += 1
        if not depth:
            out.append(letter)
        if not quoted and letter == ")" and depth:
            depth -= 1
    return "".join(out)


def _shown_name(value: str) -> str:
    before = (
        value.partition("<")[0]
        if "<" in value
        else (re.search(r"\(([^()]*)\)", value) or ["", ""])[1]
    )
    return decode_words(re.sub(r'["\\]', "", before)).strip()[:100]


# --- whom a letter goes to


@dataclass(frozen=True)
class Correspondents:
    """Identifies this service in a text, in any language: by parts of our addresses in lower
    case.
    """

    ours: tuple[str, ...] = ()

    def named_in(self, text: str) -> bool:
        """Whether the text names this service, by its address or its name."""
        lowered = text.lower()
        return _NAME in lowered or any(each in lowered for each in self.ours)

    def without(self, text: str) -> str:
        """Return the text without this service's name and without any address."""
        return re.sub(rf"<[^<>]*>|\S+@\S+|{_NAME}", " ", text, flags=re.IGNORECASE)

    def addressed_in(self, text: str) -> bool:
        """Whether the text holds an address of this service."""
        lowered = text.lower()
        return any(each in lowered for each in self.ours)


def find_correspondents(headers: Headers, sender: str) -> Correspondents:
    """Return whom a letter with these headers was written to. Where its writer has our host, names
    identify us, not the host.
    """
    found = [
        address
        for name in _RECIPIENTS
        for value in headers.all(name)[:3]
        for address in find_addresses(value)[:_MOST_ADDRESSES]
    ]
    ours = [
        each
        for address in dict.fromkeys(found)
        if address != sender
        for each in _parts(address, sender)
    ]
    return Correspondents(tuple(dict.fromkeys(ours))[:_MOST_ADDRESSES])


def _parts(address: str, sender: str) -> Sequence[str]:
    name, _, host = address.rpartition("@")
    if host != sender.rpartition("@")[2]:
        return (f"@{host}",)
    base = name.partition("+")[0]
    return (f"{base}@{host}", f"{base}+")
