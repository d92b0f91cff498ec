"""The drawing of the last phase: moves, supports, convoys, retreats and adjustments, and the result
of each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from adjudicator.games.diplomacy.drawing import strokes
from adjudicator.games.diplomacy.drawing.curves import (
    Line,
    curved_line,
    distance,
    line_through,
    straight_line,
)
from adjudicator.games.diplomacy.drawing.unit_marks import draw_outline
from adjudicator.games.diplomacy.language.spelling import read_order
from adjudicator.games.diplomacy.map import art
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Province,
    Unit,
    province_at,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.model.orders import Convoy, Move, Order, Retreat, Support
from adjudicator.games.diplomacy.model.state import Last, Told
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.kit.shapes import cross

_CLEAR = 17  # between the end of a line and the middle of a unit
_DRAWN = art.load_art(STANDARD.name)


@dataclass(frozen=True)
class Trail:
    """The drawing of the last phase, in three layers."""

    lines: str = ""  # below the codes
    heads: str = ""  # below the units
    signs: str = ""  # above everything


def draw_trail(view: BoardView) -> Trail:
    """Return the drawing of the last adjudicated phase; empty layers before the first."""
    if view.last is None:
        return Trail()
    scene = _scene(view, view.last)
    lines = sorted(scene.lines(), key=lambda each: each[0])
    return Trail(
        _quiet("".join(drawn for _, drawn in lines)),
        _quiet("".join(scene.heads())),
        _quiet("".join(scene.signs())),
    )


def _quiet(drawn: str) -> str:
    return f'<g pointer-events="none">{drawn}</g>' if drawn else ""


@lru_cache(maxsize=4096)
def _read(order: str) -> Order | None:
    read = read_order(order, STANDARD) if order else None
    return read if isinstance(read, Move | Support | Convoy | Retreat) else None


def _scene(view: BoardView, last: Last) -> "_Scene":
    standing = frozenset(province_of(unit) for units in view.units.values() for unit in units)
    waiting = frozenset(each.unit for each in view.homeless)
    orders = {
        outcome.unit: order
        for outcome in last.told
        if outcome.unit and (order := _read(outcome.order))
    }
    return _Scene(last, standing, waiting, orders)


@dataclass(frozen=True)
class _Scene:
    """The data for the drawing of one phase."""

    last: Last
    standing: frozenset[Province]  # where units are now
    waiting: frozenset[Unit]  # dislodged ones that have not retreated yet
    orders: Mapping[Unit, Order]

    # --- lines: each with its layer

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of the orders as pairs (layer, SVG); supports lie below convoys, convoys
        below moves.
        """
        for outcome in self.last.told:
            order = self.orders.get(outcome.unit or "")
            if isinstance(order, Support):
                yield 0, self._support(outcome, order)
            elif isinstance(order, Convoy):
                yield 1, self._convoy(outcome, order)
            elif isinstance(order, Move):
                yield 2, self._move(outcome, order)
            elif isinstance(order, Retreat):
                yield 2, self._retreat(outcome, order)

    def _move(self, outcome: Told, order: Move) -> str:
        line = self._drawn(outcome, order)
        if outcome.fate.result == "void":
            return strokes.void_line(line)
        return strokes.move_line(
            strokes.without_head(line) if outcome.fate.result == "moved" else line,
            outcome.power,
            dotted=bool(self._carriers(order)),
        )

    def _drawn(self, outcome: Told, order: Move) -> Line:
        return self._way(order).cut(*self._ends(outcome, order))

    def _ends(self, outcome: Told, order: Move) -> tuple[float, float]:
        """Return the free space at the start and the end of a move's line."""
        start = _CLEAR if province_of(order.unit) in self.standing else 0
        return start, (
            _CLEAR
            if province_at(order.to) in self.standing or outcome.fate.result != "moved"
            else 6
        )

    def _way(self, order: Move) -> Line:
        start, end = _DRAWN.at(spot_of(order.unit)), _DRAWN.at(order.to)
        return line_through(
            start, [_DRAWN.at(spot_of(fleet)) for fleet in self._carriers(order)], end
        )

    def _carriers(self, order: Move) -> tuple[Unit, ...]:
        """Return the fleets that carried an army, or were ordered to before its convoy broke, in
        the order of the route.
        """
        carried = {
            outcome.unit: outcome.fate.result
            for outcome in self.last.told
            if self._carries(outcome, order)
        }
        broken = any(
            outcome.unit == order.unit and outcome.fate.result == "convoy disrupted"
            for outcome in self.last.told
        )
        fleets = {
            province_of(unit): unit
            for unit, result in carried.items()
            if unit and (broken or result == "convoyed")
        }
        return tuple(
            fleets[sea]
            for sea in _chain(province_of(order.unit), province_at(order.to), frozenset(fleets))
        )

    def _carries(self, outcome: Told, move: Move) -> bool:
        order = self.orders.get(outcome.unit or "")
        return isinstance(order, Convoy) and (order.of, order.to) == (
            move.unit,
            province_at(move.to),
        )

    def _support(self, outcome: Told, order: Support) -> str:
        line = self._aim(order)
        if outcome.fate.result == "void":
            return strokes.void_line(line)
        ring = (
            strokes.support_ring(_DRAWN.at(spot_of(order.of)), outcome.power)
            if order.to is None
            else ""
        )
        return ring + strokes.support_line(line, outcome.power, knot=order.to is not None)

    def _aim(self, order: Support) -> Line:
        """Return the line of a support: to the unit that stays, or to the middle of the supported
        move, ordered or not.
        """
        start, target = _DRAWN.at(spot_of(order.unit)), _DRAWN.at(spot_of(order.of))
        if order.to is None:
            return curved_line(start, target).cut(_CLEAR, _CLEAR + 3)
        meant = self.orders.get(order.of)
        made = isinstance(meant, Move) and province_at(meant.to) == province_at(order.to)
        way = (
            self._way(meant)
            if made and isinstance(meant, Move)
            else curved_line(target, _DRAWN.at(order.to))
        )
        return straight_line(start, way.at(0.5)).cut(_CLEAR, 0)

    def _convoy(self, outcome: Told, order: Convoy) -> str:
        at = _DRAWN.at(spot_of(order.unit))
        if outcome.fate.result == "convoyed":
            return strokes.convoy_waves(at, outcome.power)
        return strokes.void_line(
            straight_line(
                at, curved_line(_DRAWN.at(spot_of(order.of)), _DRAWN.at(order.to)).at(0.5)
            ).cut(_CLEAR, 0)
        )

    def _retreat(self, outcome: Told, order: Retreat) -> str:
        line = _way_back(order)
        return (
            strokes.retreat_line(strokes.without_head(line), outcome.power)
            if outcome.fate.result == "retreated"
            else strokes.void_line(line)
        )

    def heads(self) -> Iterator[str]:
        """Yield the arrow heads of successful moves and retreats."""
        for outcome in self.last.told:
            order = self.orders.get(outcome.unit or "")
            if isinstance(order, Move) and outcome.fate.result == "moved":
                yield strokes.arrow_head(self._drawn(outcome, order), outcome.power)
            if isinstance(order, Retreat) and outcome.fate.result == "retreated":
                yield strokes.arrow_head(_way_back(order), outcome.power)

    # --- signs

    def signs(self) -> Iterator[str]:
        """Yield the marks of the results, and of provinces that a standoff left vacant."""
        for outcome in self.last.told:
            if outcome.unit:
                yield from self._signs_of(outcome, outcome.unit)
        for code in self.last.contested:
            yield strokes.bounce_mark(_DRAWN.shapes[code].unit, 12)

    def _signs_of(self, outcome: Told, unit: Unit) -> Iterator[str]:
        order, result = self.orders.get(unit), outcome.fate.result
        if isinstance(order, Move) and result in ("bounced", "convoy disrupted", "dislodged"):
            yield strokes.bounce_mark(self._drawn(outcome, order).tip, 6.5)
        if isinstance(order, Support) and result in ("cut", "dislodged", "support failed"):
            yield strokes.cut_mark(self._aim(order).at(0.5))
        if result == "built":
            yield strokes.build_mark(_DRAWN.at(spot_of(unit)))
        if result == "disbanded" or (result == "dislodged" and unit not in self.waiting):
            at = (
                _DRAWN.at(spot_of(unit))
                if self.last.phase[5] == "A"
                else _DRAWN.shapes[province_of(unit)].away
            )
            yield draw_outline(unit, at) + cross(at, 9)


def _way_back(order: Retreat) -> Line:
    return curved_line(_DRAWN.shapes[province_of(order.unit)].away, _DRAWN.at(order.to)).cut(
        0, _CLEAR
    )


def _chain(start: Province, end: Province, fleets: frozenset[Province]) -> tuple[Province, ...]:
    """Return the seas of the shortest route by these fleets; if there is none, all of them, the
    nearest to the start first.
    """
    ways: list[tuple[Province, ...]] = [(sea,) for sea in sorted(fleets & STANDARD.touching[start])]
    while ways:
        done = [way for way in ways if end in STANDARD.touching[way[-1]]]
        if done:
            return done[0]
        ways = [
            (*way, sea)
            for way in ways
            for sea in sorted(fleets & STANDARD.touching[way[-1]] - set(way))
        ]
    return tuple(sorted(fleets, key=lambda sea: distance(_DRAWN.at(start), _DRAWN.at(sea))))
