"""The tasks of letters and push messages, and their turns after the tasks of matches."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial, wraps
from typing import ParamSpec

import structlog

from adjudicator.mail.read import Room, read_letter
from adjudicator.mail.sending.post import PostRoom, post_letters
from adjudicator.mail.sending.push import deliver_push
from adjudicator.platform import clock, wakeups
from adjudicator.platform.db import ReadTx
from adjudicator.platform.wakeups import Priority, Task
from adjudicator.service.letters import incoming, outbox
from adjudicator.service.orders import receipts
from adjudicator.service.people import pushes
from adjudicator.service.requests import confirming
from worker import context
from worker.app import app
from worker.task import send_wakeup, task
from worker.turns import take_until, work_off

P = ParamSpec("P")
# letters posted before looking for more urgent ones; those that are claimed together
MOST_POSTED = 10
MOST_URGENT = 20  # the same where no report is among them, which may have to be drawn
POST_SECONDS = READ_SECONDS = 2.0  # of posting or reading in one task, before more urgent tasks run
# the same between closings, which many wait for: letters follow when all phases are closed
TURN_SECONDS = 0.5

PUSH = Task("sealed.push", Priority.BULK, wakeups.LETTERS)

log = structlog.get_logger()


def share_with_letters(work: Callable[P, None]) -> Callable[P, None]:
    """Post and read letters after a match's task once this process has played for PLAY_SECONDS: no
    load starves letters.

    A worker that does not consume the queue of letters only reads them.
    """

    @wraps(work)
    def shared(*args: P.args, **kwargs: P.kwargs) -> None:
        begun, turns = clock.monotonic(), context.current_context().turns
        work(*args, **kwargs)
        if not turns.count_played(clock.monotonic() - begun):
            return
        if wakeups.LETTERS in app.amqp.queues.consume_from:
            post_waiting(outbox.EVERY, TURN_SECONDS)
        read_waiting(TURN_SECONDS)

    return shared


@task(
    wakeups.READ_LETTERS,
    waits=lambda session, now: bool(incoming.waiting_letters(session, now, most=1)),
)
def read_letters() -> None:
    """Read waiting letters for READ_SECONDS; the rest is left to another task."""
    if not read_waiting(READ_SECONDS):
        send_wakeup(wakeups.READ_LETTERS)


def read_waiting(seconds: float) -> bool:
    """Read letters for `seconds`; returns whether none is left that could be read now."""
    return work_off(partial(incoming.waiting_letters, most=20), _read, seconds)


def read_letters_of(uid: str) -> None:
    """Read the letters to a match's seats for READ_SECONDS."""
    work_off(lambda session, now: incoming.waiting_of(session, uid, now), _read, READ_SECONDS)


def _read(here: context.WorkerContext, waiting: list[int], until: float) -> None:
    """Read these letters, but begin none after `until`: a single letter may take seconds."""
    room = Room(here.settings, here.database, here.keyring, here.reader)
    for letter in take_until(waiting, until):
        outcome = read_letter(room, letter, room.database.now)
        if outcome is not None:
            log.info("letter.read", letter=letter, disposition=outcome.disposition)


@task(
    wakeups.SIGN,
    waits=lambda session, _: receipts.any_unsigned(session) or confirming.any_waiting(session),
)
def sign_receipts() -> None:
    """Sign receipts, so that their letters can be posted."""
    here = context.current_context()
    receipts.sign_receipts(here.database, here.keyring)


def _any_letter(session: ReadTx, now: datetime, urgencies: Sequence[int]) -> bool:
    return bool(outbox.waiting_letters(session, now, most=1, urgencies=urgencies))


@task(wakeups.POST, waits=lambda session, now: _any_letter(session, now, outbox.SOON))
def post_urgent() -> None:
    """Post letters that somebody waits for, and news, for POST_SECONDS; the rest is left to another
    task.
    """
    if not post_waiting(outbox.SOON, POST_SECONDS):
        send_wakeup(wakeups.POST)


@task(wakeups.REPORTS, waits=lambda session, now: _any_letter(session, now, outbox.LATER))
def post_reports() -> None:
    """Post all waiting letters, the most urgent first, for POST_SECONDS; the rest is left to
    another task.
    """
    if not post_waiting(outbox.EVERY, POST_SECONDS):
        send_wakeup(wakeups.REPORTS)


def post_waiting(urgencies: Sequence[int], seconds: float) -> bool:
    """Post letters of these urgencies for `seconds`; returns whether none is left."""
    most = MOST_POSTED if outbox.REPORT in urgencies else MOST_URGENT
    return work_off(partial(outbox.waiting_letters, most=most, urgencies=urgencies), _post, seconds)


def _post(here: context.WorkerContext, waiting: list[int], until: float) -> None:
    post_letters(
        PostRoom(here.settings, here.database, here.keyring, here.carrier, here.database.now),
        waiting,
        until=until,
    )


@task(PUSH, waits=lambda session, now: bool(pushes.waiting_messages(session, now, most=1)))
def push_messages() -> None:
    """Deliver waiting push messages for POST_SECONDS; the rest is left to another task."""
    if not work_off(partial(pushes.waiting_messages, most=MOST_POSTED), _push, POST_SECONDS):
        send_wakeup(PUSH)


def _push(here: context.WorkerContext, waiting: list[int], until: float) -> None:
    for message in take_until(waiting, until):
        deliver_push(here.settings, here.database, here.keyring, message, here.database.now)
