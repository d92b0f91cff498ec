"""The rules of RPS Redeux behind the Game interface: the options, the slots, and one
adjudication.
"""

from collections.abc import Mapping
from typing import cast

from adjudicator.core.chance import Chance
from adjudicator.core.game import (
    Adjudication,
    Choice,
    Game,
    Kinds,
    Phase,
    Result,
    Seat,
    Slot,
    Slots,
)
from adjudicator.core.options import Options
from adjudicator.games.kit.glyphs import KINDS, Kind
from adjudicator.games.kit.ranking import ranking
from adjudicator.games.redeux.about import ABOUT
from adjudicator.games.redeux.bot import choose_orders, count_cards
from adjudicator.games.redeux.draw import bet_id, card_id, draw, question_id, rule_pictures
from adjudicator.games.redeux.orders import (
    CARD_SLOT,
    RISK_SLOT,
    Answer,
    Order,
    Play,
    is_possible,
    parse,
    possible_bets,
)
from adjudicator.games.redeux.rounds import answer_question, play_round
from adjudicator.games.redeux.state import Happened, RiskOption, Side, State, Terms
from adjudicator.games.redeux.story import tell_story
from adjudicator.games.redeux.view import TableView, look, phase_name, text_board

# --- flow


def start(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Give each seat 3 rock, 3 paper and 3 scissors; nothing is drawn before the Risk Rounds."""
    terms = Terms(
        rounds=int(options["rounds"]),
        risk=cast(RiskOption, options["risk"]),
        target=int(options["target"]),
        tie_limit=int(options["tie_limit"]),
        risk_limit=int(options["risk_limit"]),
    )
    return State(terms, tuple(Side(seat) for seat in seats))


def phase(state: State) -> Phase:
    """Both seats owe a card, or an answer, until the match is over."""
    return Phase(phase_name(state), () if state.part == "over" else state.seats)


def adjudicate(
    state: State, orders: Mapping[Seat, tuple[Order, ...]], chance: Chance
) -> Adjudication[State]:
    """Show both cards, or open both answers; a seat without an order it can follow plays its
    default.
    """
    followed = {seat: _followed(state, seat, orders.get(seat, ()), chance) for seat in state.seats}
    if state.part == "question":
        answers = {
            seat: isinstance(order, Answer) and order.yes for seat, order in followed.items()
        }
        step = answer_question(state, answers, chance)
    else:
        step = play_round(
            state,
            {seat: order for seat, order in followed.items() if isinstance(order, Play)},
            chance,
        )
    return Adjudication(step.state, step.events)


def _followed(state: State, seat: Seat, given: tuple[Order, ...], chance: Chance) -> Order:
    able = [order for order in given if is_possible(state, seat, order)]
    return able[-1] if able else default(state, seat, chance)[0]


def standing(state: State) -> Result:
    """Rank by points; equal ones draw, which no match that ends by its rules does (rulings R3,
    R11).
    """
    return ranking(state.scores)


# --- orders


def slots(state: State, seat: Seat) -> Slots:
    """One card of the hand, in the Risk Rounds with every bet on it (ruling R1), or an answer."""
    if state.part == "over":
        return ()
    if state.part == "question":
        return (
            Slot(
                RISK_SLOT,
                "Do you go on to the Risk Rounds?",
                tuple(_answer(yes) for yes in (True, False)),
            ),
        )
    amounts = possible_bets(state, seat)
    held = [kind for kind in KINDS if kind in state.side(seat).hand]
    choices = tuple(
        _choice(Play(kind, amount), several=len(amounts) > 1) for kind in held for amount in amounts
    )
    return (Slot(CARD_SLOT, _question(state), choices),)


def default(state: State, seat: Seat, chance: Chance) -> tuple[Order, ...]:
    """A card of the hand at random without a bet (ruling R6), and to the question no (R5).

    The draw is hidden: the card's place among the sorted cards would disclose the hand.
    """
    if state.part == "question":
        return (Answer(yes=False),)
    card: Kind = chance.hidden.pick(f"nmr:{seat}", state.side(seat).hand)
    return (Play(card),)


# --- choices


def _question(state: State) -> str:
    name = phase_name(state)
    if state.part == "risk":
        return f"Which card do you play in {name}, and what do you bet on it?"
    return f"Which card do you play in {name[0].lower()}{name[1:]}?"


def _choice(play: Play, *, several: bool) -> Choice:
    """Return a card, or a card with one of `several` bets: then the card is clicked first and the
    bet after it.
    """
    if not several:
        return Choice(str(play), play.card.capitalize(), marks=(card_id(play.card),))
    label = f"bet {play.bet}" if play.bet else "no bet"
    return Choice(str(play), label, play.card.capitalize(), (card_id(play.card), bet_id(play.bet)))


def _answer(yes: bool) -> Choice:
    label = "Yes, on to the Risk Rounds" if yes else "No, end the match here"
    return Choice(str(Answer(yes=yes)), label, marks=(question_id(yes=yes),))


REDEUX = Game(
    about=ABOUT,
    kinds=Kinds(state=State, event=Happened, order=Order, view=TableView),
    start=start,
    phase=phase,
    adjudicate=adjudicate,
    standing=standing,
    slots=slots,
    parse=parse,
    default=default,
    view=look,
    draw=draw,
    text_board=text_board,
    story=tell_story,
    pictures=rule_pictures,
    bot=choose_orders,
    greedy=count_cards,
)
