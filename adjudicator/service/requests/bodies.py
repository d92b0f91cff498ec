"""What the signatures of stored acts, votes, changes of seats and appointments cover (SEAL/1,
Requests).
"""

import unicodedata
from typing import Any, Literal

from adjudicator.core.jcs import H, format_timestamp
from adjudicator.seal.requests import SignedRequest
from adjudicator.service.base.tables import MasterNote, Proposal, Salt, SeatRequest, Vote

SeatChange = Literal[
    "leave",  # a player resigns a seat for good
    "replace",  # a master takes it from its player
    "take",  # somebody takes an open seat
    "ask",  # a player asks somebody to be the substitute
    "substitute",  # and that person accepts
    "return",  # the seat goes back to the player who lent it
    "keep",  # that player is erased, and the substitute keeps it
]


def act_request(uid: str, note: MasterNote) -> SignedRequest:
    """Return the request of a note; `seq` is the number of entries that the log had, so that no act
    is told twice.
    """
    body: dict[str, Any] = {
        "by": note.actor,
        "what": unicodedata.normalize("NFC", note.what),
        "time": format_timestamp(note.at),
        "clock": note.clock,
        "decides": list(note.decides or ()),
    }
    return SignedRequest("act", uid, note.phase_number or 0, "", note.log_size or 0, body)


def vote_request(uid: str, proposal: Proposal, vote: Vote) -> SignedRequest:
    """Return the request of a vote, which says what is voted on."""
    target = format_timestamp(proposal.target) if proposal.target is not None else None
    body = {
        "proposal": proposal.kind,
        "target": target,
        "since": format_timestamp(proposal.at),
        "yes": vote.yes,
        "tenure": vote.tenure,
        "time": format_timestamp(vote.at),
    }
    return SignedRequest("vote", uid, proposal.phase_number, vote.seat, 0, body)


def salt_request(uid: str, row: Salt, text: str, nonce: str) -> SignedRequest:
    """Return the request of a salt for one phase; the hash covers a nonce, so that nobody can guess
    at the text.
    """
    body = {
        "salt": H("salt", {"text": text, "nonce": nonce}).hex(),
        "tenure": row.tenure,
        "time": format_timestamp(row.at),
    }
    return SignedRequest("salt", uid, row.phase_number or 0, row.seat, 0, body)


def seat_request(uid: str, row: SeatRequest, address: str | None = None) -> SignedRequest:
    """Return the request of a change of a seat; `address` is that of its offer, which the worker's
    own word names by `whom` instead.
    """
    body: dict[str, Any] = {
        "what": row.what,
        "time": format_timestamp(row.at),
        "until": format_timestamp(row.until) if row.until is not None else None,
        "offer": row.offer,
        "address": address if row.whom is None else None,
        "who": row.who,
        "whom": row.whom,
    }
    return SignedRequest("seat", uid, 0, row.seat, row.tenure, body)


def appointment(who: str) -> SignedRequest:
    """Return what the worker vouches for once the host said it: that somebody runs every match."""
    return SignedRequest("appoint", "", 0, "", 0, {"who": who})
