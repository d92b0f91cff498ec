"""The worker's keys are changed while matches run: nothing sealed before is lost, and logs,
receipts and letters still verify.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator.platform.db import Database
from adjudicator.seal import crypto, web_push
from adjudicator.seal.crypto import CannotOpen, KeyFileError, Keyring, PublicKeys
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Incoming, Match, PhaseRow, WorkerKeys
from adjudicator.service.checkpoints import growing
from adjudicator.service.letters import incoming, receiving
from adjudicator.service.letters.receiving import Arrival, Target
from adjudicator.service.matches import masters
from adjudicator.service.orders import receipts
from adjudicator.service.upkeep import rotation
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB
from tests.harness import Harness
from tests.sampling import sample
from tests.service.logs import public_log
from tests.service.test_handover_kills import kill_at
from tests.unlogged import forget_logs
from tests.verifier.running import verify
from tests.verifier.test_real_matches import Player

POINTS = (
    "keys.before_file",
    "keys.after_file",
    "keys.after_publish",
    "keys.in_batch",
    "keys.after_batch",
    "keys.before_done",
)


@pytest.fixture
def keyed(database_url: str, tmp_path: Path) -> Iterator[Harness]:
    """A harness whose keys are in a file; `harness.keyring` is what a worker read that started
    before every rotation.
    """
    with Harness(database_url, crypto.ensure_key_file(tmp_path / "keys" / "worker.key")) as made:
        yield made


def key_file(harness: Harness) -> Path:
    assert harness.keyring.file is not None
    return harness.keyring.file.path


def rotate(harness: Harness) -> rotation.Rotated:
    return rotation.rotate_keys(harness.database, key_file(harness), now=lambda: harness.now)


def newest(harness: Harness) -> Keyring:
    return crypto.load_key_file(key_file(harness))


def stored_alone(harness: Harness) -> Keyring:
    """Return the keys that somebody has who copied the key file before the rotations."""
    return replace(harness.keyring, file=None)


def pinned_site(harness: Harness, fingerprint: str) -> Database:
    url = harness.database.engine.url.render_as_string(hide_password=False)
    return Database(url, info=public_keys.pinned(fingerprint))


def types(harness: Harness, uid: str) -> list[str]:
    with harness.database.read_tx() as session:
        return [entry["type"] for entry in export_bundle(session, uid)["entries"]]


def close_late(harness: Harness, uid: str) -> None:
    """Close the open phase once its time is over: the house bot hands in nothing here."""
    receipts.sign_receipts(harness.database, harness.keyring)
    harness.later(hours=80)
    assert harness.close(uid)


def test_a_match_goes_on_through_two_rotations_and_everything_verifies(
    keyed: Harness, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(keyed, tmp_path, 5)
    first, uid = keyed.keyring.public.fingerprint, keyed.match(ALICE, BOB)
    player.take_letters()
    for number in range(6):
        if number in (1, 3):
            player.order(uid)
            rotate(keyed)  # between the orders and the closing of their phase
        player.order(uid)
        keyed.later(hours=80)
        assert keyed.close(uid), "the worker that closes it read the first key file"
        player.take_letters()
    masters.end_match(keyed.database, uid, None, "It is late", now=keyed.now)
    keyed.close(uid)
    player.take_letters()
    with keyed.database.read_tx() as session:
        bundle = export_bundle(session, uid)
    assert [entry["type"] for entry in bundle["entries"]].count("key") == 2 and len(
        bundle["former_keys"]
    ) == 2
    assert (
        bundle["former_keys"][0]["fingerprint"] == first
        and bundle["keys"]["fingerprint"] == newest(keyed).public.fingerprint
    )
    (tmp_path / "log.json").write_text(json.dumps(bundle), "utf-8")
    letters = [word for letter in player.letters for word in ("--letter", str(letter))]
    for fingerprint in (first, newest(keyed).public.fingerprint):
        code, lines = verify(capsys, str(tmp_path / "log.json"), "--keys", fingerprint, *letters)
        assert [line for line in lines if line.startswith("BROKEN")] == [] and code == 0
        assert {line.split()[1] for line in lines if line.startswith("ok")} >= {
            "R02",
            "R05",
            "R15",
            "R16",
            "R18",
            "R24",
        }


def test_only_running_matches_change_their_key_at_once_and_others_as_they_go_on(
    keyed: Harness,
) -> None:
    running, gathering = keyed.match(ALICE), keyed.match(BOB)
    masters.end_match(keyed.database, gathering, None, "It is late", now=keyed.now)
    keyed.close(gathering)
    assert rotate(keyed).matches == 1
    assert types(keyed, running)[-1] == "key" and "key" not in types(keyed, gathering)
    with keyed.database.read_tx() as session:
        ended, begun = export_bundle(session, gathering), export_bundle(session, running)
    assert (
        ended["keys"]["fingerprint"] == keyed.keyring.public.fingerprint
        and "former_keys" not in ended
    )
    assert begun["former_keys"] == [ended["keys"]]
    keyed.match(BOB)
    with keyed.database.read_tx() as session:
        assert set(session.exec(select(Match.log_key))) == {
            keyed.keyring.public.signing.hex(),
            newest(keyed).public.signing.hex(),
        }


def test_what_is_stored_after_a_rotation_cannot_be_opened_with_a_copy_of_the_file_from_before(
    keyed: Harness,
) -> None:
    uid = keyed.match(ALICE, BOB)
    close_late(keyed, uid)
    rotate(keyed)
    with keyed.database.read_tx() as session:
        match = by_uid(session, uid)
        phase = open_phase(session, match)
        assert phase is not None
        opened = MatchChains.recall(newest(keyed), match)
        assert (
            opened.anchors == match.anchors
            and crypto.public_half(recall_phase_key(newest(keyed), match, phase))
            == phase.public_key
        )
        with pytest.raises(CannotOpen):
            MatchChains.recall(stored_alone(keyed), match)
        with pytest.raises(CannotOpen):
            recall_phase_key(stored_alone(keyed), match, phase)
        kept = session.exec(
            select(PhaseRow).where(
                PhaseRow.match_id == match.id, col(PhaseRow.kept_openings).is_not(None)
            )
        ).all()
        for row in kept:
            with pytest.raises(CannotOpen):
                stored_alone(keyed).recall(
                    row.kept_openings or b"", purpose="openings", match=uid, phase=row.number
                )


def test_site_and_inbox_follow_from_the_fingerprint_that_they_were_started_with(
    keyed: Harness,
) -> None:
    uid, first = keyed.match(ALICE, BOB), keyed.keyring.public.fingerprint
    rotate(keyed)
    rotate(keyed)
    for fingerprint in (first, newest(keyed).public.fingerprint):
        site = pinned_site(keyed, fingerprint)
        with site.read_tx() as session:
            assert public_keys.current_keys(session) == newest(keyed).public
        site.engine.dispose()
    stranger = pinned_site(keyed, "ab" * 32)
    with (
        stranger.read_tx() as session,
        pytest.raises(NotNow, match="are not those that this service was started with"),
    ):
        public_keys.current_keys(session)
    stranger.engine.dispose()
    assert types(keyed, uid).count("key") == 2


@pytest.mark.parametrize("forged", ["signed_by_former", "signed", "document"])
def test_keys_that_both_did_not_sign_are_not_followed(forged: str, keyed: Harness) -> None:
    first = keyed.keyring.public.fingerprint
    rotate(keyed)
    other = crypto.Keyring(*(bytes([each]) * 32 for each in (1, 2, 3, 4)))
    with keyed.database.write_tx() as session:
        row = session.exec(select(WorkerKeys).order_by(col(WorkerKeys.id).desc())).first()
        assert row is not None
        digest = public_keys.change_hash(first, PublicKeys.of(row.document))
        setattr(row, forged, other.public.document if forged == "document" else other.sign(digest))
    site = pinned_site(keyed, first)
    with site.read_tx() as session, pytest.raises(NotNow, match="are not those"):
        public_keys.current_keys(session)
    site.engine.dispose()


@pytest.mark.parametrize("point", sample(POINTS, 2))
def test_a_rotation_that_was_killed_is_finished_by_the_next_one(point: str, keyed: Harness) -> None:
    uids = [keyed.match(ALICE, BOB) for _ in range(rotation.BATCH + 1)]
    keyed.order(uids[0], ALICE, "B3")
    path, now = key_file(keyed), keyed.now
    kill_at(keyed, point, lambda database: rotation.rotate_keys(database, path, now=lambda: now))
    assert newest(keyed).public != keyed.keyring.public or point == "keys.before_file"
    done = rotate(keyed)
    assert done.left == () and len(newest(keyed).sets) == 2, (
        "one rotation, whether it was begun once or twice"
    )
    for uid in uids:
        assert types(keyed, uid).count("key") == 1
    with keyed.database.read_tx() as session:
        rows = public_keys.list_keys(session)
        assert [row.fingerprint for row in rows] == [
            keyed.keyring.public.fingerprint,
            newest(keyed).public.fingerprint,
        ]
        assert all(row.done_at is not None for row in rows)
    keyed.order(uids[0], BOB, "B2")
    close_late(keyed, uids[0])
    assert list(path.parent.iterdir()) == [path], "no half-written keys are left"


def test_a_worker_that_starts_after_the_kill_publishes_the_new_keys(keyed: Harness) -> None:
    path, now = key_file(keyed), keyed.now
    kill_at(
        keyed,
        "keys.after_file",
        lambda database: rotation.rotate_keys(database, path, now=lambda: now),
    )
    with keyed.database.read_tx() as session:
        assert public_keys.published_fingerprint(session) == keyed.keyring.public.fingerprint
    opened = public_keys.open_keyring(keyed.database, path, now=now)
    with keyed.database.read_tx() as session:
        assert public_keys.published_fingerprint(session) == opened.public.fingerprint
        assert public_keys.believed_keys(session) == (opened.public, keyed.keyring.public)
        assert rotation.is_under_way(session)


def store_letter(harness: Harness) -> int:
    uid = receiving.store_letters(
        harness.database,
        [Arrival(Target("service"), b"Subject: hello\r\n\r\n", harness.now, "smtp")],
    )[0]
    with harness.database.read_tx() as session:
        found = session.exec(select(Incoming.id).where(Incoming.uid == uid)).one()
    assert found is not None
    return found


def test_letters_to_the_former_key_of_the_inbox_are_read_and_those_to_the_new_one_by_an_old_worker(
    keyed: Harness,
) -> None:
    before = store_letter(keyed)
    rotate(keyed)
    after = store_letter(keyed)
    for letter in (before, after):
        claimed = incoming.claim_letter(keyed.database, keyed.keyring, letter, keyed.now)
        assert claimed is not None and claimed.raw == b"Subject: hello\r\n\r\n"


def test_a_machine_with_a_copy_from_before_leaves_letters_to_others(keyed: Harness) -> None:
    rotate(keyed)
    letter = store_letter(keyed)
    for _ in range(2 * incoming.MOST_TRIES):
        with pytest.raises(KeyFileError, match="copy it from the machine where"):
            incoming.claim_letter(keyed.database, stored_alone(keyed), letter, keyed.now)
    claimed = incoming.claim_letter(keyed.database, newest(keyed), letter, keyed.now)
    assert claimed is not None and claimed.raw is not None


def test_letters_that_wait_are_posted_after_it(keyed: Harness) -> None:
    keyed.match(ALICE, BOB)
    rotate(keyed)
    assert {each.kind for each in keyed.claim_waiting()} >= {"report"}


def test_a_match_from_before_logs_goes_on_and_its_boxes_are_sealed_anew(keyed: Harness) -> None:
    uid = keyed.match(ALICE, BOB)
    forget_logs(keyed.database, keyed.keyring)
    keyed.order(uid, ALICE, "B3")
    assert rotate(keyed).matches == 1
    with keyed.database.read_tx() as session, pytest.raises(CannotOpen):
        MatchChains.recall(stored_alone(keyed), by_uid(session, uid))
    keyed.order(uid, BOB, "B2")
    close_late(keyed, uid)
    assert rotate(keyed).matches == 1


def test_the_keys_of_the_public_log_and_of_push_messages_stay(keyed: Harness) -> None:
    growing.begin_log(keyed.database, keyed.keyring, "play.example.org/log", now=keyed.now)
    before = public_log(keyed)
    rotate(keyed)
    after, ring = public_log(keyed), newest(keyed)
    assert (after.log_key, after.witness_key) == (before.log_key, before.witness_key)
    crypto.verify_signature(ring.public.signing, growing.log_hash(after), after.signature)
    points = {web_push.public_point(web_push.push_key(each)) for each in (keyed.keyring, ring)}
    assert len(points) == 1 and ring.authenticate("who", "a") == keyed.keyring.authenticate(
        "who", "a"
    )


def test_a_match_whose_records_were_altered_is_named_and_the_others_change(keyed: Harness) -> None:
    spoilt, sound = keyed.match(ALICE), keyed.match(BOB)
    with keyed.database.write_tx() as session:
        by_uid(session, spoilt).wrapped_chains = b"nothing"
    done = rotate(keyed)
    assert (done.matches, done.left) == (1, (spoilt,))
    assert "key" not in types(keyed, spoilt) and types(keyed, sound)[-1] == "key"


def test_orders_are_sealed_in_the_moment_between_the_new_keys_and_a_matchs_change(
    keyed: Harness,
) -> None:
    uid, path = keyed.match(ALICE, BOB), key_file(keyed)
    kill_at(
        keyed,
        "keys.after_publish",
        lambda database: rotation.rotate_keys(database, path, now=lambda: keyed.now),
    )
    assert keyed.order(uid, ALICE, "B3").disposition == "accepted", (
        "the phase has the signature of the former key"
    )
    assert keyed.order(uid, BOB, "B2").disposition == "accepted"
    keyed.keyring = newest(keyed)
    close_late(keyed, uid)  # by a worker that has the new keys, which changes the match itself
    assert types(keyed, uid).count("key") == 1 and len(newest(keyed).sets) == 2
    assert rotate(keyed).matches == 0, "it finishes the first rotation"
