"""The table as a picture: the last round in the middle, the score, and what each seat still has and
has kept.
"""

from adjudicator.games.kit.shapes import (
    Size,
    Spot,
    draw_lane,
    draw_rule,
    draw_seat_mark,
    frame,
    number,
    stroke,
    text,
)
from adjudicator.games.kit.words import listing
from adjudicator.games.pyramid.pieces import HIDDEN_RED, RED_STACK, STACKS, Piece, piece_name
from adjudicator.games.pyramid.shapes import draw_ghost, draw_pyramid, width_of
from adjudicator.games.pyramid.showing import draw_empty_showing, draw_showing
from adjudicator.games.pyramid.state import Hand, Round, open_round
from adjudicator.games.pyramid.view import TableView, count_pips, pieces_text

WIDTH = 720
SHOWING_TOP, SCORE_TOP, SEATS_TOP, SEAT_HEIGHT = 84, 446, 590, 218
HEIGHT = SEATS_TOP + 3 * SEAT_HEIGHT + 18

REDS = (*RED_STACK, HIDDEN_RED)
EXAMPLES = {
    "full_sweep": ("B3", "B2", "W2"),
    "line_sweep": ("B3", "W3", "C2"),
    "solo": ("R1", "W3", "B2"),
    "wishbone": ("B2", "W2", "W3"),
    "standoff": ("B3", "B2", "B1"),
    "washout": ("B3", "W1", "C2"),
}


def draw(view: TableView) -> str:
    """Return the picture of what `view` shows; its ids are those of the pieces in the pools,
    `pyramid-1-B3`.
    """
    middle = (
        draw_showing(view.last, SHOWING_TOP, view.seat)
        if view.last
        else draw_empty_showing(view.hands, SHOWING_TOP, view.seat)
    )
    seats = "".join(
        _seat(view, hand, SEATS_TOP + place * SEAT_HEIGHT) for place, hand in enumerate(view.hands)
    )
    return frame(
        "pyramid",
        _sentence(view),
        Size(WIDTH, HEIGHT),
        _heading(view) + middle + _scores(view, SCORE_TOP) + seats,
    )


def rule_pictures() -> dict[str, str]:
    """Return a picture of an example for each pattern, by the pattern's name with an underscore:
    `full_sweep`.
    """
    return {key: _rule_picture(pieces) for key, pieces in EXAMPLES.items()}


def _rule_picture(pieces: tuple[Piece, ...]) -> str:
    opened = open_round(1, dict(zip("123", pieces, strict=True)))
    shown = ", ".join(f"seat {seat} {piece_name(piece)}" for seat, piece in opened.picks.items())
    label = f"{opened.pattern.capitalize()}: {shown}; {_outcome(opened)}."
    return frame("pyramid", label, Size(WIDTH, 358), draw_showing(opened, 0, None))


# --- words


def _outcome(opened: Round) -> str:
    return (
        f"seat {opened.taker} takes {pieces_text(opened.taken)}"
        if opened.taker
        else "nobody takes anything"
    )


def _sentence(view: TableView) -> str:
    scores = ", ".join(f"seat {hand.seat} {count_pips(hand.score)}" for hand in view.hands)
    if view.last is None:
        return f"Rock Paper Pyramid before round 1 of {view.rounds}."
    return (
        f"Rock Paper Pyramid after round {view.last.number} of {view.rounds}, a"
        f" {view.last.pattern}: {_outcome(view.last)}; {scores}."
    )


def _heading(view: TableView) -> str:
    if view.last is None:
        title, line, corner = (
            f"Round 1 of {view.rounds}",
            "All three choose; nothing is shown yet.",
            "",
        )
    else:
        title = view.last.pattern.capitalize()
        line = _winner(view) or f"{_outcome(view.last).capitalize()}."
        corner = f"Round {view.last.number} of {view.rounds}"
    return (
        text(Spot(28, 50), title, 34, serif=True, bold=True)
        + text(Spot(28, 82), line, 21, colour="faint")
        + text(Spot(WIDTH - 28, 48), corner, 22, colour="faint", anchor="end")
    )


