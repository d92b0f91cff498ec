"""`sealed check`: whether everything the service needs is there."""

import sys

import click

_MARKS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


@click.command()
def command() -> None:
    """Look whether everything is reachable and in order; exit 1 where something is wrong."""
    from adjudicator.config import settings
    from adjudicator.hosting.checks import check

    wrong = 0
    for finding in check(settings()):
        click.echo(f"{_MARKS[finding.state]}  {finding.text}")
        wrong += finding.state == "wrong"
    click.echo(f"{wrong} to put right." if wrong else "Everything is in order.")
    sys.exit(1 if wrong else 0)
