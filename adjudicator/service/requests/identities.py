"""Who a player is to the worker, and which player somebody is whom it knows."""

from collections.abc import Iterable

from sqlmodel import Session, col, select

from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import who_of_address, who_of_bot, who_of_guest
from adjudicator.service.base.tables import Player, SignedIn


def find_who(session: Session, keyring: Keyring, player_id: int | None) -> str:
    """Return who a player is: the person of an address, a guest by the key of the first session, or
    a house bot.
    """
    player = session.get_one(Player, player_id)
    if player.address is not None:
        return who_of_address(keyring, player.address)
    keyed = (SignedIn.player_id == player.id, col(SignedIn.public).is_not(None))
    first = session.exec(
        select(SignedIn.public).where(*keyed).order_by(col(SignedIn.made_at)).limit(1)
    ).first()
    return who_of_guest(first) if first is not None else who_of_bot(keyring, player.id or 0)


def find_player(
    session: Session, keyring: Keyring, who: str, likely: Iterable[int | None] = ()
) -> int | None:
    """Return the player who is `who`, of those whose ids are `likely` or else of all; None where
    there is none any more.

    It may read the address of every player, so it is only for what has to be put right.
    """
    signed_in = session.exec(select(SignedIn.player_id).where(SignedIn.who == who))
    known: tuple[int | None, ...] = (*likely, *signed_in)
    for each in known:
        if (
            each is not None
            and session.get(Player, each) is not None
            and find_who(session, keyring, each) == who
        ):
            return each
    for player in session.exec(select(Player).order_by(col(Player.id))):
        if who == (
            who_of_address(keyring, player.address)
            if player.address is not None
            else who_of_bot(keyring, player.id or 0)
        ):
            return player.id
    return None
