"""Secret mail addresses of masters, one for each match and master; an address stops working when
its master is dismissed.
"""

from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, or_, select

from adjudicator.platform import entropy
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base.tables import MasterAddress, Match, Player
from adjudicator.service.tokens.references import Reference, of_master


@dataclass(frozen=True)
class RunMatch:
    """A match, and the master whose address a letter came to."""

    uid: str
    match: str
    game: str
    player_id: int
    address: Reference  # to the master's address


def reply_address(session: Session, match: Match, player_id: int) -> Reference:
    """Return the reference to a master's address in a match, which is created at the first call;
    the caller checks that they run it.
    """
    if _row(session, match, player_id) is None:
        with suppress(IntegrityError), session.begin_nested():  # another process may be first
            # so that whoever is appointed again gets another address
            first = int.from_bytes(entropy.token_bytes(3))
            session.add(MasterAddress(match_id=match.id, player_id=player_id, token_n=first))
    return of_master(match, player_id)


def _row(session: Session, match: Match, player_id: int) -> MasterAddress | None:
    wanted = select(MasterAddress).where(
        MasterAddress.match_id == match.id, MasterAddress.player_id == player_id
    )
    return session.exec(wanted).first()


def of_secret(session: Session, secret: str) -> tuple[int, int] | None:
    """Return the ids of an address's row and match, by its secret part without prefix.

    None if it is unknown, or its player no longer runs the match. It reads single columns, as the
    inbox may read no others.
    """
    hashed = hash_token(secret)
    known = select(MasterAddress.id, MasterAddress.match_id, MasterAddress.player_id)
    known = known.where(
        or_(col(MasterAddress.token_hash) == hashed, col(MasterAddress.earlier_hash) == hashed)
    )
    found = session.exec(known).first()
    return (
        (found[0] or 0, found[1])
        if found is not None and _runs(session, found[1], found[2])
        else None
    )


def _runs(session: Session, match_id: int, player_id: int) -> bool:
    """Whether the player runs the match still, as `rows.may_run`."""
    runs = select(Match.id).join(Player, onclause=col(Player.id) == player_id)
    runs = runs.where(
        Match.id == match_id, or_(col(Match.master_id) == col(Player.id), col(Player.master))
    )
    return session.exec(runs).first() is not None


def find_run(session: Session, ref: str | None) -> RunMatch | None:
    """Return the match and master that a stored letter's `ref` names; None if that player no longer
    runs the match.
    """
    row = session.get(MasterAddress, int(ref or 0))
    if row is None or not _runs(session, row.match_id, row.player_id):
        return None
    match = session.get_one(Match, row.match_id)
    return RunMatch(
        match.uid, match.name, match.game, row.player_id, of_master(match, row.player_id)
    )


def change_address(session: Session, match: Match, player_id: int) -> Reference:
    """Give a master another address in a match and return the reference to it; the old address
    stops working.
    """
    wanted = reply_address(session, match, player_id)
    row = _row(session, match, player_id)
    assert row is not None  # noqa: S101 created above
    row.token_n, row.token_hash, row.earlier_hash, row.token = row.token_n + 1, None, None, None
    session.flush()
    return wanted


def withdraw(session: Session, player: Player) -> None:
    """Delete the addresses of a player in the matches of others; those in the player's own matches
    stay.
    """
    own = select(Match.id).where(Match.master_id == player.id)
    session.exec(
        delete(MasterAddress).where(
            col(MasterAddress.player_id) == player.id, col(MasterAddress.match_id).not_in(own)
        )
    )
