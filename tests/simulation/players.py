"""The players of a world: they order by form and by letter, change orders, come late, say ready and
wait, and vanish.
"""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from sqlmodel import col, select

from adjudicator import catalogue
from adjudicator.mail import addresses
from adjudicator.play import bots
from adjudicator.service.base.state import load_state
from adjudicator.service.base.tables import Match, PhaseRow, Seat
from adjudicator.service.orders.form_orders import SealedMeanwhile
from adjudicator.service.requests.made_for import MadeFor, find_made_for
from tests.simulation.ledger import Ledger, Posted, Said, Told
from tests.simulation.service import Service
from tests.simulation.world import World

LOOK_EVERY = 15.0  # seconds between a player's visits to a match
_TRIES = 5  # of a page that does not answer
_OLDER_TAB = 0.1  # of the forms are sent from a page that was loaded before
ASKED = "a form was asked about"  # whose page did not know of the newest orders
_MAIL_RETRIES = (5.0, 20.0, 60.0, 300.0)


@dataclass
class Player:
    """A person with a seat, or one who wants a seat."""

    id: int
    name: str
    address: str
    uid: str  # the match
    by_letter: float  # probability of submitting by letter
    vanishes: float  # probability of vanishing after each phase
    dawdles: float = 0.0  # probability of doing nothing in a phase before its overtime
    gone: bool = False
    seated: bool = False
    looked_at: int = 0  # the newest phase that was acted on
    overtime_at: int = 0  # the newest phase in whose overtime it acted
    seen_at: int = -1  # the world's commits at the last lookup
    seen: "Open | None" = None


@dataclass(frozen=True)
class Open:
    """An open phase as a player sees it."""

    number: int
    deadline: datetime
    last_call: datetime
    seat: str
    due: bool
    token: str | None  # of the seat's mail address; None until a letter tells it
    game: str
    before: Any
    overtime: bool  # whether its deadline has passed, and it waits for those who were late
    made_for: MadeFor  # what the forms of this page say


