"""The rules of Skeleton: rounds and the result, and the game as a record."""

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Adjudication, Game, Kinds, Phase, Result, Seat
from adjudicator.core.options import Options
from adjudicator.games.kit.ranking import ranking
from adjudicator.games.skeleton.about import ABOUT
from adjudicator.games.skeleton.bot import choose_orders
from adjudicator.games.skeleton.faces import (
    TableView,
    draw,
    look,
    rule_pictures,
    tell_story,
    text_board,
)
from adjudicator.games.skeleton.model import (
    Ended,
    Happened,
    Play,
    Played,
    Round,
    Side,
    State,
    phase_name,
)
from adjudicator.games.skeleton.orders import parse, slots


def start(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Give each seat the cards from 1 on."""
    cards = int(options["cards"])
    return State(cards, tuple(Side(seat, tuple(range(1, cards + 1))) for seat in seats))


def phase(state: State) -> Phase:
    """Both play in every round, until the hands are empty."""
    return Phase(phase_name(state), tuple(side.seat for side in state.sides if side.hand))


def adjudicate(
    state: State, orders: Mapping[Seat, tuple[Play, ...]], chance: Chance
) -> Adjudication[State]:
    """Show both cards; the higher one takes the point. A seat without an order it can follow plays
    its default.
    """
    cards = {
        side.seat: _card(state, side.seat, orders.get(side.seat, ()), chance)
        for side in state.sides
    }
    best = [seat for seat, card in cards.items() if card == max(cards.values())]
    winner = best[0] if len(best) == 1 else None
    sides = tuple(
        replace(
            side,
            hand=tuple(card for card in side.hand if card != cards[side.seat]),
            score=side.score + (side.seat == winner),
        )
        for side in state.sides
    )
    after = replace(state, sides=sides, last=Round(state.number, cards, winner))
    played = Played(number=state.number, cards=cards, winner=winner, scores=after.scores)
    return Adjudication(after, (played, *_end(after)))


def _card(state: State, seat: Seat, given: tuple[Play, ...], chance: Chance) -> int:
    possible = [order.card for order in given if order.card in state.hand(seat)]
    return possible[-1] if possible else default(state, seat, chance)[0].card


def _end(state: State) -> tuple[Happened, ...]:
    if phase(state).due:
        return ()
    first = [seat for seat, standing in standing_of(state).items() if standing.outcome == "won"]
    return (Ended(winner=first[0] if first else None, scores=state.scores),)


def standing_of(state: State) -> Result:
    """Rank by points."""
    return ranking(state.scores)


def default(state: State, seat: Seat, chance: Chance) -> tuple[Play, ...]:
    """A card of the hand at random."""
    return (Play(chance.public.pick(f"nmr:{seat}", state.hand(seat))),)


SKELETON = Game(
    about=ABOUT,
    kinds=Kinds(state=State, event=Happened, order=Play, view=TableView),
    start=start,
    phase=phase,
    adjudicate=adjudicate,
    standing=standing_of,
    slots=slots,
    parse=parse,
    default=default,
    view=look,
    draw=draw,
    text_board=text_board,
    story=tell_story,
    pictures=rule_pictures,
    bot=choose_orders,
)
