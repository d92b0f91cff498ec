"""Letters as bytes (RFC 5322, RFC 2045): the email package's own generator takes three times as
long as all the rest of composing.
"""

import binascii
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.utils import format_datetime
from functools import lru_cache

from adjudicator.mail.composing.headers import COLUMNS, POLICY

_BASE64_LINE = 57  # bytes that give a line of 76 characters
_KEPT = 64  # folded headers that many letters share


@dataclass(frozen=True)
class WrittenLetter:
    """A letter as it is sent; `content` are its bytes, with lines that end in CRLF."""

    recipient: str  # the bare address of To
    subject: str
    message_id: str
    date: datetime
    content: bytes


@dataclass(frozen=True)
class Part:
    """A part of a letter: the lines of its header, its encoded body, or the parts in it."""

    kind: str  # the value of Content-Type; of a part with parts `multipart/...`
    body: bytes = b""
    headers: tuple[str, ...] = ()
    parts: tuple["Part", ...] = ()


def join_headers(lines: Sequence[str]) -> bytes:
    """Return header lines as bytes; raises ValueError for one that would begin another header."""
    for line in lines:
        if "\n" in line.replace("\r\n ", "").replace("\r\n\t", "") or "\r" in line.replace(
            "\r\n", ""
        ):
            raise ValueError("a header's value has a line break")
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def write_header(name: str, value: str | Address | datetime) -> str:
    """Return a header, folded by the policy where it is longer than a line. Raises ValueError for a
    value with line breaks.
    """
    if isinstance(value, datetime):
        return f"{name}: {format_datetime(value)}"
    line = f"{name}: {value}"
    plain = line.isascii() and line.isprintable() and len(line) <= COLUMNS and "=?" not in line
    return line if plain else _fold(name, str(value))


def write_verbatim(name: str, value: str) -> str:
    """Return a header on one line, however long; few programs read a long id or web address
    correctly when it is folded.
    """
    return f"{name}: {value}"


@lru_cache(_KEPT)
def _fold(name: str, value: str) -> str:
    return str(POLICY.fold(*POLICY.header_store_parse(name, value))).removesuffix("\r\n")


# --- parts


def text_part(kind: str, text: str, *, filename: str = "") -> Part:
    """Return a text as quoted-printable; `kind` has its parameters, `text/plain;
    charset="utf-8"`.
    """
    lines = b"".join(line + b"\r\n" for line in text.encode().splitlines())
    headers = (
        "Content-Transfer-Encoding: quoted-printable",
        *_disposition_header("attachment", filename),
    )
    return Part(kind, binascii.b2a_qp(lines), headers)


def file_part(kind: str, encoded: bytes, filename: str, *, cid: str = "") -> Part:
    """Return a file that `encode_base64` encoded: shown within a page that calls it `cid`, else
    attached.
    """
    shown = (f"Content-ID: <{cid}>",) if cid else ()
    headers = (
        "Content-Transfer-Encoding: base64",
        *_disposition_header("inline" if cid else "attachment", filename),
        *shown,
    )
    return Part(kind, encoded, headers)


def _disposition_header(disposition: str, filename: str) -> tuple[str, ...]:
    return (f'Content-Disposition: {disposition}; filename="{filename}"',) if filename else ()


def encode_base64(content: bytes) -> bytes:
    """Return bytes as base64 in lines of 76 characters."""
    lines = (content[at : at + _BASE64_LINE] for at in range(0, len(content), _BASE64_LINE))
    return b"".join(binascii.b2a_base64(line, newline=False) + b"\r\n" for line in lines)


def write_message(headers: Sequence[str], root: Part, uid: str) -> bytes:
    """Return the letter's bytes. Boundaries derive from `uid`, so that the same letter has the same
    bytes; no encoded part holds `=_`.
    """
    numbers = (f"=_{uid}_{number}" for number in range(_count(root)))
    return join_headers([*headers, "MIME-Version: 1.0"]) + b"".join(_write(root, numbers))


def _count(part: Part) -> int:
    return sum(map(_count, part.parts), bool(part.parts))


def _write(part: Part, boundaries: Iterator[str]) -> Iterator[bytes]:
    boundary = next(boundaries) if part.parts else ""
    kind = (
        f'Content-Type: {part.kind}; boundary="{boundary}"'
        if boundary
        else f"Content-Type: {part.kind}"
    )
    yield join_headers([kind, *part.headers]) + b"\r\n"
    yield part.body
    for each in part.parts:
        yield b"%s--%s\r\n" % (b"" if each is part.parts[0] else b"\r\n", boundary.encode())
        yield from _write(each, boundaries)
    if boundary:
        yield b"\r\n--%s--\r\n" % boundary.encode()
