"""Records that have much of another in them: the view of a game without secrets, and the state
behind it.
"""

from dataclasses import fields
from typing import Any, TypeVar

RecordT = TypeVar("RecordT")


def record_like(kind: type[RecordT], other: object, **own: Any) -> RecordT:
    """Return a record of `kind` with what `other` has by the same names, but for its `own`; only
    where nobody may see less than another.
    """
    names = {field.name for field in fields(kind)} - own.keys()  # type: ignore[arg-type]
    return kind(**{name: getattr(other, name) for name in names if hasattr(other, name)}, **own)
