"""What the site shows of matches: plain values for one viewer, built from views and from events that viewer may read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.game import Game, Seat, Slots
from adjudicator.service import reports
from adjudicator.service.envelopes import is_ready, last_call, open_phase
from adjudicator.service.matches import by_uid, seats_of
from adjudicator.service.outbox import held
from adjudicator.service.state import game_of, load_events, load_state, story
from adjudicator.service.tables import Due, Match, Phase, Player, Receipt
from adjudicator.service.tables import Seat as SeatRow


@dataclass(frozen=True)
class SeatFace:
    """A seat as everybody sees it."""

    name: str
    player: str  # "" while it is free
    house: bool
    yours: bool
    kept_for: str  # the invited address: for the master only, "" for everybody else
    kept: bool


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
    ready: bool  # whether the viewer handed in orders and is waited for no longer
    seats: tuple[SeatFace, ...]
    free: int  # seats the viewer could take
    every_seconds: int


@dataclass(frozen=True)
class Owed:
    """What the viewer owes in the open phase."""

    number: int
    phase: str
    seat: str
    slots: Slots
    deadline: datetime
    last_call: datetime
    handed_in_at: datetime | None
    says: str
    ready: bool
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Order:
    """What one seat had ordered, opened."""

    seat: str
    player: str
    how: str  # sealed, plan, forced, default
    lines: tuple[str, ...] | None  # None where the game keeps them hidden until the match ends
    commitment: str


@dataclass(frozen=True)
class PhaseLine:
    """A phase in the list of a match."""

    number: int
    name: str
    closed_at: datetime | None
    why: str


@dataclass(frozen=True)
class Story:
    """One closed phase as the viewer may know it."""

    number: int
    name: str
    opened_at: datetime
    closed_at: datetime
    why: str
    lines: tuple[str, ...]
    orders: tuple[Order, ...]
    picture: str
    board: str
    other_rules: bool  # played under an older version of the rules


@dataclass(frozen=True)
class MatchPage:
    """Everything the page of a match shows."""

    card: Card
    master: str
    is_master: bool
    seat: str  # the viewer's, "" for an observer
    options: tuple[tuple[str, str], ...]
    grace_seconds: int
    ready_rule: str
    open_seats: bool
    sealing: int
    anchors: Mapping[str, str]
    picture: str  # "" before the start
    board: str
    scores: Mapping[str, int]
    last: tuple[Story, ...]  # what the newest report told, oldest first
    phases: tuple[PhaseLine, ...]
    owed: Owed | None
    standing: tuple[dict[str, Any], ...]
    trouble: str
    held_letters: int  # for the master and the seat's own letters
    made_at: datetime


def cards(session: Session, player_id: int) -> list[Card]:
    """Return the matches a player sits in or runs: those that wait for the player first, then by deadline, ended ones last."""
    own = select(SeatRow.match_id).where(SeatRow.player_id == player_id)
    found = session.exec(select(Match).where((col(Match.id).in_(own)) | (col(Match.master_id) == player_id)))
    return sorted((card(session, match, player_id) for match in found), key=_urgency)


def _urgency(each: Card) -> tuple[bool, bool, float, str]:
    deadline = each.deadline.timestamp() if each.deadline else float("inf")
    return not each.owed, each.status == "ended", deadline, each.uid


def open_matches(session: Session, player_id: int | None, *, most: int = 20) -> list[Card]:
    """Return matches that have a seat for this viewer, the oldest first."""
    waiting = select(Match).where(Match.status == "open", col(Match.open_seats).is_(True)).order_by(col(Match.id)).limit(most)
    found = [card(session, match, player_id) for match in session.exec(waiting)]
    return [each for each in found if each.free and not any(seat.yours for seat in each.seats)]


def recent_matches(session: Session, *, most: int = 6) -> list[Card]:
    """Return matches anybody can look at now: running ones, then ended ones, the newest first."""
    seen = (
        select(Match)
        .where(col(Match.status).in_(("running", "ended")))
        .order_by(col(Match.status).desc(), col(Match.id).desc())
        .limit(most)
    )
    return [card(session, match, None) for match in session.exec(seen)]


def all_matches(session: Session, status: str | None = None, *, most: int = 500) -> list[Card]:
    """Return the matches of a status, or all, the newest first: for the host."""
    wanted = select(Match).order_by(col(Match.id).desc()).limit(most)
    return [card(session, match, None) for match in session.exec(wanted.where(Match.status == status) if status else wanted)]


def troubles(session: Session, uid: str) -> list[str]:
    """Return what is wrong with a match, a sentence each, for the host: why it is stuck, which letters are held."""
    match = by_uid(session, uid)
    stuck = [f"It is stuck: {match.trouble}."] if match.status == "stuck" else []
    return [*stuck, *(f"A {each.kind} letter to seat {each.seat} is held: {each.trouble}." for each in held(session, match))]


def card(session: Session, match: Match, player_id: int | None) -> Card:
    """Return one match as a line of a list."""
    seats = _faces(session, match, player_id)
    phase = open_phase(session, match)
    mine = next((seat.name for seat in seats if seat.yours), None)
    due = _due(session, phase, mine)
    ready = due is not None and is_ready(match.ready_rule, due)
    free = sum(1 for seat in seats if not seat.player and not seat.kept) if match.open_seats and match.status == "open" else 0
    return Card(
        match.uid, match.name, game_of(match).about.title, match.game, match.status, phase.name if phase else "",
        phase.deadline if phase else None, due is not None and due.handed_in_at is None and not ready, ready, tuple(seats), free,
        match.every_seconds,
    )  # fmt: skip


def _faces(session: Session, match: Match, player_id: int | None) -> list[SeatFace]:
    faces = []
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        kept_for = (seat.kept_for or "") if player_id == match.master_id and player is None else ""
        yours = player is not None and player.id == player_id
        kept = seat.kept_for is not None and player is None
        faces.append(SeatFace(seat.name, player.name if player else "", bool(player and player.house), yours, kept_for, kept))
    return faces


def _due(session: Session, phase: Phase | None, seat: Seat | None) -> Due | None:
    if phase is None or seat is None:
        return None
    return session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == seat)).first()


def match_page(session: Session, uid: str, player_id: int | None) -> MatchPage:
    """Return the page of a match for one viewer (None: somebody who is not signed in); raises NotFound."""
    match = by_uid(session, uid)
    game, shown = game_of(match), card(session, match, player_id)
    mine = next((seat.name for seat in shown.seats if seat.yours), None)
    names = {seat.name: seat.player for seat in shown.seats}
    rows = _rows(session, match)
    closed = [row for row in rows if row.closed_at is not None]
    state = load_state(game, closed[-1].after) if closed else None
    view = game.view(state, mine) if closed else None
    master = session.get_one(Player, match.master_id)
    sees_letters = mine is not None or match.master_id == player_id
    return MatchPage(
        shown, master.name, match.master_id == player_id, mine or "", _options(game, match), match.grace_seconds, match.ready_rule,
        match.open_seats, match.sealing, match.anchors or {}, game.draw(view) if view else "", game.board(view) if view else "",
        dict(view.scores) if view else {}, tuple(_story(game, row, mine, names) for row in _newest(closed)),
        tuple(PhaseLine(row.number, row.name, row.closed_at, row.why or "") for row in rows), _owed(session, match, game, rows, mine),
        tuple(reports.standing(match, names) or ()), match.trouble or "" if match.master_id == player_id else "",
        len([each for each in held(session, match) if match.master_id == player_id or each.seat == mine]) if sees_letters else 0,
        match.made_at,
    )  # fmt: skip


def _rows(session: Session, match: Match) -> list[Phase]:
    return list(session.exec(select(Phase).where(Phase.match_id == match.id).order_by(col(Phase.number))))


def _newest(closed: Sequence[Phase]) -> list[Phase]:
    """Return the phases the newest report told of: those closed in the same transaction."""
    return [row for row in closed if row.closed_at == closed[-1].closed_at][-4:]


def _options(game: Game, match: Match) -> tuple[tuple[str, str], ...]:
    shown = []
    for option in game.about.options:
        value = match.options.get(option.name, option.default)
        label = dict(zip(map(str, option.values), option.labels, strict=True)).get(str(value), str(value))
        shown.append((option.title, label))
    return tuple(shown)


def _owed(session: Session, match: Match, game: Game, rows: Sequence[Phase], seat: Seat | None) -> Owed | None:
    phase = next((row for row in rows if row.closed_at is None), None)
    due = _due(session, phase, seat) if match.status == "running" else None
    if phase is None or due is None or seat is None or phase.deadline is None:
        return None
    notes = [row.dropped[seat] for row in (*_newest([row for row in rows if row.closed_at]), phase) if seat in row.dropped]
    slots = game.slots(load_state(game, phase.before), seat)
    return Owed(
        phase.number, phase.name, seat, slots, phase.deadline, last_call(phase), due.handed_in_at, due.says or "",
        is_ready(match.ready_rule, due), tuple(reports.dropped_note(note) for note in notes),
    )  # fmt: skip


def phase_page(session: Session, uid: str, number: int, player_id: int | None) -> tuple[MatchPage, Story | None]:
    """Return a match and one of its closed phases for one viewer; the phase is None while it is open or where there is none."""
    page = match_page(session, uid, player_id)
    match = by_uid(session, uid)
    row = session.exec(select(Phase).where(Phase.match_id == match.id, Phase.number == number)).first()
    if row is None or row.closed_at is None:
        return page, None
    return page, _story(game_of(match), row, page.seat or None, {seat.name: seat.player for seat in page.card.seats})


def _story(game: Game, row: Phase, seat: Seat | None, names: Mapping[Seat, str]) -> Story:
    state = load_state(game, row.after)
    view = game.view(state, seat)
    taken: Mapping[str, Any] = row.taken or {}
    silent = {name: each["orders"] for name, each in taken.items() if each["how"] == "default"}
    lines = (
        *reports.how_it_closed(row.why or "", row.name),
        *reports.silent_lines(silent, names, seat, open_orders=game.about.opens_orders),
        *story(game, state, load_events(game, row), seat),
    )
    assert row.closed_at is not None  # noqa: S101 callers ask for closed phases
    orders = tuple(_order(game, name, each, names, seat) for name, each in taken.items())
    return Story(
        row.number, row.name, row.opened_at, row.closed_at, row.why or "", lines, orders, game.draw(view), game.board(view),
        row.rules_version != game.about.rules_version,
    )  # fmt: skip


def _order(game: Game, name: Seat, taken: Mapping[str, Any], names: Mapping[Seat, str], seat: Seat | None) -> Order:
    shown = tuple(taken["orders"].splitlines()) if game.about.opens_orders or name == seat else None
    return Order(name, names.get(name, ""), taken["how"], shown, taken.get("commitment", ""))


@dataclass(frozen=True)
class ReceiptLine:
    """One receipt in a seat's own list."""

    phase: int
    seq: int
    at: datetime
    channel: str
    disposition: str
    commitments: tuple[tuple[int, str], ...]
    signature: str  # hex, "" until the worker has signed


def receipts(session: Session, uid: str, player_id: int) -> tuple[str, list[ReceiptLine]]:
    """Return a player's seat and everything that seat handed in, newest first; ("", []) for an observer."""
    match = by_uid(session, uid)
    seat = next((seat.name for seat in seats_of(session, match) if seat.player_id == player_id), "")
    own = select(Receipt).where(Receipt.match_id == match.id, Receipt.seat == seat).order_by(col(Receipt.id).desc())
    return seat, [
        ReceiptLine(
            each.phase_number, each.seq, each.at, each.channel, each.disposition,
            tuple((part, commitment) for part, commitment in each.commitments), each.signature.hex() if each.signature else "",
        )
        for each in session.exec(own)
    ]  # fmt: skip
