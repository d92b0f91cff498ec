"""The events of a match; each one says who may read it (rsp R5: characteristics are the only
secrets).
"""

from collections.abc import Mapping
from dataclasses import field

from adjudicator.core.game import Event, Seat
from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit
from adjudicator.games.diplomacy.model.orders import Trait
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import How


class Assigned(Event, kind="assigned"):
    """rsp R1, R3: the new characteristics of one power's units; only its seat, if any, reads it
    before the end.
    """

    power: Power
    traits: Mapping[Unit, Trait]


class Closed(Event, kind="closed"):
    """A phase was adjudicated; the events up to the next one belong to it."""

    phase: str  # "S1901M"


class Done(Event, kind="done"):
    """The result of one order."""

    power: Power
    unit: Unit | None  # at its place before; None: a waived build
    order: str  # canonical, without characteristics; "" if there was none
    fate: Fate


class Changed(Event, kind="changed"):
    """rsp R2: the owner changed a characteristic; only the owner reads it before the end."""

    unit: Unit
    trait: Trait


class Revealed(Event, kind="revealed"):
    """rsp R5: the characteristics that a conflict in a province revealed."""

    province: Province
    traits: Mapping[Unit, Trait]  # by the units at their places before
    powers: Mapping[Unit, Power]


class Driven(Event, kind="driven"):
    """A unit was dislodged; without a possible retreat it is disbanded at once (R2)."""

    power: Power
    unit: Unit
    retreats: tuple[Spot, ...]


class Taken(Event, kind="taken"):
    """A supply centre has a new owner after a Fall."""

    province: Province
    by: Power
    of: Power | None  # None: it was neutral


class Counted(Event, kind="counted"):
    """After a Fall: the centres and units of each surviving power; the difference is the number of
    builds or removals.
    """

    centres: Mapping[Power, int]
    units: Mapping[Power, int]


class Eliminated(Event, kind="eliminated"):
    """A power has neither units nor centres."""

    power: Power


class Voted(Event, kind="voted"):
    """The seats that agree to a draw now, and the seats whose agreement is missing."""

    draw: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    # by agreeing seat: the sharers, unless all survivors (R12)
    among: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)


class Proposed(Event, kind="proposed"):
    """R12, option `votes`: the draws that somebody agrees to now, where nobody is told who."""

    # the sharers of each, () for all survivors; none where no draw is proposed any more
    draws: tuple[tuple[Seat, ...], ...]


class Conceded(Event, kind="conceded"):
    """A seat gave up."""

    seat: Seat
    powers: tuple[Power, ...]


class Ended(Event, kind="ended"):
    """The match is over."""

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
