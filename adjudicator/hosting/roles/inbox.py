"""The roles that receive letters: the inbox, whose socket outlives it, and the fetcher. Neither
reads the key file.
"""

import contextlib
import errno
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from adjudicator.hosting.listeners import host_and_port, keep_port, kept_port, open_listener
from adjudicator.hosting.logs import configure_logging
from adjudicator.hosting.process import Role
from adjudicator.platform.config import Settings

INBOX, FETCHER = "the inbox", "the fetcher"
_BACKLOG = 128
_PATIENCE = 8.0  # seconds to finish the letters in transfer


def inbox_role(
    settings: Settings,
    run: Callable[[Settings, socket.socket, Callable[[], None]], None],
    listener: socket.socket,
) -> Role:
    """Return the role that receives letters on an open listening socket."""
    return Role(INBOX, partial(_run_inbox, settings, run, listener), patience=_PATIENCE)


def fetcher_role(settings: Settings, run: Callable[[Settings, Callable[[], None]], None]) -> Role:
    """Return the role that fetches letters; it can be ended at any time."""
    return Role(FETCHER, partial(_run_fetcher, settings, run), patience=2)


def _run_inbox(
    settings: Settings, run: Callable[..., None], listener: socket.socket, ready: Callable[[], None]
) -> None:
    configure_logging(settings.log_level, "inbox")
    run(settings, listener, ready)


def _run_fetcher(settings: Settings, run: Callable[..., None], ready: Callable[[], None]) -> None:
    configure_logging(settings.log_level, "fetcher")
    run(settings, ready)


# --- where it listens


@contextlib.contextmanager
def open_inbox(url: str) -> Iterator[socket.socket | None]:
    """Listen at INBOX_URL during the block; yield None if it is empty. Raises CannotStart."""
    if not url:
        yield None
        return
    host, port = host_and_port(url)
    with open_listener(host, port, backlog=_BACKLOG, why_not=partial(_why_not, url)) as listener:
        yield listener


def _why_not(url: str, fault: OSError) -> str:
    match fault.errno:
        case errno.EADDRINUSE:
            return (
                f"INBOX_URL {url}: the port is taken by another program, perhaps a mail server:"
                f" give another, {_such_as(url)}."
            )
        case errno.EACCES:
            return (
                f"INBOX_URL {url}: the port may not be used by this user: give one from 1024 up,"
                f" {_such_as(url)}."
            )
        case errno.EADDRNOTAVAIL:
            return (
                f"INBOX_URL {url} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for"
                " every network."
            )
        case _:
            return (
                f"INBOX_URL {url} cannot be listened on ({fault.strerror}): give another address,"
                f" {_such_as(url)}."
            )


def _such_as(url: str) -> str:
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"such as {parts.scheme}://{host}:{2525 if parts.scheme == 'smtp' else 2424}"


def own_url(data_dir: Path) -> str:
    """Return the URL of this machine's own inbox, used if none is set; its port is kept while it is
    free.
    """
    memory = data_dir / "inbox" / "port"
    memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"smtp://127.0.0.1:{keep_port(memory)}"


def known_url(data_dir: Path) -> str:
    """Return the URL that `sealed serve` chose before; "" if it never did."""
    port = kept_port(data_dir / "inbox" / "port")
    return f"smtp://127.0.0.1:{port}" if port else ""
