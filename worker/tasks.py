"""The tasks: each finds its work in the database, does it and sends what follows. All are idempotent, also when killed."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial, wraps
from itertools import takewhile
from typing import ParamSpec

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from adjudicator.mail.answering import Outcome
from adjudicator.mail.read import Room, read_letter
from adjudicator.mail.sending.post import post_letter
from adjudicator.platform import clock, entropy, heartbeat, wakeups
from adjudicator.platform.calendars import fetch_days_off
from adjudicator.platform.db import FAULTS
from adjudicator.service.archive import entries
from adjudicator.service.base import picture_cache, stamps
from adjudicator.service.base.errors import Refused
from adjudicator.service.handover import sweeping
from adjudicator.service.letters import incoming, letter_history, outbox
from adjudicator.service.matches import timetables
from adjudicator.service.orders import bot_orders, disclosure, receipts
from adjudicator.service.orders.envelopes import Submission, submit_orders
from adjudicator.service.people import absence_calendar
from adjudicator.service.phases import closing, opening, reminders
from adjudicator.service.ratings import counting
from adjudicator.service.starting import expiry, muster
from adjudicator.service.tournaments import advancing
from adjudicator.service.views.due_work import find_due_work
from worker import context
from worker.app import SWEEP, TIDY
from worker.task import send_wakeup, task

P = ParamSpec("P")
WORKED_SECONDS = 60.0  # of CPU: rules that took longer would not end at the next try either
MOST_POSTED = 5  # letters posted before looking for more urgent ones
ADVANCE_SECONDS = 5.0  # of a tournament's steps in one task
POST_SECONDS = READ_SECONDS = 2.0  # of posting or reading in one task, before more urgent tasks run

log = structlog.get_logger()


def share_with_letters(work: Callable[P, None]) -> Callable[P, None]:
    """Post and read letters after a match's task once this process has played for PLAY_SECONDS: no load starves letters."""

    @wraps(work)
    def shared(*args: P.args, **kwargs: P.kwargs) -> None:
        begun, turns = clock.monotonic(), context.current_context().turns
        work(*args, **kwargs)
        if turns.count_played(clock.monotonic() - begun):
            _post_waiting((*outbox.SOON, outbox.REPORT))
            _read_waiting()

    return shared


@task(SWEEP)
def sweep() -> None:
    """Find all due work and send a task for each piece that is not queued; indexes make an idle sweep cheap."""
    here = context.current_context()
    here.stamper.stamp()
    now, queued = here.database.now(), wakeups.queued_tasks(here.broker)
    with here.database.read_tx() as session:
        found = find_due_work(session, now)
    for task_name, names in found.matches:
        for name in names:
            if (task_name, (name,)) not in queued:
                send_wakeup(task_name, name, swept=True)
    heartbeat.note_alive(here.broker, heartbeat.SWEEP)
    for task_name, waits in found.queues:
        if waits and (task_name, ()) not in queued:
            send_wakeup(task_name, swept=True)


@task(wakeups.PREPARE)
@share_with_letters
def prepare_match(uid: str) -> None:
    """Prepare a match; if every seat is reserved already, it begins at once. Its days off are known before its first deadline."""
    here = context.current_context()
    if not _know_days_off(here, uid):
        return
    if _step(here, opening.prepare_match, uid):
        send_wakeup(wakeups.START, uid)
        send_wakeup(wakeups.POST)


@task(wakeups.START)
@share_with_letters
def start_match(uid: str) -> None:
    """Begin a match whose seats are all taken."""
    here = context.current_context()
    if _step(here, opening.start_match, uid):
        _after_opening(uid)


@task(wakeups.CLOSE)
@share_with_letters
def close_phase(uid: str) -> None:
    """Close a match's phase if it is due.

    1. Read the letters to its seats that were acknowledged in time, for READ_SECONDS: other matches' deadlines do not wait.
    2. Close the phase. It stays open while such a letter is unread; then the next sweep sends this task again.
    """
    here = context.current_context()
    _work_off(lambda session, now: incoming.waiting_of(session, uid, now), _read, READ_SECONDS)
    if _step(here, closing.close_phase, uid):
        _after_opening(uid)


@task(wakeups.MUSTER)
def advance_muster(uid: str) -> None:
    """Begin or end a match's muster; letters to its seats that came in time are read first."""
    here = context.current_context()
    _work_off(lambda session, now: incoming.waiting_of(session, uid, now), _read, READ_SECONDS)
    if muster.advance_muster(here.database, uid, now=here.database.now()):
        send_wakeup(wakeups.START, uid)
    send_wakeup(wakeups.POST)


