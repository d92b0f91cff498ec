"""Processes with a wrong clock and a database with the right one: no phase closes early, and no
letter is stored with a wrong time.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest
import redis

from adjudicator.hosting.health import checks
from adjudicator.platform import clock, heartbeat
from adjudicator.platform.config import read_settings
from adjudicator.platform.db import Database
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from tests.harness import Harness
from tests.waiting import LIMIT
from tests.worker.crew import Crew
from tests.worker.inbox_process import InboxProcess, hand_over
from tests.worker.test_faults import PIECES

AHEAD = "SEALED_CLOCK_AHEAD"


def swept_again(crew: Crew) -> None:
    """Wait for two more sweeps."""
    with redis.Redis.from_url(crew.redis) as broker:
        for _ in range(2):
            broker.delete(f"sealed.pulse.{heartbeat.SWEEP}")
            crew.until(
                "a sweep", lambda: heartbeat.seconds_since(broker, heartbeat.SWEEP) is not None
            )


@pytest.mark.nightly
def test_a_worker_hours_ahead_sweeps_on_closes_nothing_early_and_is_named(
    postgres_crew: Crew,
) -> None:
    crew = postgres_crew
    crew.start(ahead=7200)
    uid = crew.make_match("Alice", every_seconds=3600)
    crew.until("the first round", lambda: crew.open_number(uid) == 1)
    swept_again(crew)
    assert crew.open_number(uid) == 1, "an hour is left"
    assert crew.order_now(uid, "Alice", "B3").disposition == "accepted"
    crew.until("the second round", lambda: crew.open_number(uid) == 2)
    crew.until("the letters", lambda: crew.unsent() == 0)
    told = [
        each.text
        for each in checks.check_service(
            read_settings(database_url=crew.url, redis_url=crew.redis, data_dir=crew.folder)
        )
    ]
    found = [
        re.search(r"The clock of a worker on .* (\d+) s ahead of the database's", line)
        for line in told
    ]
    ahead = [int(each[1]) for each in found if each]  # of each process that asked for the time
    assert ahead and all(7200 - LIMIT < each <= 7200 for each in ahead), (
        "less what asking for the database's time took"
    )
    assert "clock.off" in (crew.folder / "worker.log").read_text()


@pytest.mark.nightly
def test_two_workers_whose_clocks_are_a_minute_apart_write_times_in_their_order(
    postgres_crew: Crew,
) -> None:
    crew, answers = postgres_crew, list[Acknowledgement]()
    begun = crew.database.now()
    crew.start(ahead=30, processes=1)
    crew.start(ahead=-30, processes=1)
    uid = crew.make_match("Alice")
    for number in range(1, 9):
        crew.until(f"round {number}", lambda number=number: crew.open_number(uid) == number)  # type: ignore[misc]
        answers.append(crew.order_now(uid, "Alice", PIECES[number - 1]))
    crew.until("the end", lambda: crew.row(uid).status == "ended")
    moments = [
        moment for phase in crew.phases(uid) for moment in (phase.opened_at, phase.closed_at)
    ]
    assert None not in moments and moments == sorted(moments), (
        "each opens as the one before it closes"
    )  # type: ignore[type-var]
    assert begun <= moments[0] and moments[-1] <= crew.database.now()  # type: ignore[operator]


@pytest.mark.nightly
def test_an_inbox_whose_clock_is_off_stores_when_letters_came_by_the_databases(
    postgres_url: str, redis_url: str, tmp_path: Path
) -> None:
    inbox = InboxProcess(Harness(postgres_url), postgres_url, tmp_path, redis=redis_url)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(AHEAD, "-3600")
            inbox.open()
        before, to = inbox.harness.database.now(), inbox.seat(inbox.match())
        with inbox.client() as client:
            client.ehlo()
            client.mail("alice@example.org")
            client.rcpt(to)
            assert hand_over(client) == 250
        (row,) = inbox.stored()
        assert before - timedelta(milliseconds=1) <= row.received_at <= inbox.harness.database.now()
        with redis.Redis.from_url(redis_url) as broker:
            (ahead,) = [
                each
                for name, each in heartbeat.read_clocks_off(broker).items()
                if name.startswith("the inbox on")
            ]
            assert -3600 <= ahead < LIMIT - 3600, "less what asking for the database's time took"
    finally:
        inbox.close()


def test_what_was_off_and_is_right_again_is_not_named_any_more(
    postgres_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, note = Database(postgres_url), heartbeat.ClockNote("a door")
    with redis.Redis.from_url(redis_url) as broker:
        for ahead, named in (("0", 0), ("190", 1), ("-300", 1), ("0", 0)):
            monkeypatch.setenv(AHEAD, ahead)
            database.now()
            assert database.clock.far_off == (named == 1)
            note.tell(broker, database.clock)
            assert len(heartbeat.read_clocks_off(broker)) == named
    database.engine.dispose()


def test_an_answer_that_takes_long_is_not_taken_for_a_clock_that_is_off(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, real = Database(postgres_url), clock.now
    looks = iter((-4, 5))
    monkeypatch.setattr(clock, "now", lambda: real() + timedelta(seconds=next(looks)))
    database.now()
    assert not database.clock.far_off and database.clock.ahead == timedelta(0)
    database.engine.dispose()


def test_sqlite_goes_by_the_clock_of_its_machine(sqlite_url: str) -> None:
    database, before = Database(sqlite_url), clock.now()
    assert before <= database.now() <= clock.now() and not database.clock.far_off
    with database.write_tx():
        assert database.now() >= before, "also while this process writes"
    database.engine.dispose()
