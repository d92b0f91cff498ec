"""The table as a picture: the last cards face up, the score track, the cards played, and the
reader's hand.
"""

from collections import Counter

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import BEATS, KINDS, Kind
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
from adjudicator.games.kit.words import capital, count, who
from adjudicator.games.redeux.cards import draw_card, draw_card_back, draw_chip
from adjudicator.games.redeux.showing import HEIGHT, draw_empty_showing, draw_showing
from adjudicator.games.redeux.state import STEP, Showing
from adjudicator.games.redeux.view import OpenSide, TableView, round_name, what_beat_what

WIDTH = 720
SHOWING_TOP, SCORE_TOP, SIDES_TOP, SIDE_HEIGHT = 104, 104 + HEIGHT + 22, 104 + HEIGHT + 144, 122
HAND_TOP = SIDES_TOP + 2 * SIDE_HEIGHT
HAND_HEIGHT, CHIP_ROW, CHIPS_A_ROW = 238, 48, 10
MOST_SMALL = 14  # cards played that fit in a row


def card_id(kind: Kind) -> str:
    """Return the id of the own cards of a kind."""
    return f"redeux-hand-{kind}"


def bet_id(bet: int) -> str:
    """Return the id of the chip of a bet."""
    return f"redeux-bet-{bet}"


def question_id(*, yes: bool) -> str:
    """Return the id of an answer's chip."""
    return f"redeux-risk-{'yes' if yes else 'no'}"


def draw(view: TableView) -> str:
    """Return the picture of what `view` shows; its ids are those of the reader's cards, bets and
    answers.
    """
    middle = (
        draw_showing(view.last, SHOWING_TOP, view.seat)
        if view.last
        else draw_empty_showing(tuple(side.seat for side in view.sides), SHOWING_TOP, view.seat)
    )
    sides = "".join(
        _side(view, side, SIDES_TOP + place * SIDE_HEIGHT) for place, side in enumerate(view.sides)
    )
    own, height = _own(view)
    return frame(
        "redeux",
        _sentence(view),
        Size(WIDTH, height),
        _heading(view) + middle + _scores(view) + sides + own,
    )


# --- words


def _sentence(view: TableView) -> str:
    scores = " to ".join(str(side.score) for side in view.sides)
    if view.last is None:
        return "RPS Redeux before the first cards are shown."
    return (
        f"RPS Redeux, {round_name(view.last)}: {what_beat_what(None, view.last)}. The score is"
        f" {scores}."
    )


def _heading(view: TableView) -> str:
    title = f"{who(view.seat, view.leader)} won" if view.part == "over" else view.phase
    line = (
        f"{what_beat_what(view.seat, view.last)}."
        if view.last
        else "Both choose; nothing is shown yet."
    )
    corner = round_name(view.last) if view.last else ""
    return (
        text(Spot(28, 50), capital(title), 34, serif=True, bold=True)
        + text(Spot(28, 84), capital(line), 21, colour="faint")
        + text(
            Spot(WIDTH - 28, 48),
            f"Shown: {corner}" if corner else "",
            20,
            colour="faint",
            anchor="end",
        )
        + text(
            Spot(WIDTH - 28, 82),
            f"{view.deck} in the deck" if view.part == "risk" else "",
            19,
            colour="faint",
            anchor="end",
        )
    )


# --- the score track


