"""Pages outside: read and posted over https, and never from inside the host's network."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urljoin, urlsplit

from adjudicator.platform import clock

MOST_BYTES = 1024 * 1024
SECONDS = 10.0  # for the whole fetch, redirects included
REDIRECTS = 3
LONGEST_ADDRESS = 500
_CHUNK = 65536

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


_TRANSLATED, _UNICAST = ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("2000::/3")
# Teredo, 6to4, examples
_WRAPPED = tuple(
    map(ipaddress.IPv6Network, ("2001::/32", "2002::/16", "2001:db8::/32", "3fff::/20"))
)
_RELAYS = ipaddress.IPv4Network("192.88.99.0/24")  # to 6to4, of old


class CannotFetch(Exception):
    """The page was not fetched; the text is a sentence for the person who gave its address."""


@dataclass(frozen=True)
class Outside:
    """How the outside is reached; tests put a server of their own in its place."""

    resolve: Callable[[str, int], Sequence[Address]]
    is_public: Callable[[Address], bool]
    trusted: Callable[[], ssl.SSLContext]
    port: int = 443
    plain: bool = False  # whether addresses are of http, which only those of this machine may be


@dataclass(frozen=True)
class PageAnswer:
    """What a post was answered: the status, the content type and the body."""

    status: int
    kind: str
    body: bytes


def resolve_name(host: str, port: int) -> tuple[Address, ...]:
    """Return the addresses of a host; raises OSError where it has none."""
    return tuple(
        ipaddress.ip_address(found[4][0])
        for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    )


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet: neither private, local, shared, reserved
    nor a wrapped form of such.

    Of IPv6 only global unicast counts (2000::/3), besides mapped (::ffff:0:0/96) and translated
    (64:ff9b::/96) IPv4 addresses.
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped or address in _TRANSLATED:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in _UNICAST or any(address in each for each in _WRAPPED):
            return False
    return address.is_global and not address.is_multicast and address not in _RELAYS


OUTSIDE = Outside(resolve_name, is_public, ssl.create_default_context)


def fetch_page(
    url: str, *, outside: Outside = OUTSIDE, most: int = MOST_BYTES, seconds: float = SECONDS
) -> bytes:
    """Return the body of an https page, at most `most` bytes of it, within `seconds`.

    1. Each address, a redirect's too, is resolved once; the connection goes to that very address,
       so that a second answer of the name server cannot lead elsewhere. 2. An address that is not
       public is refused. 3. At most three redirects are followed.
    Raises CannotFetch with a sentence.
    """
    until = clock.monotonic() + seconds
    for _ in range(REDIRECTS + 1):
        found = _fetch_once(url, outside, most=most, until=until)
        if isinstance(found, bytes):
            return found
        url = urljoin(url, found)
    raise CannotFetch("That address leads on to another too often.")


def _fetch_once(url: str, outside: Outside, *, most: int, until: float) -> bytes | str:
    """Return the body, or the address that it leads on to."""
    host, target = _parts(url, outside.port, plain=outside.plain)
    headers = {
        "Host": _host_header(url),
        "Accept": "text/calendar, text/plain;q=0.5",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    with _connected(host, outside, until, fault="be read") as (connection, sock):
        connection.request("GET", target, headers=headers)
        with connection.getresponse() as answer:
            if answer.status in (301, 302, 303, 307, 308) and answer.headers["Location"]:
                return str(answer.headers["Location"])
            if answer.status != 200:
                raise CannotFetch(f"{host} answered {answer.status} instead of the page.")
            return _body(sock, answer, most, until)


def send_page(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    outside: Outside = OUTSIDE,
    seconds: float = SECONDS,
) -> int:
    """Do as `post_page` without reading the answer's body; return its status."""
    return post_page(url, headers, body, outside=outside, most=0, seconds=seconds).status


