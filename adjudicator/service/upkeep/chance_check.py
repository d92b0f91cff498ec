"""Holding the stored chance of all matches and tournaments that are not over against their
anchors.
"""

from sqlmodel import Session, col, select

from adjudicator.core.chains import BrokenChain
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Match, Tournament
from adjudicator.service.log.checks import Tampered, recall_chains

_OVER = ("ended", "expired")


def check_chances(session: Session, keyring: Keyring) -> tuple[int, list[str]]:
    """Return how many matches and tournaments were looked at, and the public names of those whose
    chance is not the published one.
    """
    founded = col(Match.wrapped_chains).is_not(None), col(Match.status).not_in(_OVER)
    matches = session.exec(select(Match).where(*founded).order_by(col(Match.id))).all()
    played = col(Tournament.wrapped_chains).is_not(None), col(Tournament.status) != "ended"
    tournaments = session.exec(select(Tournament).where(*played).order_by(col(Tournament.id))).all()
    rows: list[Match | Tournament] = [*matches, *tournaments]
    return len(rows), [row.uid for row in rows if not _is_right(session, keyring, row)]


def _is_right(session: Session, keyring: Keyring, row: Match | Tournament) -> bool:
    try:
        chains = (
            recall_chains(session, keyring, row, "")
            if isinstance(row, Match)
            else MatchChains.recall(keyring, row)
        )
        chains.check()
    except (Tampered, CannotOpen, BrokenChain):
        return False
    return chains.anchors == row.anchors
