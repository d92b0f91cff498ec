"""The three ways to run: everything on one machine, the site alone, a worker alone; each until SIGINT or SIGTERM."""

import os
from contextlib import nullcontext

from adjudicator import __version__
from adjudicator.config import settings
from adjudicator.hosting import stages
from adjudicator.hosting.address import listen
from adjudicator.hosting.lock import held
from adjudicator.hosting.supervisor import Supervisor
from adjudicator.hosting.words import CannotStart, Steps, say

_PRIVATE = 0o077  # what the service writes is for its own user only


def serve(*, demo: bool = False) -> None:
    """Start the whole service, look after it until it is told to stop, stop it. Raises CannotStart."""
    told = settings()
    say(f"Sealed Orders {__version__}; everything is kept in {told.data_dir}")
    os.umask(_PRIVATE)
    supervisor = Supervisor()
    with held(told.data_dir, told.site_url) as lock, listen(told.host, told.port) as listener:
        try:
            _start_everything(supervisor, lock, listener.fileno(), demo=demo)
            _until_stopped(supervisor)
        finally:
            supervisor.stop()
    say("Stopped. Nothing is lost: the next start goes on from here.")


def web() -> None:
    """Run the site alone; database and Redis are shared with the workers. Raises CannotStart."""
    _require_shared_parts("web")
    supervisor, steps = Supervisor(), Steps(total=2)
    with listen(settings().host, settings().port) as listener:
        try:
            stages.load(steps, web=True, worker=False)
            stages.start_roles(supervisor, steps, stages.roles(listener=listener.fileno()))
            _say_address(supervisor, steps)
            _until_stopped(supervisor)
        finally:
            supervisor.stop()


def worker(*, beat: bool = True) -> None:
    """Run a worker alone, with the clock or without; one clock is enough for all workers. Raises CannotStart."""
    _require_shared_parts("worker")
    os.umask(_PRIVATE)
    supervisor, steps = Supervisor(), Steps(total=2 + beat)
    with held(settings().data_dir, "a worker with the clock") if beat else nullcontext():
        try:
            stages.load(steps, web=False, worker=True)
            stages.start_roles(supervisor, steps, stages.roles(worker=True, beat=beat))
            if not supervisor.stopping:
                say(f"Ready after {steps.seconds:.1f} s; Ctrl-C stops it.")
            _until_stopped(supervisor)
        finally:
            supervisor.stop()


def _start_everything(supervisor: Supervisor, lock: int, listener: int, *, demo: bool) -> None:
    steps = Steps(total=5 + settings().embedded_broker + demo)
    if settings().embedded_broker:
        stages.start_broker(supervisor, steps, lock)
    stages.load(steps, web=True, worker=True)
    stages.migrate_database(steps)
    if not supervisor.stopping:
        stages.start_roles(supervisor, steps, stages.roles(listener=listener, worker=True, beat=True))
    if demo and not supervisor.stopping:
        stages.fill_for_show(steps)
    _say_address(supervisor, steps)


def _say_address(supervisor: Supervisor, steps: Steps) -> None:
    if not supervisor.stopping:
        say(f"Ready after {steps.seconds:.1f} s; Ctrl-C stops it. The site is at\n\n{settings().site_url}\n")


def _until_stopped(supervisor: Supervisor) -> None:
    while not supervisor.stopping:
        supervisor.look_after(1.0)
    say("")


def _require_shared_parts(command: str) -> None:
    told = settings()
    if told.embedded_broker:
        raise CannotStart(
            f"REDIS_URL is not set: `sealed {command}` needs a Redis that all roles reach; only `sealed serve` starts one of its own."
        )
    stages.require_database(told.database_url)
