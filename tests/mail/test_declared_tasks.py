"""A task is declared once: what is added to the declarations is registered, found by the sweep, and
sent to its queue.
"""

from typing import Any

import pytest
import redis

from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import queues, wakeups
from adjudicator.platform.wakeups import Priority, Task
from tests import clocks
from tests.mail.mail_harness import MailHarness
from worker import context, sweep
from worker import task as declaring
from worker.app import app
from worker.context import WorkerContext


def test_a_declared_task_is_registered_found_by_the_sweep_and_sent_to_its_queue(
    harness: MailHarness, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = harness.settings.model_copy(update={"redis_url": redis_url})
    here = WorkerContext(settings, harness.database, harness.keyring, Carrier(settings))
    monkeypatch.setattr(context, "current_context", lambda: here)
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    monkeypatch.setattr(declaring, "SWEPT", swept := list[Any]())
    monkeypatch.setattr(sweep, "SWEPT", swept)
    done: list[str] = []
    each = Task("sealed.test_each", Priority.UPKEEP)
    whole = Task("sealed.test_whole", Priority.BULK, wakeups.LETTERS)
    try:

        @declaring.task(each, find=lambda *_: ["a", "b"])
        def tend(uid: str) -> None:
            done.append(uid)

        @declaring.task(whole, waits=lambda *_: True)
        def tend_all() -> None:
            done.append("all")

        sweep.sweep()
        app.tasks[each]("a")
    finally:
        for name in (each, whole):
            app.tasks.pop(name, None)
    broker = redis.Redis.from_url(redis_url)
    lists = [name for name in queues.queue_names() if broker.llen(name)]
    assert queues.queued_tasks(broker) == {(each, ("a",)), (each, ("b",)), (whole, ())}
    assert [name.partition("\x06")[0] for name in lists] == [wakeups.MATCHES, wakeups.LETTERS]
    assert done == ["a"]


def test_every_task_of_the_broker_is_declared_once_and_under_its_name() -> None:
    app.loader.import_default_modules()
    swept = [each.task for each in declaring.SWEPT]
    named = {each for each in vars(wakeups).values() if isinstance(each, Task)}
    assert len(swept) == len(set(swept)) > 20
    assert named <= set(swept) <= {str(name) for name in app.tasks}
