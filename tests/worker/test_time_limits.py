"""Tasks at their time limit: the match stops if its rules used the CPU, not if the process was
suspended.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from adjudicator.platform import clock
from adjudicator.service.phases import closing
from tests import clocks
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from worker import context, tasks
from worker.context import Turns


@pytest.fixture
def harness(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Harness]:
    """A harness whose matches are closed by the worker's own task, on a clock set by hand."""
    opened = Harness(sqlite_url)
    here = SimpleNamespace(database=opened.database, keyring=opened.keyring, turns=Turns())
    monkeypatch.setattr(context, "current_context", lambda: here)
    clocks.set_clocks(monkeypatch, lambda: opened.now)
    monkeypatch.setattr(tasks, "send_wakeup", lambda *_, **__: None)
    yield opened
    opened.dispose()


def due_match(harness: Harness) -> str:
    uid = harness.match(ALICE, BOB, CHARLIE)
    for name in (ALICE, BOB, CHARLIE):
        harness.order(uid, name, "B3")
    return uid


def cut_short(monkeypatch: pytest.MonkeyPatch, *, worked: float) -> None:
    """Interrupt the next closing after `worked` seconds of CPU time."""
    seconds, work_out = [0.0], closing.work_out

    def takes_long(*args: Any) -> Any:
        monkeypatch.setattr(closing, "work_out", work_out)
        seconds[0] = worked
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(clock, "cpu_seconds", lambda: seconds[0])
    monkeypatch.setattr(closing, "work_out", takes_long)


def test_a_closing_whose_process_stood_still_is_done_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = due_match(harness)
    cut_short(monkeypatch, worked=0.4)
    tasks.close_phase.run(uid)
    assert (harness.page(uid).card.status, harness.page(uid).phases[-1].name) == (
        "running",
        "Round 1",
    )
    tasks.close_phase.run(uid)
    assert harness.page(uid).phases[-1].name == "Round 2"


def test_a_closing_whose_rules_come_to_no_end_stops_its_match(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = due_match(harness)
    cut_short(monkeypatch, worked=105.0)
    tasks.close_phase.run(uid)
    assert harness.page(uid).card.status == "stuck"
    assert "no end within 60 seconds" in harness.page(uid, ALICE).trouble
