"""Matches as lines of a list: what everybody may see of them, and what the viewer owes. One statement reads many matches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import union_all
from sqlmodel import Session, col, func, select

from adjudicator.core.game import Seat
from adjudicator.service.base.rows import by_uid, is_ready
from adjudicator.service.base.state import game_of, hides_players
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player, Receipt
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.matches.preferences import unsettled
from adjudicator.service.matches.timetables import rhythm_of

SOMEBODY = "a player"  # of an anonymous match
LOOKED_AT = 50  # newest matches of each kind among which `pictured` chooses
LATELY = 12  # closed phases; `pictured` wants orders of a person in one of the last so many
NAMED_AT_ONCE = 1000  # matches in one statement


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
    rhythm: str = ""  # how long phases last: "2 days for each phase, 24 hours for retreats and builds"
    unsettled: bool = False  # whether seats are assigned at the start only; until then they are numbers
    paused: bool = False  # whether the clock is stopped: orders may be handed in, no phase closes
    with_people: bool = True  # whether somebody with a confirmed address plays


def match_cards(session: Session, player_id: int) -> list[Card]:
    """Return the matches a player sits in or runs; sort keys: orders owed, not ended, with people, deadline."""
    own = select(SeatRow.match_id).where(SeatRow.player_id == player_id)
    found = session.exec(select(Match).where((col(Match.id).in_(own)) | (col(Match.master_id) == player_id)))
    return sorted(_cards(session, found, player_id), key=_urgency)


def _urgency(each: Card) -> tuple[bool, bool, bool, float, str]:
    deadline = each.deadline.timestamp() if each.deadline else float("inf")
    return not each.owed, each.status == "ended", not each.with_people, deadline, each.uid


def open_matches(session: Session, player_id: int | None, *, most: int = 20) -> list[Card]:
    """Return open matches with a free seat for this viewer, the oldest first; those of guests alone come last."""
    at_table = select(SeatRow.id).where(SeatRow.match_id == Match.id)
    free = at_table.where(col(SeatRow.player_id).is_(None), col(SeatRow.kept_for).is_(None))
    waiting = select(Match).where(Match.status == "open", col(Match.open_seats).is_(True), free.exists())
    if player_id is not None:
        waiting = waiting.where(~at_table.where(SeatRow.player_id == player_id).exists())
    return _cards(session, session.exec(waiting.order_by(col(Match.with_people).desc(), col(Match.id)).limit(most)), player_id)


def recent_matches(session: Session, *, most: int = 6) -> list[Card]:
    """Return running matches, then ended ones, the newest first; those of guests alone come last."""
    kinds = [_newest(status, with_people, most) for with_people in (True, False) for status in ("running", "ended")]
    found = union_all(*kinds).subquery()
    order = col(Match.with_people).desc(), col(Match.status).desc(), col(Match.id).desc()
    return _cards(session, session.exec(select(Match).join(found, found.c.id == col(Match.id)).order_by(*order).limit(most)), None)


def _newest(status: str, with_people: bool, most: int) -> Any:
    """Return the query for the ids of the newest matches of a kind; an index serves it."""
    kind = select(Match.id).where(Match.status == status, col(Match.with_people).is_(with_people))
    return select(kind.order_by(col(Match.id).desc()).limit(most).subquery())


def pictured(session: Session) -> str | None:
    """Return the public name of the match whose picture a visitor sees, None if no match qualifies.

    1. The newest running match with people, else the newest ended one with people, else the newest ended one of guests.
    2. Phase 1 is closed, and nobody stopped the match before its rules ended it.
    3. A person handed in orders within the last LATELY closed phases. The open phase does not count: the picture must not
       reveal that somebody has handed in orders for it (G4).
    """
    kinds = (_newest("running", True, LOOKED_AT), _newest("ended", True, LOOKED_AT), _newest("ended", False, LOOKED_AT))
    found = union_all(*kinds).subquery()
    last = select(func.max(PhaseRow.number)).where(PhaseRow.match_id == Match.id, col(PhaseRow.closed_at).is_not(None)).scalar_subquery()
    lately = col(Receipt.phase_number).between(last - LATELY + 1, last)
    acted = select(Receipt.id).where(Receipt.match_id == Match.id, lately, Receipt.channel != "house")
    begun = select(PhaseRow.id).where(PhaseRow.match_id == Match.id, PhaseRow.number == 1, col(PhaseRow.closed_at).is_not(None))
    wanted = select(Match.uid).join(found, found.c.id == col(Match.id))
    wanted = wanted.where(col(Match.stopped_why).is_(None), acted.exists(), begun.exists())
    return session.exec(wanted.order_by(col(Match.status).desc(), col(Match.with_people).desc(), col(Match.id).desc())).first()


@dataclass(frozen=True)
class Listed:
    """The first part of a long list, and the length of the whole list."""

    cards: tuple[Card, ...]
    in_all: int


def all_matches(session: Session, *, status: str | None = None, game: str | None = None, most: int = 500) -> Listed:
    """Return the matches for the host, of one status or game if given: the newest first, those of guests alone last."""
    kind = [column == value for column, value in ((Match.status, status), (Match.game, game)) if value is not None]
    wanted = select(Match).where(*kind).order_by(col(Match.with_people).desc(), col(Match.id).desc()).limit(most)
    in_all = session.exec(select(func.count()).select_from(Match).where(*kind)).one()
    return Listed(tuple(_cards(session, session.exec(wanted), None)), in_all)


def match_card(session: Session, match: Match, player_id: int | None) -> Card:
    """Return one match as a line of a list."""
    return _cards(session, [match], player_id)[0]


# --- many at once


@dataclass(frozen=True)
class _Open:
    """What a line shows of an open phase."""

    name: str
    deadline: datetime | None
    due: Due | None  # what the viewer's own seat owes in it


def _cards(session: Session, matches: Iterable[Match], player_id: int | None) -> list[Card]:
    found = list(matches)
    seats, phases = _seats_of(session, found), _open_phases(session, found, player_id)
    return [_card(match, seats.get(match.id, []), phases.get(match.id), player_id) for match in found]


def _seats_of(session: Session, matches: Sequence[Match]) -> dict[int | None, list[tuple[SeatRow, Player | None]]]:
    """Return the seats of matches with their players, in seat order, by match id."""
    sitting = select(SeatRow, Player).join(Player, onclause=col(SeatRow.player_id) == col(Player.id), isouter=True)
    by_match: dict[int | None, list[tuple[SeatRow, Player | None]]] = {}
    for some in _parts(matches):
        for seat, player in session.exec(sitting.where(col(SeatRow.match_id).in_(some)).order_by(col(SeatRow.position))):
            by_match.setdefault(seat.match_id, []).append((seat, player))
    return by_match


def _open_phases(session: Session, matches: Sequence[Match], player_id: int | None) -> dict[int | None, _Open]:
    """Return the open phases of the running ones of these matches, by match id."""
    columns = select(PhaseRow.match_id, PhaseRow.id, PhaseRow.name, PhaseRow.deadline).where(col(PhaseRow.closed_at).is_(None))
    found: dict[int | None, _Open] = {}
    for some in _parts([match for match in matches if match.status == "running"]):
        dues = _dues(session, some, player_id) if player_id is not None else {}
        for match_id, phase_id, name, deadline in session.exec(columns.where(col(PhaseRow.match_id).in_(some))):
            found[match_id] = _Open(name, deadline, dues.get(phase_id))
    return found


def _dues(session: Session, some: Sequence[int | None], player_id: int) -> dict[int | None, Due]:
    """Return what a player's seats owe in the open phases of some matches, by phase id."""
    own = select(Due).join(PhaseRow, onclause=col(Due.phase_id) == col(PhaseRow.id)).where(col(PhaseRow.closed_at).is_(None))
    own = own.join(SeatRow, onclause=(col(SeatRow.match_id) == col(PhaseRow.match_id)) & (col(SeatRow.name) == col(Due.seat)))
    return {due.phase_id: due for due in session.exec(own.where(SeatRow.player_id == player_id, col(PhaseRow.match_id).in_(some)))}


