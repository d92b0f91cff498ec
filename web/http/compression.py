"""Compresses text for browsers that accept gzip, unless a page mixes secrets with text of other
people (`form_tokens`).

The parts of a page that is kept are compressed once, so that a token of each response can go
between them without compressing anything again: a stored block of DEFLATE (RFC 1951, 3.2.4) between
the compressed blocks of two parts, in one gzip member (RFC 1952). A large picture in them is
compressed by itself, once for all pages that show it.
"""

import gzip
import hashlib
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from flask import Flask, Response, g, request

from adjudicator.platform.byte_cache import ByteCache
from web.http.page_rules import current_rules

LEAST = 700  # bytes; compressing less gains nothing
LEVEL = 5  # of 9: a page of 120 kB takes 3 ms; higher levels save 1 % more
KEPT_LEVEL = 9  # for what is cached
PARTS_LEVEL = 6
_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_END = b"\x01\x00\x00\xff\xff"  # an empty stored block, the last one
# stands for the bytes of a token: no page contains it, so no later part refers to them
_ABSENT = b"\0"
_PICTURE, _PICTURE_END = b"<svg ", b"</svg>"
LARGE = 8000  # bytes; a smaller picture is compressed with what stands around it
MOST_PICTURES = 4 * 1024 * 1024  # bytes of compressed pictures that are kept, about
_pictures: ByteCache[bytes, bytes] = ByteCache(MOST_PICTURES)
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
        return _with(response, (_kept_picture if current_rules().picture else _kept)(tag, data))
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
    rules = current_rules()
    if rules.impersonal:
        return True
    if rules.secret_address or rules.others_write:
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


@dataclass(frozen=True)
class Packed:
    """Parts as DEFLATE blocks, each as it follows the one before and a token of this many bytes."""

    blocks: tuple[bytes, ...]
    token: int


def pack(parts: Sequence[bytes], token: int) -> Packed:
    """Compress parts for tokens of `token` bytes between them. Raises ValueError where a part
    contains a NUL.
    """
    if any(_ABSENT in part for part in parts):
        raise ValueError("a page contains a NUL")
    blocks, compressor = [], _begin()
    for part in parts:
        block = b""
        for piece in _cut(part):
            if len(piece) >= LARGE and piece.startswith(_PICTURE):
                block, compressor = block + _pack_picture(piece), _begin()
            else:
                block += _pack(compressor, piece)
        blocks.append(block)
        _pack(compressor, _ABSENT * token)  # so that it counts the token's bytes
    return Packed(tuple(blocks), token)


def _cut(part: bytes) -> list[bytes]:
    """Return a part in pieces: each large picture, and what stands before, between and after."""
    pieces, done, at = [], 0, part.find(_PICTURE)
    while at >= 0:
        end = part.find(_PICTURE_END, at) + len(_PICTURE_END)
        if end - at >= LARGE:
            pieces += [part[done:at], part[at:end]]
            done = end
        at = part.find(_PICTURE, max(at + 1, end))
    return [*pieces, part[done:]]


def _pack_picture(picture: bytes) -> bytes:
    key = hashlib.sha256(picture).digest()
    block = _pictures.get(key)
    if block is None:
        block = _pack(_begin(), picture)
        _pictures.put(key, block, len(block))
    return block


def _begin() -> "zlib._Compress":
    return zlib.compressobj(PARTS_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)


def _pack(compressor: "zlib._Compress", piece: bytes) -> bytes:
    """Return DEFLATE blocks, which may refer to what the compressor was given before."""
    return compressor.compress(piece) + compressor.flush(zlib.Z_SYNC_FLUSH)


def gzip_of(packed: Packed, parts: Sequence[bytes], token: bytes) -> bytes:
    """Return one gzip member of `token.join(parts)`; `packed` is these parts for tokens of this
    length.
    """
    plain = token.join(parts)
    stored = struct.pack("<BHH", 0, len(token), len(token) ^ 0xFFFF) + token
    return (
        _HEAD
        + stored.join(packed.blocks)
        + _END
        + struct.pack("<II", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
    )
