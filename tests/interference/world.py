"""A match that can be played again with other secrets: from the same chance, at the same times,
with the same random numbers elsewhere.
"""

import hashlib
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, Self
from unittest import mock

from sqlmodel import col, select

from adjudicator import catalogue
from adjudicator.core.chance import ChainChance, Draw
from adjudicator.core.game import AnyGame, Seat
from adjudicator.core.options import OptionValue
from adjudicator.platform import db, entropy
from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.base.state import MatchChains, load_state
from adjudicator.service.base.tables import PhaseRow
from adjudicator.service.letters import outbox
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.log import salts
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import readiness, receipts
from adjudicator.service.phases import reminders
from adjudicator.service.press import messages
from tests.cast import MALLORY, address
from tests.harness import BEGIN, Harness
from tests.interference.remembering import Within
from tests.letters_out import claim_letter

PEOPLE = ("Alice", "Bob", "Charlie", "Dora", "Emil", "Flora", "Georg")
MASTER = "Morgana"  # makes the match and does not play
REMINDED = 600  # minutes before a deadline at which those who owe are reminded

Orders = Mapping[Seat, tuple[str, ...]]
"""What each seat hands in for a phase, one text after another."""

Drawn = str | tuple[str, ...]
Secrets = Mapping[tuple[int, str], Drawn]
"""What the hidden stream draws instead of its own value, by phase and label."""


class Inconsistent(Exception):
    """These secrets do not fit what everybody saw, so the two matches are no pair."""


# --- random numbers and chance


class Randomness:
    """The service's random numbers, begun anew for every act, so that an act more changes no number
    of another one.
    """

    def __init__(self) -> None:
        self.forget()
        self.begin("")

    def begin(self, act: str) -> None:
        """Begin the numbers of an act, which follow from its name and from how often it was
        done.
        """
        self._times[act] += 1
        self._act, self._drawn = f"{act} {self._times[act]}", Counter[str]()

    def forget(self) -> None:
        """Begin with a new match."""
        self._times = Counter[str]()

    def token_bytes(self, size: int) -> bytes:
        """Return the next bytes of this act for whatever asks for them, so that an envelope more
        changes no letter's name.
        """
        asking = next(
            frame for frame in _frames() if frame.f_globals["__name__"] not in _PASS_ON
        ).f_code.co_qualname
        self._drawn[asking] += 1
        return hashlib.shake_256(f"{self._act}\n{asking}\n{self._drawn[asking]}".encode()).digest(
            size
        )


_PASS_ON = (__name__, entropy.__name__)


def _frames() -> Iterator[FrameType]:
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        yield frame


class _OtherStream:
    """The hidden stream of a phase, in which some draws have another value."""

    def __init__(self, own: Any, others: Mapping[str, Drawn]) -> None:
        self._own, self._others = own, others

    def die(self, label: str, sides: int) -> int:
        return int(self._own.die(label, sides))

    def pick(self, label: str, options: Sequence[Any]) -> Any:
        picked, wanted = self._own.pick(label, options), self._others.get(label)
        found = [option for option in options if wanted in (None, str(option))]
        if not found:
            raise Inconsistent(f"{label} cannot be {wanted}")
        return picked if wanted is None else found[0]

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[Any, ...]:
        own, wanted = self._own.shuffle(label, items), self._others.get(label)
        if wanted is not None and sorted(wanted) != sorted(own):
            raise Inconsistent(f"{label} cannot be {wanted}")
        return tuple(own if wanted is None else wanted)


class _OtherChance:
    """The chance of a phase with other secrets; it records what it gave."""

    def __init__(self, own: ChainChance, others: Mapping[str, Drawn]) -> None:
        self._own, self._others = own, others
        self.public, self.hidden = own.public, _OtherStream(own.hidden, others)

    @property
    def draws(self) -> tuple[Draw, ...]:
        return tuple(self._told(draw) for draw in self._own.draws)

    def _told(self, draw: Draw) -> Draw:
        return (
            Draw(draw.stream, draw.label, self._others[draw.label])
            if draw.stream == "hidden" and draw.label in self._others
            else draw
        )


