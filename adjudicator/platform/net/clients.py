"""Clients on the network: their addresses as limits count them, and what a site takes from one
request.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

# key in a request's WSGI environment: the monotonic time at which its last byte had been read
CAME = "sealed.came"
MOST_BYTES = 512 * 1024  # of one request: a calendar file, and texts spelled as a form spells them
# headers that proxies add
FORWARDED = (
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "Forwarded",
    "X-Real-IP",
    "Via",
)


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return a client's address, an IPv4 address that is mapped into IPv6 as itself; None if the
    text is none.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_of(address: IPv4Address | IPv6Address | None) -> str:
    """Return the network that limits count: the IPv4 address, or the /64 of an IPv6 address."""
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), 64), strict=False))
    return str(address or "unknown")
