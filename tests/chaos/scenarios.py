"""The eight scenarios (disk trouble twice, for SQLite too): their faults, and the layout of the
service.
"""

import itertools
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psycopg

from tests.chaos import disk
from tests.chaos.roles import child_pids, descendant_pids, send_signal
from tests.chaos.servers import cut_connections, flush_redis, switch_segment, watch_lock_holders
from tests.chaos.world import Layout, Unfit, World

LASTING = ("greeting", "busy", "closing", "unknown 2", "cut-before 3", "cut-after 3", "slow")
ONCE = ("silent-before 1", "silent-after 1")
ACT_SECONDS = 40.0  # to catch a worker during a transaction

Breaking = Callable[[World, float, random.Random], None]


@dataclass(frozen=True)
class Scenario:
    """A scenario."""

    name: str
    says: str
    breaks: Breaking  # makes faults for about that many seconds
    seconds: float = 45
    layout: Layout = field(default_factory=Layout)
    goes_on: float = 0  # the fraction of the earlier rate to be kept up during the faults


def _turns(
    world: World, seconds: float, dice: random.Random, between: tuple[float, float]
) -> Iterator[None]:
    """Yield repeatedly for `seconds`, after random pauses."""
    spent = 0.0
    while spent < seconds:
        yield
        pause = dice.uniform(*between)
        world.wait(pause)
        spent += pause


# --- processes killed


def kill_workers(world: World, seconds: float, dice: random.Random) -> None:
    """Kill in turn a task process, Celery's main process, and the whole worker with its
    scheduler.
    """
    aims = itertools.cycle(
        ("a task's process", "the main process", "a task's process", "the worker")
    )
    for _, aim in zip(_turns(world, seconds, dice, (2.5, 4.5)), aims, strict=False):
        role = world.crew.roles["worker"]
        if role.pid is None:
            continue
        with world.fault(aim):
            kill_one(role.pid, aim, dice)


def kill_one(worker: int, aim: str, dice: random.Random) -> None:
    """Kill a process of a worker, or all of it."""
    mains = [pid for pid in child_pids(worker) if child_pids(pid)]
    tasks = [pid for main in mains for pid in child_pids(main)]
    found = {"a task's process": tasks, "the main process": mains}.get(aim) or [worker]
    send_signal(dice.choice(found), signal.SIGKILL)


def kill_doors(world: World, seconds: float, dice: random.Random) -> None:
    """Kill the site and the inbox in turn: the whole role, or one process that its own supervisor
    restarts.
    """
    doors = itertools.cycle(("web", "inbox", "web", "inbox"))
    for _, door in zip(_turns(world, seconds, dice, (3, 5)), doors, strict=False):
        top = world.crew.roles[door].pid
        if top is not None:
            with world.fault(door, between=False):
                send_signal(dice.choice([top, *descendant_pids(top)]), signal.SIGKILL)


# --- the database and the broker


def cut(world: World, seconds: float, dice: random.Random) -> None:
    """Terminate all connections to PostgreSQL."""
    for _ in _turns(world, seconds, dice, (2, 4)):
        # it may still be starting
        with world.fault("connections"), suppress(psycopg.OperationalError):
            cut_connections(world.url)


def crash_postgres(world: World, seconds: float, dice: random.Random) -> None:
    """Crash PostgreSQL and restart it, in turn by an immediate shutdown and by killing all its
    processes.
    """
    assert world.postgres is not None
    for _, hard in zip(
        _turns(world, seconds, dice, (6, 9)), itertools.cycle((False, True)), strict=False
    ):
        with world.fault("PostgreSQL"):
            world.postgres.crash(hard=hard)
            world.wait(dice.uniform(1, 4))
            world.postgres.start()


def empty_redis(world: World, seconds: float, dice: random.Random) -> None:
    """Kill Redis, which restarts empty, and empty it while it runs."""
    for _, killed in zip(
        _turns(world, seconds, dice, (3, 6)), itertools.cycle((False, True, False)), strict=False
    ):
        with world.fault("Redis", between=False):
            if not killed:
                flush_redis(world.redis.url)
                continue
            world.redis.crash(hard=True)
            world.wait(dice.uniform(1, 4))
            world.redis.start()


# --- frozen


