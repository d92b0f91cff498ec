"""The harness on SQLite and on PostgreSQL."""

from collections.abc import Iterator

import pytest

from tests.harness import Harness


@pytest.fixture
def harness(database_url: str) -> Iterator[Harness]:
    """A harness on an empty, migrated database; the test runs on SQLite and on PostgreSQL."""
    made = Harness(database_url)
    yield made
    made.dispose()
