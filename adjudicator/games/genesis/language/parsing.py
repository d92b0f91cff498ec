"""Parses the orders in a text; a refusal has its reason and what would be legal instead."""

from dataclasses import dataclass
from functools import cached_property

from adjudicator.core.game import Parsed, Refusal, Seat
from adjudicator.games.genesis.language.choices import DUTY, main_slot, slots
from adjudicator.games.genesis.language.grammar import Read, read_line
from adjudicator.games.genesis.language.wording import is_blank
from adjudicator.games.genesis.model.duties import under_duty
from adjudicator.games.genesis.model.orders import Lay, Move, Order
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.resolve.combination import Fitted, fit_orders, is_duty
from adjudicator.games.genesis.resolve.duty_cells import cells_owed
from adjudicator.games.genesis.resolve.execution import carry_out
from adjudicator.games.genesis.resolve.legal import Fault, why_not
from adjudicator.games.genesis.resolve.legal_orders import possible_turns, turn_text
from adjudicator.games.kit.parsing import Misread
from adjudicator.games.kit.words import quote

MOST_REMEDIES = 6


def parse(state: State, seat: Seat, text: str) -> Parsed[Order]:
    """Read `text`: a turn of one order or two moves, and its duty deed. Never raises."""
    reads = [read for line in text.splitlines() if not is_blank(line) for read in read_line(line)]
    good = [(read, read.order) for read in reads if not isinstance(read.order, Misread)]
    fitted = fit_orders(state, seat, [order for _, order in good])
    faults = {id(good[at][0]): fault for at, fault in fitted.faults.items()}
    refusing = _Refusals(state, seat, fitted)
    refusals = (refusing.refusal(read, faults.get(id(read))) for read in reads)
    return Parsed(
        fitted.orders, tuple(filter(None, refusals)), _remarks(fitted), _open(state, seat, fitted)
    )


def _remarks(fitted: Fitted) -> tuple[str, ...]:
    """Say which good orders later ones replaced (ruling G8)."""
    return tuple(
        f"“{old}” and “{new}” cannot both count: the later one, “{new}”, does."
        for old, new in fitted.replaced
    )


def _open(state: State, seat: Seat, fitted: Fitted) -> tuple[str, ...]:
    """Return the unanswered slots, including the duty deed's if one is owed after the orders that
    count.
    """
    if state.over or state.turn != seat:
        return ()
    if fitted.turn:
        return (DUTY,) if not fitted.duty and cells_owed(state, seat, fitted.turn_orders) else ()
    owed = under_duty(state, seat) and any(
        slot.name == DUTY and not slot.optional for slot in slots(state, seat)
    )
    return (main_slot(state), DUTY) if owed and not fitted.duty else (main_slot(state),)


# --- what is wrong with a line


@dataclass(frozen=True)
class _Refusals:
    """Makes the refusals of one text."""

    state: State
    seat: Seat
    fitted: Fitted

    def refusal(self, read: Read, fault: Fault | None) -> Refusal | None:
        """Return why a line was not taken, None where it was."""
        if isinstance(read.order, Misread):
            return read.order.refusal(read.line, self._alike(*read.order.like))
        if fault is None:
            return None
        piece = quote(fault.square or read.written)
        return Refusal.illegal(
            read.line, piece, fault.reason, self._remedies(read.order), understood=str(read.order)
        )

    def _remedies(self, order: Order) -> tuple[str, ...]:
        """Return what would be legal instead, the nearest first."""
        if isinstance(order, Lay) and is_duty(self.state, self.seat, order):
            return self._duties[:MOST_REMEDIES]
        return self._alike(str(order))

    @cached_property
    def _duties(self) -> tuple[str, ...]:
        """The duty deeds that go with the order of the turn that counts."""
        turn = self.fitted.turn_orders
        owed = {str(Lay(cell)) for cell in cells_owed(self.state, self.seat, turn)}
        texts = (
            choice.text
            for slot in slots(self.state, self.seat)
            if slot.name == DUTY
            for choice in slot.choices
        )
        return tuple(text for text in texts if not turn or text in owed)

    @cached_property
    def _possible(self) -> dict[str, bool]:
        """The texts of all possible turns, and whether each goes with the move that counts, where
        one does.
        """
        made = [order for order in self.fitted.turn_orders if isinstance(order, Move)]
        board = carry_out(self.state, self.seat, made).state
        turns = possible_turns(self.state, self.seat)
        return {
            turn_text(turn): (
                bool(made) and turn[0].kind == "move" and not why_not(board, self.seat, turn[0])
            )
            for turn in turns
        }

    def _alike(self, like: str = "") -> tuple[str, ...]:
        """Return the possible turns nearest to `like`: those of its kind, then those that go with
        what counts, then with its squares.
        """
        head, *others = like.split() or [""]
        known = self._possible

        def distance(text: str) -> tuple[bool, bool, bool]:
            first, *rest = text.replace(",", "").split()
            return first != head, not known[text], not set(others) & set(rest)

        return tuple(sorted(known, key=distance)[:MOST_REMEDIES])
