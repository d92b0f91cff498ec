"""Adjudicates lines of JSON: a position and order texts in, the next position and the results out
(R8, docs/exchange.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.games.diplomacy.exchange.lines import LineFault, read_position, write_position
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.matching.order_matching import (
    Given,
    assign_orders,
    understand_line,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import Build, Disband, Trait, Waive
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import Position, RuleSet
from adjudicator.games.diplomacy.phases.settling import Settled, settle_phase

GAMES: dict[str, tuple[RuleSet, str]] = {
    "diplomacy": ("standard", "2023"),
    "rsp-diplomacy": ("rsp", "1976"),
}
"""By the key of a game: its rule set and its default edition (R9)."""


def rules_of(game: str, edition: str | None = None) -> Rules:
    """Return the rules of a game by its key; raises LineFault for an unknown edition."""
    rule_set, usual = GAMES[game]
    if (edition or usual) not in EDITIONS:
        raise LineFault(f"There is no edition “{edition}”; there are {', '.join(EDITIONS)}.")
    return Rules(rule_set, EDITIONS[edition or usual])


def answer_line(rules: Rules, line: object, *, reasons: bool = False) -> dict[str, Any]:
    """Return a line with `after` and `outcomes`, `revealed` under `rsp`, `unread` if some texts are
    no orders, `reasons` on request.

    Everything else in the line is kept. Raises LineFault if the line cannot be adjudicated.
    """
    if not isinstance(line, Mapping):
        raise LineFault("A line has to be an object with “phase”, “before” and “orders”.")
    position = read_position(line.get("phase"), line.get("before"))
    played = play_phase(rules, position, read_texts(line.get("orders")))
    fates = sorted(played.fates.items())
    answered = {
        key: value for key, value in line.items() if key not in ("revealed", "unread", "reasons")
    }
    answered |= {
        "after": write_position(played.after),
        "outcomes": {of: fate.result for of, fate in fates},
    }
    if rules.rule_set == "rsp":
        answered["revealed"] = dict(sorted(played.revealed.items()))
    if played.unread:
        answered["unread"] = dict(sorted(played.unread.items()))
    if reasons:
        answered["reasons"] = {
            of: {"why": fate.why, "by": list(fate.by)} for of, fate in fates if fate.why
        }
    return answered


def read_texts(orders: object) -> dict[Power, Sequence[str]]:
    """Return the order texts of every power; raises LineFault for any other form."""
    if orders is None:
        return {}
    if not isinstance(orders, Mapping):
        raise LineFault("“orders” has to be an object with a list of texts for each power.")
    for power, texts in orders.items():
        if power not in STANDARD.powers:
            raise LineFault(
                f"“{str(power)[:20]}” in “orders” is no power; there are"
                f" {', '.join(STANDARD.powers)}."
            )
        if texts is not None and not (
            isinstance(texts, list) and all(isinstance(text, str) for text in texts)
        ):
            raise LineFault(f"The orders of {power} have to be a list of texts.")
    return {power: texts for power, texts in orders.items() if texts}


# --- one phase


@dataclass(frozen=True)
class Played:
    """The results of one phase that a line contains."""

    after: Position
    # by unit at its place before the phase, by new unit, and by waived build
    fates: Mapping[str, Fate]
    unread: Mapping[Power, list[str]]  # the texts that could not be parsed
    revealed: Mapping[Unit, Trait]  # rsp R5


def play_phase(rules: Rules, position: Position, texts: Mapping[Power, Sequence[str]]) -> Played:
    """Adjudicate one phase. Raises LineFault only if a unit has no characteristic in a movement
    phase of `rsp`.
    """
    lines = {power: list(map(understand_line, own)) for power, own in texts.items()}
    given = assign_orders(rules, position, lines)
    if rules.rule_set == "rsp" and position.stage == "M":
        _require_traits(position, given)
    settled = settle_phase(rules, position, given)
    unread: dict[Power, list[str]] = {}
    for power, text in [
        (power, line.unread) for power, own in lines.items() for line in own if line.said is None
    ]:
        unread.setdefault(power, []).append(text)
    revealed = {unit: settled.traits[unit] for clash in settled.clashes.values() for unit in clash}
    return Played(settled.after, _fates(settled, given), unread, revealed)


def _require_traits(position: Position, given: Given) -> None:
    for unit in sorted(position.owner):
        if unit not in position.traits and unit not in given.traits:
            raise LineFault(
                f'{unit} has no characteristic: give it one in “characteristics”, like {{"{unit}":'
                ' "Rock"}.'
            )


def _fates(settled: Settled, given: Given) -> dict[str, Fate]:
    """Return the result of every order; a unit with void orders only is `void`, unless it was
    dislodged or disbanded.
    """
    fates = dict(settled.fates)
    for unit, why in given.void.items():
        if unit not in fates or unit in settled.now:
            fates[unit] = Fate("void", why)
    for done in settled.adjusted.values():
        for order, fate in zip(done.orders, done.fates, strict=True):
            _note(fates, order, fate)
        fates |= dict.fromkeys(done.removed, Fate("disbanded", "civil disorder"))
    return fates


def _note(fates: dict[str, Fate], order: Build | Disband | Waive, fate: Fate) -> None:
    """Enter the result of an adjustment; for several orders of one unit an effective one wins,
    waives are numbered (`FRANCE WAIVE 2`).
    """
    name = order.unit if not isinstance(order, Waive) else str(order)
    if isinstance(order, Waive):
        number = sum(key.startswith(name) for key in fates)
        name = f"{name} {number + 1}" if number else name
    if name not in fates or fates[name].result == "void":
        fates[name] = fate
