"""Parses a letter into a tree of parts (RFC 2046), with limits on depth, number and size."""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.mail.reading.charsets import decode_bytes
from adjudicator.mail.reading.headers import (
    MOST_BYTES,
    Headers,
    media_type,
    parse_field,
    split_header,
)

DEEPEST = 8  # levels of parts within parts; deeper ones are not parsed
MOST_PARTS = 200  # of a whole letter
LARGEST_TEXT = 512 * 1024  # bytes of a part that are decoded
_NO_BASE64 = bytes(
    each for each in range(256) if not (chr(each).isalnum() and each < 128) and each not in b"+/="
)
_DELIMITER = re.compile(rb"^--(\S[^\n]{0,199}?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class MimePart:
    """One part: its fields, its type, and either its bytes, still encoded, or the parts in it."""

    headers: Headers
    kind: str  # text/plain, multipart/mixed ...
    parameters: dict[str, str]
    body: bytes = b""
    parts: tuple["MimePart", ...] = ()

    def walk(self) -> Iterator["MimePart"]:
        """Yield this part and every part in it, in order."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def attached(self) -> bool:
        """Whether it is a file and not part of the letter's text."""
        return self.disposition == "attachment" or self.named

    @property
    def disposition(self) -> str:
        """Its Content-Disposition in lower case, "" where it has none."""
        return parse_field(self.headers, "content-disposition")[0]

    @property
    def named(self) -> bool:
        """Whether it has a file's name."""
        return bool(
            parse_field(self.headers, "content-disposition")[1].get("filename")
            or self.parameters.get("name")
        )

    def data(self, most: int = LARGEST_TEXT) -> bytes:
        """Return the first `most` bytes of its body, decoded. Never raises: invalid bytes are
        skipped.
        """
        coding = re.split(
            r"[;(]", self.headers.first("content-transfer-encoding").lower(), maxsplit=1
        )[0].strip(' \t"')
        if coding == "base64":
            return _base64(self.body[:most])
        return (
            _quoted_printable(self.body[:most])
            if coding == "quoted-printable"
            else self.body[:most]
        )

    def text(self) -> str:
        """Return its text with line ends as \\n."""
        text = decode_bytes(self.data(), self.parameters.get("charset", ""))
        return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass
class _Budget:
    parts: int = MOST_PARTS


def parse_parts(raw: bytes) -> MimePart:
    """Return a letter as a tree. Never raises."""
    return _part(_newlines(raw), "text/plain", 0, _Budget())


def parse_head(raw: bytes) -> Headers:
    """Return the header of a letter, without looking at more of it than a header may have. Never
    raises.
    """
    return split_header(_newlines(raw[:MOST_BYTES]))[0]


def embedded_header(part: MimePart) -> Headers:
    """Return the header of the letter that this part encloses whole or in part (message/rfc822,
    text/rfc822-headers).
    """
    return split_header(_newlines(part.data()).lstrip(b"\n"))[0]


def _part(raw: bytes, default: str, depth: int, budget: _Budget) -> MimePart:
    budget.parts -= 1
    head, body = split_header(raw)
    kind, parameters = media_type(head) if head.has("content-type") else (default, {})
    if not kind.startswith("multipart/") or depth >= DEEPEST:
        return MimePart(head, kind, parameters, body)
    within = "message/rfc822" if kind == "multipart/digest" else "text/plain"
    parts = tuple(
        _part(piece, within, depth + 1, budget)
        for piece in _pieces(body, parameters.get("boundary", ""), budget)
    )
    return (
        MimePart(head, kind, parameters, b"", parts)
        if parts
        else MimePart(head, "text/plain", parameters, body)
    )


def _pieces(body: bytes, boundary: str, budget: _Budget) -> Iterator[bytes]:
    """Yield the bodies between a boundary's lines; a boundary that is missing or unused is guessed
    from the first line like one.
    """
    mark = boundary.encode("utf-8", "replace")[:200].rstrip()
    if not mark or not _line(mark).search(body):
        guess = _DELIMITER.search(body)
        mark = guess[1] if guess else b""
    if not mark:
        return
    begin = None
    for found in _line(mark).finditer(body):
        if begin is not None and budget.parts > 0:
            yield body[begin : max(begin, found.start() - 1)]
        begin = found.end()
        if found[1] or budget.parts <= 0:
            return
    if begin is not None:
        yield body[begin:]


def _line(mark: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"^--" + re.escape(mark) + rb"(--)?[ \t]*(?:\n|\Z)", re.MULTILINE)


def _newlines(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _base64(body: bytes) -> bytes:
    """Decode up to the padding: list servers append plain text below it."""
    data = body.translate(None, delete=_NO_BASE64).partition(b"=")[0]
    return binascii.a2b_base64(data[: len(data) - (len(data) % 4 == 1)] + b"===")


def _quoted_printable(body: bytes) -> bytes:
    """Decode; blanks that a relay added after a soft line break do not count (RFC 2045, 6.7, rule
    3).
    """
    lines = (
        (
            line
            if line.endswith(b"=") or not line.rstrip(b" \t").endswith(b"=")
            else line.rstrip(b" \t")
        )
        for line in body.split(b"\n")
    )
    return binascii.a2b_qp(b"\n".join(lines))
