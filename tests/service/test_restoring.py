"""After a restore from a backup: what came later is lost and told, phases played anew use new
chance, and everything verifies.
"""

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.core.chance import chain_anchor
from adjudicator.platform.config import Settings
from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.seal import crypto
from adjudicator.seal.notes import SignedNote, VerifierKey
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Letter, Match, PhaseRow, PublicLog, Receipt
from adjudicator.service.checkpoints import growing, reading
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.upkeep import restoring, rotation
from adjudicator.service.upkeep.restored_matches import BATCH
from adjudicator.service.views.records.log_bundle import export_bundle
from adjudicator.service.views.transcripts import export_transcript
from tests.cast import ALICE, BOB, address
from tests.harness import Harness
from tests.letters_out import claim_letter
from tests.mail.composed import compose_letter
from tests.sampling import sample
from tests.service.logs import checkpoint, grow
from tests.service.test_handover_kills import kill_at
from tests.verifier.running import verify
from tests.verifier.test_real_matches import Player

ORIGIN = "play.example.org/log"
POINTS = (
    "restore.before_log",
    "restore.after_log",
    "restore.in_batch",
    "restore.after_batch",
    "restore.before_done",
)


class Installation(Harness):
    """A harness on a SQLite file with its key file, which can be put back to an earlier moment."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, crypto.ensure_key_file(folder / "keys" / "worker.key"))
        self.file = Path(str(self.database.engine.url.database))
        self.backup = folder / "backup.sqlite3"
        growing.begin_log(self.database, self.keyring, ORIGIN, now=self.now)

    def back_up(self) -> None:
        self.backup.unlink(missing_ok=True)
        with (
            closing(sqlite3.connect(self.file)) as source,
            closing(sqlite3.connect(self.backup)) as target,
        ):
            source.backup(target)

    def put_back(self) -> None:
        """Replace the database by the backup, as a host does with the service stopped."""
        self.database.engine.dispose()
        for beside in self.file.parent.glob(f"{self.file.name}-*"):
            beside.unlink()
        shutil.copy2(self.backup, self.file)

    def restored(self, note: str | None) -> restoring.Restored:
        return restoring.finish_restore(self.database, self.keyring, note, now=lambda: self.now)

    def plan(self, note: str | None) -> restoring.Plan:
        with self.database.read_tx() as session:
            return restoring.plan_restore(session, self.keyring, note)

    def row(self, uid: str) -> Match:
        with self.database.read_tx() as session:
            return by_uid(session, uid)

    def chance(self, uid: str, number: int) -> str:
        """Return what the throws of a phase were made from, which the log tells."""
        entries: Any = self.bundle(uid)["entries"]
        (public,) = [
            each["body"]["public"]
            for each in entries
            if each["type"] == "result" and each["body"]["phase"] == number
        ]
        return str(public)

    def bundle(self, uid: str) -> dict[str, object]:
        with self.database.read_tx() as session:
            return export_bundle(session, uid)


@pytest.fixture
def restorable(sqlite_url: str, tmp_path: Path) -> Iterator[Installation]:
    with Installation(sqlite_url, tmp_path) as made:
        yield made


def close_late(installation: Installation, uid: str) -> None:
    receipts.sign_receipts(installation.database, installation.keyring)
    installation.later(hours=90)
    assert installation.close(uid)


def lose(installation: Installation, uid: str, phases: int = 2) -> str:
    """Back up, play on, and put the backup back; return the note of the last checkpoint before
    that.
    """
    grow(installation)
    installation.later(minutes=11)
    installation.back_up()
    for _ in range(phases):
        installation.order(uid, ALICE, "B1")
        close_late(installation, uid)
    note = grow(installation).note
    installation.put_back()
    installation.later(minutes=30)
    return note


@pytest.mark.parametrize("key", sample(["pyramid", "redeux", "phoenix"], 1))
def test_letters_and_receipts_of_both_lives_verify_and_what_was_lost_is_told_as_lost(
    key: str, restorable: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(restorable, tmp_path, 7)
    seats = 3 if key == "pyramid" else 2
    uid = restorable.match(ALICE, BOB, wish=Wish(key, "Table", {}, players=seats, house=seats - 2))
    play_on(restorable, player, uid, 2)
    player.order(uid)
    player.take_letters()
    grow(restorable)
    restorable.back_up()
    restorable.later(minutes=11)
    play_on(restorable, player, uid, 3)
    lost, note = restorable.chance(uid, 4), grow(restorable).note
    restorable.put_back()
    restorable.later(minutes=30)
    assert restorable.restored(note).matches == 1
    player.take_letters()
    play_on(restorable, player, uid, 3)
    assert restorable.chance(uid, 4) != lost, "phases played anew use new chance"
    if restorable.page(uid).card.status != "ended":
        masters.end_match(restorable.database, uid, None, "It is late", now=restorable.now)
        restorable.close(uid)
    player.take_letters()
    grow(restorable)
    (tmp_path / "log.json").write_text(json.dumps(restorable.bundle(uid)), "utf-8")
    letters = [word for letter in player.letters for word in ("--letter", str(letter))]
    code, lines = verify(capsys, str(tmp_path / "log.json"), *letters)
    assert [line for line in lines if line.startswith("BROKEN")] == [] and code == 0
    assert any("lost by the restore of" in line for line in lines)
    with restorable.database.read_tx() as session:
        assert replay_transcript(read_transcript(export_transcript(session, uid))).differences == ()


def play_on(installation: Installation, player: Player, uid: str, phases: int) -> None:
    for _ in range(phases):
        if installation.page(uid).card.status == "ended":
            return
        player.order(uid)
        player.take_letters()
        close_late(installation, uid)
        player.take_letters()


def test_a_new_log_begins_with_the_hash_of_the_checkpoint_that_it_cites(
    restorable: Installation,
) -> None:
    uid = restorable.match(ALICE, BOB)
    note = lose(restorable, uid)
    plan = restorable.plan(note)
    assert (
        plan.origin == f"{ORIGIN}/2"
        and plan.cites == note
        and plan.lost is not None
        and plan.lost > 0
        and plan.matches == 1
    )
    done = restorable.restored(note)
    assert done.origin == plan.origin
    grow(restorable)
    head = checkpoint(restorable)
    SignedNote.read(head.note.encode()).verify([VerifierKey.read(done.log_key)])
    with restorable.database.read_tx() as session:
        first = reading.read_tile(session, 2, reading.ENTRY_DATA, 0)[:32]
        assert first == hashlib.sha256(note.encode()).digest() and head.head.origin == f"{ORIGIN}/2"
        assert session.get_one(PublicLog, 2).cites == note
        old = reading.newest_checkpoint(session, 1)
        assert old is not None and old.note != head.note


def test_each_running_match_tells_of_the_restore_with_new_anchors_and_numbers(
    restorable: Installation,
) -> None:
    uid, gathering = (
        restorable.match(ALICE, BOB),
        restorable.prepare_match(Wish("pyramid", "Later", {}), ALICE),
    )
    restorable.order(uid, ALICE, "B3")
    receipts.sign_receipts(restorable.database, restorable.keyring)
    before = restorable.row(uid).anchors
    note = lose(restorable, uid)
    restorable.restored(note)
    for name, phase in ((uid, 1), (gathering, 0)):
        entries = restorable.bundle(name)["entries"]
        kinds = [each["type"] for each in entries]  # type: ignore[attr-defined]
        at = kinds.index("restored")
        assert kinds[at + 1] == "anchor" and kinds.count("restored") == 1
        restored, anchor = entries[at]["body"], entries[at + 1]["body"]  # type: ignore[index]
        assert (
            restored["checkpoint"] == note
            and anchor["phase"] == phase
            and restored.get("phase", 0) == phase
        )
        match = restorable.row(name)
        assert anchor["anchors"] == match.anchors
        chains = MatchChains.recall(restorable.keyring, match)
        assert (
            chain_anchor(chains.firsts["public"]).hex()
            == anchor["anchors"]["public"]
            != (before or {})["public"]
        )
    assert restorable.order(uid, ALICE, "B2").seq == 1001
    close_late(restorable, uid)
    assert restorable.order(uid, ALICE, "B1").seq == 1001, (
        "a later phase may have been open before, too"
    )


def test_players_are_told_which_phase_is_open_and_nobody_is_ready(
    restorable: Installation, tmp_path: Path
) -> None:
    uid = restorable.match(ALICE, BOB)
    restorable.order(uid, ALICE, "B3")
    restorable.claim_waiting()
    note = lose(restorable, uid)
    restorable.restored(note)
    with restorable.database.read_tx() as session:
        open_row = session.exec(select(PhaseRow).where(col(PhaseRow.closed_at).is_(None))).one()
        told = session.exec(
            select(Letter).where(Letter.kind == "notice").order_by(col(Letter.id))
        ).all()
    assert [each.address for each in told] == [address(ALICE), address(BOB)]
    assert open_row.deadline is not None and open_row.deadline > restorable.now
    assert "nobody" not in [restorable.page(uid).card.status] and not restorable.close(uid), (
        "all have the whole phase again"
    )
    settings = Settings(data_dir=tmp_path, database_url=str(restorable.database.engine.url))
    claimed = claim_letter(restorable.database, restorable.keyring, told[0].id or 0, restorable.now)
    assert claimed is not None
    letter = compose_letter(settings, claimed, lambda _: b"")
    text = " ".join(letter.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    for words in (
        "restored from a backup",
        "Round 1 is open again",
        "still counts",
        "lost by the restore",
    ):
        assert words in text
    assert "newer ones are gone" in str(letter["Subject"])
    assert any(
        "restored the service from a backup" in note.what for note in restorable.page(uid).notes
    )


@pytest.mark.parametrize("point", sample(POINTS, 2))
def test_a_restore_that_was_killed_is_finished_once(point: str, restorable: Installation) -> None:
    uids = [restorable.match(ALICE, BOB) for _ in range(BATCH + 2)]
    note, keyring, now = lose(restorable, uids[0]), restorable.keyring, restorable.now
    now = restorable.now
    kill_at(
        restorable,
        point,
        lambda database: restoring.finish_restore(database, keyring, note, now=lambda: now),
    )
    restorable.restored(note)
    with pytest.raises(restoring.AlreadyTold, match="nothing left to do"):
        restorable.restored(note)
    with restorable.database.read_tx() as session:
        assert session.exec(select(PublicLog.number).order_by(PublicLog.number)).all() == [1, 2]  # type: ignore[arg-type]
        letters = session.exec(
            select(Letter.match_id, Letter.address).where(Letter.kind == "notice")
        ).all()
    assert len(letters) == len(set(letters)) == 2 * len(uids)
    for uid in uids:
        kinds = [each["type"] for each in restorable.bundle(uid)["entries"]]  # type: ignore[attr-defined]
        assert (
            kinds.count("restored") == kinds.count("anchor") == 1
            and restorable.row(uid).seq_from == 1000
        )


def test_where_nothing_was_restored_it_refuses(restorable: Installation) -> None:
    restorable.match(ALICE, BOB)
    note = grow(restorable).note
    with pytest.raises(restoring.NothingRestored, match="holds all"):
        restorable.restored(note)
    with restorable.database.read_tx() as session:
        assert session.get(PublicLog, 2) is None


def test_a_checkpoint_of_another_log_is_refused(restorable: Installation) -> None:
    uid = restorable.match(ALICE, BOB)
    note = lose(restorable, uid)
    for wrong, why in (
        ("hello", "no checkpoint which the log"),
        (note.replace(ORIGIN, "evil.example/log"), "no checkpoint which the log"),
    ):
        with pytest.raises(restoring.UnfitCheckpoint, match=why):
            restorable.restored(wrong)


def test_a_database_that_contradicts_the_checkpoint_is_no_backup(restorable: Installation) -> None:
    restorable.back_up()
    restorable.match(ALICE)
    note = grow(restorable).note
    restorable.put_back()
    restorable.match(BOB)
    restorable.match(ALICE)
    grow(restorable)
    with pytest.raises(restoring.UnfitCheckpoint, match="a backup of something else"):
        restorable.restored(note)


def test_without_a_checkpoint_the_backups_own_is_cited_and_it_may_be_said_twice(
    restorable: Installation,
) -> None:
    uid = restorable.match(ALICE, BOB)
    own = grow(restorable).note
    lose(restorable, uid)
    assert restorable.plan(None).lost is None
    restorable.restored(None)
    with restorable.database.read_tx() as session:
        assert session.get_one(PublicLog, 2).cites == own
    with pytest.raises(restoring.AlreadyTold):
        restorable.restored(None)


def test_a_second_restore_begins_a_third_log_and_higher_numbers(
    restorable: Installation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uid = restorable.match(ALICE, BOB)
    restorable.restored(lose(restorable, uid))
    restorable.restored(lose(restorable, uid))
    assert restorable.row(uid).seq_from == 2000 and restorable.order(uid, ALICE, "B3").seq == 2001
    with restorable.database.read_tx() as session:
        assert session.get_one(PublicLog, 3).origin == f"{ORIGIN}/3"
    rotation.rotate_keys(
        restorable.database, tmp_path / "keys" / "worker.key", now=lambda: restorable.now
    )
    masters.end_match(restorable.database, uid, None, "It is late", now=restorable.now)
    restorable.close(uid)
    (tmp_path / "log.json").write_text(json.dumps(restorable.bundle(uid)), "utf-8")
    code, lines = verify(capsys, str(tmp_path / "log.json"))
    assert [line for line in lines if line.startswith("BROKEN")] == [] and code == 0
    with restorable.database.read_tx() as session:
        assert replay_transcript(read_transcript(export_transcript(session, uid))).differences == ()
        assert session.exec(select(Receipt.seq).where(Receipt.seq > 2000)).all() == [2001]
