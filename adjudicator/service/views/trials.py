"""Trials: adjudicate any orders on a board as the viewer sees it; nothing is stored, and nothing sealed is opened."""

from dataclasses import dataclass, field

from sqlmodel import Session, select

from adjudicator import catalogue
from adjudicator.core import chance
from adjudicator.core.chance import Setting
from adjudicator.core.game import AnyGame, Parsed, Refusal, Seat, Trial, View, may_read
from adjudicator.core.options import complete_options
from adjudicator.play.decoration import remove_decoration
from adjudicator.play.submission import ParsedSubmission, parse_submission, split_alternatives
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.rows import by_uid, open_phase, seats_of, sitting, why_not_open
from adjudicator.service.base.state import Viewer, dump_view, game_of, load_state, viewer_of
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.views import game_info
from adjudicator.service.views.match_page import LARGEST_NUMBER

_SEED = bytes(32)  # for blank boards only: the same for everybody, used by no match
_FIRST_PART = "Only the orders before THEN were tried: what comes after them depends on what others do."


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
class Board:
    """A position as one viewer knows it, on which orders may be tried."""

    game_key: str
    name: str  # its phase, "" of a blank board
    picture: str
    text: str  # the position in words
    orders: str  # the orders given here, as far as the viewer may know them, to start from; "" before the phase is closed
    _game: AnyGame = field(repr=False)
    _view: View = field(repr=False)
    _seat: Seat | None

    def tried(self, text: str) -> Tried:
        """Try `text`, orders of any seats; of the alternatives on a line the first possible one counts.

        Raises TooLong with a sentence.
        """
        submission = parse_submission(text)
        trial = self._tried(self._first_possible(remove_decoration(submission.parts[0], self._read)))
        events = [event for event in trial.events if may_read(event, self._seat)]
        lines = self._game.story(trial.view, events)
        picture, board = self._game.draw(trial.view), self._game.text_board(trial.view)
        return Tried(picture, board, lines, trial.refusals, (*trial.remarks, *_not_tried(submission)), dump_view(self._game, trial.view))

    def _read(self, text: str) -> Parsed[str]:
        """Return the lines of a text that a trial accepts, in place of parsed orders, and its refusals."""
        refusals = self._tried(text).refusals
        refused = {refusal.line for refusal in refusals}
        return Parsed(tuple(line for line in text.splitlines() if line not in refused), refusals)

    def _tried(self, text: str) -> Trial:
        if self._game.trial is None:
            raise _no_trials(self._game)
        return self._game.trial(self._view, text)

    def _first_possible(self, text: str) -> str:
        """Return the text with one alternative a line: the first that is not refused, else the first. One trial tests them all."""
        lines = [split_alternatives(line) or [""] for line in text.splitlines()]
        if all(len(choices) < 2 for choices in lines):
            return text
        trial = self._tried("\n".join(choice for choices in lines for choice in choices))
        refused = {refusal.line for refusal in trial.refusals}
        chosen = ([choice for choice in choices if choice not in refused] or choices for choices in lines)
        return "\n".join(choices[0] for choices in chosen)


def _not_tried(submission: ParsedSubmission) -> tuple[str, ...]:
    return (_FIRST_PART,) if submission.parts[1:] else ()


def possible(game_key: str) -> bool:
    """Whether orders of a game can be tried; raises NotFound for an unknown game."""
    return game_info.known(game_key).trial is not None


def _no_trials(game: AnyGame) -> NotFound:
    can = [each.about.title for each in catalogue.GAMES if each.trial is not None]
    return NotFound(f"Orders of {game.about.title} cannot be tried on a board; those of {' and '.join(can)} can.")


# --- boards


def blank(game_key: str) -> Board:
    """Return the opening position of a game as an observer sees it; raises NotFound for an unknown game or one without trials."""
    game = game_info.known(game_key)
    if game.trial is None:
        raise _no_trials(game)
    firsts = {name: chance.first_element(_SEED, name) for name in chance.STREAMS}
    seats = game.about.seats[max(game.about.seats)]
    state = game.start(seats, complete_options(game.about, {}), chance.of_phase(firsts, Setting("", 0)))
    return _board(game, game.view(state, None), None)


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
    view = viewer.view(game, load_state(game, row.before if row.number else row.after))
    return _board(game, view, viewer.seat, name=row.name, orders=_opened(game, row, viewer))


def of_seat(session: Session, uid: str, player_id: int) -> Board:
    """Return the position of a match's open phase as a player sees it; raises NotFound, or NotNow if no phase is open."""
    match = by_uid(session, uid)
    phase = open_phase(session, match)
    if phase is None:
        raise NotNow(why_not_open(match))
    return of_phase(session, uid, phase.number, player_id)


def _board(game: AnyGame, view: View, seat: Seat | None, *, name: str = "", orders: str = "") -> Board:
    return Board(game.about.key, name, game.draw(view), game.text_board(view), orders, game, view, seat)


def _row(session: Session, match: Match, number: int) -> PhaseRow:
    wanted = select(PhaseRow).where(PhaseRow.match_id == match.id, PhaseRow.number == number)
    row = session.exec(wanted).first() if number <= LARGEST_NUMBER else None
    if row is None:
        raise NotFound(f"This match has no phase {number} yet.")
    return row


def _seat(session: Session, match: Match, player_id: int | None) -> Seat | None:
    seat = sitting(seats_of(session, match), player_id)
    return seat.name if seat else None


def _opened(game: AnyGame, row: PhaseRow, viewer: Viewer) -> str:
    """Return the orders of a closed phase that the viewer may know, each under its seat's name."""
    taken = row.taken if row.closed_at is not None else None
    told = {name: each["orders"] for name, each in (taken or {}).items() if viewer.sees_orders(game, name)}
    return "\n\n".join(f"{name}:\n{orders}" for name, orders in told.items() if orders)
