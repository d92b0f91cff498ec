"""The results of orders and their reasons, for both rule sets, the reports and the exchange."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from adjudicator.games.diplomacy.map.geography import Province, Spot, Unit

Result = Literal[
    "moved",  # the move succeeded
    "bounced",  # the move failed
    # an army's ordered convoy was broken; of a fleet: its convoy was in a paradox
    "convoy disrupted",
    "held",  # it held, with or without an order
    "supported",  # the support was given
    "cut",  # the support was cut by an attack
    # the support was not cut, but no fleet was ordered to convoy the move (if the convoy broke:
    # "supported")
    "support failed",
    # the convoy order matched the army's order, whatever became of the convoy and the army
    "convoyed",
    "void",  # the order had no effect, since it was illegal or matched no other order
    "dislodged",  # whatever its order was
    "retreated",
    "disbanded",
    "built",
    "waived",
]

Why = Literal[
    "",  # nothing more to say
    "standoff",  # other units tried to enter too, and no attack prevailed: `by` are these units
    "beaten",  # another attack prevailed: `by` is its unit
    "defended",  # the attack did not dislodge the unit in the province: `by` is that unit
    # the attack did not prevail over the unit that came the other way: `by` is that unit
    "head to head",
    "own unit",  # the attack would have dislodged a unit of the same power: `by` is that unit
    "attacked",  # a support was cut or a unit dislodged: `by` are the attackers
    "convoy broken",  # fleets of the convoy were dislodged: `by` are these fleets
    "paradox",  # the convoy's success would have depended on itself (Szykman)
    "no convoy",  # no complete route of fleets was ordered for it
    "no such order",  # the unit to be supported or convoyed had another order: `by` is that unit
    "no such unit",  # there is no such unit, or it belongs to another power
    "unreachable",  # a unit of this kind can never go there from its place
    "coast",  # the coast was missing though two can be reached, or it was wrong
    "not possible",  # this unit can never have such an order, or not in this phase
    "no order",  # there was no order
    "several retreats",  # other units retreated to the same province: `by` are these units
    "no retreat",  # it had no possible retreat
    "not allowed",  # a forbidden retreat, or a build where none may be
    "too many",  # more builds or removals than due
    "civil disorder",  # removed because its power removed too few (R3)
]


@dataclass(frozen=True)
class Fate:
    """The result of one unit's order."""

    result: Result
    why: Why = ""
    # the units that caused it at their places before, in alphabetical order
    by: tuple[Unit, ...] = ()


fate_of = lru_cache(maxsize=1 << 16)(Fate)
"""Return a cached fate, since there are many units and few different fates."""

MOVED = Fate("moved")
HELD = Fate("held")
NO_ORDER = Fate("held", "no order")
SUPPORTED = Fate("supported")
CONVOYED = Fate("convoyed")


@dataclass(frozen=True)
class Attack:
    """The attack that dislodged a unit."""

    by: Unit  # at its place before
    convoyed: bool


@dataclass(frozen=True)
class Battle:
    """The complete result of a movement phase under either rule set; all units are at their places
    before.
    """

    fates: Mapping[Unit, Fate]  # of every unit
    moved: Mapping[Unit, Spot]  # the new places of units that moved
    dislodged: Mapping[Unit, Attack]
    contested: frozenset[Province]  # left vacant by a standoff: no unit may retreat there (R2)
    # rsp R5: the units whose characteristics are revealed
    clashes: Mapping[Province, tuple[Unit, ...]] = field(default_factory=dict)
