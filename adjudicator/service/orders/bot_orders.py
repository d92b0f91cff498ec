"""What house bots owe, and what they order; they hand in orders through the same use case as
everybody else.
"""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, func, select

from adjudicator.core.game import AnyGame, Pick
from adjudicator.play import bots
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player, Seat


@dataclass(frozen=True)
class HouseTurn:
    """One seat of a house bot that is due and has handed in nothing."""

    uid: str
    player_id: int
    phase: int
    _seat: str
    _skill: bots.Skill
    _game: AnyGame
    _state: object

    def orders(self, pick: Pick) -> str:
        """Return the bot's orders followed by `ready`; the bot knows what its seat may know, and
        `pick` is its only randomness.
        """
        return f"{bots.choose_orders(self._game, self._state, self._seat, skill=self._skill, pick=pick)}\nready"


def matches_owing(session: Session, *, most: int) -> list[str]:
    """Return the public names of matches in which house bots owe orders, the oldest debts first."""
    owed = _debts(select(Match.uid)).group_by(col(Match.uid)).order_by(func.min(Due.id))
    return list(session.exec(owed.limit(most)))


def house_turns(session: Session, uid: str) -> list[HouseTurn]:
    """Return the seats of house bots that owe orders in a match."""
    owed = _debts(select(Due, PhaseRow, Match, Player)).where(Match.uid == uid)
    return [_turn(*row) for row in session.exec(owed.order_by(col(Due.id)))]


def _debts(wanted: Any) -> Any:
    """Return the query `wanted`, restricted to orders that house bots owe in open phases of running
    matches.
    """
    return (
        wanted.select_from(Due)
        .join(PhaseRow, onclause=col(Due.phase_id) == col(PhaseRow.id))
        .join(Match, onclause=col(PhaseRow.match_id) == col(Match.id))
        .join(
            Seat, onclause=(col(Seat.match_id) == col(Match.id)) & (col(Seat.name) == col(Due.seat))
        )
        .join(Player, onclause=col(Seat.player_id) == col(Player.id))
        .where(
            col(Due.house),
            col(Due.handed_in_at).is_(None),
            col(PhaseRow.closed_at).is_(None),
            col(Match.status).not_in(("stuck", "ended")),  # others have no open phase
            col(Player.house).is_(True),
        )
    )


def _turn(due: Due, phase: PhaseRow, match: Match, player: Player) -> HouseTurn:
    game = game_of(match)
    assert player.id is not None  # noqa: S101 from the database
    return HouseTurn(
        match.uid,
        player.id,
        phase.number,
        due.seat,
        bots.find_skill(player.skill),
        game,
        load_state(game, phase.before),
    )
