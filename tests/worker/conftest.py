"""A crew on a real database and a real Redis."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import delete

from adjudicator.service.base.tables import Incoming
from tests.harness import Harness
from tests.worker.crew import Crew
from tests.worker.inbox_process import InboxProcess


@pytest.fixture
def crew(database_url: str, redis_url: str, tmp_path: Path) -> Iterator[Crew]:
    """Workers on SQLite and on PostgreSQL."""
    made = Crew(database_url, redis_url, tmp_path)
    yield made
    made.dismiss()


@pytest.fixture
def postgres_crew(postgres_url: str, redis_url: str, tmp_path: Path) -> Iterator[Crew]:
    """Workers on PostgreSQL only, for tests that do not depend on the database."""
    made = Crew(postgres_url, redis_url, tmp_path)
    yield made
    made.dismiss()


@pytest.fixture
def inbox(database_url: str, tmp_path: Path) -> Iterator[InboxProcess]:
    """An inbox that is not started yet, on SQLite and on PostgreSQL."""
    made = InboxProcess(Harness(database_url), database_url, tmp_path)
    yield made
    made.close()


@pytest.fixture
def small_inbox(sqlite_url: str, tmp_path: Path) -> Iterator[InboxProcess]:
    """The same on SQLite only, for tests that do not depend on the database."""
    made = InboxProcess(Harness(sqlite_url), sqlite_url, tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def _shared_inbox(
    shared_sqlite_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[InboxProcess]:
    made = InboxProcess(
        Harness(shared_sqlite_url), shared_sqlite_url, tmp_path_factory.mktemp("inbox")
    )
    made.open()
    yield made
    made.close()


@pytest.fixture
def open_inbox(_shared_inbox: InboxProcess) -> InboxProcess:
    """A running inbox with nothing stored, started once for all tests of a file that need no other
    settings.
    """
    with _shared_inbox.harness.database.write_tx() as session:
        session.exec(delete(Incoming))
    return _shared_inbox