def _scores(view: TableView) -> str:
    goal = view.terms.rounds * STEP if view.terms.risk == "never" else view.terms.target
    longest = max(goal, *view.scores.values())
    step, tick = (WIDTH - 190) / longest, max(STEP, goal // 5 // STEP * STEP)
    ticks = "".join(
        _tick(Spot(80 + value * step, SCORE_TOP), str(value))
        for value in range(0, goal, tick)
        if goal - value > tick / 2
    )
    last = _tick(Spot(80 + goal * step, SCORE_TOP), str(goal), strong=view.terms.risk != "never")
    lanes = "".join(
        draw_lane(
            side.seat,
            Spot(80, SCORE_TOP + 40 + place * 36),
            side.score * step,
            str(side.score),
            own=side.seat == view.seat,
        )
        for place, side in enumerate(view.sides)
    )
    return (
        draw_rule(SCORE_TOP - 12, WIDTH)
        + text(Spot(WIDTH - 28, SCORE_TOP + 14), "points", 17, colour="faint", anchor="end")
        + ticks
        + last
        + lanes
    )


def _tick(at: Spot, words: str, *, strong: bool = False) -> str:
    line = stroke("moss-line", 3) if strong else stroke("line", 1)
    label = text(
        Spot(at.x, at.y + 14),
        words,
        17,
        colour="moss" if strong else "faint",
        anchor="middle",
        bold=strong,
    )
    return f'{label}<path d="M{number(at.x)} {number(at.y + 20)}V{number(at.y + 98)}" {line}/>'


# --- what lies before a seat


def _side(view: TableView, side: OpenSide, top: float) -> str:
    own = side.seat == view.seat
    held = count(side.cards, "card") + " in hand" + (f", {side.pile} won" if side.pile else "")
    return (
        draw_rule(top, WIDTH)
        + draw_seat_mark(side.seat, Spot(46, top + 30), own=own)
        + text(Spot(72, top + 37), f"Seat {side.seat}" + (" (you)" if own else ""), 22, bold=True)
        + _held(side, top + 31)
        + text(
            Spot(WIDTH - 74 - _apart(side) * side.cards, top + 37),
            held,
            19,
            colour="faint",
            anchor="end",
        )
        + _spent(view, side, top + 88)
    )


def _apart(side: OpenSide) -> int:
    return 28 if side.hand else 15


def _held(side: OpenSide, y: float) -> str:
    """Return the hand: face down, once the match has ended face up."""
    places = [Spot(WIDTH - 42 - _apart(side) * place, y) for place in reversed(range(side.cards))]
    if side.hand:
        return "".join(draw_card(kind, at, 25) for kind, at in zip(side.hand, places, strict=True))
    return "".join(draw_card_back(at, 25) for at in places)


def _spent(view: TableView, side: OpenSide, y: float) -> str:
    if not side.spent:
        return text(Spot(30, y + 6), "Nothing played yet", 19, colour="faint")
    shown = side.spent[-MOST_SMALL:]
    first = len(side.spent) - len(shown)
    other = next(each for each in view.sides if each.seat != side.seat)
    row = ""
    for place, kind in enumerate(shown):
        at = Spot(128 + place * 39, y)
        row += draw_card(kind, at, 29)
        if other.spent[first + place] == BEATS[kind]:
            row += (
                f'<path d="M{number(at.x - 13)} {number(y + 27)}H{number(at.x + 13)}"'
                f" {stroke('moss-line', 4)}/>"
            )
    return (
        text(Spot(30, y + 6), f"Last {MOST_SMALL}" if first else "Played", 19, colour="faint") + row
    )


# --- for the reader alone: hand, bets, the question


def _own(view: TableView) -> tuple[str, float]:
    """Return what only the reader's own seat sees, and the height of the picture."""
    if view.seat is None or view.part == "over":
        return "", HAND_TOP + 8
    if view.part == "question":
        return _question(HAND_TOP), HAND_TOP + 128
    hand = (
        draw_rule(HAND_TOP, WIDTH)
        + text(Spot(28, HAND_TOP + 36), "Your hand", 22, bold=True)
        + _hand(view, HAND_TOP + 130)
    )
    if view.part == "primary":
        return hand, HAND_TOP + HAND_HEIGHT
    rows = -(-len(view.bets) // CHIPS_A_ROW)
    return (
        hand + _chips(view, HAND_TOP + HAND_HEIGHT),
        HAND_TOP + HAND_HEIGHT + 62 + rows * CHIP_ROW,
    )


def _hand(view: TableView, y: float) -> str:
    counted = Counter(view.hand)
    return "".join(
        _stack(kind, counted[kind], Spot(160 + place * 200, y))
        for place, kind in enumerate(KINDS)
        if counted[kind]
    )


def _stack(kind: Kind, many: int, at: Spot) -> str:
    """Return all the cards of a kind as one stack that can be clicked."""
    cards = "".join(
        draw_card(kind, Spot(at.x + 7 * (up - 1), at.y - 4 * (up - 1)), 104)
        for up in range(min(many, 4), 0, -1)
    )
    title = f"<title>{count(many, kind + ' card')} in your hand</title>"
    label = text(Spot(at.x, at.y + 98), f"{many} {kind}", 20, anchor="middle", bold=True)
    return f'<g id="{card_id(kind)}" class="piece">{title}{cards}{label}</g>'


def _chips(view: TableView, top: float) -> str:
    points = view.bets[-1]
    words = f"up to the {count(points, 'point')} you have" if points else "none: you have no points"
    head = text(Spot(28, top + 36), "Your bet", 22, bold=True) + text(
        Spot(144, top + 36), words, 19, colour="faint"
    )
    return (
        draw_rule(top, WIDTH)
        + head
        + "".join(_bet(bet, place, top + 80) for place, bet in enumerate(view.bets) if points)
    )


def _bet(bet: int, place: int, top: float) -> str:
    at = Spot(62 + place % CHIPS_A_ROW * 66.2, top + place // CHIPS_A_ROW * CHIP_ROW)
    title = f"<title>{f'bet {bet}' if bet else 'no bet'}</title>"
    return (
        f'<g id="{bet_id(bet)}"'
        f' class="square">{title}{draw_chip(str(bet) if bet else "none", at, Size(60, 42))}</g>'
    )


def _question(top: float) -> str:
    chips = "".join(
        f'<g id="{question_id(yes=yes)}" class="square"><title>risk'
        f" {word}</title>{draw_chip(word, Spot(x, top + 82), Size(150, 46))}</g>"
        for yes, word, x in ((True, "yes", 103), (False, "no", 275))
    )
    return (
        draw_rule(top, WIDTH)
        + text(Spot(28, top + 38), "Do you go on to the Risk Rounds?", 22, bold=True)
        + chips
    )


# --- the rules page


def rule_pictures() -> dict[str, str]:
    """Return the pictures of the rules page by their names."""
    beats = "".join(
        draw_card(kind, Spot(130 + place * 230, 112), 120) for place, kind in enumerate(KINDS)
    )
    return {
        "cards": frame(
            "redeux",
            "The three cards: rock, paper and scissors.",
            Size(WIDTH, 250),
            beats + _names(232),
        ),
        "won_bet": _example(
            Showing(
                "risk",
                1,
                {"1": "rock", "2": "scissors"},
                {"1": 10, "2": 5},
                "1",
                {"1": 20, "2": -5},
                0,
            )
        ),
        "tie": _example(
            Showing(
                "risk",
                1,
                {"1": "paper", "2": "paper"},
                {"1": 10, "2": 0},
                None,
                {"1": 0, "2": 0},
                1,
            )
        ),
        "won": _example(
            Showing(
                "primary",
                1,
                {"1": "scissors", "2": "paper"},
                {"1": 0, "2": 0},
                "1",
                {"1": 5, "2": 0},
                0,
            )
        ),
    }


def _names(y: float) -> str:
    return "".join(
        text(Spot(130 + place * 230, y), kind, 21, anchor="middle", bold=True)
        for place, kind in enumerate(KINDS)
    )


def _example(showing: Showing) -> str:
    seats: tuple[Seat, ...] = ("1", "2")
    bets = ", ".join(
        f"seat {seat} bet {showing.bets[seat]}" for seat in seats if showing.bets[seat]
    )
    label = f"{capital(what_beat_what(None, showing))}{f'; {bets}' if bets else ''}."
    return frame("redeux", label, Size(WIDTH, HEIGHT + 16), draw_showing(showing, 12, None))
