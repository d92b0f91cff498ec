"""Plain frozen values to JSON and back, the same way for every game."""

from collections.abc import Sequence
from functools import cache
from types import GenericAlias
from typing import Any

from pydantic import TypeAdapter


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def dump(kind: Any, value: Any) -> Any:
    """Return `value` (of type `kind`) as objects, lists, strings, integers, booleans and None."""
    return _adapter(kind).dump_python(value, mode="json")


def dump_all(kind: Any, values: Sequence[Any]) -> list[Any]:
    """Return what `dump` returns for each of some values of one type."""
    plain: list[Any] = _adapter(GenericAlias(list, (kind,))).dump_python(list(values), mode="json")
    return plain


def load(kind: Any, plain: Any) -> Any:
    """Return the value of type `kind` that `dump` wrote; raises pydantic.ValidationError for
    anything else.
    """
    return _adapter(kind).validate_python(plain)
