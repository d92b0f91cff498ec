"""What the site shows of a match: plain values for one viewer, built from views and from events
that viewer may read.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.core.game import AnyGame, Seat
from adjudicator.play.seat_allocation import Lot
from adjudicator.service.base import press_rules
from adjudicator.service.base.due.phase_clock import in_overtime
from adjudicator.service.base.list_rows import read_table
from adjudicator.service.base.memory import basis_of
from adjudicator.service.base.names import name_at
from adjudicator.service.base.rows import (
    by_uid,
    is_inside,
    master_of,
    may_run,
    plays,
    seats_of,
    sitting,
    tournament_of,
)
from adjudicator.service.base.shown import step_of
from adjudicator.service.base.state import (
    Viewer,
    game_of,
    hides_players,
    person_in,
    progress_of,
    viewer_of,
)
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.letters import bounces
from adjudicator.service.letters.contents.content import StandingRow
from adjudicator.service.letters.outbox import undelivered_letters
from adjudicator.service.matches import masters, notes, tenures, waiting_list
from adjudicator.service.matches import preferences as wishes
from adjudicator.service.matches.notes import Note
from adjudicator.service.matches.preferences import SeatPreferences
from adjudicator.service.matches.terms import reading
from adjudicator.service.matches.terms.record import Terms
from adjudicator.service.matches.waiting_list import WaitingList
from adjudicator.service.phases import reports
from adjudicator.service.press import conversations
from adjudicator.service.press.messages import PressEntry
from adjudicator.service.requests.made_for import MadeFor, find_made_for
from adjudicator.service.starting import again, links, muster, privacy
from adjudicator.service.starting.again import NextMatch
from adjudicator.service.starting.links import Links
from adjudicator.service.starting.muster import Muster
from adjudicator.service.views import duties
from adjudicator.service.views.duties import Owed, Planning
from adjudicator.service.views.match_list import Card, match_card
from adjudicator.service.views.table import people
from adjudicator.service.views.table.closed_phases import (
    ClosedPhase,
    PhaseLine,
    board_after,
    closed_phases,
    read_phases,
    tell_lines,
)
from adjudicator.service.views.table.story_parts import StoryPart, split_story, sum_up

LARGEST_NUMBER = 2**31 - 1  # the largest that an integer column holds on every database


@dataclass(frozen=True)
class Order:
    """The opened orders of one seat; anybody can recompute the commitment from `opening`
    (docs/sealing.md).
    """

    seat: str
    player: str  # "" while it is hidden
    how: str  # sealed, plan, forced, default
    lines: tuple[str, ...] | None  # None where the game keeps them hidden until the match ends
    commitment: str
    # what the commitment is a hash of; "" where nothing was sealed or it is not opened yet
    opening: str


@dataclass(frozen=True)
class Told:
    """One closed phase in words, as far as the viewer may know it."""

    number: int
    name: str
    opened_at: datetime
    closed_at: datetime
    why: str
    lines: tuple[str, ...]
    parts: tuple[StoryPart, ...]  # the same lines by the seat that they are about
    orders: tuple[Order, ...]
    other_rules: bool  # played under an older version of the rules


@dataclass(frozen=True)
class Story(Told):
    """A closed phase with its picture and its text board."""

    picture: str
    board: str


@dataclass(frozen=True)
class Earlier:
    """A closed phase that the match's page only sums up."""

    number: int
    name: str
    gist: tuple[str, ...]


@dataclass(frozen=True)
class Lent:
    """A seat that a substitute plays for a span, for its player or for the substitute."""

    seat: str
    until: datetime
    yours: bool  # whether it is the viewer's own, else the viewer is the substitute


