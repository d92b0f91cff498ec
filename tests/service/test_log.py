"""The public log of a match: what it holds after each step, and that a closing refuses rows that
differ from it.
"""

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator import catalogue
from adjudicator.core.chance import CHAIN_LENGTH
from adjudicator.core.jcs import H, jcs
from adjudicator.seal import crypto
from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Envelope, LogEntry, Match, PhaseRow, Receipt, Seat
from adjudicator.service.log.bodies import opened_receipts
from adjudicator.service.log.catching_up import log_changes
from adjudicator.service.log.receipt_chains import hash_receipt, signed_body
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.phases import closing
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.unlogged import forget_logs


def bundle(harness: Harness, uid: str) -> dict[str, Any]:
    with harness.database.read_tx() as session:
        return export_bundle(session, uid)


def entries(harness: Harness, uid: str, *kinds: str) -> list[dict[str, Any]]:
    """Return the entries of these types, all without any, after checking the chain and each
    signature.
    """
    found: list[dict[str, Any]] = bundle(harness, uid)["entries"]
    before = "0" * 64
    for number, entry in enumerate(found):
        digest = H("entry", {name: entry[name] for name in ("index", "prev", "type", "body")})
        assert (entry["index"], entry["prev"], entry["hash"]) == (number, before, digest.hex())
        crypto.verify_signature(harness.keyring.public.signing, digest, bytes.fromhex(entry["sig"]))
        before = entry["hash"]
    return [entry for entry in found if not kinds or entry["type"] in kinds]


def play(harness: Harness) -> str:
    return harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}))


def test_a_match_begins_its_log_as_its_chance_is_fixed(harness: Harness) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Table", {}), ALICE)
    (genesis,) = entries(harness, uid)
    assert (
        genesis["type"] == "genesis"
        and genesis["body"]["match"] == uid
        and set(genesis["body"]["anchors"]) == {"public", "hidden"}
    )


def test_each_phase_has_an_opening_a_close_and_a_result(harness: Harness) -> None:
    uid = play(harness)
    harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    told = [(entry["type"], entry["body"].get("phase")) for entry in entries(harness, uid)]
    assert told == [
        ("genesis", None),
        ("open", 0),
        ("close", 0),
        ("result", 0),
        ("open", 1),
        ("close", 1),
        ("result", 1),
        ("open", 2),
    ]


def test_a_close_commits_to_the_orders_and_its_result_opens_them(harness: Harness) -> None:
    uid = play(harness)
    for who, text in ((ALICE, "B1"), (ALICE, "B3"), (BOB, "B2")):
        harness.order(uid, who, text)
    harness.later(hours=80)
    assert harness.close(uid)
    close, result = (
        entries(harness, uid, "close")[-1]["body"],
        entries(harness, uid, "result")[-1]["body"],
    )
    assert [leaf["kind"] for leaf in close["leaves"]] == ["sealed", "sealed", "silent"] and close[
        "why"
    ] == "deadline"
    assert close["root"] == root([jcs(leaf) for leaf in close["leaves"]])
    assert [each["orders"] for each in result["openings"]] == ["B3", "B2"] and close["leaves"][0][
        "seq"
    ] == 2
    for leaf, opening in zip(close["leaves"], result["openings"], strict=False):
        assert H("commit", {"match": uid, **opening}).hex() == leaf["commitment"]
    assert [each["seat"] for each in result["orders"]] == ["3"], (
        "what a silent seat played is public"
    )


def root(leaves: list[bytes]) -> str:
    """Compute the tree hash of three leaves as RFC 6962 does."""
    one, two, three = (hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves)
    return hashlib.sha256(b"\1" + hashlib.sha256(b"\1" + one + two).digest() + three).hexdigest()


def test_the_public_element_of_each_phase_leads_to_the_anchor(harness: Harness) -> None:
    uid = play(harness)
    harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    anchor = entries(harness, uid, "genesis")[0]["body"]["anchors"]["public"]
    for result in entries(harness, uid, "result"):
        value = bytes.fromhex(result["body"]["public"])
        for _ in range(result["body"]["phase"] + 1):
            value = H("seed", value)
        assert value.hex() == anchor


