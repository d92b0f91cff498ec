"""What the site shows of a match: plain values for one viewer, built from views and from events that viewer may read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.core.game import AnyGame, Seat
from adjudicator.core.options import Chosen, describe_options
from adjudicator.play.seat_allocation import Lot
from adjudicator.service.base.rows import by_uid, open_phase, seats_of, sitting
from adjudicator.service.base.state import Viewer, game_of, hides_players, load_state, viewer_of
from adjudicator.service.base.tables import Match, PhaseRow, Player
from adjudicator.service.letters import bounces
from adjudicator.service.letters.kinds import StandingRow
from adjudicator.service.letters.outbox import undelivered_letters
from adjudicator.service.matches import masters
from adjudicator.service.matches import preferences as wishes
from adjudicator.service.matches.masters import MasterAction
from adjudicator.service.matches.preferences import SeatPreferences
from adjudicator.service.phases import reports
from adjudicator.service.views import duties
from adjudicator.service.views.duties import Owed, Planning
from adjudicator.service.views.match_list import Card, match_card

TOLD_AT_ONCE = 6  # phases that the match's page retells at most

LARGEST_NUMBER = 2**31 - 1  # the largest that an integer column holds on every database


@dataclass(frozen=True)
class Order:
    """The opened orders of one seat; anybody can recompute the commitment from `opening` (docs/sealing.md)."""

    seat: str
    player: str  # "" while it is hidden
    how: str  # sealed, plan, forced, default
    lines: tuple[str, ...] | None  # None where the game keeps them hidden until the match ends
    commitment: str
    opening: str  # what the commitment is a hash of; "" where nothing was sealed or it is not opened yet


@dataclass(frozen=True)
class PhaseLine:
    """A phase in the list of a match."""

    number: int
    name: str
    closed_at: datetime | None
    why: str


@dataclass(frozen=True)
class Told:
    """One closed phase in words, as far as the viewer may know it."""

    number: int
    name: str
    opened_at: datetime
    closed_at: datetime
    why: str
    lines: tuple[str, ...]
    orders: tuple[Order, ...]
    other_rules: bool  # played under an older version of the rules


@dataclass(frozen=True)
class Story(Told):
    """A closed phase with its picture and its text board."""

    picture: str
    board: str


@dataclass(frozen=True)
class Head:
    """What every page of a match shows: players, phases, what the viewer owes. It loads only the newest phases with their contents."""

    card: Card
    master: str
    is_master: bool
    seat: str  # the viewer's, "" for an observer
    options: tuple[Chosen, ...]
    grace_seconds: int
    ready_rule: str
    open_seats: bool
    bots: bool  # whether house bots may take seats
    sealing: int
    anchors: Mapping[str, str]
    made_at: datetime
    phases: tuple[PhaseLine, ...]
    owed: Owed | None
    planning: Planning | None
    standing: tuple[StandingRow, ...]
    stopped: str  # the sentence that says after which phase it was stopped and why, "" where its rules ended it
    trouble: str  # why it is stuck, for those who may run it
    runs: bool  # whether the viewer may pause it, move its deadline, close its phase
    may_hasten: bool  # whether the viewer may close the open phase early or shorten it
    notes: tuple[MasterAction, ...]  # what masters did, the newest first
    wishes: SeatPreferences | None  # while the seats are not assigned yet: the seats, and what the viewer wished for
    lots: tuple[Lot, ...]  # once they were assigned by wishes: what each place wished for and got, in order
    plays: tuple[str, ...]  # what each seat plays, where it is more than itself: "England (with Germany and Austria)"
    not_reached: tuple[str, ...]  # for those who may run it: the seats whose players' letters bounce
    held_letters: int  # undelivered letters: the seat's own; for the master also those that reveal nothing others did


@dataclass(frozen=True)
class MatchPage(Head):
    """The page of a match itself."""

    picture: str  # "" before the start
    board: str
    scores: Mapping[str, int]
    last: tuple[Told, ...]  # the newest closed phases, oldest first


@dataclass(frozen=True)
class _Seen:
    """The rows and values of a match, read for one viewer."""

    match: Match
    game: AnyGame
    card: Card
    reader: Viewer
    lines: tuple[PhaseLine, ...]
    open: PhaseRow | None
    newest: tuple[PhaseRow, ...]  # the closed phases that the page retells, oldest first

    @property
    def seat(self) -> Seat | None:
        return self.reader.seat


def _look(session: Session, uid: str, player_id: int | None) -> _Seen:
    match = by_uid(session, uid)
    shown = match_card(session, match, player_id)
    mine = next((seat.name for seat in shown.seats if seat.yours), None)
    columns = (
        select(PhaseRow.number, PhaseRow.name, PhaseRow.closed_at, PhaseRow.why)
        .where(PhaseRow.match_id == match.id)
        .order_by(col(PhaseRow.number))
    )
    lines = tuple(PhaseLine(number, name, closed_at, why or "") for number, name, closed_at, why in session.exec(columns))
    viewer = viewer_of(match, mine, {seat.name: seat.player for seat in shown.seats})
    return _Seen(match, game_of(match), shown, viewer, lines, open_phase(session, match), _newest(session, match, mine))


def _newest(session: Session, match: Match, seat: Seat | None) -> tuple[PhaseRow, ...]:
    """Return the phases that closed last together and, for a seat, all since it was last due; oldest first, at most TOLD_AT_ONCE."""
    closed = select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None))
    rows = list(session.exec(closed.order_by(col(PhaseRow.number).desc()).limit(TOLD_AT_ONCE)))
    own = next((row.number for row in rows if seat in row.due), None)
    since = [row for row in rows if row.closed_at == rows[0].closed_at or (own is not None and row.number >= own)]
    return tuple(reversed(since))


def match_head(session: Session, uid: str, player_id: int | None) -> Head:
    """Return what every page of a match shows to one viewer (None: somebody who is not signed in); raises NotFound."""
    return _head(session, _look(session, uid, player_id), player_id)


def match_page(session: Session, uid: str, player_id: int | None) -> MatchPage:
    """Return the page of a match for one viewer; raises NotFound."""
    seen = _look(session, uid, player_id)
    told = tuple(_told(seen.match, row, seen.reader) for row in seen.newest)
    if not seen.newest:
        return MatchPage(**vars(_head(session, seen, player_id)), picture="", board="", scores={}, last=told)
    view = seen.reader.view(seen.game, load_state(seen.game, seen.newest[-1].after))
    picture, board = seen.game.draw(view), seen.game.text_board(view)
    return MatchPage(**vars(_head(session, seen, player_id)), picture=picture, board=board, scores=dict(view.scores), last=told)


def _head(session: Session, seen: _Seen, player_id: int | None) -> Head:
    match, is_master = seen.match, seen.match.master_id == player_id
    here = duties.Here(match, seen.open, seen.seat, seen.newest)
    runs = masters.may_run(session, match, player_id)
    return Head(
        card=seen.card, master=session.get_one(Player, match.master_id).name, is_master=is_master, seat=seen.seat or "",
        options=describe_options(seen.game.about, match.options), grace_seconds=match.grace_seconds, ready_rule=match.ready_rule,
        open_seats=match.open_seats, bots=match.bots,
        sealing=match.sealing, anchors=match.anchors or {}, made_at=match.made_at,
        phases=seen.lines, owed=duties.owed(session, here), planning=duties.planning(session, here),
        standing=reports.standing(match, seen.reader) or (),
        stopped=reports.stopped(match, seen.lines[-1].name) if seen.lines else "",
        runs=runs, may_hasten=runs and masters.may_hasten(session, match, player_id),
        notes=masters.list_actions(session, match), trouble=(match.trouble or "") if runs else "",
        held_letters=_held(session, seen, is_master=is_master),
        wishes=wishes.of_match(session, match, player_id), lots=() if hides_players(match) else wishes.drawn(match),
        plays=wishes.shared(match, len(seen.card.seats)),
        not_reached=tuple(bounces.seats_not_reached(session, match)) if runs else (),
    )  # fmt: skip


def _held(session: Session, seen: _Seen, *, is_master: bool) -> int:
    """Count the undelivered letters that a viewer may know of: the seat's own and, for the master, some of other seats.

    Receipts and answers to other seats do not count: they reveal that the seat handed something in (ruling G4). Press to
    other seats does not count: it reveals who wrote to whom.
    """
    if not is_master and seen.seat is None:
        return 0
    held_here = undelivered_letters(session, seen.match)
    own = [each for each in held_here if each.seat == seen.seat]
    others = [each for each in held_here if each.seat != seen.seat and (each.receipt_id, each.incoming_id) == (None, None)]
    return len(own) + (sum(1 for each in others if each.kind != "press") if is_master else 0)


def phase_page(session: Session, uid: str, number: int, player_id: int | None) -> tuple[Head, Story | None]:
    """Return a match and one of its closed phases for one viewer; the phase is None while it is open or where there is none."""
    seen = _look(session, uid, player_id)
    head = _head(session, seen, player_id)
    if number > LARGEST_NUMBER:
        return head, None
    row = session.exec(select(PhaseRow).where(PhaseRow.match_id == seen.match.id, PhaseRow.number == number)).first()
    if row is None or row.closed_at is None:
        return head, None
    view = seen.reader.view(seen.game, load_state(seen.game, row.after))
    told = _told(seen.match, row, seen.reader)
    return head, Story(**vars(told), picture=seen.game.draw(view), board=seen.game.text_board(view))


def history(session: Session, uid: str, player_id: int | None, *, most: int) -> tuple[str, list[Told]]:
    """Return a match's name and its newest closed phases as one viewer may know them, oldest first; raises NotFound."""
    match = by_uid(session, uid)
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    names = {seat.name: session.get_one(Player, seat.player_id).name for seat in seats if seat.player_id is not None}
    closed = select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None), PhaseRow.number > 0)
    rows = list(session.exec(closed.order_by(col(PhaseRow.number).desc()).limit(most)))
    viewer = viewer_of(match, own.name if own else None, names)
    return match.name, [_told(match, row, viewer) for row in reversed(rows)]


def _told(match: Match, row: PhaseRow, viewer: Viewer) -> Told:
    game, taken = game_of(match), row.taken or {}
    stopped = reports.stopped(match, row.name) if row.number == match.stopped_after else ""
    lines = (*reports.section(game, row, viewer).lines, *filter(None, (stopped,)))
    assert row.closed_at is not None  # noqa: S101 callers ask for closed phases
    orders = tuple(_order(game, name, each, viewer) for name, each in taken.items())
    other_rules = row.rules_version != game.about.rules_version
    return Told(row.number, row.name, row.opened_at, row.closed_at, row.why or "", lines, orders, other_rules)


def _order(game: AnyGame, name: Seat, taken: Mapping[str, str], viewer: Viewer) -> Order:
    shown = tuple(taken["orders"].splitlines()) if viewer.sees_orders(game, name) else None
    opening = taken.get("opening", "") if game.about.opens_orders or viewer.all_open else ""
    return Order(name, viewer.names.get(name, ""), taken["how"], shown, taken.get("commitment", ""), opening)
