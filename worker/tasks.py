"""The tasks: each finds its work in the database, does it and sends what follows. All are
idempotent, also when killed.
"""

from contextlib import suppress
from datetime import timedelta
from functools import partial

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from adjudicator.platform import clock, entropy, wakeups
from adjudicator.platform.db import FAULTS
from adjudicator.platform.wakeups import Priority, Task
from adjudicator.service.archive import entries, guests
from adjudicator.service.base.errors import Refused
from adjudicator.service.calendars.calendars import fetch_days_off
from adjudicator.service.checkpoints import cosigning, growing, witnessing
from adjudicator.service.erasure import finishing, scrubbing
from adjudicator.service.handover import sweeping
from adjudicator.service.letters import letter_history
from adjudicator.service.log import catching_up as logs
from adjudicator.service.matches import timetables
from adjudicator.service.orders import bot_orders, disclosure
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.people import absence_calendar
from adjudicator.service.phases import batches, beginning, closing, reminders, stamps
from adjudicator.service.ratings import counting
from adjudicator.service.requests import sent_forms
from adjudicator.service.starting import expiry, muster
from adjudicator.service.tokens.earlier import forget_tokens
from adjudicator.service.tournaments import advancing
from worker import context, witness_posts
from worker.app import TIDY
from worker.letters import read_letters_of, share_with_letters
from worker.task import send_wakeup, task
from worker.turns import take_until, work_off

WORKED_SECONDS = 60.0  # of CPU: rules that took longer would not end at the next try either
ADVANCE_SECONDS = 5.0  # of a tournament's steps in one task
COSIGN_SECONDS = 20.0  # of asking witnesses in one task; each may take 10

MOST_DUE = 200  # matches of each kind that one sweep sends; the next sweeps find the others
MOST_CLOSED = 2000  # the same of those that are due, which are closed together

BATCH = Task("sealed.batch", Priority.PHASES)  # the phases of these matches are due
COSIGN = Task("sealed.cosign", Priority.BULK)

log = structlog.get_logger()


@task(wakeups.PREPARE, find=lambda session, _: beginning.to_prepare(session))
@share_with_letters
def prepare_match(uid: str) -> None:
    """Prepare a match; if every seat is reserved already, it begins at once. Its days off are known
    before its first deadline.
    """
    here = context.current_context()
    if not _know_days_off(here, uid):
        return
    _step(here, beginning.prepare_match, uid)


@task(wakeups.START, find=lambda session, _: beginning.to_start(session))
@share_with_letters
def start_match(uid: str) -> None:
    """Begin a match whose seats are all taken."""
    here = context.current_context()
    _step(here, beginning.start_match, uid)


@task(wakeups.CLOSE, find=partial(closing.due_matches, most=MOST_CLOSED))
@share_with_letters
def close_phase(uid: str) -> None:
    """Close a match's phase if it is due.

    1. Read the letters to its seats that were acknowledged in time, for READ_SECONDS: other
       matches' deadlines do not wait.
    2. Close the phase. It stays open while such a letter is unread; then the next sweep sends this
       task again.
    """
    here = context.current_context()
    read_letters_of(uid)
    _step(here, closing.close_phase, uid)


@task(BATCH)
@share_with_letters
def close_phases(*uids: str) -> None:
    """Close the phases of many matches that are due; what is not closed with the others is closed
    alone, as by `close_phase`.

    A task that was cut short leaves each to a task of its own, so that one match whose rules do not
    end stops no others.
    """
    here, closed = context.current_context(), set[str]()
    now, cut_short = here.database.now(), (SoftTimeLimitExceeded,)
    with suppress(SoftTimeLimitExceeded):
        closed |= set(
            batches.close_phases(
                here.database.yielding(),
                here.keyring,
                uids,
                now=now,
                clock=here.database.now,
                monotonic=clock.monotonic,
                cut_short=cut_short,
            )
        )
    if left := [uid for uid in uids if uid not in closed]:
        with here.database.read_tx() as session:
            left = closing.due_matches(session, now, among=left)
    for uid in left:
        send_wakeup(wakeups.CLOSE, uid)


