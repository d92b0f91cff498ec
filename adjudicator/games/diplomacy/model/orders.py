"""The orders; `str` of each is its canonical spelling, which the research tools read too."""

from typing import ClassVar, Literal

from adjudicator.core.game import Tagged
from adjudicator.games.diplomacy.map.geography import Province, Spot, Unit

Trait = Literal["Rock", "Scissors", "Paper"]
"""A unit's characteristic under the rule set `rsp`."""

TRAITS: tuple[Trait, ...] = ("Rock", "Scissors", "Paper")
BEATS: dict[Trait, Trait] = {"Rock": "Scissors", "Scissors": "Paper", "Paper": "Rock"}


# --- movement


class Hold(Tagged, kind="hold"):
    """`A VIE H`"""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} H"


class Move(Tagged, kind="move"):
    """`A LON - NWY VIA`; a fleet's coast is named if the province has two."""

    unit: Unit
    to: Spot
    via: bool = False  # whether `via convoy` was written

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}{' VIA' if self.via else ''}"


class Support(Tagged, kind="support"):
    """`A MUN S A BUR` (to hold: any order but a move) or `A MUN S A BER - KIE`; a named coast must
    agree with the move's.
    """

    unit: Unit
    of: Unit  # as on the board, its coast included
    to: Spot | None = None  # None: a support to hold

    def __str__(self) -> str:
        return f"{self.unit} S {self.of}{f' - {self.to}' if self.to else ''}"


class Convoy(Tagged, kind="convoy"):
    """`F NTH C A LON - NWY`"""

    unit: Unit
    of: Unit  # an army
    to: Province

    def __str__(self) -> str:
        return f"{self.unit} C {self.of} - {self.to}"


# --- retreats and adjustments


class Retreat(Tagged, kind="retreat"):
    """`F SWE R BAL`"""

    unit: Unit
    to: Spot

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


class Disband(Tagged, kind="disband"):
    """`A SER D`: disbands a dislodged unit, or in an adjustment phase one on the board."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} D"


class Build(Tagged, kind="build"):
    """`F STP/NC B`; under `rsp` it may name the new unit's characteristic: `Rock F STP/NC B`."""

    unit: Unit
    trait: Trait | None = None

    def __str__(self) -> str:
        return f"{f'{self.trait} ' if self.trait else ''}{self.unit} B"


class Waive(Tagged, kind="waive"):
    """`FRANCE WAIVE`: one build of this power is not used."""

    power: str

    def __str__(self) -> str:
        return f"{self.power} WAIVE"


# --- other than orders of units


class Change(Tagged, kind="change"):
    """`Rock A PAR`: the unit's characteristic from this adjudication on (rsp R2); not a movement
    order.
    """

    unit: Unit
    trait: Trait

    unconditional: ClassVar[bool] = True  # not allowed in alternatives (rsp R2)

    def __str__(self) -> str:
        return f"{self.trait} {self.unit}"


class Vote(Tagged, kind="vote"):
    """`DRAW` or `NO DRAW`: whether the seat agrees to a draw of all survivors; valid until the next
    vote of the seat.

    `DRAW ENGLAND FRANCE` is for a draw of these seats only (R12, option `draws`).
    """

    draw: bool
    among: tuple[str, ...] = ()  # the sharers in seat order; () for all survivors

    def __str__(self) -> str:
        return " ".join(("DRAW", *self.among)) if self.draw else "NO DRAW"


class Concede(Tagged, kind="concede"):
    """`CONCEDE`: the seat leaves the match; its powers are in civil disorder from this adjudication
    on.
    """

    def __str__(self) -> str:
        return "CONCEDE"


MovementOrder = Hold | Move | Support | Convoy
Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive | Change | Vote | Concede
