"""Salts that players give for the chance of the next phase: what counts, what the log holds, and
that nobody else learns of one.
"""

import json
from typing import Any

import pytest
from sqlmodel import Session, select

from adjudicator.core.jcs import H
from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.seal import crypto
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.phase_records import keep_phase_key, recall_phase_key
from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.base.shown import read_steps
from adjudicator.service.base.tables import Match, PhaseRow, Salt
from adjudicator.service.erasure import erasing
from adjudicator.service.log import salts
from adjudicator.service.matches import masters, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.requests.bodies import salt_request
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.games.dice_game import THROWN
from tests.games.sample_game import offer
from tests.harness import Harness
from tests.service.attacker import Attacker, tampering
from tests.unlogged import forget_logs

TABLE = Wish("pyramid", "Table", {})
ROUND = [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")]


def give(harness: Harness, uid: str, who: str, text: str) -> str:
    return salts.give_salt(harness.database, uid, harness.player(who), text, now=harness.now)


def opened(harness: Harness, uid: str) -> list[tuple[int, list[str], str | None]]:
    """Return the number of each phase that was opened, its salts and their hash, as the log has
    them.
    """
    bodies = [entry["body"] for entry in bundle(harness, uid)["entries"] if entry["type"] == "open"]
    return [(body["phase"], body["salts"], body["clients"]) for body in bodies]


def bundle(harness: Harness, uid: str) -> dict[str, Any]:
    with harness.database.read_tx() as session:
        return export_bundle(session, uid)


def rows(harness: Harness) -> list[Salt]:
    with harness.database.read_tx() as session:
        return list(session.exec(select(Salt)))


def test_a_salt_counts_for_the_next_phase_that_opens_and_is_used_up(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    told = give(harness, uid, ALICE, "three red cars")
    assert (
        told
        == "Your salt “three red cars” stands for the next phase that opens. It counts once, and"
        " nobody is told who gave it."
    )
    give(harness, uid, BOB, "7:5")
    harness.round(uid, ROUND)
    harness.round(uid, [(ALICE, "B1"), (BOB, "B1"), (CHARLIE, "W1")])
    given = ["7:5", "three red cars"]
    assert opened(harness, uid) == [
        (0, [], None),
        (1, [], None),
        (2, given, H("salts", given).hex()),
        (3, [], None),
    ]
    assert rows(harness) == []


def test_a_salt_given_before_the_match_begins_counts_for_its_start(harness: Harness) -> None:
    uid = harness.prepare_match(TABLE, ALICE, BOB, CHARLIE)
    give(harness, uid, CHARLIE, "snow")
    assert harness.start_match(uid)
    assert opened(harness, uid) == [(0, ["snow"], H("salts", ["snow"]).hex()), (1, [], None)]


def test_salts_change_what_is_drawn_and_a_replay_draws_it_again(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this game dice of both streams are thrown at the start, and one in each phase."""
    offer(monkeypatch, THROWN)
    drawn = set()
    for words in ("one", "two", "three"):
        uid = harness.prepare_match(Wish("thrown", "Stairs", {}), ALICE, BOB)
        give(harness, uid, ALICE, words)
        assert harness.start_match(uid)
        give(harness, uid, BOB, f"{words} again")
        for _ in range(2):
            harness.later(hours=200)
            assert harness.close(uid)
        masters.end_match(harness.database, uid, None, "It is late.", now=harness.now)
        assert harness.close(uid)
        transcript = bundle(harness, uid)["transcript"]
        assert transcript["clients"]["0"] == H("salts", [words]).hex()
        assert not replay_transcript(read_transcript(transcript)).differences
        drawn.add(str(transcript["claims"]["start"]["draws"]))
        assert [entry.get("clients") for entry in transcript["phases"]] == [
            None,
            H("salts", [f"{words} again"]).hex(),
        ]
        without = transcript | {"clients": {}}
        assert [
            line.partition(":")[0]
            for line in replay_transcript(read_transcript(without)).differences
        ] == ["Start"]
    assert len(drawn) == 3


def test_a_new_salt_replaces_the_one_that_stood(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    give(harness, uid, ALICE, "first")
    give(harness, uid, ALICE, "second")
    harness.round(uid, ROUND)
    assert opened(harness, uid)[-1][1] == ["second"]


def test_two_players_may_give_the_same_salt(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    give(harness, uid, BOB, "42")
    give(harness, uid, ALICE, "42")
    harness.round(uid, ROUND)
    assert opened(harness, uid)[-1][1] == ["42", "42"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  a   b\n c ", "a b c"),
        ("cafe\u0301", "café"),
        ("x" * 64, "x" * 64),
        ("Ω 12-7, rain!", "Ω 12-7, rain!"),
    ],
)
def test_a_salt_is_kept_in_one_form(text: str, kept: str) -> None:
    assert salts.read_salt(text) == kept == salts.read_salt(kept)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "any words or numbers"),
        (" \n ", "any words or numbers"),
        ("y" * 65, "at most 64 characters; this one has 65"),
        ("a\0b", "one line of plain text"),
        ("\u202egnirts", "one line of plain text"),
        ("\ud800", "one line of plain text"),
    ],
)
def test_a_salt_that_cannot_be_kept_is_refused_with_a_sentence(text: str, told: str) -> None:
    with pytest.raises(Refused, match=told):
        salts.read_salt(text)


def test_only_a_player_of_the_match_gives_a_salt(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    with pytest.raises(NotAllowed, match="no seat"):
        give(harness, uid, MALLORY, "mine")


def test_a_match_without_a_log_takes_no_salt(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    forget_logs(harness.database, harness.keyring)
    with pytest.raises(NotNow, match="has no public log"):
        give(harness, uid, ALICE, "late")


def test_a_match_that_is_over_takes_no_salt_and_keeps_none(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    give(harness, uid, ALICE, "unused")
    masters.end_match(harness.database, uid, None, "It is late.", now=harness.now)
    assert harness.close(uid)
    assert rows(harness) == []
    with pytest.raises(NotNow, match="over"):
        give(harness, uid, ALICE, "late")


def test_a_salt_counts_only_while_its_player_has_the_seat(harness: Harness) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Table", {}, open_seats=True), ALICE, BOB)
    give(harness, uid, BOB, "gone")
    seats.leave_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    for who in (CHARLIE, MALLORY):
        seats.take_seat(harness.database, uid, harness.player(who), now=harness.now)
    assert harness.start_match(uid)
    assert opened(harness, uid)[0] == (0, [], None)


def test_an_erased_player_leaves_no_salt(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    give(harness, uid, BOB, "bob@example.org")
    erasing.erase_player(harness.database, harness.people[BOB], now=harness.now)
    assert rows(harness) == []


def test_a_salt_is_not_in_the_clear_and_nothing_that_others_see_moves(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    with harness.database.read_tx() as session:
        before = by_uid(session, uid).shown, read_steps(session, [uid], harness.now)
    give(harness, uid, ALICE, "nobody reads this")
    with harness.database.read_tx() as session:
        assert (by_uid(session, uid).shown, read_steps(session, [uid], harness.now)) == before
    (row,) = rows(harness)
    assert b"nobody" not in row.sealed
    harness.round(uid, ROUND)
    assert "player" not in str(opened(harness, uid)[-1])


def test_a_salt_that_comes_while_a_closing_is_worked_out_is_not_lost(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes after the closing has read the salts, and before it writes."""
    from adjudicator.service.phases import closing

    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    for who, text in ROUND:
        harness.order(uid, who, text)
    own, late = closing.work_out, ["in between"]

    def work_out(*told: Any) -> Any:
        moves = own(*told)
        if late:
            give(harness, uid, ALICE, late.pop())
        return moves

    monkeypatch.setattr(closing, "work_out", work_out)
    assert harness.close(uid)
    assert opened(harness, uid)[-1][1] == ["in between"]


@pytest.mark.parametrize("forged", ["not a box", "too long", "another match"])
def test_a_row_that_the_service_did_not_write_is_passed_over(harness: Harness, forged: str) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    give(harness, uid, BOB, "good")
    place, wrapping = f"salt:{uid}".encode(), harness.keyring.public.wrapping
    box = {
        "not a box": b"nothing",
        "too long": crypto.seal(wrapping, b"z" * 65, bound_to=place),
        "another match": crypto.seal(wrapping, b"moved", bound_to=b"salt:other"),
    }[forged]
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        session.add(
            Salt(
                match_id=match.id or 0, player_id=harness.player(ALICE), sealed=box, at=harness.now
            )
        )
    harness.round(uid, ROUND)
    assert opened(harness, uid)[-1][1] == ["good"]


# --- somebody who writes the database


def forge(harness: Harness, attacker: Attacker, *, sign: bool) -> None:
    """Store a salt in Alice's name, signed by the attacker's own session or by nobody."""

    def work(session: Session, match: Match, phase: PhaseRow) -> None:
        text, nonce = "chosen", "00" * 32
        box = crypto.seal(
            harness.keyring.public.wrapping,
            json.dumps({"text": text, "nonce": nonce}).encode(),
            bound_to=b"salt:" + match.uid.encode(),
        )
        row = Salt(
            match_id=match.id or 0,
            player_id=harness.player(ALICE),
            sealed=box,
            at=harness.now,
            seat="1",
            request_signature=bytes(32),
        )
        row.phase_number = phase.number + 1
        if sign:
            row.signer, row.request_signature = (
                attacker.key.public,
                attacker.key.sign(salt_request(match.uid, row, text, nonce)),
            )
        session.add(row)

    attacker.change(work)


@pytest.mark.parametrize("sign", [False, True])
def test_a_salt_that_another_gave_in_a_players_name_does_not_count(
    harness: Harness, sign: bool
) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    attacker = Attacker(harness, uid)
    give(harness, uid, BOB, "good")
    forge(harness, attacker, sign=sign)
    harness.claim_waiting()
    harness.round(uid, ROUND)
    attacker.dispose()
    assert opened(harness, uid)[-1][1] == ["good"]
    assert tampering(harness, uid) == ["salt"]
    letters = {each.address for each in harness.claim_waiting() if each.kind == "seat"}
    assert letters == {"alice@example.org"}


@pytest.mark.parametrize("again", ["in the next phase", "twice", "with another time"])
def test_a_signed_salt_counts_once_as_it_was_given(harness: Harness, again: str) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    give(harness, uid, BOB, "good")
    row = rows(harness)[0].model_dump(exclude={"id"})
    attacker = Attacker(harness, uid)
    if again == "in the next phase":
        harness.round(uid, ROUND)
    with attacker.database.write_tx() as session:
        if again == "twice":
            session.add(Salt(**{**row, "player_id": harness.player(ALICE)}))
        elif again == "with another time":
            session.exec(select(Salt)).one().at = harness.later(minutes=1)
        else:
            session.add(Salt(**row))
    attacker.dispose()
    harness.round(
        uid,
        ROUND if again != "in the next phase" else [(ALICE, "B1"), (BOB, "B1"), (CHARLIE, "W1")],
    )
    assert opened(harness, uid)[-1][1] == (["good"] if again == "twice" else [])


def test_a_salt_from_before_they_were_signed_counts_in_the_next_phase(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=TABLE)
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        phase = open_phase(session, match)
        assert phase is not None
        phase.wrapped_key = keep_phase_key(
            harness.keyring, match, phase.number, recall_phase_key(harness.keyring, match, phase)
        )
        box = crypto.seal(
            harness.keyring.public.wrapping, b"older", bound_to=f"salt:{uid}".encode()
        )
        session.add(
            Salt(
                match_id=match.id or 0, player_id=harness.player(ALICE), sealed=box, at=harness.now
            )
        )
    harness.round(uid, ROUND)
    assert opened(harness, uid)[-1][1] == ["older"]