@task(
    Task("sealed.muster", Priority.UPKEEP),
    find=lambda session, now: [*muster.to_muster(session), *muster.to_end(session, now)],
)
def advance_muster(uid: str) -> None:
    """Begin or end a match's muster; letters to its seats that came in time are read first."""
    here = context.current_context()
    read_letters_of(uid)
    muster.advance_muster(here.database, uid, now=here.database.now())


@task(Task("sealed.expire", Priority.UPKEEP), find=expiry.to_expire)
def expire_match(uid: str) -> None:
    """End a match that was not full in time."""
    here = context.current_context()
    expiry.expire_match(here.database, uid, now=here.database.now())


def _step(here: context.WorkerContext, step: closing.Step, uid: str) -> None:
    """Take a step of a match. At the soft time limit the match stops if its rules used the CPU, not
    if the process was suspended.
    """
    begun = clock.cpu_seconds()
    try:
        closing.step_or_stop(
            step,
            here.database,
            here.keyring,
            uid,
            now=here.database.now(),
            clock=here.database.now,
            cut_short=(SoftTimeLimitExceeded,),
        )
    except SoftTimeLimitExceeded:
        if clock.cpu_seconds() - begun < WORKED_SECONDS:
            raise
        trouble = f"its rules came to no end within {WORKED_SECONDS:g} seconds of work"
        closing.mark_stuck(here.database, uid, trouble, now=here.database.now())


@task(wakeups.HOUSE, find=lambda session, _: bot_orders.matches_owing(session, most=MOST_DUE))
@share_with_letters
def play_house_bots(uid: str) -> None:
    """Submit orders for the house bots that owe some in a match; a failure affects no other
    match.
    """
    here = context.current_context()
    with here.database.read_tx() as session:
        turns = bot_orders.house_turns(session, uid)
    for turn in turns:
        _hand_in(here, turn)


def _hand_in(here: context.WorkerContext, turn: bot_orders.HouseTurn) -> None:
    text = turn.orders(entropy.choose)  # never from the match's own chance
    with suppress(Refused):  # the phase has closed meanwhile
        submit_orders(
            here.database,
            Submission(turn.uid, turn.player_id, text, "house", here.database.now(), turn.phase),
        )


@task(
    Task("sealed.rate", Priority.UPKEEP),
    waits=lambda session, now: bool(counting.uncounted_matches(session, now, most=1)),
)
def rate_matches() -> None:
    """Let the rated matches that have ended count for the ratings, the oldest first."""
    here = context.current_context()
    counting.count_waiting(
        here.database, now=here.database.now(), cut_short=(SoftTimeLimitExceeded,)
    )


@task(Task("sealed.remind", Priority.UPKEEP), find=partial(reminders.due_matches, most=MOST_DUE))
@share_with_letters
def send_reminders(uid: str) -> None:
    """Write to the players who owe orders in a match and have handed in nothing."""
    here = context.current_context()
    reminders.send_reminders(here.database, uid, now=here.database.now())


@task(
    Task("sealed.log", Priority.UPKEEP),
    find=lambda session, _: logs.to_catch_up(session, most=MOST_DUE),
)
def log_changes(uid: str) -> None:
    """Bring the log of a match up to date, where seats, deadlines or masters changed something."""
    here = context.current_context()
    logs.log_changes(here.database, here.keyring, uid, now=here.database.now())


@task(
    Task("sealed.archive", Priority.BULK),
    find=lambda session, _: entries.to_archive(session, most=MOST_DUE),
)
def archive_match(uid: str) -> None:
    """Put an ended match into the archive. One whose rows cannot be read is left out for good, and
    logged.
    """
    here = context.current_context()
    try:
        entries.archive_match(here.database, uid)
    except (*FAULTS, SoftTimeLimitExceeded):
        raise
    except Exception:
        # its rows are damaged or of a game that is gone; the next try would fail alike
        entries.leave_out(here.database, uid)
        raise


@task(wakeups.ADVANCE, find=partial(advancing.to_advance, most=MOST_DUE))
@share_with_letters
def advance_tournament(uid: str) -> None:
    """Take the steps that are due in a tournament for ADVANCE_SECONDS; the rest is left to another
    task.
    """
    here, until = context.current_context(), clock.monotonic() + ADVANCE_SECONDS
    for _ in advancing.advance_steps(here.database, here.keyring, uid, now=here.database.now()):
        if clock.monotonic() > until:
            send_wakeup(wakeups.ADVANCE, uid)
            break


