"""Canonical JSON and tagged hashes: the same value gives the same bytes everywhere (SEAL/1, Bytes)."""

import hashlib
import json
import unicodedata
from datetime import UTC, datetime

LARGEST_INTEGER = 2**53 - 1


class NotCanonical(ValueError):
    """This value has no canonical form: only objects, arrays, NFC strings, integers below 2^53, true, false and null have one."""


def jcs(value: object) -> bytes:
    """Return the canonical JSON of `value` as UTF-8 (RFC 8785 without floats; keys sorted by UTF-16 code units).

    Raises NotCanonical for anything that two implementations might write differently.
    """
    return _write(value).encode("utf-8")


def _write(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise NotCanonical(f"{value} is beyond 2^53")
        return str(value)
    if isinstance(value, str):
        return _write_string(value)
    if isinstance(value, list | tuple):
        return "[" + ",".join(_write(item) for item in value) + "]"
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise NotCanonical("every key of an object is a string")
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_write_string(key)}:{_write(value[key])}" for key in keys) + "}"
    raise NotCanonical(f"a {type(value).__name__} has no canonical form")


def _write_string(text: str) -> str:
    if not unicodedata.is_normalized("NFC", text):
        raise NotCanonical("a string is not in NFC")
    if any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise NotCanonical("a string holds half a surrogate pair")
    return json.dumps(text, ensure_ascii=False)


def H(tag: str, value: object) -> bytes:  # noqa: N802  (the name the specification uses)
    """Return SHA-256("sealed/1/" + tag + "\\n" + bytes), 32 raw bytes; a value that is not bytes is hashed as its canonical JSON."""
    body = value if isinstance(value, bytes) else jcs(value)
    return hashlib.sha256(f"sealed/1/{tag}\n".encode() + body).digest()


def format_timestamp(moment: datetime) -> str:
    """Return `YYYY-MM-DDTHH:MM:SS.mmmZ`; raises ValueError for a time without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone cannot be stamped")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
