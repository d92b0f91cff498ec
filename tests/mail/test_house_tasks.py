"""A match's own tasks in the worker: one that fails, or that waits for the outside, does not stop
the others.
"""

from datetime import date, timedelta

import pytest
from sqlmodel import col, select

from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import clock, wakeups
from adjudicator.service.base import rows
from adjudicator.service.base.tables import PhaseRow, ServiceStamp
from adjudicator.service.calendars.calendars import DaysOff
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders
from adjudicator.service.phases import stamps
from adjudicator.service.views import match_page
from tests import clocks
from tests.mail.mail_harness import ALICE, MailHarness
from worker import context, sweep, tasks
from worker.context import WorkerContext


@pytest.fixture
def sent(harness: MailHarness, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The tasks that were sent, with their arguments."""
    woken: list[tuple[object, ...]] = []
    # nobody is there
    settings = harness.settings.model_copy(update={"redis_url": "redis://127.0.0.1:1"})
    database = harness.database.waking(lambda *noted: woken.append(noted))
    here = WorkerContext(
        settings, database, harness.keyring, Carrier(harness.settings), harness.room.reader
    )
    monkeypatch.setattr(context, "current_context", lambda: here)
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    for module in (tasks, sweep):
        monkeypatch.setattr(module, "send_wakeup", lambda *told, **_: woken.append(told))
    return woken


def handed_in(harness: MailHarness, uid: str) -> int:
    with harness.database.read_tx() as session:
        assert match_page.match_page(session, uid, None).card.status == "running"
        return 2 - len(bot_orders.house_turns(session, uid))


def test_a_house_bot_that_fails_keeps_no_other_match_from_playing(
    harness: MailHarness, sent: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, well = (harness.begin(ALICE, house=2, name=name) for name in ("Failing", "Well"))
    played = bot_orders.HouseTurn.orders
    monkeypatch.setattr(
        bot_orders.HouseTurn,
        "orders",
        lambda turn, pick: played(turn, pick) if turn.uid == well else 1 / 0,
    )
    sweep.sweep()
    for name, *about in [told for told in sent if told[0] == wakeups.HOUSE]:
        assert name == wakeups.HOUSE
        tasks.play_house_bots(*about)
    assert (handed_in(harness, failing), handed_in(harness, well)) == (0, 2)


def test_nobody_waits_for_a_house_bot_where_players_say_that_they_are_ready(
    harness: MailHarness, sent: list[tuple[object, ...]]
) -> None:
    uid = harness.begin(ALICE, game="diplomacy", house=1)
    harness.order(harness.uid, ALICE, "ready")
    tasks.play_house_bots(uid)
    assert (wakeups.CLOSE, uid) in sent


def test_phases_close_by_the_databases_clock_whatever_the_workers_says(
    harness: MailHarness, sent: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, *batch = (harness.begin(ALICE, house=2, name=name) for name in ("One", "Two", "Three"))
    harness.later(hours=49)
    monkeypatch.setattr(clock, "now", lambda: harness.now + timedelta(minutes=5))
    tasks.close_phase(alone)
    tasks.close_phases(*batch)
    with harness.database.read_tx() as session:
        closed = session.exec(select(PhaseRow.closed_at).where(PhaseRow.number == 1)).all()
    assert closed == [harness.now] * 3


def test_a_match_is_prepared_once_its_days_off_are_known_and_they_are_read_again_each_day(
    harness: MailHarness, sent: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = Wish(
        "pyramid",
        "Table",
        {},
        timetable="20:00 Europe/Paris",
        calendar="https://club.example/days.ics",
        house=2,
    )
    uid = creation.make_match(harness.database, harness.player(ALICE), wish, now=harness.now)
    fetched: list[date] = []

    def fetch(url: str, first: date) -> DaysOff:
        tasks.prepare_match(uid)  # as another worker would meanwhile
        assert status(harness, uid) == "making"
        fetched.append(first)
        return DaysOff(frozenset())

    monkeypatch.setattr(tasks, "fetch_days_off", fetch)
    tasks.prepare_match(uid)
    assert (status(harness, uid), len(fetched)) == ("open", 1) and (wakeups.START, uid) in sent
    sweep.sweep()
    assert ("sealed.days_off", uid) not in sent
    harness.later(days=1)
    sweep.sweep()
    assert ("sealed.days_off", uid) in sent


def status(harness: MailHarness, uid: str) -> str:
    with harness.database.read_tx() as session:
        return rows.by_uid(session, uid).status


def test_a_sweep_stamps_the_minute_and_finds_the_reminders_that_are_due(
    harness: MailHarness, sent: list[tuple[object, ...]]
) -> None:
    uid = harness.begin(ALICE, house=2)
    sweep.sweep()
    assert ("sealed.remind", uid) not in sent
    harness.later(hours=24)
    sweep.sweep()
    assert ("sealed.remind", uid) in sent
    tasks.send_reminders(uid)
    assert [row.kind for row in harness.rows() if row.kind == "reminder"] == ["reminder"] and (
        wakeups.POST,
    ) in sent
    with harness.database.read_tx() as session:
        assert [
            (row.role, row.minute)
            for row in session.exec(select(ServiceStamp).order_by(col(ServiceStamp.minute)))
        ] == [(stamps.WORKER, harness.now - timedelta(hours=24)), (stamps.WORKER, harness.now)]
