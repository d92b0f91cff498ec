"""The ids of the clickable elements of the picture; each choice of a slot has the ids to click."""

from adjudicator.games.diplomacy.map.geography import Spot, Unit, spot_of
from adjudicator.games.diplomacy.model.state import RuleSet

KEYS: dict[RuleSet, str] = {"standard": "diplomacy", "rsp": "rsp-diplomacy"}


def unit_mark(rule_set: RuleSet, unit: Unit) -> str:
    """Return the id of a unit on the board: `diplomacy-unit-STP-SC`."""
    return f"{KEYS[rule_set]}-unit-{_word(spot_of(unit))}"


def homeless_mark(rule_set: RuleSet, unit: Unit) -> str:
    """Return the id of a dislodged unit before its retreat: `diplomacy-homeless-SIL`."""
    return f"{KEYS[rule_set]}-homeless-{_word(spot_of(unit))}"


def spot_mark(rule_set: RuleSet, spot: Spot) -> str:
    """Return the id of a province, or of one coast of it: `diplomacy-at-PAR`,
    `diplomacy-at-STP-SC`.
    """
    return f"{KEYS[rule_set]}-at-{_word(spot)}"


def _word(spot: Spot) -> str:
    return spot.replace("/", "-")
