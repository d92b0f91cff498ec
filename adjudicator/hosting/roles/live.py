"""The role of the live stream, whose socket outlives it; it reads neither the key file nor the
broker.
"""

import contextlib
import errno
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from adjudicator.hosting.listeners import keep_port, open_listener
from adjudicator.hosting.logs import configure_logging
from adjudicator.hosting.process import Role
from adjudicator.platform.config import Settings

NAME = "the stream"
_BACKLOG = 1024
_PATIENCE = 4.0  # seconds to close its connections


def live_role(
    settings: Settings,
    run: Callable[[Settings, socket.socket, Callable[[], None]], None],
    listener: socket.socket,
) -> Role:
    """Return the role that tells open pages of changes, on an open listening socket."""
    return Role(NAME, partial(_run, settings, run, listener), patience=_PATIENCE)


def _run(
    settings: Settings, run: Callable[..., None], listener: socket.socket, ready: Callable[[], None]
) -> None:
    configure_logging(settings.log_level, "live")
    run(settings, listener, ready)


@contextlib.contextmanager
def open_live(host: str, port: int) -> Iterator[socket.socket]:
    """Listen at LIVE_PORT during the block. Raises CannotStart."""
    with open_listener(
        host, port, backlog=_BACKLOG, why_not=partial(_why_not, host, port)
    ) as listener:
        yield listener


def _why_not(host: str, port: int, fault: OSError) -> str:
    match fault.errno:
        case errno.EADDRINUSE:
            return (
                f"LIVE_PORT {port} of {host} is taken by another program: give another, or none to"
                " have a free one chosen."
            )
        case errno.EACCES:
            return (
                f"LIVE_PORT {port} may not be used by this user: give one from 1024 up, such as"
                " LIVE_PORT=8001."
            )
        case _:
            return (
                f"LIVE_PORT {port} of {host} cannot be listened on ({fault.strerror}): give"
                " another, such as LIVE_PORT=8001."
            )


def own_port(data_dir: Path) -> int:
    """Return a free port for the live stream of this machine, kept from start to start while it is
    free.
    """
    memory = data_dir / "live" / "port"
    memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return keep_port(memory)
