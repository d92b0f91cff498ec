"""Listening sockets: opened before any role starts and kept while a role is restarted; and the
ports that are kept.
"""

import errno
import http.client
import socket
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from adjudicator.hosting.messages import CannotStart
from adjudicator.platform.errors import WrongSetting

_SITE_BACKLOG = 512
_MAIL_PORTS = {"smtp": 25, "lmtp": 24}
_SILENCE_SECONDS = 8  # of a client in the middle of a request, which then loses its thread
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 compared, not bound


def open_listener(
    host: str, port: int, *, backlog: int, why_not: Callable[[OSError], str]
) -> socket.socket:
    """Return a socket that listens there. Raises CannotStart or WrongSetting with what `why_not`
    makes of the error.
    """
    try:
        family, kind, _, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as fault:  # a name that is unknown, or none at all
        raise CannotStart(why_not(OSError(errno.EADDRNOTAVAIL, str(fault)))) from fault
    listener = socket.socket(family, kind)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(where)
        listener.listen(backlog)
    except OSError as fault:
        listener.close()
        raise (WrongSetting if fault.errno == errno.EACCES else CannotStart)(
            why_not(fault)
        ) from fault
    return listener


def reachable_host(host: str) -> str:
    """Return the address at which this machine reaches what listens at `host`."""
    return _ANYWHERE.get(host, host)


def host_and_port(url: str) -> tuple[str, int]:
    """Return the host and the port of INBOX_URL."""
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or _MAIL_PORTS[parts.scheme]


# --- the site


def open_site(host: str, port: int) -> socket.socket:
    """Return the site's listening socket. Raises CannotStart with the cause and the remedy."""
    listener = open_listener(
        host, port, backlog=_SITE_BACKLOG, why_not=partial(_why_not, host, port)
    )
    # accepted sockets inherit it
    listener.setsockopt(
        socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", _SILENCE_SECONDS, 0)
    )
    return listener


def first_page(host: str, port: int, seconds: float) -> int | None:
    """Return the status of the first page; None if there is no answer within `seconds`."""
    connection = http.client.HTTPConnection(reachable_host(host), port, timeout=seconds)
    try:
        connection.request("GET", "/", headers={"User-Agent": "sealed-serve"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _why_not(host: str, port: int, fault: OSError) -> str:
    match fault.errno:
        case errno.EADDRINUSE:
            remedy = (
                "stop that one, or choose another port with --port, such as --port"
                f" {_next_free(host, port)}"
            )
            return f"Port {port} of {host} is taken by another program: {remedy}."
        case errno.EACCES:
            return (
                f"Port {port} may not be used by this user: choose one from 1024 up with --port,"
                " such as --port 8000."
            )
        case errno.EADDRNOTAVAIL:
            return (
                f"HOST {host} is not an address of this machine: use --host 127.0.0.1, or 0.0.0.0"
                " for every network."
            )
        case _:
            return (
                f"Port {port} of {host} cannot be listened on ({fault.strerror}): choose another"
                " with --host and --port."
            )


def _next_free(host: str, port: int) -> int:
    for other in range(port + 1, min(port + 100, 65536)):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            if probe.connect_ex((reachable_host(host), other)):
                return other
    return 0


# --- ports of loopback that are kept from start to start


def keep_port(memory: Path) -> int:
    """Return the port noted in `memory` if it is free, else any free port, which is then noted."""
    port = _free_port(kept_port(memory)) or _free_port(0)
    memory.write_text(str(port))
    return port


def kept_port(memory: Path) -> int:
    """Return the port noted in `memory`; 0 if there is none, or if a full disk left the file
    empty.
    """
    kept = memory.read_text() if memory.exists() else ""
    return int(kept) if kept.isdecimal() and int(kept) < 65536 else 0


def _free_port(port: int) -> int:
    """Return `port` if it is free on loopback, any free port for 0, and 0 if it is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
        return int(probe.getsockname()[1])
