"""Canonical JSON and tagged hashes: the same value gives the same bytes everywhere (SEAL/1,
Bytes).
"""

import hashlib
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring

LARGEST_INTEGER = 2**53 - 1
_FEW = 24  # keys of a small object
_quote: Callable[[str], str] = encode_basestring


class NotCanonical(ValueError):
    """This value has no canonical form: only objects, arrays, NFC strings, integers below 2^53,
    true, false and null have one.
    """


def jcs(value: object) -> bytes:
    """Return the canonical JSON of `value` as UTF-8 (RFC 8785 without floats; keys sorted by UTF-16
    code units).

    Raises NotCanonical for anything that two implementations might write differently.
    """
    return _write(value).encode("utf-8")


def _write(value: object) -> str:
    if type(value) is str:
        return _quote(value) if value.isascii() else _write_string(value)
    if isinstance(value, dict):
        fields = (_kept_layout if len(value) <= _FEW else _layout)(tuple(value))
        return "{" + ",".join([f"{name}:{_write(value[key])}" for key, name in fields]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([_write(item) for item in value]) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise NotCanonical(f"{value} is beyond 2^53")
        return str(value)
    if isinstance(value, str):
        return _write_string(value)
    if value is None:
        return "null"
    raise NotCanonical(f"a {type(value).__name__} has no canonical form")


def _layout(keys: tuple[object, ...]) -> tuple[tuple[str, str], ...]:
    """Return the keys of an object in their order, each with how it is written."""
    names = [key for key in keys if isinstance(key, str)]
    if len(names) < len(keys):
        raise NotCanonical("every key of an object is a string")
    if "".join(names).isascii():  # then code points are code units
        names.sort()
    else:
        names.sort(key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return tuple((name, _write_string(name)) for name in names)


_kept_layout = lru_cache(4096)(_layout)  # most small objects have the keys of many others


def _write_string(text: str) -> str:
    if not text.isascii():
        if not unicodedata.is_normalized("NFC", text):
            raise NotCanonical("a string is not in NFC")
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise NotCanonical("a string holds half a surrogate pair")
    return _quote(text)


def H(tag: str, value: object) -> bytes:  # noqa: N802  (the name the specification uses)
    """Return SHA-256("sealed/1/" + tag + "\\n" + bytes), 32 raw bytes; a value that is not bytes is
    hashed as its canonical JSON.
    """
    body = value if isinstance(value, bytes) else jcs(value)
    return hashlib.sha256(f"sealed/1/{tag}\n".encode() + body).digest()


def format_timestamp(moment: datetime) -> str:
    """Return `YYYY-MM-DDTHH:MM:SS.mmmZ`; raises ValueError for a time without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone cannot be stamped")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
