"""The bodies of the entries that tell a match's phases: open, close, result, audit and end (SEAL/1,
The match's log).

What only the match's end may open is kept in the phase's row as one of the worker's own records.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.core.jcs import H, format_timestamp
from adjudicator.play.loop import Closed, Given
from adjudicator.seal.commitments import SealedPart, salts_hash
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.log import BEGINNING, draw_nonce, hash_leaves
from adjudicator.service.base.phase_records import ends
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import (
    OPENINGS,
    MatchChains,
    former_chains,
    game_of,
    opens_orders,
)
from adjudicator.service.base.tables import Match, PhaseRow, Seat
from adjudicator.service.log.entries import append_entry, begin_tenure
from adjudicator.service.log.log_tail import newest_entry
from adjudicator.service.log.receipt_chains import hash_receipt, newest_of_phase
from adjudicator.service.log.seats.changes import drop_requests


@dataclass(frozen=True)
class OpenedReceipts:
    """What opens a seat's count of receipts in a close entry: for that seat alone."""

    seat: str
    phase: int
    tenure: int
    count: int  # receipts that were signed in the tenure so far, refused submissions included
    head: str  # hash of the newest of them
    nonce: str


# --- opening a phase


def log_opening(
    session: Session,
    keyring: Keyring,
    match: Match,
    phase: PhaseRow,
    *,
    salts: Sequence[str],
    now: datetime,
) -> None:
    """Log that a phase was opened, with the salts that its chance is bound to; phase 0 also tells
    the settled options and who sits where.

    Nothing in a match without a log.
    """
    if not match.sealing:
        return
    body: dict[str, Any] = {
        **ends(match, phase),
        "time": format_timestamp(phase.opened_at),
        "due": list(phase.due),
        "state": hash_state(keyring, match, phase.number, phase.before) if phase.number else None,
        "key": phase.public_key.hex() if phase.public_key and phase.closed_at is None else None,
        "salts": list(salts),
        "clients": salts_hash(salts),
    }
    if phase.number == 0:
        seats = seats_of(session, match)
        body |= {
            "seats": [seat.name for seat in seats],
            "options": dict(match.options),
            "rules_version": match.rules_version,
        }
        body["tenures"] = [_first_tenure(session, keyring, match, seat) for seat in seats]
    append_entry(session, keyring, match, "open", body, now=now)


def _first_tenure(session: Session, keyring: Keyring, match: Match, seat: Seat) -> dict[str, Any]:
    """Return who has a seat as the match begins; nobody's tenure of a seat that was given up since
    has the number 0.
    """
    if seat.player_id is not None:
        return {
            "seat": seat.name,
            "n": seat.tenure,
            "tenure": begin_tenure(session, keyring, match, seat),
        }
    nonce = draw_nonce(keyring, "tenure", match.uid, 0, seat.name)
    nobody = {"match": match.uid, "seat": seat.name, "n": 0, "who": "", "nonce": nonce}
    return {"seat": seat.name, "n": 0, "tenure": H("tenure", nobody).hex()}


def hash_state(keyring: Keyring, match: Match, number: int, state: object) -> str:
    """Return what an `open` entry says of the stored state that a phase begins with, in hex."""
    nonce = draw_nonce(keyring, "state", match.uid, number)
    return H("state", {"match": match.uid, "phase": number, "state": state, "nonce": nonce}).hex()


def _opened_state(keyring: Keyring, match: Match, number: int, state: object) -> dict[str, Any]:
    return {"state": state, "nonce": draw_nonce(keyring, "state", match.uid, number)}


# --- closing a phase


def log_closing(
    session: Session,
    keyring: Keyring,
    match: Match,
    row: PhaseRow,
    closed: Closed[SealedPart],
    chains: MatchChains,
    *,
    now: datetime,
) -> None:
    """Log the close and the result of a phase whose row is filled in, and keep in the row what only
    the audit opens.
    """
    if not match.sealing:
        return
    seats = seats_of(session, match) if closed.number else []
    opened_as = newest_entry(session, match, "open")
    # a seat that concedes is taken out of the row
    due = opened_as.body["due"] if opened_as is not None else row.due
    leaves = [_leaf(keyring, match, closed, seat.name, due) for seat in seats]
    opened = _count_receipts(session, keyring, match, row, seats)
    body = {
        "phase": closed.number,
        "time": format_timestamp(now),
        "why": closed.why,
        "leaves": leaves,
        "root": hash_leaves(leaves),
        "receipts": [
            {"seat": each.seat, "receipts": _hash_receipts(match, each)} for each in opened
        ],
    }
    append_entry(session, keyring, match, "close", body, now=now)
    game, public = game_of(match), opens_orders(match)
    openings, kept = _share_openings(closed, public=public)
    receipts = [
        {"seat": seat, "orders": given.text}
        for seat, given in closed.given.items()
        if seat not in {each["seat"] for each in openings}
    ]
    state = (
        None
        if closed.number == 0 or game.hides(match.options)
        else _opened_state(keyring, match, closed.number, row.before)
    )
    result = {
        "phase": closed.number,
        "public": chains.chains["public"].element(closed.number).hex(),
        "draws": [
            _plain_draw(value.label, value.value)
            for value in closed.draws
            if value.stream == "public"
        ],
        "openings": openings,
        "orders": receipts if public else [],
        "state": state,
    }
    append_entry(session, keyring, match, "result", result, now=now)
    record = {
        "openings": kept,
        "orders": [] if public else receipts,
        "receipts": [vars(each) for each in opened],
    }
    record["silent"] = [leaf["seat"] for leaf in leaves if leaf["kind"] == "silent"]
    row.kept_openings = keyring.keep(
        json.dumps(record).encode(), purpose=OPENINGS, match=match.uid, phase=closed.number
    )