@dataclass(frozen=True)
class Head:
    """What every page of a match shows: players, phases, what the viewer owes. It loads only the
    newest phases with their contents.
    """

    card: Card
    # the name and the public name of the one that it is played in
    tournament: tuple[str, str] | None
    master: str
    is_master: bool
    seat: str  # the viewer's, "" for an observer
    made_with: Terms
    anchors: Mapping[str, str]
    has_log: bool  # whether it has a public log, from which everybody can check its seals
    made_at: datetime
    phases: tuple[PhaseLine, ...]
    owed: Owed | None
    planning: Planning | None
    # what forms of the viewer's seat are made for; None without a seat, or where no phase is open
    made_for: MadeFor | None
    standing: tuple[StandingRow, ...]
    # the sentence that says after which phase it was stopped and why, "" where its rules ended it
    stopped: str
    trouble: str  # why it is stuck, for those who may run it
    runs: bool  # whether the viewer may pause it, move its deadline, close its phase
    may_hasten: bool  # whether the viewer may close the open phase early or shorten it
    notes: tuple[Note, ...]  # of what changed in it, the newest first
    # while the seats are not assigned yet: the seats, and what the viewer wished for
    wishes: SeatPreferences | None
    # once they were assigned by wishes: what each place wished for and got, in order
    lots: tuple[Lot, ...]
    # what each seat plays, where it is more than itself: "England (with Germany and Austria)"
    plays: tuple[str, ...]
    # in overtime, for those who run it and do not play: the seats that it was granted for
    late: tuple[str, ...]
    # for those who may run it: the seats whose players' letters bounce
    not_reached: tuple[str, ...]
    waiting_list: WaitingList
    muster: Muster | None  # while everybody is asked to confirm
    expires_at: datetime | None  # when it expires unless it is full; only before it begins
    links: Links | None  # for those who run it: the secret parts of its links
    again: NextMatch  # once it has ended: the next match of the same people
    # once it has ended in private, for who took part: whether they open it to all, how many do not
    publishing: tuple[bool, int] | None
    # whether the viewer's seat looks for a new player, and nobody can take it as the viewer is back
    returned: bool
    # the viewer's seat that a substitute plays, or the seat that the viewer plays as one
    lent: Lent | None
    overseen: str  # the sentence that says who reads all press, "" if nobody does
    step: str  # how far it is for everybody (base.shown); "" where the time is not given
    # the texts that the viewer, who plays or is its master, has not read here, newest first
    unread_press: tuple[PressEntry, ...]
    # undelivered letters: the seat's own; for the master also those that reveal nothing others did
    held_letters: int


@dataclass(frozen=True)
class MatchPage(Head):
    """The page of a match itself."""

    picture: str  # "" before the start
    board: str
    scores: Mapping[str, int]
    centres: bool  # whether the scores are supply centres
    # where progress is shown by seat: those past whose players' absence the deadline was moved
    away: tuple[str, ...]
    last: tuple[Told, ...]  # the newest closed phases, oldest first
    earlier: tuple[Earlier, ...]  # some phases before those, newest first


@dataclass(frozen=True)
class _Seen:
    """The rows and values of a match, read for one viewer."""

    match: Match
    game: AnyGame
    card: Card
    reader: Viewer
    lines: tuple[PhaseLine, ...]
    open: PhaseRow | None
    newest: tuple[ClosedPhase, ...]  # those that the page retells, oldest first
    earlier: tuple[ClosedPhase, ...]  # some before those, newest first
    step: str

    @property
    def seat(self) -> Seat | None:
        return self.reader.seat


def _look(session: Session, uid: str, player_id: int | None, now: datetime | None) -> _Seen:
    match = read_table(session, uid)
    phases = read_phases(session, match)
    shown = match_card(session, match, player_id, now=now)
    mine = next((seat.name for seat in shown.seats if seat.yours), None)
    viewer = viewer_of(match, mine, {seat.name: seat.player for seat in shown.seats})
    own = sitting(seats_of(session, match), player_id)
    viewer = replace(viewer, seated_at=own.taken_at if own else None)
    step = step_of(session, match, now) if now is not None else ""
    newest, earlier = _newest(phases.newest, mine)
    return _Seen(
        match, game_of(match), shown, viewer, phases.lines, phases.open, newest, earlier, step
    )


def _newest(
    rows: Sequence[ClosedPhase], seat: Seat | None
) -> tuple[tuple[ClosedPhase, ...], tuple[ClosedPhase, ...]]:
    """Return of the newest closed phases those that closed last together and, for a seat, all since it was last due,
    oldest first; then those before them.

    Both together are at most TOLD_AT_ONCE; the second are without the start, newest first.
    """
    own = next((row.number for row in rows if row.is_due(seat)), None)
    since = [
        row
        for row in rows
        if row.closed_at == rows[0].closed_at or (own is not None and row.number >= own)
    ]
    return tuple(reversed(since)), tuple(row for row in rows[len(since) :] if row.number)


def match_head(
    session: Session, uid: str, player_id: int | None, *, now: datetime | None = None
) -> Head:
    """Return what every page of a match shows to one viewer (None: somebody who is not signed in);
    raises NotFound.

    Here as below, progress is left out where the time is not given.
    """
    return _head(session, _look(session, uid, player_id, now), player_id)


