"""The house bot of both Diplomacies: it attacks supply centres, guards its own, and builds where a unit is worth most."""

from collections.abc import Iterator, Mapping

from adjudicator.core.game import Choice, Pick, Slots
from adjudicator.games.diplomacy.bot.campaign import plan_moves, read_menus
from adjudicator.games.diplomacy.bot.outlook import Outlook, assess_board
from adjudicator.games.diplomacy.map.geography import Unit, province_at, province_of, unit_at
from adjudicator.games.diplomacy.model.orders import BEATS, TRAITS, Change, Trait, Vote
from adjudicator.games.diplomacy.ordering.choices import TRAIT
from adjudicator.games.diplomacy.phases.view import BoardView

STALE_YEARS = 3
BEATEN_BY: Mapping[Trait, Trait] = {beaten: by for by, beaten in BEATS.items()}


def choose_orders(view: BoardView, slots: Slots, pick: Pick) -> str:
    """Return the orders of a seat, one a line, without a vote."""
    if not slots or view.seat is None:
        return ""
    look = assess_board(view)
    if view.phase[5] == "M":
        return "\n".join((*_traits(view, look, slots, pick), *plan_moves(look, read_menus(slots), pick).values()))
    return "\n".join(_chosen(look, slots, pick))


def cast_vote(view: BoardView) -> str:
    """Return the seat's vote on a draw, "" if it has voted so already. It agrees once no centre changed hands for three years (R11)."""
    if view.phase[5] != "M" or view.taken is None or view.seat is None:
        return ""
    stale = int(view.phase[1:5]) - 1 - view.taken >= STALE_YEARS
    return str(Vote(stale)) if stale != (view.seat in view.voted) else ""


# --- characteristics


def _traits(view: BoardView, look: Outlook, slots: Slots, pick: Pick) -> Iterator[str]:
    """Yield a characteristic for each slot that asks for one: one that beats a neighbour as last seen, else any."""
    places = {province_of(unit): unit for unit in look.own}
    for code in (slot.name.removesuffix(TRAIT) for slot in slots if slot.name.endswith(TRAIT)):
        unit = places[code]
        near = sorted(other for other in view.seen if other not in look.own and other in look.owner and _meets(look, unit, other))
        yield str(Change(unit, pick([BEATEN_BY[view.seen[other].trait] for other in near] or TRAITS)))


def _meets(look: Outlook, unit: Unit, other: Unit) -> bool:
    return province_of(other) in {province_at(to) for to in look.reach(unit)}


# --- retreats, builds and removals


def _chosen(look: Outlook, slots: Slots, pick: Pick) -> Iterator[str]:
    """Yield the choice of the highest worth for each slot; no two choices have the same province."""
    taken: set[str] = set()
    for slot in slots:
        worths = {choice.text: _worth(look, choice) for choice in slot.choices if not _goal(choice) & taken}
        if worths:
            most = max(worths.values())
            text = pick([text for text, worth in worths.items() if worth == most])
            taken |= next(_goal(choice) for choice in slot.choices if choice.text == text)
            yield text


def _goal(choice: Choice) -> set[str]:
    """Return the province that a choice fills or empties, none for a waived build or for a disbanded unit that did not retreat."""
    words = choice.text.split()
    if words[-1] == "B" or (words[-1] == "D" and choice.group == "Remove"):
        return {words[-2][:3]}
    return {province_at(words[-1])} if "R" in words else set()


def _worth(look: Outlook, choice: Choice) -> float:
    words = choice.text.split()
    if words[-1] == "B":
        return 1 + look.worth(" ".join(words[-3:-1]))
    if words[-1] == "D":
        return -look.worth(" ".join(words[:2])) if choice.group == "Remove" else 0.0
    return 1 + look.worth(unit_at(choice.text, words[-1])) if "R" in words else 0.0
