"""The only source of randomness: keys, nonces, tokens, seeds of a match's chance, and choices of
house bots.
"""

import base64
import secrets
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def token_bytes(size: int) -> bytes:
    """Return `size` cryptographically secure random bytes; every other function here uses them."""
    return secrets.token_bytes(size)


def token_hex(size: int) -> str:
    """Return `size` random bytes in hex."""
    return token_bytes(size).hex()


def token_urlsafe(size: int) -> str:
    """Return `size` random bytes as URL-safe text."""
    return base64.urlsafe_b64encode(token_bytes(size)).rstrip(b"=").decode()


def choose(items: Sequence[T]) -> T:
    """Return one item, chosen uniformly. Raises IndexError if there is none."""
    if not items:
        raise IndexError("there is nothing to choose from")
    bound = 256**8 // len(items) * len(items)  # rejecting larger values avoids modulo bias
    while (drawn := int.from_bytes(token_bytes(8))) >= bound:
        pass
    return items[drawn % len(items)]