@contextmanager
def _with_secrets(secrets: Secrets) -> Iterator[None]:
    """Have matches draw these secrets from their hidden streams."""
    own = MatchChains.of_phase

    def of_phase(chains: MatchChains, uid: str, number: int, clients: str | None = None) -> Any:
        given = own(chains, uid, number, clients)
        return _OtherChance(
            given, {label: value for (phase, label), value in secrets.items() if phase == number}
        )

    with mock.patch.object(MatchChains, "of_phase", of_phase):
        yield


# --- a match


@dataclass(frozen=True)
class Course:
    """All that happens in a match: two courses that differ in secrets of `actor` alone are a
    pair.
    """

    seed: str
    game: str
    options: Mapping[str, OptionValue]
    seats: tuple[Seat, ...]
    actor: Seat
    progress: str
    # of each closed phase; None: it left nobody a choice (ruling G7)
    orders: tuple[Orders | None, ...] = ()
    # of the actor: before the closing of which phase, to whom, and the text
    press: tuple[tuple[int, Seat, str], ...] = ()
    secrets: Secrets = field(default_factory=dict)
    sealed: Orders = field(default_factory=dict)  # in the phase that stays open
    insiders: tuple[Seat, ...] = ()  # other seats that know of the secret by the rules

    @property
    def rules(self) -> AnyGame:
        """The rules of the match."""
        return catalogue.game(self.game)

    @property
    def others(self) -> tuple[Seat, ...]:
        """Every seat but the actor's."""
        return tuple(seat for seat in self.seats if seat != self.actor)


