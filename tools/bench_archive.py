"""The archive with 100,000 matches: every kind of search, the random classic and the statistics, on
both databases.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, select

from adjudicator import catalogue
from adjudicator.platform import db
from adjudicator.platform.db import Database
from adjudicator.service.archive import entries, openings, tallies
from adjudicator.service.base.tables import (
    ArchivedMatch,
    ArchivedSeat,
    ArchiveOpening,
    ArchiveTally,
    Match,
    Player,
    Seat,
    Tournament,
)
from adjudicator.service.views.records import archive_search
from adjudicator.service.views.records.archive_search import read_search
from tools.both_databases import measure_both

MATCHES = 100_000
PLAYERS = 5_000
BATCH = 5_000
TIMES = 15
NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
SEATS = catalogue.game("diplomacy").about.seats[7]
OPENINGS = 300  # of each seat; the commonest is given in a third of all matches
COMMON = "F Lon - Nth, F Edi - Nwg, A Lvp - Yor"
SEARCHES: dict[str, dict[str, str]] = {
    "all": {},
    "all, oldest": {"order": "oldest"},
    "all, longest": {"order": "longest"},
    "a page from the middle": {"after": "middle"},
    "a page from the middle, shortest first": {"order": "shortest", "after": "40.50000"},
    "a game": {"game": "diplomacy"},
    "a player of 140 matches": {"player": "Player 7"},
    "a player of 30,000 matches": {"player": "Player 0"},
    "a player of 30,000 matches, shortest": {"player": "player 0", "order": "shortest"},
    "nobody": {"player": "Nobody"},
    "a tournament": {"tournament": "Cup 5"},
    "a length": {"least": "30", "most": "31"},
    "a length that no match has": {"least": "5000"},
    "a length, by date": {"least": "95"},
    "the rarest result": {"result": "stopped", "order": "longest"},
    "a winner": {"winner": "France"},
    "a winner and a result that exclude each other": {"winner": "France", "result": "shared"},
    "the commonest opening": {"game": "diplomacy", "opening": COMMON},
    "the commonest opening, longest": {"game": "diplomacy", "opening": COMMON, "order": "longest"},
    "an opening that nobody gave": {"game": "diplomacy", "opening": "hold everything"},
    "all of these": {
        "game": "diplomacy",
        "player": "Player 0",
        "opening": COMMON,
        "winner": "Turkey",
        "least": "20",
        "most": "60",
        "order": "oldest",
        "with": "people",
    },
}


def bench_archive(say: Callable[[str], None]) -> None:
    """Fill a database of each kind, and time what the archive's pages ask it."""
    measure_both(_measure, say)


def _measure(title: str, url: str, say: Callable[[str], None]) -> None:
    db.migrate(url)
    database = Database(url)
    _fill(database)
    if not url.startswith("sqlite"):
        with database.engine.connect().execution_options(
            isolation_level="AUTOCOMMIT"
        ) as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
    middle = f"{(_ended(MATCHES // 2) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)}.{MATCHES // 2}"
    for what, given in SEARCHES.items():
        given = given | ({"after": middle} if given.get("after") == "middle" else {})
        say(
            f"{title}: {what}: {_timed(database, lambda session, given=given: _search(session, given))}"
        )  # type: ignore[misc]
    say(
        f"{title}: a random classic:"
        f" {_timed(database, lambda session: archive_search.find_random(session, random.getrandbits(31)))}"
    )
    say(
        f"{title}: statistics of a game:"
        f" {_timed(database, lambda session: tallies.read_statistics(session, 'diplomacy', SEATS))}"
    )
    say(
        f"{title}: openings of a seat:"
        f" {_timed(database, lambda session: tallies.read_openings(session, 'diplomacy', 'FRANCE'))}"
    )
    database.engine.dispose()


def _search(session: Session, given: dict[str, str]) -> object:
    return archive_search.find_matches(session, read_search(given))


def _timed(database: Database, work: Callable[[Session], object]) -> str:
    took = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        with database.read_tx() as session:
            work(session)
        took.append((time.perf_counter() - begun) * 1000)
    return (
        f"fastest {min(took):.1f}, median {statistics.median(took):.1f}, longest {max(took):.1f} ms"
        f" of {TIMES}"
    )


# --- made-up matches


def _ended(number: int) -> datetime:
    return NOW - timedelta(minutes=5 * (MATCHES - number))


