"""Births, throws and whole turns: what ends a turn, and who has the next one."""

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import duty_cells, over_for, under_duty
from adjudicator.games.genesis.model.events import SeatOver, SitsStill, Thrown, TombsCompleted
from adjudicator.games.genesis.model.orders import Lay, Order
from adjudicator.games.genesis.model.state import Sitting, State
from adjudicator.games.genesis.model.terms import GIFTS
from adjudicator.games.genesis.resolve.ending import end_if_over
from adjudicator.games.genesis.resolve.execution import Course, carry_out, place_from_hand
from adjudicator.games.genesis.resolve.legal import useful_faces


def give_birth(state: State, seat: Seat, order: Order) -> Course:
    """Let one seat's pieces be born; after both births the first seat takes its turn."""
    course = carry_out(state, seat, (order,))
    after = replace(
        course.state, turn=state.other(seat).seat, part="births" if seat == state.first else "ideas"
    )
    return Course(replace(after, last=course.events), course.events)


def throw_die(state: State, seat: Seat, chance: Chance) -> Course:
    """Throw the die; the seat then decides how to use it."""
    face = chance.public.die("throw", 6)
    thrown = Thrown(
        seat=seat, face=face, gift=GIFTS[face], possible=face in useful_faces(state, seat)
    )
    return Course(replace(state, die=face, last=(thrown,)), (thrown,))


def take_turn(state: State, seat: Seat, orders: Sequence[Order], duty: Lay | None) -> Course:
    """Return the course of a turn that the orders end.

    1. Carry out the orders and judge the tombs.
    2. Place the duty deed if one is owed; on the first cell if `duty` is missing or not possible.
    3. Count the turn, pass it on, and end the match if it is over.
    """
    course = judge_tombs(carry_out(state, seat, orders))
    cells = duty_cells(course.state, seat) if under_duty(state, seat) else ()
    if cells:
        cell = duty.square if duty and duty.square in cells else cells[0]
        course = place_from_hand(course, seat, Lay(cell), duty=True)
    return _end_turn(state, course, seat)


def judge_tombs(course: Course) -> Course:
    """Mark the tombs that are complete now; they stay complete."""
    state = course.state
    done = [
        side
        for side in state.sides
        if side.building and len(state.filled(side.seat)) == len(side.tomb_cells)
    ]
    for side in done:
        state = state.with_side(replace(side, completed=True))
    owes = (state.other(side.seat) for side in done)
    events = (
        TombsCompleted(
            seat=side.seat, cells=side.tomb_cells, owes=None if other.completed else other.seat
        )
        for side, other in zip(done, owes, strict=True)
    )
    return course.then(state, *events)


def _end_turn(before: State, course: Course, seat: Seat) -> Course:
    side = course.state.side(seat)
    course = _pass_on(
        course.then(replace(course.state.with_side(replace(side, turns=side.turns + 1)), die=None)),
        seat,
    )
    over = tuple(each.seat for each in course.state.sides if over_for(course.state, each.seat))
    course = course.then(
        course.state, *(SeatOver(seat=each) for each in over if not over_for(before, each))
    )
    course = end_if_over(course, for_both=len(over) == len(course.state.sides))
    thrown = before.last if before.die else ()
    return replace(course, state=replace(course.state, last=thrown + course.events))


def _pass_on(course: Course, seat: Seat) -> Course:
    """Set whose turn it is, and who sits still for how long (R3)."""
    state, other = course.state, course.state.other(seat).seat
    # a seat that sits still is the other one
    waiting = state.sitting.turns - 1 if state.sitting else 0
    if course.still:
        still = SitsStill(seat=seat, turns=course.still, given_up=waiting)
        return course.then(replace(state, turn=other, sitting=Sitting(seat, course.still)), still)
    if waiting and state.sitting:
        return course.then(replace(state, turn=seat, sitting=Sitting(state.sitting.seat, waiting)))
    return course.then(replace(state, turn=other, sitting=None))