@dataclass
class Players:
    """All players, and the mail servers that carry their letters."""

    world: World
    service: Service
    ledger: Ledger
    everybody: list[Player]
    at_the_close: bool  # whether mail servers retry close to the closing second
    _letters: int = 0
    _dice: random.Random = field(init=False)
    _dawdling: random.Random = field(init=False)
    _tabs: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._dice = random.Random(f"{self.world.seed}/players")
        self._dawdling = random.Random(f"{self.world.seed}/dawdling")
        self._tabs = random.Random(f"{self.world.seed}/tabs")
        for player in self.everybody:
            self.world.at(self._dice.random() * LOOK_EVERY, self._look, player)

    # --- what a player sees

    def _look(self, player: Player) -> None:
        if player.gone or not self.service.faults.on:
            return
        self.world.at(LOOK_EVERY * (0.5 + self._dice.random()), self._look, player)
        seen = self._open(player)
        if seen is None:
            if not player.seated:
                self._sit(player)
            return
        if seen.number > player.looked_at:
            player.looked_at = seen.number
            if self._dice.random() < player.vanishes:
                player.gone = True
            elif not player.dawdles or self._dawdling.random() >= player.dawdles:
                self._plan(player, seen)
        elif seen.overtime and seen.number > player.overtime_at:
            player.overtime_at = seen.number
            self._plan(player, seen)

    def _open(self, player: Player) -> Open | None:
        """Return what a player sees; it is looked up again only after a commit."""
        if player.seen_at != self.world.commits:
            player.seen_at, player.seen = self.world.commits, self._look_up(player)
        return player.seen

    def _look_up(self, player: Player) -> Open | None:
        with self.service.fixture_db.eyes.read_tx() as session:
            wanted = select(Match, Seat).join(Seat, onclause=col(Seat.match_id) == col(Match.id))
            row = session.exec(
                wanted.where(Match.uid == player.uid, Seat.player_id == player.id)
            ).first()
            player.seated = row is not None and row[1].taken_at is not None
            if row is None or row[0].status != "running":
                return None
            match, seat = row
            phase = session.exec(
                select(PhaseRow).where(
                    PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None)
                )
            ).first()
            if phase is None or phase.deadline is None:
                return None
            overtime = phase.overtime_until is not None and phase.overtime_after == phase.deadline
            last_call = phase.deadline + timedelta(seconds=phase.grace_seconds)
            made_for = find_made_for(session, match, phase, seat) or MadeFor(phase.number)
            return Open(
                phase.number,
                phase.deadline,
                phase.overtime_until or last_call if overtime else last_call,
                seat.name,
                seat.name in phase.due,
                self.service.addresses.token_of(player.address, player.uid),
                match.game,
                phase.before,
                overtime,
                made_for,
            )

    def _sit(self, player: Player) -> None:
        self.service.ask(
            "web",
            "seat",
            lambda process: self.service.take_seat(process, player.uid, player.id),
            lambda *_: None,
        )

    # --- what a player does about it

    def _plan(self, player: Player, seen: Open) -> None:
        """Choose what to do in this phase: orders once or often, early or at the last moment, or
        none.
        """
        dice = self._dice
        for _ in range(dice.choice((0, 1, 1, 1, 2, 3)) if seen.due else 0):
            delay = self._when(seen)
            text = self._orders(seen, player)
            if dice.random() < player.by_letter and seen.token is not None:
                self.world.at(delay, self._post, player, seen, text)
            else:
                self.world.at(delay, self._hand_in, player, seen, text, _TRIES)
        if seen.due and dice.random() < 0.3:
            word = dice.choice(("ready", "wait"))
            self.world.at(self._when(seen), self._say, player, seen, word)

    def _when(self, seen: Open) -> float:
        """Return in how many seconds to act: soon, at some time, or very close to the deadline or
        the last call.
        """
        dice, now = self._dice, self.world.now()
        until = max(0.0, (seen.last_call - now).total_seconds())
        to_deadline = max(0.0, (seen.deadline - now).total_seconds())
        breath = dice.choice((-2.0, -0.05, -0.005, 0.0, 0.001, 0.05, 2.0))
        moments = (
            dice.random() * 60,
            dice.random() * until,
            to_deadline + breath,
            until + breath,
            until + breath,
        )
        return max(0.0, dice.choice(moments))

    def _orders(self, seen: Open, _player: Player) -> str:
        game = catalogue.game(seen.game)
        text = bots.choose_at_random(
            game, load_state(game, seen.before), seen.seat, self._dice.choice
        )
        words = self._dice.choice(("", "", "", "ready", "wait"))
        plan = f"THEN\n{text}" if self._dice.random() < 0.1 else ""
        # a refused line: the seat is not ready
        slip = "what was that word again" if self._dice.random() < 0.2 else ""
        return "\n".join(each for each in (text, slip, plan, words) if each)

    def _made_for(self, player: Player, seen: Open) -> MadeFor:
        """Return what a form says that is sent now: mostly that of a page that was just loaded, at
        times that of an older tab.
        """
        now = self._open(player)
        fresh = now is not None and now.number == seen.number and self._tabs.random() >= _OLDER_TAB
        return now.made_for if now is not None and fresh else seen.made_for

    def _hand_in(self, player: Player, seen: Open, text: str, tries: int) -> None:
        at, made_for = self.world.now(), self._made_for(player, seen)

        def answered(answer: Any, fault: BaseException | None) -> None:
            if fault is None:
                told = Told(
                    player.uid,
                    seen.seat,
                    seen.number,
                    text,
                    answer,
                    at,
                    self.world.commits,
                    player.id,
                    knew=made_for.seq,
                )
                self.ledger.told.append(told)
            elif isinstance(fault, SealedMeanwhile):
                self.world.fire(ASKED)
                # these shall count; the question's page knows of the others
                if tries and self._tabs.random() < 0.5:
                    self.world.at(
                        self._tabs.random() * 20, self._hand_in, player, seen, text, tries - 1
                    )
            elif tries and self._dice.random() < 0.7:
                # the page showed an error; the typed text is still there
                self.world.at(
                    self._dice.random() * 20, self._hand_in, player, seen, text, tries - 1
                )

        work = lambda process: self.service.hand_in(process, player.uid, player.id, text, made_for)  # noqa: E731 it is named once
        if not self.service.ask("web", "hand in", work, answered) and tries:
            self.world.at(
                5 + self._dice.random() * 20, self._hand_in, player, seen, text, tries - 1
            )

    def _say(self, player: Player, seen: Open, word: str) -> None:
        made_for = self._made_for(player, seen)
        said = Said(player.uid, player.id, word, self.world.commits)
        self.ledger.said.append(said)

        def answered(*_: object) -> None:
            said.until = self.world.commits

        self.service.ask(
            "web",
            word,
            lambda process: self.service.say(process, player.uid, player.id, word, made_for),
            answered,
        )

    # --- letters

    def _post(self, player: Player, seen: Open, text: str) -> None:
        if seen.token is None:  # no letter has told the seat's address yet
            return
        self._letters += 1
        message = EmailMessage()
        to = addresses.token_address(self.service.fixture_db.settings, seen.token).addr_spec
        message["From"], message["To"], message["Subject"] = player.address, to, "Orders"
        message["Date"], message["Message-ID"] = (
            format_datetime(self.world.now()),
            f"<{self._letters}@players.example.org>",
        )
        message.set_content(text + "\n")
        letter = Posted(
            message["Message-ID"],
            player.uid,
            seen.seat,
            seen.number,
            text,
            message.as_bytes(),
            player=player.id,
        )
        self.ledger.posted.append(letter)
        self._carry(letter, to, seen, 0)

    def _carry(self, letter: Posted, to: str, seen: Open, tried: int) -> None:
        """Deliver a letter as mail servers do, until they get 250 or 5xx."""

        def heard(answer: Any, fault: BaseException | None) -> None:
            if fault is not None:
                self._again(letter, to, seen, tried)
            elif answer is not None:
                letter.taken.append(answer)

        # it was delayed in its server's queue
        if self.at_the_close and not tried and self._dice.random() < 0.5:
            self._again(letter, to, seen, tried)
            return
        process = self.world.slots["inbox"]
        if not self.service.ask(
            "inbox",
            "letter",
            lambda process: self.service.take_letter(process, to, letter.raw),
            heard,
        ):
            self._again(letter, to, seen, tried)
            return
        self.world.at(70.0, self._missed, letter, to, seen, tried, process)

    def _missed(self, letter: Posted, to: str, seen: Open, tried: int, process: Any) -> None:
        """Retry after the inbox was killed before it answered."""
        if not letter.taken and process.dead:
            self._again(letter, to, seen, tried)

    def _again(self, letter: Posted, to: str, seen: Open, tried: int) -> None:
        wait = self._dice.choice(_MAIL_RETRIES)
        if self.at_the_close:
            close = (seen.last_call - self.world.now()).total_seconds()
            if close > 0:
                self.world.fire("retry at the close")
                wait = max(0.0, close + self._dice.choice((-1.0, -0.01, -0.002, 0.0, 0.002, 0.5)))
        self.world.at(wait, self._carry, letter, to, seen, tried + 1)
