"""The steps of a start, each reported with its duration; `serve` puts them in order."""

import importlib
import itertools
import os
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from adjudicator.hosting import listeners, loading, machine_errors
from adjudicator.hosting.databases import opened
from adjudicator.hosting.messages import CannotStart, Steps, hide_password
from adjudicator.hosting.process import Role, run_once
from adjudicator.hosting.starting import preflight
from adjudicator.hosting.supervisor import Supervisor
from adjudicator.platform import db
from adjudicator.platform.config import Settings, current_settings
from adjudicator.platform.errors import WrongSetting

if TYPE_CHECKING:
    from adjudicator.hosting.database_roles.grants import RoleName

INBOX, FETCHER, LIVE = "the inbox", "the fetcher", "the stream"
_START_SECONDS = 180.0  # for a role to be ready, even on a small or busy machine
# for the first page; each further try has twice as long, as a busy machine needs it
_PAGE_SECONDS, _LONGEST_PAGE = 2.0, 16.0
_FAULT, _FAULTS = 500, 3  # the status of a server error, and after how many of them the start fails
_WEB = ("adjudicator.hosting.roles.web", "web.app")
_WORKER = ("adjudicator.hosting.roles.worker", "worker.app")
_INBOX, _FETCHER = ("worker.inbox.server",), ("worker.inbox.imap",)
_LIVE = ("web.live.server",)


def start_broker(supervisor: Supervisor, steps: Steps, lock: int) -> None:
    """Start the embedded broker and set REDIS_URL to it, for all rooms to read."""
    from adjudicator.hosting.roles import broker

    with steps.step("The broker (an embedded Valkey)"):
        own = broker.prepare_broker(current_settings().data_dir)
        supervisor.start(broker.broker_role(own, lock))
        otherwise = (
            f"The broker does not start; {own.folder / 'valkey.log'} says why. Where its own file"
            f" is damaged, move {own.folder / 'appendonlydir'} away: it holds nothing that the"
            " database does not."
        )
        wait_until(supervisor, own.answers, lambda _: otherwise)
        os.environ["REDIS_URL"] = own.url
        current_settings.cache_clear()


def import_rooms(
    steps: Steps,
    *,
    web: bool = False,
    worker: bool = False,
    beat: bool = False,
    letters: bool = False,
    live: bool = False,
) -> None:
    """Import what these roles need, and no more, before any is forked, since once is faster than
    once for each role.
    """
    with steps.step("The program, loaded once for all roles"):
        taken_in = letters and current_settings().inbox_url
        fetched = letters and current_settings().imap_url.get_secret_value()
        needed = (
            (_WORKER, worker or beat),
            (_WEB, web),
            (_INBOX, taken_in),
            (_FETCHER, fetched),
            (_LIVE, live),
        )
        for name in itertools.chain(*(names for names, wanted in needed if wanted)):
            importlib.import_module(name)
        if worker:
            # registers its tasks
            importlib.import_module("worker.app").app.loader.import_default_modules()


def migrate_database(steps: Steps) -> None:
    """Migrate the database in a process of its own. Raises CannotStart."""
    with steps.step(f"The database ({hide_password(current_settings().database_url)})"):
        run_once(
            "migrate",
            partial(migrate, current_settings()),
            "The database is not ready, so nothing was started.",
        )


def migrate(settings: Settings) -> "dict[RoleName, str]":
    """Migrate the database, then grant the roles' logins what they need; returns the logins by
    role. Raises HostFault.
    """
    roles = preflight.read_roles(settings)
    try:
        db.migrate(settings.database_url)
    except db.FAULTS as fault:
        raise CannotStart(machine_errors.describe_fault(fault) or str(fault)) from None
    except OSError as fault:
        raise CannotStart(
            machine_errors.describe_fault(fault)
            or f"{fault.filename} cannot be used: {fault.strerror}."
        ) from None
    preflight.require_writable(settings)
    if settings.on_sqlite:
        return {}
    from adjudicator.hosting.database_roles import logins  # imports the driver of PostgreSQL

    return logins.grant_roles(settings.database_url, roles)


def pin_own_keys() -> None:
    """Have the site and the inbox believe only the keys of this machine's key file, made now for a
    new installation.

    Raises WrongSetting for a key file or a KEY_FINGERPRINT that does not fit the database, which is
    migrated by now.
    """
    settings = current_settings()
    preflight.require_keys(settings)
    preflight.require_fingerprint(settings)
    if not settings.key_fingerprint:
        os.environ["KEY_FINGERPRINT"] = _open_keys(settings)
        current_settings.cache_clear()


def _open_keys(settings: Settings) -> str:
    """Create the key file if nothing was sealed yet, and publish the public keys; return their
    fingerprint. Raises WrongSetting.
    """
    from adjudicator.seal import crypto
    from adjudicator.service.base import public_keys

    try:
        # no connection may be open when a process is forked
        with opened(settings.database_url) as database:
            return public_keys.open_keyring(
                database, settings.key_file, now=database.now()
            ).public.fingerprint
    except crypto.KeyFileError as fault:
        raise WrongSetting(str(fault)) from None


