"""What is done many times a second, beside ten matches and beside a hundred thousand closed phases
and a million letters.
"""

import statistics
import time
from collections.abc import Callable

from sqlalchemy import Engine

from adjudicator.platform import db
from adjudicator.service.letters import outbox
from adjudicator.service.orders import receipts
from adjudicator.service.phases import batches
from tests.harness import Harness
from tests.many_rows import copy_matches, count_rows
from tools.both_databases import measure_both
from worker.sweep import find_due_work

NAMES = ("Alice", "Bob", "Charlie")
PIECES = ("W2", "B3", "C1", "B2", "W1", "C3")
MATCHES, ROUNDS = 10, 4  # that are copied; two further rounds are played beside the copies
LETTERS = 1_000_000
Say = Callable[[str], None]


def bench_scaling(say: Say) -> None:
    """Measure on both databases, before and after the rows are there."""
    measure_both(_measure, say)


def _measure(title: str, url: str, say: Say) -> None:
    db.migrate(url)
    harness = Harness(url)
    uids = [harness.match(*NAMES) for _ in range(MATCHES)]
    for piece in PIECES[:ROUNDS]:
        for uid in uids:
            harness.round(uid, [(name, piece) for name in NAMES])
    engine = harness.database.engine
    _play(f"{title}, {_rows(engine)}", harness, uids, PIECES[ROUNDS], say)
    with engine.connect() as connection:
        copies = LETTERS // count_rows(connection, "letter")
    copy_matches(engine, copies)
    _play(f"{title}, {_rows(engine)}", harness, uids, PIECES[ROUNDS + 1], say)
    harness.dispose()


def _rows(engine: Engine) -> str:
    with engine.connect() as connection:
        counted = {name: count_rows(connection, name) for name in ("match", "phase", "letter")}
        size = (
            "PRAGMA page_count"
            if engine.dialect.name == "sqlite"
            else "SELECT pg_database_size(current_database())"
        )
        pages = connection.exec_driver_sql(size).scalar_one()
    stored = pages * 4096 if engine.dialect.name == "sqlite" else pages
    return (
        f"{counted['match']:,} matches, {counted['phase']:,} phases, {counted['letter']:,} letters,"
        f" {stored / 1e6:,.0f} MB"
    )


def _play(title: str, harness: Harness, uids: list[str], piece: str, say: Say) -> None:
    """Play a round of these matches, and tell the median times."""
    submitted = [
        _time(lambda uid=uid, name=name: harness.order(uid, name, piece))
        for uid in uids
        for name in NAMES
    ]  # type: ignore[misc]
    signed = _time(lambda: receipts.sign_receipts(harness.database, harness.keyring)) / len(
        submitted
    )
    half = len(uids) // 2
    some = uids[:half]
    together = _time(
        lambda: batches.close_phases(
            harness.database, harness.keyring, some, now=harness.now, monotonic=time.monotonic
        )
    )
    alone = [_time(lambda uid=uid: harness.close(uid)) for uid in uids[half:]]  # type: ignore[misc]
    pages = [_time(lambda uid=uid: harness.page(uid, NAMES[0])) for uid in uids]  # type: ignore[misc]

    def find_letters() -> None:
        with harness.database.read_tx() as session:
            outbox.waiting_letters(session, harness.now, most=20)

    def sweep() -> None:
        with harness.database.read_tx() as session:
            find_due_work(session, harness.now)

    found, swept = [_time(find_letters) for _ in range(20)], [_time(sweep) for _ in range(20)]
    figures = {
        "a submission": statistics.median(submitted),
        "a receipt": signed,
        "a closing with others": together / half,
        "alone": statistics.median(alone),
        "a player's page": statistics.median(pages),
        "finding letters": statistics.median(found),
        "a sweep": statistics.median(swept),
    }
    say(f"{title}: {', '.join(f'{what} {took:.1f} ms' for what, took in figures.items())}")


def _time(work: Callable[[], object]) -> float:
    """Return the milliseconds that a piece of work takes."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000
