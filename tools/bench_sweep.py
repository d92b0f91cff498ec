"""The cost of an idle sweep beside many open matches, in which nothing is due."""

import resource
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import insert
from sqlmodel import Session

from adjudicator.platform import db
from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player, Seat
from tools.both_databases import measure_both
from worker.sweep import find_due_work

NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
MATCHES = 100_000  # running ones, and as many that gather players
SEATS = ("Red", "Blue", "Pink")
BATCH = 5_000
TIMES = 30


def bench_sweep(say: Callable[[str], None]) -> None:
    """Fill a database of each kind with matches, and time what a sweep asks it."""
    measure_both(_measure, say)


def _measure(title: str, url: str, say: Callable[[str], None]) -> None:
    db.migrate(url)
    database = Database(url)
    with database.write_tx() as session:
        _fill(session)
    if not url.startswith("sqlite"):
        with database.engine.connect().execution_options(
            isolation_level="AUTOCOMMIT"
        ) as connection:
            connection.exec_driver_sql("ANALYZE")
    took = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(TIMES):
        begun = time.perf_counter()
        with database.read_tx() as session:
            found = find_due_work(session, NOW)
        took.append((time.perf_counter() - begun) * 1000)
        assert not any(names for _, names in found.matches) and not any(  # noqa: S101 nothing is due
            waits for _, waits in found.queues
        )
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    say(
        f"{title}: an idle sweep beside {MATCHES:,} running and {MATCHES:,} gathering matches:"
        f" median {statistics.median(took):.1f} ms, longest {max(took):.1f} ms of {TIMES}; the"
        f" process grew by {grown:.1f} MB"
    )
    database.engine.dispose()


def _fill(session: Session) -> None:
    session.execute(
        insert(Player), [{"id": 1, "name": "Alice", "address": "alice@example.org", "made_at": NOW}]
    )
    for first in range(1, MATCHES * 2 + 1, BATCH):
        numbers = range(first, first + BATCH)
        session.execute(insert(Match), [_match(number) for number in numbers])
        session.execute(
            insert(Seat),
            [_seat(number, place) for number in numbers for place in range(len(SEATS))],
        )
        running = [number for number in numbers if number <= MATCHES]
        if running:
            session.execute(insert(PhaseRow), [_phase(number) for number in running])
            session.execute(
                insert(Due),
                [{"phase_id": number, "seat": seat} for number in running for seat in SEATS],
            )


def _match(number: int) -> dict[str, object]:
    return {
        "id": number,
        "uid": f"m{number}",
        "name": "A match",
        "game": "pyramid",
        "rules_version": 1,
        "options": {},
        "status": "running" if number <= MATCHES else "open",
        "master_id": 1,
        "every_seconds": 172_800,
        "grace_seconds": 600,
        "ready_rule": "complete",
        "open_seats": True,
        "made_at": NOW,
        "expires_at": NOW + timedelta(days=30),
    }


def _seat(match: int, place: int) -> dict[str, object]:
    taken = match <= MATCHES or place == 0
    return {
        "match_id": match,
        "position": place,
        "name": SEATS[place],
        "player_id": 1 if taken else None,
        "token": f"t{match}-{place}",
        "taken_at": NOW if taken else None,
        "wishes": [],
    }


def _phase(match: int) -> dict[str, object]:
    closes = NOW + timedelta(hours=1, seconds=match)
    return {
        "id": match,
        "match_id": match,
        "number": 1,
        "name": "Round 1",
        "due": list(SEATS),
        "rules_version": 1,
        "before": {},
        "after": {},
        "opened_at": NOW,
        "deadline": closes,
        "closes_at": closes,
        "dropped": [],
    }
