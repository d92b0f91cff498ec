"""A guest who proves a known address: what goes over to the player, and what stays."""

from datetime import date
from typing import Any

from sqlmodel import select

from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import (
    Absence,
    FormerTenure,
    MasterNote,
    Mute,
    Offer,
    PressRead,
    PushBrowser,
    QueueEntry,
    Seat,
    TournamentDirector,
    TournamentEntry,
    all_tables,
)
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import merging
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.references import MASTER, of_master
from adjudicator.service.tournaments import entering, records
from tests.cast import ALICE, BOB
from tests.harness import Harness
from tests.service.tournament_play import entered

GUEST = "Guest"
# they name a player without a foreign key
WITHOUT_KEY = {"seat.owner_id", "offer.asker_id", "match.named_after", "tournament.named_after"}


def merge(harness: Harness) -> None:
    """Let Alice prove that she is the guest."""
    with harness.database.write_tx() as session:
        merging.hand_over(session, harness.player(GUEST, guest=True), harness.player(ALICE))


def add(harness: Harness, *rows: Any) -> None:
    with harness.database.write_tx() as session:
        session.add_all(rows)


def owners(harness: Harness, column: Any) -> list[str]:
    """Return whose the rows are by this column, in the order of their ids."""
    names = {player: name for name, player in harness.people.items()}
    with harness.database.read_tx() as session:
        return [
            names[each]
            for each in session.exec(select(column).order_by(column.class_.id))
            if each in names
        ]


def match_id(harness: Harness, uid: str) -> int:
    with harness.database.read_tx() as session:
        return by_uid(session, uid).id or 0


def test_every_column_that_names_a_player_goes_over_or_is_left_on_purpose() -> None:
    named = {
        f"{table.name}.{column.name}"
        for table in all_tables().sorted_tables
        for column in table.columns
        if column.name == "player_id"
        or any(key.column.table.name == "player" for key in column.foreign_keys)
    }
    told = [
        f"{column.class_.__tablename__}.{column.key}" for column in (*merging.MOVED, *merging.LEFT)
    ]
    assert set(told) == named | WITHOUT_KEY and len(told) == len(set(told))


def test_what_is_the_guests_goes_over_with_the_seat(harness: Harness) -> None:
    guest, alice = harness.player(GUEST, guest=True), harness.player(ALICE)
    uid = harness.match(GUEST, BOB)
    number, now, seat = (
        match_id(harness, uid),
        harness.now,
        next(each for each in harness.seats(uid) if each.player_id == guest),
    )
    add(
        harness,
        MasterNote(match_id=number, at=now, who=GUEST, player_id=guest, what="paused the match"),
        PressRead(match_id=number, player_id=guest, thread="*", until=now),
        Mute(match_id=number, player_id=guest, seat="2"),
        Absence(player_id=guest, first=date(2026, 12, 1), last=date(2026, 12, 2), made_at=now),
        FormerTenure(
            match_id=number,
            seat_id=seat.id or 0,
            seat="3",
            number=1,
            player_id=guest,
            until=now,
            why="lent",
            token_hash="h",
        ),
        Offer(
            token_hash="o",
            match_id=number,
            seat_id=seat.id or 0,
            tenure=1,
            address="d@example.org",
            asker_id=guest,
            made_at=now,
        ),
        QueueEntry(match_id=number, player_id=alice, at=now),
        PushBrowser(
            player_id=guest,
            address="https://push.example.net/1",
            public=b"",
            secret=b"",
            made_at=now,
        ),
    )
    with harness.database.write_tx() as session:
        by_uid(session, uid).published_by = [guest, harness.people[BOB]]
    merge(harness)
    for column in (
        MasterNote.player_id,
        PressRead.player_id,
        Mute.player_id,
        Absence.player_id,
        FormerTenure.player_id,
        Offer.asker_id,
    ):
        assert owners(harness, column) == [ALICE], column
    assert harness.page(uid, ALICE).seat == "1" and harness.page(uid, ALICE).is_master
    assert owners(harness, QueueEntry.player_id) == [], "who has a seat waits for none"
    assert owners(harness, PushBrowser.player_id) == [GUEST], "it may be a stranger's"
    with harness.database.read_tx() as session:
        assert by_uid(session, uid).published_by == [alice, harness.people[BOB]]


