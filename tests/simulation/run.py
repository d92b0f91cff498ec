"""One seed: set up a world, play it until everything should be done, and check it against the
ledger.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Self
from unittest import mock

from sqlmodel import col, select

from adjudicator import catalogue
from adjudicator.platform import wakeups
from adjudicator.play.bots import Skill
from adjudicator.service.base import public_keys, tables
from adjudicator.service.base.press_rules import OPTION
from adjudicator.service.base.tables import all_tables
from adjudicator.service.letters import outbox
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from tests.simulation import (
    absentees,
    checks,
    checks_log,
    checks_secrecy,
    clocks,
    correspondents,
    crowds,
    directors,
    gatherings,
    handovers,
    intruders,
    leaps,
    lookers,
    masters,
    onlookers,
    press,
    probes,
    rotations,
    salters,
    timekeeper,
    tournaments,
    upgrades,
    visitors,
    voters,
    witnesses,
)
from tests.simulation.broker import Broker
from tests.simulation.clocks import ClockPlan
from tests.simulation.faults import UNTIL, Faults
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.ledger import Ledger
from tests.simulation.players import Player, Players
from tests.simulation.service import Service
from tests.simulation.sink import Sink
from tests.simulation.world import Strand, World
from worker.tasks import BATCH

SETTLED = 300.0  # seconds after the last fault by which everything is done
LOOK_EVERY = 200.0  # seconds between checks for plaintext
# fewer attempts than the service makes, in a world with a mailbox that is always full
HURRIED = (5, 5, 10, 10, 20, 20, 40)
SLOWEST_HURRIED = 3600.0
SLOWEST_LETTER = 24 * 3600.0  # longer than the longest backoff
_FIRST = (
    "pyramid",
    "pyramid",
    "pyramid",
    "redeux",
    "genesis",
    "phoenix",
    "diplomacy",
    "rsp-diplomacy",
)
GAMES = (
    *_FIRST,
    *(game.about.key for game in catalogue.every_game() if game.about.key not in _FIRST),
)  # the order is fixed, so that seeds keep their worlds
NAMES = ("Alice", "Bob", "Carol", "Dora", "Emil", "Fritz", "Greta", "Hanna")


@dataclass(frozen=True)
class Outcome:
    """The result of one seed."""

    seed: int
    failures: tuple[str, ...]
    digest: str  # of the whole story
    fired: Counter[str]
    points: int
    lines: tuple[str, ...]  # the story, if requested


@dataclass(frozen=True)
class Scene:
    """The parameters of a world: the number of matches, their games, and the faults."""

    matches: tuple[int, ...] = (1, 1, 2)  # one of these numbers
    games: tuple[str, ...] = GAMES
    crash_at: int | None = None  # one crash at this input or output and no other fault
    quiet: bool = False  # no fault at all
    until: float = UNTIL
    every: tuple[int, ...] = (90, 150, 280)  # seconds of a phase
    grace: tuple[int, ...] = (0, 1)  # minutes
    bots: tuple[int, ...] = (0, 0, 1)

    def but(self, **changes: Any) -> Self:
        """Return a copy with changes."""
        return replace(self, **changes)


APART = 180  # seconds between the deadlines of a timetable in a short world
DAWDLES = 0.6  # share of the phases in which a player of a match with overtime waits for it
# the first match of every so many-th world has a timetable; no dice are thrown for it
FIXED_HOURS = 5
ORDINARY = Scene()


def play_seed(
    fixture_db: FixtureDb, seed: int, scene: Scene = ORDINARY, *, keep: bool = False
) -> Outcome:
    """Play one seed; a seed always gives the same outcome."""
    fixture_db.clear()
    world = World.here = World(seed, keep=keep)
    faults = Faults(world, scene.crash_at, scene.quiet, scene.until)
    sink, ledger, broker = Sink(world, faults), Ledger(), Broker(world, faults)
    world.sink, world.broker = sink, broker
    world.committed = _watch(world, fixture_db, ledger)
    probes.count_log_events(world, sink)
    dice = random.Random(f"{seed}/scene")
    second_beat = not faults.quiet and faults.crash_at is None and dice.random() < 0.3
    if second_beat:
        world.fire("second beat")
    service = Service(world, fixture_db, faults, broker, second_beat=second_beat)
    ledger.stored, ledger.unknown = service.stored, service.addresses.unknown
    everybody = [
        player
        for number in range(dice.choice(scene.matches))
        for player in _match(world, fixture_db, dice, scene, number)
    ]
    Players(world, service, ledger, everybody, at_the_close=dice.random() < 0.4)
    masters.join(world, service, ledger, everybody)
    press.join(world, service, ledger, everybody)
    voters.join(world, service, ledger, everybody)
    visitors.join(world, service, ledger)
    lookers.join(world, service, ledger, everybody)
    onlookers.join(world, service, ledger, everybody)
    intruders.join(world, service, ledger, everybody)
    correspondents.join(world, service, ledger, everybody)
    salters.join(world, service, ledger, everybody)
    upgrades.join(world, service)
    rotations.join(world, service)
    crowds.join(world, service, ledger)
    gatherings.join(world, service, ledger)
    handovers.join(world, service, ledger)
    directors.join(world, service, ledger, everybody)
    absentees.join(world, service, ledger, everybody)
    leaps.join(world, service, ledger)
    timekeeper.join(world, service, ledger)
    tournaments.join(world, service)
    witnesses.join(world, service)
    if faults.likely["smtp 451"] and dice.random() < 0.15:
        sink.full = dice.choice(everybody).address
    patience = HURRIED if sink.full else outbox.BACK_OFF
    try:
        with mock.patch.object(outbox, "BACK_OFF", patience), witnesses.hurried():
            failures = _play(world, fixture_db, faults, sink, ledger)
    finally:
        world.end()
    _note_rows(world, fixture_db)
    failures += checks.end_what_is_left(world, fixture_db, sink, ledger)
    return Outcome(
        seed, tuple(failures), world.digest, world.fired, world.points, tuple(world.lines or ())
    )


def _play(
    world: World, fixture_db: FixtureDb, faults: Faults, sink: Sink, ledger: Ledger
) -> list[str]:
    while world.seconds < faults.until:
        world.run(min(world.seconds + LOOK_EVERY, faults.until))
        ledger.troubles += checks_secrecy.in_the_clear(fixture_db, ledger)
    while world.seconds < max(faults.until, faults.last) + SETTLED:
        world.run(max(faults.until, faults.last) + SETTLED)
    failures, world.settled = checks.overdue_work(world, fixture_db), world.now()
    patience = SLOWEST_HURRIED if sink.full else SLOWEST_LETTER
    # only letters are awaited now, some of them for hours
    world.broker.passed_over = {wakeups.CLOSE, BATCH}
    world.run(world.seconds + 60.0)  # what follows from the last closings, as the archive
    while (
        wait := checks.next_letter(world, fixture_db)
    ) is not None and world.seconds < faults.until + patience:
        world.run(world.seconds + max(wait, 1.0) + 60.0)
    return [*failures, *ledger.troubles, *checks.run_checks(world, fixture_db, sink, ledger)]


def _note_rows(world: World, fixture_db: FixtureDb) -> None:
    """Add all rows of the database to the story."""
    with fixture_db.eyes.read_tx() as session:
        for table in all_tables().sorted_tables:
            for row in session.execute(table.select().order_by(*table.primary_key.columns)):
                world.note(f"{table.name} {tuple(row)}")


def _watch(world: World, fixture_db: FixtureDb, ledger: Ledger) -> Callable[[Strand], None]:
    """Record which commit opened and closed which phase."""
    seen = select(
        tables.Match.uid, tables.PhaseRow.number, col(tables.PhaseRow.closed_at).is_not(None)
    )
    seen = seen.join(
        tables.PhaseRow, onclause=col(tables.PhaseRow.match_id) == col(tables.Match.id)
    )

    def watch(strand: Strand) -> None:
        strand.committed = world.commits
        if strand.writing:  # also those of a transaction that was rolled back before
            with fixture_db.eyes.read_tx() as session:
                there = session.exec(
                    select(tables.Letter.uid).where(col(tables.Letter.uid).in_(strand.writing))
                )
                ledger.written |= dict.fromkeys(there, world.seconds)
            strand.writing.clear()
        if strand.name == "sealed.checkpoint" and world.witness is not None:
            with fixture_db.eyes.read_tx() as session:
                ledger.troubles += checks_log.entries_beside_the_checkpoint(session)
        for uid in strand.carried:
            strand.process.unmarked.pop(uid, None)
        strand.carried.clear()
        at, strand.process.froze_writing = (
            (None if strand.process.froze_writing else world.now()),
            False,
        )
        if strand.name in (wakeups.CLOSE, BATCH, wakeups.START):
            with fixture_db.eyes.read_tx() as session:
                ledger.see(world.commits, list(session.exec(seen)), at)

    return watch


def _timetable(world: World, number: int, plan: ClockPlan) -> str:
    """Return hours some minutes apart, for as long as the world lasts; "" for most matches, which
    have none.
    """
    if plan.every:
        return plan.timetable
    if number or world.seed % FIXED_HOURS != 3 or upgrades.is_planned(world.seed):
        return ""
    begun = world.now().replace(second=0)
    return ", ".join(
        f"{begun + timedelta(minutes=2, seconds=APART * number):%H:%M}" for number in range(8)
    )


def _match(
    world: World, fixture_db: FixtureDb, dice: random.Random, scene: Scene, number: int
) -> list[Player]:
    """Make a match and its players; all seats but the maker's are free until they are taken."""
    plan = (
        ClockPlan()
        if scene.quiet or scene.crash_at is not None
        else clocks.clock_plan(world.seed, number)
    )
    game = dice.choice(scene.games)
    game = plan.game or game
    size = {"pyramid": 3, "phoenix": dice.choice((2, 3))}.get(game, 2)
    said = press.press_kind(world.seed, number, game)
    size = press.SEATS if said else size
    bots = dice.choice(scene.bots)
    players = []
    with fixture_db.eyes.write_tx() as session:
        if number == 0:
            public_keys.publish_keys(session, fixture_db.keyring.public, world.now())
        for seat in range(size - bots):
            name = NAMES[number * 4 + seat]
            row = tables.Player(
                name=name,
                address=f"{name.lower()}@example.org",
                made_at=world.now(),
                receipts=dice.random() < 0.5,
            )
            session.add(row)
            session.flush()
            players.append(
                Player(
                    row.id or 0,
                    name,
                    row.address or "",
                    "",
                    dice.choice((0.0, 0.4, 1.0)),
                    dice.choice((0.0, 0.05)),
                )
            )
    rules = press.rules_of(world.seed, number, said)
    options = ({OPTION: said} if said else {}) | plan.options
    every = dice.choice(scene.every)
    every, table = plan.every or every, _timetable(world, number, plan)
    wish = Wish(
        game,
        f"Match {number}",
        options,
        players=size,
        house=bots,
        skill=_skill(game),
        every_seconds=every,
        grace_minutes=dice.choice(scene.grace),
        timetable=table,
        press=rules,
        play=not rules.overseen,
        progress=onlookers.progress_kind(world.seed, number),
        reminders=plan.reminders,
        absence_days=plan.absence_days,
        overtime_minutes=plan.overtime_of(APART if table and not plan.every else every),
    )
    maker = _reader(world, fixture_db) if rules.overseen else players[0].id
    uid = creation.make_match(fixture_db.eyes, maker, wish, now=world.now())
    for player in players:
        player.uid = uid
    if wish.overtime_minutes:
        players[-1].dawdles = DAWDLES
    return players


def _skill(game: str) -> Skill:
    """Return the strength of the house bots; the strong one of Diplomacy would take much of a
    seed's time.
    """
    return "greedy" if game in press.GAMES else "sensible"


def _reader(world: World, fixture_db: FixtureDb) -> int:
    """Return the player who runs matches without playing, and reads all their press."""
    address = f"{press.READER.lower()}@example.org"
    with fixture_db.eyes.write_tx() as session:
        row = session.exec(select(tables.Player).where(tables.Player.address == address)).first()
        row = row or tables.Player(name=press.READER, address=address, made_at=world.now())
        session.add(row)
        session.flush()
        return row.id or 0
