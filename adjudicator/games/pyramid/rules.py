"""The rules of Rock Paper Pyramid: rounds, captures and the result, behind the Game interface."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from adjudicator.core.chance import Chance
from adjudicator.core.game import (
    Adjudication,
    Choice,
    Game,
    Kinds,
    Phase,
    Result,
    Seat,
    Slot,
    Slots,
)
from adjudicator.core.options import Options
from adjudicator.games.kit.ranking import ranking
from adjudicator.games.pyramid.about import ABOUT
from adjudicator.games.pyramid.bot import choose_orders, take_largest
from adjudicator.games.pyramid.draw import draw, rule_pictures
from adjudicator.games.pyramid.orders import SLOT, Pick, parse
from adjudicator.games.pyramid.pieces import COLOURS, RED_STACK, STACKS, Piece, piece_name, pips
from adjudicator.games.pyramid.state import (
    Captured,
    Dealt,
    DealtRed,
    Ended,
    Hand,
    Happened,
    Opened,
    RedsDealt,
    Round,
    Scored,
    State,
    Took,
    open_round,
)
from adjudicator.games.pyramid.story import tell_story
from adjudicator.games.pyramid.view import TableView, look, phase_name, text_board

# --- flow


def start(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Lay out the pools; one red piece each with the option (rulings R3, R4)."""
    red = bool(options["red"])
    dealt = chance.hidden.shuffle("deal", RED_STACK) if red else ()
    return _laid_out(seats, options, dealt, hidden=red)


def opened(state: State) -> tuple[Happened, ...]:
    """The deal of the red pieces, where there is one: each for its own seat (ruling R4)."""
    if state.hidden:
        return (
            RedsDealt(),
            *(
                DealtRed(seat=hand.seat, piece=hand.pool[-1], readers=(hand.seat,))
                for hand in state.hands
            ),
        )
    return (Dealt(pieces={hand.seat: hand.pool[-1] for hand in state.hands}),) if state.red else ()


def phase(state: State) -> Phase:
    """Everybody picks in every round, until the pools are empty."""
    return Phase(phase_name(state), tuple(hand.seat for hand in state.hands if hand.pool))


def adjudicate(
    state: State, orders: Mapping[Seat, tuple[Pick, ...]], chance: Chance
) -> Adjudication[State]:
    """Open a round; a seat without an order it can follow plays its default."""
    picks = {
        hand.seat: _picked(state, hand, orders.get(hand.seat, ()), chance) for hand in state.hands
    }
    opened = open_round(state.opened + 1, picks, keeps_own=state.take == "all")
    after = replace(
        state, hands=tuple(_lay_down(hand, opened) for hand in state.hands), last=opened
    )
    return Adjudication(after, (*_events(opened), *_standing_events(after)))


def _picked(state: State, hand: Hand, given: tuple[Pick, ...], chance: Chance) -> Piece:
    possible = [order.piece for order in given if order.piece in hand.pool]
    return possible[-1] if possible else default(state, hand.seat, chance)[0].piece


def standing(state: State) -> Result:
    """Rank by the pips kept so far (ruling R2)."""
    return ranking(_scores(state))


# --- orders


def slots(state: State, seat: Seat) -> Slots:
    """One pick of the pieces held."""
    pool = state.hand(seat).pool
    if not pool:
        return ()
    return (
        Slot(
            SLOT,
            f"Which piece do you show in round {state.opened + 1}?",
            tuple(_choice(seat, piece) for piece in pool),
        ),
    )


def default(state: State, seat: Seat, chance: Chance) -> tuple[Pick, ...]:
    """A piece of the pool at random (ruling R5)."""
    return (Pick(chance.public.pick(f"nmr:{seat}", state.hand(seat).pool)),)


def start_under_rules_1(seats: tuple[Seat, ...], options: Options, chance: Chance) -> State:
    """Return the opening of a match begun under rules 1: the red pieces are dealt in public
    (R4).
    """
    dealt = chance.public.shuffle("deal", RED_STACK) if options["red"] else ()
    return _laid_out(seats, options, dealt, hidden=False)


def _laid_out(
    seats: tuple[Seat, ...], options: Options, dealt: tuple[Piece, ...], *, hidden: bool
) -> State:
    """Return the table before the first round; `dealt` are the red pieces in seat order, () without
    them.
    """
    take: Literal["captured", "all"] = "all" if options["take"] == "all" else "captured"
    hands = (Hand(seat, STACKS + dealt[place : place + 1]) for place, seat in enumerate(seats))
    return State(take, bool(dealt), tuple(hands), hidden=hidden)


# --- a round


def _lay_down(hand: Hand, opened: Round) -> Hand:
    """Return the hand after its piece was played and the taker took (ruling R1)."""
    shown = opened.picks[hand.seat]
    kept = hand.kept + (opened.haul if hand.seat == opened.taker else ())
    return replace(
        hand,
        pool=tuple(piece for piece in hand.pool if piece != shown),
        played=(*hand.played, shown),
        kept=kept,
    )


def _events(opened: Round) -> tuple[Happened, ...]:
    picks = opened.picks
    captured = (
        Captured(by=c.by, by_piece=picks[c.by], of=c.of, of_piece=picks[c.of], why=c.why)
        for c in opened.captures
    )
    points = sum(pips(piece) for piece in opened.haul)
    took = Took(
        pattern=opened.pattern,
        taker=opened.taker,
        taken=opened.taken,
        own=opened.own,
        points=points,
    )
    return (Opened(round=opened.number, picks=picks, pattern=opened.pattern), *captured, took)


def _standing_events(state: State) -> tuple[Happened, ...]:
    scores = _scores(state)
    if state.opened < state.rounds:
        return (Scored(scores=scores),)
    return (
        Ended(
            places={seat: standing.place for seat, standing in ranking(scores).items()},
            scores=scores,
        ),
    )


def _scores(state: State) -> dict[Seat, int]:
    return {hand.seat: hand.score for hand in state.hands}


def _choice(seat: Seat, piece: Piece) -> Choice:
    return Choice(
        text=piece,
        label=piece_name(piece).capitalize(),
        group=COLOURS[piece[0]].capitalize(),
        marks=(f"{ABOUT.key}-{seat}-{piece}",),
    )


PYRAMID = Game(
    about=ABOUT,
    kinds=Kinds(state=State, event=Happened, order=Pick, view=TableView),
    start=start,
    opened=opened,
    phase=phase,
    adjudicate=adjudicate,
    standing=standing,
    earlier_starts={1: start_under_rules_1},
    slots=slots,
    parse=parse,
    default=default,
    view=look,
    draw=draw,
    text_board=text_board,
    story=tell_story,
    pictures=rule_pictures,
    bot=choose_orders,
    greedy=take_largest,
)
