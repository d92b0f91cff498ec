"""A match as a moving picture: the boards of its closed phases in one SVG, which changes from one
to the next by itself.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import groupby

from sqlmodel import Session, col, select

from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import game_of, load_state, viewer_of
from adjudicator.service.base.tables import PhaseRow

MOST_FRAMES = 40
MOST_BYTES = 600_000
SECONDS = 1.6  # that a board is shown
_CHILD = re.compile(r"<(?P<close>/)?(?P<name>[a-z]+)\b[^>]*?(?P<empty>/)?>|[^<]+")
_BOX = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')

Frames = Sequence[tuple[str, str]]
"""Boards in order: the name of the phase, and the picture after it as SVG."""


def closed_boards(session: Session, uid: str) -> Frames:
    """Return the boards of the newest closed phases as an observer may see them, oldest first.

    A file to share shows nothing that only one seat may know. Raises NotFound, and NotNow before
    the start.
    """
    match = by_uid(session, uid)
    game, viewer = game_of(match), viewer_of(match, None, {})
    closed = select(PhaseRow).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None)
    )
    rows = list(session.exec(closed.order_by(col(PhaseRow.number).desc()).limit(MOST_FRAMES)))[::-1]
    if not rows:
        raise NotNow("The match has not begun, so there is nothing to show yet.")
    return [(row.name, game.draw(viewer.view(game, load_state(game, row.after)))) for row in rows]


def animate(frames: Frames) -> str:
    """Return one SVG that shows the boards in turn; the oldest are left out where it would be
    larger than MOST_BYTES.

    What several boards in a row share is in it once. Who prefers reduced motion sees the last
    board.
    """
    while True:
        moving = _animate(frames)
        if len(moving.encode()) <= MOST_BYTES or len(frames) == 1:
            return moving
        frames = frames[max(1, len(frames) // 5) :]


def _animate(frames: Frames) -> str:
    merged = _merge([_chunks(picture) for _, picture in frames])
    spans = sorted({span for _, span in merged})
    names = {span: f"s{number}" for number, span in enumerate(spans)}
    body = "".join(
        _shown("".join(chunk for chunk, _ in group), span, names, len(frames))
        for span, group in groupby(merged, lambda each: each[1])
    )
    width, height = _size(frames[-1][1])
    titles = "".join(
        _title(name, number, len(frames), height) for number, (name, _) in enumerate(frames)
    )
    rules = "".join(
        _rule(names[span], span, len(frames)) for span in spans if len(span) < len(frames)
    )
    rules += "".join(_rule(f"t{number}", (number,), len(frames)) for number in range(len(frames)))
    label, whole = f"{escape(frames[0][0])} to {escape(frames[-1][0])}", f"{height + 40:g}"
    still = "@media (prefers-reduced-motion:reduce){g,text{animation:none!important}}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {whole}" width="{width:g}"'
        f' height="{whole}" role="img" aria-label="{label}"><style>{rules}{still}</style><rect'
        f' width="100%" height="100%" fill="#FAF7F0"/>{body}{titles}</svg>\n'
    )


def _size(picture: str) -> tuple[float, float]:
    found = _BOX.search(picture)
    return (float(found["width"]), float(found["height"])) if found else (720.0, 720.0)


# --- the boards as one sequence of elements, each with the boards that it is on

Span = tuple[int, ...]


def _chunks(picture: str) -> list[str]:
    """Return the elements of a picture in order; groups that only hold others together are opened,
    so that others can be shared.
    """
    inner = picture[picture.index(">") + 1 : picture.rindex("</svg>")]
    return list(_elements(re.sub(r' (?:id|data-from)="[^"]*"|<title>[^<]*</title>', "", inner)))


def _elements(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for found in _CHILD.finditer(text):
        if found["name"] is None or found["empty"]:
            if not depth:
                yield found[0]
            continue
        if not found["close"]:
            start = start if depth else found.start()
            depth += 1
            continue
        depth -= 1
        if not depth:
            yield text[start : found.end()]


def _merge(boards: Sequence[list[str]]) -> list[tuple[str, Span]]:
    merged: list[tuple[str, Span]] = [(chunk, (0,)) for chunk in boards[0]]
    for number, board in enumerate(boards[1:], 1):
        merged = list(_with(merged, board, number))
    return merged


def _with(
    merged: list[tuple[str, Span]], board: list[str], number: int
) -> Iterator[tuple[str, Span]]:
    """Yield the sequence with one more board in it; what it shares with the others stays where it
    is.
    """
    matcher = SequenceMatcher(None, [chunk for chunk, _ in merged], board, autojunk=False)
    for kind, left, right, first, last in matcher.get_opcodes():
        if kind == "equal":
            yield from ((chunk, (*span, number)) for chunk, span in merged[left:right])
            continue
        yield from merged[left:right]
        yield from ((chunk, (number,)) for chunk in board[first:last])


# --- what is written


def _shown(drawn: str, span: Span, names: dict[Span, str], boards: int) -> str:
    if len(span) == boards:
        return drawn
    hidden = "" if boards - 1 in span else ' visibility="hidden"'
    return f'<g class="{names[span]}"{hidden}>{drawn}</g>'


def _title(name: str, number: int, boards: int, top: float) -> str:
    hidden = "" if number == boards - 1 else ' visibility="hidden"'
    look = f'x="20" y="{top + 27:g}" font-family="Georgia,serif" font-size="22" fill="#1F2430"'
    return f'<text class="t{number}"{hidden} {look}>{escape(name)}</text>'


def _rule(name: str, span: Span, boards: int) -> str:
    """Return the style by which a part is seen with the boards of its span alone."""
    steps, last = [], None
    for number in range(boards):
        if (seen := number in span) is not last:
            look = "visible" if seen else "hidden"
            steps.append(f"{100 * number / boards:.3g}%{{visibility:{look}}}")
            last = seen
    return (
        f".{name}{{animation:{name} {1000 * boards * SECONDS:g}ms step-end infinite}}@keyframes"
        f" {name}{{{''.join(steps)}}}"
    )
