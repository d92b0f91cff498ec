"""What is done many times a second beside thousands of matches: every statement finds its rows by
an index.
"""

from collections.abc import Callable, Sequence

import pytest

from adjudicator.service.letters import outbox
from adjudicator.service.orders import receipts
from adjudicator.service.phases import batches
from tests.asked import Statement, asking
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.many_rows import COPIED, copy_matches, count_rows

COPIES = 1200  # of four matches; a planner looks at few rows without their index
NAMES = (ALICE, BOB, CHARLIE)
# indexes that hold only rows that wait
WAITING = ("ix_receipt_waiting", "ix_incoming_match", "ix_masternote_unlogged")


def hear(harness: Harness, work: Callable[[], object]) -> list[Statement]:
    """Return the statements that a piece of work asks, with their parameters, but for plain
    inserts.
    """
    with asking(harness.database) as asked:
        work()
    return [
        (sql, values)
        for sql, values in asked
        if sql.startswith(("SELECT", "UPDATE", "DELETE", "WITH"))
    ]


def scanned(harness: Harness, asked: Sequence[Statement]) -> list[tuple[str, str]]:
    """Return the statements that read a whole table of those that grow with the matches, with the
    plan's step.
    """
    on_sqlite = harness.database.engine.dialect.name == "sqlite"
    found = []
    with harness.database.engine.connect() as connection:
        large = [name for name in COPIED if count_rows(connection, name) > COPIES]
        for sql, values in asked:
            for each in values if isinstance(values, list) else [values]:
                rows = connection.exec_driver_sql(
                    f"{'EXPLAIN QUERY PLAN' if on_sqlite else 'EXPLAIN'} {sql}", each
                ).fetchall()
                steps = [str(row[-1]).strip().lstrip("-> ") for row in rows]
                whole = [
                    step
                    for step in steps
                    if step.startswith(("SCAN", "Seq Scan")) and not step.endswith(WAITING)
                ]
                found += [
                    (sql, step)
                    for step in whole
                    if any(f" {name} " in f"{step.replace(chr(34), '')} " for name in large)
                ]
    return found


@pytest.mark.both_databases
@pytest.mark.nightly
def test_no_hot_path_reads_a_whole_table_however_many_matches_there_are(harness: Harness) -> None:
    uids = [harness.match(*NAMES) for _ in range(4)]
    for uid in uids:
        harness.round(uid, [(name, "W2") for name in NAMES])
    receipts.sign_receipts(harness.database, harness.keyring)
    copy_matches(harness.database.engine, COPIES)
    with harness.database.engine.connect() as connection:
        assert count_rows(connection, "letter") > 10_000 and count_rows(connection, "phase") > 4_000

    def submit() -> None:
        for uid in uids:
            for name in NAMES:
                assert harness.order(uid, name, "B3").disposition == "accepted"

    def close_together() -> None:
        some = uids[:3]
        assert len(
            batches.close_phases(
                harness.database, harness.keyring, some, now=harness.now, monotonic=lambda: 0.0
            )
        ) == len(some)

    def claim_letters() -> None:
        with harness.database.read_tx() as session:
            assert outbox.waiting_letters(session, harness.now, most=20)

    asked = {
        "submitting": hear(harness, submit),
        "signing": hear(harness, lambda: receipts.sign_receipts(harness.database, harness.keyring)),
        "closing together": hear(harness, close_together),
        "closing alone": hear(harness, lambda: harness.close(uids[3])),
        "finding letters": hear(harness, claim_letters),
        "a player's page": hear(harness, lambda: harness.page(uids[0], ALICE)),
        "a visitor's page": hear(harness, lambda: harness.page(uids[0])),
    }
    assert all(asked.values())
    assert {
        what: whole for what, statements in asked.items() if (whole := scanned(harness, statements))
    } == {}
