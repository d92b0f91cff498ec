"""`sealed letters`: failed letters, in and out, whose text and addresses are never shown; a test
letter; announcements.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TextIO

import click

from adjudicator.commands.matches import open_database
from adjudicator.hosting.command_options import HostCommands
from adjudicator.platform.words import plural, seat_phrase

if TYPE_CHECKING:
    from adjudicator.service.letters.delivery_failures import Line


@click.group(cls=HostCommands, invoke_without_command=True)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Also letters in that were passed over as they should be: automatic, repeated ...",
)
@click.pass_context
def command(ctx: click.Context, every: bool) -> None:
    """List letters that are held, came back or could not be read, with the reasons; send a held one
    again.
    """
    if ctx.invoked_subcommand is not None:
        return
    from adjudicator.service.letters import delivery_failures

    with open_database(changes=False).read_tx() as session:
        out = delivery_failures.out(session)
        came_in = delivery_failures.incoming(session, every=every)
    _show("Letters out", out, "Every letter was sent, or waits for its turn.")
    _show("Letters in", came_in, "Every letter that was read could be acted on.")


def _show(title: str, lines: Sequence["Line"], otherwise: str) -> None:
    click.echo(f"{title}:" if lines else f"{title}: {otherwise}")
    for line in lines:
        where = (
            f" {line.match}" + (f" {seat_phrase(line.seat)}" if line.seat else "")
            if line.match
            else ""
        )
        click.echo(
            f"  {line.uid}  {line.at:%Y-%m-%d %H:%M} UTC  {line.kind}{where}  {line.fate}:"
            f" {line.why}"
        )


@command.command("resend")
@click.argument("uid", required=False)
@click.option("--all", "every", is_flag=True, help="Every held letter.")
@click.option(
    "--since",
    metavar="WHEN",
    help='Those made since then: "2026-12-01 20:00" in UTC, or 90m, 12h, 3d ago.',
)
@click.option(
    "--to", "domain", metavar="DOMAIN", help="Those to addresses of a domain, such as example.org."
)
def resend(uid: str | None, every: bool, since: str | None, domain: str | None) -> None:
    """Let a held letter go out now, once its fault is mended; or many: --all, --since WHEN, --to
    DOMAIN (both of these: what is both).
    """
    from adjudicator.service.letters import delivery_failures

    many = every or since is not None or domain is not None
    if (uid is not None) == many or (every and (since or domain)):
        raise click.UsageError(
            "Name one letter, or say --all, or --since WHEN, --to DOMAIN or both."
        )
    database = open_database()
    now = database.now()
    if many:
        which = delivery_failures.Which(_moment(since, now) if since else None, domain or "")
        count = delivery_failures.resend_all(database, which, now=now)
        click.echo(
            plural(count, "{n} letter goes out.", "{n} letters go out.")
            if count
            else "No such letter is held."
        )
        return
    delivery_failures.resend(database, uid or "", now=now)
    click.echo("The letter goes out.")


@command.command("test")
@click.argument("address")
def test(address: str) -> None:
    """Send a test letter to ADDRESS now, as workers send theirs, and say what the mail server said.
    Needs the workers' settings.
    """
    from adjudicator.mail.sending.probing import send_probe
    from adjudicator.mail.sending.smtp import NotSent
    from adjudicator.platform.config import current_settings
    from adjudicator.service.base.public_keys import published_fingerprint
    from adjudicator.service.people.accounts import clean_address

    settings, database = current_settings(), open_database()
    with database.read_tx() as session:
        to, fingerprint = clean_address(address), published_fingerprint(session)
    try:
        sent = send_probe(settings, to, fingerprint=fingerprint, now=database.now())
    except NotSent as fault:
        raise click.ClickException(f"The letter was not sent: {fault}.") from fault
    where = (
        f"It is in {settings.data_dir / 'mailbox'}, as SMTP_URL is not set."
        if settings.local_mailbox
        else "The mail server took it."
    )
    click.echo(f"{where} Its Message-ID is {sent}.")


@command.command("announce")
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--subject", required=True, help="Its subject.")
@click.option(
    "--running", is_flag=True, help="Only to those who play or run a running match or tournament."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def announce(file: TextIO, subject: str, running: bool, yes: bool) -> None:
    """Write the text in FILE ("-": what is piped in) to all players who want letters.

    Run it again where it was cut short: nobody gets it twice.
    """
    from adjudicator.service.letters import announcing

    if file.name == "<stdin>" and not yes:
        raise click.UsageError("What is piped in cannot be asked about: say --yes.")
    settings = announcing.write_announcement(subject, file.read(), running=running)
    database = open_database()
    with database.read_tx() as session:
        readers = len(announcing.list_readers(session, settings))
    if not readers:
        click.echo("Everybody who wants letters has it.")
        return
    question = plural(readers, "Send it to {n} player?", "Send it to {n} players?")
    if not yes:
        click.confirm(question, abort=True)
    count = announcing.announce(database, settings, now=database.now())
    click.echo(plural(count, "{n} letter waits to be sent.", "{n} letters wait to be sent."))


_AGO = re.compile(r"(\d{1,5})([mhd])")
_SPANS = {"m": "minutes", "h": "hours", "d": "days"}


def _moment(text: str, now: datetime) -> datetime:
    """Return the time that a text gives: a time in UTC, or how long ago."""
    ago = _AGO.fullmatch(text.strip().lstrip("-"))
    if ago:
        return now - timedelta(**{_SPANS[ago[2]]: int(ago[1])})
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise click.UsageError(
            f"“{text}” is no time: write 2026-12-01 20:00 (UTC), or 12h for twelve hours ago."
        ) from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
