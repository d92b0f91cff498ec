"""What a transaction wakes is sent after its commit, once, and never after a rollback."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

import pytest

from adjudicator.platform import wakeups
from adjudicator.platform.db import Database
from adjudicator.platform.queues import Wakeups
from adjudicator.service.erasure import erasing
from adjudicator.service.handover import leaving
from adjudicator.service.matches import creation, masters, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.phases import beginning, closing
from tests.harness import Harness
from tests.service.test_stopping import bots_play

CLOSE, START = (wakeups.CLOSE, "a"), (wakeups.START, "a")


@pytest.fixture
def sent(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The wakeups that the harness's own database sends from now on."""
    noted: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        harness, "database", harness.database.waking(lambda *wakeup: noted.append(wakeup))
    )
    return noted


@pytest.mark.both_databases
def test_a_wakeup_is_sent_after_the_commit_once_and_never_after_a_rollback(
    harness: Harness, sent: list[tuple[object, ...]]
) -> None:
    with harness.database.write_tx() as session:
        for _ in range(2):
            wakeups.wake(session, *CLOSE)
        assert not sent, "not before the commit"
    assert sent == [CLOSE]
    with suppress(ZeroDivisionError), harness.database.write_tx() as session:
        wakeups.wake(session, *START)
        raise ZeroDivisionError
    assert sent == [CLOSE]


@pytest.mark.both_databases
def test_a_savepoint_that_is_undone_forgets_what_it_noted_and_nothing_else(
    harness: Harness, sent: list[tuple[object, ...]]
) -> None:
    with harness.database.write_tx() as session:
        with session.begin_nested():
            wakeups.wake(session, wakeups.SIGN)
        with suppress(ZeroDivisionError), session.begin_nested():
            wakeups.wake(session, *START)
            with session.begin_nested():
                wakeups.wake(session, wakeups.POST)
            raise ZeroDivisionError
        wakeups.wake(session, *CLOSE)
    assert sent == [(wakeups.SIGN,), CLOSE]


def test_no_broker_fails_no_commit_and_a_database_without_a_sender_sends_nothing(
    harness: Harness,
) -> None:
    away = harness.database.waking(Wakeups("redis://127.0.0.1:1").send)
    for database in (away, harness.database, away.waking(None), away.knowing(more="x")):
        with database.write_tx() as session:
            wakeups.wake(session, *CLOSE)


def test_each_change_wakes_what_follows_from_it(
    harness: Harness, sent: list[tuple[object, ...]]
) -> None:
    alice, bob = (harness.player(name) for name in ("Alice", "Bob"))
    wish = Wish("pyramid", "Table", {}, house=1, reminders=(60,))
    uid = creation.make_match(harness.database, alice, wish, now=harness.now)
    assert sent == [(wakeups.PREPARE, uid)]
    keyring = harness.keyring
    ready, resigned = {(wakeups.SIGN,), (wakeups.CLOSE, uid)}, {(wakeups.SEATS, uid)}
    steps: list[tuple[str, Callable[[Database, datetime], object], set[tuple[object, ...]]]] = [
        ("prepared", lambda db, now: beginning.prepare_match(db, keyring, uid, now=now), set()),
        ("full", lambda db, now: seats.take_seat(db, uid, bob, now=now), {(wakeups.START, uid)}),
        (
            "begun",
            lambda db, now: beginning.start_match(db, keyring, uid, now=now),
            {(wakeups.HOUSE, uid), (wakeups.REPORTS,)},
        ),
        ("handed in", lambda *_: harness.order(uid, "Alice", "B3"), {(wakeups.SIGN,)}),
        ("signed", lambda db, _: receipts.sign_receipts(db, keyring), {(wakeups.POST,)}),
        ("a bot hands in", lambda *_: bots_play(harness, uid), {(wakeups.SIGN,)}),
        ("all ready", lambda *_: harness.order(uid, "Bob", "B3"), ready),
        ("not ready", lambda *_: harness.order(uid, "Bob", "B3\nwait"), {(wakeups.SIGN,)}),
        (
            "closed",
            lambda db, now: masters.close_now(db, uid, None, now=now),
            ready - {(wakeups.SIGN,)},
        ),
        ("overdue", lambda db, now: stand_still(db, uid, now), {(wakeups.CLOSE, uid)}),
        ("resigned", lambda db, now: leaving.resign(db, uid, bob, now=now), resigned),
        (
            "ended",
            lambda db, now: masters.end_match(db, uid, None, "Over.", now=now),
            {(wakeups.CLOSE, uid)},
        ),
        ("erased", lambda db, now: erasing.erase_player(db, bob, now=now), {(wakeups.ERASE,)}),
    ]
    for what, act, woken in steps:
        sent.clear()
        act(harness.database, harness.now)
        assert woken <= set(sent), (what, sent)
        assert len(sent) == len(set(sent)) or what == "a bot hands in", (what, sent)
        assert set(sent) <= woken | {(wakeups.POST,), (wakeups.SIGN,)}, (what, sent)


def stand_still(database: Database, uid: str, now: datetime) -> None:
    """Have a match stand still for a fault until long after its deadline."""
    closing.mark_stuck(database, uid, "a fault", now=now)
    masters.resume_match(database, uid, None, now=now + timedelta(days=3))
