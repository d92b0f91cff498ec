"""What one seat may know of a match of Genesis: everything (genesis R15)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import duty_cells, over_for, under_duty
from adjudicator.games.genesis.model.events import Happened
from adjudicator.games.genesis.model.state import Deed, Piece, Side, State, verdicts
from adjudicator.games.genesis.model.terms import GIFTS, SCORES, Gift, Part, Verdict
from adjudicator.games.genesis.model.world import Square
from adjudicator.games.kit.records import record_like

Moment = Literal["birth", "turn", "thrown", "over"]
"""What the seat on turn decides: the squares of a birth, the order of a turn, the use of a throw,
or nothing.
"""


@dataclass(frozen=True)
class SideView:
    """One seat's pieces, hand and duties."""

    seat: Seat
    anubis: Piece  # unborn, alive, dead or buried, and where
    bastet: Piece
    pyramids: int  # in hand
    deeds: int  # in hand
    counted: int  # the deeds that count at the end: in hand and on the board
    turns: int  # taken so far
    must_leave: bool  # its Bastet has to leave the Centre on the seat's next turn (R7)
    # this turn includes a duty deed: on the present board it has one in hand and a free cell for it
    owes_deed: bool
    tomb_cells: tuple[Square, ...]  # six, or () until both pieces are buried
    filled: tuple[Square, ...]  # those of them that count as filled now
    completed: bool
    over: bool  # it can do nothing but pass for the rest of the match
    verdict: Verdict  # its verdict if the match ended now; after the end, its final one

    @property
    def pieces(self) -> tuple[Piece, Piece]:
        """Anubis, then Bastet."""
        return (self.anubis, self.bastet)


@dataclass(frozen=True)
class TableView:
    """The World as `seat` (None: an observer) sees it; all squares are in the order a1 b1 .. e5."""

    seat: Seat | None
    phase: str  # "Turn 12", "Turn 12, the throw", "Births of seat 1", "The end"
    moment: Moment
    part: Part
    first: Seat  # who began
    turn: Seat | None  # whose turn it is, None at the end
    sides: tuple[SideView, SideView]  # in seat order
    outside: int  # ideas outside the World
    ideas: tuple[Square, ...]  # corners with an idea
    pyramids: tuple[Square, ...]
    deeds: tuple[Deed, ...]
    sits: Seat | None  # the seat that sits still
    sits_for: int  # for how many more turns of the other seat
    die: int | None  # the face thrown, until its seat has used or declined it
    gift: Gift  # what that face gives
    taken: int  # turns both seats have taken together
    turn_limit: int  # for each seat: the match ends after twice as many turns; 0 for none
    # the events of the last order; before the first, the draws of the set-up
    last: tuple[Happened, ...]
    scores: Mapping[Seat, int]  # empty until the end
    asleep: tuple[Square, ...] = ()  # corners that no piece may enter yet (R16)


def look(state: State, seat: Seat | None, *, reveal: bool = False) -> TableView:
    """Return the view of `seat`; everything is public, so `reveal` adds nothing."""
    ended = verdicts(state) if state.over else {}
    return record_like(
        TableView,
        state,
        seat=seat,
        phase=phase_name(state),
        moment=current_moment(state),
        turn=None if state.over else state.turn,
        sides=(_look_side(state, state.sides[0]), _look_side(state, state.sides[1])),
        sits=state.sitting.seat if state.sitting else None,
        sits_for=state.sitting.turns if state.sitting else 0,
        gift=GIFTS[state.die] if state.die else "nothing",
        scores={each: SCORES[verdict] for each, verdict in ended.items()},
        asleep=tuple(corner for corner in state.asleep if state.sleeps(corner)),
    )


def _look_side(state: State, side: Side) -> SideView:
    return record_like(
        SideView,
        side,
        counted=state.counted(side.seat),
        owes_deed=under_duty(state, side.seat) and bool(duty_cells(state, side.seat)),
        filled=state.filled(side.seat),
        over=over_for(state, side.seat),
        verdict=verdicts(state)[side.seat],
    )


def current_moment(state: State) -> Moment:
    """Return which decision is open."""
    if state.over:
        return "over"
    if state.part == "births":
        return "birth"
    return "turn" if state.die is None else "thrown"


def phase_name(state: State) -> str:
    """Return the name of the decision point."""
    names: dict[Moment, str] = {
        "birth": f"Births of seat {state.turn}",
        "turn": f"Turn {state.taken + 1}",
        "thrown": f"Turn {state.taken + 1}, the throw",
        "over": "The end",
    }
    return names[current_moment(state)]
