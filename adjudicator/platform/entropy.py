"""The one place that asks the machine for randomness: keys, nonces, tokens, the seeds of a match's chance, what house bots choose."""

import base64
import secrets
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def token_bytes(size: int) -> bytes:
    """Return so many bytes that nobody can guess; everything else here is made of them."""
    return secrets.token_bytes(size)


def token_hex(size: int) -> str:
    """Return so many random bytes in hex."""
    return token_bytes(size).hex()


def token_urlsafe(size: int) -> str:
    """Return so many random bytes as text that may stand in a web address."""
    return base64.urlsafe_b64encode(token_bytes(size)).rstrip(b"=").decode()


def choose(items: Sequence[T]) -> T:
    """Return one of several things, each as likely as the others; raises IndexError where there is none."""
    if not items:
        raise IndexError("there is nothing to choose from")
    bound = 256**8 // len(items) * len(items)  # above it the first few would be a little likelier
    while (drawn := int.from_bytes(token_bytes(8))) >= bound:
        pass
    return items[drawn % len(items)]
