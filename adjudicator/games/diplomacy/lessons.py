"""The pictures of the rules pages of both games: cut-outs of the map, each with one thing happening on it."""

from adjudicator.games.diplomacy.draw import draw
from adjudicator.games.diplomacy.geography import STANDARD
from adjudicator.games.diplomacy.state import RuleSet
from adjudicator.games.diplomacy.view import BoardView


def rule_pictures() -> dict[str, str]:
    """Return the pictures by name: `map` shows the opening."""
    return {"map": draw(_opening("standard"))}


def _opening(rule_set: RuleSet) -> BoardView:
    return BoardView(
        seat=None, rule_set=rule_set, phase="S1901M", title="Spring 1901", victory_centres=STANDARD.victory_centres, realms=(),
        units=STANDARD.opening, centres=STANDARD.homes, homeless=(), contested=(), traits={}, seen={}, voted=(), conceded=(),
        last=None, end=None,
    )  # fmt: skip
