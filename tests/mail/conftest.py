"""Fixtures for letters: a table on each database, and one that is quick to set."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mail.table import Table


@pytest.fixture
def table(database_url: str, tmp_path: Path) -> Iterator[Table]:
    """A table on SQLite, then on PostgreSQL."""
    with Table(database_url, tmp_path / "data") as made:
        yield made


@pytest.fixture
def desk(sqlite_url: str, tmp_path: Path) -> Iterator[Table]:
    """A table on SQLite only, for what no database changes."""
    with Table(sqlite_url, tmp_path / "data") as made:
        yield made
