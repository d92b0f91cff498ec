"""The Game record of Genesis: the set-up, turns and defaults."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from adjudicator.core.chance import Chance
from adjudicator.core.game import Adjudication, Game, Kinds, Phase, Seat, hides_nothing
from adjudicator.core.options import Options
from adjudicator.games.genesis.about import ABOUT
from adjudicator.games.genesis.bot import choose_orders, take_most
from adjudicator.games.genesis.drawing.draw import draw
from adjudicator.games.genesis.drawing.rule_pictures import rule_pictures
from adjudicator.games.genesis.drawing.text_board import text_board
from adjudicator.games.genesis.language.choices import slots
from adjudicator.games.genesis.language.parsing import parse
from adjudicator.games.genesis.model.duties import free_cells, has_to_place, placing_cells
from adjudicator.games.genesis.model.events import FirstDrawn, HandThrown, Happened
from adjudicator.games.genesis.model.orders import Birth, Decline, Lay, Order, Pass, Pyramid, Throw
from adjudicator.games.genesis.model.state import Piece, Side, State
from adjudicator.games.genesis.model.view import TableView, current_moment, look, phase_name
from adjudicator.games.genesis.model.world import CORNERS
from adjudicator.games.genesis.resolve import turns
from adjudicator.games.genesis.resolve.combination import fit_orders
from adjudicator.games.genesis.resolve.duty_cells import cells_owed
from adjudicator.games.genesis.resolve.ending import standing
from adjudicator.games.genesis.resolve.execution import Course
from adjudicator.games.genesis.resolve.legal import leaving_orders
from adjudicator.games.genesis.story.narration import tell_story

HANDS = (2, 4, 5)  # the faces that give a hand of pyramids; the others are thrown again


# --- flow


def start(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Draw who begins (R2) and throw for the hands, in the order of play (ruling G6)."""
    one, two = seats
    first = chance.public.pick("first", seats)
    thrown = {seat: _throw_hand(seat, chance) for seat in (first, two if first == one else one)}
    return State(
        turn_limit=int(options["turn_limit"]),
        first=first,
        sides=(_side(one, thrown[one]), _side(two, thrown[two])),
        turn=first,
        outside=int(options["ideas"]),
        last=(FirstDrawn(seat=first), *thrown.values()),
        asleep=CORNERS,
    )


def opened(state: State) -> tuple[Happened, ...]:
    """Return the events of the set-up: who begins, and the throws for the hands."""
    return state.last


def phase(state: State) -> Phase:
    """Return the current decision point; after a throw the same seat decides again."""
    return Phase(phase_name(state), () if state.over else (state.turn,))


def adjudicate(
    state: State, orders: Mapping[Seat, tuple[Order, ...]], chance: Chance
) -> Adjudication[State]:
    """Carry out the orders of the seat on turn; the default replaces what is missing or
    impossible.
    """
    if state.over:
        return Adjudication(state, ())
    seat = state.turn
    fitted = fit_orders(state, seat, orders.get(seat, ()))
    turn = fitted.turn_orders or _default_turn(state, seat)
    course = _course(state, turn, fitted.duty[1] if fitted.duty else None, chance)
    return Adjudication(course.state, course.events)


# --- orders


def default(state: State, seat: Seat, chance: Chance) -> tuple[Order, ...]:
    """Return the orders of a seat that sends none, with a duty deed on the first cell where one is
    owed (R14); they use no chance.
    """
    turn = _default_turn(state, seat)
    return (*turn, *(Lay(cell) for cell in cells_owed(state, seat, turn)[:1]))


def _default_turn(state: State, seat: Seat) -> tuple[Order, ...]:
    """Return the default for the open decision, without the duty deed."""
    moment = current_moment(state)
    if moment == "birth":
        anubis, bastet, *_ = free_cells(state)
        return (Birth(anubis, bastet),)
    if moment == "thrown":
        return (Decline(),)
    leaving = leaving_orders(state, seat) if state.side(seat).must_leave else ()
    if leaving:
        return leaving[0]
    if not has_to_place(state, seat):
        return (Pass(),)
    cell = placing_cells(state, seat)[0]
    return (Pyramid(cell) if state.side(seat).pyramids else Lay(cell),)


def start_under_rules_1(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Return the opening of a match begun under rules 1: all four corners are awake (R16)."""
    return replace(start(seats, options, chance), asleep=())


# --- the set-up


def _throw_hand(seat: Seat, chance: Chance) -> HandThrown:
    """Throw until the die shows 2, 4 or 5."""
    faces: list[int] = []
    for number in count(1):
        faces.append(chance.public.die(f"hand:{seat}:{number}", 6))
        if faces[-1] in HANDS:
            break
    return HandThrown(seat=seat, faces=tuple(faces), pyramids=faces[-1])


def _side(seat: Seat, thrown: HandThrown) -> Side:
    return Side(
        seat=seat,
        anubis=Piece(seat, "anubis"),
        bastet=Piece(seat, "bastet"),
        pyramids=thrown.pyramids,
    )


# --- one order


def _course(state: State, turn: tuple[Order, ...], duty: Lay | None, chance: Chance) -> Course:
    seat = state.turn
    if isinstance(turn[0], Birth):
        return turns.give_birth(state, seat, turn[0])
    if isinstance(turn[0], Throw):
        return turns.throw_die(state, seat, chance)
    return turns.take_turn(state, seat, turn, duty)


GENESIS = Game(
    about=ABOUT,
    kinds=Kinds(state=State, event=Happened, order=Order, view=TableView),
    start=start,
    opened=opened,
    phase=phase,
    adjudicate=adjudicate,
    standing=standing,
    earlier_starts={1: start_under_rules_1},
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
    greedy=take_most,
)