def test_rows_of_a_match_in_which_the_player_plays_stay_and_equal_ones_are_not_doubled(
    harness: Harness,
) -> None:
    guest, alice = harness.player(GUEST, guest=True), harness.player(ALICE)
    both, other = (
        match_id(harness, harness.match(ALICE, GUEST)),
        match_id(harness, harness.match(BOB)),
    )
    for number, player in ((both, guest), (other, guest), (other, alice)):
        add(harness, PressRead(match_id=number, player_id=player, thread="*", until=harness.now))
    merge(harness)
    assert owners(harness, PressRead.player_id) == [GUEST, GUEST, ALICE]
    assert sorted(owners(harness, Seat.player_id)) == [ALICE, BOB, GUEST]


def run_by_guest(harness: Harness, uid: str) -> None:
    with harness.database.write_tx() as session:
        by_uid(session, uid).master_id = harness.people[GUEST]


def agree(harness: Harness, uid: str, *agreed: str) -> None:
    """Store that these players let everybody see a private match that has ended."""
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        match.published_by, match.private, match.status = (
            [harness.people[who] for who in agreed],
            True,
            "ended",
        )


def agreed(harness: Harness, uid: str) -> list[int] | None:
    with harness.database.read_tx() as session:
        return by_uid(session, uid).published_by


def test_what_a_master_has_goes_with_the_match(harness: Harness) -> None:
    harness.player(GUEST, guest=True)
    uid = harness.match(ALICE, BOB)
    number, guest = match_id(harness, uid), harness.people[GUEST]
    run_by_guest(harness, uid)
    with harness.database.write_tx() as session:
        master_addresses.reply_address(session, by_uid(session, uid), guest)
    add(
        harness,
        MasterNote(
            match_id=number, at=harness.now, who=GUEST, player_id=guest, what="paused the match"
        ),
        PressRead(match_id=number, player_id=guest, thread="*", until=harness.now),
    )
    merge(harness)
    assert harness.page(uid, ALICE).is_master
    assert owners(harness, MasterNote.player_id) == owners(harness, PressRead.player_id) == [ALICE]
    with harness.database.read_tx() as session:
        wanted = of_master(by_uid(session, uid), harness.people[ALICE])
    secret = harness.token(wanted)
    with harness.database.read_tx() as session:
        assert master_addresses.of_secret(session, secret.removeprefix(MASTER)) is not None


def test_a_guest_who_keeps_the_seat_keeps_the_word_that_everybody_may_see_the_match(
    harness: Harness,
) -> None:
    harness.player(GUEST, guest=True)
    uid = harness.match(ALICE, GUEST)
    agree(harness, uid, GUEST)
    merge(harness)
    assert agreed(harness, uid) == [harness.people[GUEST]], "Alice has not been asked"


def test_the_word_of_a_guest_who_only_ran_a_match_goes_over(harness: Harness) -> None:
    harness.player(GUEST, guest=True), harness.player(ALICE)
    uid = harness.match(BOB)
    run_by_guest(harness, uid)
    agree(harness, uid, GUEST)
    merge(harness)
    assert agreed(harness, uid) == [harness.people[ALICE]]


def test_nobody_comes_to_read_all_press_of_an_own_match(harness: Harness) -> None:
    harness.player(GUEST, guest=True), harness.player(ALICE)
    made = [
        harness.match(ALICE, wish=Wish("pyramid", "Hers", {}, house=2)),
        harness.match(BOB, GUEST, wish=Wish("pyramid", "His", {}, house=1)),
        harness.match(GUEST, wish=Wish("pyramid", "Plain", {}, house=2)),
    ]
    with harness.database.write_tx() as session:
        for uid, master in zip(made[:2], (GUEST, ALICE), strict=True):
            match = by_uid(session, uid)
            match.master_id, match.press_overseen = harness.people[master], True
    merge(harness)
    with harness.database.read_tx() as session:
        masters = [by_uid(session, uid).master_id for uid in made]
    assert masters == [harness.people[who] for who in (GUEST, ALICE, ALICE)]
    assert owners(harness, Seat.player_id) == [ALICE, BOB, GUEST, ALICE]


def test_the_entry_of_a_guest_goes_over_but_not_into_a_tournament_whose_press_the_player_reads(
    harness: Harness,
) -> None:
    harness.player(GUEST, guest=True), harness.player(ALICE)
    plain, overseen = entered(harness), entered(harness)
    with harness.database.write_tx() as session:
        tournament = records.find_tournament(session, overseen)
        tournament.wish = {
            **tournament.wish,
            "press": {**tournament.wish["press"], "overseen": True},
        }
        directs = session.exec(
            select(TournamentDirector).where(TournamentDirector.tournament_id == tournament.id)
        ).one()
        directs.player_id = harness.people[ALICE]
    for uid in (plain, overseen):
        entering.enter(harness.database, uid, harness.people[GUEST], now=harness.now)
    merge(harness)
    assert owners(harness, TournamentEntry.player_id) == [ALICE, GUEST]