def _plain_draw(label: str, value: object) -> list[Any]:
    return [label, list(value) if isinstance(value, tuple) else value]


def _leaf(
    keyring: Keyring, match: Match, closed: Closed[SealedPart], seat: str, due: Sequence[str]
) -> dict[str, Any]:
    given = closed.given.get(seat)
    if given is not None and given.part is not None:
        place = given.part.place
        counted = {
            "phase": place.phase,
            "seq": place.seq,
            "part": given.part.part,
            "commitment": given.part.commitment,
        }
        return {"seat": seat, "kind": "sealed", **counted}
    if given is not None and (given.how == "forced" or (closed.why == "forced" and seat in due)):
        return {
            "seat": seat,
            "kind": "forced",
            "orders": given.text if opens_orders(match) else None,
        }
    if seat not in due:
        return {"seat": seat, "kind": "idle"}
    silent = {"match": match.uid, "phase": closed.number, "seat": seat}
    nonce = draw_nonce(keyring, "silent", match.uid, closed.number, seat)
    return {"seat": seat, "kind": "silent", "blinded": H("silent", silent | {"nonce": nonce}).hex()}


def _share_openings(
    closed: Closed[SealedPart], *, public: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the openings of the sealed leaves: those that are public now, and those that wait for
    the audit.

    A part that held an OR waits, as its text would tell the alternatives that were not played.
    """
    now: list[dict[str, Any]] = []
    later: list[dict[str, Any]] = []
    for seat, given in closed.given.items():
        if given.part is not None:
            (now if public and given.part.orders == given.text else later).append(
                _opening(seat, given)
            )
    return now, later


def _opening(seat: str, given: Given[SealedPart]) -> dict[str, Any]:
    assert given.part is not None  # noqa: S101 the caller looked
    part, place = given.part, given.part.place
    return {
        "seat": seat,
        "phase": place.phase,
        "seq": place.seq,
        "part": part.part,
        "orders": part.orders,
        "ready": part.ready,
        "nonce": part.nonce,
    }


def _count_receipts(
    session: Session, keyring: Keyring, match: Match, row: PhaseRow, seats: Sequence[Seat]
) -> list[OpenedReceipts]:
    number = row.number
    with session.no_autoflush:
        newest = newest_of_phase(session, match, row, [(seat.name, seat.tenure) for seat in seats])
    counted = []
    for seat in seats:
        receipt = newest.get((seat.name, seat.tenure))
        count, head = (
            (receipt.number or 0, hash_receipt(receipt, match.uid).hex())
            if receipt
            else (0, BEGINNING)
        )
        nonce = draw_nonce(keyring, "receipts", match.uid, number, seat.name)
        counted.append(OpenedReceipts(seat.name, number, seat.tenure, count, head, nonce))
    return counted


def _hash_receipts(match: Match, opened: OpenedReceipts) -> str:
    return H("receipts", {"match": match.uid, **vars(opened)}).hex()


def read_kept(keyring: Keyring, match: Match, row: PhaseRow) -> dict[str, Any]:
    """Return what a closed phase keeps: the openings and orders that wait for the audit, and each
    seat's count of receipts.

    Raises crypto.CannotOpen where the record was altered.
    """
    if row.kept_openings is None:
        return {"openings": [], "orders": [], "receipts": [], "silent": []}
    kept: dict[str, Any] = json.loads(
        keyring.recall(row.kept_openings, purpose=OPENINGS, match=match.uid, phase=row.number)
    )
    return kept


def opened_receipts(
    keyring: Keyring, match: Match, rows: Sequence[PhaseRow]
) -> list[dict[str, Any]]:
    """Return what opens each seat's count of receipts in the close entries of these phases; each
    for its own tenure alone.
    """
    return [each for row in rows for each in read_kept(keyring, match, row)["receipts"]]


# --- the end


def log_end(
    session: Session, keyring: Keyring, match: Match, result: Mapping[str, Any], *, now: datetime
) -> None:
    """Log everything that was kept closed, and the result; nothing follows, and no seat changes
    hands any more.
    """
    if not match.sealing:
        return
    hides = game_of(match).hides(match.options)
    audit: dict[str, Any] = {
        "openings": [],
        "orders": [],
        "silent": [],
        "states": [],
        "chains": match.opened_chains,
    }
    former = [dict(each.opened) for each in former_chains(match) if each.opened is not None]
    audit |= {"former_chains": former} if former else {}
    phases = session.exec(
        select(PhaseRow).where(PhaseRow.match_id == match.id).order_by(col(PhaseRow.number))
    ).all()
    for row in phases:
        if row.number and (hides or row.closed_at is None):
            audit["states"].append(
                {"phase": row.number, **_opened_state(keyring, match, row.number, row.before)}
            )
        if row.closed_at is None:
            continue
        kept = read_kept(keyring, match, row)
        audit["openings"] += kept["openings"]
        audit["orders"] += [{"phase": row.number, **each} for each in kept["orders"]]
        for seat in kept["silent"]:
            nonce = draw_nonce(keyring, "silent", match.uid, row.number, seat)
            audit["silent"].append({"phase": row.number, "seat": seat, "nonce": nonce})
    append_entry(session, keyring, match, "audit", audit, now=now)
    stopped = (
        {"after": match.stopped_after, "why": match.stopped_why} if match.stopped_why else None
    )
    append_entry(
        session,
        keyring,
        match,
        "end",
        {"time": format_timestamp(now), "result": dict(result), "stopped": stopped},
        now=now,
    )
    drop_requests(session, match)  # of substitutes who were asked and did not answer
