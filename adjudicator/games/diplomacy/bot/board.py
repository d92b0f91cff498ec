"""The board as a house bot reads it from its seat's view, and the worth of every place for the
powers of one seat.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import mul

from adjudicator.games.diplomacy.bot.outlook import (
    GUARD,
    NEARER,
    PRIZE_LATER,
    PRIZE_NOW,
    count_steps,
)
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    kind_of,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS, Edition
from adjudicator.games.diplomacy.model.state import Told
from adjudicator.games.diplomacy.phases.view import BoardView

Side = tuple[Power, ...]
"""The powers of one seat, or one power that nobody plays."""

# to which the worth of a centre falls with every step of an army over land and sea, which needs a
# convoy
BY_SEA = 0.35
IDLE = 2.5  # the factor for centres of a power that gives no orders
LEADER = 1.5  # the factor for centres of a power that is close to winning


@dataclass(frozen=True)
class Board:
    """The units, the centres and the seats of one phase."""

    view: BoardView
    mine: Side
    owner: Mapping[Unit, Power]
    holder: Mapping[Province, Power]  # of the centres; neutral ones are missing

    @cached_property
    def edition(self) -> Edition:
        """The rules that the match follows."""
        return EDITIONS[self.view.edition]

    @property
    def rsp(self) -> bool:
        """Whether characteristics decide instead of supports."""
        return self.view.rule_set == "rsp"

    @property
    def fall(self) -> bool:
        """Whether centres change hands at the end of this season."""
        return self.view.phase[0] == "F"

    @cached_property
    def at(self) -> Mapping[Province, Unit]:
        """The units by province."""
        return {province_of(unit): unit for unit in self.owner}

    @cached_property
    def near(self) -> Mapping[Province, tuple[Unit, ...]]:
        """The units that could move to each province without a convoy; provinces that none could
        enter are missing.
        """
        found: dict[Province, list[Unit]] = {}
        for unit in self.owner:
            for code in reached(unit):
                found.setdefault(code, []).append(unit)
        return {code: tuple(units) for code, units in found.items()}

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides that have units, in the order of the seats; powers that nobody plays come last,
        one by one.
        """
        played = tuple(realm.powers for realm in self.view.realms)
        alone = tuple(
            (power,) for power in STANDARD.powers if not any(power in side for side in played)
        )
        return tuple(
            side for side in (*played, *alone) if any(self.view.units.get(power) for power in side)
        )

    @cached_property
    def idle(self) -> frozenset[Power]:
        """The powers that nobody orders, as far as the last phase shows."""
        out = {
            power
            for realm in self.view.realms
            if realm.seat in self.view.conceded
            for power in realm.powers
        }
        played = {power for realm in self.view.realms for power in realm.powers} - out
        others = [power for power in STANDARD.powers if power not in self.mine]
        return frozenset(
            power for power in others if power not in played or _is_idle(self.view, power)
        )


def _is_idle(view: BoardView, power: Power) -> bool:
    """Whether a power did nothing: its units held in the last phase, or all of them are where they
    began.
    """
    units = view.units.get(power, ())
    if view.phase != "S1901M" and units and set(units) <= set(STANDARD.opening[power]):
        return True
    outcomes: list[Told] = (
        [each for each in view.last.told if each.power == power]
        if view.last and view.last.phase[5] == "M"
        else []
    )
    return bool(outcomes) and all(not each.order or each.order.endswith(" H") for each in outcomes)


@cache
def reached(unit: Unit) -> tuple[Province, ...]:
    """Return the provinces that a unit can move to without a convoy."""
    return tuple(dict.fromkeys(province_at(to) for to in STANDARD.reach[unit]))


@cache
def _pulls(unit: Unit) -> tuple[float, ...]:
    """Return how much each centre of the map attracts a unit from afar; 0 for one in its own
    province.
    """
    far = count_steps(unit)
    return tuple(_pull(unit, code, far.get(code)) for code in STANDARD.centres)


def _pull(unit: Unit, code: Province, steps: int | None) -> float:
    if steps == 0:
        return 0.0
    sailing = (
        BY_SEA ** STANDARD.distances(frozenset({code}))[province_of(unit)]
        if kind_of(unit) == "A"
        else 0.0
    )
    return max(NEARER**steps if steps else 0.0, sailing)


@dataclass(frozen=True)
class Worths:
    """The worth of places for one side."""

    board: Board
    side: Side
    known: dict[Unit, float] = field(default_factory=dict, compare=False)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units of the side, in alphabetical order."""
        return tuple(
            sorted(unit for power in self.side for unit in self.board.view.units.get(power, ()))
        )

    @cached_property
    def dangers(self) -> Mapping[Province, int]:
        """The number of foreign units that could enter each province; provinces that none could
        enter are missing.
        """
        owner, idle = self.board.owner, self.board.idle
        counts = {
            code: sum(owner[unit] not in self.side and owner[unit] not in idle for unit in units)
            for code, units in self.board.near.items()
        }
        return {code: count for code, count in counts.items() if count}

    @cached_property
    def _prizes(self) -> Mapping[Province, float]:
        """How much each foreign centre is wanted, compared with a usual one."""
        view, holder = self.board.view, self.board.holder
        found = {}
        for code in STANDARD.centres:
            power = holder.get(code)
            if power not in self.side:
                leads = power and len(view.centres.get(power, ())) > 2 * view.victory_centres / 3
                found[code] = IDLE if power in self.board.idle else LEADER if leads else 1.0
        return found

    @cached_property
    def _base(self) -> tuple[float, ...]:
        """How much each centre of the map attracts units from afar."""
        return tuple(
            self._prizes.get(code, 0.3 * min(self.dangers.get(code, 0), 2))
            for code in STANDARD.centres
        )

    def worth(self, unit: Unit) -> float:
        """Return the worth of having `unit` on the board when the phase is over."""
        found = self.known.get(unit)
        if found is None:
            code = province_of(unit)
            found = sum(map(mul, self._base, _pulls(unit)))
            if code in self._prizes:
                found += self._prizes[code] * (PRIZE_NOW if self.board.fall else PRIZE_LATER)
            elif STANDARD.places[code].centre and self.dangers.get(code):
                found += GUARD
            self.known[unit] = found
        return found


def read_board(view: BoardView) -> Board:
    """Return the board for the seat of `view`, which has to be a player's."""
    return Board(
        view=view,
        mine=next(realm.powers for realm in view.realms if realm.seat == view.seat),
        owner={unit: power for power in STANDARD.powers for unit in view.units.get(power, ())},
        holder={code: power for power, codes in view.centres.items() for code in codes},
    )
