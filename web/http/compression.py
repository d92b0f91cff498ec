"""Compresses text for browsers that accept gzip, unless a page mixes secrets with text of other
people (`form_tokens`).
"""

import gzip
from functools import lru_cache

from flask import Flask, Response, g, request

from web.http.security import SECRET_ADDRESSES

LEAST = 700  # bytes; compressing less gains nothing
LEVEL = 5  # of 9: a page of 120 kB takes 3 ms; higher levels save 1 % more
KEPT_LEVEL = 9  # for what is cached
TEXTS = frozenset(
    {
        "text/html",
        "text/css",
        "text/javascript",
        "text/plain",
        "image/svg+xml",
        "application/json",
        "application/javascript",
    }
)
OTHERS_WRITE = frozenset({"press.press", "press.write"})  # pages with text by other players
PICTURES = frozenset({"boards.board", "boards.game"})  # as many as there are phases
SAME_FOR_ALL = PICTURES | {  # pages without personal content
    "static",
    "rules.games",
    "rules.rules",
    "plain.keys_file",
    "plain.verifier",
    "results.schema",
}


def install(app: Flask) -> None:
    """Compress this site's responses; registered first, so that it runs after every other response
    handler.
    """
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.status_code == 304:
        response.close()  # werkzeug leaves the unsent file open
    if (
        response.mimetype not in TEXTS
        or response.status_code != 200
        or "Content-Encoding" in response.headers
    ):
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Range" in response.headers or not takes_gzip():
        return response
    response.direct_passthrough = False
    data, tag = response.get_data(), response.get_etag()[0]
    if tag:
        return _with(
            response, (_kept_picture if request.endpoint in PICTURES else _kept)(tag, data)
        )
    return _with(response, gzip.compress(data, LEVEL, mtime=0)) if len(data) >= LEAST else response


def takes_gzip() -> bool:
    """Whether the response to this request may be compressed: its browser takes gzip, and the
    page's size tells nothing.
    """
    return request.accept_encodings["gzip"] > 0 and _harmless()


def _harmless() -> bool:
    """Whether nobody else can put text on this page beside its secrets and measure the compressed
    size (BREACH).
    """
    if request.endpoint in SAME_FOR_ALL:
        return True
    if request.endpoint in SECRET_ADDRESSES or request.endpoint in OTHERS_WRITE:
        return False
    return bool(g.get("csrf_valid")) if request.method == "POST" else not request.query_string


@lru_cache(maxsize=64)
def _kept(_tag: str, data: bytes) -> bytes:
    """Return a static file, or a page that is the same for all, compressed once for each
    content.
    """
    return gzip.compress(data, KEPT_LEVEL, mtime=0)


@lru_cache(maxsize=64)
def _kept_picture(_tag: str, data: bytes) -> bytes:
    """Return the picture of a board compressed; kept apart, so that walking through many boards
    displaces nothing else.
    """
    return gzip.compress(data, LEVEL, mtime=0)


def _with(response: Response, packed: bytes) -> Response:
    tag = response.get_etag()[0]
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"
    if tag:
        response.set_etag(tag, weak=True)
    return response
