"""Announcements of the host: who gets them, once each, and what a letter says."""

import pytest

from adjudicator.platform import wakeups
from adjudicator.platform.db import Database
from adjudicator.service.base import rows
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Player, Seat, Stranger
from adjudicator.service.erasure import erasing
from adjudicator.service.letters import announcing, outbox
from adjudicator.service.letters.announcing import Announcement, write_announcement
from adjudicator.service.letters.suppression import address_hash
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import block_list
from adjudicator.service.tournaments import entering
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.service.tournament_play import DIRECTOR, entered
from worker.sweep import find_due_work

EVE, MALLORY = "eve@example.org", "mallory@evil.example"


def readers(harness: Harness, told: Announcement) -> set[str]:
    """Return the names of those who would get it."""
    with harness.database.read_tx() as session:
        names = {number: name for name, number in harness.people.items()}
        return {names[each] for each in announcing.list_readers(session, told)}


def change(harness: Harness, who: str, **values: object) -> None:
    """Change a player's row."""
    with harness.database.write_tx() as session:
        row = session.get_one(Player, harness.player(who))
        for name, value in values.items():
            setattr(row, name, value)


def test_players_who_are_reached_and_want_letters_get_it(harness: Harness) -> None:
    harness.match(ALICE, BOB)
    harness.prepare_match(Wish("pyramid", "Later", {}), EVE)
    told = {
        running: write_announcement("We move", "On Saturday.", running=running)
        for running in (False, True)
    }
    harness.player("Guest", guest=True)
    assert readers(harness, told[False]) == {ALICE, BOB, EVE} and readers(harness, told[True]) == {
        ALICE,
        BOB,
    }
    cases: dict[str, dict[str, object]] = {
        "stopped": {"letters": False},
        "returned": {"bounced_at": harness.now},
    }
    for who, values in cases.items():
        change(harness, who, **values)
    harness.player(MALLORY)
    block_list.block_address(harness.database, "evil.example", now=harness.now)
    harness.player("never")
    with harness.database.write_tx() as session:
        session.add(
            Stranger(
                address_hash=address_hash(address("never")),
                made_at=harness.now,
                never_at=harness.now,
            )
        )
    erasing.erase_player(harness.database, harness.player("gone"), now=harness.now)
    assert readers(harness, told[False]) == {ALICE, BOB, EVE}


def test_who_runs_a_match_and_who_lent_a_seat_play_too(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB)
    seat = next(each for each in harness.seats(uid) if each.player_id == harness.people[BOB])
    substitute, master = harness.player(CHARLIE), harness.player(EVE)
    with harness.database.write_tx() as session:
        lent = session.get_one(Seat, seat.id)
        lent.owner_id, lent.player_id = lent.player_id, substitute
        rows.by_uid(session, uid).master_id = master
    assert readers(harness, write_announcement("We move", "On Saturday.", running=True)) == {
        ALICE,
        BOB,
        CHARLIE,
        EVE,
    }


def test_between_two_rounds_who_takes_part_in_a_tournament_or_directs_it_plays_too(
    harness: Harness,
) -> None:
    uid, told = entered(harness, ALICE, BOB), write_announcement("We move", "Soon.", running=True)
    assert readers(harness, told) == set(), "it has not begun"
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    assert readers(harness, told) == {ALICE, BOB, DIRECTOR}, "no match is running"
    entering.leave(harness.database, uid, harness.player(BOB), now=harness.now)
    assert readers(harness, told) == {ALICE, DIRECTOR}


def test_nobody_gets_it_twice_however_often_it_was_cut_short(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [harness.player(f"player {n}") for n in range(5)]
    told = write_announcement("We move", "On Saturday.", running=False)
    monkeypatch.setattr(announcing, "AT_ONCE", 2)
    put, calls = announcing._put, list[int]()

    def fail_at_the_second(database: Database, *rest: object) -> int:
        calls.append(1)
        if len(calls) == 2:
            raise ConnectionError
        return put(database, *rest)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(announcing, "_put", fail_at_the_second)
    with pytest.raises(ConnectionError):
        announcing.announce(harness.database, told, now=harness.now)
    assert announcing.announce(harness.database, told, now=harness.now) == 3
    assert announcing.announce(harness.database, told, now=harness.now) == 0
    again = write_announcement("We move", "On Sunday.", running=False)
    assert announcing.announce(harness.database, again, now=harness.now) == len(people)
    with harness.database.read_tx() as session:
        assert len(outbox.waiting_letters(session, harness.now, urgencies=(outbox.BULK,))) == 10
        assert not outbox.waiting_letters(
            session, harness.now, urgencies=(*outbox.SOON, outbox.REPORT)
        ), "they delay no other letter"
        assert (wakeups.REPORTS, True) in find_due_work(session, harness.now).queues


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("", "On Saturday."),
        ("We move", " \n "),
        ("x" * 151, "On Saturday."),
        ("We move", "x" * 20_001),
    ],
)
def test_what_is_no_announcement_is_refused(title: str, text: str) -> None:
    with pytest.raises(Refused):
        write_announcement(title, text, running=False)


def test_paragraphs_stand_apart_by_empty_lines() -> None:
    told = write_announcement("  We\nmove ", "One,\n two.\n\n\nThree.\n", running=False)
    assert (told.title, told.paragraphs) == ("We move", (("One,", "two."), ("Three.",)))
