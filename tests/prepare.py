"""Prepares servers, browsers and tools before the tests and prints what was found; `script/test`
calls it.
"""

import os
import sys

import click

from tests.browser import BrowserMissing, find_chromium, install_chromium
from tests.firefox import FirefoxMissing, find_firefox, install_firefox
from tests.lighthouse import (
    VERSION,
    LighthouseMissing,
    find_lighthouse,
    find_node,
    install_lighthouse,
)
from tests.sampling import EVERY_CASE
from tests.server_search import ServerMissing, find_postgres, find_redis, version_of


def main() -> None:
    """Print what the tests will use; exit 1 with one sentence if a server or Chromium is missing,
    with EVERY_TOOL=1 if anything is.

    Lighthouse and Firefox serve nightly tests only.
    """
    last = 5 if EVERY_CASE else 3
    try:
        click.echo(f"1 of {last}  {find_postgres().words}", err=True)
        click.echo(f"2 of {last}  {find_redis().words}", err=True)
        chromium = find_chromium() or install_chromium()
        click.echo(f"3 of {last}  Chromium {version_of(chromium)} at {chromium}", err=True)
    except (ServerMissing, BrowserMissing) as missing:
        _stop(missing)
    if EVERY_CASE:
        _prepare_nightly()


def _prepare_nightly() -> None:
    try:
        _ = find_lighthouse() or install_lighthouse()
        node = find_node()
        click.echo(
            f"4 of 5  Lighthouse {VERSION} on Node {version_of(node) if node else ''}", err=True
        )
    except LighthouseMissing as missing:
        _stop_or_go_on(missing)
    try:
        firefox = find_firefox() or install_firefox()
        click.echo(f"5 of 5  Firefox {version_of(firefox)} at {firefox}", err=True)
    except FirefoxMissing as missing:
        _stop_or_go_on(missing)


def _stop_or_go_on(missing: Exception) -> None:
    if os.environ.get("EVERY_TOOL"):
        _stop(missing)
    click.echo(f"        {missing} Its tests are skipped.", err=True)


def _stop(missing: Exception) -> None:
    click.echo(str(missing), err=True)
    sys.exit(1)


if __name__ == "__main__":
    main()
