"""The archive's rows: one for each ended public match, none for private ones, and figures that
count each match once.
"""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, SQLModel, select

from adjudicator import catalogue
from adjudicator.service.archive import entries, guests, openings, tallies
from adjudicator.service.base.errors import Gone, NotFound
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import (
    ArchivedMatch,
    ArchivedSeat,
    ArchiveOpening,
    ArchiveTally,
    FormerTenure,
    Match,
    PhaseRow,
    Player,
    Seat,
    all_tables,
)
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import concessions
from adjudicator.service.starting import expiry, privacy
from tests.cast import ALICE, BOB, PLAYERS, address
from tests.harness import Harness
from tests.service.acting import propose, vote
from tests.service.test_again import played

ORDERS = {
    "AUSTRIA": "A Vie - Gal, A Bud - Ser, F Tri - Alb",
    "ENGLAND": "F Lon - Nth, F Edi - Nwg, A Lvp - Yor",
    "FRANCE": "F Bre - Mao, A Par - Bur, A Mar - Spa",
    "GERMANY": "F Kie - Den, A Ber - Kie, A Mun - Ruh",
    "ITALY": "A Ven - Apu, A Rom - Ven, F Nap - Ion",
    "RUSSIA": "A Mos - Ukr, A War - Gal, F Sev - Bla, F Stp - Bot",
    "TURKEY": "A Con - Bul, A Smy - Con, F Ank - Con",
}


def archive_all(harness: Harness) -> list[str]:
    """Do what the sweep finds; return the matches that went into the archive."""
    with harness.database.read_tx() as session:
        found = entries.to_archive(session, most=100)
    return [uid for uid in found if entries.archive_match(harness.database, uid)]


def rows(harness: Harness, table: type[SQLModel]) -> list[Any]:
    with harness.database.read_tx() as session:
        return list(session.exec(select(table)))


def end(harness: Harness, uid: str) -> str:
    """End a match as it stands, as the host does."""
    masters.end_match(harness.database, uid, None, "It is late", now=harness.now)
    assert harness.close(uid)
    return uid


def diplomacy(harness: Harness, **changes: Any) -> str:
    """Play the Spring of 1901 with the orders of the three players, and end the match."""
    uid = harness.match(
        *PLAYERS, wish=Wish("diplomacy", "The Map", {}, **({"house": 4, "players": 7} | changes))
    )
    seats = {seat.player_id: seat.name for seat in harness.seats(uid)}
    for name in PLAYERS:
        seat = seats[harness.people[name]]
        harness.order(uid, name, ORDERS[seat].replace(", ", "\n"))
    harness.later(hours=60)
    assert harness.close(uid)
    return end(harness, uid)


def test_an_ended_match_is_put_into_the_archive_once(harness: Harness) -> None:
    uid, running = played(harness, *PLAYERS), harness.match(*PLAYERS)
    assert archive_all(harness) == [uid] and archive_all(harness) == []
    assert not entries.archive_match(harness.database, uid) and not entries.archive_match(
        harness.database, running
    )
    (entry,) = rows(harness, ArchivedMatch)
    assert (entry.game, entry.phases, entry.result, entry.winner) == ("pyramid", 9, "shared", None)
    assert (
        entry.people
        and entry.lot is not None
        and entry.tournament_id is None
        and not entry.imported
    )
    people = {seat.seat: seat.player_id for seat in rows(harness, ArchivedSeat)}
    assert people == {seat.name: seat.player_id for seat in harness.seats(uid)}
    assert {(row.kind, row.label, row.matches) for row in rows(harness, ArchiveTally)} == {
        ("result", "shared", 1),
        ("length", "", 1),
        ("seat", "1", 1),
        ("seat", "2", 1),
        ("seat", "3", 1),
    }


def test_a_match_with_a_result_in_its_first_phase_is_archived_and_no_classic(
    harness: Harness,
) -> None:
    conceded, drawn, ended = (
        harness.match(ALICE, BOB, wish=Wish("genesis", "Matter", {}, players=2)) for _ in range(3)
    )
    concessions.concede(harness.database, conceded, harness.player(BOB), now=harness.now)
    vote(harness, drawn, BOB, propose(harness, drawn, ALICE, "draw"))
    assert harness.close(conceded) and harness.close(drawn)
    end(harness, ended)
    assert set(archive_all(harness)) == {
        conceded,
        drawn,
    }, "one that was stopped in its first phase has nothing to show"
    found = rows(harness, ArchivedMatch)
    assert sorted((entry.phases, entry.result, entry.lot) for entry in found) == [
        (0, "shared", None),
        (0, "won", None),
    ]


