"""Phases from one program to another: a line with a position and order texts is answered with what comes of them (R8, docs/exchange.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.games.diplomacy.exchange.lines import LineFault, read_position, write_position
from adjudicator.games.diplomacy.exchange.settling import settle
from adjudicator.games.diplomacy.map.geography import STANDARD, Power
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.state import RuleSet

GAMES: dict[str, tuple[RuleSet, str]] = {"diplomacy": ("standard", "2023"), "rsp-diplomacy": ("rsp", "1976")}
"""By the games' keys: the rule set and the edition played by default (R9)."""


def rules_of(game: str, edition: str | None = None) -> Rules:
    """Return the rules of a game by its key; raises LineFault for an edition there is not."""
    rule_set, usual = GAMES[game]
    if (edition or usual) not in EDITIONS:
        raise LineFault(f"There is no edition “{edition}”; there are {', '.join(EDITIONS)}.")
    return Rules(rule_set, EDITIONS[edition or usual])


def answer(rules: Rules, line: object, *, reasons: bool = False) -> dict[str, Any]:
    """Return a line with `after` and `outcomes`, `revealed` under `rsp`, `unread` where there are such texts, `reasons` if asked for.

    Everything else in the line is kept. Raises LineFault where it cannot be adjudicated.
    """
    if not isinstance(line, Mapping):
        raise LineFault("A line has to be an object with “phase”, “before” and “orders”.")
    position = read_position(line.get("phase"), line.get("before"))
    settled = settle(rules, position, read_texts(line.get("orders")))
    answered = {key: value for key, value in line.items() if key not in ("revealed", "unread", "reasons")}
    answered |= {"after": write_position(settled.after), "outcomes": {of: fate.result for of, fate in sorted(settled.fates.items())}}
    if rules.rule_set == "rsp":
        answered["revealed"] = dict(sorted(settled.revealed.items()))
    if settled.unread:
        answered["unread"] = {power: list(texts) for power, texts in sorted(settled.unread.items())}
    if reasons:
        answered["reasons"] = {of: {"why": fate.why, "by": list(fate.by)} for of, fate in sorted(settled.fates.items()) if fate.why}
    return answered


def read_texts(orders: object) -> dict[Power, Sequence[str]]:
    """Return the order texts of every power; raises LineFault where they are written in another form."""
    if orders is None:
        return {}
    if not isinstance(orders, Mapping):
        raise LineFault("“orders” has to be an object with a list of texts for each power.")
    for power, texts in orders.items():
        if power not in STANDARD.powers:
            raise LineFault(f"“{str(power)[:20]}” in “orders” is no power; there are {', '.join(STANDARD.powers)}.")
        if texts is not None and not (isinstance(texts, list) and all(isinstance(text, str) for text in texts)):
            raise LineFault(f"The orders of {power} have to be a list of texts.")
    return {power: texts for power, texts in orders.items() if texts}
