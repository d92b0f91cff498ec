"""Whether a stored letter came to the address of the row that it names: the inbox seals that
address together with the letter.
"""

from typing import Literal

from sqlmodel import Session, select

from adjudicator.seal.crypto import Keyring
from adjudicator.seal.tokens import Purpose, derive_token, hash_token, same_token, who_is
from adjudicator.service.base.state import computes_tokens
from adjudicator.service.base.tables import (
    Confirmation,
    FormerTenure,
    Incoming,
    Letter,
    MasterAddress,
    Match,
    Offer,
    Player,
    Seat,
    Stranger,
)
from adjudicator.service.tokens.references import (
    MASTER,
    Opened,
    Reference,
    invitation_of,
    of_master,
    of_seat,
    opened_question,
    split_vote,
    token_for,
)

Fit = Literal[
    "own",  # the address is the one that the worker computes for the row
    # it is one from before tokens were computed; the database alone says that it is the row's
    "earlier",
    # what it was stored for is there no more, so there is nothing to compare, nor to carry out
    "gone",
    # it is another one: the row was changed after the letter was stored, or somebody else wrote it
    "foreign",
]
# Addresses before the present one that fit too: letters that wait may have been stored before its
# seat's address changed, some twice.
RENEWED = 5


def fit_of(session: Session, keyring: Keyring, row: Incoming, token: str | None) -> Fit:
    """Return whether a letter whose address has this secret part fits the row that it is stored in.

    `token` is None in a letter that an inbox of the previous release stored; it seals no address.
    Addresses that only stop letters are compared with the stored hashes: whoever can write these
    can stop letters anyway.
    """
    match row.kind:
        case "service":
            return "own" if not token else "foreign"
        case "stop":
            return _stops(session.get(Player, int(row.ref or 0)), token)
        case "never":
            return _stops(session.get(Stranger, row.ref), token)
        case "bounce":
            return _came_back(session, keyring, row, token)
        case "confirmation":
            return _answers(keyring, session.get(Confirmation, int(row.ref or 0)), token)
        case _:
            return _of_match(session, keyring, row, token)


def _stops(row: Player | Stranger | None, token: str | None) -> Fit:
    if token is None or row is None:
        return "earlier"
    hashed = hash_token(token.partition("-")[2])
    known = (
        (row.stop_hash, row.earlier_stop_hash)
        if isinstance(row, Player)
        else (row.token_hash, row.earlier_hash)
    )
    return "own" if hashed in known else "foreign"


def _came_back(session: Session, keyring: Keyring, row: Incoming, token: str | None) -> Fit:
    letter = session.exec(select(Letter).where(Letter.uid == row.ref)).first()
    if letter is None or letter.return_hash is None or token is None:
        return "earlier"
    wanted = derive_token(keyring, "return", row=letter.uid, whom=letter.uid)
    return "own" if same_token(wanted, token.partition("-")[2]) else "foreign"


def _answers(keyring: Keyring, question: Confirmation | None, token: str | None) -> Fit:
    if question is None:
        return "gone"
    if question.uid is None:
        return "earlier"
    wanted = token_for(keyring, Reference("question", question.uid), opened_question(question))
    return "own" if same_token(wanted, token or "") else "foreign"


def _of_match(session: Session, keyring: Keyring, row: Incoming, token: str | None) -> Fit:
    """Compare the address of a seat, an invitation, an offer or a master. An earlier one works in
    matches from before alone.
    """
    match = session.get(Match, row.match_id)
    if match is None:
        return "gone"
    found = _addresses(session, keyring, match, row)
    if found is None:
        return "gone"
    wanted, earlier = found
    if row.kind == "seat" and token is not None:
        token, proposal = split_vote(token)
        if proposal != row.ref:
            return "foreign"
    if any(same_token(each, token or "") for each in wanted):
        return "own"
    fits = token is None or hash_token(token.removeprefix(MASTER)) == earlier
    return "earlier" if fits and not computes_tokens(keyring, match) else "foreign"


def _addresses(
    session: Session, keyring: Keyring, match: Match, row: Incoming
) -> tuple[list[str], str | None] | None:
    """Return the addresses that the worker computes for what a stored letter names, and the hash of
    the one from before.

    None where that is gone, or belongs to nobody with an address any more.
    """
    if row.kind == "master":
        master = session.get(MasterAddress, int(row.ref or 0))
        # SQLite gives the id of a row that is gone to the next one
        if master is None or master.match_id != match.id:
            return None
        to = session.get_one(Player, master.player_id).address
        return [
            MASTER + each
            for each in _numbered(keyring, of_master(match, master.player_id), to, master.token_n)
        ], master.earlier_hash
    if row.kind == "offer":
        offer = session.get(Offer, int(row.ref or 0))
        if offer is None:
            return None
        if (offer.match_id, offer.seat_id) != (match.id, row.seat_id):
            return [], None
        own = (
            []
            if offer.uid is None
            else [token_for(keyring, Reference("offer", offer.uid), Opened(offer, offer.address))]
        )
        return own, offer.token_hash if offer.uid is None else None
    seat = session.get(Seat, row.seat_id)
    if seat is None:
        return None
    if seat.match_id != match.id:
        return [], None
    if row.kind == "invitation":
        if seat.kept_for is None:
            return None
        own = (
            _numbered(keyring, invitation_of(match, seat), seat.kept_for, seat.invitation_n, also=0)
            if seat.invitation_n
            else []
        )
        return own, None if seat.invitation_n else seat.invitation_hash
    return _of_tenure(session, keyring, match, seat, row.tenure or seat.tenure)


def _of_tenure(
    session: Session, keyring: Keyring, match: Match, seat: Seat, tenure: int
) -> tuple[list[str], str | None] | None:
    """Return what `_addresses` does for a seat in a tenure: the present one, or one that ended
    after the letter was stored.
    """
    player_id, n, earlier = seat.player_id, seat.token_n, seat.earlier_hash
    if tenure != seat.tenure:
        ended = select(FormerTenure).where(
            FormerTenure.seat_id == seat.id, FormerTenure.number == tenure
        )
        former = session.exec(ended).first()
        if former is None:
            return [], None
        player_id, n, earlier = former.player_id, former.token_n, former.earlier_hash
    player = session.get(Player, player_id) if player_id is not None else None
    if (player is None or player.address is None) and earlier is None:
        return None
    return (
        _numbered(keyring, of_seat(match, seat), player.address if player is not None else None, n),
        earlier,
    )


def _numbered(
    keyring: Keyring, wanted: Reference, address: str | None, n: int, *, also: int = RENEWED
) -> list[str]:
    whom = who_is(keyring, address) if address is not None else None
    purpose: Purpose = wanted.purpose
    numbers = range(n, max(-1, n - also - 1), -1)
    return (
        [derive_token(keyring, purpose, row=wanted.row, whom=whom, n=each) for each in numbers]
        if whom is not None
        else []
    )
