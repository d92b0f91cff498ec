"""What came of every order, and why: the one list of results and reasons, used by both rule sets, the reports and the exchange."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from adjudicator.games.diplomacy.map.geography import Province, Spot, Unit

Result = Literal[
    "moved",  # the unit is where it was sent
    "bounced",  # its move failed, it is where it was
    "convoy disrupted",  # its convoy was ordered and did not stand; of a fleet: its convoy was caught in a paradox
    "held",  # it stayed, as ordered or for want of an order
    "supported",  # it gave its support
    "cut",  # it supported and was attacked
    "support failed",  # it supported, uncut, a move that nobody was ordered to convoy (one whose convoy breaks is "supported")
    "convoyed",  # it stayed to carry an army that was ordered to go there, whether its convoy stood and the army got in or not
    "void",  # the order could have no effect: nothing on the board agreed with it
    "dislodged",  # whatever it was ordered: it was driven out
    "retreated",
    "disbanded",
    "built",
    "waived",
]

Why = Literal[
    "",  # nothing more to say
    "standoff",  # others tried to enter too and none was stronger: `by` are they
    "beaten",  # somebody else was stronger in the contest for the province: `by` is who
    "defended",  # the unit that stood there was not outdone: `by` is it
    "head to head",  # the unit coming the other way was not outdone: `by` is it
    "own unit",  # it would have dislodged a unit of its own power: `by` is it
    "attacked",  # by whom a support was cut or a unit dislodged
    "convoy broken",  # fleets of the convoy were dislodged: `by` are they
    "paradox",  # the convoy would have decided over itself (Szykman)
    "no convoy",  # no route of fleets was ordered for it
    "no such order",  # the unit that was to be supported or convoyed did something else: `by` is it
    "no such unit",  # there is no such unit, or it is another power's
    "unreachable",  # no unit of its kind can ever go there from where it is
    "coast",  # it named no coast where two can be reached, or the wrong one
    "not possible",  # that order can never be given to this unit, or not in this phase
    "no order",  # nothing was ordered for it
    "several retreats",  # others retreated to the same province: `by` are they
    "no retreat",  # it had nowhere to go
    "not allowed",  # a retreat to where it may not go, a build where none may be
    "too many",  # more builds or removals than were due
    "civil disorder",  # removed because its power removed too few (R3)
]


@dataclass(frozen=True)
class Fate:
    """What came of one unit's order."""

    result: Result
    why: Why = ""
    by: tuple[Unit, ...] = ()  # the units that made it so, in alphabetical order, as they stood before


fate_of = lru_cache(maxsize=1 << 16)(Fate)
"""Return a fate; there are many units and few fates, so they are made once."""

MOVED = Fate("moved")
HELD = Fate("held")
NO_ORDER = Fate("held", "no order")
SUPPORTED = Fate("supported")
CONVOYED = Fate("convoyed")


@dataclass(frozen=True)
class Attack:
    """Who dislodged a unit."""

    by: Unit  # as it stood before
    convoyed: bool


@dataclass(frozen=True)
class Battle:
    """The whole result of a movement phase, made by either rule set from the orders of every unit on the board."""

    fates: Mapping[Unit, Fate]  # of every unit, by where it stood before
    moved: Mapping[Unit, Spot]  # where those that moved are now
    dislodged: Mapping[Unit, Attack]  # by where they stood before
    contested: frozenset[Province]  # left vacant by a standoff: nobody may retreat there (R2)
    clashes: Mapping[Province, tuple[Unit, ...]] = field(default_factory=dict)  # rsp R5: whose characteristics come to light, and where