def match_page(
    session: Session, uid: str, player_id: int | None, *, now: datetime | None = None
) -> MatchPage:
    """Return the page of a match for one viewer; raises NotFound."""
    seen = _look(session, uid, player_id, now)
    phases = tuple(
        _phase_story(seen.match, row, seen.reader, [face.name for face in seen.card.seats])
        for row in seen.newest
    )
    earlier = tuple(_sum_up(seen, row) for row in seen.earlier)
    head = vars(_head(session, seen, player_id)) | {
        "centres": seen.game.about.centres,
        "last": phases,
        "earlier": earlier,
    }
    if not seen.newest:
        return MatchPage(**head, picture="", board="", scores={}, away=())
    board = board_after(seen.game, seen.newest[-1], seen.reader)
    return MatchPage(
        **head,
        picture=board.picture,
        board=board.text,
        scores=board.scores,
        away=people.seats_away(session, seen.match, seen.open, player_id),
    )


def _sum_up(seen: _Seen, phase: ClosedPhase) -> Earlier:
    return Earlier(phase.number, phase.name, sum_up(tell_lines(seen.game, phase, seen.reader)))


def _head(session: Session, seen: _Seen, player_id: int | None) -> Head:
    match, is_master = seen.match, seen.match.master_id == player_id
    own = sitting(seats_of(session, match), player_id)
    here = duties.Here(match, seen.open, own, seen.newest)
    inside = is_inside(match, seats_of(session, match), player_id)
    runs = may_run(session, match, player_id)
    return Head(
        card=seen.card,
        tournament=tournament_of(session, match),
        master=_master(session, match, inside=inside),
        is_master=is_master,
        seat=seen.seat or "",
        made_with=reading.of_match(match),
        anchors=match.anchors or {},
        has_log=match.log_hash is not None,
        made_at=match.made_at,
        phases=seen.lines,
        owed=duties.owed(session, here),
        planning=duties.planning(session, here),
        made_for=find_made_for(session, match, seen.open, own),
        standing=reports.standing(match, seen.reader) or (),
        stopped=reports.stopped(match, seen.lines[-1].name) if seen.lines else "",
        runs=runs,
        may_hasten=runs and masters.may_hasten(session, match, player_id),
        notes=notes.list_notes(session, match, inside=inside, viewer_id=player_id),
        trouble=(match.trouble or "") if runs else "",
        step=seen.step,
        held_letters=_held(session, seen, own, is_master=is_master),
        lent=_lent(session, match, player_id),
        returned=own is not None and tenures.has_returned(session, own),
        wishes=wishes.of_match(session, match, player_id),
        lots=() if hides_players(match) else wishes.drawn(match),
        plays=wishes.shared(match, [face.name for face in seen.card.seats]),
        waiting_list=waiting_list.waiting_list(session, match, player_id),
        muster=muster.muster_of(session, match, player_id),
        expires_at=match.expires_at if match.status == "open" else None,
        links=links.links_of(match) if runs else None,
        again=again.next_match(session, match, player_id),
        publishing=privacy.awaited(session, match, player_id),
        late=(
            _late(session, seen) if runs and not plays(seats_of(session, match), player_id) else ()
        ),
        overseen=press_rules.overseen_by(session, match, inside=inside),
        unread_press=tuple(conversations.unread_texts(session, match, player_id)),
        not_reached=tuple(bounces.seats_not_reached(session, match)) if runs else (),
    )


def _master(session: Session, match: Match, *, inside: bool) -> str:
    """Return what the page calls its master: by no name while it hides its players, by the seat if
    one who plays hides the own name.
    """
    master = master_of(session, match)
    own = sitting(seats_of(session, match), match.master_id)
    if own is None or hides_players(match):
        return person_in(match, master, inside=inside)
    return name_at(master, own.name, inside=inside)


def _lent(session: Session, match: Match, player_id: int | None) -> Lent | None:
    """Return the seat that a viewer has lent, or plays as a substitute."""
    for seat in seats_of(session, match) if player_id is not None else ():
        if (
            seat.returns_at is not None
            and match.status != "ended"
            and player_id in (seat.owner_id, seat.player_id)
        ):
            return Lent(seat.name, seat.returns_at, player_id == seat.owner_id)
    return None


def _late(session: Session, seen: _Seen) -> tuple[str, ...]:
    """Return the seats that were late when the overtime began; none where the match shows no
    progress.
    """
    if seen.open is None or not in_overtime(seen.open) or progress_of(seen.match) == "none":
        return ()
    late = select(Due.seat).where(Due.phase_id == seen.open.id, col(Due.late).is_(True))
    return tuple(session.exec(late.order_by(col(Due.id))))


