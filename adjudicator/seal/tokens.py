"""Tokens of links and addresses in letters: computed from the worker's `auth`, never stored
(SEAL/1, What a writer ... can do, 3).

The worker computes a token while it writes the letter. The database holds the token's SHA-256, and
what it is computed from.
"""

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from adjudicator.seal.crypto import Keyring

Purpose = Literal[
    "signin",  # a link that signs in
    "invitation",  # a seat kept for an address, before the match begins
    "offer",  # a seat of a running match, for a standby or a substitute
    "question",  # the address that takes the answer to a confirmation letter
    "seat",  # the address of a seat, for its present player
    "master",  # the address of a match's master
    "stop",  # stops letters to a player
    "never",  # stops letters to an address without a player
    "return",  # the address to which a letter that cannot be delivered comes back
]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
LENGTH = 26  # characters: 130 bits


def derive_token(keyring: "Keyring", purpose: Purpose, *, row: str, whom: str, n: int = 0) -> str:
    """Return A(purpose, {row, whom, n}), truncated to 26 characters of lower-case base 32, because
    mail servers may ignore case.

    `row` names the row that the token opens, `whom` the person who gets it (usually `who_is` of the
    letter's address), and `n` counts the tokens that were given for the same row. Only the holder
    of the key file can compute it.
    """
    digest = keyring.authenticate(purpose, {"row": row, "whom": whom, "n": n})
    return base64.b32encode(digest).decode().lower()[:LENGTH]


def who_is(keyring: "Keyring", address: str) -> str:
    """Return A("who", address) in hex: it names a person by their mail address, and nobody without
    the key file can compute it.
    """
    return keyring.authenticate("who", address).hex()


def hash_token(token: str) -> str:
    """Return the SHA-256 of a token in hex, under which it is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def same_token(one: str, other: str) -> bool:
    """Whether two tokens are equal; takes the same time wherever they differ."""
    return hmac.compare_digest(one.encode(), other.encode())