def freeze(world: World, seconds: float, dice: random.Random) -> None:
    """Freeze one of two workers for most of the time, and meanwhile the site and the inbox for a
    few seconds each.

    The worker is frozen while it holds the lock of a match.
    """
    with _frozen(world, "other", in_the_act=True):
        for _, door in zip(
            _turns(world, seconds - 15, dice, (8, 14)),
            itertools.cycle(("web", "inbox")),
            strict=False,
        ):
            with _frozen(world, door):
                world.wait(dice.uniform(3, 6))
    world.wait(2)
    with _frozen(world, "worker"):
        world.wait(10)


@contextmanager
def _frozen(world: World, name: str, *, in_the_act: bool = False) -> Iterator[None]:
    """Freeze every process of a role during the block; only the two moments are faults, not the
    time between.
    """
    role, sends = world.crew.roles[name], name in ("worker", "other")
    pids = [role.pid, *descendant_pids(role.pid)] if role.pid is not None else []
    with world.fault(f"{name} frozen", between=sends):
        stopped = in_the_act and _stop_in_the_act(world, pids)
        if not stopped:
            _signal(pids, signal.SIGSTOP)
    if in_the_act:
        world.say(f"  {name} was frozen {'holding a match' if stopped else 'between two changes'}")
    try:
        yield
    finally:
        with world.fault(f"{name} goes on", between=sends):
            _signal(pids, signal.SIGCONT)


def _stop_in_the_act(world: World, pids: list[int]) -> bool:
    """Freeze these processes while one of them holds the lock of a match; return whether that
    succeeded.
    """
    end = time.monotonic() + ACT_SECONDS
    with watch_lock_holders(world.url) as at_work:
        while time.monotonic() < end:
            if not (seen := at_work()):
                time.sleep(0.002)
                continue
            _signal(pids, signal.SIGSTOP)
            time.sleep(0.3)
            if seen & at_work():
                return True
            _signal(pids, signal.SIGCONT)
            world.tick()
    return False


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        send_signal(pid, number)


# --- the disk


def fill_disk(world: World, seconds: float, dice: random.Random) -> None:
    """Fill the database's disk twice, and free it after a while."""
    for share in (0.35, 0.35):
        ballast = disk.fill_disk(world.home)
        try:
            with world.fault("no room"):
                for _ in range(int(seconds * share)):
                    world.wait(1)
                    if world.postgres is not None:
                        switch_segment(world.url)
                    disk.fill_disk(world.home)
        finally:
            ballast.unlink()
        world.wait(seconds * 0.15)


# --- the mail server


def fail_mail(world: World, seconds: float, dice: random.Random) -> None:
    """Make the mail server fail in every way, one after another, and be down at last."""
    share = seconds / 9
    moods = {**dict.fromkeys(LASTING, share), **dict.fromkeys(ONCE, share / 2)}
    for mood, lasts in moods.items():
        with world.fault(mood, between=False):
            world.sink.tell(mood)
            world.wait(lasts)
    with world.fault("down"):
        world.sink.wanted = False
        world.sink.kill()
        world.wait(share)
    world.sink.wanted = True
    felt = world.sink.log.read_text().split()
    if missing := [mood for mood in moods if mood.split()[0] not in felt]:
        raise Unfit(f"the mail server was never {', '.join(missing)}: nothing is proved of it")


SCENARIOS = {
    each.name: each
    for each in (
        Scenario("workers", "the worker's processes killed every few seconds", kill_workers),
        Scenario("doors", "the site and the inbox killed every few seconds", kill_doors),
        Scenario("connections", "all connections to PostgreSQL cut every few seconds", cut),
        Scenario("postgres", "PostgreSQL crashed and started again, several times", crash_postgres),
        Scenario("redis", "Redis killed and back empty, or emptied", empty_redis),
        Scenario(
            "frozen",
            "one of two workers frozen for minutes, the site and the inbox for seconds",
            freeze,
            175,
            Layout(clock_apart=True),
        ),
        Scenario(
            "disk", "the disk of PostgreSQL full, twice", fill_disk, layout=Layout(small_disk=True)
        ),
        Scenario("mail", "the mail server failing in ten ways", fail_mail, 72),
        Scenario(
            "disk-sqlite",
            "the disk of SQLite full, twice",
            fill_disk,
            layout=Layout(small_disk=True, on_sqlite=True),
        ),
    )
}
