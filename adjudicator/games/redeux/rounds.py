"""The transitions of RPS Redeux from one pick to the next: rounds, the Risk Rounds question, bets,
draws and endings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import Kind, winner
from adjudicator.games.redeux.orders import Play
from adjudicator.games.redeux.state import (
    FRESH_HAND,
    RISK_DECK,
    STEP,
    Answered,
    Drew,
    Ended,
    Ending,
    Happened,
    Played,
    PrimaryOver,
    Reshuffled,
    RiskBegan,
    Showing,
    Side,
    State,
    by_kind,
)


@dataclass(frozen=True)
class Step:
    """A state and the events that led to it."""

    state: State
    events: tuple[Happened, ...] = ()

    def on(self, further: "Step") -> "Step":
        """Return this step followed by `further`."""
        return Step(further.state, self.events + further.events)


# --- one pick


def play_round(state: State, plays: Mapping[Seat, Play], chance: Chance) -> Step:
    """Show both cards and carry out what follows, up to the next pick or the end of the match."""
    showing = _show(state, plays, chance)
    after = replace(
        _lay_down(state, showing), last=showing, ties=0 if showing.winner else showing.ties
    )
    if showing.winner:
        after = replace(after, number=state.number + 1)
    step = Step(after, (Played(showing=showing, scores=after.scores),))
    return step.on(
        _after_primary(after, chance) if state.part == "primary" else _after_risk(after, chance)
    )


def _show(state: State, plays: Mapping[Seat, Play], chance: Chance) -> Showing:
    cards = {seat: plays[seat].card for seat in state.seats}
    first, second = state.seats
    better = winner(cards[first], cards[second])
    ties = state.ties + (better is None)
    by_chance = better is None and ties == state.terms.tie_limit
    if by_chance:
        taker: Seat | None = chance.public.pick("tie", state.seats)
    else:
        taker = next((seat for seat in state.seats if cards[seat] == better), None)
    bets = {seat: plays[seat].bet for seat in state.seats}
    return Showing(
        part="primary" if state.part == "primary" else "risk",
        number=state.number,
        cards=cards,
        bets=bets,
        winner=taker,
        gains={seat: _gain(bets[seat], won=seat == taker) if taker else 0 for seat in state.seats},
        ties=ties,
        named=by_chance,
    )


def _gain(bet: int, *, won: bool) -> int:
    """Return what a score changes by: twice the bet, or 5 without one, for the winner; minus the
    bet for the loser.
    """
    if won:
        return 2 * bet or STEP
    return -bet


def _lay_down(state: State, showing: Showing) -> State:
    """Move the cards and the points; in the Primary game the cards of a tie go back to their
    hands.
    """
    if showing.part == "primary" and not showing.winner:
        return state
    sides = tuple(_without_card(side, showing) for side in state.sides)
    if showing.part == "primary":
        return replace(
            state,
            sides=tuple(
                replace(side, pile=side.pile + 2 * (side.seat == showing.winner)) for side in sides
            ),
        )
    return replace(
        state,
        sides=sides,
        discard=state.discard + tuple(showing.cards[seat] for seat in state.seats),
        picks=state.picks + 1,
    )


def _without_card(side: Side, showing: Showing) -> Side:
    card = showing.cards[side.seat]
    at = side.hand.index(card)
    return replace(
        side,
        hand=side.hand[:at] + side.hand[at + 1 :],
        score=side.score + showing.gains[side.seat],
        spent=(*side.spent, card),
    )


# --- after the Primary game


def _after_primary(state: State, chance: Chance) -> Step:
    if state.number <= state.terms.rounds:
        return Step(state)
    asks = state.terms.risk == "ask"
    step = Step(state, (PrimaryOver(winner=leader(state), scores=state.scores, asks=asks),))
    if asks:
        return step.on(Step(replace(state, part="question")))
    return step.on(
        _begin_risk(state, chance) if state.terms.risk == "always" else _end(state, "primary")
    )


def answer_question(state: State, answers: Mapping[Seat, bool], chance: Chance) -> Step:
    """Begin the Risk Rounds where both said yes, else end the match (ruling R5)."""
    after = replace(state, answers=answers)
    step = Step(after, (Answered(answers=answers),))
    return step.on(_begin_risk(after, chance) if all(answers.values()) else _end(after, "declined"))


def _begin_risk(state: State, chance: Chance) -> Step:
    """Deal fresh hands and shuffle the other 54 cards; the first of the shuffled names is the first
    card drawn.
    """
    deck: tuple[Kind, ...] = chance.hidden.shuffle("deck", RISK_DECK)
    sides = tuple(replace(side, hand=FRESH_HAND, pile=0, spent=()) for side in state.sides)
    began = RiskBegan(target=state.terms.target, deck=len(deck))
    return Step(replace(state, part="risk", number=1, ties=0, sides=sides, deck=deck), (began,))


# --- after a pick of the Risk Rounds


def _after_risk(state: State, chance: Chance) -> Step:
    one, other = state.scores.values()
    if max(one, other) >= state.terms.target:
        return _end(state, "target")
    if 0 < state.terms.risk_limit <= state.picks and one != other:
        return _end(state, "limit")
    step = Step(state)
    for seat in state.seats:
        step = step.on(_draw(step.state, seat, chance))
    return step


def _draw(state: State, seat: Seat, chance: Chance) -> Step:
    """Draw one card for `seat`; where the deck is empty, the shuffled discard first becomes the
    deck (ruling R4).
    """
    events: tuple[Happened, ...] = ()
    if not state.deck:
        events = (Reshuffled(cards=len(state.discard)),)
        state = replace(
            state, deck=chance.hidden.shuffle("reshuffle", by_kind(state.discard)), discard=()
        )
    card, *rest = state.deck
    sides = tuple(
        replace(side, hand=by_kind((*side.hand, card))) if side.seat == seat else side
        for side in state.sides
    )
    return Step(
        replace(state, sides=sides, deck=tuple(rest)),
        (*events, Drew(readers=(seat,), seat=seat, card=card)),
    )


# --- the end


def leader(state: State) -> Seat:
    """Return the seat with more points; a match never ends with equal ones (rulings R3, R11)."""
    return max(state.seats, key=lambda seat: state.scores[seat])


def _end(state: State, why: Ending) -> Step:
    bounds = {"target": state.terms.target, "limit": state.terms.risk_limit}
    ended = Ended(winner=leader(state), scores=state.scores, why=why, bound=bounds.get(why, 0))
    return Step(replace(state, part="over", ending=why), (ended,))
