"""What a sweep looks for: the matches and the queues that have work due, by the names of their
tasks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from adjudicator.platform import wakeups
from adjudicator.service.archive import entries
from adjudicator.service.checkpoints import cosigning, growing, witnessing
from adjudicator.service.erasure import finishing
from adjudicator.service.handover import sweeping
from adjudicator.service.letters import incoming, outbox
from adjudicator.service.log import catching_up as logs
from adjudicator.service.matches import timetables
from adjudicator.service.orders import bot_orders, disclosure, receipts
from adjudicator.service.people import pushes
from adjudicator.service.phases import closing, opening, reminders
from adjudicator.service.ratings import counting
from adjudicator.service.requests import confirming
from adjudicator.service.starting import expiry, muster
from adjudicator.service.tournaments import advancing

MOST_DUE = 200  # matches of each kind that one sweep sends; the next sweeps find the others


@dataclass(frozen=True)
class DueWork:
    """The work that is due, in the order in which it is sent."""

    # a task, and the public names of the matches (or readings, requests ...) that need it
    matches: tuple[tuple[str, Sequence[str]], ...]
    queues: tuple[tuple[str, bool], ...]  # a task, and whether anything waits for it


def find_due_work(session: Session, now: datetime) -> DueWork:
    """Return all work that is due; indexes make it cheap while nothing is."""
    mustering = [*muster.to_muster(session), *muster.to_end(session, now)]
    matches = (
        (wakeups.PREPARE, opening.to_prepare(session)),
        (wakeups.START, opening.to_start(session)),
        (wakeups.CLOSE, closing.due_matches(session, now, most=MOST_DUE)),
        (wakeups.DISCLOSE, disclosure.unanswered_requests(session, now=now)),
        (wakeups.WITNESS, witnessing.unanswered_requests(session, now=now)),
        (wakeups.HOUSE, bot_orders.matches_owing(session, most=MOST_DUE)),
        (wakeups.DAYS_OFF, timetables.to_refresh(session, now)),
        (wakeups.SEATS, sweeping.matches_to_tend(session, now, most=MOST_DUE)),
        (wakeups.MUSTER, mustering),
        (wakeups.EXPIRE, expiry.to_expire(session, now)),
        (wakeups.ADVANCE, advancing.to_advance(session, now, most=MOST_DUE)),
        (wakeups.LOG, logs.to_catch_up(session, most=MOST_DUE)),
        (wakeups.REMIND, reminders.due_matches(session, now, most=MOST_DUE)),
        (wakeups.ARCHIVE, entries.to_archive(session, most=MOST_DUE)),
    )
    queues = (
        (wakeups.READ_LETTERS, bool(incoming.waiting_letters(session, now, most=1))),
        (wakeups.SIGN, receipts.any_unsigned(session) or confirming.any_waiting(session)),
        (wakeups.ERASE, finishing.any_unfinished(session)),
        (wakeups.RATE, bool(counting.uncounted_matches(session, now, most=1))),
        (wakeups.CHECKPOINT, growing.is_due(session, now)),
        (wakeups.COSIGN, bool(cosigning.due_witnesses(session, now, most=1))),
        (wakeups.PUSH, bool(pushes.waiting_messages(session, now, most=1))),
        (wakeups.POST, bool(outbox.waiting_letters(session, now, most=1, urgencies=outbox.SOON))),
        (
            wakeups.REPORTS,
            bool(outbox.waiting_letters(session, now, most=1, urgencies=outbox.LATER)),
        ),
    )
    return DueWork(matches, queues)
