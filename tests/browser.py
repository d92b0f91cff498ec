"""A real Chromium for the tests: the machine's, else an installed one; a test fails if there is
none.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import click
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.waiting import LIMIT, wait_until

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
WAIT_MILLISECONDS = LIMIT * 1000
Result = TypeVar("Result")
_INSTALL_SECONDS = 900


class BrowserMissing(Exception):
    """There is no Chromium; the message says why and what would help."""


def find_chromium() -> Path | None:
    """Return the machine's Chromium, else playwright's, else None."""
    for name in _NAMES:
        if path := shutil.which(name):
            return Path(path)
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return own if own.exists() else None


def install_chromium() -> Path:
    """Install Chromium: Debian's package as root, else playwright's. Raises BrowserMissing."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        click.echo(
            "Chromium: installing Debian's with apt-get; this takes about a minute ...", err=True
        )
        _run("apt-get", "update", "-qq")
        _run(
            "apt-get",
            "install",
            "-y",
            "-qq",
            "--no-install-recommends",
            "chromium",
            "fonts-dejavu-core",
        )
    else:
        click.echo("Chromium: installing playwright's; this takes about a minute ...", err=True)
        _run(sys.executable, "-m", "playwright", "install", "chromium")
    if found := find_chromium():
        return found
    raise BrowserMissing("Chromium was installed but is not found: put chromium on the PATH.")


def _run(*command: str) -> None:
    if said := install(*command):
        raise BrowserMissing(
            f"Chromium cannot be installed (install it by hand, as `chromium` on the PATH): {said}"
        )


def install(*command: str) -> str:
    """Run a program that installs something; return what went wrong, "" if nothing did."""
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    try:
        done = subprocess.run(
            command, **quiet, text=True, timeout=_INSTALL_SECONDS, check=False, env=environ
        )  # type: ignore[call-overload]
    except subprocess.TimeoutExpired:
        return f"`{' '.join(command)}` did not end within {_INSTALL_SECONDS} seconds"
    return (
        f"`{' '.join(command)}` said: {(done.stderr or done.stdout).strip()[-400:]}"
        if done.returncode
        else ""
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running Chromium for all tests of a process; each test opens contexts of its own in it.

    From then on its event loop runs in this thread, so a test that needs one has `run_apart`.
    """
    path = find_chromium()
    if path is None:
        pytest.fail(
            "There is no Chromium here: run script/test, which installs it, or put chromium on the"
            " PATH.",
            pytrace=False,
        )
    with sync_playwright() as playwright:
        expect.set_options(timeout=WAIT_MILLISECONDS)
        chromium = playwright.chromium.launch(
            executable_path=path, headless=True, args=FLAGS, timeout=WAIT_MILLISECONDS
        )
        yield chromium
        chromium.close()


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in an event loop and a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a new visitor, without cookies and history."""
    context = browser.new_context()
    context.set_default_timeout(WAIT_MILLISECONDS)
    yield context.new_page()
    context.close()


def reload_until(page: Page, shown: Locator) -> None:
    """Load a page again until it shows something."""
    wait_until(lambda: shown.count() or (page.reload() and None), f"{shown} at {page.url}")
