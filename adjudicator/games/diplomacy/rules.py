"""The Game records of Diplomacy and of Rock, Scissors, Paper Diplomacy: one flow, two rule sets."""

from dataclasses import replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Game, Kinds, Seat
from adjudicator.core.options import Options
from adjudicator.games.diplomacy.about import ABOUT, RSP_ABOUT
from adjudicator.games.diplomacy.bot.bot import cast_vote, choose_orders, take_most
from adjudicator.games.diplomacy.drawing.draw import draw
from adjudicator.games.diplomacy.drawing.lessons import rsp_rule_pictures, rule_pictures
from adjudicator.games.diplomacy.drawing.text_board import text_board
from adjudicator.games.diplomacy.exchange.saving import save_match
from adjudicator.games.diplomacy.language.talk import may_order
from adjudicator.games.diplomacy.model.events import Happened
from adjudicator.games.diplomacy.model.opening import opening_state
from adjudicator.games.diplomacy.model.options import settle_options
from adjudicator.games.diplomacy.model.orders import Order
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
    """Say that a state holds the characteristics of units, which only their power knows (rsp
    R1).
    """
    return True


def _may_force(state: State) -> bool:
    """Say that whoever moves has a choice: at least to agree to a draw."""
    return state.stage != "M"


def _default(state: State, seat: Seat, chance: Chance) -> tuple[Order, ...]:
    """Return the orders of a silent seat: hold, disband, waive, or the removals of civil disorder;
    `chance` is not used (R7).
    """
    return flow.default(state, seat)


def _letter_view(view: BoardView) -> BoardView:
    """Return a view whose picture marks no reader's own power, without the votes, which no picture
    shows, if nothing else is hidden from anybody.
    """
    return replace(view, seat=None, voted=(), among={}) if view.open_to_all else view


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
    may_force=_may_force,
    parse=parse,
    default=_default,
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

RSP_DIPLOMACY = replace(
    DIPLOMACY,
    about=RSP_ABOUT,
    hides=_hides_characteristics,
    start=_start_rsp,
    pictures=rsp_rule_pictures,
)
