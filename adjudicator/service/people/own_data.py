"""What the service keeps about one player, as plain values for a file of that player's own.

Left out are secrets (tokens, hashes, keys), what is sealed, and what others wrote to the player
alone, which is theirs as well.
"""

import json
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from sqlmodel import Session, col, or_, select

from adjudicator.platform.words import MASTER
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.tables import (
    Absence,
    AbsenceUse,
    Attendance,
    FormerTenure,
    Letter,
    MasterNote,
    Match,
    Mute,
    Offer,
    Player,
    PlayerRating,
    PressNote,
    PressRead,
    PushBrowser,
    QueueEntry,
    RatedPlace,
    Receipt,
    Salt,
    Seat,
    SignedIn,
    Standby,
    TournamentDirector,
    TournamentEntry,
    TournamentNote,
    Vote,
)

# columns by table that the file shows; the others are secret, sealed, or numbers of rows
SHOWN: dict[Any, tuple[str, ...]] = {
    Player: (
        "name",
        "name_hidden",
        "profile",
        "address",
        "zone",
        "letters",
        "reminders",
        "receipts",
        "master",
        "made_at",
        "bounced_at",
        "bounce",
    ),
    SignedIn: ("made_at", "until"),
    Absence: ("first", "last", "made_at"),
    AbsenceUse: ("match_id", "phase_number", "year", "days"),
    Attendance: ("match_id", "phase_number", "seat", "played", "at"),
    FormerTenure: ("match_id", "seat", "since", "until", "why"),
    Letter: ("kind", "match_id", "seat", "address", "state", "made_at", "sent_at"),
    MasterNote: ("match_id", "at", "what"),
    Mute: ("match_id", "seat"),
    PlayerRating: ("game", "mu", "sigma", "matches", "points"),
    PressRead: ("match_id", "thread", "until"),
    PushBrowser: ("made_at", "failures"),
    QueueEntry: ("match_id", "at"),
    RatedPlace: ("match_id", "game", "seat", "place", "ended_at"),
    Salt: ("match_id", "at"),
    Standby: ("match_id", "game", "made_at"),
    TournamentDirector: ("tournament_id",),
    TournamentEntry: ("tournament_id", "number", "entered_at", "left_at", "wishes", "granted"),
    TournamentNote: ("tournament_id", "at", "what"),
    Vote: ("proposal_id", "seat", "yes", "at"),
}
_SEAT = ("match_id", "name", "taken_at", "wishes", "misses", "returns_at")
_PRESS = ("match_id", "phase_number", "at", "seat", "readers", "text")
_RECEIPT = (
    "match_id",
    "phase_number",
    "seat",
    "seq",
    "channel",
    "at",
    "disposition",
    "commitments",
)
_OFFER = ("match_id", "address", "returns_at", "made_at", "answered_at")
_MATCH = ("uid", "name", "game", "status", "made_at", "started_at", "ended_at", "result")


def own_data(session: Session, player_id: int) -> dict[str, Any]:
    """Return what is kept about a player, each kind of row under its name; raises NotFound where
    there is no such player.

    Matches are told by the last part of their address. Press and receipts are those of the player's
    own time in a seat; of press to a match as its master, all of the matches that the player runs.
    """
    player = session.get(Player, player_id)
    if player is None:
        raise NotFound("There is no such player.")
    rows = {
        table.__name__.lower(): _rows(session, table, names, player_id)
        for table, names in SHOWN.items()
        if table is not Player
    }
    spans = seat_spans(session, player_id)
    seats = (
        select(Seat)
        .where(or_(col(Seat.player_id) == player_id, col(Seat.owner_id) == player_id))
        .order_by(col(Seat.id))
    )
    runs = session.exec(
        select(Match).where(Match.master_id == player_id).order_by(col(Match.id))
    ).all()
    as_master: list[Span] = [(match.id, MASTER, None, None) for match in runs]
    query = select(Offer).where(Offer.asker_id == player_id).order_by(col(Offer.id))
    return {
        "account": _plain(session, player, SHOWN[Player]),
        "seats": [_plain(session, row, _SEAT) for row in session.exec(seats)],
        "matches_run": [_plain(session, row, _MATCH) for row in runs],
        "press_written": _within(session, PressNote, _PRESS, [*spans, *as_master]),
        "offers_asked": [_plain(session, row, _OFFER) for row in session.exec(query)],
        "receipts": _within(session, Receipt, _RECEIPT, spans),
        **rows,
    }


def own_file(session: Session, player_id: int) -> str:
    """Return `own_data` as the text of a file."""
    return json.dumps(own_data(session, player_id), ensure_ascii=False, indent=1) + "\n"


def _rows(
    session: Session, table: Any, names: tuple[str, ...], player_id: int
) -> list[dict[str, Any]]:
    found = session.exec(select(table).where(table.player_id == player_id))
    return [_plain(session, row, names) for row in found]


Span = tuple[int, str, datetime | None, datetime | None]  # match, seat, since, until


def seat_spans(session: Session, player_id: int) -> list[Span]:
    """Return when the player had which seat; None is no limit."""
    sits = [
        (row.match_id, row.name, row.taken_at, None)
        for row in session.exec(select(Seat).where(Seat.player_id == player_id))
    ]
    former = session.exec(select(FormerTenure).where(FormerTenure.player_id == player_id))
    return [*sits, *((row.match_id, row.seat, row.since, row.until) for row in former)]


def _within(
    session: Session, table: Any, names: tuple[str, ...], spans: Iterable[Span]
) -> list[dict[str, Any]]:
    entries = []
    for match, seat, since, until in spans:
        rows = session.exec(
            select(table).where(table.match_id == match, table.seat == seat).order_by(table.id)
        )
        entries += [
            _plain(session, row, names)
            for row in rows
            if (since is None or row.at >= since) and (until is None or row.at < until)
        ]
    return entries


def _plain(session: Session, row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return columns of a row as values of JSON; a match is told by its address."""
    values = {
        name.removesuffix("_id"): (
            _uid(session, row.match_id) if name == "match_id" else getattr(row, name)
        )
        for name in names
    }
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in values.items()
    }


def _uid(session: Session, match_id: int | None) -> str | None:
    match = session.get(Match, match_id) if match_id is not None else None
    return match.uid if match else None