@pytest.mark.parametrize("key", [each.about.key for each in catalogue.every_game()])
def test_a_stopped_match_of_each_game_opens_everything_that_counted(
    harness: Harness, key: str
) -> None:
    fewest = min(catalogue.game(key).about.seats)
    uid = harness.match(
        ALICE, BOB, wish=Wish(key, "Table", {}, players=fewest, house=fewest - 2, seating="order")
    )
    for _ in range(2):
        harness.later(hours=80)
        assert harness.close(uid)
    masters.end_match(harness.database, uid, None, "It is late", now=harness.now)
    assert harness.close(uid)
    found = entries(harness, uid)
    assert [entry["type"] for entry in found[-2:]] == ["audit", "end"]
    audit, bodies = (
        found[-2]["body"],
        {(each["type"], each["body"].get("phase")): each["body"] for each in found},
    )
    states = {
        number: body["state"]
        for (kind, number), body in bodies.items()
        if kind == "result" and body["state"]
    }
    states |= {
        each["phase"]: {"state": each["state"], "nonce": each["nonce"]} for each in audit["states"]
    }
    for (kind, number), body in bodies.items():
        if kind == "open" and number:
            assert (
                H("state", {"match": uid, "phase": number, **states[number]}).hex() == body["state"]
            )
    for stream, anchor in found[0]["body"]["anchors"].items():
        value = bytes.fromhex(audit["chains"][stream])
        for _ in range(CHAIN_LENGTH):
            value = H("seed", value)
        assert value.hex() == anchor


# --- receipts


def test_the_receipts_of_a_tenure_are_a_chain_that_a_close_commits_to(harness: Harness) -> None:
    uid = play(harness)
    for text in ("B1", "nonsense", "B3"):
        harness.order(uid, ALICE, text)
    receipts.sign_receipts(harness.database, harness.keyring)
    harness.order(uid, ALICE, "B2")
    harness.round(uid, [(BOB, "B2"), (CHARLIE, "W2")])
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        own = session.exec(
            select(Receipt)
            .where(Receipt.match_id == match.id, Receipt.seat == "1")
            .order_by(col(Receipt.id))
        ).all()
        phase = session.exec(
            select(PhaseRow).where(PhaseRow.match_id == match.id, PhaseRow.number == 1)
        ).one()
        opened, *_ = opened_receipts(harness.keyring, match, [phase])
        bodies = [signed_body(each, uid) for each in own]
        hashes = [hash_receipt(each, uid) for each in own]
    before = "0" * 64
    for body, hashed in zip(bodies, hashes, strict=True):
        assert body["prev"] == before
        before = H("receipt", body).hex()
        assert hashed.hex() == before
    assert (opened["count"], opened["head"]) == (4, before)
    close = entries(harness, uid, "close")[-1]["body"]
    assert close["receipts"][0] == {
        "seat": "1",
        "receipts": H("receipts", {"match": uid, **opened}).hex(),
    }


def test_a_kept_hash_depends_on_all_that_a_receipt_says(harness: Harness) -> None:
    uid = play(harness)
    harness.order(uid, ALICE, "B1")
    with harness.database.write_tx() as session:
        receipt = session.exec(select(Receipt).order_by(col(Receipt.id).desc())).first()
        assert receipt is not None
        ((part, commitment),) = receipt.commitments
        assert part == 0
        hashed = {hash_receipt(receipt, uid)}
        changes: dict[str, Any] = {
            "phase_number": 9,
            "seat": "9",
            "seq": 99,
            "prev": "22" * 32,
            "tenure": 2,  # covered with what is before
            "channel": "letter",
            "at": receipt.at + timedelta(seconds=1),
            "disposition": "late",
            "head": "11" * 32,
        }
        for column, value in ({"commitments": [[False, commitment]]} | changes).items():
            vars(receipt)[column] = value
            assert hash_receipt(receipt, uid) == H("receipt", signed_body(receipt, uid)), column
            hashed.add(hash_receipt(receipt, uid))
        assert len(hashed) == len(changes) + 2


# --- what changes between phases


