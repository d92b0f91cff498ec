"""A desk on each real database."""

from collections.abc import Iterator

import pytest

from tests.service.desk import Desk


@pytest.fixture
def desk(database_url: str) -> Iterator[Desk]:
    """A desk with an empty, migrated database; the test runs on SQLite and on PostgreSQL."""
    made = Desk.at(database_url)
    yield made
    made.dispose()
