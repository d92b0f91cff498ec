"""The public halves of the worker's keys (SEAL/1: Keys), for those who only compare them: no
cryptography is imported.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from adjudicator.core.jcs import H


@dataclass(frozen=True)
class PublicKeys:
    """The public halves of the worker's keys, 32 raw bytes each."""

    signing: bytes  # Ed25519
    wrapping: bytes  # X25519: for all that only the worker may open
    inbox: bytes  # X25519: raw letters

    @property
    def document(self) -> dict[str, object]:
        """The JSON of `/.well-known/sealed-keys.json`, without its fingerprint."""
        return {
            "version": 1,
            "signing": self.signing.hex(),
            "wrapping": self.wrapping.hex(),
            "inbox": self.inbox.hex(),
        }

    @cached_property
    def fingerprint(self) -> str:
        """H("keys", document) in hex, shown in every letter's footer."""
        return H("keys", self.document).hex()

    @classmethod
    def of(cls, document: dict[str, object]) -> "PublicKeys":
        """Parse what `document` returned."""
        return _parse(*(str(document[name]) for name in ("signing", "wrapping", "inbox")))


@lru_cache(maxsize=8)  # a service has one at a time, and reads it with all that it seals
def _parse(signing: str, wrapping: str, inbox: str) -> PublicKeys:
    return PublicKeys(*map(bytes.fromhex, (signing, wrapping, inbox)))
