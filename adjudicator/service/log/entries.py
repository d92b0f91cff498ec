"""Appending to a match's log. Every function but the reading ones needs a match that the caller has
locked.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.core.jcs import H, format_timestamp
from adjudicator.platform import entropy
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.log import EntryType, SignedEntry, is_own
from adjudicator.seal.requests import Tenure, tenure_proof
from adjudicator.service.base.tables import FormerTenure, LogEntry, Match, Seat
from adjudicator.service.log.key_changes import add_entry, follow_key, keyring_in_force
from adjudicator.service.log.log_tail import head_entry
from adjudicator.service.requests.identities import find_who

SEALED = 1  # Match.sealing of a match with a log


def append_entry(
    session: Session,
    keyring: Keyring,
    match: Match,
    kind: EntryType,
    body: Mapping[str, Any],
    *,
    now: datetime,
) -> None:
    """Sign an entry and add it to the log, after a change of the key that is due.

    The head is compared and set by the match's version, which the caller's lock raised.
    """
    add_entry(session, follow_key(session, keyring, match, now=now), match, kind, body, now=now)


def list_entries(session: Session, match: Match) -> list[SignedEntry]:
    """Return the whole log of a match, in order."""
    rows = session.exec(
        select(LogEntry).where(LogEntry.match_id == match.id).order_by(col(LogEntry.index))
    )
    return [signed(row) for row in rows]


def signed(row: LogEntry) -> SignedEntry:
    """Return a stored entry."""
    return SignedEntry(row.index, row.prev, row.type, row.body, row.hash, row.sig)


def is_own_entry(keyring: Keyring, match: Match, row: LogEntry) -> bool:
    """Whether a stored entry is signed by a key that was ever in force in the match's log."""
    return is_own(signed(row), keyring_in_force(keyring, match))


def hashes_of_salts(session: Session, match: Match) -> dict[int, str]:
    """Return the hash that the chance of each phase is bound to, by the phase's number; phases
    without salts are left out.
    """
    opened = (
        select(LogEntry.body)
        .where(LogEntry.match_id == match.id, LogEntry.type == "open")
        .order_by(col(LogEntry.index))
    )
    return {body["phase"]: body["clients"] for body in session.exec(opened) if body["clients"]}


def time_of_next(session: Session, match: Match, now: datetime) -> datetime:
    """Return the time of an entry that is added `now`: never before the newest one, as the
    database's clock may have been set back.
    """
    newest = head_entry(session, match)
    return now if newest is None else max(now, newest.at)


# --- founding


def found_log(session: Session, keyring: Keyring, match: Match, *, now: datetime) -> None:
    """Begin the log of a match whose chance was just fixed."""
    match.sealing = SEALED
    body = {
        "match": match.uid,
        "game": match.game,
        "rules_version": match.rules_version,
        "options": dict(match.options),
        "anchors": match.anchors,
        "time": format_timestamp(now),
    }
    append_entry(session, keyring, match, "genesis", body, now=now)


# --- tenures


def logged_tenures(session: Session, match: Match) -> dict[str, int]:
    """Return the number of the newest tenure of each seat that the log of a match tells; 0 where
    nobody had it.
    """
    query = select(LogEntry).where(
        LogEntry.match_id == match.id, col(LogEntry.type).in_(("open", "tenure"))
    )
    newest: dict[str, int] = {}
    for row in session.exec(query.order_by(col(LogEntry.index))):
        for each in [row.body] if row.type == "tenure" else row.body.get("tenures", ()):
            newest[each["seat"]] = max(each["n"], newest.get(each["seat"], 0))
    return newest


def log_tenure(
    session: Session,
    keyring: Keyring,
    match: Match,
    seat: str,
    number: int,
    hashed: str,
    *,
    now: datetime,
) -> None:
    """Log that a tenure began, by its hash in hex."""
    body = {"seat": seat, "n": number, "tenure": hashed, "time": format_timestamp(now)}
    append_entry(session, keyring, match, "tenure", body, now=now)


def begin_tenure(session: Session, keyring: Keyring, match: Match, seat: Seat) -> str:
    """Draw the nonce of a seat's present tenure and vouch for who has it; returns the tenure's hash
    for the log, in hex.
    """
    seat.tenure_nonce, seat.tenure_who = (
        entropy.token_hex(32),
        find_who(session, keyring, seat.player_id),
    )
    seat.tenure_proof = tenure_proof(keyring, tenure_of(match, seat), seat.tenure_who)
    return H("tenure", opened_tenure(session, keyring, match, seat)).hex()


def vouch_for_former(session: Session, keyring: Keyring, match: Match, former: FormerTenure) -> str:
    """Vouch for who had a tenure that ended before the log told of it; returns its hash for the
    log, whose nonce nobody keeps.
    """
    who = find_who(session, keyring, former.player_id)
    former.tenure_proof = tenure_proof(keyring, former_tenure(match, former), who)
    opened = {
        "match": match.uid,
        "seat": former.seat,
        "n": former.number,
        "who": who,
        "nonce": entropy.token_hex(32),
    }
    return H("tenure", opened).hex()


def tenure_of(match: Match, seat: Seat) -> Tenure:
    """Return a seat's present tenure, as its proof covers it."""
    return Tenure(
        match.uid,
        seat.name,
        seat.tenure,
        format_timestamp(seat.taken_at) if seat.taken_at is not None else None,
    )


def former_tenure(match: Match, row: FormerTenure) -> Tenure:
    """Return a tenure that has ended, as its proof covers it."""
    return Tenure(
        match.uid,
        row.seat,
        row.number,
        format_timestamp(row.since) if row.since is not None else None,
    )


def opened_tenure(session: Session, keyring: Keyring, match: Match, seat: Seat) -> dict[str, Any]:
    """Return what the hash of a seat's tenure covers; only its player is told."""
    who = seat.tenure_who or find_who(session, keyring, seat.player_id)
    return {
        "match": match.uid,
        "seat": seat.name,
        "n": seat.tenure,
        "who": who,
        "nonce": seat.tenure_nonce,
    }
