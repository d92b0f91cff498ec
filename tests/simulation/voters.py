"""Players who decide together: they propose more time, pauses, draws and ends, vote, repeat their
votes, and concede.
"""

import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from sqlmodel import and_, col, select

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Envelope, Match, PhaseRow, Proposal, Seat
from adjudicator.service.matches import votes
from adjudicator.service.matches.proposals import ProposalKind
from adjudicator.service.matches.votes import Ask, VoteResult
from adjudicator.service.phases import concessions
from tests.simulation import upgrades
from tests.simulation.ledger import Cast, Ledger
from tests.simulation.players import Player
from tests.simulation.seat_forms import load_made_for
from tests.simulation.service import Service
from tests.simulation.world import World

PROPOSED, VOTED, CONCEDED = "a change was proposed", "a vote was cast", "a seat conceded"
KINDS = (PROPOSED, VOTED, CONCEDED)
_SHARE = 0.25  # of the worlds
_EVERY = 10.0  # mean seconds between one player's acts
_ASKS: tuple[ProposalKind, ...] = (*["extend"] * 24, *["pause"] * 2, *["resume"] * 3, "draw", "end")


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Let players vote in some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/voters")
    # such a match must not use what the last release did not have
    upgraded = upgrades.is_planned(world.seed)
    if (
        not service.faults.quiet
        and service.faults.crash_at is None
        and dice.random() < _SHARE
        and not upgraded
    ):
        Voters(world, service, ledger, everybody, dice)


class Voters:
    """The players of a world as voters; in half of these worlds somebody may concede."""

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._concede = dice.random() < 0.5
        for player in everybody:
            ledger.run_by_hand.add(player.uid)
            world.at(_EVERY * 2 * dice.random(), self._act, player)

    def _act(self, player: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._act, player)
        standing = self._standing(player)
        if self._concede and self._dice.random() < (0.12 if self._has_sealed(player) else 0.02):
            made_for = load_made_for(self._service, player.uid, player.id)
            concede = partial(
                concessions.concede, uid=player.uid, player_id=player.id, made_for=made_for
            )
            self._ask(player, CONCEDED, lambda database: concede(database, now=database.now()))
        elif standing and self._dice.random() < 0.7:
            self._vote(player, self._dice.choice(standing))
        else:
            self._propose(player)

    def _has_sealed(self, player: Player) -> bool:
        """Whether the player's seat has handed something in for the open phase."""
        with self._service.fixture_db.eyes.read_tx() as session:
            sealed = select(Envelope.id).join(
                PhaseRow, onclause=col(Envelope.phase_id) == col(PhaseRow.id)
            )
            sealed = sealed.join(Match, onclause=col(PhaseRow.match_id) == col(Match.id)).join(
                Seat,
                onclause=and_(
                    col(Seat.match_id) == col(Match.id), col(Seat.name) == col(Envelope.seat)
                ),
            )
            sealed = sealed.where(
                Match.uid == player.uid,
                Seat.player_id == player.id,
                col(PhaseRow.closed_at).is_(None),
            )
            return session.exec(sealed).first() is not None

    def _standing(self, player: Player) -> list[int]:
        """Return the undecided proposals of the player's match."""
        with self._service.fixture_db.eyes.read_tx() as session:
            found = (
                select(Proposal.id)
                .join(Match, onclause=col(Proposal.match_id) == col(Match.id))
                .where(Match.uid == player.uid)
            )
            return [
                each or 0
                for each in session.exec(
                    found.where(col(Proposal.outcome).is_(None)).order_by(col(Proposal.id))
                )
            ]

    def _vote(self, player: Player, proposal: int) -> None:
        """Vote once, or twice at the same moment."""
        yes, made_for = (
            self._dice.random() < 0.9,
            load_made_for(self._service, player.uid, player.id),
        )
        for _ in range(self._dice.choice((1, 1, 2))):
            cast = Cast(player.uid, player.id, proposal, yes=yes)
            self._ledger.cast.append(cast)
            self._ask(
                player,
                VOTED,
                lambda database: votes.vote(
                    database,
                    player.uid,
                    player.id,
                    proposal,
                    yes=yes,
                    now=database.now(),
                    made_for=made_for,
                ),
                cast,
            )

    def _propose(self, player: Player) -> None:
        # of a whole phase
        kind, share = self._dice.choice(_ASKS), self._dice.choice((0.2, 0.6, 1.0, 1.6))
        deadline, every = self._clock(player)
        if kind == "extend" and deadline is None:
            return
        ask = Ask(kind, deadline + timedelta(seconds=share * every) if kind == "extend" else None)
        self._ledger.proposed.add((player.uid, player.id, kind))
        propose = partial(
            votes.propose,
            uid=player.uid,
            player_id=player.id,
            ask=ask,
            made_for=load_made_for(self._service, player.uid, player.id),
        )
        for _ in range(self._dice.choice((1, 1, 2))):
            self._ask(player, PROPOSED, lambda database: propose(database, now=database.now()))

    def _clock(self, player: Player) -> tuple[Any, int]:
        """Return the open phase's deadline, None without one, and the seconds of a phase."""
        with self._service.fixture_db.eyes.read_tx() as session:
            wanted = select(PhaseRow.deadline, Match.every_seconds).join(
                Match, onclause=col(PhaseRow.match_id) == col(Match.id)
            )
            return session.exec(
                wanted.where(Match.uid == player.uid, col(PhaseRow.closed_at).is_(None))
            ).first() or (None, 0)

    def _ask(
        self,
        player: Player,
        what: str,
        work: Callable[[Database], VoteResult],
        cast: Cast | None = None,
    ) -> None:
        """Have the page do it; the closing that may follow is left to the sweep half of the
        time.
        """
        woken = self._dice.random() < 0.5

        def serve(process: Any) -> None:
            work(self._service.database(process, woken=woken))

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                self._world.fire(what)
                if cast is not None:
                    cast.done = True

        self._service.ask("web", what, serve, answered)