def _parts(matches: Sequence[Match]) -> list[list[int | None]]:
    """Return the ids of matches in batches of NAMED_AT_ONCE."""
    ids = [match.id for match in matches]
    return [ids[at : at + NAMED_AT_ONCE] for at in range(0, len(ids), NAMED_AT_ONCE)]


def _card(match: Match, rows: Sequence[tuple[SeatRow, Player | None]], phase: _Open | None, player_id: int | None) -> Card:
    seats = _faces(match, rows, player_id)
    due = phase.due if phase else None
    ready = due is not None and is_ready(match.ready_rule, due)
    free = sum(1 for seat in seats if not seat.player and not seat.kept) if match.open_seats and match.status == "open" else 0
    about = game_of(match).about
    return Card(
        match.uid, match.name, about.title, match.game, match.status, phase.name if phase else "",
        phase.deadline if phase else None, due is not None and due.handed_in_at is None and not ready, ready, tuple(seats), free,
        match.every_seconds, match.options, rhythm_of(match), unsettled(match),
        match.paused_at is not None, match.with_people,
    )  # fmt: skip


def _faces(match: Match, rows: Sequence[tuple[SeatRow, Player | None]], player_id: int | None) -> list[SeatFace]:
    hidden = hides_players(match)
    sees_kept = player_id == match.master_id and not hidden
    return [_face(seat, player, viewer=player_id, hidden=hidden, sees_kept=sees_kept) for seat, player in rows]


def _face(seat: SeatRow, player: Player | None, *, viewer: int | None, hidden: bool, sees_kept: bool) -> SeatFace:
    if player is None:
        return SeatFace(seat.name, "", False, False, (seat.kept_for or "") if sees_kept else "", seat.kept_for is not None)
    if hidden and player.id != viewer:
        return SeatFace(seat.name, SOMEBODY, False, False, "", False, hidden=True)
    return SeatFace(seat.name, player.name, player.house, player.id == viewer, "", False)


def due_of(session: Session, phase: PhaseRow | None, seat: Seat | None) -> Due | None:
    """Return the row of what a seat owes in a phase, None if it owes nothing."""
    if phase is None or seat is None:
        return None
    return session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == seat)).first()


def named(session: Session, uid: str) -> str:
    """Return the title of the match with this uid; raises NotFound."""
    return by_uid(session, uid).name
