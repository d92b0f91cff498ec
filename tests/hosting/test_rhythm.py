"""The scheduler of sweeps: messages do not expire, a waiting one is not repeated, and a clock set
back stops nothing.
"""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from celery import Celery
from structlog.testing import capture_logs

from adjudicator.hosting.roles.worker import Rhythm
from adjudicator.platform import heartbeat, queues, wakeups
from adjudicator.platform.queues import Wakeups
from tests.waiting import LIMIT
from worker.letters import PUSH


@pytest.fixture
def broker(redis_url: str) -> Iterator[redis.Redis]:
    """An empty broker."""
    with redis.Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture
def rhythm(redis_url: str, tmp_path: Path) -> Rhythm:
    """A scheduler whose sweep is always due."""
    return start_rhythm(redis_url, tmp_path)


def start_rhythm(redis_url: str, folder: Path) -> Rhythm:
    app = Celery("clock", broker=redis_url, set_as_current=False)
    app.conf.update(
        beat_schedule={"sweep": {"task": "sweep", "schedule": timedelta(0)}},
        broker_transport_options=queues.TRANSPORT,
    )
    return Rhythm(app, schedule_filename=str(folder / "schedule"))


def messages(broker: redis.Redis) -> list[dict[str, object]]:
    return [
        json.loads(each) for name in queues.queue_names() for each in broker.lrange(name, 0, -1)
    ]  # type: ignore[union-attr]


def test_a_sweep_that_waits_is_not_sent_again_and_none_ever_expires(
    rhythm: Rhythm, broker: redis.Redis
) -> None:
    for _ in range(3):
        rhythm.tick()
    (only,) = messages(broker)
    assert only["headers"]["expires"] is None, "it would be held against another machine's clock"  # type: ignore[index]
    assert heartbeat.seconds_since(broker, heartbeat.name_here(heartbeat.BEAT)) is not None
    broker.flushdb()
    rhythm.tick()
    assert len(messages(broker)) == 1


def test_one_of_several_machines_leads_until_it_is_silent(
    redis_url: str, broker: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = []
    monkeypatch.setattr("adjudicator.hosting.roles.worker.LEASE_SECONDS", LIMIT)
    for name in ("one", "two"):
        monkeypatch.setattr(heartbeat, "name_here", lambda role, name=name: f"{role}.{name}")
        (tmp_path / name).mkdir()
        machines.append(start_rhythm(redis_url, tmp_path / name))
    one, two = machines

    def sends(rhythm: Rhythm) -> bool:
        for name in queues.queue_names():
            broker.delete(name)
        rhythm.tick()
        return bool(messages(broker))

    assert [sends(one), sends(two), sends(one), sends(two)] == [True, False, True, False]
    left = broker.pttl("sealed.lease.beat")
    assert isinstance(left, int) and left > 0, (
        "a machine that stops for good does not lead for ever"
    )
    broker.delete("sealed.lease.beat")  # as when that time is over
    assert [sends(two), sends(one)] == [True, False]
    assert all(
        heartbeat.seconds_since(broker, f"beat.{name}") is not None for name in ("one", "two")
    )


def test_a_broker_that_takes_no_messages_is_logged_in_one_line_and_tried_again(
    rhythm: Rhythm, broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = "MISCONF Errors writing to the AOF file: No space left on device"

    def refuse(*_: object, **_more: object) -> None:
        raise redis.ResponseError(full)

    with monkeypatch.context() as patch, capture_logs() as logged:
        patch.setattr(rhythm, "send_task", refuse)
        rhythm.tick()
    (line,) = logged
    assert (line["event"], line["log_level"], line["task"]) == ("beat.not_sent", "warning", "sweep")
    assert line["fault"].endswith(full) and "exc_info" not in line
    rhythm.tick()
    assert len(messages(broker)) == 1


def test_a_clock_that_is_set_back_sends_on(rhythm: Rhythm, broker: redis.Redis) -> None:
    entry = rhythm.schedule["sweep"]
    entry.schedule.run_every = timedelta(hours=2)
    entry.last_run_at = entry.default_now() - timedelta(seconds=1)
    assert not rhythm.is_due(entry).is_due
    entry.last_run_at = entry.default_now() + timedelta(hours=1)
    assert rhythm.is_due(entry) == (True, 7200.0)


def test_wakeups_wait_once_each_and_never_expire(redis_url: str, broker: redis.Redis) -> None:
    doors = Wakeups(redis_url), Wakeups(redis_url)
    for door in doors:
        assert (
            door.send(wakeups.POST)
            and door.send(wakeups.CLOSE, "a")
            and door.send(wakeups.CLOSE, "b")
        )
    found = messages(broker)
    assert len(found) == 3 and all(each["headers"]["expires"] is None for each in found)  # type: ignore[index]
    assert queues.queued_tasks(broker) == {
        (wakeups.POST, ()),
        (wakeups.CLOSE, ("a",)),
        (wakeups.CLOSE, ("b",)),
    }
    queues.unmark_queued(broker, wakeups.CLOSE, ("a",))  # a worker took it
    assert doors[0].send(wakeups.CLOSE, "a") and len(messages(broker)) == 4


def test_letters_have_a_queue_of_their_own_and_each_task_is_found_in_either(
    redis_url: str, broker: redis.Redis
) -> None:
    door = Wakeups(redis_url)
    assert all(door.send(each) for each in (wakeups.POST, wakeups.REPORTS, PUSH, wakeups.SIGN))
    lists = {
        task: {name for name in queues.queue_names((queue,)) if broker.llen(name)}
        for task, queue in enumerate(wakeups.QUEUES)
    }
    assert lists == {0: {"celery"}, 1: {"letters", "letters\x06\x169"}}
    for name in lists[1]:
        # as the previous release sent them
        while broker.lmove(name, name.replace("letters", "celery"), "LEFT", "RIGHT"):
            pass
    assert queues.queued_tasks(broker) == {
        (each, ()) for each in (wakeups.POST, wakeups.REPORTS, PUSH, wakeups.SIGN)
    }


def test_a_broker_that_lost_everything_is_woken_again(redis_url: str, broker: redis.Redis) -> None:
    door = Wakeups(redis_url)
    assert door.send(wakeups.SIGN)
    broker.flushdb()
    assert door.send(wakeups.SIGN) and len(messages(broker)) == 1


def test_a_broker_that_is_away_has_nothing_queued_and_marks_nothing() -> None:
    away = heartbeat.open_client("redis://127.0.0.1:1")
    assert (
        queues.queued_tasks(away) == set()
        and queues.mark_queued(away, wakeups.SIGN, ())
        and heartbeat.seconds_since(away, heartbeat.SWEEP) is None
    )
    assert not Wakeups("redis://127.0.0.1:1").send(wakeups.SIGN)
