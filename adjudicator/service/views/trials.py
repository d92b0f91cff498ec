"""Trials: read any orders as a game does, or adjudicate them on a board as the viewer sees it.

Nothing is stored, and nothing sealed is opened.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlmodel import Session, select

from adjudicator import catalogue
from adjudicator.core import chance
from adjudicator.core.chance import Setting
from adjudicator.core.game import AnyGame, Laid, Parsed, Refusal, Seat, Slots, Trial, View, may_read
from adjudicator.core.options import complete_options
from adjudicator.play.decoration import normalize_text, remove_decoration, strip_edges, without_note
from adjudicator.play.submission import (
    ParsedSubmission,
    TooLong,
    parse_submission,
    split_alternatives,
    split_at_then,
    split_parts,
    understand,
)
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.rows import by_uid, open_phase, seats_of, sitting, why_not_open
from adjudicator.service.base.state import Viewer, dump_view, game_of, load_state, viewer_of
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.views import game_info
from adjudicator.service.views.match_page import LARGEST_NUMBER

_SEED = bytes(32)  # for blank boards only: the same for everybody, used by no match
MOST_FAULTS = 20  # lines of a typed position that are no part of one and are told
LONGEST_POSITION = 6000  # characters of a typed position
MOST_POSITION_LINES = 100
_NO_POSITION = "This is no part of a position."
_FIRST_PART = (
    "Only the orders before THEN were tried: what comes after them depends on what others do."
)


@dataclass(frozen=True)
class Tried:
    """The result of a trial."""

    picture: str
    board: str
    lines: tuple[str, ...]  # the story; () if nothing could be tried
    refusals: tuple[Refusal, ...]
    remarks: tuple[str, ...]
    view: str  # dumped as in a letter's context, to be drawn later


@dataclass(frozen=True)
class FilledSlot:
    """An order of a text that is one of the choices."""

    slot: str  # the name of the slot that offers it
    order: str  # as the choice spells it
    line: str  # as written


@dataclass(frozen=True)
class Shared:
    """What an address may hold of a trial: nothing but what everybody may see, and what its author
    wrote.
    """

    position: str
    orders: str
    left_out: int  # lines of the text that the author alone knows from the match


@dataclass(frozen=True)
class Board:
    """A position as one viewer knows it, on which orders may be tried."""

    game_key: str
    name: str  # its phase, "" of a blank board
    picture: str
    text: str  # the position in words
    # the orders given here, as far as the viewer may know them, to start from; "" before the phase
    # is closed
    orders: str
    _game: AnyGame = field(repr=False)
    _view: View = field(repr=False)
    _seat: Seat | None
    _public: View = field(repr=False)  # the same position as everybody may see it
    # the lines of `orders` that only this viewer may know
    _secret: str = field(default="", repr=False)
    faults: tuple[Refusal, ...] = ()  # of a typed position

    @cached_property
    def slots(self) -> Slots:
        """The choices of every seat, all of them optional; () in a game that has none for
        trials.
        """
        return (
            tuple(replace(slot, optional=True) for slot in self._laid.slots) if self._laid else ()
        )

    @cached_property
    def position(self) -> str:
        """The position as a text that can be laid again, as everybody may see it; "" in a game that
        has none.
        """
        return self._game.lay(self._public, "").position if self._game.lay else ""

    def understood(self, text: str) -> tuple[FilledSlot, ...]:
        """Return the orders of a text that are choices here, one for a slot; of several for one
        slot the last counts.

        Raises TooLong with a sentence.
        """
        if self._game.lay is None:
            return ()
        given = self._game.lay(self._view, parse_submission(text).parts[0]).given
        found: dict[str, FilledSlot] = {}
        for line, order in reversed(given):
            offering = (
                slot.name
                for slot in self.slots
                if slot.name not in found and any(order == each.text for each in slot.choices)
            )
            slot = next(offering, None)
            if slot is not None:
                found[slot] = FilledSlot(slot, order, line)
        return tuple(found.values())

    def with_chosen(self, text: str, chosen: Mapping[str, str]) -> str:
        """Return a text with the orders of some slots replaced by those `chosen`, "" for none; all
        its other lines stay.

        The orders that replace none stand below the others, before THEN. Raises TooLong with a
        sentence.
        """
        held = {each.slot: each for each in self.understood(text)}
        new = {
            slot: order
            for slot, order in chosen.items()
            if order != (held[slot].order if slot in held else "")
        }
        now, later = split_at_then(normalize_text(text))
        lines = [line.strip() for line in now.splitlines()]
        for line in dict.fromkeys(
            held[slot].line for slot in new if slot in held and held[slot].line in lines
        ):
            at = len(lines) - 1 - lines[::-1].index(line)
            lines[at : at + 1] = [
                new.get(each.slot, each.order)
                for each in reversed(held.values())
                if each.line == line
            ]
        added = [order for slot, order in new.items() if slot not in held]
        return "\n".join([line for line in (*lines, *added) if line] + ([later] if later else []))

    def shared(self, text: str) -> Shared | None:
        """Return the position and the orders of a trial for others, None in a game whose positions
        have no text.

        The lines with an order that the viewer alone knows from the match are left out, however
        they are spelled; a position in the text takes the place of the board's.
        """
        if self._game.lay is None:
            return None
        laid = self._game.lay(self._public, text)
        lines = laid.orders.splitlines()
        kept = [
            line for line, secret in zip(lines, self._are_secret(lines), strict=True) if not secret
        ]
        return Shared(laid.position, "\n".join(kept), len(lines) - len(kept))

    def _are_secret(self, lines: Sequence[str]) -> list[bool]:
        """Say of each line whether it is one of `_secret`, or has an order of them in any of its
        parts.
        """
        exact = {line.strip() for line in self._secret.splitlines()}
        if not exact or self._game.lay is None:
            return [False] * len(lines)
        pieces = [[line, *_pieces(line)] for line in lines]
        orders = {order for _, order in self._game.lay(self._view, self._secret).given}
        given = self._game.lay(
            self._view, "\n".join(piece for line in pieces for piece in line)
        ).given
        secret = exact | {piece for piece, order in given if order in orders}
        return [any(piece.strip() in secret for piece in line) for line in pieces]

    @cached_property
    def _laid(self) -> Laid[View] | None:
        return self._game.lay(self._view, "") if self._game.lay else None

    def tried(self, text: str) -> Tried:
        """Try `text`, orders of any seats; of the alternatives on a line the first possible one
        counts.

        Raises TooLong with a sentence.
        """
        submission = parse_submission(text)
        trial = self._tried(
            self._first_possible(remove_decoration(submission.parts[0], self._read))
        )
        events = [event for event in trial.events if may_read(event, self._seat)]
        lines = self._game.story(trial.view, events)
        picture, board = self._game.draw(trial.view), self._game.text_board(trial.view)
        return Tried(
            picture,
            board,
            lines,
            trial.refusals,
            (*trial.remarks, *_not_tried(submission)),
            dump_view(self._game, trial.view),
        )

    def _read(self, text: str) -> Parsed[str]:
        """Return the lines of a text that a trial accepts, in place of parsed orders, and its
        refusals.
        """
        refusals = self._tried(text).refusals
        refused = {refusal.line for refusal in refusals}
        return Parsed(tuple(line for line in text.splitlines() if line not in refused), refusals)

    def _tried(self, text: str) -> Trial:
        if self._game.trial is None:
            raise _no_trials(self._game)
        return self._game.trial(self._view, text)

    def _first_possible(self, text: str) -> str:
        """Return the text with one alternative a line: the first that is not refused, else the
        first. One trial tests them all.
        """
        lines = [split_alternatives(line) or [""] for line in text.splitlines()]
        if all(len(choices) < 2 for choices in lines):
            return text
        trial = self._tried("\n".join(choice for choices in lines for choice in choices))
        refused = {refusal.line for refusal in trial.refusals}
        chosen = (
            [choice for choice in choices if choice not in refused] or choices for choices in lines
        )
        return "\n".join(choices[0] for choices in chosen)


def _pieces(line: str) -> Iterator[str]:
    """Yield the orders of a line without what parts or adorns them: THEN, OR, notes, emoji."""
    for part in split_parts(normalize_text(line)):
        for each in split_alternatives(part):
            yield strip_edges(without_note(each)[0])


def _not_tried(submission: ParsedSubmission) -> tuple[str, ...]:
    return (_FIRST_PART,) if submission.parts[1:] else ()


def possible(game_key: str) -> bool:
    """Whether orders of a game can be tried; raises NotFound for an unknown game."""
    return game_info.known(game_key).trial is not None


def _no_trials(game: AnyGame) -> NotFound:
    can = [each.about.title for each in catalogue.every_game() if each.trial is not None]
    return NotFound(
        f"Orders of {game.about.title} cannot be tried on a board; those of {' and '.join(can)}"
        " can."
    )


# --- boards


def blank(game_key: str) -> Board:
    """Return the opening position of a game as an observer sees it; raises NotFound for an unknown
    game or one without trials.
    """
    return _blank(game_info.known(game_key))


def of_text(game_key: str, position: str) -> Board:
    """Return a position that was typed, as an observer sees it; what is no part of a position is
    among its `faults`.

    Raises NotFound for an unknown game, or for one without trials or positions as text; TooLong
    with a sentence.
    """
    if len(position) > LONGEST_POSITION or len(position.splitlines()) > MOST_POSITION_LINES:
        raise TooLong(
            f"A position may have {MOST_POSITION_LINES} lines and {LONGEST_POSITION:,} characters"
            " at most; none was laid."
        )
    game = game_info.known(game_key)
    board = _blank(game)
    if game.lay is None:
        raise NotFound(f"Positions of {game.about.title} cannot be given as text.")
    laid = game.lay(board._view, position)
    lost = tuple(
        Refusal.invalid(line, line, _NO_POSITION) for line in laid.orders.splitlines()[:MOST_FAULTS]
    )
    return replace(_board(game, laid.view, None), faults=(*laid.refusals, *lost))


def _blank(game: AnyGame) -> Board:
    if game.trial is None:
        raise _no_trials(game)
    return _board(game, game.view(_opening(game), None), None)


def _opening(game: AnyGame) -> object:
    """Return the state in which a match of the most players begins, the same for everybody and used
    by no match.
    """
    firsts = {name: chance.first_element(_SEED, name) for name in chance.STREAMS}
    seats = game.about.seats[max(game.about.seats)]
    return game.start(
        seats, complete_options(game.about, {}), chance.of_phase(firsts, Setting("", 0))
    )


# --- spelling


@dataclass(frozen=True)
class Spelled:
    """What the parser of a game understands of a text, as orders of one seat with which a match
    begins.
    """

    seat: Seat
    seats: tuple[Seat, ...]  # who could write orders there
    example: str  # an order that would be understood
    phase: str
    orders: tuple[str, ...] = ()  # as understood, in the game's own spelling
    refusals: tuple[Refusal, ...] = ()
    remarks: tuple[str, ...] = ()


def spell_orders(game_key: str, seat: Seat, text: str) -> Spelled:
    """Read a text as orders of a seat for the first phase of a game; another seat stands in for an
    unknown one.

    Raises NotFound for an unknown game, TooLong with a sentence.
    """
    game = game_info.known(game_key)
    state = _opening(game)
    phase = game.phase(state)
    seats = tuple(phase.due)
    own = seat if seat in seats else seats[0]
    choices = [
        choice.text for slot in game.slots(state, own) for choice in slot.choices if choice.text
    ]
    blank = Spelled(own, seats, choices[0] if choices else "", phase.name)
    if not text.strip():
        return blank
    read = understand(game, state, own, parse_submission(text).parts[0])
    return replace(
        blank,
        orders=tuple(filter(None, read.text.splitlines())),
        refusals=read.refusals,
        remarks=read.remarks,
    )


def of_phase(session: Session, uid: str, number: int, player_id: int | None) -> Board:
    """Return the position at the beginning of a phase as the viewer sees it; raises NotFound.

    Phase 0 asked for no orders: its board is the opening position.
    """
    match = by_uid(session, uid)
    game = game_of(match)
    if game.trial is None:
        raise _no_trials(game)
    row = _row(session, match, number)
    viewer = viewer_of(match, _seat(session, match, player_id), {})
    state = load_state(game, row.before if row.number else row.after)
    everybody = viewer_of(match, None, {})
    opened, public = _opened(row, viewer), _opened(row, everybody).splitlines()
    return replace(
        _board(game, viewer.view(game, state), viewer.seat, name=row.name, orders=opened),
        _public=everybody.view(game, state),
        _secret="\n".join(
            line for line in opened.splitlines() if line.strip() and line not in public
        ),
    )


def of_seat(session: Session, uid: str, player_id: int) -> Board:
    """Return the position of a match's open phase as a player sees it; raises NotFound, or NotNow
    if no phase is open.
    """
    match = by_uid(session, uid)
    phase = open_phase(session, match)
    if phase is None:
        raise NotNow(why_not_open(match))
    return of_phase(session, uid, phase.number, player_id)


def _board(
    game: AnyGame, view: View, seat: Seat | None, *, name: str = "", orders: str = ""
) -> Board:
    return Board(
        game.about.key, name, game.draw(view), game.text_board(view), orders, game, view, seat, view
    )


def _row(session: Session, match: Match, number: int) -> PhaseRow:
    wanted = select(PhaseRow).where(PhaseRow.match_id == match.id, PhaseRow.number == number)
    row = session.exec(wanted).first() if number <= LARGEST_NUMBER else None
    if row is None:
        raise NotFound(f"This match has no phase {number} yet.")
    return row


def _seat(session: Session, match: Match, player_id: int | None) -> Seat | None:
    seat = sitting(seats_of(session, match), player_id)
    return seat.name if seat else None


def _opened(row: PhaseRow, viewer: Viewer) -> str:
    """Return the orders of a closed phase that the viewer may know, each under its seat's name."""
    taken = row.taken if row.closed_at is not None else None
    events = {
        name: each["orders"] for name, each in (taken or {}).items() if viewer.sees_orders(name)
    }
    return "\n\n".join(f"{name}:\n{orders}" for name, orders in events.items() if orders)
