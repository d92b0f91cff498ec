"""What a player kept checks a match as before after another player was erased, in the middle of it
or at its end.
"""

import json
from pathlib import Path

import pytest

from adjudicator.platform.config import Settings
from adjudicator.service.erasure import erasing, finishing
from adjudicator.service.letters import outbox
from adjudicator.service.log.catching_up import log_changes, to_catch_up
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.mail.composed import compose_letter
from tests.verifier.running import verify

ROUNDS = (("B3", "B2", "W2"), ("B1", "B1", "W1"), ("B2", "B3", "W3"))


@pytest.fixture
def harness(sqlite_url: str) -> Harness:
    """A harness on an empty, migrated database."""
    return Harness(sqlite_url)


class Keeper:
    """Alice, who keeps all her letters and checks the match with them."""

    def __init__(self, harness: Harness, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.harness, self.folder, self._capsys = harness, folder, capsys
        self._settings = Settings(data_dir=folder, database_url=str(harness.database.engine.url))
        self._letters: list[str] = []

    def keep_letters(self) -> None:
        receipts.sign_receipts(self.harness.database, self.harness.keyring)
        for letter in self.harness.claim_waiting():
            message = compose_letter(self._settings, letter, lambda _: b"")
            if address(ALICE) in str(message["To"]) and message["Sealed-Head"]:
                path = self.folder / f"{len(self._letters)}.eml"
                path.write_bytes(message.as_bytes())
                self._letters += ["--letter", str(path)]
            outbox.mark_sent(self.harness.database, [letter], self.harness.now)

    def check(self, uid: str) -> tuple[int, list[str], set[str]]:
        """Return the exit code, the broken rules and the numbers of those that were checked."""
        with self.harness.database.read_tx() as session:
            bundle = export_bundle(session, uid)
        (self.folder / "log.json").write_text(json.dumps(bundle), "utf-8")
        keys = ["--keys", self.harness.keyring.public.fingerprint]
        code, lines = verify(self._capsys, str(self.folder / "log.json"), *keys, *self._letters)
        held = {line.split()[1] for line in lines if line.startswith("ok")}
        return code, [line for line in lines if line.startswith("BROKEN")], held


@pytest.mark.parametrize("erased_at", ["in the middle", "at the end"])
def test_a_match_checks_the_same_before_and_after(
    harness: Harness, tmp_path: Path, capsys: pytest.CaptureFixture[str], erased_at: str
) -> None:
    keeper = Keeper(harness, tmp_path, capsys)
    uid = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}))
    keeper.keep_letters()
    for number, orders in enumerate(ROUNDS):
        for who, text in zip((ALICE, BOB, CHARLIE), orders, strict=True):
            if not (number and erased_at == "in the middle" and who == BOB):
                harness.order(uid, who, text)
        harness.later(hours=80)
        assert harness.close(uid)
        keeper.keep_letters()
        if number == 0 and erased_at == "in the middle":
            before = keeper.check(uid)
            _erase(harness)
            assert keeper.check(uid) == before
    masters.end_match(harness.database, uid, None, "It is late.", now=harness.now)
    assert harness.close(uid)
    keeper.keep_letters()
    before = keeper.check(uid)
    if erased_at == "at the end":
        _erase(harness)
    code, broken, held = keeper.check(uid)
    assert (code, broken, held) == before
    assert (code, broken) == (0, []) and held >= {"R15", "R19", "R20", "R24"}


def _erase(harness: Harness) -> None:
    erasing.erase_player(harness.database, harness.people[BOB], now=harness.now)
    with harness.database.read_tx() as session:
        changed = to_catch_up(session, most=10)
    for uid in changed:  # that a seat is left is looked at before the rest is taken away
        log_changes(harness.database, harness.keyring, uid, now=harness.now)
    assert finishing.finish_erasures(harness.database) == 1
