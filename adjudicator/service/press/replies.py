"""Plain answers to letters of press: to whom they go, and whether any of it may be meant as an order (diplomacy R6)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, select

from adjudicator.core.game import Seat
from adjudicator.play.submission import parse_submission, split_alternatives
from adjudicator.service.base.readiness import open_phase
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Letter, Match, PhaseRow, PressNote
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft, Sent

_PARTS = re.compile(r"[.,;:!?()\"“”„«»…]+|\s[-–—]\s|\b(?:and|but|if|then|because|so|that)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Talk:
    """Whom a plain answer to a letter of press would be written to."""

    match: Match
    seat: SeatRow
    to: tuple[Seat, ...]  # () is everybody, in matches whose press is public


def of_answer(session: Session, seat_id: int, letter: Letter | None) -> Talk | None:
    """Return whom an answer to `letter` by the player of a seat goes to, None where it is no press, or where that cannot be told.

    It goes to the writer and the readers that the letter named; what went to everybody is answered to its writer alone. Who
    wrote anonymous press is known to nobody, so it is never answered so. The letter is found again by its moment: where
    several of one moment differ in whom they name, nobody is guessed.
    """
    seat = session.get_one(SeatRow, seat_id)
    match = session.get_one(Match, seat.match_id)
    if letter is None or letter.kind != "press" or letter.seat != seat.name or messages.hides_writers(match):
        return None
    same = select(PressNote).where(PressNote.match_id == match.id, PressNote.at == letter.made_at, PressNote.seat != seat.name)
    read = [note for note in session.exec(same) if not note.readers or seat.name in note.readers]
    named = {_named(note, seat.name, messages.kind(match)) for note in read}
    return Talk(match, seat, named.pop()) if len(named) == 1 else None


def _named(note: PressNote, own: Seat, kind: messages.Kind) -> tuple[Seat, ...]:
    return () if kind == "public" else (note.seat, *(name for name in note.readers if name != own))


def orders_in(session: Session, talk: Talk, lines: Sequence[str]) -> list[str]:
    """Return those of these lines that may be meant as orders, or hold a part that may be: parsed, or by the game's own words."""
    game, phase = game_of(talk.match), open_phase(session, talk.match)
    return [line for line in lines if game.may_order(line) or (phase is not None and _parses(talk, phase, line))]


def all_orders(session: Session, talk: Talk, lines: Sequence[str]) -> bool:
    """Whether every line is an order of the game, a word about orders, or empty."""
    submission, phase = parse_submission("\n".join(lines)), open_phase(session, talk.match)
    texts = [each for part in submission.parts for line in part.splitlines() for each in split_alternatives(line)]
    return phase is None or all(_is_order(talk, phase, text) for text in texts if text.strip())


def _parses(talk: Talk, phase: PhaseRow, line: str) -> bool:
    return any(_is_order(talk, phase, part) for part in _parts(line))


def _parts(line: str) -> Iterator[str]:
    yield line
    yield from (part.strip() for part in _PARTS.split(line) if part.strip() and part.strip() != line)


def _is_order(talk: Talk, phase: PhaseRow, text: str) -> bool:
    """Whether a text is an order of the game, be it one that is not possible now."""
    game = game_of(talk.match)
    parsed = game.parse(load_state(game, phase.before), talk.seat.name, text)
    return bool(parsed.orders) or any(refusal.kind != "invalid" for refusal in parsed.refusals)


def send_reply(session: Session, talk: Talk, text: str, *, now: datetime) -> Sent:
    """Write it, in a match that the caller has locked. Raises Refused with a sentence, and nothing was sent."""
    return messages.write_in(session, talk.match, talk.seat, PressDraft(talk.to, text), now=now)
