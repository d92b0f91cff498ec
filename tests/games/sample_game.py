"""Stairs, a tiny game for tests of the loop: two seats climb in turns, and the last steps leave no
choice.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from adjudicator import catalogue
from adjudicator.core.chance import Chance
from adjudicator.core.game import (
    About,
    Adjudication,
    AnyGame,
    Choice,
    Event,
    Game,
    Kinds,
    Laid,
    Parsed,
    Phase,
    Pick,
    Refusal,
    Result,
    Seat,
    Slot,
    Slots,
    Trial,
)
from adjudicator.core.options import Option
from adjudicator.games.kit.ranking import ranking


@dataclass(frozen=True)
class Climb:
    """The number of the turn, the turns left, and the heights of both seats."""

    turn: int
    left: int
    heights: tuple[int, int]


class Climbed(Event, kind="climbed"):
    """Somebody climbed."""

    seat: str = ""
    steps: int = 0


@dataclass(frozen=True)
class Seen:
    """The view, which is the same for everybody."""

    heights: tuple[int, int]

    @property
    def scores(self) -> Mapping[Seat, int]:
        return dict(zip(("A", "B"), self.heights, strict=True))


def start(seats: tuple[Seat, ...], options: Mapping[str, Any], chance: Chance) -> Climb:
    return Climb(0, 4 + int(options["forced"]), (0, 0))


def phase(state: Climb) -> Phase:
    return Phase(f"Turn {state.turn + 1}", (_seat(state),) if state.left else ())


def _seat(state: Climb) -> Seat:
    return "AB"[state.turn % 2]


def _most(state: Climb) -> int:
    return 3 if state.turn < 4 else 1


def adjudicate(
    state: Climb, orders: Mapping[Seat, tuple[str, ...]], chance: Chance
) -> Adjudication[Climb]:
    seat = _seat(state)
    steps = int(orders[seat][-1].split()[1])
    heights = (state.heights[0] + steps * (seat == "A"), state.heights[1] + steps * (seat == "B"))
    return Adjudication(
        Climb(state.turn + 1, state.left - 1, heights), (Climbed(seat=seat, steps=steps),)
    )


def standing(state: Climb) -> Result:
    return ranking(dict(zip("AB", state.heights, strict=True)))


def slots(state: Climb, seat: Seat) -> Slots:
    if seat != _seat(state) or not state.left:
        return ()
    return (
        Slot(
            "steps",
            "How many steps?",
            tuple(Choice(f"up {n}", f"{n}") for n in range(1, _most(state) + 1)),
        ),
    )


def parse(state: Climb, seat: Seat, text: str) -> Parsed[str]:
    orders, refusals = [], []
    for line in filter(None, map(str.strip, text.splitlines())):
        found = re.fullmatch(r"up ([123])", line)
        if found is None:
            refusals.append(
                Refusal.invalid(line, line[:40], "Write up 1, up 2 or up 3.", ("up 1",))
            )
        elif seat != _seat(state) or int(found[1]) > _most(state):
            refusals.append(
                Refusal.illegal(line, line, "That is not possible now.", understood=line)
            )
        else:
            orders.append(line)
    return Parsed(
        tuple(orders[-1:]),
        tuple(refusals),
        open=("steps",) if slots(state, seat) and not orders else (),
    )


def default(state: Climb, seat: Seat, chance: Chance) -> tuple[str, ...]:
    return ("up 1",)


def look(state: Climb, seat: Seat | None, *, reveal: bool = False) -> Seen:
    return Seen(state.heights)


def draw(view: Seen) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'


def text_board(view: Seen) -> str:
    return f"A {view.heights[0]}, B {view.heights[1]}"


def story(view: Seen, events: Any) -> tuple[str, ...]:
    return tuple(f"{event.seat} climbed {event.steps}." for event in events)


def trial(view: Seen, text: str) -> Trial:
    """Try lines such as `A up 2`, for any seat."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    told = [(line, re.fullmatch(r"([AB]) up ([123])", line)) for line in lines]
    refusals = tuple(
        Refusal.invalid(line, line, "Write A up 1.", ("A up 1",))
        for line, found in told
        if not found
    )
    steps = [(found[1], int(found[2])) for _, found in told if found]
    heights = tuple(
        height + sum(n for name, n in steps if name == seat)
        for seat, height in zip("AB", view.heights, strict=True)
    )
    return Trial(Seen(heights), tuple(Climbed(seat=seat, steps=n) for seat, n in steps), refusals)


def lay(view: Seen, text: str) -> Laid[Seen]:
    """Read `heights 2 0` as a position; the choices are one to three steps for each seat."""
    found = re.search(r"^heights (\d+) (\d+)$", text, re.MULTILINE)
    laid = Seen((int(found[1]), int(found[2]))) if found else view
    orders = [
        line.strip()
        for line in text.splitlines()
        if line.strip() and not line.startswith("heights")
    ]
    slots = tuple(
        Slot(seat, seat, tuple(Choice(f"{seat} up {n}", f"{n}") for n in (1, 2, 3)))
        for seat in "AB"
    )
    given = tuple((line, line) for line in orders if re.fullmatch(r"([AB]) up ([123])", line))
    return Laid(
        laid, slots, f"heights {laid.heights[0]} {laid.heights[1]}", "\n".join(orders), given
    )


def first_choice(view: Seen, slots: Slots, pick: Pick) -> str:
    """Return the first choice, as the sensible bot."""
    return slots[0].choices[0].text


STAIRS = Game(
    about=About(
        "stairs",
        "Stairs",
        "Climb. Climb on.",
        1,
        {2: ("A", "B")},
        (Option("forced", "Forced turns", 3, (3, 120), ("three", "very many")),),
    ),
    kinds=Kinds(Climb, Climbed, str, Seen),
    start=start,
    phase=phase,
    adjudicate=adjudicate,
    standing=standing,
    slots=slots,
    parse=parse,
    default=default,
    view=look,
    draw=draw,
    text_board=text_board,
    story=story,
    trial=trial,
    lay=lay,
    pictures=dict,
    bot=first_choice,
)
"""`up 1` to `up 3` in the first four turns, then `up 1` only, as often as the option `forced` says.
"""


def offer(monkeypatch: pytest.MonkeyPatch, game: AnyGame = STAIRS) -> None:
    """Add a game to the catalogue, in place of one with the same key."""
    others, rules = (
        [each for each in catalogue.ABOUTS if each.key != game.about.key],
        catalogue.rules_of,
    )
    monkeypatch.setattr(catalogue, "ABOUTS", (*others, game.about))
    monkeypatch.setattr(
        catalogue, "rules_of", lambda key: game if key == game.about.key else rules(key)
    )
