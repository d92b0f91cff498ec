"""Whether plain lines of a letter to a seat may be meant as its orders (diplomacy R6)."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from sqlmodel import Session

from adjudicator.play.decoration import remove_decoration
from adjudicator.play.submission import (
    ParsedSubmission,
    TooLong,
    parse_submission,
    split_alternatives,
)
from adjudicator.service.base.rows import OpenSeat, open_phase
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Match, Seat

_PARTS = re.compile(
    r"[.,;:!?()\"“”„«»…]+|\s[-–—]\s|\b(?:and|but|if|then|because|so|that)\b", re.IGNORECASE
)


def only_talks(open_seat: OpenSeat, submission: ParsedSubmission) -> bool:
    """Whether no line of a submission reads as an order, or as a word about orders."""
    if submission.clear or submission.says:
        return False
    lines, game = _lines(submission), game_of(open_seat.match)
    parse = partial(game.parse, load_state(game, open_seat.phase.before), open_seat.seat.name)
    parsed = parse(remove_decoration("\n".join(lines), parse))
    return (
        bool(lines)
        and not parsed.orders
        and all(refusal.kind == "invalid" for refusal in parsed.refusals)
    )


def holds_no_order(session: Session, seat_id: int, lines: Sequence[str]) -> bool:
    """Whether lines to a seat's address are text of which nothing reads as an order or a word about
    orders; False while no phase is open, and where they are too long, which handing them in refuses.
    """
    seat = session.get_one(Seat, seat_id)
    match = session.get_one(Match, seat.match_id)
    phase = open_phase(session, match)
    try:
        submission = parse_submission("\n".join(lines))
    except TooLong:
        return False
    return phase is not None and only_talks(OpenSeat(match, phase, seat), submission)


def likely_orders(session: Session, seat_id: int, lines: Sequence[str]) -> list[str] | None:
    """Return the lines that may be meant as orders: they match the game's order words, or they or a
    part of them parse.

    None where they are to be handed in: every line is an order, a word about orders, or empty; no
    phase is open; or they are too long, which handing them in refuses.
    """
    seat = session.get_one(Seat, seat_id)
    match = session.get_one(Match, seat.match_id)
    phase, game = open_phase(session, match), game_of(match)
    try:
        submission = parse_submission("\n".join(lines))
    except TooLong:
        return None
    if phase is None:
        return None
    open_seat = OpenSeat(match, phase, seat)
    if all(_is_order(open_seat, text) for text in _lines(submission) if text.strip()):
        return None
    return [
        line
        for line in lines
        if game.may_order(line) or any(_is_order(open_seat, part) for part in _parts(line))
    ]


def _lines(submission: ParsedSubmission) -> list[str]:
    return [
        each
        for part in submission.parts
        for line in part.splitlines()
        for each in split_alternatives(line)
    ]


def _parts(line: str) -> Iterator[str]:
    yield line
    yield from (
        part.strip() for part in _PARTS.split(line) if part.strip() and part.strip() != line
    )


def _is_order(open_seat: OpenSeat, text: str) -> bool:
    """Whether a text is an order of the game, possible now or not."""
    game = game_of(open_seat.match)
    state = load_state(game, open_seat.phase.before)
    parsed = game.parse(state, open_seat.seat.name, text)
    return bool(parsed.orders) or any(refusal.kind != "invalid" for refusal in parsed.refusals)
