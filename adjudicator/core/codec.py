"""Plain frozen values to JSON and back, the same way for every game."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def dump(kind: Any, value: Any) -> Any:
    """Return `value` (of type `kind`) as objects, lists, strings, integers, booleans and None."""
    return _adapter(kind).dump_python(value, mode="json")


def load(kind: Any, plain: Any) -> Any:
    """Return the value of type `kind` that `dump` wrote; raises pydantic.ValidationError for
    anything else.
    """
    return _adapter(kind).validate_python(plain)
