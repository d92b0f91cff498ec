"""Watching a public log from outside: each checkpoint that is seen has to continue the one that was
kept. Nothing is sent but reads.
"""

import json
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from adjudicator.platform import clock
from adjudicator.platform.errors import HostFault
from adjudicator.seal import merkle
from adjudicator.seal.checkpoints import Checkpoint, tile_of_tree
from adjudicator.seal.merkle import FULL_TILE, ProofError
from adjudicator.seal.notes import MOST_BYTES, SIGNATURE, NoteError, SignedNote, VerifierKey

SECONDS = 60.0  # for all pages that one look at a log needs
MOST_STATE = 2 * MOST_BYTES
_NOT_FOUND = 404
_OTHER_TILES = "The log’s tiles are not those of the checkpoint that it signed."
Fetch = Callable[[str], bytes]  # an address to its content; raises WatchFault


class WatchFault(HostFault):
    """The log cannot be judged: it does not answer, or with something that its key did not sign;
    the message is a sentence.
    """


class NoPage(WatchFault):
    """The site answers, and has no such page."""


@dataclass(frozen=True)
class Seen:
    """A checkpoint whose signature verifies."""

    head: Checkpoint
    note: str


@dataclass(frozen=True)
class Watched:
    """The outcome: the kept checkpoint (None: there was none), the one seen now, and why they
    contradict each other ("": they do not).
    """

    kept: Seen | None
    now: Seen
    key: VerifierKey
    contradiction: str


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect: it could lead into the network of whoever watches, and another site is
    another log.
    """

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        """Return no request, so that the redirect itself is an error."""


class PageReader:
    """Reads pages of the web, each of at most 128 kilobytes, all together within some seconds,
    however slowly they come.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._until = clock.monotonic() + seconds
        self._opener = build_opener(_NoRedirect)

    def __call__(self, url: str) -> bytes:
        """Return a page; raises WatchFault. A thread of its own reads it: a timeout alone begins
        anew with each byte.
        """
        found: list[bytes | WatchFault] = []
        thread = threading.Thread(target=lambda: found.append(self._read(url)), daemon=True)
        thread.start()
        thread.join(max(self._until - clock.monotonic(), 0.0))
        if not found:
            raise WatchFault(f"{url} cannot be read: the site is too slow.")
        if isinstance(found[0], WatchFault):
            raise found[0]
        return found[0]

    def _read(self, url: str) -> bytes | WatchFault:
        request = Request(url, headers={"Accept-Encoding": "identity"})  # noqa: S310 `log_address` checked it
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                body: bytes = answer.read(MOST_BYTES + 1)
                missing: int = answer.length or 0
        except HTTPError as error:
            kind = NoPage if error.code == _NOT_FOUND else WatchFault
            return kind(f"{url} cannot be read: the site answers {error.code}.")
        except (OSError, HTTPException, ValueError) as error:
            return WatchFault(
                f"{url} cannot be read:"
                f" {printable(' '.join(str(error)[:200].split())) or type(error).__name__}."
            )
        if len(body) + missing > MOST_BYTES:
            return WatchFault(f"{url} is larger than {MOST_BYTES} bytes.")
        return WatchFault(f"{url} cannot be read: the connection broke off.") if missing else body


def printable(text: str) -> str:
    """Return a text for a terminal: whatever could command it, or turn its lines round, becomes a
    question mark.
    """
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