def test_deadlines_and_masters_acts_are_logged_without_names(harness: Harness) -> None:
    uid = play(harness)
    masters.move_deadline(
        harness.database, uid, harness.player(ALICE), harness.now.replace(day=5), now=harness.now
    )
    assert log_changes(harness.database, harness.keyring, uid, now=harness.now)
    (deadline,), (act,) = entries(harness, uid, "deadline"), entries(harness, uid, "master")
    assert (
        deadline["body"]["deadline"] == "2026-11-05T12:00:00.000Z" and act["body"]["by"] == "master"
    )
    assert "Alice" not in str(act) and not log_changes(
        harness.database, harness.keyring, uid, now=harness.now
    )


def test_a_match_from_before_logs_goes_on_and_says_so(harness: Harness) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Table", {}, house=2), ALICE)
    forget_logs(harness.database, harness.keyring)
    assert harness.start_match(uid)
    harness.order(uid, ALICE, "B3")
    harness.later(hours=80)
    assert harness.close(uid)
    with pytest.raises(NotNow, match="from before there were logs"):
        bundle(harness, uid)


# --- rows that somebody else wrote


def alter(harness: Harness, uid: str, what: str) -> None:
    with harness.database.write_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        phase = session.exec(
            select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))
        ).one()
        if what == "state":
            phase.before = {**dict(phase.before), "round": 7}  # type: ignore[call-overload]  # JSON
        elif what == "key":
            private, public = crypto.new_pair()
            phase.public_key, phase.wrapped_key = (
                public,
                harness.keyring.wrap(private, bound_to=b"phase"),
            )
        elif what == "public key":
            phase.public_key = crypto.new_pair()[1]
        elif what == "envelope":
            session.delete(
                session.exec(
                    select(Envelope)
                    .where(Envelope.phase_id == phase.id)
                    .order_by(col(Envelope.id).desc())
                ).first()
            )
        elif what == "receipt":
            receipt = session.exec(
                select(Receipt).where(Receipt.match_id == match.id).order_by(col(Receipt.id).desc())
            ).first()
            assert receipt is not None
            receipt.disposition = "refused"
        elif what == "log":
            row = session.exec(
                select(LogEntry)
                .where(LogEntry.match_id == match.id)
                .order_by(col(LogEntry.index).desc())
            ).first()
            assert row is not None
            row.body = {**row.body, "deadline": None}
        elif what == "chance":  # as anybody can seal it
            other = MatchChains.fresh(b"1" * 32, b"2" * 32)
            match.anchors = other.anchors
            match.wrapped_chains = harness.keyring.wrap(
                b"1" * 32 + b"2" * 32, bound_to=f"chains:{uid}".encode()
            )


@pytest.mark.parametrize(
    "what", ["state", "key", "public key", "envelope", "receipt", "log", "chance"]
)
def test_a_closing_refuses_rows_that_differ_from_the_log(harness: Harness, what: str) -> None:
    uid = play(harness)
    harness.order(uid, ALICE, "B1")
    harness.order(uid, ALICE, "B3")
    receipts.sign_receipts(harness.database, harness.keyring)
    alter(harness, uid, what)
    harness.later(hours=80)
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    page = harness.page(uid, ALICE)
    assert page.card.status == "stuck"
    (told,) = [entry for entry in bundle(harness, uid)["entries"] if entry["type"] == "tampering"]
    kind = {"public key": "key"}.get(what, what)
    assert told["body"]["kind"] == kind and told["body"]["count"] == 1


def test_nothing_is_sealed_to_a_key_that_the_worker_did_not_sign(harness: Harness) -> None:
    uid = play(harness)
    alter(harness, uid, "public key")
    with pytest.raises(NotNow, match="does not bear this service’s signature"):
        harness.order(uid, ALICE, "B3")


def test_a_new_tenure_is_logged_by_a_hash_that_its_player_can_open(harness: Harness) -> None:
    uid = play(harness)
    with harness.database.read_tx() as session:
        (seat,) = [each for each in session.exec(select(Seat)) if each.name == "1"]
    assert seat.tenure_nonce is not None
    told = entries(harness, uid, "open")[0]["body"]["tenures"][0]
    who = harness.keyring.authenticate("who", "alice@example.org").hex()
    assert (
        told["tenure"]
        == H(
            "tenure", {"match": uid, "seat": "1", "n": 1, "who": who, "nonce": seat.tenure_nonce}
        ).hex()
    )
