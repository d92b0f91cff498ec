"""Sites on real databases, with a clock that the test sets."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests import clocks
from tests.harness import Harness
from tests.web.live import Live, listening
from tests.web.sample_board import LayForm, sample_board
from tests.web.site import Site


def _open(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    harness = Harness(url)
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    site = Site.create(harness, folder)
    yield site
    site.app.extensions["database"].engine.dispose()
    harness.dispose()


@pytest.fixture
def site(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site on SQLite and on PostgreSQL."""
    yield from _open(database_url, tmp_path / "data", monkeypatch)


@pytest.fixture
def small_site(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """A site on SQLite only, for tests that do not depend on the database; on PostgreSQL where
    SITES_ON_POSTGRES is set.
    """
    url = request.getfixturevalue(
        "postgres_url" if os.environ.get("SITES_ON_POSTGRES") else "sqlite_url"
    )
    yield from _open(url, tmp_path / "data", monkeypatch)


@pytest.fixture
def lay_form(page: Page, tmp_path: Path) -> LayForm:
    """A sample board to click in a real browser."""
    return sample_board(page, tmp_path)


@pytest.fixture
def live(small_site: Site, browser: Browser) -> Iterator[Live]:
    """A site on a real port, with a real browser."""
    with listening(small_site, browser) as live:
        yield live
