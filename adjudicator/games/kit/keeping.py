"""What follows from a frozen value, worked out once for each and kept in it."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

ValueT = TypeVar("ValueT")
Found = TypeVar("Found")


def keep(work: Callable[[ValueT], Found]) -> Callable[[ValueT], Found]:
    """Let a pure function of one frozen record keep its result beside the record's fields: neither
    comparison nor storing sees it, and a changed copy has none.
    """
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def keeping(value: ValueT) -> Found:
        own = value.__dict__
        try:
            found: Found = own[name]
        except KeyError:
            found = own[name] = work(value)
        return found

    return keeping
