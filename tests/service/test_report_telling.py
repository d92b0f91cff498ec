"""What a report says is worked out as its letter is claimed: from the rows of its phases, and from
what its closing stored.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, col, select

from adjudicator.core.game import AnyGame
from adjudicator.service.base import state
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import lock_by_uid
from adjudicator.service.base.tables import Letter, PhaseRow, Player
from adjudicator.service.letters import kinds, outbox
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.notes import SERVICE, add_note
from adjudicator.service.posting import claims, report_telling
from adjudicator.service.posting.match_notes import ToldNote, tell_notes
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness


def newest(session: Session, who: str) -> Letter:
    wanted = (
        select(Letter)
        .where(Letter.kind == "report", Letter.address == address(who))
        .order_by(col(Letter.id).desc())
    )
    return session.exec(wanted).first()  # type: ignore[return-value]  # there is one


def stored(harness: Harness, who: str) -> dict[str, Any]:
    """Return what is stored of a player's newest report."""
    with harness.database.read_tx() as session:
        letter = newest(session, who)
    content: dict[str, Any] = json.loads(
        harness.keyring.unwrap(letter.context or b"", bound_to=outbox.bound_to(letter.uid))
    )
    return content


def store(harness: Harness, who: str, content: dict[str, Any]) -> None:
    with harness.database.write_tx() as session:
        letter = newest(session, who)
        letter.context = harness.keyring.wrap(
            json.dumps(content).encode(), bound_to=outbox.bound_to(letter.uid)
        )


def claim(harness: Harness, who: str) -> LetterToSend | None:
    """Claim a player's newest report, and end its lease."""
    with harness.database.read_tx() as session:
        letter = newest(session, who)
    claimed = claims.claim_letters(harness.database, harness.keyring, [letter.id or 0], harness.now)
    if not claimed:
        return None
    outbox.give_back(harness.database, claimed, harness.now)
    return claimed[0]


def begin(harness: Harness) -> str:
    uid = harness.match(ALICE, BOB, CHARLIE)
    harness.later(minutes=1)
    harness.round(uid, [(ALICE, "B3"), (BOB, "W3"), (CHARLIE, "C2")])
    return uid


def test_a_closing_stores_no_story_no_board_and_no_choices(harness: Harness) -> None:
    begin(harness)
    content = stored(harness, ALICE)
    assert not {"sections", "board", "view"} & set(content) and "slots" not in content["owed"]
    assert content["rows"]["told"] == [1]


def test_a_worker_of_an_older_release_sends_no_report_that_is_not_told(harness: Harness) -> None:
    begin(harness)
    with pytest.raises(ValueError, match="sections"):
        kinds.load_context("report", stored(harness, ALICE))


def test_a_report_that_an_older_release_stored_whole_is_sent_as_it_was(harness: Harness) -> None:
    begin(harness)
    told = claim(harness, ALICE)
    assert told is not None
    whole = told.context | {
        "board": "as it was stored",
        "reply_token": stored(harness, ALICE)["reply_token"],
    }
    store(harness, ALICE, whole)
    again = claim(harness, ALICE)
    assert again is not None and again.context == told.context | {"board": "as it was stored"}
    assert kinds.load_context("report", again.context).KIND == "report"


def test_a_report_whose_phase_is_gone_is_tried_again_and_shown_to_the_host(
    harness: Harness,
) -> None:
    begin(harness)
    content = stored(harness, ALICE)
    store(harness, ALICE, content | {"rows": content["rows"] | {"told": [1, 7]}})
    assert claim(harness, ALICE) is None
    assert claim(harness, BOB) is not None, "it keeps no other letter"
    with harness.database.read_tx() as session:
        letter = newest(session, ALICE)
    assert (
        letter.state == "waiting" and letter.next_try > harness.now and letter.context is not None
    )
    assert letter.trouble == "what the letter says could not be worked out: PhaseMissing"
    store(harness, ALICE, content)
    harness.later(minutes=1)
    assert claim(harness, ALICE) is not None


@pytest.mark.parametrize(
    "column", ["name", "before", "after", "events", "taken", "due", "closed_at", "why"]
)
def test_a_report_tells_no_row_that_was_changed_after_it_was_written(
    harness: Harness, column: str
) -> None:
    begin(harness)
    number = 2 if column == "before" else 1
    with harness.database.write_tx() as session:
        row = session.exec(select(PhaseRow).where(PhaseRow.number == number)).one()
        own, other = (
            getattr(row, column),
            session.exec(select(PhaseRow).where(PhaseRow.number == 0)).one(),
        )
        assert getattr(other, column) != own
        setattr(row, column, getattr(other, column))
    assert claim(harness, ALICE) is None
    with harness.database.write_tx() as session:
        assert (
            newest(session, ALICE).trouble
            == "what the letter says could not be worked out: PhaseChanged"
        )
        setattr(session.exec(select(PhaseRow).where(PhaseRow.number == number)).one(), column, own)
    harness.later(minutes=1)
    assert claim(harness, ALICE) is not None, "it is told as it was"


def test_a_report_that_nobody_can_read_keeps_no_other_letter(harness: Harness) -> None:
    begin(harness)
    store(harness, ALICE, stored(harness, ALICE) | {"rows": {"phase": "two"}})
    with harness.database.read_tx() as session:
        both = [newest(session, who).id or 0 for who in (ALICE, BOB)]
    claimed = claims.claim_letters(harness.database, harness.keyring, both, harness.now)
    assert [each.address for each in claimed] == [address(BOB)]


