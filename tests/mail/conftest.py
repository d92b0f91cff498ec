"""Fixtures for letters: harnesses on both databases or on SQLite only, with or without an inbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.mail.reading import orderlike
from adjudicator.mail.reading.sandbox import LetterReader
from tests.mail.mail_harness import MailHarness
from tests.mail.reading import ORDER_WORDS


@pytest.fixture(scope="session", autouse=True)
def _learnt() -> None:
    """Set the order words of this process, for tests that parse letters without a child."""
    orderlike.learn_orders(ORDER_WORDS)


@pytest.fixture
def post_harness_on_both(database_url: str, tmp_path: Path) -> Iterator[MailHarness]:
    """A harness that posts letters, on SQLite, then on PostgreSQL."""
    with MailHarness(database_url, tmp_path / "data") as made:
        yield made


@pytest.fixture
def post_harness(sqlite_url: str, tmp_path: Path) -> Iterator[MailHarness]:
    """A harness that posts letters, on SQLite only."""
    with MailHarness(sqlite_url, tmp_path / "data") as made:
        yield made


@pytest.fixture(scope="session")
def reader() -> Iterator[LetterReader]:
    """The process that parses letters."""
    with LetterReader(ORDER_WORDS) as started:
        yield started


@pytest.fixture
def harness(sqlite_url: str, tmp_path: Path, reader: LetterReader) -> Iterator[MailHarness]:
    """A harness that takes letters in, on SQLite only."""
    with MailHarness(sqlite_url, tmp_path / "data", reader) as made:
        yield made


@pytest.fixture
def harness_on_both(
    database_url: str, tmp_path: Path, reader: LetterReader
) -> Iterator[MailHarness]:
    """A harness that takes letters in, on SQLite, then on PostgreSQL."""
    with MailHarness(database_url, tmp_path / "data", reader) as made:
        yield made