@task(wakeups.EXPIRE)
def expire_match(uid: str) -> None:
    """End a match that was not full in time."""
    here = context.current_context()
    if expiry.expire_match(here.database, uid, now=here.database.now()):
        send_wakeup(wakeups.POST)


def _step(here: context.WorkerContext, step: closing.Step, uid: str) -> bool:
    """Take a step of a match. At the soft time limit the match stops if its rules used the CPU, not if the process was suspended."""
    begun = clock.cpu_seconds()
    try:
        return closing.step_or_stop(
            step, here.database, here.keyring, uid, now=here.database.now(), clock=here.database.now, cut_short=(SoftTimeLimitExceeded,)
        )
    except SoftTimeLimitExceeded:
        if clock.cpu_seconds() - begun < WORKED_SECONDS:
            raise
        trouble = f"its rules came to no end within {WORKED_SECONDS:g} seconds of work"
        closing.mark_stuck(here.database, uid, trouble, now=here.database.now())
        return False


def _after_opening(uid: str) -> None:
    send_wakeup(wakeups.HOUSE, uid)
    send_wakeup(wakeups.REPORTS)


@task(wakeups.HOUSE)
@share_with_letters
def play_house_bots(uid: str) -> None:
    """Submit orders for the house bots that owe some in a match; a failure affects no other match."""
    here = context.current_context()
    with here.database.read_tx() as session:
        turns = bot_orders.house_turns(session, uid)
    closes = [_hand_in(here, turn) for turn in turns]
    if any(closes):
        send_wakeup(wakeups.CLOSE, uid)


def _hand_in(here: context.WorkerContext, turn: bot_orders.HouseTurn) -> bool:
    text = turn.orders(entropy.choose)  # never from the match's own chance
    try:
        answer = submit_orders(here.database, Submission(turn.uid, turn.player_id, text, "house", here.database.now(), turn.phase))
    except Refused:  # the phase has closed meanwhile
        return False
    return answer.closes_now


@task(wakeups.RATE)
def rate_matches() -> None:
    """Let the rated matches that have ended count for the ratings, the oldest first."""
    here = context.current_context()
    counting.count_waiting(here.database, now=here.database.now())


@task(wakeups.REMIND)
@share_with_letters
def send_reminders(uid: str) -> None:
    """Write to the players who owe orders in a match and have handed in nothing."""
    here = context.current_context()
    if reminders.send_reminders(here.database, uid, now=here.database.now()):
        send_wakeup(wakeups.POST)


@task(wakeups.ARCHIVE)
def archive_match(uid: str) -> None:
    """Put an ended match into the archive. One whose rows cannot be read is left out for good, and logged."""
    here = context.current_context()
    try:
        entries.archive_match(here.database, uid)
    except (*FAULTS, SoftTimeLimitExceeded):
        raise
    except Exception:  # its rows are damaged or of a game that is gone; the next try would fail alike
        entries.leave_out(here.database, uid)
        raise


@task(wakeups.ADVANCE)
@share_with_letters
def advance_tournament(uid: str) -> None:
    """Take the steps that are due in a tournament for ADVANCE_SECONDS; the rest is left to another task."""
    here, until = context.current_context(), clock.monotonic() + ADVANCE_SECONDS
    for made in advancing.advance_steps(here.database, here.keyring, uid, now=here.database.now()):
        for match in made:
            send_wakeup(wakeups.PREPARE, match)
        if clock.monotonic() > until:
            send_wakeup(wakeups.ADVANCE, uid)
            break
    send_wakeup(wakeups.REPORTS)


@task(wakeups.DAYS_OFF)
def read_days_off(uid: str) -> None:
    """Read the public holidays and the calendar that a match's deadlines pass over."""
    _know_days_off(context.current_context(), uid)


def _know_days_off(here: context.WorkerContext, uid: str) -> bool:
    """Work out a match's days off, if they are due; returns whether they are known."""
    return timetables.refresh_days_off(here.database, uid, fetch_days_off, now=here.database.now())


@task(wakeups.SEATS)
def tend_seats(uid: str) -> None:
    """Return seats that were lent for a span, and offer open seats to standbys."""
    here = context.current_context()
    if sweeping.tend_seats(here.database, uid, now=here.database.now()):
        send_wakeup(wakeups.REPORTS)