def _held(session: Session, seen: _Seen, seat: SeatRow | None, *, is_master: bool) -> int:
    """Count the undelivered letters that a viewer may know of: the seat's own and, for the master,
    some of other seats.

    Receipts and answers to other seats do not count: they reveal that the seat handed something in
    (ruling G4), and reminders that it did not. Press to other seats does not count: it reveals who
    wrote to whom. A report does not: it may be about the master.
    """
    viewer_id = seat.player_id if seat is not None else seen.match.master_id
    if not is_master and seat is None:
        return 0
    if basis_of(session, seen.match.uid, viewer_id, "letter") == []:
        return 0
    held_here = undelivered_letters(session, seen.match)
    own = [
        each
        for each in held_here
        if seat is not None and (each.seat, each.tenure) == (seat.name, seat.tenure)
    ]
    others = [
        each
        for each in held_here
        if each.seat != seen.seat and (each.receipt_id, each.incoming_id) == (None, None)
    ]
    return len(own) + (
        sum(1 for each in others if each.kind not in ("press", "reminder", "reported"))
        if is_master
        else 0
    )


def phase_page(
    session: Session, uid: str, number: int, player_id: int | None, *, now: datetime | None = None
) -> tuple[Head, Story | None]:
    """Return a match and one of its closed phases for one viewer; the phase is None while it is
    open or where there is none.
    """
    seen = _look(session, uid, player_id, now)
    head = _head(session, seen, player_id)
    if number > LARGEST_NUMBER:
        return head, None
    read = (*seen.newest, *seen.earlier)
    found = [phase for phase in read if phase.number == number]
    found = found or closed_phases(session, seen.match, number, number)
    if not found:
        return head, None
    story = _phase_story(seen.match, found[0], seen.reader, [face.name for face in seen.card.seats])
    board = board_after(seen.game, found[0], seen.reader)
    return head, Story(**vars(story), picture=board.picture, board=board.text)


def history(
    session: Session, uid: str, player_id: int | None, *, most: int
) -> tuple[str, list[Told]]:
    """Return a match's name and its newest closed phases as one viewer may know them, oldest first;
    raises NotFound.
    """
    match = by_uid(session, uid)
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    inside = is_inside(match, seats, player_id)
    taken = [(seat.name, seat.player_id) for seat in seats if seat.player_id is not None]
    names = {
        seat: name_at(session.get_one(Player, sitter), seat, inside=inside)
        for seat, sitter in taken
    }
    rows = closed_phases(session, match, 1, LARGEST_NUMBER, most=most)
    viewer = replace(
        viewer_of(match, own.name if own else None, names), seated_at=own.taken_at if own else None
    )
    return match.name, [
        _phase_story(match, row, viewer, [seat.name for seat in seats]) for row in reversed(rows)
    ]


def public_notes(session: Session, uid: str, player_id: int | None) -> tuple[str, tuple[Note, ...]]:
    """Return a match's name and its public notes as one viewer may know them, newest first; raises
    NotFound.
    """
    match = by_uid(session, uid)
    return match.name, notes.list_notes(
        session, match, inside=is_inside(match, seats_of(session, match), player_id)
    )


def _phase_story(match: Match, phase: ClosedPhase, viewer: Viewer, seats: Collection[Seat]) -> Told:
    game, taken = game_of(match), json.loads(phase.taken or "null") or {}
    stopped = reports.stopped(match, phase.name) if phase.number == match.stopped_after else ""
    lines = (*tell_lines(game, phase, viewer), *filter(None, (stopped,)))
    orders = tuple(_order(name, each, viewer) for name, each in taken.items())
    other_rules = phase.rules_version != game.about.rules_version
    parts = split_story(lines, wishes.plays(match, seats), viewer.seat)
    return Told(
        phase.number,
        phase.name,
        phase.opened_at,
        phase.closed_at,
        phase.why,
        lines,
        parts,
        orders,
        other_rules,
    )


def _order(name: Seat, taken: Mapping[str, str], viewer: Viewer) -> Order:
    shown = tuple(taken["orders"].splitlines()) if viewer.sees_orders(name) else None
    opening = taken.get("opening", "") if viewer.orders_open or viewer.all_open else ""
    return Order(
        name, viewer.names.get(name, ""), taken["how"], shown, taken.get("commitment", ""), opening
    )