def post_page(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    outside: Outside,
    most: int,
    seconds: float,
) -> PageAnswer:
    """Post a body to an https address within `seconds`, as `fetch_page` connects; return the
    answer, of its body at most `most` bytes.

    No redirect is followed. Raises CannotFetch with a sentence.
    """
    until = clock.monotonic() + seconds
    host, target = _parts(url, outside.port, plain=outside.plain)
    with _connected(host, outside, until, fault="be written to") as (connection, sock):
        # a timeout alone begins anew with each byte
        watch = threading.Timer(_left(until), _cut_off, (sock,))
        watch.daemon = True
        watch.start()
        try:
            sock.settimeout(_left(until))
            connection.request(
                "POST",
                target,
                body=body,
                headers={"Host": _host_header(url), "Connection": "close", **headers},
            )
            sock.settimeout(_left(until))
            with connection.getresponse() as answer:
                text = _body(sock, answer, most, until) if most else b""
                return PageAnswer(answer.status, answer.headers.get("Content-Type", ""), text)
        finally:
            watch.cancel()


def _host_header(url: str) -> str:
    """Return what an address names as its host: an IPv6 address in brackets, and a port if it is
    not the scheme's own.
    """
    parts = urlsplit(url)
    written = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    return (
        written
        if parts.port in (None, 80 if parts.scheme.lower() == "http" else 443)
        else f"{written}:{parts.port}"
    )


@contextmanager
def _connected(
    host: str, outside: Outside, until: float, *, fault: str
) -> Iterator[tuple[HTTPSConnection, socket.socket]]:
    """Connect to a host for the block, and close the connection; an error of it is raised as
    CannotFetch: "could not {fault}".
    """
    connection, sock = _connect(host, outside, until)
    try:
        yield connection, sock
    except TimeoutError as error:
        raise CannotFetch(f"{host} took too long to answer.") from error
    except (OSError, HTTPException, ValueError) as error:
        raise CannotFetch(f"{host} could not {fault}.") from error
    finally:
        connection.close()
        sock.close()


def _cut_off(sock: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def check_address(url: str, *, longest: int = LONGEST_ADDRESS) -> str:
    """Return an address that `fetch_page` would take, with https in the place of webcal; raises
    CannotFetch with a sentence.

    A name is not resolved here, but a number that is no public address is refused.
    """
    _parts(url, OUTSIDE.port)
    host = urlsplit(url).hostname or ""
    with suppress(ValueError):
        if not is_public(ipaddress.ip_address(host)):
            raise CannotFetch(f"{host} is not on the public internet.")
    if len(url) > longest:
        raise CannotFetch(f"The address is longer than {longest} characters.")
    return f"https:{url.partition(':')[2]}"


def _parts(url: str, port: int, *, plain: bool = False) -> tuple[str, str]:
    """Return host and target of an https address; raises CannotFetch where it is none, names a
    password or another port.
    """
    try:
        parts = urlsplit(url)
        given_port = parts.port
    except ValueError as error:
        raise CannotFetch("That is no address of a page.") from error
    host = parts.hostname
    if parts.scheme.lower() not in (("http",) if plain else ("https", "webcal")) or not host:
        raise CannotFetch("The address has to begin with https:// and name a host.")
    if parts.username is not None or given_port not in (None, port):
        raise CannotFetch("The address may name neither a password nor a port of its own.")
    path = parts.path or "/"
    target = f"{path}?{parts.query}" if parts.query else path
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise CannotFetch(
            "The address holds characters that an address may not have; copy it once more."
        )
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
        plain = _first_that_answers(addresses, outside.port, until)
        try:
            sock = plain if outside.plain else trusted.wrap_socket(plain, server_hostname=host)
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


def _first_that_answers(addresses: Sequence[Address], port: int, until: float) -> socket.socket:
    """Connect to one of a host's addresses, tried in order; raises the last one's OSError."""
    for address in addresses[:-1]:
        with suppress(OSError):
            return socket.create_connection(
                (str(address), port), timeout=_left(until) / len(addresses)
            )
    return socket.create_connection((str(addresses[-1]), port), timeout=_left(until))


def _body(sock: socket.socket, answer: HTTPResponse, most: int, until: float) -> bytes:
    """Return the whole body; raises CannotFetch where it is too large, TimeoutError where it comes
    too slowly.
    """
    body = bytearray()
    while True:
        sock.settimeout(_left(until))
        chunk = answer.read1(_CHUNK)
        if not chunk:
            _left(until)  # the connection may have been cut off as the time was over
            return bytes(body)
        body += chunk
        if len(body) > most:
            raise CannotFetch(f"That page is larger than {most // 1024} kilobytes.")


def _left(until: float) -> float:
    left = until - clock.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
