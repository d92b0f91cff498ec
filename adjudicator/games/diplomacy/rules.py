"""The Game records of Diplomacy and of Rock, Scissors, Paper Diplomacy: one flow, two rule sets."""

from dataclasses import replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import About, Game, Kinds, OrderWords, Seat
from adjudicator.core.options import Options
from adjudicator.games.diplomacy.bot.bot import cast_vote, choose_orders, take_most
from adjudicator.games.diplomacy.drawing.draw import draw
from adjudicator.games.diplomacy.drawing.lessons import rsp_rule_pictures, rule_pictures
from adjudicator.games.diplomacy.drawing.text_board import text_board
from adjudicator.games.diplomacy.exchange.saving import save_match
from adjudicator.games.diplomacy.language.talk import may_order
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.events import Happened
from adjudicator.games.diplomacy.model.options import (
    CLASSIC,
    QUIET,
    SEATS,
    SHORT,
    opening_state,
    options_of,
    powers_by_seat,
    settle_options,
)
from adjudicator.games.diplomacy.model.orders import Concede, Order
from adjudicator.games.diplomacy.model.state import State, owners_of
from adjudicator.games.diplomacy.ordering.choices import slots
from adjudicator.games.diplomacy.ordering.parsing import parse
from adjudicator.games.diplomacy.phases import characteristics, ending, flow
from adjudicator.games.diplomacy.phases.finishing import finish_seats
from adjudicator.games.diplomacy.phases.owning import list_owners
from adjudicator.games.diplomacy.phases.view import BoardView, look
from adjudicator.games.diplomacy.story.narration import tell_story
from adjudicator.games.diplomacy.story.result_list import list_results
from adjudicator.games.diplomacy.trial import lay_board, try_orders

ABOUT = About(
    key="diplomacy",
    title="Diplomacy",
    summary=(
        "Seven powers of 1901 struggle for the supply centres of Europe; all armies and fleets move at once, and only support breaks ties. "
        "Nobody wins alone for long, so what is agreed between the moves counts as much as the moves."
    ),
    rules_version=2,
    seats=SEATS,
    minutes=90,
    options=options_of("2023"),
    presets=(SHORT, QUIET, CLASSIC),
    ready="said",
    seating="preference",
    short_phases="retreats and builds",
    concede=str(Concede()),
    draws="orders",
    plays=powers_by_seat,
    centres=True,
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

ORDER_WORDS = OrderWords(
    first=("hold", "build", "remove", "disband", "waive", "draw", "rock", "paper", "scissors"),
    forms=(
        r"(?:(?:rock|paper|scissors|r:|p:|s:|build|b)\s+)?(?:[AF]|army|fleet)\s+\w{3,}.{0,100}",
        r"(?-i:(?:[AF]\s+)?[A-Za-z]{3}(?:[/(]\w\w\)?)?\s?(?:-|->)\s?[A-Za-z]{3}(?:[/(]\w\w\)?)?)",
        rf"(?:{'|'.join(STANDARD.powers)}) waive",
        r"no draw",
    ),
)


# --- flow


def _start_standard(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Set up Spring 1901 for seats named by powers, any of the seven."""
    return opening_state("standard", seats, options)


def _start_rsp(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Set up Spring 1901 and draw the characteristics (rsp R1)."""
    state = opening_state("rsp", seats, options)
    return replace(state, traits=characteristics.draw_traits(owners_of(state), chance))


def _opened(state: State) -> tuple[Happened, ...]:
    """Return the events that tell the owners their characteristics; () under the standard rules."""
    return characteristics.tell_assigned(state, state.traits)


def _remaining(before: State, after: State) -> tuple[Seat, ...] | None:
    """Return the survivors if the year of `before` is over, else None (R11)."""
    return ending.survivors(after) if after.year > before.year else None


def _out(state: State) -> tuple[Seat, ...]:
    """Return the seats that were eliminated or have conceded."""
    left = ending.survivors(state)
    return tuple(realm.seat for realm in state.realms if realm.seat not in left)


def _opens_orders(options: Options) -> bool:
    """Whether orders are opened: not with secret votes, which are among them (R12)."""
    return options.get("votes") != "secret"


def _hides_votes(options: Options) -> bool:
    """Whether a state holds secret votes (R12)."""
    return not _opens_orders(options)


def _hides_characteristics(options: Options) -> bool:
    """Say that a state holds the characteristics of units, which only their power knows (rsp R1)."""
    return True


def _default(state: State, seat: Seat, chance: Chance) -> tuple[Order, ...]:
    """Return the orders of a silent seat: hold, disband, waive, or the removals of civil disorder; `chance` is not used (R7)."""
    return flow.default(state, seat)


def _letter_view(view: BoardView) -> BoardView:
    """Return a view whose picture marks no reader's own power, if nothing is hidden from anybody."""
    return replace(view, seat=None) if view.open_to_all else view


DIPLOMACY = Game(
    about=ABOUT,
    kinds=Kinds(state=State, event=Happened, order=Order, view=BoardView),
    start=_start_standard,
    opened=_opened,
    phase=flow.phase,
    adjudicate=flow.adjudicate,
    standing=ending.standing,
    finishes=finish_seats,
    remaining=_remaining,
    out=_out,
    opens_orders=_opens_orders,
    hides=_hides_votes,
    settle=settle_options,
    slots=slots,
    parse=parse,
    default=_default,
    order_words=ORDER_WORDS,
    may_order=may_order,
    view=look,
    draw=draw,
    letter_view=_letter_view,
    text_board=text_board,
    story=tell_story,
    results=list_results,
    trial=try_orders,
    lay=lay_board,
    pictures=rule_pictures,
    export=save_match,
    ownership=list_owners,
    bot=choose_orders,
    greedy=take_most,
    vote=cast_vote,
)

RSP_DIPLOMACY = replace(DIPLOMACY, about=RSP_ABOUT, hides=_hides_characteristics, start=_start_rsp, pictures=rsp_rule_pictures)
