"""A player's home page costs a handful of queries, however many matches the player has."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from sqlalchemy import event

from adjudicator.platform.db import Database
from adjudicator.platform.statements.prepared import Prepared
from adjudicator.service.matches import absences
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import match_list
from tests.harness import Harness
from tests.service import listed

HANDFUL = 10


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
    """Collect the queries that run meanwhile."""
    queries: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            queries.append(statement)

    run = Prepared.run

    def note_and_run(prepared: Prepared, *of: Any) -> Any:  # without SQLAlchemy's events
        queries.append(str(prepared._statement))
        return run(prepared, *of)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        with patch.object(Prepared, "run", note_and_run):
            yield queries
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def queries_of_lists(harness: Harness) -> int:
    with counted(harness.database) as queries, harness.database.read_tx() as session:
        match_list.match_cards(session, harness.player("Alice"), now=harness.now)
        listed.open_matches(session, harness.player("Alice"))
    return len(queries)


def queries_of_absences(harness: Harness) -> int:
    with counted(harness.database) as queries, harness.database.read_tx() as session:
        absences.list_honoured(session, harness.player("Alice"))
    return len(queries)


def test_more_matches_cost_no_more_queries(harness: Harness) -> None:
    harness.player("Alice")
    found = []
    for count in (2, 18):
        for number in range(count):
            harness.match("Alice", wish=Wish("pyramid", "Running", {}, house=2, progress="seats"))
            harness.prepare_match(
                Wish("pyramid", "Waiting", {}), "Alice", *(("Bob",) if number % 2 else ())
            )
            harness.prepare_match(Wish("pyramid", "Open", {}), "Charlie")
        found.append((queries_of_lists(harness), queries_of_absences(harness)))
    assert found[0] == found[1]
    assert max(found[1]) <= HANDFUL
