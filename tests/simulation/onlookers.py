"""Onlookers: players and strangers who look again and again at how many have handed in, and at the
news of a match.
"""

import random
from typing import Any

from sqlmodel import Session, col, func, select

from adjudicator.service.base.shown import read_steps
from adjudicator.service.base.state import PROGRESS_KINDS, ProgressKind
from adjudicator.service.base.tables import (
    MasterNote,
    Match,
    PhaseRow,
    PressNote,
    Proposal,
    Receipt,
    Seat,
    Vote,
)
from adjudicator.service.views import match_list, news
from tests.simulation.ledger import Ledger, Watched
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import World

KNOWN, UNKNOWN = "others knew of orders", "nothing was shown of progress"
KINDS = (KNOWN, UNKNOWN)
_SHARE = 0.5  # of the worlds
_EVERY = 30.0  # mean seconds between two looks at a match


def progress_kind(seed: int, number: int) -> ProgressKind:
    """Return what a match shows of who has handed in; no dice are thrown for it."""
    return PROGRESS_KINDS[(seed + number) % len(PROGRESS_KINDS)]


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Add onlookers to some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/onlookers")
    if not service.faults.quiet and service.faults.crash_at is None and dice.random() < _SHARE:
        Onlookers(world, service, ledger, everybody, dice)


class Onlookers:
    """Somebody looks at each match: one of its players, or a stranger, who has no account."""

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._players = everybody
        for uid in dict.fromkeys(player.uid for player in everybody):
            world.at(_EVERY * dice.random(), self._look, uid)

    def _look(self, uid: str) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._look, uid)
        own = [player.id for player in self._players if player.uid == uid]
        viewer = self._dice.choice((None, None, *own))

        def answered(watched: Any, fault: BaseException | None) -> None:
            if fault is None:
                self._ledger.watched.append(watched)
                self._world.fire(UNKNOWN if watched.progress is None else KNOWN)

        self._service.ask(
            "web", "watch", lambda process: self._watch(process, uid, viewer), answered
        )

    def _watch(self, process: Any, uid: str, viewer: int | None) -> Watched:
        """Look as the pages do, and read the rows of the same snapshot."""
        database = self._service.fixture_db.databases[process.slot]
        now = database.now()
        with database.read_tx() as session:
            match = session.exec(select(Match).where(Match.uid == uid)).one()
            progress = match_list.match_card(session, match, viewer, now=now).progress
            mark = str(news.of_match(session, uid, viewer, now=now).mark)
            step = read_steps(session, [uid], now)[uid]
            phase, due, public = _facts(session, match)
            own = (
                session.exec(
                    select(Seat.name).where(Seat.match_id == match.id, Seat.player_id == viewer)
                ).first()
                if viewer
                else None
            )
            newest = session.exec(
                select(func.max(Receipt.id)).where(Receipt.match_id == match.id)
            ).one()
        return Watched(
            uid, own, now, match.progress, phase, due, newest or 0, progress, mark, step, public
        )


def _votes(session: Session, match: Match) -> tuple[object, ...]:
    """Return the proposals of a match, what became of them, and the votes that were cast."""
    proposed = (
        select(Proposal.id, Proposal.outcome)
        .where(Proposal.match_id == match.id)
        .order_by(col(Proposal.id))
    )
    cast = select(Vote.id, Vote.yes, Vote.player_id).join(
        Proposal, onclause=col(Vote.proposal_id) == col(Proposal.id)
    )
    cast = cast.where(Proposal.match_id == match.id).order_by(col(Vote.id))
    return tuple(map(tuple, [*session.exec(proposed), *session.exec(cast)]))


def _facts(
    session: Session, match: Match
) -> tuple[int | None, tuple[str, ...], tuple[object, ...]]:
    """Return the number of the open phase, its due seats, and what everybody may see change."""
    phases = select(PhaseRow.number, PhaseRow.deadline, PhaseRow.due).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None)
    )
    found = session.exec(phases).first() if match.status == "running" else None
    number, deadline, due = found or (None, None, ())
    notes = session.exec(
        select(func.count()).select_from(MasterNote).where(MasterNote.match_id == match.id)
    ).one()
    seats = session.exec(
        select(Seat.player_id, Seat.kept_for, Seat.taken_at)
        .where(Seat.match_id == match.id)
        .order_by(col(Seat.id))
    )
    press = session.exec(
        select(PressNote.id, PressNote.readers)
        .where(PressNote.match_id == match.id)
        .order_by(col(PressNote.id))
    )
    spoken = [number for number, readers in press if not readers]
    public = (
        match.status,
        match.paused_at,
        number,
        deadline,
        notes,
        tuple(map(tuple, seats)),
        tuple(spoken),
        _votes(session, match),
    )
    return number, tuple(due), public
