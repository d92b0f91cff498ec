"""PostgreSQL's cursor, without what its driver does for each column of each result."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, overload

import psycopg
from psycopg import Column


class _Description(Sequence[Column]):
    """The columns of a result, described as the first one is looked at."""

    def __init__(self, cursor: "BriefCursor", count: int) -> None:
        self._cursor, self._count = cursor, count

    @cached_property
    def _columns(self) -> list[Column]:
        return self._cursor.describe()

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Column: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Column]: ...

    def __getitem__(self, at: int | slice) -> Column | Sequence[Column]:
        return self._columns[at]


class BriefCursor(psycopg.RawCursor[Any]):
    """A cursor for SQLAlchemy, which asks for the description of each result, but looks at it only
    as it runs a statement for the first time.
    """

    @property
    def description(self) -> Sequence[Column] | None:  # type: ignore[override]  # it is read alike
        """The columns of the current result, None where it has none."""
        result = self.pgresult
        return _Description(self, result.nfields) if result and result.nfields else None

    def describe(self) -> list[Column]:
        """Return the columns of the current result."""
        return super().description or []