def _winner(view: TableView) -> str:
    if view.phase != "The end":
        return ""
    first = [
        seat for seat, score in sorted(view.scores.items()) if score == max(view.scores.values())
    ]
    return (
        f"Seat {first[0]} wins the match."
        if len(first) == 1
        else f"Seats {listing(first)} share first place."
    )


# --- the score track


def _scores(view: TableView, top: float) -> str:
    longest = max(10, -(-max(view.scores.values()) // 5) * 5)
    step = (WIDTH - 222) / longest  # the winner's "15, first" stands after the longest lane
    ticks = "".join(
        _tick(Spot(80 + value * step, top), value) for value in range(0, longest + 1, 5)
    )
    lanes = "".join(
        _lane(view, hand, Spot(80, top + 38 + place * 34), step)
        for place, hand in enumerate(view.hands)
    )
    return (
        draw_rule(top - 12, WIDTH)
        + text(Spot(WIDTH - 28, top + 14), "pips", 17, colour="faint", anchor="end")
        + ticks
        + lanes
    )


def _tick(at: Spot, value: int) -> str:
    label = text(Spot(at.x, at.y + 14), str(value), 17, colour="faint", anchor="middle")
    return (
        f'{label}<path d="M{number(at.x)} {number(at.y + 20)}V{number(at.y + 124)}"'
        f" {stroke('line', 1)}/>"
    )


def _lane(view: TableView, hand: Hand, start: Spot, step: float) -> str:
    won = view.phase == "The end" and hand.score == max(view.scores.values())
    label = f"{hand.score}, first" if won else str(hand.score)
    return draw_lane(hand.seat, start, hand.score * step, label, own=hand.seat == view.seat)


# --- what lies before a seat


def _seat(view: TableView, hand: Hand, top: float) -> str:
    own = hand.seat == view.seat
    title = text(Spot(72, top + 35), f"Seat {hand.seat}" + (" (you)" if own else ""), 22, bold=True)
    left = f"{len(hand.pool)} to play" if hand.pool else "nothing left to play"
    count = text(Spot(WIDTH - 28, top + 35), left, 20, colour="faint", anchor="end")
    return (
        draw_rule(top, WIDTH)
        + draw_seat_mark(hand.seat, Spot(46, top + 28), own=own)
        + title
        + count
        + _pool(hand, top + 124)
        + _kept(view, hand, top + 197)
    )


def _pool(hand: Hand, base: float) -> str:
    red = tuple(piece for piece in hand.pool + hand.played if piece in REDS)
    found, x = [], 30.0
    for piece in STACKS + red:
        width = width_of(piece, 60)
        x += (26 if (piece[1] == "3" and piece != "B3") or piece in REDS else 0) + width / 2
        found.append(_pooled(hand, piece, Spot(x, base)))
        x += width / 2 + 6
    return "".join(found)


def _pooled(hand: Hand, piece: Piece, at: Spot) -> str:
    if piece not in hand.pool:
        return draw_ghost(at, width_of(piece, 60))
    shown = piece.removesuffix("?")
    label = text(Spot(at.x, at.y + 23), shown, 18, anchor="middle")
    return (
        f'<g id="pyramid-{hand.seat}-{shown}"'
        f' class="piece"><title>{piece_name(piece)}</title>{draw_pyramid(piece, at, 60)}{label}</g>'
    )


def _kept(view: TableView, hand: Hand, base: float) -> str:
    if not hand.kept:
        return text(
            Spot(30, base + 4),
            "Kept nothing" if view.phase == "The end" else "Nothing kept yet",
            19,
            colour="faint",
        )
    step = min(46.0, 560 / len(hand.kept))
    pieces = (
        _keepsake(piece, Spot(116 + place * step, base), 16 if step > 25 else 12)
        for place, piece in enumerate(hand.kept)
    )
    return text(Spot(30, base + 4), "Kept", 19, colour="faint") + "".join(pieces)


def _keepsake(piece: Piece, at: Spot, size: int) -> str:
    return draw_pyramid(piece, Spot(at.x, at.y - 6), 30) + text(
        Spot(at.x, at.y + 13), piece, size, anchor="middle"
    )
