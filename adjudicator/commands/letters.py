"""`sealed letters`: failed letters, in and out; their text and addresses are never shown."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from adjudicator.commands.matches import open_database
from adjudicator.platform.words import plural, seat_phrase
from adjudicator.service.base.errors import Refused

if TYPE_CHECKING:
    from adjudicator.service.letters.delivery_failures import Line


@click.group(invoke_without_command=True)
@click.option("--all", "every", is_flag=True, help="Also letters in that were passed over as they should be: automatic, repeated ...")
@click.pass_context
def command(ctx: click.Context, every: bool) -> None:
    """List letters that are held, came back or could not be read, with the reasons; send a held one again."""
    if ctx.invoked_subcommand is not None:
        return
    from adjudicator.service.letters import delivery_failures

    with open_database().read_tx() as session:
        out, came_in = delivery_failures.out(session), delivery_failures.incoming(session, every=every)
    _show("Letters out", out, "Every letter was sent, or waits for its turn.")
    _show("Letters in", came_in, "Every letter that was read could be acted on.")


def _show(title: str, lines: Sequence["Line"], otherwise: str) -> None:
    click.echo(f"{title}:" if lines else f"{title}: {otherwise}")
    for line in lines:
        where = f" {line.match}" + (f" {seat_phrase(line.seat)}" if line.seat else "") if line.match else ""
        click.echo(f"  {line.uid}  {line.at:%Y-%m-%d %H:%M} UTC  {line.kind}{where}  {line.fate}: {line.why}")


@command.command("resend")
@click.argument("uid", required=False)
@click.option("--all", "every", is_flag=True, help="Every held letter.")
@click.option("--since", metavar="WHEN", help='Those made since then: "2026-12-01 20:00" in UTC, or 90m, 12h, 3d ago.')
@click.option("--to", "domain", metavar="DOMAIN", help="Those to addresses of a domain, such as example.org.")
def resend(uid: str | None, every: bool, since: str | None, domain: str | None) -> None:
    """Let a held letter go out now, once its fault is mended; or many: --all, --since WHEN, --to DOMAIN (both of these: what is both)."""
    from adjudicator.service.letters import delivery_failures

    many = every or since is not None or domain is not None
    if (uid is not None) == many or (every and (since or domain)):
        raise click.UsageError("Name one letter, or say --all, or --since WHEN, --to DOMAIN or both.")
    database = open_database()
    now = database.now()
    if many:
        which = delivery_failures.Which(_moment(since, now) if since else None, domain or "")
        count = delivery_failures.resend_all(database, which, now=now)
        click.echo(plural(count, "{n} letter goes out.", "{n} letters go out.") if count else "No such letter is held.")
        return
    try:
        delivery_failures.resend(database, uid or "", now=now)
    except Refused as error:
        raise click.ClickException(str(error)) from error
    click.echo("The letter goes out.")


_AGO = re.compile(r"(\d{1,5})([mhd])")
_SPANS = {"m": "minutes", "h": "hours", "d": "days"}


def _moment(text: str, now: datetime) -> datetime:
    """Return the time that a text gives: a time in UTC, or how long ago."""
    ago = _AGO.fullmatch(text.strip().lstrip("-"))
    if ago:
        return now - timedelta(**{_SPANS[ago[2]]: int(ago[1])})
    try:
        told = datetime.fromisoformat(text.strip())
    except ValueError:
        raise click.UsageError(f"“{text}” is no time: write 2026-12-01 20:00 (UTC), or 12h for twelve hours ago.") from None
    return told.replace(tzinfo=UTC) if told.tzinfo is None else told
