"""What makes a scenario pass, and that nothing of it stays behind."""

from pathlib import Path

import pytest

from tests.chaos import run
from tests.chaos.audit import Verdict
from tests.chaos.run import Outcome, Pace
from tests.chaos.scenarios import SCENARIOS
from tests.chaos.servers import Server
from tests.chaos.world import World
from tests.servers import start_redis

SOUND = Verdict((), (), (), repeats=2, held=0)
RATES = {"closed": (1.0, 0.5, 1.0)}


def test_a_sound_scenario_whose_rate_is_back_went_well() -> None:
    assert Outcome("doors", 1, 1, 1, (1, 1), SOUND, RATES, {"closed": 3.0}).held


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(
            "doors", 1, 1, 1, (1, 1), Verdict(("a letter",), (), (), 0, 0), RATES, {"closed": 3.0}
        ),
        Outcome(
            "doors", 1, 1, 1, (1, 1), Verdict((), ("a report",), (), 0, 0), RATES, {"closed": 3.0}
        ),
        Outcome(
            "doors",
            1,
            1,
            1,
            (1, 1),
            Verdict((), (), ("late orders",), 0, 0),
            RATES,
            {"closed": 3.0},
        ),
        Outcome("doors", 1, 1, 1, (1, 1), SOUND, RATES, {"closed": None}),
        Outcome("doors", 1, 1, 1, (1, 1), SOUND, RATES, {"closed": 3.0}, goes_on=0.7),
    ],
    ids=["lost", "double", "other", "slow", "stood still"],
)
def test_one_broken_promise_is_enough(outcome: Outcome) -> None:
    assert not outcome.held


def test_matches_last_until_the_rates_are_back_at_the_latest() -> None:
    for faults in (45, 175, 600):
        pace = Pace.of(faults)
        assert (
            pace.turn * run.ROUNDS >= pace.warm + pace.before + pace.faults + pace.back + pace.turn
        )


def test_a_world_that_fails_in_its_making_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[Server] = []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def fail(home: Path) -> Server:
        raise KeyboardInterrupt

    def note(make: object, home: Path) -> Server:
        started.append(Server(start_redis(home), home))
        return started[-1]

    monkeypatch.setattr(Server, "redis", classmethod(note))
    monkeypatch.setattr(Server, "postgres", fail)
    with (
        pytest.raises(KeyboardInterrupt),
        run.open_world(SCENARIOS["doors"], lambda _: None, keep=False) as here,
    ):
        assert isinstance(here, World)
    assert started[0].running.process.poll() is not None and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "slip",
    [
        ("--rate", "0"),
        ("--rate", "1000"),
        ("--minutes", "-1"),
        ("--minutes", "nan"),
        ("everything",),
    ],
)
def test_a_slip_is_told_before_anything_is_started(
    slip: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run._parse(list(slip))
    assert end.value.code == 2
    assert "there is no scenario" in (said := capsys.readouterr().err) or "--minutes takes" in said