def test_equal_first_orders_are_one_opening_whatever_their_order_and_spelling(
    harness: Harness,
) -> None:
    uid = diplomacy(harness)
    assert archive_all(harness) == [uid]
    own = {seat.seat: seat.opening for seat in rows(harness, ArchivedSeat) if seat.opening}
    seats = {seat.name for seat in harness.seats(uid) if seat.player_id in harness.people.values()}
    for seat in seats:
        swapped = "; ".join(reversed(ORDERS[seat].lower().split(", ")))
        assert own[seat] in openings.read_opening("diplomacy", swapped), seat
    assert set(own) == seats and len(seats) == 3, (
        "a seat that gave its default, as a house bot did here, has none"
    )
    assert {row.key for row in rows(harness, ArchiveOpening)} == set(own.values())


def test_a_private_match_is_in_no_row_and_no_figure(harness: Harness) -> None:
    uid = harness.match(
        ALICE,
        BOB,
        wish=Wish("pyramid", "Hidden", {}, house=1, private=True, invited=(address(BOB),)),
    )
    end(harness, uid)
    assert archive_all(harness) == [] and not entries.archive_match(harness.database, uid)
    for table in (ArchivedMatch, ArchivedSeat, ArchiveTally, ArchiveOpening):
        assert rows(harness, table) == []
    privacy.publish_match(harness.database, uid, harness.player(ALICE), now=harness.now)
    assert archive_all(harness) == [], "not everybody has agreed"
    privacy.publish_match(harness.database, uid, harness.player(BOB), now=harness.now)
    assert archive_all(harness) == []
    assert rows(harness, Match)[0].archived, "no phase was played in it"


def test_a_private_match_that_everybody_opens_is_archived_then(harness: Harness) -> None:
    uid = played(harness, ALICE, BOB, private=True, invited=(address(BOB),))
    assert archive_all(harness) == []
    for name in (ALICE, BOB):
        privacy.publish_match(harness.database, uid, harness.player(name), now=harness.now)
    assert archive_all(harness) == [uid]


def test_matches_of_guests_against_bots_leave_the_archive_and_are_in_no_figure(
    harness: Harness,
) -> None:
    harness.player("Guest", guest=True)
    people, uid = played(harness, ALICE), played(harness, "Guest")
    assert sorted(archive_all(harness)) == sorted([uid, people])
    assert tallied(harness, "pyramid") == 1
    assert entries.erase_guests(harness.database, harness.now + timedelta(days=89)) == 0
    assert entries.erase_guests(harness.database, harness.later(days=91)) == 1
    assert [row.people for row in rows(harness, ArchivedMatch)] == [True] and archive_all(
        harness
    ) == []
    assert len(rows(harness, ArchivedSeat)) == 3 and tallied(harness, "pyramid") == 1


def old_guest_match(harness: Harness, **wish: Any) -> str:
    """Return the public name of a match of a guest against bots that ended 91 days ago."""
    harness.player("Guest", guest=True)
    uid = played(harness, "Guest", **wish)
    archive_all(harness)
    harness.later(days=91)
    entries.erase_guests(harness.database, harness.now)
    return uid


@pytest.mark.parametrize("private", [False, True])
def test_a_match_of_guests_is_erased_with_every_row_and_leaves_its_address(
    harness: Harness, private: bool
) -> None:
    kept = played(harness, ALICE, BOB)
    uid = old_guest_match(harness, private=private)
    gone = next(match.id for match in rows(harness, Match) if match.uid == uid)
    assert guests.erase_matches(harness.database, harness.now - timedelta(days=2)) == 0, (
        "not before its 90 days"
    )
    assert (
        guests.erase_matches(harness.database, harness.now) == 1
        and guests.erase_matches(harness.database, harness.now) == 0
    )
    assert [match.uid for match in rows(harness, Match)] == [kept] and rows(harness, PhaseRow)
    for table in all_tables().sorted_tables:
        with harness.database.read_tx() as session:
            for found in session.execute(table.select()).mappings():
                assert (
                    found.get("match_id") != gone and uid not in map(str, found.values())
                ) or table.name == "gonematch", table.name
    with harness.database.read_tx() as session, pytest.raises(NotFound if private else Gone):
        by_uid(session, uid)


@pytest.mark.parametrize("keeps", ["address", "master", "tenure", "erased"])
def test_a_match_that_a_person_has_to_do_with_stays(harness: Harness, keeps: str) -> None:
    uid, person = old_guest_match(harness), harness.player(ALICE)
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        seat = session.exec(
            select(Seat).where(Seat.match_id == match.id, Seat.player_id == harness.people["Guest"])
        ).one()
        if keeps == "address":
            session.get_one(Player, seat.player_id).address = "guest@example.org"
        elif keeps == "erased":
            session.get_one(Player, seat.player_id).erased_at = harness.now
        elif keeps == "master":
            match.master_id = person
        else:
            session.add(
                FormerTenure(
                    match_id=match.id or 0,
                    seat_id=seat.id or 0,
                    seat=seat.name,
                    number=1,
                    player_id=person,
                    until=harness.now,
                    why="left",
                    token_hash="h",
                )
            )
    assert guests.erase_matches(harness.database, harness.now) == 0


