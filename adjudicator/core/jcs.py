"""Canonical JSON and tagged hashes: the same value gives the same bytes everywhere (SEAL/1,
Bytes).
"""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any

LARGEST_INTEGER = 2**53 - 1
_FEW = 24  # keys of a small object
_quote: Callable[[Any], str] = encode_basestring


class NotCanonical(ValueError):
    """This value has no canonical form: only objects, arrays, NFC strings, integers below 2^53,
    true, false and null have one.
    """


def jcs(value: object) -> bytes:
    """Return the canonical JSON of `value` as UTF-8 (RFC 8785 without floats; keys sorted by UTF-16
    code units).

    Raises NotCanonical for anything that two implementations might write differently.
    """
    text = _write(value)
    if not text.isascii():
        _check_strings(value)
    return text.encode("utf-8")


def _write(value: Any) -> str:
    kind = type(value)
    if kind is str:
        return _quote(value)
    if kind is dict:
        pick, layout = (_kept_layout if len(value) <= _FEW else _layout)(tuple(value))
        return layout % tuple(
            [_quote(each) if type(each) is str else _write(each) for each in pick(value)]
        )
    if kind is list or kind is tuple:
        written = [_quote(each) if type(each) is str else _write(each) for each in value]
        return f"[{','.join(written)}]"
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int or isinstance(value, int):
        if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
            raise NotCanonical(f"{value} is beyond 2^53")
        return str(value)
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, dict | list | tuple):
        return _write(dict(value) if isinstance(value, dict) else list(value))
    raise NotCanonical(f"a {kind.__name__} has no canonical form")


def _layout(keys: tuple[object, ...]) -> tuple[Callable[[Any], Iterable[Any]], str]:
    """Return how the values of an object are picked in the order of its keys, and the object with
    `%s` for each.
    """
    names = [key for key in keys if isinstance(key, str)]
    if len(names) < len(keys):
        raise NotCanonical("every key of an object is a string")
    if "".join(names).isascii():  # then code points are code units
        names.sort()
    else:
        _check_strings(names)
        names.sort(key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    fields = ",".join(f"{_quote(name).replace('%', '%%')}:%s" for name in names)
    pick: Callable[[Any], Iterable[Any]]
    pick = itemgetter(*names) if len(names) > 1 else dict.values
    return pick, f"{{{fields}}}"


_kept_layout = lru_cache(4096)(_layout)  # most small objects have the keys of many others


def _check_strings(value: object) -> None:
    """Refuse strings in a value, except keys, that have two spellings or none in UTF-8."""
    if isinstance(value, str) and not value.isascii():
        if not unicodedata.is_normalized("NFC", value):
            raise NotCanonical("a string is not in NFC")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise NotCanonical("a string holds half a surrogate pair")
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            _check_strings(each)


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
    # in other zones two times of an hour that comes twice are equal
    return _stamp(moment.astimezone(UTC))


@lru_cache(4096)  # a match has few times, and each is stamped often
def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
