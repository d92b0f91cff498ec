"""The harness on SQLite and on PostgreSQL."""

from collections.abc import Iterator

import pytest

from tests.harness import Harness
from tests.service.attacker import Attacker


@pytest.fixture
def harness(database_url: str) -> Iterator[Harness]:
    """A harness on an empty, migrated database; the test runs on SQLite and on PostgreSQL."""
    made = Harness(database_url)
    yield made
    made.dispose()


@pytest.fixture
def attacker(harness: Harness, uid: str) -> Iterator[Attacker]:
    """Somebody who can write every row of the match that a file of tests calls `uid`."""
    made = Attacker(harness, uid)
    yield made
    made.dispose()
