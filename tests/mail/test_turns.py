"""A worker reads letters for a limited time, then yields: slow letters do not delay other matches'
deadlines.
"""

from itertools import count

import pytest

from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import clock, wakeups
from adjudicator.service.views import match_page
from tests import clocks
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from worker import context, letters, tasks
from worker.context import WorkerContext

MANY = 10  # letters, each of which takes a second


@pytest.fixture
def woken(harness: MailHarness, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that were sent on their way, at a worker's bench on which every look at the clock
    is a second later.
    """
    sent: list[str] = []
    seconds = count()
    # nobody is there
    settings = harness.settings.model_copy(update={"redis_url": "redis://127.0.0.1:1"})
    database = harness.database.waking(lambda name, *_: sent.append(name))
    here = WorkerContext(
        settings, database, harness.keyring, Carrier(harness.settings), harness.room.reader
    )
    monkeypatch.setattr(context, "current_context", lambda: here)
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    monkeypatch.setattr(clock, "monotonic", lambda: float(next(seconds)))
    for module in (tasks, letters):
        monkeypatch.setattr(module, "send_wakeup", lambda name, *_, **__: sent.append(name))
    monkeypatch.setattr(letters, "READ_SECONDS", 4.0)
    monkeypatch.setattr(context, "PLAY_SECONDS", 1e9)
    return sent


def unread(harness: MailHarness) -> int:
    return sum(each.disposition is None for each in harness.came_in())


def test_a_task_begins_no_letter_once_its_time_is_over_and_leaves_the_rest_to_another(
    harness: MailHarness, woken: list[str]
) -> None:
    for number in range(MANY):
        assert harness.deliver(
            SERVICE, harness.letter(f"stranger{number}@example.net", SERVICE, "help").as_bytes()
        )
    letters.read_letters()
    assert 0 < unread(harness) < MANY and woken[-1] == wakeups.READ_LETTERS
    while unread(harness):
        letters.read_letters()


def test_a_deadline_waits_for_its_letters_without_keeping_the_worker(
    harness: MailHarness, woken: list[str]
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    for number in range(MANY):
        who = (ALICE, BOB)[number % 2]
        report = harness.newest(who, "report")
        to = harness.reply_to(report)
        assert harness.deliver(
            to,
            harness.letter(who, to, "B1" if number < MANY - 2 else "B3", answers=report).as_bytes(),
        )
    harness.later(hours=48, minutes=10)
    closed = []
    for _ in range(MANY):  # as sweeps would
        before = unread(harness)
        tasks.close_phase(harness.uid)
        closed.append(wakeups.REPORTS in woken)
        assert before - unread(harness) < MANY and closed[-1] == (unread(harness) == 0)
    assert closed[0] is False and closed[-1] is True
    with harness.database.read_tx() as session:
        told = match_page.match_page(session, harness.uid, None)
    assert told.phases[1].closed_at is not None


def test_a_batch_leaves_a_match_with_unread_letters_to_a_task_of_its_own(
    harness: MailHarness, woken: list[str]
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    to = harness.reply_to(report)
    assert harness.deliver(to, harness.letter(ALICE, to, "B3", answers=report).as_bytes())
    harness.later(hours=48, minutes=10)
    tasks.close_phases(harness.uid, "nosuchmatch")
    assert woken == [wakeups.CLOSE]
    tasks.close_phase(harness.uid)
    assert wakeups.REPORTS in woken


def test_whoever_has_played_for_a_while_lets_letters_in_and_out_go_first(
    harness: MailHarness, woken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "TURN_SECONDS", 1000.0)
    harness.begin(ALICE, BOB, CHARLIE)
    unsent = lambda: [row.kind for row in harness.rows() if row.state == "waiting"]  # noqa: E731 it is asked thrice
    harness.post_all()
    harness.later(hours=48, minutes=10)
    tasks.close_phase(harness.uid)
    assert unsent() == ["report"] * 3, "nothing was posted: its turn has not come"
    monkeypatch.setattr(context, "PLAY_SECONDS", 1.0)
    assert harness.deliver(
        SERVICE, harness.letter("stranger@example.net", SERVICE, "help").as_bytes()
    )
    tasks.play_house_bots(harness.uid)
    assert unsent() in ([], ["answer"]) and unread(harness) == 0


def test_what_somebody_waits_for_goes_out_before_thousands_of_reports(
    harness: MailHarness, woken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    assert harness.deliver(
        SERVICE, harness.letter("stranger@example.net", SERVICE, "help").as_bytes()
    )
    letters.read_letters()
    assert wakeups.POST in woken
    kinds = {row.kind for row in harness.rows() if row.state == "waiting"}
    monkeypatch.setattr(letters, "POST_SECONDS", 1000.0)
    woken.clear()
    letters.post_urgent()
    left = {row.kind for row in harness.rows() if row.state == "waiting"}
    assert len(kinds) > 1 and left == {"report"} and woken == []
