"""Makes pairs of matches from a seed and compares what everybody gets of both."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

from adjudicator import catalogue
from adjudicator.core.game import AnyGame, Seat, Slot
from adjudicator.core.options import OptionValue, complete_options
from adjudicator.play import bots
from adjudicator.service.base.tables import PhaseRow
from tests.interference.looks import OUTSIDE, Look, look_as, look_at_own
from tests.interference.twins import HIDDEN, WRITTEN
from tests.interference.world import Course, Inconsistent, World

SILENT = 0.05  # how often a seat hands in nothing
MOST_TWINS, MOST_ACTS = 3, 6  # of one match
PHASES = {"pyramid": 5, "redeux": 6, "phoenix": 6, "genesis": 6, "diplomacy": 3, "rsp-diplomacy": 3}
ORDER = tuple(PHASES)  # of the games, seed by seed
LOOKS_ALIKE = 60  # characters that are shown around a difference


@dataclass(frozen=True)
class Pair:
    """Two matches that differ in one seat's secrets, and what somebody else could notice."""

    seed: int
    game: str
    kind: str
    own: bool  # whether the seat itself sees a difference
    differences: tuple[str, ...]  # who gets what otherwise, a line each

    @property
    def name(self) -> str:
        """The game and the kind of secret."""
        return f"{self.game}: {self.kind}"


Watch = Callable[[World, Course, Sequence[Seat], str], Look]
"""Returns what the other seats, in this order, and somebody outside get of the match that is in the
world.
"""


def pairs_of(
    world: World,
    seed: int,
    watch: Watch = look_as,
    *,
    twins: int = MOST_TWINS,
    acts: int = MOST_ACTS,
) -> Iterator[Pair]:
    """Play a match, compare it with its twins, then have its actor act and compare before and
    after; so many of each at most.
    """
    dice = random.Random(seed)
    course, phases = _base(world, seed, dice)
    if course is None:
        return
    readers = dice.sample(course.others, len(course.others))
    look = _Looks(world, watch, readers, dice.choice(OUTSIDE))
    first, reminded = look.twice(course)
    acted = list(_act_out(world, course, dice, look, reminded, acts))
    for kind, twin in _twins(course, phases, dice, twins):
        told = [seat for seat in readers if seat not in twin.insiders]
        try:
            world.play(twin)
            pair = look.twice(twin)
        except Inconsistent:
            continue
        lines = [
            line
            for before, after in zip((first, reminded), pair, strict=True)
            for line in _told_apart(before, after, told)
        ]
        own = any(
            before.own != after.own for before, after in zip((first, reminded), pair, strict=True)
        )
        yield Pair(seed, course.game, kind, own, tuple(lines))
    yield from acted


# --- looking


@dataclass(frozen=True)
class _Seen:
    own: Look
    others: Look


class _Looks:
    """What is seen of a match: by its actor, and by everybody else."""

    def __init__(self, world: World, watch: Watch, readers: Sequence[Seat], outside: str) -> None:
        self._world, self._watch, self._readers, self._outside = world, watch, readers, outside

    def once(self, course: Course) -> _Seen:
        """Look now."""
        own = look_at_own(self._world, course)
        return _Seen(own, self._watch(self._world, course, self._readers, self._outside))

    def twice(self, course: Course) -> tuple[_Seen, _Seen]:
        """Look now, and again once those who owe orders were reminded."""
        now = self.once(course)
        self._world.remind(course)
        return now, self.once(course)


def _told_apart(before: _Seen, after: _Seen, readers: Sequence[Seat]) -> list[str]:
    """Return what others get otherwise, a line each; of the seats only `readers` are compared."""
    told = {f"seat {seat}" for seat in readers}
    lines = []
    for key in sorted(before.others.keys() | after.others.keys()):
        old, new = before.others.get(key, ""), after.others.get(key, "")
        if old != new and (not key[0].startswith("seat ") or key[0] in told):
            lines.append(f"{key[0]}, {key[1]}: {_around(old, new)}")
    return lines


def _around(old: str, new: str) -> str:
    """Return where two texts differ first."""
    place = next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other),
        min(len(old), len(new)),
    )
    begin = max(0, place - LOOKS_ALIKE)
    return f"…{old[begin : place + LOOKS_ALIKE]!r} became …{new[begin : place + LOOKS_ALIKE]!r}"


# --- the match


def _base(world: World, seed: int, dice: random.Random) -> tuple[Course | None, list[PhaseRow]]:
    """Play the first match of a seed at random; return its course with its rows, None for the
    course if it ended.
    """
    game = catalogue.game(ORDER[seed % len(ORDER)])
    seats = game.about.seats[dice.choice(sorted(game.about.seats))]
    progress = dice.choice(("none", "none", "none", "count", "seats"))
    course = Course(
        str(seed), game.about.key, _options(game, seats, dice), seats, dice.choice(seats), progress
    )
    world.begin(course)
    most, proposer = dice.randint(1, PHASES[course.game]), dice.choice(course.others)
    while (number := world.number) and number <= most:
        skipped = (None,) * (number - 1 - len(course.orders))
        orders = _orders(world, course, dice, last=number == most, proposer=proposer)
        course = replace(course, orders=(*course.orders, *skipped, orders))
        world.close(course, number, orders)
    if not number:
        return None, []
    course = replace(course, orders=(*course.orders, *(None,) * (number - 1 - len(course.orders))))
    course = replace(course, sealed=_sealed(world, course, dice))
    for seat, texts in course.sealed.items():
        world.hand_in(course, seat, texts)
    return course, world.phases()


