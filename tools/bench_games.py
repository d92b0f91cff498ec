"""Benchmarks of the games: adjudications per second in random play, sizes, rendering times."""

import statistics
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.core.game import AnyGame
from adjudicator.core.jcs import jcs
from adjudicator.mail.composing.pictures import SCALES, WIDTH, draw_png
from adjudicator.mail.drawing.resvg import render
from adjudicator.play.loop import Closed, Given
from adjudicator.play.verify import phase_line
from tools.playing import Step, bot_player, chance_of, play_steps

MATCHES = 40  # of random play
PICTURES = 60

Say = Callable[[str], None]


def bench_games(say: Say) -> None:
    """Measure each game with its largest number of players, in one process."""
    for game in catalogue.every_game():
        seats = game.about.seats[max(game.about.seats)]
        players = dict.fromkeys(seats, bot_player("random"))
        matches = [
            list(play_steps(game, seats, players, f"bench {number}")) for number in range(MATCHES)
        ]
        played = [step for match in matches for step in match if step.orders]
        say(
            f"{game.about.key}: {len(seats)} seats, {MATCHES} matches of random play,"
            f" {len(played) // MATCHES} phases each"
        )
        say(f"  adjudications/s: {_adjudications(game, played):.0f}")
        say(
            f"  slots {_median_ms(game.slots, _askings(game, played)):.2f} ms, parse"
            f" {_median_ms(game.parse, _texts(played)):.2f} ms"
        )
        say(
            "  bytes of a state:"
            f" {_median(len(jcs(codec.dump(game.kinds.state, step.state))) for step in played):.0f}"
        )
        say(
            "  bytes of a transcript with its claims:"
            f" {_median(_transcript(game, match) for match in matches[:10]):.0f}"
        )
        _pictures(say, game, played)


def _adjudications(game: AnyGame, played: list[Step]) -> float:
    chances = [chance_of("bench", step.number) for step in played]
    begin = time.perf_counter()
    for step, chance in zip(played, chances, strict=True):
        game.adjudicate(step.state, step.orders, chance)
    return len(played) / (time.perf_counter() - begin)


def _askings(game: AnyGame, played: list[Step]) -> list[tuple[object, ...]]:
    return [(step.state, seat) for step in played for seat in step.orders]


def _texts(played: list[Step]) -> list[tuple[object, ...]]:
    return [(step.state, seat, text) for step in played for seat, text in step.texts.items()]


def _median_ms(call: Callable[..., object], arguments: list[tuple[object, ...]]) -> float:
    return statistics.median(_ms(call, *each) for each in arguments[:2000])


def _ms(call: Callable[..., object], *arguments: object) -> float:
    begin = time.perf_counter()
    call(*arguments)
    return (time.perf_counter() - begin) * 1000


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


def _transcript(game: AnyGame, match: list[Step]) -> int:
    """Return the size in bytes of a match's phases in a transcript: orders and claims."""
    total = 0
    for step, after in pairwise(match):
        chance, phase = chance_of("bench", step.number), game.phase(step.state)
        done = game.adjudicate(step.state, step.orders, chance)
        given = {seat: Given[Any](orders, "sealed") for seat, orders in step.orders.items()}
        closed = Closed(
            step.number, phase, step.state, after.state, given, done.events, chance.draws, "ready"
        )
        total += len(jcs({"orders": dict(step.texts)})) + len(jcs(phase_line(game, closed, [])))
    return total


def _pictures(say: Say, game: AnyGame, played: list[Step]) -> None:
    views = [game.view(step.state, None) for step in played[:: max(1, len(played) // PICTURES)]][
        :PICTURES
    ]
    drawn = [game.draw(view) for view in views]
    svg = statistics.median(_ms(game.draw, view) for view in views)
    whole = _median(_ms(render, picture, round(WIDTH * SCALES[0])) for picture in drawn[:10])
    first, *pngs = [_ms(draw_png, picture) for picture in drawn]
    again = _ms(draw_png, drawn[-1])
    sizes = [len(draw_png(picture)) for picture in drawn[-20:]]
    say(
        f"  a picture: SVG {svg:.1f} ms, {_median(map(len, drawn)) / 1000:.0f} kB; PNG"
        f" {_median(pngs[-20:]):.0f} ms, {_median(sizes) / 1000:.0f} kB, the largest"
        f" {max(sizes) / 1000:.0f} kB"
    )
    say(
        f"  the first PNG {first:.0f} ms, one with only known parts {again:.0f} ms; as a whole by"
        f" resvg alone {whole:.0f} ms"
    )
