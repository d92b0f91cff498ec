"""The rows that tokens of letters open, and what each token is computed from
(`adjudicator.seal.tokens`).

A row holds the hash of its token. Whoever can write rows can write such a hash, so the hash alone
finds a row and proves nothing: the worker computes the token again from the row and from the person
whom it is for.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlmodel import Session, col, select

from adjudicator.seal.tokens import Purpose, derive_token, hash_token, who_is
from adjudicator.service.base.memory import OF
from adjudicator.service.base.tables import (
    Confirmation,
    Letter,
    Link,
    MasterAddress,
    Match,
    Offer,
    Player,
    Seat,
    Stranger,
)

if TYPE_CHECKING:
    from adjudicator.seal.crypto import Keyring

MASTER = "m-"  # before the token in masters' addresses
# before a seat's token in the address of its vote on one proposal, with the proposal's id
_VOTE = re.compile(r"v(?P<proposal>[1-9][0-9]{0,18})-(?P<token>.+)")
_SEATS = select(Seat, Match).join(Match).where(col(Seat.id).in_(OF))
_PLAYERS = select(Player).where(col(Player.id).in_(OF))
# before a row's uid, in the place of its token's hash: no hash has a space
UNWRITTEN = "unwritten "


@dataclass(frozen=True)
class Reference:
    """What a token opens. Contents of letters hold it; the worker puts the token in its place as it
    writes the letter.

    `row` names a link, a question or an offer by its uid; a seat or its invitation as `UID/12`, by
    match and the row's id; a master's address as `UID/7`, by match and player's id; a player by the
    id; an address without a player by its hash; a letter by its uid.
    """

    purpose: Purpose
    row: str
    before: str = ""  # what the address has before the token, besides: that of a vote on a proposal


@dataclass(frozen=True)
class Opened:
    """A row that a token opens, and what the token is computed from besides."""

    row: Any
    address: str | None  # the person whom it is for; None: whoever has the token
    n: int = 0
    # what else the token stands for: a hash of the commands that a question asks about
    bound: str = ""


def of_seat(match: Match, seat: Seat) -> Reference:
    """Return the reference to a seat's mail address."""
    return Reference("seat", f"{match.uid}/{seat.id}")


def of_vote(match: Match, seat: Seat, proposal_id: int) -> Reference:
    """Return the reference to the address of a seat's vote on one proposal. It is the seat's own
    address besides, and ends with it.
    """
    return Reference("seat", f"{match.uid}/{seat.id}", f"v{proposal_id}-")


def split_vote(token: str) -> tuple[str, str | None]:
    """Return the secret part of a seat's address, and the id of the proposal that it votes on, None
    in the seat's plain address.
    """
    found = _VOTE.fullmatch(token)
    return (found["token"], found["proposal"]) if found is not None else (token, None)


def invitation_of(match: Match, seat: Seat) -> Reference:
    """Return the reference to the invitation to a seat."""
    return Reference("invitation", f"{match.uid}/{seat.id}")


def of_master(match: Match, player_id: int) -> Reference:
    """Return the reference to a master's mail address in a match."""
    return Reference("master", f"{match.uid}/{player_id}")


def find_opened(session: Session, wanted: Reference) -> Opened | None:
    """Return the row that a reference names, None if it opens nothing any more."""
    return _FINDERS[wanted.purpose](session, wanted.row)


def token_for(keyring: "Keyring", wanted: Reference, opened: Opened) -> str:
    """Return the token that opens a row."""
    whom = wanted.row if opened.address is None else who_is(keyring, opened.address)
    return derive_token(
        keyring, wanted.purpose, row=wanted.row + opened.bound, whom=whom, n=opened.n
    )


def opened_question(question: Confirmation) -> Opened:
    """Return what the token of a question opens: these commands of that address, and no others."""
    return Opened(question, question.address, bound=f"/{hash_token(json.dumps(question.wanted))}")


def _of_table(table: Any, session: Session, row: str) -> Opened | None:
    found = session.exec(select(table).where(table.uid == row)).first()
    return Opened(found, found.address) if found is not None else None


def _of_question(session: Session, row: str) -> Opened | None:
    question = session.exec(select(Confirmation).where(Confirmation.uid == row)).first()
    return opened_question(question) if question is not None else None


def _seat(session: Session, row: str) -> Seat | None:
    uid, _, seat_id = row.partition("/")
    seat = session.get(Seat, int(seat_id))
    match = session.get(Match, seat.match_id) if seat is not None else None
    return seat if match is not None and match.uid == uid else None


def read_opened(
    session: Session, wanted: Collection[Reference], players: Collection[int]
) -> list[Any]:
    """Read the seats, matches and players that these references name, by two statements;
    `find_opened` asks no more while they are kept. `players` were read before.
    """
    seats = {
        int(each.row.partition("/")[2]) for each in wanted if each.purpose in ("seat", "invitation")
    }
    rows: list[Any] = [*session.exec(_SEATS, params={"of": list(seats)})] if seats else []
    sitting = {seat.player_id for seat, _ in rows if seat.player_id is not None}
    others = (sitting | {int(each.row) for each in wanted if each.purpose == "stop"}) - {*players}
    return [*rows, *session.exec(_PLAYERS, params={"of": list(others)})] if others else rows


def _of_invitation(session: Session, row: str) -> Opened | None:
    seat = _seat(session, row)
    return (
        Opened(seat, seat.kept_for, seat.invitation_n)
        if seat is not None and seat.kept_for and seat.invitation_n
        else None
    )


def _of_seat(session: Session, row: str) -> Opened | None:
    seat = _seat(session, row)
    player = (
        session.get(Player, seat.player_id)
        if seat is not None and seat.player_id is not None
        else None
    )
    return (
        Opened(seat, player.address, seat.token_n)
        if seat is not None and player is not None and player.address
        else None
    )


def _of_master(session: Session, row: str) -> Opened | None:
    uid, _, player_id = row.partition("/")
    wanted = select(MasterAddress, Player.address).join(Player)
    wanted = wanted.join(Match, onclause=col(MasterAddress.match_id) == col(Match.id))
    found = session.exec(
        wanted.where(Match.uid == uid, MasterAddress.player_id == int(player_id))
    ).first()
    return Opened(found[0], found[1], found[0].token_n) if found is not None and found[1] else None


def _of_player(session: Session, row: str) -> Opened | None:
    player = session.get(Player, int(row))
    return Opened(player, player.address) if player is not None and player.address else None


def _of_stranger(session: Session, row: str) -> Opened | None:
    stranger = session.get(Stranger, row)
    return Opened(stranger, None) if stranger is not None else None


def _of_letter(session: Session, row: str) -> Opened | None:
    letter = session.exec(select(Letter).where(Letter.uid == row)).first()
    return Opened(letter, None) if letter is not None else None


_FINDERS: Mapping[Purpose, Callable[[Session, str], Opened | None]] = {
    "signin": partial(_of_table, Link),
    "question": _of_question,
    "offer": partial(_of_table, Offer),
    "invitation": _of_invitation,
    "seat": _of_seat,
    "master": _of_master,
    "stop": _of_player,
    "never": _of_stranger,
    "return": _of_letter,
}