def _options(
    game: AnyGame, seats: Sequence[Seat], dice: random.Random
) -> Mapping[str, OptionValue]:
    """Return random options; those that hide something are chosen more often."""
    wanted = {
        "redeux": {"rounds": 1, "risk": "always", "target": 500},
        "pyramid": {"red": dice.random() < 0.8},
        "diplomacy": {"votes": "secret", "press": "private"},
        "rsp-diplomacy": {"votes": dice.choice(("open", "secret")), "press": "private"},
    }.get(game.about.key, {})
    free = [
        option for option in game.about.options if option.name not in wanted and not option.typed
    ]
    free = [option for option in free if not option.only_for or len(seats) in option.only_for]
    some = {option.name: dice.choice(option.values) for option in free if dice.random() < 0.3}
    return complete_options(game.about, {**some, **wanted}, players=len(seats))


def _orders(
    world: World, course: Course, dice: random.Random, *, last: bool, proposer: Seat
) -> Mapping[Seat, tuple[str, ...]]:
    """Return random orders of every due seat; in the `last` phase one seat proposes a draw if votes
    are secret.
    """
    state, game = world.state(course), course.rules
    found = {}
    for seat in game.phase(state).due:
        if dice.random() < SILENT:
            continue
        lines = _kept_back(
            course,
            bots.choose_at_random(game, state, seat, dice.choice),
            game.slots(state, seat),
            dice,
        ).splitlines()
        if last and seat == proposer and course.options.get("votes") == "secret":
            lines.append("DRAW")
        earlier = ("\n".join([*lines, "wait"]),) if dice.random() < 0.1 else ()
        found[seat] = (*earlier, "\n".join([*lines, "ready"]))
    return found


def _kept_back(course: Course, text: str, slots: Sequence[Slot], dice: random.Random) -> str:
    """Return orders that seldom show a red piece, which is no secret any more once it was shown
    (pyramid R4).
    """
    others = [
        choice.text for slot in slots for choice in slot.choices if not choice.text.startswith("R")
    ]
    return (
        dice.choice(others)
        if course.game == "pyramid" and text.startswith("R") and others and dice.random() < 0.9
        else text
    )


def _sealed(world: World, course: Course, dice: random.Random) -> Mapping[Seat, tuple[str, ...]]:
    """Return the orders of some other seats for the phase that stays open."""
    state, game = world.state(course), course.rules
    some = [seat for seat in game.phase(state).due if seat != course.actor and dice.random() < 0.5]
    return {
        seat: (f"{bots.choose_at_random(game, state, seat, dice.choice)}\nwait",) for seat in some
    }


def _twins(
    course: Course, phases: list[PhaseRow], dice: random.Random, most: int
) -> Iterator[tuple[str, Course]]:
    """Yield some twins of a match, those with other secrets of the game itself first."""
    hidden, written = HIDDEN[course.game], dice.sample(WRITTEN, len(WRITTEN))
    made = (
        (kind, make(course, phases, dice))
        for kind, make in (*dice.sample(hidden, len(hidden)), *written)
    )
    yield from islice(((kind, twin) for kind, twin in made if twin is not None), most)


# --- acts in the open phase


Act = tuple[str, Callable[[], Any], Seat | None]


def _act_out(
    world: World, course: Course, dice: random.Random, look: _Looks, before: _Seen, most: int
) -> Iterator[Pair]:
    """Have the actor act in the open phase while the clock stands still; each act makes a pair of
    before and after.
    """
    told = list(course.others)
    for kind, act, reader in islice(cycle(_acts(world, course, dice)), most):
        act()
        world.take_letters()
        after = look.once(course)
        told = [seat for seat in told if seat != reader]
        yield Pair(
            int(course.seed),
            course.game,
            kind,
            before.own != after.own,
            tuple(_told_apart(before, after, told)),
        )
        before = after


def _acts(world: World, course: Course, dice: random.Random) -> list[Act]:
    """Return what the actor can do, in random order."""
    state, actor, game = world.state(course), course.actor, course.rules
    due = game.phase(state).due
    slots = game.slots(state, actor if actor in due else due[0])

    def some() -> str:
        return "\n".join(dice.choice(slot.choices).text for slot in slots if not slot.optional)

    def hand_in(text: str) -> Callable[[], None]:
        return lambda: world.hand_in(course, actor, (text,))

    acts: list[Act] = [
        ("sealed orders", hand_in(f"clear\n{some()}\nwait"), None),
        ("sealed plan", hand_in(f"{some()}\nTHEN\n{some()}\nwait"), None),
        ("sealed alternatives", hand_in(f"{some()} OR {some()}\nTHEN\nnothing"), None),
        ("refused orders", hand_in("the quick brown fox"), None),
    ]
    acts += [("salt", lambda: world.give_salt(course, actor, str(dice.random())), None)]
    if actor in due:
        acts += [
            ("ready or wait", lambda word=word: world.say(course, actor, word), None)
            for word in ("ready", "wait")
        ]
    if course.options.get("press") == "private":
        reader = dice.choice(course.others)
        acts.append(("press", lambda: _write(world, course, reader), reader))
    dice.shuffle(acts)
    return acts


def _write(world: World, course: Course, reader: Seat) -> None:
    written = replace(course, press=((world.number, reader, "Shall we?"),))
    world.write_press(written, world.number)
