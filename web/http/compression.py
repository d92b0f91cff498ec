"""Text is sent compressed to browsers that take it so, where nothing secret stands beside what somebody else wrote (`tokens`)."""

import gzip
from functools import lru_cache

from flask import Flask, Response, g, request

from web.http.security import SECRET_ADDRESSES

LEAST = 700  # bytes; below that nothing is gained
LEVEL = 5  # of 9: a page of 120 kB takes 3 ms, and more levels gain a hundredth
KEPT_LEVEL = 9  # of what is kept
TEXTS = frozenset({"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml", "application/json", "application/javascript"})
OTHERS_WRITE = frozenset({"press.press", "press.write"})  # pages full of what other players wrote
SAME_FOR_ALL = frozenset({"static", "rules.games", "rules.rules", "plain.keys_file"})  # pages that hold nothing of anybody's


def install(app: Flask) -> None:
    """Compress the answers of this site; registered before what adds to answers, for it comes last."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.status_code == 304:
        response.close()  # the file that is not sent: werkzeug leaves it open
    if response.mimetype not in TEXTS or response.status_code != 200 or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Range" in response.headers or request.accept_encodings["gzip"] <= 0 or not _harmless():
        return response
    response.direct_passthrough = False
    data, tag = response.get_data(), response.get_etag()[0]
    if tag:
        return _with(response, _kept(tag, data))
    return _with(response, gzip.compress(data, LEVEL, mtime=0)) if len(data) >= LEAST else response


def _harmless() -> bool:
    """Whether nobody else can choose what stands on this page beside its secrets, and watch how small it becomes (BREACH)."""
    if request.endpoint in SAME_FOR_ALL:
        return True
    if request.endpoint in SECRET_ADDRESSES or request.endpoint in OTHERS_WRITE:
        return False
    return bool(g.get("csrf_valid")) if request.method == "POST" else not request.query_string


@lru_cache(maxsize=64)
def _kept(_tag: str, data: bytes) -> bytes:
    """Return a file of ours, or a page that is the same for all, compressed once for each content."""
    return gzip.compress(data, KEPT_LEVEL, mtime=0)


def _with(response: Response, packed: bytes) -> Response:
    tag = response.get_etag()[0]
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"
    if tag:
        response.set_etag(tag, weak=True)
    return response
