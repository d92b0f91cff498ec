"""Fetching a page of the outside over https: bounded in size and time, and never from an address inside the host's own network."""

import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urljoin, urlsplit

MOST_BYTES = 1024 * 1024
SECONDS = 10.0  # for the whole fetch, redirects included
REDIRECTS = 3
LONGEST_ADDRESS = 500
_CHUNK = 65536

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class CannotFetch(Exception):
    """The page was not fetched; the text is a sentence for the person who gave its address."""


@dataclass(frozen=True)
class Outside:
    """How the outside is reached; tests put a server of their own in its place."""

    resolve: Callable[[str, int], Sequence[Address]]
    is_public: Callable[[Address], bool]
    trusted: Callable[[], ssl.SSLContext]
    port: int = 443


def resolve_name(host: str, port: int) -> tuple[Address, ...]:
    """Return the addresses of a host; raises OSError where it has none."""
    return tuple(ipaddress.ip_address(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet: neither private, local, shared, reserved nor a wrapped form of such."""
    inner = address
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (address,))[-1]
        if address in ipaddress.ip_network("64:ff9b::/96"):  # NAT64: the last 32 bits are an IPv4 address
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.is_global and inner.is_global and not inner.is_multicast and not address.is_multicast


OUTSIDE = Outside(resolve_name, is_public, ssl.create_default_context)


def fetch_page(url: str, *, outside: Outside = OUTSIDE, most: int = MOST_BYTES, seconds: float = SECONDS) -> bytes:
    """Return the body of an https page, at most `most` bytes of it, within `seconds`.

    1. Each address, a redirect's too, is resolved once; the connection goes to that very address, so that a second answer of the
       name server cannot lead elsewhere. 2. An address that is not public is refused. 3. At most three redirects are followed.
    Raises CannotFetch with a sentence.
    """
    until = time.monotonic() + seconds
    for _ in range(REDIRECTS + 1):
        found = _fetch_once(url, outside, most=most, until=until)
        if isinstance(found, bytes):
            return found
        url = urljoin(url, found)
    raise CannotFetch("That address leads on to another too often.")


def _fetch_once(url: str, outside: Outside, *, most: int, until: float) -> bytes | str:
    """Return the body, or the address that it leads on to."""
    host, target = _parts(url, outside.port)
    connection, sock = _connect(host, outside, until)
    try:
        headers = {"Host": host, "Accept": "text/calendar, text/plain;q=0.5", "Accept-Encoding": "identity", "Connection": "close"}
        connection.request("GET", target, headers=headers)
        with connection.getresponse() as answer:
            if answer.status in (301, 302, 303, 307, 308) and answer.headers["Location"]:
                return str(answer.headers["Location"])
            if answer.status != 200:
                raise CannotFetch(f"{host} answered {answer.status} instead of the page.")
            return _body(sock, answer, most, until)
    except TimeoutError as error:
        raise CannotFetch(f"{host} took too long to answer.") from error
    except (OSError, HTTPException, ValueError) as error:
        raise CannotFetch(f"{host} could not be read.") from error
    finally:
        connection.close()
        sock.close()


def check_address(url: str) -> str:
    """Return an address that `fetch_page` would take, with https in the place of webcal; raises CannotFetch with a sentence."""
    _parts(url, OUTSIDE.port)
    if len(url) > LONGEST_ADDRESS:
        raise CannotFetch(f"The address is longer than {LONGEST_ADDRESS} characters.")
    return f"https:{url.partition(':')[2]}"


def _parts(url: str, port: int) -> tuple[str, str]:
    """Return host and target of an https address; raises CannotFetch where it is none, names a password or another port."""
    try:
        parts = urlsplit(url)
        named = parts.port
    except ValueError as error:
        raise CannotFetch("That is no address of a page.") from error
    host = parts.hostname
    if parts.scheme.lower() not in ("https", "webcal") or not host:
        raise CannotFetch("The address has to begin with https:// and name a host.")
    if parts.username is not None or named not in (None, port):
        raise CannotFetch("The address may name neither a password nor a port of its own.")
    path = parts.path or "/"
    target = f"{path}?{parts.query}" if parts.query else path
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise CannotFetch("The address holds characters that an address may not have; copy it once more.")
    return host, target


def _connect(host: str, outside: Outside, until: float) -> tuple[HTTPSConnection, socket.socket]:
    try:
        addresses = outside.resolve(host, outside.port)
    except (OSError, ValueError) as error:
        raise CannotFetch(f"{host} is not known.") from error
    if not addresses or not all(outside.is_public(address) for address in addresses):
        raise CannotFetch(f"{host} is not on the public internet.")
    trusted = outside.trusted()
    try:
        connection = HTTPSConnection(host, outside.port, timeout=_left(until), context=trusted)
        plain = socket.create_connection((str(addresses[0]), outside.port), timeout=_left(until))
        try:
            sock = trusted.wrap_socket(plain, server_hostname=host)
        except BaseException:
            plain.close()
            raise
    except ssl.SSLError as error:
        raise CannotFetch(f"{host} has no certificate that can be trusted.") from error
    except TimeoutError as error:
        raise CannotFetch(f"{host} took too long to answer.") from error
    except OSError as error:
        raise CannotFetch(f"{host} could not be reached.") from error
    connection.sock = sock  # to that very address, and not to what the name may lead to by now
    return connection, sock


def _body(sock: socket.socket, answer: HTTPResponse, most: int, until: float) -> bytes:
    """Return the whole body; raises CannotFetch where it is too large, TimeoutError where it comes too slowly."""
    body = bytearray()
    while True:
        sock.settimeout(_left(until))
        chunk = answer.read1(_CHUNK)
        if not chunk:
            return bytes(body)
        body += chunk
        if len(body) > most:
            raise CannotFetch(f"That page is larger than {most // 1024} kilobytes.")


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
