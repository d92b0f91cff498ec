"""Plays tournaments without any of the service's processes, for tests: what the worker would do,
and quick matches of Genesis.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import pytest
from sqlmodel import select

from adjudicator.platform import failpoints
from adjudicator.play.tournaments.formats import Format, RoundRobin
from adjudicator.service.base.tables import (
    Match,
    Player,
    Tournament,
    TournamentNote,
    TournamentTable,
)
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.people import accounts
from adjudicator.service.phases import beginning
from adjudicator.service.tournaments import advancing, entering, making, records
from adjudicator.service.tournaments.making import TournamentWish
from adjudicator.service.tournaments.results.deciding import decide_table
from tests.harness import Harness

QUICK = Wish("genesis", "", {"turn_limit": 1})
DIRECTOR = "Dora"


def made(
    harness: Harness, format_: Format | None = None, *, matches: Wish = QUICK, **changes: Any
) -> str:
    """Make a tournament whose chance is not fixed yet."""
    wish = TournamentWish("Autumn", format_ or RoundRobin(), matches, **{"wait_hours": 0} | changes)
    return making.make_tournament(harness.database, harness.player(DIRECTOR), wish, now=harness.now)


def entered(harness: Harness, *people: str, format_: Format | None = None, **changes: Any) -> str:
    """Make a tournament that these people have entered, in this order."""
    uid = made(harness, format_, **changes)
    assert advance(harness, uid) == ()
    for who in people:
        entering.enter(harness.database, uid, harness.player(who), now=harness.now)
    return uid


def begun(harness: Harness, *people: str, format_: Format | None = None, **changes: Any) -> str:
    """Make a tournament of these people with its first round paired."""
    uid = entered(harness, *people, format_=format_, **changes)
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    assert advance(harness, uid)
    return uid


def add_bots(harness: Harness, count: int) -> list[int]:
    """Return the ids of house bots, known to the harness by their names."""
    with harness.database.write_tx() as session:
        bots = accounts.house_bots(session, count, skill="random", now=harness.now)
        harness.people |= {bot.name: bot.id or 0 for bot in bots}
    return [bot.id or 0 for bot in bots]


def show(harness: Harness, *people: str) -> None:
    """Give these people public pages, so that everybody may know their names."""
    with harness.database.write_tx() as session:
        for who in people:
            session.get_one(Player, harness.player(who)).profile = f"page-of-{who}"


class Killed(BaseException):
    """Stands for a kill of the process."""


def be_killed(harness: Harness, uid: str, point: str) -> None:
    """Take the steps that are due in a tournament until the process is killed at a named point."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(failpoints, "kill_here", lambda at: _die() if at == point else None)
        with pytest.raises(Killed):
            take_steps(harness, uid)


def _die() -> None:
    raise Killed


def take_steps(harness: Harness, uid: str) -> tuple[str, ...]:
    """Take all steps that are due in a tournament; return the matches that they made."""
    steps = advancing.advance_steps(harness.database, harness.keyring, uid, now=harness.now)
    return tuple(chain.from_iterable(steps))


def advance(harness: Harness, uid: str) -> tuple[str, ...]:
    """Do what the worker does for a tournament; its new matches begin. Return them."""
    uids = take_steps(harness, uid)
    for each in uids:
        assert beginning.prepare_match(harness.database, harness.keyring, each, now=harness.now)
        assert harness.start_match(each)
    return uids


def swept(harness: Harness) -> list[str]:
    """Return the tournaments that a sweep finds."""
    with harness.database.read_tx() as session:
        return advancing.to_advance(session, harness.now)


def play_match(harness: Harness, uid: str) -> None:
    """Play a match to its end: house bots order, all others miss every deadline."""
    while harness.page(uid).card.status != "ended":
        with harness.database.read_tx() as session:
            turns = bot_orders.house_turns(session, uid)
        for turn in turns:
            text = turn.orders(lambda choices: choices[0])
            submit_orders(
                harness.database,
                Submission(uid, turn.player_id, text, "house", harness.now, turn.phase),
            )
        if not harness.close(uid):
            harness.later(hours=49)
            assert harness.close(uid)


def play_round(harness: Harness, uid: str) -> tuple[str, ...]:
    """Play the tables of the last round to their end, and have the next one paired. Return its
    matches.
    """
    for match in matches(harness, uid).values():
        play_match(harness, match.uid)
    return advance(harness, uid)


def decide_round(harness: Harness, uid: str, number: int) -> None:
    """Decide both tables of a round of four."""
    for table in (1, 2):
        decide_table(
            harness.database,
            uid,
            harness.player(DIRECTOR),
            (number, table),
            ("1", "0"),
            reason="away",
            now=harness.now,
        )


# --- looks


def row(harness: Harness, uid: str) -> Tournament:
    """Return the tournament's row."""
    with harness.database.read_tx() as session:
        return records.find_tournament(session, uid)


def tables(harness: Harness, uid: str) -> list[TournamentTable]:
    """Return the tables of all rounds."""
    with harness.database.read_tx() as session:
        return records.tables_of(session, records.find_tournament(session, uid))


def matches(harness: Harness, uid: str) -> Mapping[tuple[int, int], Match]:
    """Return the matches that were made, by round and table; of several at one table the last."""
    by_id = {table.id: (table.round_number, table.number) for table in tables(harness, uid)}
    with harness.database.read_tx() as session:
        found = session.exec(select(Match).where(Match.table_id.in_(by_id)).order_by(Match.id))  # type: ignore[union-attr, arg-type]  # columns
        return {by_id[match.table_id]: match for match in found}


def notes(harness: Harness) -> Sequence[str]:
    """Return what the notes of all tournaments tell, the oldest first."""
    with harness.database.read_tx() as session:
        return [
            f"{note.who} {note.what}"
            for note in session.exec(select(TournamentNote).order_by(TournamentNote.id))
        ]  # type: ignore[arg-type]  # a column
