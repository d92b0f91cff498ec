"""The ways to run, each until SIGINT or SIGTERM: everything on one machine, or site, stream,
worker, scheduler or inbox alone.
"""

import os
import socket
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from adjudicator import __version__
from adjudicator.hosting.listeners import open_site
from adjudicator.hosting.lock import hold_folder
from adjudicator.hosting.messages import Steps, say
from adjudicator.hosting.process import Role
from adjudicator.hosting.roles import inbox, live
from adjudicator.hosting.starting import preflight, startup
from adjudicator.hosting.supervisor import Supervisor
from adjudicator.platform.config import current_settings

_PRIVATE = 0o077  # umask: files only for the service's own user


def serve(*, demo: bool = False) -> None:
    """Start the whole service, supervise it until it is to stop, and stop it. Raises CannotStart or
    WrongSetting.
    """
    preflight.require_settings("serve")
    settings = current_settings()
    say(f"Sealed Orders {__version__}; everything is kept in {settings.data_dir}")
    os.umask(_PRIVATE)
    supervisor = Supervisor()
    with (
        hold_folder(settings.data_dir, settings.site_url) as lock,
        open_site(settings.host, settings.port) as site,
        inbox.open_inbox(_inbox_url()) as letters,
        live.open_live(settings.host, _live_port()) as stream,
    ):
        try:
            _start_everything(supervisor, lock, (site, letters, stream), demo=demo)
            _until_stopped(supervisor)
        finally:
            supervisor.stop()
    say("Stopped. Nothing is lost: the next start goes on from here.")


def run_site() -> None:
    """Run the site alone; it shares database and Redis with the workers. Raises CannotStart or
    WrongSetting.
    """
    preflight.require_settings("web")
    supervisor, steps = Supervisor(), Steps(total=2)
    with open_site(current_settings().host, current_settings().port) as listener:
        load, roles = (
            partial(startup.import_rooms, steps, web=True),
            partial(startup.make_roles, listener=listener.fileno()),
        )
        _run(supervisor, steps, load, roles, site=True)


def run_live() -> None:
    """Run the live stream alone; it needs the database and the sites' SECRET_KEY. Raises
    CannotStart or WrongSetting.
    """
    preflight.require_settings("live")
    settings = current_settings()
    supervisor, steps = Supervisor(), Steps(total=2)
    with live.open_live(settings.host, settings.live_port) as listener:
        _run(
            supervisor,
            steps,
            partial(startup.import_rooms, steps, live=True),
            partial(startup.make_live_roles, listener),
        )


def run_worker(*, beat: bool = True, queues: str = "all") -> None:
    """Run a worker of these queues alone; of all workers one needs the scheduler (`beat`). Raises
    CannotStart or WrongSetting.
    """
    preflight.require_settings("worker")
    os.umask(_PRIVATE)
    supervisor, steps = Supervisor(), Steps(total=2 + beat)
    with (
        hold_folder(current_settings().data_dir, "a worker with the clock")
        if beat
        else nullcontext()
    ):
        _run(
            supervisor,
            steps,
            partial(startup.import_rooms, steps, worker=True),
            partial(startup.make_roles, worker=True, beat=beat, queues=queues),
        )


def run_clock() -> None:
    """Run the scheduler alone, beside workers without one. Raises CannotStart or WrongSetting."""
    preflight.require_settings("beat")
    supervisor, steps = Supervisor(), Steps(total=2)
    with hold_folder(current_settings().data_dir, "the clock"):
        _run(
            supervisor,
            steps,
            partial(startup.import_rooms, steps, beat=True),
            partial(startup.make_roles, beat=True),
        )


def run_inbox() -> None:
    """Run the inbox if INBOX_URL is set and the fetcher if IMAP_URL is. Raises CannotStart or
    WrongSetting.
    """
    preflight.require_settings("inbox")
    settings = current_settings()
    os.umask(_PRIVATE)
    supervisor, steps = Supervisor(), Steps(total=1 + _count_letter_roles())
    with inbox.open_inbox(settings.inbox_url) as listener:
        _run(
            supervisor,
            steps,
            partial(startup.import_rooms, steps, letters=True),
            partial(startup.make_letter_roles, listener),
        )


def _run(
    supervisor: Supervisor,
    steps: Steps,
    load: Callable[[], None],
    roles: Callable[[], list[Role]],
    *,
    site: bool = False,
) -> None:
    """Start some roles, supervise them until they are to stop, and stop them."""
    try:
        load()
        startup.start_roles(supervisor, steps, roles())
        _say_ready(supervisor, steps, site=site)
        _until_stopped(supervisor)
    finally:
        supervisor.stop()


def _inbox_url() -> str:
    """Return INBOX_URL; with the local mailbox and no other setting, first set it to this machine's
    own inbox.
    """
    settings = current_settings()
    if settings.local_mailbox and not settings.answerable:
        os.environ["INBOX_URL"] = inbox.own_url(settings.data_dir)
        current_settings.cache_clear()
    return current_settings().inbox_url


def _live_port() -> int:
    """Return LIVE_PORT; without that setting first set it to a port of this machine's own."""
    settings = current_settings()
    if not settings.live_port:
        os.environ["LIVE_PORT"] = str(live.own_port(settings.data_dir))
        current_settings.cache_clear()
    return current_settings().live_port


def _count_letter_roles() -> int:
    settings = current_settings()
    return bool(settings.inbox_url) + bool(settings.imap_url.get_secret_value())


# of the site, the inbox, the live stream
_Doors = tuple[socket.socket, socket.socket | None, socket.socket]


def _start_everything(supervisor: Supervisor, lock: int, doors: _Doors, *, demo: bool) -> None:
    steps, (site, letters, stream) = (
        Steps(total=6 + _count_letter_roles() + current_settings().embedded_broker + demo),
        doors,
    )
    if current_settings().embedded_broker:
        startup.start_broker(supervisor, steps, lock)
    startup.import_rooms(
        steps, web=True, worker=True, letters=current_settings().answerable, live=True
    )
    startup.migrate_database(steps)
    if not supervisor.stopping:
        startup.pin_own_keys()
        inner = [
            *startup.make_roles(worker=True, beat=True),
            *startup.make_letter_roles(letters),
            *startup.make_live_roles(stream),
        ]
        startup.start_roles(
            supervisor, steps, [*inner, *startup.make_roles(listener=site.fileno())]
        )
    if demo and not supervisor.stopping:
        startup.fill_for_show(steps)
    _say_ready(supervisor, steps, site=True)


def _say_ready(supervisor: Supervisor, steps: Steps, *, site: bool) -> None:
    if not supervisor.stopping:
        say(
            f"Ready after {steps.seconds:.1f} s; Ctrl-C stops it."
            + (f" The site is at\n\n{current_settings().site_url}\n" if site else "")
        )


def _until_stopped(supervisor: Supervisor) -> None:
    while not supervisor.stopping:
        supervisor.look_after(1.0)
    say("")
