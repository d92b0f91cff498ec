"""A crew on a real database and a real Redis."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worker.crew import Crew


@pytest.fixture
def crew(database_url: str, redis_url: str, tmp_path: Path) -> Iterator[Crew]:
    """Workers on SQLite and on PostgreSQL."""
    made = Crew(database_url, redis_url, tmp_path)
    yield made
    made.dismiss()


@pytest.fixture
def postgres_crew(postgres_url: str, redis_url: str, tmp_path: Path) -> Iterator[Crew]:
    """Workers on PostgreSQL only, where the database is not what is tested."""
    made = Crew(postgres_url, redis_url, tmp_path)
    yield made
    made.dismiss()