@task(Task("sealed.days_off", Priority.UPKEEP), find=timetables.to_refresh)
def read_days_off(uid: str) -> None:
    """Read the public holidays and the calendar that a match's deadlines pass over."""
    _know_days_off(context.current_context(), uid)


def _know_days_off(here: context.WorkerContext, uid: str) -> bool:
    """Work out a match's days off, if they are due; returns whether they are known."""
    return timetables.refresh_days_off(here.database, uid, fetch_days_off, now=here.database.now())


@task(wakeups.SEATS, find=partial(sweeping.matches_to_tend, most=MOST_DUE))
def tend_seats(uid: str) -> None:
    """Return seats that were lent for a span, and offer open seats to standbys."""
    here = context.current_context()
    sweeping.tend_seats(here.database, uid, now=here.database.now())


@task(wakeups.DISCLOSE, find=lambda session, now: disclosure.unanswered_requests(session, now=now))
def disclose_orders(reading: str) -> None:
    """Disclose a seat's own sealed orders."""
    here = context.current_context()
    disclosure.answer_request(here.database, here.keyring, reading, now=here.database.now())


@task(Task("sealed.checkpoint", Priority.UPKEEP), waits=growing.is_due)
def grow_log() -> None:
    """Give all entries that wait their places in the tree, and sign checkpoints; then the witnesses
    are asked.
    """
    here = context.current_context()
    while growing.grow_log(here.database, here.keyring, now=here.database.now()):
        log.info("checkpoint.signed")
    send_wakeup(COSIGN)


@task(COSIGN, waits=lambda session, now: bool(cosigning.due_witnesses(session, now, most=1)))
def ask_witnesses() -> None:
    """Ask witnesses to cosign the newest checkpoint for COSIGN_SECONDS; the rest is left to another
    task.
    """
    if not work_off(cosigning.due_witnesses, _ask_witnesses, COSIGN_SECONDS):
        send_wakeup(COSIGN)


def _ask_witnesses(here: context.WorkerContext, waiting: list[int], until: float) -> None:
    for witness in take_until(waiting, until):
        answer = cosigning.ask_witness(
            here.database,
            here.peers,
            witness,
            partial(witness_posts.ask_witness, here.settings),
            here.database.now,
        )
        log.info("checkpoint.cosigned" if answer else "checkpoint.not_cosigned", witness=witness)


@task(wakeups.WITNESS, find=lambda session, now: witnessing.unanswered_requests(session, now=now))
def answer_log(request: str) -> None:
    """Judge another log's request for a cosignature, and answer it."""
    here = context.current_context()
    cosigned = witnessing.answer_request(
        here.database, here.keyring, here.peers, request, now=here.database.now()
    )
    log.info("witness.cosigned" if cosigned else "witness.refused")


@task(wakeups.ERASE, waits=lambda session, _: finishing.any_unfinished(session))
def finish_erasures() -> None:
    """Take away what erased players wrote to others, and the letters that came from them."""
    database = context.current_context().database
    finished = finishing.finish_erasures(database)
    scrubbed = finished > 0 and scrubbing.scrub_file(database, rewrite=False)
    log.info("players.erased", finished=finished, scrubbed=scrubbed)


@task(TIDY)
def erase_old_letters() -> None:
    """Erase what is old: letters, questions, stamps, matches of guests, and tokens that the
    previous release stored.

    The file of a SQLite database keeps no copy of what was erased.
    """
    here = context.current_context()
    now = here.database.now()
    before = now - timedelta(days=here.settings.letter_days)
    stamps.erase_old(here.database, now)
    sent_forms.erase_old(here.database, now)
    forget_tokens(here.database)
    erased = letter_history.erase_old(here.database, before)
    absence_calendar.erase_past(here.database, now)
    entries.erase_guests(here.database, now)
    log.info("letters.erased", sent=erased.sent, read=erased.read)
    try:
        # last: it raises what it cannot erase
        guests.erase_matches(here.database, now, cut_short=(SoftTimeLimitExceeded,))
    finally:
        log.info("database.scrubbed", done=scrubbing.scrub_file(here.database, rewrite=True))
