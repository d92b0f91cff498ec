"""The slots of a phase: each choice with its order text, a label, and the clicks in the picture."""

from adjudicator.core.game import Choice, Seat, Slot, Slots
from adjudicator.games.genesis.model.orders import (
    Birth,
    Lay,
    Leap,
    Move,
    Order,
    Pyramid,
    Rebirth,
    Return,
    Throw,
)
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.view import current_moment
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, Square
from adjudicator.games.genesis.resolve.duty_cells import owed_after_any
from adjudicator.games.genesis.resolve.execution import carry_out
from adjudicator.games.genesis.resolve.legal_orders import (
    Turn,
    possible_moves,
    possible_turns,
    turn_text,
)

KEY = "genesis"
OTHER, DUTY = "other", "duty"  # the slots besides the one that `main_slot` names


def main_slot(state: State) -> str:
    """Return the name of the slot that has to be filled now."""
    return {"birth": "birth", "thrown": "throw"}.get(current_moment(state), "turn")


def slots(state: State, seat: Seat) -> Slots:
    """Return the slots of `seat`: a birth, a turn or the use of a throw; where possible also a
    second move and the duty deed.
    """
    turns = possible_turns(state, seat)
    if not turns:
        return ()
    choices = tuple(_choice(state, seat, turn) for turn in turns)
    main = Slot(main_slot(state), _title(state), choices, hint=choices[0].text)
    return (main, *_other_slot(state, seat), *_duty_slot(state, seat))


def _title(state: State) -> str:
    titles = {
        "birth": "On which two cells are your Anubis and Bastet born?",
        "thrown": f"You threw a {state.die}. What do you do?",
    }
    return titles.get(current_moment(state), "What do you do in this turn?")


def _other_slot(state: State, seat: Seat) -> Slots:
    """Return the slot for a second move if both pieces can move; `parse` judges the two moves in
    the order given (R8).
    """
    if current_moment(state) != "turn" or state.side(seat).must_leave:
        return ()
    moves = possible_moves(state, seat)
    if len({move.piece for move in moves}) < 2:
        return ()
    choices = tuple(_choice(state, seat, (move,)) for move in moves)
    return (Slot(OTHER, "If you move: does your other piece move, too?", choices, optional=True),)


def _duty_slot(state: State, seat: Seat) -> Slots:
    """Return the slot for the duty deed; it is required if the deed is owed after every possible
    turn.
    """
    owed = owed_after_any(state, seat)
    if not owed.cells:
        return ()
    choices = tuple(_choice(state, seat, (Lay(cell),)) for cell in owed.cells)
    return (
        Slot(DUTY, "On which cell do you place the duty deed?", choices, optional=not owed.always),
    )


# --- one choice


def _choice(state: State, seat: Seat, turn: Turn) -> Choice:
    labels: list[str] = []
    marks: list[str] = []
    board = state
    for order in turn:
        labels.append(_label(board, order))
        marks += _marks(seat, order)
        board = carry_out(board, seat, (order,)).state if len(turn) > 1 else board
    return Choice(turn_text(turn), ", then ".join(labels), _group(turn), tuple(marks))


def _group(turn: Turn) -> str:
    """Return the heading of a choice in the form."""
    first = turn[0]
    if len(turn) > 1 and isinstance(first, Move):
        return f"Both pieces, {first.piece.capitalize()} first"
    if isinstance(first, Move):
        return first.piece.capitalize()
    if isinstance(first, Birth):
        return f"Anubis on {first.anubis}"
    return {"pyramid": "Pyramid", "lay": "Deed", "rebirth": "Rebirth", "leap": "Leap"}.get(
        first.kind, "Other"
    )


def _label(state: State, order: Order) -> str:
    if isinstance(order, Move):
        return f"{order.piece.capitalize()} to {order.end}{_meets(state, order)}"
    if isinstance(order, Leap):
        return f"Leap to {order.end}{_meets(state, order)}"
    if isinstance(order, Birth):
        return f"Anubis on {order.anubis}, Bastet on {order.bastet}"
    if isinstance(order, Rebirth):
        return (
            f"Bastet reborn {'on the corner' if order.square in CORNERS else 'from the pyramid on'}"
            f" {order.square}"
        )
    if isinstance(order, Pyramid | Lay):
        return f"{'Pyramid' if isinstance(order, Pyramid) else 'Deed'} on {order.square}"
    return {
        "throw": "Throw the die",
        "return": "Return deeds to the corners",
        "decline": "Decline",
    }.get(order.kind, "Pass")


def _meets(state: State, order: Move | Leap) -> str:
    """Return the effect of a move on its last square."""
    there = state.piece_on(order.end)
    if there:
        return f", killing seat {there.seat}’s Bastet"
    if order.idea:
        return f", generating an idea on {order.idea}"
    if order.destroy:
        return f", destroying the idea on {order.destroy}"
    if order.end in state.ideas:
        return ", taking the idea"
    return ", to be buried" if order.end in CORNERS and state.part == "tombs" else ""


def _marks(seat: Seat, order: Order) -> tuple[str, ...]:
    """Return the ids that are clicked for an order: a piece or a hand, then squares; () if the
    picture does not show it.
    """
    squares = _squares(order)
    if isinstance(order, Move | Leap):
        piece = order.piece if isinstance(order, Move) else "bastet"
        return (f"{KEY}-{seat}-{piece}", *squares)
    if isinstance(order, Pyramid):
        return (f"{KEY}-{seat}-pyramids", *squares)
    if isinstance(order, Lay | Return):
        return (f"{KEY}-{seat}-deeds", *squares)
    return (f"{KEY}-die",) if isinstance(order, Throw) else squares


def _squares(order: Order) -> tuple[str, ...]:
    if isinstance(order, Birth):
        squares: tuple[Square | None, ...] = (order.anubis, order.bastet)
    elif isinstance(order, Move | Leap):
        squares = (order.end, order.idea or order.destroy)
    elif isinstance(order, Pyramid | Lay | Rebirth):
        squares = (order.square,)
    else:
        squares = (CENTRE,) if isinstance(order, Return) else ()
    return tuple(f"{KEY}-{square}" for square in squares if square)
