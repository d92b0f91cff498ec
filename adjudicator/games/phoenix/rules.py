"""The Game record of RPS Phoenix: turns, dice and the end."""

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Adjudication, Game, Kinds, Phase, Seat, hides_nothing
from adjudicator.core.options import Options
from adjudicator.games.kit.glyphs import KINDS
from adjudicator.games.phoenix.about import ABOUT
from adjudicator.games.phoenix.bot import capture_most, choose_orders
from adjudicator.games.phoenix.drawing.draw import draw
from adjudicator.games.phoenix.drawing.rule_pictures import rule_pictures
from adjudicator.games.phoenix.drawing.text_board import text_board
from adjudicator.games.phoenix.language.choices import slots
from adjudicator.games.phoenix.language.parsing import parse
from adjudicator.games.phoenix.model.events import (
    Began,
    EscalationBegan,
    FirstRoll,
    Happened,
    OpeningEnded,
    Rolled,
    Scored,
)
from adjudicator.games.phoenix.model.grid import Bird, Dice
from adjudicator.games.phoenix.model.orders import Order, Roll
from adjudicator.games.phoenix.model.state import Modes, Purse, State, Turn
from adjudicator.games.phoenix.model.view import TableView, look, phase_name
from adjudicator.games.phoenix.resolve.ending import end_if_over, standing
from adjudicator.games.phoenix.resolve.execution import carry_out
from adjudicator.games.phoenix.resolve.legal import default_order, why_not
from adjudicator.games.phoenix.story.narration import tell_story

# --- flow


def start(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Roll for who begins, then the dice of the first turn (ruling G6: seat by seat, black
    first).
    """
    rounds = _first_rolls(seats, chance)
    first = _highest(rounds[-1])[0]
    return State(
        modes=_modes(options),
        seats=seats,
        birds=tuple(Bird(seat, kind) for seat in seats for kind in KINDS),
        scores=dict.fromkeys(seats, 0),
        purses={seat: Purse() for seat in seats},
        on_turn=first,
        dice=_roll(chance, "turn:1"),
        last=Turn(0, first, None, (Began(rounds=rounds, first=first),)),
    )


def opened(state: State) -> tuple[Happened, ...]:
    """Return the events of the set-up: the rolls for who begins, and the dice of the first turn."""
    return (*(state.last.events if state.last else ()), *_rolled(state))


def phase(state: State) -> Phase:
    """Return the current decision point; one seat decides at a time."""
    return Phase(phase_name(state), () if state.ended else (state.on_turn,))


def adjudicate(
    state: State, orders: Mapping[Seat, tuple[Order, ...]], chance: Chance
) -> Adjudication[State]:
    """Carry out the decision of the seat on turn; a seat without a legal order plays its default
    (ruling R14).
    """
    if state.ended:
        return Adjudication(state, ())
    order = _chosen(state, orders.get(state.on_turn, ()))
    if isinstance(order, Roll):
        rolled = replace(state, dice=_roll(chance, f"turn:{state.turn + 1}"))
        return Adjudication(rolled, _rolled(rolled))
    done = _complete(state, order)
    after = done.state
    if after.part == "opening" and not after.ended:
        after = replace(after, dice=_roll(chance, f"turn:{after.turn + 1}"))
        done = Adjudication(after, (*done.events, *_rolled(after)))
    return done


# --- orders


def default(state: State, seat: Seat, chance: Chance) -> tuple[Order, ...]:
    """Return the order of a seat that sends none; it uses no chance (ruling R14)."""
    return (default_order(state),)


# --- dice


def _roll(chance: Chance, label: str) -> Dice:
    return chance.public.die(f"{label}:black", 6), chance.public.die(f"{label}:white", 6)


def _first_rolls(seats: tuple[Seat, ...], chance: Chance) -> tuple[tuple[FirstRoll, ...], ...]:
    """Return the rolls for who begins: all seats, then those tied for the highest total, until one
    is left.
    """
    rounds: list[tuple[FirstRoll, ...]] = []
    left = seats
    while len(left) > 1:
        number = len(rounds) + 1
        rolls = []
        for seat in left:
            black = chance.public.die(f"first:{seat}:black:{number}", 6)
            rolls.append(
                FirstRoll(seat, (black, chance.public.die(f"first:{seat}:white:{number}", 6)))
            )
        rounds.append(tuple(rolls))
        left = _highest(rounds[-1])
    return tuple(rounds)


def _highest(rolls: tuple[FirstRoll, ...]) -> tuple[Seat, ...]:
    most = max(sum(roll.dice) for roll in rolls)
    return tuple(roll.seat for roll in rolls if sum(roll.dice) == most)


def _modes(options: Options) -> Modes:
    return Modes(
        escalation=int(options["escalation"]),
        turn_limit=int(options["turn_limit"]),
        team=bool(options["team"]),
        give_away=bool(options["give-away"]),
        casino=bool(options["casino"]),
    )


# --- a decision


def _chosen(state: State, given: tuple[Order, ...]) -> Order:
    possible = [order for order in given if not why_not(state, state.on_turn, order)]
    return possible[-1] if possible else default_order(state)


def _rolled(state: State) -> tuple[Rolled, ...]:
    return (
        (Rolled(turn=state.turn + 1, seat=state.on_turn, dice=state.dice, part=state.part),)
        if state.dice
        else ()
    )


def _complete(state: State, order: Order) -> Adjudication[State]:
    """Carry out an order that completes the turn; then end the match if it is over, or pass the
    turn on.
    """
    position = carry_out(state, order)
    after = replace(position.settle(), turn=state.turn + 1, dice=None)
    events = position.events
    if after.scores != state.scores:
        events.append(Scored(scores=after.scores))
    if state.part == "opening" and after.part != "opening":
        events.append(OpeningEnded(turn=after.turn))
    after = end_if_over(after)
    if after.ended:
        events.append(after.ended)
    elif after.part == "escalation" and state.part != "escalation":
        events.append(EscalationBegan(turn=after.turn))
    last = Turn(after.turn, state.on_turn, state.dice, tuple(events))
    return Adjudication(replace(after, last=last, on_turn=_next_seat(state)), tuple(events))


def _next_seat(state: State) -> Seat:
    return state.seats[(state.seats.index(state.on_turn) + 1) % len(state.seats)]


PHOENIX = Game(
    about=ABOUT,
    kinds=Kinds(state=State, event=Happened, order=Order, view=TableView),
    start=start,
    opened=opened,
    phase=phase,
    adjudicate=adjudicate,
    standing=standing,
    slots=slots,
    parse=parse,
    default=default,
    hides=hides_nothing,
    view=look,
    draw=draw,
    text_board=text_board,
    story=tell_story,
    pictures=rule_pictures,
    bot=choose_orders,
    greedy=capture_most,
)
