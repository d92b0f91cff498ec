"""Secret mail addresses of masters, one for each match and master; an address stops working when its master is dismissed."""

from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from adjudicator.service.base import rows
from adjudicator.service.base.tables import MasterAddress, Match, Player

PREFIX = "m-"  # of the secret part of these addresses


@dataclass(frozen=True)
class RunMatch:
    """A match, and the master whose address a letter came to."""

    uid: str
    match: str
    game: str
    player_id: int
    reply_token: str  # secret part of the master's address, with its prefix


def reply_token(session: Session, match: Match, player_id: int) -> str:
    """Return the secret part of a master's address in a match, which is created at the first call; the caller checks that they run it."""
    known = _row(session, match, player_id)
    if known is None:
        made = MasterAddress(match_id=match.id or 0, player_id=player_id, token=rows.new_token())
        try:
            with session.begin_nested():
                session.add(made)
        except IntegrityError:  # another process was first
            pass
        known = _row(session, match, player_id)
    assert known is not None  # noqa: S101 stored above, or by the other process
    return PREFIX + known.token


def _row(session: Session, match: Match, player_id: int) -> MasterAddress | None:
    wanted = select(MasterAddress).where(MasterAddress.match_id == match.id, MasterAddress.player_id == player_id)
    return session.exec(wanted).first()


def of_secret(session: Session, secret: str) -> MasterAddress | None:
    """Return the row of an address by its secret part without prefix; None if it is unknown, or its player no longer runs the match."""
    row = session.exec(select(MasterAddress).where(MasterAddress.token == secret)).first() if "\0" not in secret else None
    return row if row is not None and _works(session, row) else None


def _works(session: Session, row: MasterAddress) -> bool:
    return rows.may_run(session, session.get_one(Match, row.match_id), row.player_id)


def find_run(session: Session, ref: str | None) -> RunMatch | None:
    """Return the match and master that a stored letter's `ref` names; None if that player no longer runs the match."""
    row = session.get(MasterAddress, int(ref or 0))
    if row is None or not _works(session, row):
        return None
    match = session.get_one(Match, row.match_id)
    return RunMatch(match.uid, match.name, match.game, row.player_id, PREFIX + row.token)


def change_address(session: Session, match: Match, player_id: int) -> str:
    """Give a master another address in a match and return its secret part; the old address stops working."""
    reply_token(session, match, player_id)
    row = _row(session, match, player_id)
    assert row is not None  # noqa: S101 created above
    row.token = rows.new_token()
    session.flush()
    return PREFIX + row.token


def withdraw(session: Session, player: Player) -> None:
    """Delete the addresses of a player in the matches of others; those in the player's own matches stay."""
    own = select(Match.id).where(Match.master_id == player.id)
    session.exec(delete(MasterAddress).where(col(MasterAddress.player_id) == player.id, col(MasterAddress.match_id).not_in(own)))