def test_a_report_tells_the_match_that_was_sealed_in_it_whatever_its_row_says(
    harness: Harness,
) -> None:
    uid = begin(harness)
    told = claim(harness, ALICE)
    other = harness.match(BOB, ALICE, CHARLIE)
    with harness.database.write_tx() as session:
        reports = session.exec(
            select(Letter)
            .where(Letter.kind == "report", Letter.address == address(ALICE))
            .order_by(col(Letter.id))
        ).all()
        assert [each.match_id for each in reports] == [1, 1, 2]
        reports[1].match_id = 2
        session.delete(reports[2])
    moved = claim(harness, ALICE)
    assert uid != other and told is not None and moved is not None
    assert moved.context == told.context


@pytest.mark.both_databases
def test_silent_seats_are_told_in_seat_order(harness: Harness) -> None:
    """PostgreSQL orders the keys of what it stores by their length."""
    uid = _powers(harness)
    harness.later(days=3)
    assert harness.close(uid)
    told = claim(harness, ALICE)
    assert told is not None
    silent = [
        line.split()[0]
        for line in told.context["sections"][0]["lines"]
        if "no orders in time" in line
    ]  # type: ignore[index]
    assert silent == [
        "You" if row.name == told.seat else row.name.capitalize() for row in harness.seats(uid)
    ]


def _powers(harness: Harness) -> str:
    return harness.match(
        ALICE,
        BOB,
        CHARLIE,
        "Dave",
        "Erin",
        "Frank",
        "Grace",
        wish=Wish("diplomacy", "Table", {}, house=0),
    )


def test_states_are_read_once_for_all_seats_of_a_match(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = _powers(harness)
    harness.claim_waiting()
    harness.later(days=3)
    assert harness.close(uid)
    with harness.database.read_tx() as session:
        waiting = outbox.waiting_letters(session, harness.now, urgencies=(outbox.REPORT,))[-7:]
        places = [
            (row.number, row.closed_at is None)
            for row in session.exec(select(PhaseRow).order_by(col(PhaseRow.number)))
        ]
    read = list[object]()

    def noted(game: AnyGame, plain: object) -> Any:
        read.append(plain)
        return state.load_state(game, plain)

    monkeypatch.setattr(report_telling, "load_state", noted)
    claimed = claims.claim_letters(harness.database, harness.keyring, waiting, harness.now)
    assert places == [(0, False), (1, False), (2, True)]
    assert len(claimed) == 7 and len(read) == 2, (
        "the state after the closed phase, and the one in which the next one opened"
    )


def test_reports_that_are_claimed_together_tell_each_its_own_match(harness: Harness) -> None:
    begin(harness)
    harness.round(harness.match(ALICE, BOB, CHARLIE), [(ALICE, "C2"), (BOB, "B3"), (CHARLIE, "W1")])
    with harness.database.read_tx() as session:
        waiting = outbox.waiting_letters(session, harness.now, urgencies=(outbox.REPORT,))
    alone = [contents(harness, letter) for letter in waiting]
    assert contents(harness, *waiting) == [content for (content,) in alone]
    assert len({content["board"] for (content,) in alone}) > 2, (
        "both matches went on from where they began, and differently"
    )


BEFORE = "What of this was urgent came in a letter of its own before."


def contents(harness: Harness, *letters: int) -> list[dict[str, Any]]:
    """Return what letters tell that are claimed together, and end their lease."""
    claimed = claims.claim_letters(harness.database, harness.keyring, letters, harness.now)
    outbox.give_back(harness.database, claimed, harness.now)
    return [each.context for each in claimed]


def test_public_notes_since_the_last_report_are_in_the_next_one_of_everybody_once(
    harness: Harness,
) -> None:
    uid = begin(harness)
    harness.later(minutes=1)
    with harness.database.write_tx() as session:
        match = lock_by_uid(session, uid)
        master = PlayerName(session.get_one(Player, harness.people[ALICE]))
        add_note(session, match, harness.now, master, "warned seat 2: too slow.")
        add_note(
            session,
            match,
            harness.now,
            SERVICE,
            "moved the deadline of Round 2, which a letter of its own tells",
        )
        add_note(
            session,
            match,
            harness.now,
            "the player of seat 3",
            "is back; the seat looks for nobody any more",
        )
    for who in (ALICE, BOB, CHARLIE):
        claimed = claim(harness, who)
        assert claimed is not None and claimed.context["notes"] == [], (
            "the report of the round before does not tell them"
        )
    harness.later(minutes=1)
    harness.round(uid, [(ALICE, "B2"), (BOB, "W2"), (CHARLIE, "C1")])
    for who in (ALICE, BOB, CHARLIE):
        claimed = claim(harness, who)
        told = [
            f"{ALICE} warned seat 2: too slow.",
            "The player of seat 3 is back; the seat looks for nobody any more.",
            BEFORE,
        ]
        assert claimed is not None and claimed.context["notes"] == told, who
    masters.end_match(harness.database, uid, None, "It is late", now=harness.later(minutes=1))
    assert harness.close(uid)
    last = claim(harness, BOB)
    assert last is not None and [note for note in last.context["notes"] if "warned" in note] == []


def test_of_very_many_notes_the_newest_are_told_and_the_others_counted() -> None:
    at = datetime(2026, 11, 22, tzinfo=UTC)
    notes = [ToldNote(at + timedelta(minutes=number), f"Note {number}.") for number in range(15)]
    told = tell_notes(notes, at, at + timedelta(minutes=13))
    assert told == [
        *(f"Note {number}." for number in range(4, 14)),
        "3 more notes are on the page of the match.",
        BEFORE,
    ]
    assert BEFORE not in tell_notes(notes, None, None), "who is new had no letters of them"