class World:
    """A service with seven players, a master and a stranger, in which one match is played; it is
    set back for the next one.
    """

    def __init__(self, folder: Path) -> None:
        """Make the database in a folder, with everybody in it."""
        self.folder = folder
        self.randomness = Randomness()
        self._file, self._template = folder / "match.sqlite3", folder / "template.sqlite3"
        db.migrate(f"sqlite:///{self._file}")
        self.harness = self.make_harness(f"sqlite:///{self._file}")
        for name in (*PEOPLE, MASTER, MALLORY):
            self.harness.player(name)
        self.settle_in()
        self.harness.dispose()
        shutil.copy(self._file, self._template)
        self.uid = ""
        self._sitting: dict[Seat, str] = {}
        self.told: list[LetterToSend] = []

    def make_harness(self, url: str) -> Harness:
        """Return the harness that plays the matches."""
        return Harness(url)

    def settle_in(self) -> None:
        """Do what is done once, before the first match."""

    def __enter__(self) -> Self:
        self._patch = mock.patch.object(
            entropy, "secrets", SimpleNamespace(token_bytes=self.randomness.token_bytes)
        )
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()
        self.harness.dispose()

    # --- playing

    def play(self, course: Course) -> None:
        """Play a match from its beginning up to the open phase of the course. Raises
        Inconsistent.
        """
        self.begin(course)
        for number, orders in enumerate(course.orders, start=1):
            if orders is not None:
                self.close(course, number, orders)
        if self.number != len(course.orders) + 1:
            raise Inconsistent("another phase is open")
        self.write_press(course, len(course.orders) + 1)
        for seat, texts in course.sealed.items():
            self.hand_in(course, seat, texts)

    def begin(self, course: Course) -> None:
        """Set everything back, then make and start the match of a course."""
        self.harness.dispose()
        for end in ("-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)
        shutil.copy(self._template, self._file)
        self.harness.now, self.told = BEGIN, []
        self.randomness.forget()
        wish = Wish(
            course.game,
            "The Long Table",
            course.options,
            players=len(course.seats),
            play=False,
            progress=course.progress,  # type: ignore[arg-type]  # a kind of progress
            seating=None if course.options.get("anonymous") else "order",
            reminders=(REMINDED,),
            overtime_minutes=60,
            bots=False,
        )
        with _with_secrets(course.secrets):
            self.randomness.begin(f"{course.seed} makes")
            self.uid = self.harness.prepare_match(wish, MASTER, *PEOPLE[: len(course.seats)])
            self.randomness.begin(f"{course.seed} starts")
            assert self.harness.start_match(self.uid)
        names = {player: name for name, player in self.harness.people.items()}
        self._sitting = {
            seat.name: names[seat.player_id or 0] for seat in self.harness.seats(self.uid)
        }
        self.take_letters()

    def close(self, course: Course, number: int, orders: Orders) -> None:
        """Hand in the orders of a phase and close it: at once if all are ready, else after its
        deadline.
        """
        if self.number != number:
            raise Inconsistent(f"phase {number} was closed without waiting")
        self.write_press(course, number)
        for seat, texts in orders.items():
            self.hand_in(course, seat, texts)
        with _with_secrets(course.secrets):
            self.randomness.begin(f"{course.seed} closes {number}")
            while not self.harness.close(self.uid):  # the deadline, then the overtime of the silent
                self.harness.later(hours=25)
        self.take_letters()

    def hand_in(self, course: Course, seat: Seat, texts: Sequence[str]) -> None:
        """Hand in texts for a seat, one after the other."""
        for text in texts:
            self.randomness.begin(f"{course.seed} {self.number} {seat}")
            self.harness.order(self.uid, self.person(course, seat), text)

    def say(self, course: Course, seat: Seat, word: str) -> None:
        """Say `ready` or `wait` for a seat."""
        self.randomness.begin(f"{course.seed} {self.number} {seat} {word}")
        readiness.say_readiness(
            self.harness.database, self.uid, self.player(course, seat), word, now=self.harness.now
        )  # type: ignore[arg-type]  # a word

    def give_salt(self, course: Course, seat: Seat, text: str) -> None:
        """Let a seat's salt stand for the next phase."""
        self.randomness.begin(f"{course.seed} {self.number} {seat} salt")
        salts.give_salt(
            self.harness.database, self.uid, self.player(course, seat), text, now=self.harness.now
        )

    def write_press(self, course: Course, number: int) -> None:
        """Write the actor's press that the course has before the closing of a phase."""
        for phase, to, text in course.press:
            if phase == number:
                self.randomness.begin(f"{course.seed} press")
                draft = messages.PressDraft((to,), text)
                messages.write_press(
                    self.harness.database,
                    self.uid,
                    self.player(course, course.actor),
                    draft,
                    now=self.harness.now,
                )

    def remind(self, course: Course) -> None:
        """Let the time pass until those who owe orders are reminded, and remind them."""
        self.harness.later(hours=48 - REMINDED // 60)
        self.randomness.begin(f"{course.seed} {self.number} reminds")
        reminders.send_reminders(self.harness.database, self.uid, now=self.harness.now)
        self.take_letters()

    def take_letters(self) -> None:
        """Take the letters that wait as a worker does, with signed receipts."""
        receipts.sign_receipts(self.harness.database, self.harness.keyring)
        with self.harness.database.write_tx() as session:
            database: Any = Within(session)
            waiting = outbox.waiting_letters(session, self.harness.now)
            claimed = [
                claim_letter(database, self.harness.keyring, each, self.harness.now)
                for each in waiting
            ]
        self.told += [each for each in claimed if each is not None]

    # --- what it came to

    def person(self, course: Course, seat: Seat) -> str:
        """Return the name of a seat's player."""
        return self._sitting[seat]

    def player(self, course: Course, seat: Seat | None) -> int:
        """Return the id of a seat's player."""
        return self.harness.people[self.person(course, seat)] if seat else 0

    @property
    def number(self) -> int:
        """The number of the open phase; 0 once the match is over."""
        with self.harness.database.read_tx() as session:
            phase = open_phase(session, by_uid(session, self.uid))
            return phase.number if phase else 0

    def phases(self) -> list[PhaseRow]:
        """Return the rows of all phases in order."""
        with self.harness.database.read_tx() as session:
            match = by_uid(session, self.uid)
            return list(
                session.exec(
                    select(PhaseRow)
                    .where(PhaseRow.match_id == match.id)
                    .order_by(col(PhaseRow.number))
                )
            )

    def state(self, course: Course) -> Any:
        """Return the state of the open phase."""
        return load_state(course.rules, self.phases()[-1].before)

    def letters(self, name: str) -> list[LetterToSend]:
        """Return the letters to a person, the oldest first."""
        return [each for each in self.told if each.address == address(name)]
