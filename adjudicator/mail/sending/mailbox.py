"""The local mailbox: while no mail server is set, letters are files in a folder, which the host can
read.
"""

import base64
import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default as reading
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from adjudicator.mail.composing.mime import WrittenLetter
from adjudicator.platform import disk, entropy

LARGEST = 10 * 1024 * 1024  # bytes; a larger file is not read
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_FOLDER, _FILE = 0o700, 0o600
_Read = TypeVar("_Read")


@dataclass(frozen=True)
class PostedHead:
    """What a list shows of a letter in the local mailbox, from its headers alone."""

    name: str  # its path below /mailbox, derived from its Message-ID
    subject: str
    to: str
    date: datetime


@dataclass(frozen=True)
class Posted:
    """A letter in the local mailbox; `html` holds its picture as a data URL."""

    name: str  # its path below /mailbox, derived from its Message-ID
    subject: str
    to: str
    date: datetime
    text: str
    html: str
    picture: bytes | None  # PNG
    reader: str = ""  # the bare address of To
    answer_to: str = ""  # the bare address that an answer goes to
    sender: str = ""  # From, as shown
    message_id: str = ""
    references: str = ""


class LocalMailbox:
    """A folder of letters, one file for each Message-ID."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def post(self, letter: WrittenLetter) -> None:
        """Store a letter atomically and durably; idempotent by its Message-ID. Raises OSError, such
        as when the disk is full.
        """
        self.folder.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
        beside = self.folder / f".{entropy.token_hex(8)}"
        try:
            _write(beside, letter.content)
            sent = letter.date.timestamp()
            os.utime(beside, (sent, sent))
            beside.rename(self.folder / f"{_name_of(letter.message_id)}.eml")
        finally:
            beside.unlink(missing_ok=True)
        disk.sync(self.folder)

    def letters(self, most: int = 100) -> list[Posted]:
        """Return the newest letters, newest first; files that are no letters are skipped."""
        return [letter for name in self._newest(most) if (letter := self.letter(name)) is not None]

    def heads(self, most: int = 100) -> list[PostedHead]:
        """Return what a list shows of the newest letters, newest first; files without the headers
        of a letter are skipped.
        """
        return [
            head
            for name in self._newest(most)
            if (head := self._read_file(name, _read_head)) is not None
        ]

    def _newest(self, most: int) -> list[str]:
        return [name for _, name in sorted(self._files(), reverse=True)[:most]]

    def _files(self) -> list[tuple[int, str]]:
        try:
            with os.scandir(self.folder) as entries:
                return [
                    (entry.stat().st_mtime_ns, entry.name.removesuffix(".eml"))
                    for entry in entries
                    if entry.name.endswith(".eml") and entry.is_file(follow_symlinks=False)
                ]
        except FileNotFoundError:
            return []

    def letter(self, name: str) -> Posted | None:
        """Return one letter, None where there is none of this name or its file is no letter."""
        return self._read_file(name, _read)

    def _read_file(self, name: str, read: Callable[[str, BinaryIO], _Read]) -> _Read | None:
        if not _NAME.fullmatch(name):
            return None
        path = self.folder / f"{name}.eml"
        try:
            if path.is_symlink() or path.stat().st_size > LARGEST:
                return None
            with path.open("rb") as file:
                return read(name, file)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None


def _name_of(id_: str) -> str:
    """Return the file's name for a Message-ID: the letter's uid, or a hash of an id that is not
    ours.
    """
    uid = id_.strip("<> ").partition("@")[0]
    return uid if _NAME.fullmatch(uid) else hashlib.sha256(id_.encode()).hexdigest()[:32]


def _write(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


# --- reading


def _read_head(name: str, file: BinaryIO) -> PostedHead:
    """Parse the headers of a file; raises as `_read` does."""
    head = takewhile(lambda line: line.strip(b"\r\n"), file)
    message = message_from_bytes(b"".join(head), policy=reading)
    return PostedHead(
        name,
        str(message["Subject"] or ""),
        str(message["To"] or ""),
        message["Date"].datetime.astimezone(UTC),
    )


def _read(name: str, file: BinaryIO) -> Posted:
    """Parse a file; raises one of the exceptions that `_read_file` catches for a file that is no
    letter of ours.
    """
    message = message_from_bytes(file.read(), policy=reading)
    date = message["Date"].datetime
    text, html = _content(message, "plain"), _content(message, "html")
    if not text:
        raise ValueError("a letter has a text")
    picture = next(
        (part for part in message.walk() if part.get_content_type() == "image/png"), None
    )
    png = picture.get_content() if picture is not None else None
    shown = (
        _show(html, str(picture["Content-ID"] or ""), png) if picture is not None and png else html
    )
    values = {
        name: str(message[name] or "")
        for name in ("Subject", "To", "From", "Message-ID", "References")
    }
    return Posted(
        name,
        values["Subject"],
        values["To"],
        date.astimezone(UTC),
        text,
        shown,
        png,
        reader=_address(message["To"]),
        answer_to=_address(message["Reply-To"]) or _address(message["From"]),
        sender=values["From"],
        message_id=values["Message-ID"],
        references=values["References"],
    )


def _address(header: Any) -> str:
    """Return the first bare address of a header, "" where there is none."""
    return str(header.addresses[0].addr_spec) if header is not None and header.addresses else ""


def _content(message: Any, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def _show(html: str, cid: str, png: bytes) -> str:
    data = base64.b64encode(png).decode()
    return html.replace(f"cid:{cid.strip('<> ')}", f"data:image/png;base64,{data}")
