"""What a database is asked meanwhile: by SQLAlchemy, which tells of each statement, and by
statements that are made once, which the driver runs without it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from sqlalchemy import event

from adjudicator.platform.db import Database
from adjudicator.platform.statements.prepared import Prepared

Statement = tuple[str, Any]  # its text and its parameters; those of the first of many rows


@contextmanager
def asking(database: Database) -> Iterator[list[Statement]]:
    """Collect the statements that a database is asked meanwhile, as the driver takes them."""
    asked: list[Statement] = []

    def note(_connection: object, _cursor: object, text: str, values: object, *_: object) -> None:
        asked.append((text, values))

    def noting(name: str) -> Callable[..., Any]:
        run = getattr(Prepared, name)

        def note_and_run(prepared: Prepared, connection: Any, values: Any) -> Any:
            compiled = prepared._for(connection.dialect)
            asked.append((compiled.text, compiled.bind(values if name == "run" else values[0])))
            return run(prepared, connection, values)

        return note_and_run

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        with patch.multiple(Prepared, **{name: noting(name) for name in ("run", "run_many")}):
            yield asked
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def queries_of(asked: Sequence[Statement]) -> list[Statement]:
    """Return those that only read."""
    return [each for each in asked if each[0].lstrip().startswith(("SELECT", "WITH"))]