@task(wakeups.DISCLOSE)
def disclose_orders(reading: str) -> None:
    """Disclose a seat's own sealed orders."""
    here = context.current_context()
    disclosure.answer_request(here.database, here.keyring, reading, now=here.database.now())


@task(wakeups.READ_LETTERS)
def read_letters() -> None:
    """Read waiting letters for READ_SECONDS; the rest is left to another task."""
    if not _read_waiting():
        send_wakeup(wakeups.READ_LETTERS)


def _read_waiting() -> bool:
    """Read letters for READ_SECONDS; returns whether none is left that could be read now."""
    return _work_off(partial(incoming.waiting_letters, most=20), _read, READ_SECONDS)


def _work_off(
    list_waiting: Callable[..., list[int]], work: Callable[[context.WorkerContext, list[int], float], None], seconds: float
) -> bool:
    """Pass the listed ids to `work`, list after list, for `seconds`; returns whether none is left."""
    here, until = context.current_context(), clock.monotonic() + seconds
    while clock.monotonic() < until:
        now = here.database.now()
        with here.database.read_tx() as session:
            waiting = list_waiting(session, now)
        if not waiting:
            return True
        work(here, waiting, until)
    return False


def _read(here: context.WorkerContext, waiting: list[int], until: float) -> None:
    """Read these letters, but begin none after `until`: a single letter may take seconds."""
    room = Room(here.settings, here.database, here.keyring, here.reader)
    outcomes = [outcome for each in _while(waiting, until) if (outcome := _read_one(room, each)) is not None]
    for outcome in outcomes:
        if outcome.closes:
            send_wakeup(wakeups.CLOSE, outcome.closes)
    if any(outcome.disposition == "commands" for outcome in outcomes):
        _wake_beginnings(here)
    if outcomes:
        send_wakeup(wakeups.SIGN)
        send_wakeup(wakeups.POST)


def _read_one(room: Room, letter: int) -> Outcome | None:
    outcome = read_letter(room, letter, room.database.now)
    if outcome is not None:
        log.info("letter.read", letter=letter, disposition=outcome.disposition)
    return outcome


def _while(ids: list[int], until: float) -> Iterator[int]:
    return takewhile(lambda _: clock.monotonic() < until, ids)


def _wake_beginnings(here: context.WorkerContext) -> None:
    """Send tasks for the matches that `join` made or filled. Until a match is prepared, the next `join` would make another."""
    with here.database.read_tx() as session:
        new, starting = opening.to_prepare(session), opening.to_start(session)
    for task_name, uids in ((wakeups.PREPARE, new), (wakeups.START, starting)):
        for uid in uids:
            send_wakeup(task_name, uid)


@task(wakeups.SIGN)
def sign_receipts() -> None:
    """Sign receipts, so that their letters can be posted."""
    here = context.current_context()
    if receipts.sign_receipts(here.database, here.keyring):
        send_wakeup(wakeups.POST)


@task(wakeups.POST)
def post_letters() -> None:
    """Post letters that somebody waits for, and news, for POST_SECONDS; the rest is left to another task."""
    if not _post_waiting(outbox.SOON):
        send_wakeup(wakeups.POST)


@task(wakeups.REPORTS)
def post_reports() -> None:
    """Post all waiting letters, the most urgent first, for POST_SECONDS; the rest is left to another task."""
    if not _post_waiting((*outbox.SOON, outbox.REPORT)):
        send_wakeup(wakeups.REPORTS)


def _post_waiting(urgencies: Sequence[int]) -> bool:
    """Post letters of these urgencies for POST_SECONDS; returns whether none is left."""
    return _work_off(partial(outbox.waiting_letters, most=MOST_POSTED, urgencies=urgencies), _post, POST_SECONDS)


def _post(here: context.WorkerContext, waiting: list[int], until: float) -> None:
    for letter in _while(waiting, until):
        post_letter(here.settings, here.database, here.keyring, letter, here.database.now, carrier=here.carrier)


@task(TIDY)
def erase_old_letters() -> None:
    """Erase letters finished LETTER_DAYS ago, unanswered questions, unused pictures, old stamps, and guests' matches in the archive."""
    here = context.current_context()
    now = here.database.now()
    before = now - timedelta(days=here.settings.letter_days)
    stamps.erase_old(here.database, now)
    erased = letter_history.erase_old(here.database, before)
    absence_calendar.erase_past(here.database, now)
    entries.erase_guests(here.database, now)
    log.info("letters.erased", sent=erased.sent, read=erased.read, pictures=picture_cache.erase_old(here.database, now))
