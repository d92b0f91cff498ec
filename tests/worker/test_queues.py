"""The queue of letters: one worker does all, unless workers are told to do letters or all else."""

import pytest
import redis

from adjudicator.platform import queues, wakeups
from tests.worker.crew import Crew
from worker.app import app


@pytest.mark.nightly
def test_a_worker_of_matches_leaves_letters_to_one_of_letters(crew: Crew) -> None:
    crew.start(queues="matches")
    uid = crew.make_match("Alice")
    crew.until("round 1", lambda: crew.open_number(uid) == 1)
    broker = redis.Redis.from_url(crew.redis)
    crew.until("a task for letters", lambda: (wakeups.REPORTS, ()) in queues.queued_tasks(broker))
    assert crew.unsent() == 1
    crew.start(queues="letters")
    crew.until("the report", lambda: crew.unsent() == 0)
    answer = crew.order_now(uid, "Alice", "B3")
    assert answer.disposition == "accepted"
    crew.until("round 2", lambda: crew.open_number(uid) == 2)


@pytest.mark.nightly
def test_tasks_that_the_previous_release_sent_are_done(crew: Crew) -> None:
    broker = redis.Redis.from_url(crew.redis)
    with app.connection_for_write(crew.redis) as connection:
        app.send_task(wakeups.POST, connection=connection, queue=wakeups.MATCHES, priority=0)
    assert broker.llen(wakeups.MATCHES) == 1
    crew.start()
    crew.until("an empty queue", lambda: (wakeups.POST, ()) not in queues.queued_tasks(broker))
