"""Compresses the parts of a page once, so that a token of each response can go between them without
compressing anything again.

A token is a stored block of DEFLATE (RFC 1951, 3.2.4) between the compressed blocks of two parts,
in one gzip member (RFC 1952).
"""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 6
_WINDOW = 32 * 1024  # bytes that DEFLATE looks back
_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_END = b"\x01\x00\x00\xff\xff"  # an empty stored block, the last one
# stands for the bytes of a token: no page contains it, so no later part refers to them
_ABSENT = b"\0"


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
    blocks, before = [], b""
    for part in parts:
        compressor = zlib.compressobj(
            LEVEL,
            zlib.DEFLATED,
            -zlib.MAX_WBITS,
            zlib.DEF_MEM_LEVEL,
            zlib.Z_DEFAULT_STRATEGY,
            before,
        )
        blocks.append(compressor.compress(part) + compressor.flush(zlib.Z_SYNC_FLUSH))
        before = (before + part + _ABSENT * token)[-_WINDOW:]
    return Packed(tuple(blocks), token)


def gzip(packed: Packed, parts: Sequence[bytes], token: bytes) -> bytes:
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
