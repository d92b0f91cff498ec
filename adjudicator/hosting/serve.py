"""The ways to run, each until SIGINT or SIGTERM: everything on one machine, or site, stream,
worker, scheduler or inbox alone.
"""

import os
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TypeVar

from adjudicator import __version__
from adjudicator.hosting.listeners import keep_port, open_inbox, open_live, open_site, own_inbox
from adjudicator.hosting.lock import hold_folder
from adjudicator.hosting.messages import Steps, say
from adjudicator.hosting.process import Role
from adjudicator.hosting.starting import preflight, startup
from adjudicator.hosting.supervisor import Supervisor
from adjudicator.platform.config import current_settings

T = TypeVar("T")
_PRIVATELY = ("worker", "inbox")  # the roles that write what others may not read
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
        open_inbox(_inbox_url()) as letters,
        open_live(settings.host, _live_port()) as stream,
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
    _run(
        "web",
        lambda: open_site(current_settings().host, current_settings().port),
        partial(startup.import_rooms, web=True),
        lambda listener: startup.make_roles(listener=listener.fileno()),
    )


def run_live() -> None:
    """Run the live stream alone; it needs the database and the sites' SECRET_KEY. Raises
    CannotStart or WrongSetting.
    """
    _run(
        "live",
        lambda: open_live(current_settings().host, current_settings().live_port),
        partial(startup.import_rooms, live=True),
        startup.make_live_roles,
    )


def run_worker(*, beat: bool = True, queues: str = "all") -> None:
    """Run a worker of these queues alone; of all workers one needs the scheduler (`beat`). Raises
    CannotStart or WrongSetting.
    """
    folder = partial(hold_folder, current_settings().data_dir, "a worker with the clock")
    _run(
        "worker",
        folder if beat else nullcontext,
        partial(startup.import_rooms, worker=True),
        lambda _: startup.make_roles(worker=True, beat=beat, queues=queues),
        total=2 + beat,
    )


def run_clock() -> None:
    """Run the scheduler alone, beside workers without one. Raises CannotStart or WrongSetting."""
    _run(
        "beat",
        lambda: hold_folder(current_settings().data_dir, "the clock"),
        partial(startup.import_rooms, beat=True),
        lambda _: startup.make_roles(beat=True),
    )


def run_inbox() -> None:
    """Run the inbox if INBOX_URL is set and the fetcher if IMAP_URL is. Raises CannotStart or
    WrongSetting.
    """
    _run(
        "inbox",
        lambda: open_inbox(current_settings().inbox_url),
        partial(startup.import_rooms, letters=True),
        startup.make_letter_roles,
        total=1 + _count_letter_roles(),
    )


def _run(
    command: preflight.Command,
    hold: Callable[[], AbstractContextManager[T]],
    load: Callable[[Steps], None],
    roles: Callable[[T], list[Role]],
    *,
    total: int = 2,
) -> None:
    """Run these roles alone while what they need is held, until they are to stop."""
    preflight.require_settings(command)
    if command in _PRIVATELY:
        os.umask(_PRIVATE)
    supervisor, steps = Supervisor(), Steps(total)
    with hold() as held:
        try:
            load(steps)
            startup.start_roles(supervisor, steps, roles(held))
            _say_ready(supervisor, steps, site=command == "web")
            _until_stopped(supervisor)
        finally:
            supervisor.stop()


def _inbox_url() -> str:
    """Return INBOX_URL; with the local mailbox and no other setting, first set it to this machine's
    own inbox.
    """
    settings = current_settings()
    if settings.local_mailbox and not settings.answerable:
        os.environ["INBOX_URL"] = own_inbox(settings.data_dir)
        current_settings.cache_clear()
    return current_settings().inbox_url


def _live_port() -> int:
    """Return LIVE_PORT; without that setting first set it to a port of this machine's own."""
    settings = current_settings()
    if not settings.live_port:
        os.environ["LIVE_PORT"] = str(keep_port(settings.data_dir / "live" / "port"))
        current_settings.cache_clear()
    return current_settings().live_port


def _count_letter_roles() -> int:
    settings = current_settings()
    return bool(settings.inbox_url) + bool(settings.imap_url.get_secret_value())


# of the site, the inbox, the live stream
_Doors = tuple[socket.socket, socket.socket | None, socket.socket]


def _start_everything(supervisor: Supervisor, lock: int, doors: _Doors, *, demo: bool) -> None:
    steps = Steps(total=6 + _count_letter_roles() + current_settings().embedded_broker + demo)
    site, letters, stream = doors
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
