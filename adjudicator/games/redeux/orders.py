"""Orders of RPS Redeux: a card, with a bet in the Risk Rounds, or an answer; every other line is
refused with a reason and a remedy.
"""

from dataclasses import dataclass

from adjudicator.core.game import Parsed, Refusal, Seat, Tagged
from adjudicator.games.kit.glyphs import KINDS, Kind
from adjudicator.games.kit.parsing import last_counts
from adjudicator.games.kit.words import count, listing, quote
from adjudicator.games.redeux.state import STEP, Side, State
from adjudicator.games.redeux.wording import Words, read_words, respelled

CARD_SLOT, RISK_SLOT = "card", "risk"  # the one choice of a phase


class Play(Tagged, kind="play"):
    """Show this card and, in the Risk Rounds, bet points on it, as one order (ruling R1)."""

    card: Kind
    bet: int = 0

    def __str__(self) -> str:
        return f"{self.card} bet {self.bet}" if self.bet else self.card


class Answer(Tagged, kind="answer"):
    """Answer the Risk Rounds question (ruling R5)."""

    yes: bool

    def __str__(self) -> str:
        return "risk yes" if self.yes else "risk no"


Order = Play | Answer


def parse(state: State, seat: Seat, text: str) -> Parsed[Order]:
    """Read `text`; of two good orders the later one counts (ruling G8). Never raises."""
    lines = [line for line in text.splitlines() if read_words(line).count]
    read = [_read_line(state, seat, line) for line in lines]
    return last_counts(read, _owed(state), several="You gave more than one order")


def _owed(state: State) -> tuple[str, ...]:
    """Return the name of the one slot of this part of the match."""
    if state.part == "over":
        return ()
    return (RISK_SLOT,) if state.part == "question" else (CARD_SLOT,)


def is_possible(state: State, seat: Seat, order: Order) -> bool:
    """Whether `order` is legal for `seat` now."""
    if state.part in ("over", "question") or isinstance(order, Answer):
        return state.part == "question" and isinstance(order, Answer)
    return order.card in state.side(seat).hand and order.bet in possible_bets(state, seat)


def possible_bets(state: State, seat: Seat) -> range:
    """Return every bet possible now, 0 being none (ruling R2)."""
    return range(0, state.side(seat).score + 1 if state.part == "risk" else 1, STEP)


# --- one line


@dataclass(frozen=True)
class _Line:
    """A line of a seat's orders in a state, and the ways to refuse it."""

    state: State
    side: Side
    text: str

    def invalid(self, piece: str, reason: str, remedies: tuple[str, ...] = ()) -> Refusal:
        return Refusal.invalid(self.text, quote(piece), reason, self._legal(remedies))

    def illegal(
        self, piece: str, reason: str, remedies: tuple[str, ...] = (), *, understood: Order
    ) -> Refusal:
        return Refusal.illegal(
            self.text, quote(piece), reason, self._legal(remedies), understood=str(understood)
        )

    def ambiguous(self, piece: str, reason: str, remedies: tuple[str, ...] = ()) -> Refusal:
        return Refusal.ambiguous(self.text, quote(piece), reason, self._legal(remedies))

    def _legal(self, remedies: tuple[str, ...]) -> tuple[str, ...]:
        """Return the remedies, or else anything legal; nothing once the match is over."""
        return () if self.state.part == "over" else remedies or self.anything

    @property
    def anything(self) -> tuple[str, ...]:
        """Orders that are legal now, without regard to the line."""
        if self.state.part == "question":
            return (str(Answer(yes=True)), str(Answer(yes=False)))
        return tuple(kind for kind in KINDS if kind in self.side.hand)

    def fitting(self, card: Kind | None, bet: int) -> tuple[str, ...]:
        """Return the legal orders nearest to this card and this bet."""
        highest = possible_bets(self.state, self.side.seat)[-1]
        near = min(max(bet, 0), highest) // STEP * STEP
        held = [kind for kind in KINDS if kind in self.side.hand]
        cards = [kind for kind in held if kind == card] or held
        orders = [
            Play(kind, amount)
            for kind in cards
            for amount in dict.fromkeys((near, 0) if len(cards) == 1 else (near,))
        ]
        return tuple(
            str(order) for order in orders if is_possible(self.state, self.side.seat, order)
        )


def _read_line(state: State, seat: Seat, text: str) -> Order | Refusal:
    line, words = _Line(state, state.side(seat), text), read_words(text)
    if words.unknown:
        return _not_understood(line, words)
    if words.answers or words.risk:
        return _read_answer(line, words)
    return _read_play(line, words)


def _not_understood(line: _Line, words: Words) -> Refusal:
    near = respelled(line.text)
    guess = _read_line(line.state, line.side.seat, near) if near else None
    remedies = (
        (guess.remedies if isinstance(guess, Refusal) else (str(guess),))
        if guess
        else _around(line, words)
    )
    wanted = "an answer" if line.state.part == "question" else "a card or a bet"
    return line.invalid(words.unknown, f"“{quote(words.unknown)}” is not {wanted}.", remedies)


