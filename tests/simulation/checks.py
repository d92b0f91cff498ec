"""The promises checked after every run: the ledger, kept outside the service, is compared with the
database, the letters and the rules.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.service.archive import entries
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import (
    Due,
    Incoming,
    Letter,
    Match,
    PhaseRow,
    Player,
    Receipt,
    Seat,
)
from adjudicator.service.matches import masters
from adjudicator.service.phases import closing
from adjudicator.service.ratings import counting
from tests.simulation import (
    checks_absences,
    checks_archive,
    checks_dealings,
    checks_delays,
    checks_directors,
    checks_gathering,
    checks_intruders,
    checks_keys,
    checks_letters,
    checks_log,
    checks_masters,
    checks_newcomer,
    checks_orders,
    checks_outages,
    checks_overtime,
    checks_people,
    checks_phases,
    checks_press,
    checks_progress,
    checks_ratings,
    checks_reliability,
    checks_reminders,
    checks_salts,
    checks_seat_letters,
    checks_secrecy,
    checks_tenure,
    checks_tournaments,
    checks_votes,
)
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.ledger import Ledger
from tests.simulation.scene import Check, Scene
from tests.simulation.sink import Sink
from tests.simulation.world import World


def run_checks(world: World, fixture_db: FixtureDb, sink: Sink, ledger: Ledger) -> list[str]:
    """Return a sentence for each broken promise."""
    with fixture_db.eyes.read_tx() as session:
        scene = Scene(world, fixture_db, sink, ledger, session)
        return _ask_all(CHECKS, session, scene)


def end_what_is_left(world: World, fixture_db: FixtureDb, sink: Sink, ledger: Ledger) -> list[str]:
    """End all running matches as the host does, rate and archive them; return what is wrong with
    ratings and archive.

    Few matches end before.
    """
    database, now = fixture_db.eyes, world.now()
    with database.read_tx() as session:
        running = list(
            session.exec(select(Match.uid).where(Match.status == "running").order_by(col(Match.id)))
        )
    for uid in running:
        with suppress(NotNow):  # its end is agreed already
            masters.end_match(database, uid, None, "The world ends", now=now)
        closing.close_phase(database, fixture_db.keyring, uid, now=now)
    counting.count_waiting(database, now=now)
    with database.read_tx() as session:
        waiting = entries.to_archive(session, most=len(running))
    for uid in waiting:
        entries.archive_match(database, uid)
    with database.read_tx() as session:
        scene = Scene(world, fixture_db, sink, ledger, session)
        return _ask_all((*checks_ratings.CHECKS, *checks_archive.CHECKS), session, scene)


def _ask_all(asked: Iterable[Check], session: Session, scene: Scene) -> list[str]:
    return [
        f"{check.__name__.replace('_', ' ')}: {each}"
        for check in asked
        for each in _asked(check, session, scene)
    ]


def _asked(check: Check, session: Session, scene: Scene) -> Iterator[str]:
    """Yield a check's findings; an exception caused by wrong rows is a finding too."""
    try:
        yield from check(session, scene)
    except Exception as fault:  # noqa: BLE001 whatever the rows lead to
        yield f"it stumbles over what it finds: {type(fault).__name__}: {str(fault)[:100]}"


# --- liveness


