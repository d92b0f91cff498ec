"""`sealed check`: whether everything the service needs is available; with --role, whether one role
is well.
"""

import sys
from itertools import chain

import click

_MARKS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}
_ROLES = ["web", "live", "worker", "beat", "inbox"]


@click.command()
@click.option(
    "--role", type=click.Choice(_ROLES), help="Only whether this role, running here, is well."
)
@click.option(
    "--deep",
    is_flag=True,
    help="Also hold the chance of each match against its anchors; needs the worker's key file.",
)
def command(role: str | None, deep: bool) -> None:
    """Look whether everything is reachable and in order; exit 1 where something is wrong."""
    from adjudicator.platform.config import current_settings

    if role is not None:
        _check_role(role)
    from adjudicator.hosting.health.checks import check_service
    from adjudicator.hosting.health.deep import check_deeply

    wrong = 0
    for finding in chain(
        check_service(current_settings()), check_deeply(current_settings()) if deep else ()
    ):
        click.echo(f"{_MARKS[finding.state]}  {finding.text}")
        wrong += finding.state == "wrong"
    click.echo(f"{wrong} to put right." if wrong else "Everything is in order.")
    sys.exit(1 if wrong else 0)


def _check_role(role: str) -> None:
    """Print whether a role is well and exit with the code that a container's health check
    expects.
    """
    from adjudicator.hosting.health import role_health
    from adjudicator.platform.config import current_settings

    found = next(each for each in role_health.ROLES if each == role)
    wrong = role_health.find_trouble(current_settings(), found)
    click.echo(wrong or "It is well.")
    sys.exit(1 if wrong else 0)
