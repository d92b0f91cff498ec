"""Attacks on a match's chance: who writes the database chooses no dice; the holder of the key file
with a player can choose among some.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.seal import crypto
from adjudicator.seal.commitments import salts_hash
from adjudicator.service.base.phase_records import keep_phase_key
from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.base.state import MatchChains
from adjudicator.service.log.salts import give_salt
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.phases import closing
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB
from tests.games.dice_game import THROWN
from tests.games.sample_game import offer
from tests.harness import Harness, fresh_keys
from tests.verifier.running import verify, write


@pytest.fixture(autouse=True)
def thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, THROWN)


def begin(harness: Harness) -> str:
    return harness.match(ALICE, BOB, wish=Wish("thrown", "Stairs", {}))


def take_turn(harness: Harness, uid: str, number: int) -> bool:
    harness.order(uid, ALICE if number % 2 else BOB, "up 2")
    return harness.close(uid)


def thrown_in(harness: Harness, uid: str) -> dict[int, Any]:
    """Return the die of each closed phase, as the log tells it."""
    with harness.database.read_tx() as session:
        entries = export_bundle(session, uid)["entries"]
    return {
        entry["body"]["phase"]: dict(entry["body"]["draws"]).get("throw")
        for entry in entries
        if entry["type"] == "result"
    }


def kept(harness: Harness, uid: str) -> MatchChains:
    with harness.database.read_tx() as session:
        return MatchChains.recall(harness.keyring, by_uid(session, uid))


# --- who writes the database


CHOSEN = MatchChains.fresh(b"\1" * 32, b"\2" * 32)  # whose dice the attacker knows


def sealed_to_the_worker(harness: Harness, uid: str) -> bytes:
    """Seal as matches from before there were logs did, and as anybody can."""
    both = CHOSEN.firsts["public"] + CHOSEN.firsts["hidden"]
    return crypto.seal(harness.keyring.public.wrapping, both, bound_to=f"chains:{uid}".encode())


def made_with_own_keys(harness: Harness, uid: str) -> bytes:
    return CHOSEN.keep(fresh_keys(), uid)


def of_a_match_of_his_own(harness: Harness, uid: str) -> bytes:
    """Take the worker's authentic record of another match, all of whose dice are known as it has
    ended.
    """
    with harness.database.read_tx() as session:
        return by_uid(session, begin(harness)).wrapped_chains or b""


def of_the_same_name_before(harness: Harness, uid: str) -> bytes:
    """Take an authentic record of this match with other anchors, as from before a restore."""
    return CHOSEN.keep(harness.keyring, uid)


@pytest.mark.parametrize(
    "forge",
    [sealed_to_the_worker, made_with_own_keys, of_a_match_of_his_own, of_the_same_name_before],
)
def test_a_running_match_s_chains_cannot_be_exchanged_for_others(
    harness: Harness, forge: Callable[[Harness, str], bytes]
) -> None:
    uid = begin(harness)
    assert take_turn(harness, uid, 1)
    record = forge(harness, uid)
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        match.wrapped_chains, match.anchors = record, CHOSEN.anchors
    harness.order(uid, BOB, "up 2")
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    page = harness.page(uid, ALICE)
    assert page.card.status == "stuck" and "chance" in page.trouble
    assert set(thrown_in(harness, uid)) == {0, 1}
    with harness.database.read_tx() as session:
        told = [
            entry["body"]["kind"]
            for entry in export_bundle(session, uid)["entries"]
            if entry["type"] == "tampering"
        ]
    assert told == ["chance"]


def test_nor_if_it_is_marked_as_one_from_before_there_were_logs(harness: Harness) -> None:
    uid = begin(harness)
    assert take_turn(harness, uid, 1)
    record, (private, public) = sealed_to_the_worker(harness, uid), crypto.new_pair()
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        match.wrapped_chains, match.anchors, match.sealing = record, CHOSEN.anchors, 0
        phase = open_phase(session, match)
        assert phase is not None
        phase.public_key, phase.wrapped_key = (
            public,
            keep_phase_key(harness.keyring, match, phase.number, private),
        )
    harness.order(uid, BOB, "up 2")
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    assert harness.page(uid, ALICE).card.status == "stuck"


def test_who_writes_salts_into_the_database_changes_dice_but_cannot_know_them(
    harness: Harness,
) -> None:
    """A salt more is a throw more: without the chains nobody can tell which."""
    uid = begin(harness)
    right = kept(harness, uid)
    guessed = [
        CHOSEN.of_phase(uid, 2, salts_hash([str(number)])).public.die("throw", 6)
        for number in range(60)
    ]
    thrown = [
        right.of_phase(uid, 2, salts_hash([str(number)])).public.die("throw", 6)
        for number in range(60)
    ]
    assert set(thrown) == set(range(1, 7))
    assert sum(one == other for one, other in zip(guessed, thrown, strict=True)) < 30


# --- the holder of the key file, together with a player


@pytest.mark.parametrize("wanted", [1, 6])
def test_the_host_with_a_player_who_gives_the_last_salt_can_choose_among_dice(
    harness: Harness, wanted: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not found: the salt looks like any other, and nothing in the log, the receipts or the letters
    says how it was chosen.
    """
    uid = begin(harness)
    give_salt(harness.database, uid, harness.player(ALICE), "an honest salt", now=harness.now)
    chains = kept(harness, uid)  # which the host can open

    def would_throw(salt: str) -> int:
        return chains.of_phase(uid, 2, salts_hash(sorted(["an honest salt", salt]))).public.die(
            "throw", 6
        )

    chosen = next(salt for salt in map(str, range(1000)) if would_throw(salt) == wanted)
    give_salt(harness.database, uid, harness.player(BOB), chosen, now=harness.now)
    number = 1
    while harness.page(uid).card.status == "running":
        if number < 5:
            harness.order(uid, ALICE if number % 2 else BOB, "up 2")
            receipts.sign_receipts(harness.database, harness.keyring)
        assert harness.close(uid)
        number += 1
    assert thrown_in(harness, uid)[2] == wanted
    with harness.database.read_tx() as session:
        code, lines = verify(capsys, write(tmp_path, "log.json", export_bundle(session, uid)))
    assert code == 0, lines
