"""Benchmarks of Diplomacy: phases per second on one core, compared with the package `diplomacy`,
and latencies for players.
"""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adjudicator.commands.adjudicate import load_line, numbered_lines
from adjudicator.core.options import complete_options
from adjudicator.games.diplomacy.exchange import exchange
from adjudicator.games.diplomacy.exchange.lines import read_position
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.matching.order_matching import assign_orders, understand_line
from adjudicator.games.diplomacy.model.orders import TRAITS, MovementOrder, Trait
from adjudicator.games.diplomacy.model.state import Position, State
from adjudicator.games.diplomacy.phases.settling import resolve_battle
from adjudicator.games.diplomacy.resolve import resolve_retreats
from adjudicator.games.diplomacy.rules import DIPLOMACY
from adjudicator.mail.composing.pictures import draw_png
from tools.bench_positions import hard_positions
from tools.playing import chance_of

GOLDEN = Path(__file__).parent.parent / "tests" / "games" / "diplomacy" / "golden_games.jsonl"
ROUNDS = 5  # the median counts
PICTURES = 20

Say = Callable[[str], None]
Texts = Mapping[Power, Sequence[str]]


@dataclass(frozen=True)
class Asked:
    """One movement phase."""

    name: str
    position: Position
    texts: Texts
    orders: Mapping[Unit, MovementOrder]  # those that count under the standard rules
    kept: Mapping[Unit, MovementOrder]  # those that count under `rsp`
    traits: Mapping[Unit, Trait]


def bench_diplomacy(say: Say, games: Path | None = None) -> None:
    """Print every figure for the movement phases of a file of recorded games, by default the golden
    games.
    """
    asked = read_phases(games or GOLDEN)
    say(
        f"{len(asked)} movement phases of {(games or GOLDEN).name},"
        f" {sum(len(each.orders) for each in asked)} orders, one core"
    )
    ours = _standard(say, asked)
    _rsp(say, asked)
    _package(say, asked, ours)
    _hard(say)
    _players(say, asked)


def read_phases(games: Path) -> list[Asked]:
    """Return the movement phases of a file, with a random characteristic for each unit."""
    lines = [load_line(raw) for _, raw in numbered_lines(games)]
    return [_asked(line) for line in lines if line["phase"].endswith("M")]


def _asked(line: Mapping[str, Any]) -> Asked:
    position, texts = (
        read_position(line["phase"], line["before"]),
        exchange.read_texts(line["orders"]),
    )
    name = f"{line.get('game', '')} {line['phase']}"
    traits = {
        unit: chance_of(name, number).hidden.pick("trait", TRAITS)
        for number, unit in enumerate(sorted(position.owner))
    }
    lines = {power: [understand_line(text) for text in own] for power, own in texts.items()}
    orders, kept = (
        assign_orders(exchange.rules_of(game), position, lines).orders for game in exchange.GAMES
    )
    return Asked(name, position, texts, orders, kept, traits)


# --- phases a second


def _standard(say: Say, asked: Sequence[Asked]) -> float:
    """Return phases per second from parsed orders, for the ratio."""
    rules = exchange.rules_of("diplomacy", "via")

    def parsed(each: Asked) -> None:
        battle = resolve_battle(rules, each.position.owner, each.orders, {})
        resolve_retreats.find_homeless(STANDARD, rules.edition, each.position.owner, battle)

    def texts(each: Asked) -> None:
        exchange.play_phase(rules, each.position, each.texts)

    say(f"standard, from order texts: {_told(texts, asked)}")
    say(f"standard, from order texts never seen before: {_told(texts, asked, cold=True)}")
    say(f"standard, from parsed orders: {_told(parsed, asked)}")
    return _rate(parsed, asked)


def _rsp(say: Say, asked: Sequence[Asked]) -> None:
    rules = exchange.rules_of("rsp-diplomacy")

    def parsed(each: Asked) -> None:
        battle = resolve_battle(rules, each.position.owner, each.kept, each.traits)
        resolve_retreats.find_homeless(
            STANDARD, rules.edition, each.position.owner, battle, traits=each.traits
        )

    drawn = [replace(each, position=replace(each.position, traits=each.traits)) for each in asked]
    say(
        "rsp, from order texts:"
        f" {_told(lambda each: exchange.play_phase(rules, each.position, each.texts), drawn)}"
    )
    say(f"rsp, from parsed orders: {_told(parsed, asked)}")


def _told(call: Callable[[Asked], object], asked: Sequence[Asked], *, cold: bool = False) -> str:
    """Return phases per second, the median of some rounds, and the slowest phase in its fastest
    round.
    """
    rate = _rate(call, asked, cold=cold)
    if cold:
        return f"{rate:.0f} phases/s"
    slowest, name = max((min(_ms(call, each) for _ in range(ROUNDS)), each.name) for each in asked)
    return f"{rate:.0f} phases/s, the slowest {slowest:.2f} ms ({name})"


