"""Small pictures of boards for lists: a closed phase as everybody may see it, with coarser
outlines.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import Select
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.memory import OF
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import game_of, load_state, viewer_of
from adjudicator.service.base.tables import Match, PhaseRow

LARGEST_NUMBER = 2**31 - 1  # the largest that an integer column holds on every database
STEP = 4  # units of the picture to which the outlines of a large map are rounded
_LONG = 60  # characters of an outline; a shorter one belongs to a piece and stays as it is
_TITLES = re.compile(r"<title>.*?</title>", re.DOTALL)
_FOR_PAGES = re.compile(r' (?:id|role|aria-label|pointer-events|data-\w+)="[^"]*"')
_OUTLINE = re.compile(r'(?<= d=")[MLlZz0-9. -]+(?=")')
_TOKEN = re.compile(r"[MLlZz]|-?[0-9]*\.?[0-9]+")


@dataclass(frozen=True)
class NewestBoard:
    """The newest board that everybody may see of a match."""

    number: int  # of the closed phase; 0 is the start
    moved_at: datetime  # when that phase closed
    open_hands: bool  # whether the match has ended, so that nothing is hidden


@cache
def _newest_wanted() -> Select[str, str, int, datetime | None]:
    newest = select(PhaseRow.number).where(
        PhaseRow.match_id == Match.id, col(PhaseRow.closed_at).is_not(None)
    )
    last = newest.order_by(col(PhaseRow.number).desc()).limit(1).correlate(Match).scalar_subquery()
    shown = select_columns(
        col(Match.uid), col(Match.status), col(PhaseRow.number), col(PhaseRow.closed_at)
    )
    shown = shown.join(PhaseRow, onclause=col(PhaseRow.match_id) == col(Match.id))
    return shown.where(col(Match.uid).in_(OF), col(PhaseRow.number) == last)


def newest_boards(session: Session, uids: Iterable[str]) -> dict[str, NewestBoard]:
    """Return the newest board of each of these matches that has begun, in one statement."""
    found = session.execute(_newest_wanted(), {OF.key: list(uids)})
    return {
        uid: NewestBoard(number, closed_at, status == "ended")
        for uid, status, number, closed_at in found
        if closed_at is not None
    }


def board_picture(session: Session, uid: str, number: int) -> tuple[str, bool, bool]:
    """Return the small picture of a closed phase, as SVG, and whether the match has ended and is
    private; raises NotFound.
    """
    match = by_uid(session, uid)
    closed = select_columns(col(PhaseRow.after)).where(
        col(PhaseRow.match_id) == match.id, col(PhaseRow.closed_at).is_not(None)
    )
    row = (
        session.execute(closed.where(col(PhaseRow.number) == number)).first()
        if number <= LARGEST_NUMBER
        else None
    )
    if row is None:
        raise NotFound("There is no board of this phase.")
    game = game_of(match)
    drawn = simplify(game.draw(viewer_of(match, None, {}).view(game, load_state(game, row[0]))))
    return drawn, match.status == "ended", match.private


def simplify(svg: str) -> str:
    """Return a picture without titles and ids; the outlines of lands are rounded to STEP units.

    Every outline is rounded to the same grid, so that neighbours still meet.
    """
    return _OUTLINE.sub(_round_outline, _FOR_PAGES.sub("", _TITLES.sub("", svg)))


def _round_outline(found: re.Match[str]) -> str:
    return found[0] if len(found[0]) < _LONG else "".join(_rounded(_TOKEN.findall(found[0])))


def _rounded(commands: list[str]) -> Iterator[str]:
    """Yield the parts of an outline of straight lines, each point rounded, without those that fall
    on the one before.
    """
    at, begun, drawn, command, path = (0.0, 0.0), (0.0, 0.0), (0, 0), "M", ""
    numbers: list[float] = []
    for word in commands:
        if word in "Zz":
            at, drawn, path = begun, _on_grid(begun), "z"
            yield path
        elif word.isalpha():
            command = word
        else:
            numbers.append(float(word))
        if len(numbers) < 2:
            continue
        x, y = numbers
        numbers.clear()
        at = (at[0] + x, at[1] + y) if command == "l" else (x, y)
        point = _on_grid(at)
        if command == "M":
            begun, command, path = at, "L", "M"
            yield f"M{point[0]} {point[1]}"
        elif point != drawn:
            step = f" {point[0] - drawn[0]} {point[1] - drawn[1]}".replace(" -", "-")
            yield step if path == "l" else f"l{step.lstrip()}"
            path = "l"
        drawn = point


def _on_grid(at: tuple[float, float]) -> tuple[int, int]:
    return round(at[0] / STEP) * STEP, round(at[1] / STEP) * STEP
