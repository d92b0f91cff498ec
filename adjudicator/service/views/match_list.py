"""Matches as lines of a list: what everybody may see of them, and what the viewer owes. One
statement reads many matches.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import or_
from sqlmodel import Session, col, func, select

from adjudicator.core.game import Seat
from adjudicator.service.base import list_rows
from adjudicator.service.base.due.phase_clock import is_ready
from adjudicator.service.base.list_rows import OpenPhase
from adjudicator.service.base.names import SOMEBODY, name_at
from adjudicator.service.base.progress import Progress, describe_progress
from adjudicator.service.base.rows import by_uid, dues_of, is_inside
from adjudicator.service.base.state import about_of, hides_players
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player, QueueEntry
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.matches.preferences import unsettled
from adjudicator.service.matches.terms import reading
from adjudicator.service.matches.timetables import rhythm_of
from adjudicator.service.people import reliability
from adjudicator.service.people.reliability import asked_of_players
from adjudicator.service.views.finding import match_queries

MOST_FREE, MOST_LOOKING, MOST_RECENT = 6, 10, 6  # matches in lists of the home page
MOST_TABLES = 200  # of one game among which a table is looked for


@dataclass(frozen=True)
class SeatFace:
    """A seat as everybody sees it."""

    name: str
    player: str  # "" while it is free
    house: bool
    yours: bool
    kept_for: str  # the invited address: for the master only, "" for everybody else
    kept: bool
    hidden: bool = False  # its player's name is shown only after the match has ended
    looks: bool = False  # whether it looks for a new player, in a running match
    # last part of the address of its player's page, "" where none is shown, and always in a private
    # match
    profile: str = ""
    plays: str = ""  # before the start: the reliability of its player, "plays 97 % of phases"
    former: bool = False  # whether its player was erased, so that `player` is nobody's name


@dataclass(frozen=True)
class Card:
    """A match in a list."""

    uid: str
    name: str
    game: str
    game_key: str
    status: str
    phase: str
    deadline: datetime | None
    owed: bool  # whether the viewer owes orders and has handed in none
    ready: bool  # whether the phase no longer waits for the viewer's seat
    seats: tuple[SeatFace, ...]
    free: int  # seats the viewer could take
    every_seconds: int
    options: Mapping[str, Any]
    # how long phases last: "2 days for each phase, 24 hours for retreats and builds"
    rhythm: str = ""
    # whether seats are assigned at the start only; until then they are numbers
    unsettled: bool = False
    paused: bool = False  # whether the clock is stopped: orders may be handed in, no phase closes
    overtime_until: datetime | None = None  # while the open phase is in overtime
    with_people: bool = True  # whether somebody with a confirmed address plays
    progress: Progress | None = None  # that of the open phase, where the match shows any
    asks: str = ""  # what it asks of those who take an open seat, "" for nothing
    waited_for: bool = False  # whether the viewer has sealed orders and does not count as ready
    at_table: bool = False  # whether it is a match of a tournament

    @property
    def never_began(self) -> str:
        """Why an expired match never began, as `rows.why_expired` says it."""
        return (
            "Its round was paired again, so it never began."
            if self.at_table
            else "It was not full in time, so it never began."
        )


def match_cards(session: Session, player_id: int, *, now: datetime | None = None) -> list[Card]:
    """Return the matches that a player sits in, has lent a seat of, waits for a seat of, or runs.

    Sort keys: orders owed, not ended, with people, deadline.

    Here as below, progress is left out where the time is not given.
    """
    own = select(SeatRow.match_id).where(SeatRow.player_id == player_id)
    # an index has these
    lent = select(SeatRow.match_id).where(
        SeatRow.owner_id == player_id, col(SeatRow.returns_at).is_not(None)
    )
    waits = select(QueueEntry.match_id).where(QueueEntry.player_id == player_id)
    mine = or_(
        col(Match.id).in_(own),
        col(Match.id).in_(lent),
        col(Match.id).in_(waits),
        col(Match.master_id) == player_id,
    )
    found = session.exec(select(Match).where(mine))
    return sorted(cards_of(session, found, player_id, now=now), key=_urgency)


def _urgency(each: Card) -> tuple[bool, bool, bool, float, str]:
    deadline = each.deadline.timestamp() if each.deadline else float("inf")
    return (
        not each.owed,
        each.status in ("ended", "expired"),
        not each.with_people,
        deadline,
        each.uid,
    )


def tables_to_join(
    session: Session, player_id: int, game: str, terms: Mapping[str, Any]
) -> list[Card]:
    """Return the matches of a game that have these terms and a free seat for a player, the oldest
    first; one whose status is making has to be prepared.
    """
    found = session.exec(match_queries.tables_to_join(session, player_id, game, MOST_TABLES))
    fitting = [match for match in found if reading.has_terms(match, terms)]
    return cards_of(session, fitting, player_id)


def looking_matches(session: Session, player_id: int | None) -> list[Card]:
    """Return running matches with a seat that looks for a new player, the longest waiting first;
    none where the viewer plays.
    """
    found = session.exec(match_queries.looking_matches(player_id, MOST_LOOKING))
    return cards_of(session, found, player_id)


@dataclass(frozen=True)
class Listed:
    """The first part of a long list, and the length of the whole list."""

    cards: tuple[Card, ...]
    in_all: int


def all_matches(
    session: Session, *, status: str | None = None, game: str | None = None, most: int = 500
) -> Listed:
    """Return the matches for the host, of one status or game if given: the newest first, those of
    guests alone last.
    """
    kind = [
        column == value
        for column, value in ((Match.status, status), (Match.game, game))
        if value is not None
    ]
    wanted = (
        select(Match)
        .where(*kind)
        .order_by(col(Match.with_people).desc(), col(Match.id).desc())
        .limit(most)
    )
    in_all = session.exec(select(func.count()).select_from(Match).where(*kind)).one()
    return Listed(tuple(cards_of(session, session.exec(wanted), None)), in_all)


def match_card(
    session: Session, match: Match, player_id: int | None, *, now: datetime | None = None
) -> Card:
    """Return one match as a line of a list."""
    return cards_of(session, [match], player_id, now=now)[0]


# --- many at once


def cards_of(
    session: Session,
    matches: Iterable[Match],
    player_id: int | None,
    *,
    now: datetime | None = None,
) -> list[Card]:
    """Return matches as lines of a list, in the same order, as one viewer sees them (None: an
    observer).
    """
    found = list(matches)
    seats = list_rows.seats_of(session, found)
    phases = list_rows.open_phases(session, found, seats, player_id, now)
    cards = [
        _card(match, seats.get(match.id, []), phases.get(match.id), player_id, now)
        for match in found
    ]
    return _with_reliability(session, found, seats, cards)


def _with_reliability(
    session: Session, matches: Sequence[Match], rows: list_rows.Seats, cards: list[Card]
) -> list[Card]:
    """Add how reliable the players of matches are that have not begun; never where players are
    hidden.
    """
    asking = {match.id for match in matches if match.status == "open" and not hides_players(match)}
    people = {
        player.id
        for each in asking
        for _, player in rows.get(each, ())
        if player is not None and not player.house
    }
    known = reliability.of_players(session, people) if people else {}
    added = []
    for match, card in zip(matches, cards, strict=True):
        found = [
            known.get(player.id or 0) if player and match.id in asking else None
            for _, player in rows.get(match.id, ())
        ]
        seats = tuple(
            replace(face, plays=str(own)) if own else face
            for face, own in zip(card.seats, found, strict=True)
        )
        added.append(replace(card, seats=seats))
    return added


def _card(
    match: Match,
    rows: Sequence[tuple[SeatRow, Player | None]],
    phase: OpenPhase | None,
    player_id: int | None,
    now: datetime | None,
) -> Card:
    seats = _faces(match, rows, player_id)
    dues, own = phase.dues if phase else (), next((seat.name for seat in seats if seat.yours), None)
    due = next((each for each in dues if each.seat == own), None)
    ready = due is not None and is_ready(match.ready_rule, due)
    silent = due is not None and (
        due.handed_in_at is None or (phase is not None and phase.inherited)
    )
    free = (
        sum(1 for seat in seats if not seat.player and not seat.kept)
        if match.open_seats and match.status == "open"
        else 0
    )
    about = about_of(match)
    return Card(
        match.uid,
        match.name,
        about.title,
        match.game,
        match.status,
        phase.name if phase else "",
        phase.deadline if phase else None,
        silent and not ready,
        ready,
        tuple(seats),
        free,
        match.every_seconds,
        match.options,
        rhythm_of(match),
        unsettled(match),
        match.paused_at is not None,
        phase.overtime_until if phase else None,
        match.with_people,
        describe_progress(match, dues, own, now) if now is not None else None,
        asked_of_players(match),
        due is not None and not silent and not ready,
        match.table_id is not None,
    )


def _faces(
    match: Match, rows: Sequence[tuple[SeatRow, Player | None]], player_id: int | None
) -> list[SeatFace]:
    hidden = hides_players(match)
    sees_kept = player_id == match.master_id and not hidden
    inside = is_inside(match, [seat for seat, _ in rows], player_id)
    faces = [
        _face(seat, player, viewer=player_id, hidden=hidden, sees_kept=sees_kept, inside=inside)
        for seat, player in rows
    ]
    return [replace(face, profile="") for face in faces] if match.private or hidden else faces


def _face(
    seat: SeatRow,
    player: Player | None,
    *,
    viewer: int | None,
    hidden: bool,
    sees_kept: bool,
    inside: bool,
) -> SeatFace:
    looks = seat.open_since is not None
    if player is None:
        kept_for = (seat.kept_for or "") if sees_kept and not seat.kept_secretly else ""
        return SeatFace(
            seat.name,
            seat.named or "",
            False,
            False,
            kept_for,
            seat.kept_for is not None,
            looks=looks,
        )
    if hidden and player.id != viewer:
        return SeatFace(seat.name, SOMEBODY, False, False, "", False, hidden=True, looks=looks)
    name = name_at(player, seat.name, inside=inside)
    former = player.erased_at is not None
    return SeatFace(
        seat.name,
        name,
        player.house,
        player.id == viewer,
        "",
        False,
        looks=looks,
        profile=player.profile or "",
        former=former,
    )


def due_of(session: Session, phase: PhaseRow | None, seat: Seat | None) -> Due | None:
    """Return the row of what a seat owes in a phase, None if it owes nothing."""
    if phase is None or seat is None:
        return None
    return next((due for due in dues_of(session, phase) if due.seat == seat), None)


def named(session: Session, uid: str) -> str:
    """Return the title of the match with this uid; raises NotFound."""
    return by_uid(session, uid).name