def _fill(database: Database) -> None:
    dice = random.Random(1)  # noqa: S311 a benchmark
    with database.write_tx() as session:
        people = [
            {"id": number + 1, "name": f"Player {number}", "profile": f"p{number}", "made_at": NOW}
            for number in range(PLAYERS)
        ]
        session.execute(insert(Player), people)
        cups = [
            {"id": number + 1, "uid": f"cup{number}", "name": f"Cup {number}"} | _CUP
            for number in range(50)
        ]
        session.execute(insert(Tournament), cups)
    (common, *_), rare = (
        openings.read_opening("diplomacy", COMMON)[1:],
        [f"{number:016x}" for number in range(OPENINGS)],
    )
    for first in range(1, MATCHES + 1, BATCH):
        numbers = range(first, first + BATCH)
        matches = [_match(number, dice) for number in numbers]
        players = {
            number: [
                1 if dice.random() < 0.3 and not place else dice.randrange(2, PLAYERS)
                for place in range(7)
            ]
            for number in numbers
        }
        with database.write_tx() as session:
            session.execute(insert(Match), [match for match, _ in matches])
            session.execute(insert(ArchivedMatch), [entry for _, entry in matches])
            session.execute(insert(Seat), list(_seats(players)))
            session.execute(insert(ArchivedSeat), list(_archived(players, dice, common, rare)))
    with database.write_tx() as session:
        session.execute(insert(ArchiveTally), list(_tallies()))
        session.execute(insert(ArchiveOpening), list(_tree()))
        assert session.exec(  # noqa: S101 all kinds
            select(ArchivedMatch.match_id).where(ArchivedMatch.result == "stopped")
        ).first()


def _player(place: int, dice: random.Random) -> int:
    """Return a player's id; the first player sits in the first seat of three matches in ten."""
    return 1 if not place and dice.random() < 0.3 else dice.randrange(2, PLAYERS)


_CUP: dict[str, Any] = {
    "game": "diplomacy",
    "format": "swiss",
    "policies": {},
    "scoring": "draw",
    "tie_breaks": [],
    "legs": 1,
    "wish": {},
    "status": "ended",
    "made_at": NOW,
}


def _match(number: int, dice: random.Random) -> tuple[dict[str, object], dict[str, object]]:
    winner = dice.choice(SEATS) if dice.random() < 0.5 else None
    result = "won" if winner else "stopped" if dice.random() < 0.05 else "shared"
    game = (
        "diplomacy"
        if dice.random() < 0.6
        else dice.choice(("pyramid", "genesis", "phoenix", "redeux"))
    )
    match = {
        "id": number,
        "uid": f"m{number}",
        "name": "A match",
        "game": game,
        "rules_version": 1,
        "options": {},
        "status": "ended",
        "master_id": 1,
        "every_seconds": 172_800,
        "grace_seconds": 600,
        "ready_rule": "complete",
        "open_seats": True,
        "made_at": NOW,
        "ended_at": _ended(number),
        "archived": True,
        "result": {seat: {"place": 1, "score": 3, "outcome": "drew"} for seat in SEATS},
    }
    entry = {
        "match_id": number,
        "game": game,
        "ended_at": _ended(number),
        "phases": dice.randrange(3, 100),
        "result": result,
        "winner": winner,
        "people": dice.random() < 0.9,
        "tournament_id": dice.randrange(1, 51) if dice.random() < 0.1 else None,
        "imported": False,
        "lot": dice.randrange(entries.LOTS) if result != "stopped" else None,
    }
    return match, entry


def _seats(players: dict[int, list[int]]) -> Iterator[dict[str, object]]:
    for number, own in players.items():
        for place, seat in enumerate(SEATS):
            yield {
                "match_id": number,
                "position": place,
                "name": seat,
                "player_id": own[place],
                "token": f"t{number}-{place}",
                "wishes": [],
            }


def _archived(
    players: dict[int, list[int]], dice: random.Random, common: str, rare: list[str]
) -> Iterator[dict[str, object]]:
    for number, own in players.items():
        for place, seat in enumerate(SEATS):
            key = common if seat == "ENGLAND" and dice.random() < 1 / 3 else dice.choice(rare)
            yield {"match_id": number, "seat": seat, "player_id": own[place], "opening": key}


def _tallies() -> Iterator[dict[str, object]]:
    told = {"game": "diplomacy", "matches": 1000, "won": 100, "shared": 300, "total": 0}
    for number in range(2016, 2027):
        yield from ({"kind": "seat", "label": seat, "number": number} | told for seat in SEATS)
        yield {"kind": "result", "label": "won", "number": number} | told
    yield from (
        {"kind": "length", "label": "", "number": number} | told
        for number in range(0, 400, tallies.CLASS)
    )
    yield from (
        {"kind": "centres", "label": seat, "number": year} | told | {"total": 4900}
        for seat in SEATS
        for year in range(1901, 1960)
    )


def _tree() -> Iterator[dict[str, object]]:
    for seat in SEATS:
        for number in range(20_000):
            parent = (
                ""
                if number < OPENINGS
                else openings.opening_key("diplomacy", seat, str(number % OPENINGS))
            )
            key = openings.opening_key("diplomacy", seat, str(number))
            counts: dict[str, object] = {
                "matches": 100_000 // (number + 1) + 1,
                "won": 0,
                "shared": 0,
            }
            yield {
                "key": key,
                "game": "diplomacy",
                "seat": seat,
                "parent": parent,
                "orders": "A PAR - BUR\nA MAR - SPA",
            } | counts
