"""What one seat may know of a match, and the same as plain text: its own hand, and all that was
played (ruling R7).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import KINDS, Kind
from adjudicator.games.kit.words import capital, count, listing, who, whose
from adjudicator.games.redeux.orders import possible_bets
from adjudicator.games.redeux.state import Ending, Part, Showing, Side, State, Terms


@dataclass(frozen=True)
class OpenSide:
    """What everybody may know of one seat."""

    seat: Seat
    score: int
    cards: int  # how many it holds
    pile: int
    spent: tuple[Kind, ...]
    hand: tuple[Kind, ...] = ()  # once the match has ended


@dataclass(frozen=True)
class TableView:
    """The table as `seat` sees it, None being an observer."""

    seat: Seat | None
    phase: str  # "Round 2", "Risk Round 3, try 2", or "The end"
    part: Part
    terms: Terms
    sides: tuple[OpenSide, ...]
    hand: tuple[Kind, ...]  # of `seat`; () for an observer
    # the bets possible now, 0 being no bet; () for an observer and where no card is due
    bets: tuple[int, ...]
    deck: int  # how many cards the Risk deck has
    discard: tuple[Kind, ...]
    picks: int
    answers: Mapping[Seat, bool]
    ending: Ending | None
    last: Showing | None
    scores: Mapping[Seat, int]

    @property
    def leader(self) -> Seat:
        """The seat with more points, the first where they are equal."""
        return max(sorted(self.scores), key=lambda seat: self.scores[seat])


def phase_name(state: State) -> str:
    """Return what the coming pick is called."""
    if state.part == "over":
        return "The end"
    if state.part == "question":
        return "The Risk Rounds question"
    title = f"{'Risk Round' if state.part == 'risk' else 'Round'} {state.number}"
    return f"{title}, try {state.ties + 1}" if state.ties else title


def look(state: State, seat: Seat | None, *, reveal: bool = False) -> TableView:
    """Return what `seat` may know: its hand, how many cards the other holds and the deck has, what
    was played; all hands with `reveal`.
    """
    return _view(state, seat, open_to_all=reveal or state.part == "over")


def _view(state: State, seat: Seat | None, *, open_to_all: bool) -> TableView:
    picking = seat is not None and state.part in ("primary", "risk")
    return TableView(
        seat=seat,
        phase=phase_name(state),
        part=state.part,
        terms=state.terms,
        sides=tuple(_side(side, open_to_all=open_to_all) for side in state.sides),
        hand=state.side(seat).hand if seat else (),
        bets=tuple(possible_bets(state, seat)) if seat and picking else (),
        deck=len(state.deck),
        discard=state.discard,
        picks=state.picks,
        answers=state.answers,
        ending=state.ending,
        last=state.last,
        scores=state.scores,
    )


def _side(side: Side, *, open_to_all: bool) -> OpenSide:
    return OpenSide(
        side.seat,
        side.score,
        len(side.hand),
        side.pile,
        side.spent,
        side.hand if open_to_all else (),
    )


# --- words that a report and a picture share


def round_name(showing: Showing) -> str:
    """Return `round 2` or `Risk Round 3`."""
    return (
        f"round {showing.number}" if showing.part == "primary" else f"Risk Round {showing.number}"
    )


def what_beat_what(you: Seat | None, showing: Showing) -> str:
    """Return what the two cards did, without a full stop: `your rock beat seat 2’s scissors`."""
    one, other = sorted(showing.cards)
    if showing.cards[one] == showing.cards[other]:
        first, second = (
            (you, other if you == one else one) if you in showing.cards and you else (one, other)
        )
        return f"{who(you, first)} and {who(you, second)} both played {showing.cards[one]}"
    winner = showing.winner or one
    loser = other if winner == one else one
    return (
        f"{whose(you, winner)} {showing.cards[winner]} beat {whose(you, loser)}"
        f" {showing.cards[loser]}"
    )


def _cards_text(cards: Iterable[Kind]) -> str:
    """Return the cards counted: `2 rock and 1 paper`, or `none`."""
    counted = Counter(cards)
    return listing([f"{counted[kind]} {kind}" for kind in KINDS if counted[kind]] or ["none"])


# --- plain text


def text_board(view: TableView) -> str:
    """Return the table in lines of at most 72 columns, a block for each seat."""
    blocks = [f"{_title(view)}\n{_last_line(view)}", *(_block(view, side) for side in view.sides)]
    if view.part == "risk":
        blocks.append(_deck_lines(view))
    return "\n\n".join(blocks)


def _title(view: TableView) -> str:
    if view.part == "over":
        return f"The end: {who(view.seat, view.leader)} won"
    if view.part == "primary":
        return f"{view.phase} of {view.terms.rounds} in the Primary game"
    if view.part == "risk":
        return f"{view.phase}: {view.terms.target} points win"
    return view.phase


def _last_line(view: TableView) -> str:
    if view.last is None:
        return "No card is played yet."
    return f"{capital(round_name(view.last))}: {what_beat_what(view.seat, view.last)}."


def _block(view: TableView, side: OpenSide) -> str:
    own = side.seat == view.seat
    lines = [f"Seat {side.seat}{' (you)' if own else ''}: {count(side.score, 'point')}"]
    hand = view.hand if own else side.hand
    lines.append(
        f"  hand    {_cards_text(hand) if own or hand else count(side.cards, 'card') + ', hidden'}"
    )
    lines.append(f"  played  {_cards_text(side.spent)}")
    if side.pile:
        lines.append(f"  won     {count(side.pile, 'card')} in the match pile")
    return "\n".join(lines)


def _deck_lines(view: TableView) -> str:
    return f"Deck: {count(view.deck, 'card')}\nDiscard: {_cards_text(view.discard)}"
