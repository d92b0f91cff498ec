"""The first lines of an HTTP/1.1 request, for a server that answers three addresses and nothing
else (RFC 9112).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

END = b"\r\n\r\n"
_FIRST = re.compile(r"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.[01]")
_LINE = re.compile(r"([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}):[ \t]*(.*?)[ \t]*")
_MOST_LINES = 64


@dataclass(frozen=True)
class RequestHead:
    """Method, path, query and headers of a request; of a name that comes twice the last value
    counts, lists are joined.
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # by lower-case name


def parse_head(text: bytes) -> RequestHead | None:
    """Return the head of a request, given the bytes before END; None if they are none."""
    first, *lines = text.decode("latin-1").split("\r\n")
    found = _FIRST.fullmatch(first)
    if found is None or len(lines) > _MOST_LINES:
        return None
    headers: dict[str, str] = {}
    for line in lines:
        pair = _LINE.fullmatch(line)
        if pair is None:
            return None
        name = pair[1].lower()
        headers[name] = f"{headers[name]}, {pair[2]}" if name in headers else pair[2]
    try:
        parts = urlsplit(found[2])
        query = {
            name: values[-1] for name, values in parse_qs(parts.query, max_num_fields=8).items()
        }
    except ValueError:
        return None
    return RequestHead(found[1], parts.path, query, headers)