def log_address(url: str) -> str:
    """Return the address of a log, from it or from that of its site; raises WatchFault for what is
    no address of the web.
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        known = False
    if not known or not url.isascii() or not url.isprintable() or set("?# ") & set(url):
        raise WatchFault(
            f"“{printable(' '.join(url[:200].split()))}” is no address of a log: it reads"
            " https://HOST/log."
        )
    return f"{url.rstrip('/')}/log" if parts.path in ("", "/") else url.rstrip("/")


def watch_log(url: str, state: Path, vkey: str) -> Watched:
    """Hold a log's checkpoint against the one kept in a file, which then keeps the new one unless
    they contradict each other.

    The key is `vkey`, else the one in the file, else at first use the one that the site names.
    Raises WatchFault.
    """
    fetch = PageReader()
    address, old_key, old_note = log_address(url), *_read_state(state)
    key = _read_key(vkey or old_key or _own_key(address, fetch))
    kept = _verified(old_note.encode(), key, str(state)) if old_note else None
    now = _verified(fetch(f"{address}/checkpoint"), key, address)
    contradiction = compare(kept.head, now.head, address, fetch) if kept is not None else ""
    if not contradiction:
        _write_state(state, key, now)
    return Watched(kept, now, key, contradiction)


def look_again(
    address: str, key: VerifierKey, notes: list[str], *, fetch: Fetch | None = None
) -> str:
    """Return why one of these signed checkpoints is not of the tree that the log shows now; "" if
    all are. Raises WatchFault.
    """
    fetch = fetch or PageReader()
    now = _verified(fetch(f"{address}/checkpoint"), key, address)
    found = (
        compare(_verified(note.encode(), key, "the database").head, now.head, address, fetch)
        for note in notes
    )
    return next(filter(None, found), "")


def compare(kept: Checkpoint, now: Checkpoint, address: str, fetch: Fetch) -> str:
    """Return why the second checkpoint does not continue the first; "" if it does. Raises
    WatchFault where it cannot be judged.
    """
    if now.size < kept.size:
        return _compare_older(kept, now, address, fetch)
    read = _tiles(address, now.size, fetch)
    try:
        proof = merkle.prove_consistency(read, kept.size, now.size)
        merkle.verify_consistency(kept.size, kept.root, now.size, now.root, proof)
        return ""
    except merkle.MissingTile:
        return _OTHER_TILES
    except ProofError:
        if now.size != kept.size and merkle.tree_root(read, now.size) != now.root:
            return _OTHER_TILES
    return "The log was rewritten: the entries that were there are not the same any more."


def _compare_older(kept: Checkpoint, now: Checkpoint, address: str, fetch: Fetch) -> str:
    """Return why a smaller checkpoint contradicts the kept one; raises WatchFault for an old one of
    a log that has all its tiles.
    """
    read = _tiles(address, kept.size, fetch)
    try:
        proof = merkle.prove_consistency(read, now.size, kept.size)
        merkle.verify_consistency(now.size, now.root, kept.size, kept.root, proof)
    except (NoPage, merkle.MissingTile, ProofError):
        return "The log has fewer entries than it had."
    raise WatchFault(
        f"{address} shows an older checkpoint than the one kept, as a cache may do; look again"
        " later."
    )


def _tiles(address: str, size: int, fetch: Fetch) -> merkle.ReadTile:
    kept: dict[tuple[int, int], bytes] = {}

    def read(level: int, index: int) -> bytes:
        tile = tile_of_tree(level, index, size)
        if (level, index) not in kept and tile is not None:
            kept[level, index] = fetch(f"{address}/tile/{tile}")[:FULL_TILE]
        return kept.get((level, index), b"")

    return read


def _verified(note: bytes, key: VerifierKey, where: str) -> Seen:
    try:
        read = SignedNote.read(note)
        read.verify([key])
        head = Checkpoint.read(read.text)
    except NoteError as error:
        raise WatchFault(f"{where} has no checkpoint that {key.name} signed: {error}") from error
    if head.origin != key.name:
        raise WatchFault(f"{where} has a checkpoint of {head.origin}, not of {key.name}.")
    return Seen(head, str(read))


def _read_key(text: str) -> VerifierKey:
    try:
        key = VerifierKey.read(text)
    except NoteError as error:
        raise WatchFault(str(error)) from error
    if key.kind != SIGNATURE:
        raise WatchFault(f"The key of {key.name} is a witness’s, not a log’s.")
    return key


def _own_key(address: str, fetch: Fetch) -> str:
    """Return the key that the site itself names."""
    url = urljoin(address, "/.well-known/sealed-keys.json")
    try:
        return str(json.loads(fetch(url))["public_log"]["log"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WatchFault(f"{url} names no key of a log; give it with --vkey.") from error


def _read_state(path: Path) -> tuple[str, str]:
    """Return the key and the note that a file keeps, both "" where there is none."""
    try:
        with path.open("rb") as file:
            kept = json.loads(file.read(MOST_STATE))
        return str(kept["key"]), str(kept["checkpoint"])
    except FileNotFoundError:
        return "", ""
    except OSError as error:
        raise WatchFault(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WatchFault(f"{path} holds no state of this command; name another file.") from error


def _write_state(path: Path, key: VerifierKey, seen: Seen) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        beside.write_text(
            json.dumps({"key": str(key), "checkpoint": seen.note}, indent=1, ensure_ascii=False)
            + "\n",
            "utf-8",
        )
        beside.replace(path)
    except OSError as error:
        raise WatchFault(f"{path} cannot be written: {error.strerror}.") from error
