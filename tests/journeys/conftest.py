"""The whole service as a newcomer starts it, and a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import WAIT_MILLISECONDS
from tests.hosting.service import ROOT, Service, run_service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One real `sealed serve` for the journeys of a file."""
    with run_service(
        tmp_path_factory.mktemp("journey") / "var", "serve", PYTHONPATH=str(ROOT)
    ) as service:
        yield service


Visitor = Callable[..., Page]


_BROKEN_OFF = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "Failed to fetch")


def _expected(line: str, *, restarts: bool) -> bool:
    """Whether a console message is expected: a refused request, or one that met a service that
    stops or has stopped (`restarts`).
    """
    return "status of 4" in line or (restarts and any(each in line for each in _BROKEN_OFF))


@pytest.fixture
def visitor(browser: Browser, service: Service) -> Iterator[Visitor]:
    """Return a function that makes visitors with their own browsers; an error in a page's script
    fails the test.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def come(
        *,
        javascript: bool = True,
        width: int = 1280,
        zone: str = "Europe/Paris",
        restarts: bool = False,
    ) -> Page:
        size = {"width": width, "height": 900}
        context = browser.new_context(
            base_url=f"http://localhost:{service.port}",
            java_script_enabled=javascript,
            viewport=size,
            timezone_id=zone,  # type: ignore[arg-type]
        )
        context.set_default_timeout(WAIT_MILLISECONDS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        passed = lambda line: line.type != "error" or _expected(line.text, restarts=restarts)  # noqa: E731 it is named once
        page.on("console", lambda line: None if passed(line) else faults.append(line.text))
        return page

    yield come
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def folder(service: Service) -> Path:
    """The service's data directory."""
    return service.folder
