"""Between whom a letter goes: by our own address in it, the header of a quoted letter is known in any language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.reading import fields
from adjudicator.mail.reading.headers import Headers

_NAME = "sealed orders"  # our letters' From shows it, on every instance
_RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
_MOST = 12  # addresses that are looked for


@dataclass(frozen=True)
class Correspondents:
    """What names this service in a text: parts of addresses in lower case."""

    ours: tuple[str, ...] = ()

    def named_in(self, text: str) -> bool:
        """Whether the text names this service, by its address or its name."""
        lowered = text.lower()
        return _NAME in lowered or any(each in lowered for each in self.ours)

    def without(self, text: str) -> str:
        """Return the text without this service's name and without addresses."""
        return re.sub(rf"<[^<>]*>|\S+@\S+|{_NAME}", " ", text, flags=re.IGNORECASE)

    def addressed_in(self, text: str) -> bool:
        """Whether an address of this service stands in the text."""
        lowered = text.lower()
        return any(each in lowered for each in self.ours)


def of(headers: Headers, sender: str) -> Correspondents:
    """Return whom a letter with these headers was written to; where its writer has the same host, the names count, not the host."""
    found = [address for name in _RECIPIENTS for value in headers.all(name)[:3] for address in fields.addresses(value)[:_MOST]]
    ours = [each for address in dict.fromkeys(found) if address != sender for each in _parts(address, sender)]
    return Correspondents(tuple(dict.fromkeys(ours))[:_MOST])


def _parts(address: str, sender: str) -> Sequence[str]:
    name, _, host = address.rpartition("@")
    if host != sender.rpartition("@")[2]:
        return (f"@{host}",)
    base = name.partition("+")[0]
    return (f"{base}@{host}", f"{base}+")
