"""The check of delays reports late letters, and excludes the time of faults and of a letter's own
attempts.
"""

from collections import Counter
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from adjudicator.platform import wakeups
from adjudicator.service.base.tables import Letter
from tests.simulation import probes, service
from tests.simulation.broker import Broker
from tests.simulation.checks_delays import excused_spans, letters_go_out_in_time, uncovered_seconds
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.run import Scene, play_seed
from tests.simulation.world import World
from worker.app import SWEEP

WRITTEN = 1000.0  # the second at which a letter was written
KINDS = {
    "a sign-in link": ({"kind": "signin"}, 90),
    "a confirmation": ({"kind": "confirm"}, 90),
    "a receipt": ({"kind": "receipt", "receipt_id": 1}, 90),
    "an answer": ({"kind": "answer", "incoming_id": 1}, 90),
    "news": ({"kind": "notice"}, 120),
    "press": ({"kind": "press"}, 120),
    "a report": ({"kind": "report"}, 240),
}
kinds = pytest.mark.parametrize(("kind", "longest"), KINDS.values(), ids=list(KINDS))


def _told(kind: dict[str, Any], waited: float, *, tries: int = 1, **seen: Any) -> list[str]:
    """Return the check's findings for one letter accepted `waited` seconds after it was written."""
    letter = Letter(uid="one", address="alice@example.org", tries=tries, **kind)
    world = SimpleNamespace(
        fired=Counter(seen.get("fired", ())),
        troubled=seen.get("troubled", []),
        out=seen.get("out", []),
    )
    ledger = SimpleNamespace(
        written={"one": WRITTEN} if seen.get("seen", True) else {}, sent_back=[]
    )
    sink = SimpleNamespace(
        taken=[SimpleNamespace(uid="one", at=WRITTEN + waited)],
        refused=seen.get("refused", set()),
        full="",
    )
    scene: Any = SimpleNamespace(world=world, ledger=ledger, sink=sink, letters=[letter])
    session: Any = None
    return list(letters_go_out_in_time(session, scene))


@kinds
def test_a_letter_in_time_is_well_and_one_a_second_late_is_told(
    kind: dict[str, Any], longest: int
) -> None:
    assert _told(kind, longest) == []
    assert [kind["kind"] in told for told in _told(kind, longest + 1)] == [True]


def test_time_after_a_fault_does_not_count_and_all_else_does() -> None:
    kind = KINDS["a sign-in link"][0]
    assert _told(kind, 90 + 65, troubled=[(WRITTEN + 10, WRITTEN + 10)]) == []
    assert _told(kind, 90 + 66, troubled=[(WRITTEN + 10, WRITTEN + 10)]) != []
    assert _told(kind, 91, troubled=[(WRITTEN - 66, WRITTEN - 66)]) != [], (
        "it was over before the letter was written"
    )


def test_time_without_any_worker_does_not_count_and_time_with_one_does() -> None:
    kind, dead = KINDS["news"][0], (WRITTEN, WRITTEN + 500)
    assert _told(kind, 600, out=[("worker 1", *dead), ("worker 2", *dead)]) == []
    assert _told(kind, 600, out=[("worker 1", *dead), ("web", *dead)]) != []


def test_each_try_that_failed_is_given_its_pause_and_a_lease_at_least() -> None:
    kind = KINDS["a report"][0]
    assert _told(kind, 2 * 240 + 120, tries=2) == []
    assert _told(kind, 2 * 240 + 121, tries=2) != []
    assert _told(kind, 4 * 240 + 120 + 120 + 300, tries=4) == []


def test_a_sign_in_link_is_tried_again_sooner_than_other_letters() -> None:
    late = 4 * 90 + 3 * 120 + 1
    assert _told(KINDS["a sign-in link"][0], late, tries=4) != []
    assert _told(KINDS["a receipt"][0], late, tries=4) == []


@pytest.mark.parametrize(
    "excuse",
    [{"fired": ["step"]}, {"refused": {"one"}}],
    ids=["a stepped clock", "an address that did not work"],
)
def test_nothing_is_said_where_the_wait_means_nothing(excuse: dict[str, Any]) -> None:
    assert _told(KINDS["news"][0], 10_000, **excuse) == []


def test_a_letter_that_nobody_saw_written_is_told() -> None:
    assert _told(KINDS["news"][0], 1, seen=False) != []


def test_spans_that_overlap_are_set_aside_once() -> None:
    spans = excused_spans([(0, 10), (5, 20)], [("worker 1", 100, 200), ("worker 2", 150, 300)])
    assert spans == [(0, 85), (150, 200)]
    assert uncovered_seconds(50, 160, spans) == 160 - 85 - 10


# --- in a world


def _only_by_sweeps(publish: Any) -> Any:
    """Lose every task that posts letters, unless a sweep sends it."""

    def lossy(
        self: Broker, name: str, arguments: tuple[Any, ...] = (), *, priority: int = 0
    ) -> None:
        strand = World.here.current
        if name not in (wakeups.POST, wakeups.REPORTS) or (
            strand is not None and strand.name == SWEEP
        ):
            publish(self, name, arguments, priority=priority)

    return lossy


@pytest.mark.nightly
def test_a_world_without_faults_in_which_letters_wait_for_rare_sweeps_fails_and_is_well_without_that() -> (
    None
):
    told: dict[float, set[str]] = {}
    with (
        FixtureDb() as fixture_db,
        probes.count_results(),
        mock.patch.object(Broker, "publish", _only_by_sweeps(Broker.publish)),
    ):
        for every in (service.SWEEP_EVERY, 290.0):
            with mock.patch.object(service, "SWEEP_EVERY", every):
                failures = play_seed(fixture_db, 0, Scene(quiet=True)).failures
            told[every] = {failure.partition(":")[0] for failure in failures}
    assert told == {service.SWEEP_EVERY: set(), 290.0: {"letters go out in time"}}
