"""Headers of letters: text of players cannot begin a new header, and ids and addresses are never
folded.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from email.header import Header
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy, Policy
from functools import cache
from operator import is_
from typing import Any, TypeVar, cast

T = TypeVar("T")

COLUMNS = 76
# fields with texts of our own; every other text is one line
_MANY_LINES = frozenset({"board", "view"})
_INVISIBLE = {"Cc", "Cs", "Zl", "Zp"}
# marks that change the reading direction
_TURNING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Verbatim(BaseHeader):
    """A header on one line: few programs read a long id or web address correctly when it is
    folded.
    """

    max_count = 1

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        """Keep the value unchanged (the interface of email.headerregistry)."""
        kwds["parse_tree"], kwds["decoded"] = UnstructuredHeader.value_parser(value), value

    def fold(self, *, policy: "Policy[Any]") -> str:
        """Return the header's line."""
        return f"{self.name}: {self}{policy.linesep}"


class Subject(Verbatim):
    """A subject, folded at its spaces and encoded by RFC 2047 where it is not ASCII; its first line
    is never empty.
    """

    def fold(self, *, policy: "Policy[Any]") -> str:
        """Return the header's lines."""
        # readers would decode a name like =?utf-8?q?=0D=0A?=
        charset = "us-ascii" if self.isascii() and "=?" not in self else "utf-8"
        folded = Header(str(self), charset, header_name=self.name, maxlinelen=COLUMNS).encode(
            linesep=policy.linesep
        )
        return f"{self.name}: {folded}{policy.linesep}"


def _registry() -> HeaderRegistry:
    registry = HeaderRegistry()
    registry.map_to_type("subject", Subject)
    for name in (
        "message-id",
        "in-reply-to",
        "references",
        "list-unsubscribe",
        "x-sealed-orders",
        "content-id",
    ):
        registry.map_to_type(name, Verbatim)
    return registry


POLICY: "EmailPolicy[EmailMessage]" = SMTP.clone(
    header_factory=_registry(), max_line_length=COLUMNS
)


def one_line(text: str) -> str:
    """Return `text` on one line, without control characters and marks that change the reading
    direction.
    """
    if text.isascii() and text.isprintable():  # as nearly all are
        line = " ".join(text.split())
        return text if line == text else line
    kept = (
        " " if unicodedata.category(char) in _INVISIBLE else char
        for char in text
        if char not in _TURNING
    )
    return " ".join("".join(kept).split())


def clean_content(value: T) -> T:
    """Return a letter's content with every text in it on one line, except our own texts of many
    lines.
    """
    return cast(T, _clean(value, ""))


def _clean(value: object, name: str) -> object:
    if isinstance(value, str):
        return value if name in _MANY_LINES else one_line(value)
    if is_dataclass(value) and not isinstance(value, type):
        fields = ((each, getattr(value, each)) for each in _field_names(type(value)))
        changed = {
            each: cleaned for each, was in fields if (cleaned := _clean(was, each)) is not was
        }
        return replace(value, **changed) if changed else value
    if isinstance(value, Mapping):
        return {one_line(key): _clean(each, key) for key, each in value.items()}
    if isinstance(value, tuple):
        cleaned = tuple(_clean(each, "") for each in value)
        return value if all(map(is_, value, cleaned)) else cleaned
    return value


@cache
def _field_names(of: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(of))