def _rate(call: Callable[[Asked], object], asked: Sequence[Asked], *, cold: bool = False) -> float:
    return statistics.median(_once(call, asked, cold=cold) for _ in range(ROUNDS))


def _once(call: Callable[[Asked], object], asked: Sequence[Asked], *, cold: bool) -> float:
    if cold:
        understand_line.cache_clear()
    begin = time.process_time()
    for each in asked:
        call(each)
    return len(asked) / (time.process_time() - begin)


def _ms(call: Callable[..., object], *arguments: object) -> float:
    begin = time.perf_counter()
    call(*arguments)
    return (time.perf_counter() - begin) * 1000


# --- the package `diplomacy`


def _package(say: Say, asked: Sequence[Asked], ours: float) -> None:
    """Adjudicate the same phases with the package, from texts it has parsed; a single round,
    because it is slow.
    """
    from diplomacy import Game  # type: ignore[import-untyped]  # a dependency for development

    def prepared(each: Asked) -> Any:
        game = Game()
        game.clear_units()
        for power in STANDARD.powers:
            game.set_units(
                power, [unit for unit, owner in each.position.owner.items() if owner == power]
            )
        for power, texts in each.texts.items():
            game.set_orders(power, list(texts))
        return game

    seconds = 0.0
    for each in asked:
        game = prepared(each)
        begin = time.process_time()
        game.process()
        seconds += time.process_time() - begin
    theirs = len(asked) / seconds
    say(
        f"the package diplomacy, orders taken in before: {theirs:.0f} phases/s; parsed, we reach"
        f" {ours / theirs:.0f} times as many"
    )


# --- hard positions


def _hard(say: Say) -> None:
    for name, owner, orders in hard_positions():
        for game in ("diplomacy", "rsp-diplomacy"):
            rules = exchange.rules_of(game)
            kept = {
                unit: order
                for unit, order in orders.items()
                if game == "diplomacy" or order.kind != "support"
            }
            traits = {unit: TRAITS[number % 3] for number, unit in enumerate(sorted(owner))}
            times = [_ms(resolve_battle, rules, owner, kept, traits) for _ in range(2 * ROUNDS)]
            say(
                f"{game}, {name}: {statistics.median(times[ROUNDS:]):.2f} ms, the first time"
                f" {times[0]:.2f} ms"
            )


# --- latencies for players


def _players(say: Say, asked: Sequence[Asked]) -> None:
    states = [_state(each) for each in asked[:: max(1, len(asked) // 100)]]
    texts = [
        (state, power, "\n".join(each.texts.get(power, ())))
        for state, each in zip(states, asked[:: max(1, len(asked) // 100)], strict=True)
        for power in STANDARD.powers
        if power in each.texts
    ]
    say(f"parse, a seat's orders: {_median_ms(DIPLOMACY.parse, texts)}")
    say(
        "slots of a seat:"
        f" {_median_ms(DIPLOMACY.slots, [(state, power) for state, power, _ in texts])}"
    )
    views = [DIPLOMACY.view(state, None) for state in states[:: max(1, len(states) // PICTURES)]]
    pictures = [DIPLOMACY.draw(view) for view in views]
    say(
        f"the map as SVG: {_median_ms(DIPLOMACY.draw, [(view,) for view in views])},"
        f" {_largest_kb(pictures)}"
    )
    say(
        f"the map as PNG: {_median_ms(draw_png, [(svg,) for svg in pictures])},"
        f" {_largest_kb([draw_png(svg) for svg in pictures])}"
    )


def _largest_kb(pictures: Sequence[str | bytes]) -> str:
    return f"{max(map(len, pictures)) / 1000:.0f} kB at most"


def _state(asked: Asked) -> State:
    """Return the phase as a match's state, with arrows for the same orders as the last phase."""
    opened = DIPLOMACY.start(
        STANDARD.powers, complete_options(DIPLOMACY.about, {}, players=7), chance_of("bench", 0)
    )
    units = {
        power: tuple(sorted(unit for unit, owner in asked.position.owner.items() if owner == power))
        for power in STANDARD.powers
    }
    centres = {
        power: tuple(
            sorted(code for code, owner in asked.position.centres.items() if owner == power)
        )
        for power in STANDARD.powers
    }
    there = replace(opened, phase=asked.position.phase, units=units, centres=centres)
    orders = {
        power: DIPLOMACY.parse(there, power, "\n".join(asked.texts.get(power, ()))).orders
        for power in STANDARD.powers
    }
    after = DIPLOMACY.adjudicate(there, orders, chance_of("bench", 1)).state
    return replace(there, last=after.last)


def _median_ms(call: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> str:
    times = [_ms(call, *each) for each in arguments]
    return f"{statistics.median(times):.1f} ms, at most {max(times):.1f} ms"
