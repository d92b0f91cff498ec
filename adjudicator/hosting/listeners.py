"""Listening sockets: opened before any role starts and kept while a role is restarted; and the
ports that are kept.
"""

import errno
import http.client
import socket
import struct
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from adjudicator.hosting.messages import CannotStart
from adjudicator.platform.errors import WrongSetting

_SITE_BACKLOG, _INBOX_BACKLOG, _LIVE_BACKLOG = 512, 128, 1024
_MAIL_PORTS = {"smtp": 25, "lmtp": 24}
_SILENCE_SECONDS = 8  # of a client in the middle of a request, which then loses its thread
_OTHER = 0  # of the sentences about an error: about any other one
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 compared, not bound


def open_listener(
    host: str, port: int, faults: Mapping[int, str], *, backlog: int, **named: str
) -> socket.socket:
    """Return a socket that listens there. Raises CannotStart or WrongSetting with the sentence of
    `faults` about the error, in which `named` stand.
    """

    def why_not(fault: OSError) -> str:
        free = _next_free(host, port) if fault.errno == errno.EADDRINUSE else 0
        sentence = faults.get(fault.errno or _OTHER, faults[_OTHER])
        return sentence.format(host=host, port=port, free=free, fault=fault.strerror, **named)

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
    listener = open_listener(host, port, _SITE_FAULTS, backlog=_SITE_BACKLOG)
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


_SITE_FAULTS = {
    errno.EADDRINUSE: "Port {port} of {host} is taken by another program: stop that one, or choose"
    " another port with --port, such as --port {free}.",
    errno.EACCES: "Port {port} may not be used by this user: choose one from 1024 up with --port,"
    " such as --port 8000.",
    errno.EADDRNOTAVAIL: "HOST {host} is not an address of this machine: use --host 127.0.0.1, or"
    " 0.0.0.0 for every network.",
    _OTHER: "Port {port} of {host} cannot be listened on ({fault}): choose another with --host and"
    " --port.",
}


def _next_free(host: str, port: int) -> int:
    for other in range(port + 1, min(port + 100, 65536)):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            if probe.connect_ex((reachable_host(host), other)):
                return other
    return 0


# --- the inbox and the live stream

_INBOX_FAULTS = {
    errno.EADDRINUSE: "INBOX_URL {url}: the port is taken by another program, perhaps a mail server:"
    " give another, {such_as}.",
    errno.EACCES: "INBOX_URL {url}: the port may not be used by this user: give one from 1024 up,"
    " {such_as}.",
    errno.EADDRNOTAVAIL: "INBOX_URL {url} is not an address of this machine: use 127.0.0.1, or"
    " 0.0.0.0 for every network.",
    _OTHER: "INBOX_URL {url} cannot be listened on ({fault}): give another address, {such_as}.",
}
_LIVE_FAULTS = {
    errno.EADDRINUSE: "LIVE_PORT {port} of {host} is taken by another program: give another, or none"
    " to have a free one chosen.",
    errno.EACCES: "LIVE_PORT {port} may not be used by this user: give one from 1024 up, such as"
    " LIVE_PORT=8001.",
    _OTHER: "LIVE_PORT {port} of {host} cannot be listened on ({fault}): give another, such as"
    " LIVE_PORT=8001.",
}


def open_inbox(url: str) -> AbstractContextManager[socket.socket | None]:
    """Return the socket that listens at INBOX_URL, None if that is empty. Raises CannotStart."""
    if not url:
        return nullcontext()
    parts, (host, port) = urlsplit(url), host_and_port(url)
    shown = f"[{parts.hostname}]" if ":" in host else parts.hostname
    such_as = f"such as {parts.scheme}://{shown}:{2525 if parts.scheme == 'smtp' else 2424}"
    return open_listener(
        host, port, _INBOX_FAULTS, backlog=_INBOX_BACKLOG, url=url, such_as=such_as
    )


def own_inbox(data_dir: Path) -> str:
    """Return the URL of this machine's own inbox, used if none is set; its port is kept while it is
    free.
    """
    return f"smtp://127.0.0.1:{keep_port(data_dir / 'inbox' / 'port')}"


def known_inbox(data_dir: Path) -> str:
    """Return the URL that `sealed serve` chose before; "" if it never did."""
    port = kept_port(data_dir / "inbox" / "port")
    return f"smtp://127.0.0.1:{port}" if port else ""


def open_live(host: str, port: int) -> socket.socket:
    """Return the socket that listens at LIVE_PORT. Raises CannotStart."""
    return open_listener(host, port, _LIVE_FAULTS, backlog=_LIVE_BACKLOG)


# --- ports of loopback that are kept from start to start


def keep_port(memory: Path) -> int:
    """Return the port noted in `memory` if it is free, else any free port, which is then noted."""
    memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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
