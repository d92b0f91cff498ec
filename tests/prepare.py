"""Prepares servers and browser before the tests and prints what was found; `script/test` calls it."""

import sys

import click

from tests.browser import BrowserMissing, find_chromium, install_chromium
from tests.server_search import ServerMissing, find_postgres, find_redis, version_of


def main() -> None:
    """Print the servers and browser that tests will use; exit 1 with one sentence if one is missing."""
    try:
        click.echo(f"1 of 3  {find_postgres().words}", err=True)
        click.echo(f"2 of 3  {find_redis().words}", err=True)
        chromium = find_chromium() or install_chromium()
        click.echo(f"3 of 3  Chromium {version_of(chromium)} at {chromium}", err=True)
    except (ServerMissing, BrowserMissing) as missing:
        click.echo(str(missing), err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
