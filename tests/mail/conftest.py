"""Fixtures for letters: a table on each database, and one that is quick to set."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.mail.reading.sandbox import Reader
from tests.mail.office import Office
from tests.mail.office import office as open_office
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


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    """The process that takes letters apart."""
    with Reader() as started:
        yield started


@pytest.fixture
def office(sqlite_url: str, tmp_path: Path, reader: Reader) -> Iterator[Office]:
    """A post office on SQLite."""
    with open_office(sqlite_url, tmp_path / "data", reader) as made:
        yield made


@pytest.fixture
def both_offices(database_url: str, tmp_path: Path, reader: Reader) -> Iterator[Office]:
    """A post office on SQLite, then on PostgreSQL."""
    with open_office(database_url, tmp_path / "data", reader) as made:
        yield made
