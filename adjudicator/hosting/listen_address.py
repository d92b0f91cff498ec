"""The address the site listens on: taken before anything starts, kept while the web role is started again."""

import errno
import http.client
import socket
import struct

from adjudicator.hosting.messages import CannotStart

_BACKLOG = 512
_SILENCE_SECONDS = 8  # of a client in the middle of a request: then its thread goes to others
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 compared, not bound


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises CannotStart, saying what stands in the way and what would be right."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as fault:
        raise CannotStart(f"HOST {host} is not an address of this machine: use --host 127.0.0.1, or 0.0.0.0 for every network.") from fault
    listener = socket.socket(family, kind)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", _SILENCE_SECONDS, 0))  # accepted ones inherit it
    try:
        listener.bind(where)
        listener.listen(_BACKLOG)
    except OSError as fault:
        listener.close()
        raise CannotStart(_why_not(fault, host, port)) from fault
    return listener


def first_page(host: str, port: int, seconds: float) -> int | None:
    """The status that the first page answers with; None where it does not answer within so many seconds."""
    connection = http.client.HTTPConnection(_ANYWHERE.get(host, host), port, timeout=seconds)
    try:
        connection.request("GET", "/", headers={"User-Agent": "sealed-serve"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _why_not(fault: OSError, host: str, port: int) -> str:
    match fault.errno:
        case errno.EADDRINUSE:
            remedy = f"stop that one, or choose another port with --port, such as --port {_next_free(host, port)}"
            return f"Port {port} of {host} is taken by another program: {remedy}."
        case errno.EACCES:
            return f"Port {port} may not be used by this user: choose one from 1024 up with --port, such as --port 8000."
        case errno.EADDRNOTAVAIL:
            return f"HOST {host} is not an address of this machine: use --host 127.0.0.1, or 0.0.0.0 for every network."
        case _:
            return f"Port {port} of {host} cannot be listened on ({fault.strerror}): choose another with --host and --port."


def _next_free(host: str, port: int) -> int:
    for other in range(port + 1, min(port + 100, 65536)):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            if probe.connect_ex((_ANYWHERE.get(host, host), other)):
                return other
    return 0
