"""Diplomacy and Rock, Scissors, Paper Diplomacy behind the Game interface: one flow, two rule sets."""

from dataclasses import replace

from adjudicator.chance import Chance
from adjudicator.game import About, Game, Kinds, Seat
from adjudicator.games.diplomacy import ending, flow, traits
from adjudicator.games.diplomacy.boardtext import board
from adjudicator.games.diplomacy.choices import slots
from adjudicator.games.diplomacy.draw import draw
from adjudicator.games.diplomacy.events import Happened
from adjudicator.games.diplomacy.house import think, vote
from adjudicator.games.diplomacy.lessons import rsp_rule_pictures, rule_pictures
from adjudicator.games.diplomacy.options import CLASSIC, QUIET, SEATS, SHORT, opening, options_of, plays, settle
from adjudicator.games.diplomacy.orders import Order
from adjudicator.games.diplomacy.parsing import parse
from adjudicator.games.diplomacy.resulting import results
from adjudicator.games.diplomacy.saving import save
from adjudicator.games.diplomacy.stages import owners
from adjudicator.games.diplomacy.state import State
from adjudicator.games.diplomacy.talk import may_order
from adjudicator.games.diplomacy.tell import tell
from adjudicator.games.diplomacy.trial import trial
from adjudicator.games.diplomacy.view import BoardView, look
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
    seating="preference",
    short_phases="retreats and builds",
    plays=plays,
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


# --- flow


def _start_standard(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Set up Spring 1901 for seats named by powers, any of the seven."""
    return opening("standard", seats, options)


def _start_rsp(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Set up Spring 1901 and draw the characteristics (rsp R1)."""
    state = opening("rsp", seats, options)
    return replace(state, traits=traits.drawn(owners(state), chance))


def _opened(state: State) -> tuple[Happened, ...]:
    """The characteristics, for their owners; nothing in the standard rules."""
    return traits.assigned(state, state.traits)


def _remaining(before: State, after: State) -> tuple[Seat, ...] | None:
    """Return the survivors where the year of `before` is over, else None (R11)."""
    return ending.survivors(after) if after.year > before.year else None


def _default(state: State, seat: Seat, chance: Chance) -> tuple[Order, ...]:
    """Hold, disband, waive, or the removals of civil disorder; nothing of it is drawn (R7)."""
    return flow.default(state, seat)


DIPLOMACY = Game(
    about=ABOUT,
    kinds=Kinds(state=State, event=Happened, order=Order, view=BoardView),
    start=_start_standard,
    opened=_opened,
    phase=flow.phase,
    adjudicate=flow.adjudicate,
    standing=ending.standing,
    remaining=_remaining,
    settle=settle,
    slots=slots,
    parse=parse,
    default=_default,
    may_order=may_order,
    view=look,
    draw=draw,
    text_board=board,
    story=tell,
    results=results,
    trial=trial,
    pictures=rule_pictures,
    export=save,
    bot=think,
    vote=vote,
)

RSP_DIPLOMACY = replace(DIPLOMACY, about=RSP_ABOUT, start=_start_rsp, pictures=rsp_rule_pictures)
