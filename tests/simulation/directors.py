"""Masters who run their matches by letter, at addresses of their own; and masters of all matches
who are dismissed meanwhile.
"""

import random
from collections.abc import Callable

from sqlmodel import select

from adjudicator.mail import addresses
from adjudicator.service.base.tables import Match
from adjudicator.service.base.tables import Player as PlayerRow
from adjudicator.service.matches import masters
from adjudicator.service.tokens import master_addresses
from tests.simulation import upgrades
from tests.simulation.correspondents import Carrier, plain_message
from tests.simulation.ledger import Act, Directed, Ledger
from tests.simulation.masters import CLOSED, MOVED, PAUSED, RESUMED, WROTE
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import World
from tests.tokens import tell_token

DIRECTED, DISMISSED = "a master wrote a command", "a master was dismissed"
KINDS = (DIRECTED, DISMISSED)
_SHARE = 0.25  # of the worlds
_EVERY = 120.0  # mean seconds between a master's letters
_TEXT = "press all: from the master {}"
_LINES = {PAUSED: "pause", RESUMED: "resume", MOVED: "deadline +1m", CLOSED: "close", WROTE: _TEXT}
HELPER = "helper@example.org"  # runs every match until dismissed


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Let masters write letters in some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/directors")
    # such a match must not use what the last release did not have
    upgraded = upgrades.is_planned(world.seed)
    if (
        not service.faults.quiet
        and service.faults.crash_at is None
        and dice.random() < _SHARE
        and not upgraded
    ):
        Directors(world, service, ledger, sorted({player.uid for player in everybody}), dice)


class Directors:
    """The masters of a world's matches, and one who runs every match for a while."""

    def __init__(
        self, world: World, service: Service, ledger: Ledger, uids: list[str], dice: random.Random
    ) -> None:
        self._world, self._ledger, self._dice = world, ledger, dice
        self._carrier, self._eyes = Carrier(world, service, dice), service.fixture_db.eyes
        self._dismissed: int | None = None
        masters.appoint_master(self._eyes, HELPER, now=world.now())
        self._tokens = {
            (uid, who): self._token(uid, who)
            for uid in uids
            for who in (self._own(uid)[0], self._helper(uid)[0])
        }
        for uid in uids:
            ledger.run_by_hand.add(uid)
            for writes in (self._own, self._helper):
                world.at(_EVERY * dice.random(), self._write, uid, writes)
        world.at(_EVERY * (1 + 3 * dice.random()), self._dismiss)

    def _dismiss(self) -> None:
        """Dismiss the helper, as the host's command line does."""

        def ended(_: object, fault: BaseException | None) -> None:
            if fault is None:
                self._dismissed = self._world.commits
                self._world.fire(DISMISSED)
                for letter in self._ledger.directed:
                    letter.dismissed = letter.dismissed or (
                        self._dismissed if letter.player == self._helper("")[0] else None
                    )

        databases = self._carrier.service.fixture_db.databases
        self._carrier.service.ask(
            "web",
            "dismiss",
            lambda process: masters.dismiss_master(databases[process.slot], HELPER),
            ended,
        )

    def _token(self, uid: str, player: int) -> str:
        """Return the secret of a master's address, before anything happens in the world: nobody
        else writes yet.
        """
        with self._eyes.write_tx() as session:
            match = session.exec(select(Match).where(Match.uid == uid)).one()
            wanted = master_addresses.reply_address(session, match, player)
        return tell_token(self._eyes, self._carrier.service.fixture_db.keyring, wanted)

    def _own(self, uid: str) -> tuple[int, str]:
        with self._eyes.read_tx() as session:
            wanted = (
                select(PlayerRow)
                .join(Match, onclause=Match.master_id == PlayerRow.id)
                .where(Match.uid == uid)
            )  # type: ignore[arg-type]
            row = session.exec(wanted).one()
            return row.id or 0, row.address or ""

    def _helper(self, _: str) -> tuple[int, str]:
        with self._eyes.read_tx() as session:
            return (
                session.exec(select(PlayerRow.id).where(PlayerRow.address == HELPER)).one() or 0,
                HELPER,
            )

    def _write(self, uid: str, writes: Callable[[str], tuple[int, str]]) -> None:
        if not self._carrier.service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._write, uid, writes)
        player, sender = writes(uid)
        what, number = (
            self._dice.choice((PAUSED, RESUMED, RESUMED, MOVED, CLOSED, WROTE)),
            len(self._ledger.directed),
        )
        line = _LINES[what].format(f"{number:04}")
        act, letter = (
            Act(uid, what),
            Directed(uid, player, line, self._dismissed if sender == HELPER else None),
        )
        self._ledger.acts.append(act)
        self._ledger.directed.append(letter)
        self._world.fire(DIRECTED)
        to = addresses.token_address(
            self._carrier.service.fixture_db.settings, self._tokens[uid, player]
        ).addr_spec
        message = plain_message(
            sender, to, "The match", f"<m{number}@players.example.org>", self._world
        )
        message.set_content(line + "\n")
        self._carrier.carry(to, message.as_bytes(), letter.taken)
