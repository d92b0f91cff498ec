"""What a seat sees: the view, its picture, the same as text, the story, and the picture of the
rules page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core.game import Event, Seat
from adjudicator.games.kit.shapes import Size, Spot, fill, frame, number, stroke, text
from adjudicator.games.kit.words import capital, count, scores_text, who
from adjudicator.games.skeleton.model import Ended, Played, Round, Side, State, phase_name
from adjudicator.games.skeleton.orders import card_id

WIDTH, HEIGHT = 720, 330
CARD_WIDTH, CARD_HEIGHT = 54, 76


@dataclass(frozen=True)
class TableView:
    """The table as `seat` sees it, None being an observer."""

    seat: Seat | None
    phase: str
    sides: tuple[Side, ...]
    last: Round | None
    scores: Mapping[Seat, int]


def look(state: State, seat: Seat | None, *, reveal: bool = False) -> TableView:
    """Return what `seat` may know: all that lies on the table, so `reveal` adds nothing."""
    return TableView(seat, phase_name(state), state.sides, state.last, state.scores)


# --- in words


def text_board(view: TableView) -> str:
    """Return the table in lines of at most 72 columns."""
    return "\n".join([f"{view.phase}.", *(_line(view, side) for side in view.sides)])


def _line(view: TableView, side: Side) -> str:
    you = " (you)" if side.seat == view.seat else ""
    held = ", ".join(map(str, side.hand)) or "no more cards"
    return f"Seat {side.seat}{you}: {count(side.score, 'point')}; holds {held}."


def tell_story(view: TableView, events: Sequence[Event]) -> tuple[str, ...]:
    """Return a sentence for each event; the view's own seat is addressed as you."""
    return tuple(capital(_sentence(view.seat, event)) for event in events)


def _sentence(you: Seat | None, event: Event) -> str:
    if isinstance(event, Played):
        shown = " and ".join(
            f"{who(you, seat)} played {card}" for seat, card in sorted(event.cards.items())
        )
        outcome = (
            f"{who(you, event.winner)} took the point" if event.winner else "nobody took the point"
        )
        return f"In round {event.number} {shown}; {outcome}."
    assert isinstance(event, Ended)  # noqa: S101 there are two kinds
    scores = scores_text(you, dict(sorted(event.scores.items())))
    return (
        f"The match is over: {f'{who(you, event.winner)} won' if event.winner else 'a draw'};"
        f" {scores}."
    )


# --- as a picture


def draw(view: TableView) -> str:
    """Return the picture of what `view` shows; the ids in it are those of the cards in the
    hands.
    """
    label = (
        f"Skeleton, {view.phase}: "
        + ", ".join(f"seat {side.seat} has {count(side.score, 'point')}" for side in view.sides)
        + "."
    )
    heading = text(Spot(28, 46), view.phase, 30, serif=True, bold=True)
    return frame(
        "skeleton",
        label,
        Size(WIDTH, HEIGHT),
        heading + "".join(_side(view, row, side) for row, side in enumerate(view.sides)),
    )


def _side(view: TableView, row: int, side: Side) -> str:
    top = 70 + row * 125
    name = (
        f"Seat {side.seat}{' (you)' if side.seat == view.seat else ''}:"
        f" {count(side.score, 'point')}"
    )
    hand = "".join(
        f'<g id="{card_id(side.seat, card)}" class="piece"><title>card'
        f" {card}</title>{_card(card, Spot(28 + place * 62, top + 30))}</g>"
        for place, card in enumerate(side.hand)
    )
    shown = _card(view.last.cards[side.seat], Spot(638, top + 30)) if view.last else ""
    return text(Spot(28, top + 20), name, 20, bold=True) + hand + shown


def _card(card: int, at: Spot) -> str:
    box = (
        f'<rect x="{number(at.x)}" y="{number(at.y)}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}"'
        ' rx="6"'
    )
    middle = Spot(at.x + CARD_WIDTH / 2, at.y + 50)
    return f"{box} {fill('paper')}/>{box} {stroke('ink-line', 2)}/>" + text(
        middle, str(card), 30, anchor="middle", bold=True
    )


def rule_pictures() -> dict[str, str]:
    """Return the pictures of the rules page by name."""
    label = "Seat 1 shows 4 and seat 2 shows 2: seat 1 takes the point."
    shown = "".join(
        text(Spot(90 + place * 180, 40), f"Seat {place + 1}", 20, anchor="middle")
        + _card(card, Spot(63 + place * 180, 56))
        for place, card in enumerate((4, 2))
    )
    return {"round": frame("skeleton", label, Size(360, 160), shown)}
