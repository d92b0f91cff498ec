"""The house bots of both Diplomacies: a strong one, which searches, and a greedy one, which attacks
where it gains most at once.
"""

from collections.abc import Callable, Iterator, Mapping

from adjudicator.core.game import Choice, Pick, Slots
from adjudicator.games.diplomacy.bot.board import Worths, read_board
from adjudicator.games.diplomacy.bot.campaign import plan_moves, read_menus
from adjudicator.games.diplomacy.bot.outlook import Outlook, assess_board
from adjudicator.games.diplomacy.bot.search import plan_orders
from adjudicator.games.diplomacy.map.geography import Unit, province_at, province_of, unit_at
from adjudicator.games.diplomacy.model.orders import BEATS, TRAITS, Change, Trait, Vote
from adjudicator.games.diplomacy.ordering.choices import TRAIT
from adjudicator.games.diplomacy.phases.view import BoardView

Worth = Callable[[Unit], float]
"""How much it is worth to have a unit on the board."""

STALE_YEARS = 3
LONG = 1914  # from this year on a power agrees to a draw unless it is close to winning
BEATEN_BY: Mapping[Trait, Trait] = {beaten: by for by, beaten in BEATS.items()}


def choose_orders(view: BoardView, slots: Slots, pick: Pick) -> str:
    """Return the orders of a seat, one a line, without a vote: the best ones that a search
    finds.
    """
    if not slots or view.seat is None:
        return ""
    board = read_board(view)
    if view.phase[5] != "M":
        return "\n".join(_chosen(Worths(board, board.mine).worth, slots, pick))
    draft = plan_orders(board, pick)
    changes = (Change(unit, draft.traits[unit]) for unit in sorted(draft.traits))
    return "\n".join(map(str, (*changes, *(draft.plan[unit] for unit in sorted(draft.plan)))))


def take_most(view: BoardView, slots: Slots, pick: Pick) -> str:
    """Return the orders of a seat, one a line, without a vote: the attacks of the highest gain
    first.
    """
    if not slots or view.seat is None:
        return ""
    look = assess_board(view)
    if view.phase[5] == "M":
        return "\n".join(
            (*_traits(view, look, slots, pick), *plan_moves(look, read_menus(slots), pick).values())
        )
    return "\n".join(_chosen(look.worth, slots, pick))


def cast_vote(view: BoardView) -> str:
    """Return the seat's vote on a draw, "" if it has voted so already.

    It agrees once no centre changed hands for three years (R11), and in a long match unless it is
    close to winning: at first with two thirds of the centres that win, every later year with an
    eighteenth more.
    """
    if view.phase[5] != "M" or view.taken is None or view.seat is None:
        return ""
    year = int(view.phase[1:5])
    stale = year - 1 - view.taken >= STALE_YEARS
    agrees = stale or (
        year >= LONG and 18 * view.scores[view.seat] < view.victory_centres * (12 + year - LONG)
    )
    return str(Vote(agrees)) if agrees != (view.seat in view.voted) else ""


# --- characteristics


def _traits(view: BoardView, look: Outlook, slots: Slots, pick: Pick) -> Iterator[str]:
    """Yield a characteristic for each slot that asks for one: one that beats a neighbour as last
    seen, else any.
    """
    places = {province_of(unit): unit for unit in look.own}
    for code in (slot.name.removesuffix(TRAIT) for slot in slots if slot.name.endswith(TRAIT)):
        unit = places[code]
        near = sorted(
            other
            for other in view.seen
            if other not in look.own and other in look.owner and _meets(look, unit, other)
        )
        yield str(
            Change(unit, pick([BEATEN_BY[view.seen[other].trait] for other in near] or TRAITS))
        )


def _meets(look: Outlook, unit: Unit, other: Unit) -> bool:
    return province_of(other) in {province_at(to) for to in look.reach(unit)}


# --- retreats, builds and removals


def _chosen(worth: Worth, slots: Slots, pick: Pick) -> Iterator[str]:
    """Yield the choice of the highest value for each slot; no two choices have the same
    province.
    """
    taken: set[str] = set()
    for slot in slots:
        values = {
            choice.text: _value(worth, choice)
            for choice in slot.choices
            if not _goal(choice) & taken
        }
        if values:
            most = max(values.values())
            text = pick([text for text, value in values.items() if value == most])
            taken |= next(_goal(choice) for choice in slot.choices if choice.text == text)
            yield text


def _goal(choice: Choice) -> set[str]:
    """Return the province that a choice fills or empties, none for a waived build or for a
    disbanded unit that did not retreat.
    """
    words = choice.text.split()
    if words[-1] == "B" or (words[-1] == "D" and choice.group == "Remove"):
        return {words[-2][:3]}
    return {province_at(words[-1])} if "R" in words else set()


def _value(worth: Worth, choice: Choice) -> float:
    words = choice.text.split()
    if words[-1] == "B":
        return 1 + worth(" ".join(words[-3:-1]))
    if words[-1] == "D":
        return -worth(" ".join(words[:2])) if choice.group == "Remove" else 0.0
    return 1 + worth(unit_at(choice.text, words[-1])) if "R" in words else 0.0
