"""The strength of the house bots of both Diplomacies, how their matches end, and the processor time
of a choice.
"""

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from adjudicator.core.game import AnyGame, Pick, Seat
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.phases.ending import count_centres, is_alive
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from tools.dumbbot import dumbbot
from tools.playing import Player, Step, bot_player, play_steps

Say = Callable[[str], None]

SENSIBLE, GREEDY, RANDOM = bot_player("sensible"), bot_player("greedy"), bot_player("random")
SEATS = DIPLOMACY.about.seats[7]
ROUNDS, MIXED, WHOLE = 2, 8, 10
"""Matches with one bot of a kind in each seat, matches of three against four, and matches of seven
strong bots.
"""
YEARS, GONE_BY, LATE, LIMIT = 1912, 1908, 1920, 1925
"""The last year of a match between kinds, of one with a silent power; the year of a late end; the
limit of a whole match.
"""


def bench_diplomacy_bots(say: Say) -> None:
    """Print the figures of both rule sets; takes about five minutes of processor time."""
    for kind, player in (("thinks ahead", SENSIBLE), ("is greedy", GREEDY)):
        say(
            f"Diplomacy, one that {kind} against six DumbBots:"
            f" {compare_kinds(player, dumbbot, one_in_each_seat(ROUNDS))}"
        )
    say(
        "Diplomacy, three that think ahead against four DumbBots:"
        f" {compare_kinds(SENSIBLE, dumbbot, some_seats(3, MIXED))}"
    )
    say(
        "RSP, one that thinks ahead against six random:"
        f" {compare_kinds(SENSIBLE, RANDOM, one_in_each_seat(1), game=RSP_DIPLOMACY)}"
    )
    for game in (DIPLOMACY, RSP_DIPLOMACY):
        gone = sum(is_gone(game, seat, number) for seat in SEATS for number in range(2))
        say(
            f"{game.about.title}: a power that sends nothing is gone by {GONE_BY} in {gone} of"
            f" {2 * len(SEATS)} matches"
        )
        times: list[float] = []
        say(
            f"{game.about.title}, seven that think ahead: {describe_ends(game, times)};"
            f" {describe_times(times)}"
        )


# --- one kind against another


def one_in_each_seat(rounds: int) -> Iterator[Sequence[Seat]]:
    """Yield each seat alone, some times over."""
    yield from ([seat] for _ in range(rounds) for seat in SEATS)


def some_seats(number: int, matches: int) -> Iterator[Sequence[Seat]]:
    """Yield so many seats for each match, from a fixed seed."""
    dice = random.Random(number)  # noqa: S311 no secret
    yield from (dice.sample(SEATS, number) for _ in range(matches))


def compare_kinds(
    one: Player, others: Player, tables: Iterator[Sequence[Seat]], *, game: AnyGame = DIPLOMACY
) -> str:
    """Return what a seat of each kind has on average at the end: centres, its share by the sum of
    squares, survival, first places.
    """
    totals = {True: Counter[str](), False: Counter[str]()}
    for number, mine in enumerate(tables):
        *_, last = play_steps(
            game,
            SEATS,
            {seat: one if seat in mine else others for seat in SEATS},
            f"kinds {number}",
            {"year_limit": YEARS},
        )
        for seat in SEATS:
            totals[seat in mine] += _seat_totals(game, last.state, seat)
    return "; ".join(
        f"{label} {_means(totals[mine])}"
        for mine, label in ((True, "its kind"), (False, "the others"))
    )


def _seat_totals(game: AnyGame, state: State, seat: Seat) -> Counter[str]:
    counts = count_centres(state)
    result = (game.result(state) or {})[seat]
    square = counts[seat] ** 2 / sum(count**2 for count in counts.values())
    return Counter(
        {
            "seats": 1,
            "centres": counts[seat],
            "alive": counts[seat] > 0,
            "first": result.place == 1,
            "square": square,
        }
    )


def _means(total: Counter[str]) -> str:
    seats = total["seats"]
    return (
        f"{total['centres'] / seats:.1f} centres, {total['square'] / seats:.0%} by squares,"
        f" {total['alive'] / seats:.0%} alive, {total['first'] / seats:.0%} first ({seats} seats)"
    )


# --- a silent power, and whole matches


def is_gone(game: AnyGame, silent: Seat, number: int) -> bool:
    """Whether a power that sends nothing is eliminated by six strong bots."""
    table = {seat: _say_nothing if seat == silent else SENSIBLE for seat in SEATS}
    *_, last = play_steps(game, SEATS, table, f"silent {silent} {number}", {"year_limit": GONE_BY})
    return not is_alive(last.state, silent)


def _say_nothing(game: AnyGame, state: Any, seat: Seat, pick: Pick) -> str:
    return ""


def describe_ends(game: AnyGame, times: list[float]) -> str:
    """Return how matches of strong bots end, and how many supports and convoys they have; add the
    time of each choice to `times`.
    """
    kinds, ends = Counter[str](), Counter[str]()
    for number in range(WHOLE):
        steps = [
            *play_steps(
                game,
                SEATS,
                dict.fromkeys(SEATS, _timed(SENSIBLE, times)),
                f"whole {number}",
                {"year_limit": LIMIT},
            )
        ]
        kinds += _kinds_of(steps)
        end = steps[-1].state.end
        ends[end.how if steps[-1].state.year < LATE else "late"] += 1
    used = "".join(
        f", {kinds[kind] / WHOLE:.0f} {kind}s" for kind in ("support", "convoy") if kinds[kind]
    )
    return (
        f"of {WHOLE} matches {ends['victory'] + ends['alone']} won and {ends['draw']} drawn before"
        f" {LATE}{used} a match"
    )


def _kinds_of(steps: Collection[Step]) -> Counter[str]:
    return Counter(
        order.kind for step in steps for orders in step.orders.values() for order in orders
    )


def _timed(player: Player, times: list[float]) -> Player:
    """Return a player whose choices add their processor time, in ms, to `times`."""

    def choose(game: AnyGame, state: Any, seat: Seat, pick: Pick) -> str:
        begin = time.thread_time()
        text = player(game, state, seat, pick)
        times.append((time.thread_time() - begin) * 1000)
        return text

    return choose


def describe_times(times: Sequence[float]) -> str:
    """Return the mean and the 99th percentile of times in ms."""
    return (
        f"{statistics.mean(times):.0f} ms a choice on average, 99 % of them under"
        f" {sorted(times)[len(times) * 99 // 100]:.0f} ms"
    )
