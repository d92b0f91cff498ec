"""The events of a match; each one says who may read it (rsp R5: characteristics are the only
secrets).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from adjudicator.core.game import Event, Seat
from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit
from adjudicator.games.diplomacy.model.orders import Trait
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import How


@dataclass(frozen=True, kw_only=True)
class Assigned(Event):
    """rsp R1, R3: the new characteristics of one power's units; only its seat, if any, reads it
    before the end.
    """

    kind: Literal["assigned"] = "assigned"
    power: Power
    traits: Mapping[Unit, Trait]


@dataclass(frozen=True, kw_only=True)
class Closed(Event):
    """A phase was adjudicated; the events up to the next one belong to it."""

    kind: Literal["closed"] = "closed"
    phase: str  # "S1901M"


@dataclass(frozen=True, kw_only=True)
class Done(Event):
    """The result of one order."""

    kind: Literal["done"] = "done"
    power: Power
    unit: Unit | None  # at its place before; None: a waived build
    order: str  # canonical, without characteristics; "" if there was none
    fate: Fate


@dataclass(frozen=True, kw_only=True)
class Changed(Event):
    """rsp R2: the owner changed a characteristic; only the owner reads it before the end."""

    kind: Literal["changed"] = "changed"
    unit: Unit
    trait: Trait


@dataclass(frozen=True, kw_only=True)
class Revealed(Event):
    """rsp R5: the characteristics that a conflict in a province revealed."""

    kind: Literal["revealed"] = "revealed"
    province: Province
    traits: Mapping[Unit, Trait]  # by the units at their places before
    powers: Mapping[Unit, Power]


@dataclass(frozen=True, kw_only=True)
class Driven(Event):
    """A unit was dislodged; without a possible retreat it is disbanded at once (R2)."""

    kind: Literal["driven"] = "driven"
    power: Power
    unit: Unit
    retreats: tuple[Spot, ...]


@dataclass(frozen=True, kw_only=True)
class Taken(Event):
    """A supply centre has a new owner after a Fall."""

    kind: Literal["taken"] = "taken"
    province: Province
    by: Power
    of: Power | None  # None: it was neutral


@dataclass(frozen=True, kw_only=True)
class Counted(Event):
    """After a Fall: the centres and units of each surviving power; the difference is the number of
    builds or removals.
    """

    kind: Literal["counted"] = "counted"
    centres: Mapping[Power, int]
    units: Mapping[Power, int]


@dataclass(frozen=True, kw_only=True)
class Eliminated(Event):
    """A power has neither units nor centres."""

    kind: Literal["eliminated"] = "eliminated"
    power: Power


@dataclass(frozen=True, kw_only=True)
class Voted(Event):
    """The seats that agree to a draw now, and the seats whose agreement is missing."""

    kind: Literal["voted"] = "voted"
    draw: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    # by agreeing seat: the sharers, unless all survivors (R12)
    among: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Proposed(Event):
    """R12, option `votes`: the draws that somebody agrees to now, where nobody is told who."""

    kind: Literal["proposed"] = "proposed"
    # the sharers of each, () for all survivors; none where no draw is proposed any more
    draws: tuple[tuple[Seat, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Conceded(Event):
    """A seat gave up."""

    kind: Literal["conceded"] = "conceded"
    seat: Seat
    powers: tuple[Power, ...]


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """The match is over."""

    kind: Literal["ended"] = "ended"
    how: How
    winners: tuple[Seat, ...]
    centres: Mapping[Seat, int]


Happened = (
    Assigned
    | Closed
    | Done
    | Changed
    | Revealed
    | Driven
    | Taken
    | Counted
    | Eliminated
    | Voted
    | Proposed
    | Conceded
    | Ended
)
