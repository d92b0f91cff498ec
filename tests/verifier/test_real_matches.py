"""Matches of every game that the real service plays: their bundles, receipts and letters break no
rule.
"""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest

from adjudicator import catalogue
from adjudicator.platform.config import Settings
from adjudicator.play import bots
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import by_uid, open_phase, seats_of
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.letters import outbox
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders, readiness, receipts
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.phases import concessions
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.mail.composed import compose_letter
from tests.sampling import EVERY_CASE, sample
from tests.verifier.running import verify

LONGEST = 9  # phases; longer matches are ended by their master


@pytest.fixture
def harness(sqlite_url: str) -> Iterator[Harness]:
    """A harness on an empty, migrated database."""
    with Harness(sqlite_url) as made:
        yield made


class Player:
    """Two people who order at random, with plans, alternatives, corrections and missed
    deadlines.
    """

    def __init__(self, harness: Harness, folder: Path, seed: int) -> None:
        self.harness, self.folder, self.chance = harness, folder, random.Random(seed)
        self.settings = Settings(data_dir=folder, database_url=str(harness.database.engine.url))
        self.letters: list[Path] = []

    def play(self, key: str) -> str:
        """Play a match of a game to its end, or until its master ends it. Return its uid."""
        fewest = min(catalogue.game(key).about.seats)
        uid = self.harness.match(
            ALICE,
            BOB,
            wish=Wish(key, "Table", {}, players=fewest, house=fewest - 2, seating="order"),
        )
        self.take_letters()
        for number in range(200):
            if self.harness.page(uid).card.status == "ended":
                break
            if number == LONGEST:
                masters.end_match(
                    self.harness.database, uid, None, "It is late", now=self.harness.now
                )
            else:
                self.order(uid)
                self.harness.later(minutes=1)
            receipts.sign_receipts(self.harness.database, self.harness.keyring)
            if not self.harness.close(uid):
                self.harness.later(hours=80)
                assert self.harness.close(uid)
            self.take_letters()
        return uid

    def order(self, uid: str) -> None:
        with self.harness.database.read_tx() as session:
            turns = bot_orders.house_turns(session, uid)
        for turn in turns:
            text = turn.orders(self.chance.choice)
            submit_orders(
                self.harness.database,
                Submission(uid, turn.player_id, text, "house", self.harness.now, turn.phase),
            )
        for who in (ALICE, BOB):
            for _ in range(self.chance.choice((0, 1, 1, 1, 2))):
                self.harness.order(uid, who, self.text(uid, who))
                receipts.sign_receipts(self.harness.database, self.harness.keyring)
                self.harness.later(minutes=1)
            if self.chance.random() < 0.3:
                self.say(uid, who)

    def say(self, uid: str, who: str) -> None:
        """Say a bare word, whose receipt comes with the next report."""
        word: Literal["ready", "wait"] = self.chance.choice(("ready", "wait"))
        with suppress(NotNow):  # the seat owes nothing
            readiness.say_readiness(
                self.harness.database, uid, self.harness.player(who), word, now=self.harness.now
            )
            receipts.sign_receipts(self.harness.database, self.harness.keyring)
            self.harness.later(minutes=1)

    def text(self, uid: str, who: str) -> str:
        """Return orders as a player might write them, now and then with a plan, an alternative or
        nonsense.
        """
        with self.harness.database.read_tx() as session:
            match = by_uid(session, uid)
            phase = open_phase(session, match)
            assert phase is not None
            game, state = game_of(match), load_state(game_of(match), phase.before)
            seat = next(
                each.name
                for each in seats_of(session, match)
                if each.player_id == self.harness.player(who)
            )
        if seat not in game.phase(state).due:
            return "nonsense"
        own = [bots.choose_at_random(game, state, seat, self.chance.choice) for _ in range(3)]
        lines = own[0].splitlines()
        if lines and own[1].splitlines() and self.chance.random() < 0.3:
            lines[0] = f"{lines[0]} OR {own[1].splitlines()[0]}"
        plan = f"\nTHEN\n{own[2]}" if self.chance.random() < 0.4 else ""
        noise = "nonsense\n" if self.chance.random() < 0.1 else ""
        return "\n".join([noise, *lines]) + plan + self.chance.choice(("", "", "\nready"))

    def take_letters(self) -> None:
        """Keep Alice's letters as her mail program does."""
        receipts.sign_receipts(self.harness.database, self.harness.keyring)
        for letter in self.harness.claim_waiting():
            message = compose_letter(self.settings, letter, lambda _: b"")
            if address(ALICE) in str(message["To"]) and message["Sealed-Head"]:
                self.letters.append(self.folder / f"{len(self.letters)}.eml")
                self.letters[-1].write_bytes(message.as_bytes())
            outbox.mark_sent(self.harness.database, [letter], self.harness.now)


@pytest.mark.parametrize("seed", [1, 2] if EVERY_CASE else [1])
@pytest.mark.parametrize("key", sample([each.about.key for each in catalogue.every_game()], 2))
def test_a_match_that_the_service_played_breaks_no_rule(
    key: str, seed: int, harness: Harness, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(harness, tmp_path, seed)
    uid = player.play(key)
    with harness.database.read_tx() as session:
        bundle = export_bundle(session, uid)
    (tmp_path / "log.json").write_text(json.dumps(bundle), "utf-8")
    letters = [word for letter in player.letters for word in ("--letter", str(letter))]
    code, lines = verify(
        capsys, str(tmp_path / "log.json"), "--keys", harness.keyring.public.fingerprint, *letters
    )
    assert [line for line in lines if line.startswith("BROKEN")] == []
    assert code == 0
    checked = {line.split()[1] for line in lines if line.startswith("ok")}
    assert checked >= {f"R{number:02d}" for number in range(1, 22)} | {"R24"}


@pytest.mark.parametrize(
    "last", [False, True], ids=["others play on", "nobody is left to wait for"]
)
def test_a_concession_while_a_phase_is_open_breaks_no_rule(
    last: bool, harness: Harness, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log tells whom a phase waited for as it opened, the transcript whom it waited for in the
    end.
    """
    uid = harness.match(ALICE, BOB, CHARLIE)
    harness.round(uid, [(ALICE, "B3"), (BOB, "B1"), (CHARLIE, "W2")])
    concessions.concede(harness.database, uid, harness.player(ALICE), now=harness.now)
    if last:
        concessions.concede(harness.database, uid, harness.player(BOB), now=harness.now)
    else:
        harness.round(uid, [(BOB, "W2"), (CHARLIE, "C1")])
        masters.end_match(harness.database, uid, None, "It is late", now=harness.now)
    receipts.sign_receipts(harness.database, harness.keyring)
    assert harness.close(uid) and harness.page(uid).card.status == "ended"
    with harness.database.read_tx() as session:
        bundle = export_bundle(session, uid)
    (tmp_path / "log.json").write_text(json.dumps(bundle), "utf-8")
    code, lines = verify(
        capsys, str(tmp_path / "log.json"), "--keys", harness.keyring.public.fingerprint, "--replay"
    )
    assert [line for line in lines if line.startswith("BROKEN")] == []
    assert code == 0
