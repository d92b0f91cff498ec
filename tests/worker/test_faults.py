"""Workers killed, doubled, and without their broker: every phase closes once, every letter goes
out, nothing accepted is lost.
"""

import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from tests.servers import start_redis, stop_server
from tests.waiting import wait_for_end
from tests.worker.crew import Crew

AT_FOUNDING = tuple(
    f"{what}.{when}_commit" for what in ("prepare", "start") for when in ("before", "after")
)
AT_ROUNDS = (
    "close.before_commit",
    "close.in_transaction",
    "close.after_commit",
    "post.before_send",
    "post.after_send",
    "post.after_mark",
    "sign.before_commit",
    "sign.after_commit",
)
AT_BOTS = ("submit.before_commit", "submit.after_commit")  # only house bots submit in a worker
MISSED = "beat.not_sent"  # Celery itself does not always notice: then the watchdog acts
PIECES = ("B3", "W2", "C1", "B2", "W1", "C3", "B1", "W3")


def play(crew: Crew, uid: str, answers: list[Acknowledgement], *, until_phase: int = 9) -> None:
    """Submit a piece for each round as soon as it is open."""
    for number in range(len(answers) + 1, until_phase):
        crew.until(f"round {number}", lambda number=number: crew.open_number(uid) == number)  # type: ignore[misc]
        answers.append(crew.order_now(uid, "Alice", PIECES[number - 1]))
        assert answers[-1].disposition == "accepted"


def settle(crew: Crew, uid: str) -> None:
    """Wait for the end of the match and the last letter."""
    crew.until("the end", lambda: crew.row(uid).status == "ended")

    def all_sent() -> bool:
        crew.leases_over()
        return crew.unsent() == 0

    crew.until("the last letter", all_sent)


def check(crew: Crew, uid: str, answers: list[Acknowledgement]) -> None:
    """Expect all acknowledged orders in the result, every phase closed once, and every letter under
    one Message-ID.
    """
    phases = crew.phases(uid)
    assert [phase.number for phase in phases] == list(range(10))
    for phase, answer in zip(phases[1:], answers, strict=False):
        assert phase.taken is not None
        assert phase.taken["1"]["commitment"] == answer.parts[0].commitment
        assert phase.taken["1"]["orders"] == answer.parts[0].orders[0]
    assert len(crew.uids("report")) == 9, (
        "one report a closing, the forced last round told in the one before"
    )
    assert len(crew.letters()) == len(crew.uids("report") | crew.uids("receipt"))
    done = replay_transcript(read_transcript(crew.transcript(uid)))
    assert done.differences == () and done.output["result"] is not None


@pytest.mark.both_databases
@pytest.mark.nightly
def test_a_worker_killed_at_each_commit_and_letter_loses_and_doubles_nothing(crew: Crew) -> None:
    crew.start(points=(*AT_FOUNDING, *AT_ROUNDS))
    for point in AT_FOUNDING:
        crew.arm(point)
    answers = list[Acknowledgement]()
    uid = crew.make_match("Alice")
    for number, point in enumerate(AT_ROUNDS, start=1):
        crew.until(f"round {number}", lambda number=number: crew.open_number(uid) == number)  # type: ignore[misc]
        crew.arm(point)
        if point.startswith("sign."):  # the phase stays open, so that whoever signs is killed
            assert (
                crew.order_now(uid, "Alice", f"{PIECES[number - 1]}\nwait").disposition
                == "accepted"
            )
        else:
            play(crew, uid, answers, until_phase=number + 1)
        crew.until(f"the crash at {point}", lambda point=point: crew.has_crashed(point))  # type: ignore[misc]
        play(crew, uid, answers, until_phase=number + 1)
    assert [point for point in AT_FOUNDING if not crew.has_crashed(point)] == []
    settle(crew, uid)
    check(crew, uid, answers)


def test_a_worker_killed_while_a_bot_submits_loses_and_doubles_nothing(postgres_crew: Crew) -> None:
    crew = postgres_crew
    crew.start(points=AT_BOTS)
    answers = list[Acknowledgement]()
    uid = crew.make_match("Alice")
    for number, point in enumerate(AT_BOTS, start=3):
        play(crew, uid, answers, until_phase=number)
        crew.arm(point)
        play(crew, uid, answers, until_phase=number + 1)
        crew.until(f"the crash at {point}", lambda point=point: crew.has_crashed(point))  # type: ignore[misc]
    play(crew, uid, answers)
    settle(crew, uid)
    check(crew, uid, answers)