def make_roles(
    *, listener: int | None = None, worker: bool = False, beat: bool = False, queues: str = "all"
) -> list[Role]:
    """Return the requested roles in starting order; their modules are already imported. A worker
    consumes these `queues`.
    """
    settings, roles = current_settings(), list[Role]()
    if worker or beat:
        from adjudicator.hosting.roles.worker import beat_role, worker_role
        from worker.app import app

        roles += (
            [worker_role(settings, app, partial(_load_keys, settings), queues)] if worker else []
        )
        roles += [beat_role(settings, app)] if beat else []
    if listener is not None:
        from adjudicator.hosting.roles.web import web_role
        from web.app import create_app

        roles.append(web_role(settings, partial(create_app, settings), listener))
    return roles


def make_letter_roles(listener: socket.socket | None) -> list[Role]:
    """Return the inbox, if it has a listening socket, and the fetcher, if IMAP_URL is set."""
    settings, roles = current_settings(), list[Role]()
    if listener is not None:
        from worker.inbox.server import run_server

        serves = partial(run_server, settings, listener)
        roles.append(Role(INBOX, serves, patience=8, logs_as="inbox"))  # to finish what comes in
    if settings.imap_url.get_secret_value():
        from worker.inbox.imap import run_fetcher

        roles.append(Role(FETCHER, partial(run_fetcher, settings), patience=2, logs_as="fetcher"))
    return roles


def make_live_roles(listener: socket.socket) -> list[Role]:
    """Return the live stream on an open listening socket."""
    from web.live.server import run_server

    serves = partial(run_server, current_settings(), listener)
    return [Role(LIVE, serves, patience=4, logs_as="live")]  # to close its connections


def start_roles(supervisor: Supervisor, steps: Steps, roles: list[Role]) -> None:
    """Start all roles, then wait until each is ready, the site until its first page is served.
    Raises CannotStart.
    """
    loading.collect_as_usual()
    for role in roles:
        supervisor.start(role)
    for role in roles:
        with steps.step(role.name[0].upper() + role.name[1:] + _detail(role.name)):
            wait_until(supervisor, _is_up(supervisor, role.name), partial(_not_up, role.name))


def _not_up(awaited: str, hopeless: str | None) -> str:
    """Return the message about the role that failed, which may be another than the awaited one."""
    return f"{hopeless or awaited} does not start; the lines above say why.".capitalize()


def fill_for_show(steps: Steps) -> None:
    """Add the players, bots and matches of the demonstration unless they exist. Raises
    CannotStart.
    """
    from adjudicator.hosting.demo import fill

    with steps.step("Players and matches to look at"):
        run_once(
            "demo",
            partial(fill, current_settings()),
            "The demonstration could not be set up; the lines above say why.",
        )


def wait_until(
    supervisor: Supervisor, is_done: Callable[[], bool], otherwise: Callable[[str | None], str]
) -> None:
    """Wait until `is_done` or the host wants to stop. Raises CannotStart if a role keeps failing or
    time runs out.

    `otherwise` makes its message from the failing role's name, or from None if time ran out.
    """
    end = time.monotonic() + _START_SECONDS
    while not supervisor.stopping and not is_done():
        supervisor.look_after(0.02)
        hopeless = supervisor.hopeless()
        if hopeless or time.monotonic() > end:
            raise CannotStart(otherwise(hopeless))


def _is_up(supervisor: Supervisor, name: str) -> Callable[[], bool]:
    return _first_page_answers() if name == "the site" else partial(supervisor.is_ready, name)


def _first_page_answers() -> Callable[[], bool]:
    """Return a function that says whether the first page is served; it raises CannotStart after
    several server errors.
    """
    settings, faults, tries = current_settings(), list[int](), itertools.count()

    def answers() -> bool:
        status = listeners.first_page(
            settings.host, settings.port, min(_PAGE_SECONDS * 2 ** next(tries), _LONGEST_PAGE)
        )
        if status is None or status < _FAULT:
            return status is not None
        faults.append(status)
        if len(faults) >= _FAULTS:
            raise CannotStart(
                f"The first page answers with a fault ({status}); the lines above say why."
            )
        return False

    return answers


def _detail(name: str) -> str:
    settings = current_settings()
    return {
        "the worker": f" ({settings.worker_concurrency} processes)",
        "the clock": f" (looks for what is due every {settings.sweep_seconds:g} s)",
        "the site": " (its first page)",
        INBOX: f" (letters at {settings.inbox_url})",
        FETCHER: " (letters from IMAP_URL)",
        LIVE: f" (news of matches, port {settings.live_port})",
    }[name]


def _load_keys(settings: Settings) -> None:
    """Load all keys that the worker needs, before it forks; only the worker's process calls this.
    Raises WrongSetting.
    """
    from adjudicator.mail.sending import signing

    preflight.require_keys(settings)
    _open_keys(settings)
    signing.load_signer(settings)