def _around(line: _Line, words: Words) -> tuple[str, ...]:
    """Return remedies for the one card that is named beside unknown words."""
    if len(words.cards) != 1 or line.state.part == "question":
        return ()
    return line.fitting(
        words.cards[0], line.side.score if words.bet and not words.bets else words.lowest
    )


# --- an answer


def _read_answer(line: _Line, words: Words) -> Order | Refusal:
    if words.cards or words.bets or words.bet:
        reason = (
            f"“{quote(words.named)}” names a card or a bet and an answer at once; give only one of"
            " them."
        )
        return line.ambiguous(words.named, reason)
    if len(words.answers) != 1:
        reason = f"“{quote(words.named)}” does not say whether you go on: answer yes or no."
        return line.ambiguous(words.named, reason)
    answer = Answer(yes=words.answers[0])
    if is_possible(line.state, line.side.seat, answer):
        return answer
    return line.illegal(words.named, _not_asked(line.state), understood=answer)


def _not_asked(state: State) -> str:
    """Say why there is nothing to answer now."""
    if state.part == "over":
        return "The match is over."
    if state.terms.risk == "never":
        return "This match has no Risk Rounds, so nobody is asked."
    if state.terms.risk == "always":
        return (
            "In this match the Risk Rounds come after the Primary game in any case, so nobody is"
            " asked."
        )
    if state.part == "risk":
        return "Both of you have said yes already; now a card is wanted."
    return "The Risk Rounds question comes after the Primary game; now a card is wanted."


# --- a card and a bet


def _read_play(line: _Line, words: Words) -> Order | Refusal:
    if len(words.cards) > 1 or len(words.bets) > 1:
        what = "card" if len(words.cards) > 1 else "bet"
        reason = f"“{quote(words.named)}” names more than one {what}; give only one."
        remedies = tuple(
            text
            for card in words.cards
            for text in line.fitting(card, words.lowest)[:1]
            if card in line.side.hand
        )
        return line.ambiguous(words.named, reason, remedies)
    if not words.cards:
        return _no_card(line, words)
    if words.bet and not words.bets:
        reason = f"“{quote(words.named)}” does not say how much you bet."
        return line.ambiguous(words.named, reason, line.fitting(words.cards[0], line.side.score))
    bet = words.bets[0] if words.bets else 0
    if bet is None or bet < 0 or bet % STEP:
        return line.invalid(
            words.amount, _no_bet(line, words.amount), line.fitting(words.cards[0], bet or 0)
        )
    return _judge(line, words, Play(words.cards[0], bet))


def _no_card(line: _Line, words: Words) -> Refusal:
    if not words.bets and not words.bet:
        return line.invalid(line.text, f"“{quote(line.text)}” names no card.")
    if line.state.part == "question":
        return line.invalid(
            line.text, "A bet goes with a card, and the question now is whether you go on."
        )
    reason = f"“{quote(line.text)}” is half an order: a bet stands beside its card."
    return line.ambiguous(line.text, reason, line.fitting(None, words.lowest))


def _no_bet(line: _Line, amount: str) -> str:
    """Say which bets there are, for a number that can never be one (ruling R2)."""
    if line.state.part == "risk":
        return f"“{quote(amount)}” is not a bet. {_range(line.side)}"
    return (
        f"“{quote(amount)}” is not a bet: bets are 0 or a multiple of {STEP}, up to the points you"
        " have."
    )


def _range(side: Side) -> str:
    """Say which bets a seat may make (ruling R2)."""
    if not side.score:
        return "You have no points, so you can play without a bet only."
    few = [str(bet) for bet in range(0, side.score + 1, STEP)]
    allowed = (
        listing(few, "or") if len(few) <= 4 else f"0 or a multiple of {STEP} up to {side.score}"
    )
    return f"You have {count(side.score, 'point')}, so a bet is {allowed}."


def _judge(line: _Line, words: Words, play: Play) -> Order | Refusal:
    if is_possible(line.state, line.side.seat, play):
        return play
    piece, reason = _why_not(line, words, play)
    remedies = line.fitting(play.card, play.bet) if line.state.part != "question" else ()
    return line.illegal(piece, reason, remedies, understood=play)


def _why_not(line: _Line, words: Words, play: Play) -> tuple[str, str]:
    """Return what is wrong with an order that is not possible now, and why."""
    terms, part = line.state.terms, line.state.part
    if part == "over":
        return words.named, "The match is over."
    if part == "question":
        return (
            words.named,
            "No card is wanted now: the question is whether you both go on to the Risk Rounds.",
        )
    if play.card not in line.side.hand:
        return words.card, f"You have no {play.card} in your hand."
    if part == "primary":
        when = (
            ", and this match has no Risk Rounds"
            if terms.risk == "never"
            else "; they come with the Risk Rounds"
        )
        return words.amount, f"There are no bets in the Primary game{when}."
    return words.amount, _range(line.side)