def test_an_anonymous_match_of_guests_is_erased_and_one_of_people_stays(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    uids = [played(harness, "Guest"), played(harness, ALICE)]
    with harness.database.write_tx() as session:
        for uid in uids:
            match = by_uid(session, uid)
            match.options, match.with_people = {**match.options, ANONYMOUS: True}, True
    harness.later(days=91)
    assert guests.erase_matches(harness.database, harness.now) == 1
    assert [match.uid for match in rows(harness, Match)] == uids[1:]


def test_a_match_of_guests_that_expired_is_erased_and_one_of_people_stays(harness: Harness) -> None:
    for who in ("Guest", ALICE):
        harness.player(who, guest=who == "Guest")
        harness.prepare_match(Wish("pyramid", who, {}, expire_days=10), who)
    harness.later(days=10)
    for match in rows(harness, Match):
        assert expiry.expire_match(harness.database, match.uid, now=harness.now)
    assert guests.erase_matches(harness.database, harness.later(days=89)) == 0
    assert guests.erase_matches(harness.database, harness.later(days=2)) == 1
    assert [match.name for match in rows(harness, Match)] == [ALICE]


def test_a_match_that_cannot_be_erased_keeps_no_other(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.player("Guest", guest=True)
    broken, _ = played(harness, "Guest"), played(harness, "Guest")
    number, erase_rows = (
        next(match.id for match in rows(harness, Match) if match.uid == broken),
        guests._erase_rows,
    )

    def erase(session: Session, match_id: int) -> None:
        erase_rows(session, match_id)
        if match_id == number:
            raise ValueError("damaged")

    harness.later(days=91)
    with monkeypatch.context() as patched:
        patched.setattr(guests, "_erase_rows", erase)
        with pytest.raises(ValueError, match="damaged"):
            guests.erase_matches(harness.database, harness.now, cut_short=(ValueError,))
        assert len(rows(harness, Match)) == 2
        with pytest.raises(ValueError, match="damaged") as told:
            guests.erase_matches(harness.database, harness.now)
        assert told.value.__notes__ == [f"while match {broken} was erased"]
    assert [match.uid for match in rows(harness, Match)] == [broken]
    assert guests.erase_matches(harness.database, harness.now) == 1


def test_the_rows_of_a_match_are_found_by_indexes(sqlite_url: str) -> None:
    """Whoever erases a match may not read all letters: neither for its own rows nor for those that
    refer to them.
    """
    with Harness(sqlite_url) as harness, harness.database.read_tx() as session:
        for table in all_tables().sorted_tables:
            for refers in guests._referring(table, 1):
                asked = select(table.c[next(iter(table.primary_key.columns)).name]).where(refers)
                said = asked.compile(session.get_bind(), compile_kwargs={"literal_binds": True})
                plan = [
                    row[3]
                    for row in session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {said}")
                ]
                assert not [step for step in plan if step.startswith("SCAN")], (table.name, plan)


def tallied(harness: Harness, game: str) -> int:
    with harness.database.read_tx() as session:
        return tallies.count_matches(session, game)


def statistics(session: Session, game: str) -> tallies.Statistics:
    return tallies.read_statistics(session, game, max(catalogue.game(game).about.seats.items())[1])


def test_statistics_add_up_whatever_the_order(harness: Harness) -> None:
    for _ in range(2):
        diplomacy(harness)
    played(harness, ALICE, BOB)
    archive_all(harness)
    with harness.database.read_tx() as session:
        told, other = statistics(session, "diplomacy"), statistics(session, "pyramid")
        assert (told.matches, told.results, other.matches) == (2, {"stopped": 2}, 1)
        assert list(told.seats) == list(catalogue.game("diplomacy").about.seats[7])
        assert all(share == tallies.SeatShare(2, 0, 0) for share in told.seats.values()), (
            "a stopped match is nobody's result"
        )
        assert told.lengths == {0: 2} and told.centres == {}, "no year is over"
        assert sum(share.shared + share.won for share in other.seats.values()) >= 1
        for seat in catalogue.game("diplomacy").about.seats[7]:
            for opening in tallies.read_openings(session, "diplomacy", seat):
                assert tallies.find_opening(session, "diplomacy", seat, opening.key) == opening


def test_a_game_with_fewer_seats_than_it_has_counts_no_opening(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, wish=Wish("diplomacy", "The Map", {}, players=2))
    harness.order(uid, ALICE, "A Lvp - Yor")
    harness.later(hours=60)
    harness.close(uid)
    end(harness, uid)
    assert archive_all(harness) == [uid] and rows(harness, ArchiveOpening) == []


@pytest.mark.parametrize("text", ["", "\0", "F Lon - Nth\n" * 500, "Ж" * 2000, "; , ;"])
def test_any_text_may_be_asked_for_as_an_opening(text: str) -> None:
    for game in catalogue.every_game():
        assert len(openings.read_opening(game.about.key, text)) == max(game.about.seats)
