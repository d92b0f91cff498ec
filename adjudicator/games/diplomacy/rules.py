"""Diplomacy and Rock, Scissors, Paper Diplomacy behind the Game interface: one flow, two rule sets."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adjudicator.chance import Chance
from adjudicator.game import About, Adjudication, Kinds, Result, Seat
from adjudicator.games.diplomacy import ending, flow, traits
from adjudicator.games.diplomacy.boardtext import board
from adjudicator.games.diplomacy.choices import slots
from adjudicator.games.diplomacy.draw import draw
from adjudicator.games.diplomacy.events import Happened
from adjudicator.games.diplomacy.options import CLASSIC, QUIET, SEATS, SHORT, opening, options_of, plays, settle
from adjudicator.games.diplomacy.orders import Order
from adjudicator.games.diplomacy.parsing import parse
from adjudicator.games.diplomacy.resulting import results
from adjudicator.games.diplomacy.stages import owners
from adjudicator.games.diplomacy.state import RuleSet, State
from adjudicator.games.diplomacy.talk import may_order
from adjudicator.games.diplomacy.tell import tell
from adjudicator.games.diplomacy.trial import trial
from adjudicator.games.diplomacy.view import BoardView, look, unveil
from adjudicator.options import Options

ABOUT = About(
    key="diplomacy",
    title="Diplomacy",
    summary=(
        "Seven powers of 1901 struggle for the supply centres of Europe; all armies and fleets move at once, and only support breaks ties. "
        "Nobody wins alone for long, so what is agreed between the moves counts as much as the moves."
    ),
    rules_version=2,
    seats=SEATS,
    options=options_of("2023"),
    presets=(SHORT, QUIET, CLASSIC),
    ready="said",
    trials=True,
    seating="preference",
    short_phases="retreats and builds",
    plays=plays,
    may_order=may_order,
    results=results,
    settle=settle,
)

RSP_ABOUT = replace(
    ABOUT,
    key="rsp-diplomacy",
    title="Rock, Scissors, Paper Diplomacy",
    summary=(
        "Diplomacy in which nothing supports anything: every army and fleet is secretly a Rock, Scissors or Paper, and that alone decides "
        "who enters a province. Conflicts bring to light what a unit is, and its owner may change it with every order."
    ),
    options=options_of("1976"),
    presets=(SHORT, QUIET),
    opens_orders=False,
)


@dataclass(frozen=True)
class Diplomacy:
    """Diplomacy by one of its rule sets as a Game."""

    about: About
    rule_set: RuleSet

    kinds = Kinds(state=State, event=Happened, order=Order, view=BoardView)

    # flow
    def start(self, seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
        """Set up Spring 1901 for seats named by powers, any of the seven; `rsp` draws the characteristics (rsp R1)."""
        state = opening(self.rule_set, seats, options)
        return replace(state, traits=traits.drawn(owners(state), chance)) if self.rule_set == "rsp" else state

    def opened(self, state: State) -> tuple[Happened, ...]:
        """The characteristics, for their owners; nothing in the standard rules."""
        return traits.assigned(state, state.traits)

    phase = staticmethod(flow.phase)

    def adjudicate(self, state: State, orders: Mapping[Seat, tuple[Order, ...]], chance: Chance) -> Adjudication[State]:
        """Carry out the phase, and those in which nobody has anything to decide (R4)."""
        return flow.adjudicate(state, orders, chance)

    def result(self, state: State) -> Result | None:
        """Places and supply centres of every seat when the match is over (R6)."""
        return ending.result(state)

    def standing(self, state: State) -> Result:
        """Places as at the last year: the most centres win, equal ones share (R6)."""
        return ending.standing(state)

    def remaining(self, before: State, after: State) -> tuple[Seat, ...] | None:
        """Return the survivors where the year of `before` is over, else None (R11)."""
        return ending.survivors(after) if after.year > before.year else None

    # orders
    slots = staticmethod(slots)
    parse = staticmethod(parse)

    def default(self, state: State, seat: Seat, chance: Chance) -> tuple[Order, ...]:
        """Hold, disband, waive, or the removals of civil disorder; nothing of it is drawn (R7)."""
        return flow.default(state, seat)

    # faces
    view = staticmethod(look)
    unveil = staticmethod(unveil)
    draw = staticmethod(draw)
    board = staticmethod(board)
    tell = staticmethod(tell)
    trial = staticmethod(trial)


DIPLOMACY = Diplomacy(ABOUT, "standard")
RSP_DIPLOMACY = Diplomacy(RSP_ABOUT, "rsp")
