"""`sealed matches`: the host's view of matches, without anybody's orders."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from adjudicator.hosting.command_options import HostCommands
from adjudicator.platform.words import seat_phrase

if TYPE_CHECKING:
    from datetime import datetime

    from adjudicator.platform.db import Database
    from adjudicator.service.views.match_list import Card


def open_database(*, changes: bool = True) -> "Database":
    """Return the database of the settings, for who signs what it changes. Raises CannotStart with a
    sentence if it is not ready.
    """
    from adjudicator.hosting.starting.preflight import require_database
    from adjudicator.platform.config import current_settings
    from adjudicator.platform.db import Database

    require_database(current_settings())
    database = Database(current_settings().database_url)
    if not changes:
        return database
    from adjudicator.seal.crypto import KeyFileError, load_key_file
    from adjudicator.service.requests import signing

    with suppress(KeyFileError):  # only what changes a match needs the key file
        return signing.as_worker(database, load_key_file(current_settings().key_file))
    return database


@click.group(cls=HostCommands)
def command() -> None:
    """List and show matches; orders are never shown."""


@command.command("list")
@click.option(
    "--status",
    type=click.Choice(["making", "open", "running", "ended", "stuck", "expired"]),
    help="Only matches of this status.",
)
@click.option("--game", help="Only matches of this game, by its key.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="How many are listed at most.",
)
def list_(status: str | None, game: str | None, limit: int) -> None:
    """List matches, the newest first; those that only guests play against house bots come last."""
    from adjudicator.service.views import game_info, match_list

    key = game_info.about(game).key if game else None
    with open_database(changes=False).read_tx() as session:
        listed = match_list.all_matches(session, status=status, game=key, most=limit)
    for row in listed.cards:
        taken = f"{sum(1 for seat in row.seats if seat.player)}/{len(row.seats)}"
        until = f"{row.phase}, due {row.deadline:%Y-%m-%d %H:%M} UTC" if row.deadline else ""
        until = f"{row.phase}, paused" if row.paused else until
        click.echo(
            f"{row.uid} "
            f" {row.status:8}{row.game_key:10}{taken:6}{row.name}{'  - ' + until if until else ''}"
        )
    if listed.in_all > limit:
        click.echo(f"These are {limit} of {listed.in_all}; --limit {listed.in_all} lists them all.")
    elif not listed.cards:
        conditions = " and ".join(filter(None, (status, f"of {game}" if game else "")))
        click.echo(f"No match is {conditions}." if conditions else "There are no matches yet.")


@command.command("show")
@click.argument("uid")
def show(uid: str) -> None:
    """Show one match: its seats, phases and troubles."""
    from adjudicator.service.letters.delivery_failures import of_match
    from adjudicator.service.views import match_page

    database = open_database(changes=False)
    now = database.now()
    with database.read_tx() as session:
        page, troubles = match_page.match_page(session, uid, None), of_match(session, uid)
    card = page.card
    click.echo(f"{card.name} ({card.uid}): {card.game}, {card.status}; master {page.master}")
    for seat in card.seats:
        click.echo(
            f"  {seat_phrase(seat.name)}:"
            f" {seat.player or ('kept for somebody' if seat.kept else 'free')}"
        )
    for phase in page.phases:
        closed = (
            f"closed {phase.closed_at:%Y-%m-%d %H:%M:%S} UTC ({phase.why})"
            if phase.closed_at
            else _open(card, now)
        )
        click.echo(f"  {phase.number:3} {phase.name}: {closed}")
    if page.stopped:
        click.echo(f"  {page.stopped}")
    for note in page.notes:
        click.echo(f"  {note.at:%Y-%m-%d %H:%M} UTC: {note.who} {note.what}")
    for line in troubles:
        click.echo(f"  ! {line}")


def _open(card: "Card", now: "datetime") -> str:
    if card.paused or card.deadline is None:
        return "paused" if card.paused else "standing still"
    if card.overtime_until is not None:
        return f"in overtime until {card.overtime_until:%Y-%m-%d %H:%M} UTC"
    deadline = f"{card.deadline:%Y-%m-%d %H:%M} UTC"
    return (
        f"open until {deadline}"
        if now < card.deadline
        else f"about to close, past its deadline of {deadline}"
    )


def _carry_out(act: Callable[..., object], uid: str, *arguments: object) -> None:
    """Carry out an act of masters as the host."""
    database = open_database()
    act(database, uid, None, *arguments, now=database.now())


@command.command("pause")
@click.argument("uid")
def pause(uid: str) -> None:
    """Stop a match's clock: orders may be handed in, nothing closes. Its players are told."""
    from adjudicator.service.matches import masters

    _carry_out(masters.pause_match, uid)
    click.echo(f"The match is paused; `sealed matches resume {uid}` sets it going again.")


@command.command("resume")
@click.argument("uid")
def resume(uid: str) -> None:
    """Let a paused match go on, or a stuck one, once its fault is mended."""
    from adjudicator.service.matches import masters

    _carry_out(masters.resume_match, uid)
    click.echo("The match goes on.")


@command.command("deadline", context_settings={"ignore_unknown_options": True})
@click.argument("uid")
@click.argument("to")
def deadline(uid: str, to: str) -> None:
    """Move the open phase's deadline: TO is a moment in UTC, "2026-12-01 20:00", or a span, +24h,
    -90m, +2d.
    """
    from adjudicator.service.matches import masters

    _carry_out(masters.move_deadline, uid, masters.read_deadline(to, "UTC"))
    show.main([uid], standalone_mode=False)


@command.command("close")
@click.argument("uid")
def close(uid: str) -> None:
    """Close the open phase now, with the orders that are in; silent seats get the game's
    default.
    """
    from adjudicator.service.matches import masters

    _carry_out(masters.close_now, uid)
    click.echo("The phase is closed at the next sweep.")


@command.command("end")
@click.argument("uid")
@click.argument("reason")
def end(uid: str, reason: str) -> None:
    """End a match as it stands, for a REASON that everybody can read; its open phase is not
    played.
    """
    from adjudicator.service.matches import masters

    _carry_out(masters.end_match, uid, reason)
    click.echo("The match ends at the next sweep.")