def overdue_work(world: World, fixture_db: FixtureDb) -> list[str]:
    """Return overdue work: nothing due may be waiting five minutes after the last fault."""
    now = world.now()
    with fixture_db.eyes.read_tx() as session:
        matches = [
            f"the match {row.uid} waits as {row.status}"
            for row in session.exec(select(Match))
            if _waits(session, row, now)
        ]
        due = select(PhaseRow).where(
            col(PhaseRow.closed_at).is_(None),
            col(PhaseRow.closes_at) <= now - timedelta(seconds=90),
        )
        phases = [
            f"phase {row.number} of match {row.match_id} is due since {row.closes_at}"
            for row in session.exec(due)
        ]
        letters = select(Letter).where(
            Letter.state == "waiting", Letter.next_try <= now - timedelta(seconds=90)
        )
        out = [
            f"the {row.kind} {row.uid} waits since {row.next_try} after {row.tries} tries"
            for row in session.exec(letters)
        ]
        unread = select(Incoming).where(
            col(Incoming.disposition).is_(None), Incoming.received_at <= now - timedelta(seconds=90)
        )
        came = [f"the letter {row.uid} was not read" for row in session.exec(unread)]
        waiting = select(Receipt).where(
            col(Receipt.signature).is_(None), Receipt.at <= now - timedelta(seconds=90)
        )
        opened = select(PhaseRow).where(
            col(PhaseRow.closed_at).is_(None), PhaseRow.opened_at <= now - timedelta(seconds=90)
        )
        opened = opened.join(Match, onclause=col(PhaseRow.match_id) == col(Match.id))
        # a match that was stopped leaves its last phase open
        opened = opened.where(Match.status == "running")
        idle = [
            f"a house bot owes orders in match {row.match_id}"
            for row in session.exec(opened)
            if _house_owes(session, row)
        ]
        unsigned = [f"receipt {row.id} is not signed" for row in session.exec(waiting)]
        ended = select(Match).where(col(Match.rated).is_(True), col(Match.counted_at).is_(None))
        ended = ended.where(col(Match.ended_at) <= now - timedelta(seconds=90))
        uncounted = [
            f"the match {row.uid} does not count for the ratings" for row in session.exec(ended)
        ]
    return [
        f"undone: {each}" for each in (*matches, *phases, *out, *came, *idle, *unsigned, *uncounted)
    ]


def _house_owes(session: Session, phase: PhaseRow) -> bool:
    owed = select(Due.id).where(Due.phase_id == phase.id, col(Due.handed_in_at).is_(None))
    sits = (Seat.match_id == phase.match_id) & (col(Seat.name) == col(Due.seat))
    owed = owed.join(Seat, onclause=sits).join(
        Player, onclause=col(Seat.player_id) == col(Player.id)
    )
    return session.exec(owed.where(col(Player.house).is_(True))).first() is not None


def _waits(session: Session, match: Match, now: datetime) -> bool:
    """Whether a match has waited to be prepared or started, or has stopped; a tournament may just
    have made one.
    """
    if match.status in ("making", "open") and match.made_at > now - timedelta(seconds=90):
        return False
    free = session.exec(
        select(Seat.id).where(Seat.match_id == match.id, col(Seat.taken_at).is_(None))
    ).first()
    return match.status in ("making", "stuck") or (
        match.status == "open" and free is None and match.muster_seconds is None
    )


def next_letter(world: World, fixture_db: FixtureDb) -> float | None:
    """Return the seconds until the next attempt of a letter that is still waiting; None if there is
    none.
    """
    with fixture_db.eyes.read_tx() as session:
        old = select(Letter.next_try).where(
            Letter.state == "waiting", Letter.made_at <= (world.settled or world.now())
        )
        waiting = session.exec(old.order_by(col(Letter.next_try))).first()
    return None if waiting is None else (waiting - world.now()).total_seconds()


CHECKS: tuple[Check, ...] = (
    *checks_phases.CHECKS,
    *checks_orders.CHECKS,
    *checks_letters.CHECKS,
    *checks_delays.CHECKS,
    *checks_dealings.CHECKS,
    *checks_masters.CHECKS,
    *checks_directors.CHECKS,
    *checks_press.CHECKS,
    *checks_people.CHECKS,
    *checks_gathering.CHECKS,
    *checks_secrecy.CHECKS,
    *checks_intruders.CHECKS,
    *checks_votes.CHECKS,
    *checks_progress.CHECKS,
    *checks_tenure.CHECKS,
    *checks_seat_letters.CHECKS,
    *checks_newcomer.CHECKS,
    *checks_absences.CHECKS,
    *checks_outages.CHECKS,
    *checks_overtime.CHECKS,
    *checks_reminders.CHECKS,
    *checks_reliability.CHECKS,
    *checks_ratings.CHECKS,
    *checks_tournaments.CHECKS,
    *checks_archive.CHECKS,
    *checks_salts.CHECKS,
    *checks_keys.CHECKS,
    *checks_log.CHECKS,
)