@pytest.mark.nightly
def test_workers_killed_as_a_round_is_played_closed_and_told_lose_and_double_nothing(
    crew: Crew,
) -> None:
    answers = list[Acknowledgement]()
    uid = crew.make_match("Alice")
    moments: tuple[tuple[int, Callable[[], bool]], ...] = (
        (2, lambda: True),
        (4, lambda: crew.open_number(uid) == 4),
        (6, lambda: crew.open_number(uid) == 6 and crew.unsent() == 0),
    )
    for stop, moment in moments:
        worker = crew.start()
        play(crew, uid, answers, until_phase=stop)
        crew.until("the moment to be killed", moment)
        crew.kill(worker)
    crew.start()
    play(crew, uid, answers)
    settle(crew, uid)
    check(crew, uid, answers)


@pytest.mark.nightly
def test_two_workers_with_two_clocks_close_every_phase_once(crew: Crew) -> None:
    crew.start()
    crew.start()
    answers = list[Acknowledgement]()
    uid = crew.make_match("Alice")
    play(crew, uid, answers)
    settle(crew, uid)
    check(crew, uid, answers)


@pytest.mark.nightly
def test_four_workers_close_what_is_due_at_once_each_once(postgres_crew: Crew) -> None:
    crew = postgres_crew
    for _ in range(4):
        crew.start(processes=1)
    uids = [crew.make_match("Alice") for _ in range(6)]
    for uid in uids:
        crew.until("the first round", lambda uid=uid: crew.open_number(uid) == 1)  # type: ignore[misc]
    answers = {uid: crew.order_now(uid, "Alice", PIECES[0]) for uid in uids}
    for uid in uids:
        crew.until("the second round", lambda uid=uid: crew.open_number(uid) == 2)  # type: ignore[misc]
        phases = crew.phases(uid)
        assert [phase.number for phase in phases] == [0, 1, 2]
        assert (
            phases[1].taken is not None
            and phases[1].taken["1"]["commitment"] == answers[uid].parts[0].commitment
        )
    crew.until("the last letter", lambda: crew.unsent() == 0)
    told = crew.uids("report") | crew.uids("receipt")
    assert len(told) == 3 * len(uids) == len(crew.letters()), (
        "the beginning, a receipt and the first round of each match"
    )


@pytest.mark.nightly
def test_an_emptied_broker_delays_and_loses_nothing(postgres_crew: Crew) -> None:
    crew = postgres_crew
    crew.start()
    answers = list[Acknowledgement]()
    uid = crew.make_match("Alice")
    with redis.Redis.from_url(crew.redis) as client:
        for stop in range(2, 10):
            play(crew, uid, answers, until_phase=stop)
            client.flushdb()
    settle(crew, uid)
    check(crew, uid, answers)


@pytest.mark.nightly
def test_a_broker_that_is_away_for_a_while_delays_and_loses_nothing(
    postgres_url: str, tmp_path: Path
) -> None:
    broker = start_redis(tmp_path / "redis")
    crew = Crew(postgres_url, broker.url, tmp_path)
    try:
        crew.start()
        answers = list[Acknowledgement]()
        uid = crew.make_match("Alice")
        play(crew, uid, answers, until_phase=3)
        broker.process.kill()
        wait_for_end(broker.process)
        crew.until("round 3", lambda: crew.open_number(uid) in (2, 3))
        answers += [crew.order_now(uid, "Alice", PIECES[2])] if crew.open_number(uid) == 3 else []
        crew.until("the worker to miss its broker", lambda: MISSED in crew.said)
        broker = replace(
            broker,
            process=subprocess.Popen(broker.process.args, stdout=subprocess.DEVNULL, cwd=tmp_path),
        )
        play(crew, uid, answers)
        settle(crew, uid)
        check(crew, uid, answers)
    finally:
        crew.dismiss()
        stop_server(broker)


@pytest.mark.nightly
def test_a_deadline_closes_the_phase_without_the_silent_seat(postgres_crew: Crew) -> None:
    crew = postgres_crew
    crew.start()
    uid = crew.make_match("Alice", every_seconds=1)
    crew.until("the end", lambda: crew.row(uid).status == "ended")
    assert {phase.taken["1"]["how"] for phase in crew.phases(uid)[1:9] if phase.taken} == {
        "default"
    }


def test_the_crash_variable_does_nothing_where_it_is_not_set() -> None:
    from adjudicator.platform import failpoints

    assert "SEALED_CRASH_AT" not in os.environ
    failpoints.kill_here("close.before_commit")
