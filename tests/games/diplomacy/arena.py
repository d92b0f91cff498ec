"""Short notation for movement phases of `rsp`, for the tests of its rules."""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.geography import STANDARD, Unit
from adjudicator.games.diplomacy.model.outcomes import Battle, Fate
from adjudicator.games.diplomacy.resolve import legality
from adjudicator.games.diplomacy.resolve.contests import resolve
from tests.games.diplomacy.positions import Position, read_position


def fight(*lines: str, edition: str = "1976") -> Battle:
    """Return the battle of lines like `FRANCE Rock A PAR - BUR`; all orders have to be legal."""
    position = read_position("; ".join((edition, *lines)))
    for order in position.orders.values():
        assert legality.find_fault(STANDARD, position.edition, position.owner, order) == "", str(
            order
        )
    return settled(position)


def settled(position: Position) -> Battle:
    """Return the battle of a position."""
    return resolve(STANDARD, position.edition, position.owner, position.orders, position.traits)


def results(battle: Battle) -> dict[Unit, str]:
    """Return the results without reasons."""
    return {unit: fate.result for unit, fate in battle.fates.items()}


def why(fate: Fate) -> str:
    """Return a fate in a line: `bounced, standoff: A GAL, A PRU`."""
    return f"{fate.result}{f', {fate.why}' if fate.why else ''}{': ' if fate.by else ''}{', '.join(fate.by)}"


def reasons(battle: Battle) -> Mapping[Unit, str]:
    """Return every fate in a line."""
    return {unit: why(fate) for unit, fate in battle.fates.items()}
