"""Carries out legal orders on the World; turns.py ends the turn afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.events import (
    Born,
    Buried,
    Declined,
    Destroyed,
    Generated,
    Happened,
    Killed,
    Leapt,
    Moved,
    MustLeave,
    Passed,
    PlacedDeed,
    PlacedPyramid,
    Reborn,
    Thrown,
    TombsBegan,
    TookIdea,
)
from adjudicator.games.genesis.model.orders import (
    Birth,
    Decline,
    Lay,
    Leap,
    Move,
    Order,
    Pyramid,
    Rebirth,
    Return,
)
from adjudicator.games.genesis.model.state import Deed, Piece, Side, State
from adjudicator.games.genesis.model.terms import Name
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, Square, in_order, straight_line

STILL_AFTER_KILLING = 3
STILL_AFTER_DESTROYING = 2


@dataclass(frozen=True)
class Course:
    """The state while orders are carried out, the events so far, and for how many turns they make
    the seat sit still.
    """

    state: State
    events: tuple[Happened, ...] = ()
    still: int = 0

    def then(self, state: State, *events: Happened, still: int = 0) -> "Course":
        """Return the course with the next state; events and turns of sitting still are added."""
        return Course(state, self.events + events, self.still + still)


def carry_out(state: State, seat: Seat, orders: Sequence[Order]) -> Course:
    """Return the course after the orders of one turn, carried out one after the other (R8)."""
    course = Course(state)
    for order in orders:
        course = _play(course, seat, order)
    return course


def _play(course: Course, seat: Seat, order: Order) -> Course:
    if isinstance(order, Move):
        return _move(course, seat, order)
    if isinstance(order, Leap):
        return _leap(course, seat, order)
    if isinstance(order, Birth):
        return _bear(course, seat, order)
    if isinstance(order, Pyramid | Lay):
        return place_from_hand(course, seat, order)
    if isinstance(order, Rebirth):
        return _rebirth(course, seat, order.square)
    if isinstance(order, Return):
        return _return(course, seat)
    if isinstance(order, Decline):
        return course.then(
            course.state,
            Declined(
                seat=seat, face=course.state.die or 0, possible=_thrown_possible(course.state)
            ),
        )
    return course.then(course.state, Passed(seat=seat))


def _thrown_possible(state: State) -> bool:
    return any(event.possible for event in state.last if isinstance(event, Thrown))


# --- birth


def _bear(course: Course, seat: Seat, order: Birth) -> Course:
    side = course.state.side(seat)
    anubis = replace(side.anubis, life="alive", square=order.anubis)
    bastet = replace(side.bastet, life="alive", square=order.bastet)
    state = course.state.with_side(replace(side, anubis=anubis, bastet=bastet))
    return course.then(state, Born(seat=seat, anubis=order.anubis, bastet=order.bastet))


# --- moves and leaps


def _move(course: Course, seat: Seat, order: Move) -> Course:
    start = course.state.side(seat).piece(order.piece).square or ""
    moved = Moved(seat=seat, piece=order.piece, start=start, end=order.end)
    return _work(
        _arrive(course.then(course.state, moved), seat, order.piece, order.end), seat, order
    )


def _leap(course: Course, seat: Seat, order: Leap) -> Course:
    start = course.state.side(seat).bastet.square or ""
    leapt = Leapt(seat=seat, start=start, over=straight_line(start, order.end)[0], end=order.end)
    return _work(_arrive(course.then(course.state, leapt), seat, "bastet", order.end), seat, order)


def _arrive(course: Course, seat: Seat, name: Name, end: Square) -> Course:
    """Put a piece on the square it moved to: it kills a Bastet there, takes an idea, or is
    buried.
    """
    there = course.state.piece_on(end)
    if there:
        course = _kill(course, seat, name, there)
    side = course.state.side(seat)
    # any move of Bastet's takes her out of the Centre
    leaves = side.must_leave and name == "anubis"
    state = course.state.with_side(
        replace(_with_piece(side, replace(side.piece(name), square=end)), must_leave=leaves)
    )
    if end in state.ideas:
        return _take(course.then(state), seat, name, end)
    if end in CORNERS and state.part == "tombs":
        return _bury(course.then(state), seat, name, end)
    return course.then(state)


def _with_piece(side: Side, piece: Piece) -> Side:
    """Return the side with `piece` in place of its present one."""
    return replace(side, anubis=piece) if piece.name == "anubis" else replace(side, bastet=piece)


def _kill(course: Course, seat: Seat, name: Name, victim: Piece) -> Course:
    side = course.state.side(victim.seat)
    state = course.state.with_side(replace(side, bastet=replace(victim, life="dead", square=None)))
    killed = Killed(seat=seat, piece=name, of=victim.seat, square=victim.square or "")
    return course.then(state, killed, still=STILL_AFTER_KILLING)


def _take(course: Course, seat: Seat, name: Name, corner: Square) -> Course:
    side = course.state.side(seat)
    ideas = tuple(square for square in course.state.ideas if square != corner)
    state = replace(course.state, ideas=ideas).with_side(replace(side, deeds=side.deeds + 1))
    return course.then(state, TookIdea(seat=seat, piece=name, square=corner, deeds=side.deeds + 1))


def _bury(course: Course, seat: Seat, name: Name, corner: Square) -> Course:
    side = course.state.side(seat)
    laid = _with_piece(side, replace(side.piece(name), life="buried"))
    return course.then(
        course.state.with_side(laid),
        Buried(seat=seat, piece=name, square=corner, cells=laid.tomb_cells),
    )


# --- the Centre


def _work(course: Course, seat: Seat, order: Move | Leap) -> Course:
    """Generate or destroy if Bastet entered the Centre before the tombs began; she must then leave
    it (R7).
    """
    if order.end != CENTRE or course.state.part != "ideas":
        return course
    if order.destroy:
        course = _destroy(course, seat, order.destroy)
    if order.idea:
        course = _generate(course, seat, order.idea)
    return _owe_leaving(course, seat)


def _owe_leaving(course: Course, seat: Seat) -> Course:
    return course.then(
        course.state.with_side(replace(course.state.side(seat), must_leave=True)),
        MustLeave(seat=seat),
    )


def _generate(course: Course, seat: Seat, corner: Square) -> Course:
    state = course.state
    outside = state.outside - 1
    part = state.part if outside else "tombs"
    after = replace(
        state.awoken(corner), ideas=in_order({*state.ideas, corner}), outside=outside, part=part
    )
    begun = () if outside else (TombsBegan(seat=seat),)
    woke = corner in state.asleep
    return course.then(
        after, Generated(seat=seat, square=corner, outside=outside, woke=woke), *begun
    )


def _destroy(course: Course, seat: Seat, corner: Square) -> Course:
    state = course.state
    after = replace(
        state,
        ideas=tuple(square for square in state.ideas if square != corner),
        outside=state.outside + 1,
    )
    return course.then(
        after,
        Destroyed(seat=seat, square=corner, outside=after.outside),
        still=STILL_AFTER_DESTROYING,
    )


# --- placing and rebirth


def place_from_hand(
    course: Course, seat: Seat, order: Pyramid | Lay, *, duty: bool = False
) -> Course:
    """Place a pyramid or a deed from the hand on a cell."""
    state, side, square = course.state, course.state.side(seat), order.square
    tomb = next((each.seat for each in state.sides if square in each.tomb_cells), None)
    if isinstance(order, Pyramid):
        after = replace(state, pyramids=in_order({*state.pyramids, square})).with_side(
            replace(side, pyramids=side.pyramids - 1)
        )
        return course.then(
            after, PlacedPyramid(seat=seat, square=square, left=side.pyramids - 1, tomb=tomb)
        )
    deeds = {deed.square: deed for deed in (*state.deeds, Deed(square, seat))}
    laid = replace(state, deeds=tuple(deeds[each] for each in in_order(set(deeds)))).with_side(
        replace(side, deeds=side.deeds - 1)
    )
    return course.then(
        laid, PlacedDeed(seat=seat, square=square, left=side.deeds - 1, duty=duty, tomb=tomb)
    )


def _rebirth(course: Course, seat: Seat, square: Square) -> Course:
    """Let Bastet be reborn by a 1: the pyramid goes into the hand; a rebirth on a corner does not
    count as entering it.
    """
    state, side = course.state, course.state.side(seat)
    pyramid = square in state.pyramids
    bastet = replace(side.bastet, life="alive", square=square)
    left = tuple(each for each in state.pyramids if each != square)
    after = replace(state, pyramids=left).with_side(
        replace(side, bastet=bastet, pyramids=side.pyramids + pyramid)
    )
    return course.then(
        after, Reborn(seat=seat, square=square, way="pyramid" if pyramid else "corner")
    )


def _return(course: Course, seat: Seat) -> Course:
    """Turn deeds into ideas on every corner without one; Bastet is reborn in the Centre."""
    state, side = course.state, course.state.side(seat)
    returned = tuple(corner for corner in CORNERS if corner not in state.ideas)
    bastet = replace(side.bastet, life="alive", square=CENTRE)
    left = replace(side, bastet=bastet, deeds=side.deeds - len(returned))
    after = replace(state.awoken(*returned), ideas=in_order(set(CORNERS))).with_side(left)
    woke = tuple(corner for corner in returned if corner in state.asleep)
    course = course.then(
        after, Reborn(seat=seat, square=CENTRE, way="deeds", returned=returned, woke=woke)
    )
    return _owe_leaving(course, seat) if state.part == "ideas" else course
