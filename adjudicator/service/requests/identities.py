"""Who a player is to the worker, and which player somebody is whom it knows."""

from collections.abc import Collection, Iterable

from sqlmodel import Session, col, select

from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import who_of_address, who_of_bot, who_of_guest
from adjudicator.service.base.memory import memory_of
from adjudicator.service.base.tables import Player, SignedIn

_WHO = "who"  # in the memory of a transaction


def find_who(session: Session, keyring: Keyring, player_id: int | None) -> str:
    """Return who a player is: the person of an address, a guest by the key of the first session, or
    a house bot.
    """
    known: str | None = memory_of(session).get((_WHO, player_id))
    if known is not None:
        return known
    player = session.get_one(Player, player_id)
    keyed = (SignedIn.player_id == player.id, col(SignedIn.public).is_not(None))
    first = select(SignedIn.public).where(*keyed).order_by(col(SignedIn.made_at)).limit(1)
    return _who(
        keyring, player, None if player.address is not None else session.exec(first).first()
    )


def read_who(session: Session, keyring: Keyring, players: Collection[Player]) -> None:
    """Find who many players are, by one statement at most, for a transaction that changes neither
    addresses nor sessions.
    """
    keyless = [player.id for player in players if player.address is None]
    keyed = (col(SignedIn.player_id).in_(keyless), col(SignedIn.public).is_not(None))
    wanted = select(SignedIn.player_id, SignedIn.public).where(*keyed)
    newest_first = wanted.order_by(col(SignedIn.made_at).desc())
    first = dict(session.exec(newest_first).all()) if keyless else {}
    memory_of(session).update(
        {(_WHO, player.id): _who(keyring, player, first.get(player.id)) for player in players}
    )


def _who(keyring: Keyring, player: Player, first: bytes | None) -> str:
    if player.address is not None:
        return who_of_address(keyring, player.address)
    return who_of_guest(first) if first is not None else who_of_bot(keyring, player.id)


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
            else who_of_bot(keyring, player.id)
        ):
            return player.id
    return None
