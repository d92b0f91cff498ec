"""The archive's rows: one for each ended public match, none for private ones, and figures that count each match once."""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, SQLModel, select

from adjudicator import catalogue
from adjudicator.service.archive import entries, openings, tallies
from adjudicator.service.base.tables import ArchivedMatch, ArchivedSeat, ArchiveOpening, ArchiveTally, Match
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.starting import privacy
from tests.cast import ALICE, BOB, PLAYERS, address
from tests.harness import Harness
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
    uid = harness.match(*PLAYERS, wish=Wish("diplomacy", "The Map", {}, **({"house": 4, "players": 7} | changes)))
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
    assert not entries.archive_match(harness.database, uid) and not entries.archive_match(harness.database, running)
    (entry,) = rows(harness, ArchivedMatch)
    assert (entry.game, entry.phases, entry.result, entry.winner) == ("pyramid", 9, "shared", None)
    assert entry.people and entry.lot is not None and entry.tournament_id is None and not entry.imported
    people = {seat.seat: seat.player_id for seat in rows(harness, ArchivedSeat)}
    assert people == {seat.name: seat.player_id for seat in harness.seats(uid)}
    assert {(row.kind, row.label, row.matches) for row in rows(harness, ArchiveTally)} == {
        ("result", "shared", 1), ("length", "", 1), ("seat", "1", 1), ("seat", "2", 1), ("seat", "3", 1),
    }  # fmt: skip


def test_equal_first_orders_are_one_opening_whatever_their_order_and_spelling(harness: Harness) -> None:
    uid = diplomacy(harness)
    assert archive_all(harness) == [uid]
    own = {seat.seat: seat.opening for seat in rows(harness, ArchivedSeat) if seat.opening}
    seats = {seat.name for seat in harness.seats(uid) if seat.player_id in harness.people.values()}
    for seat in seats:
        swapped = "; ".join(reversed(ORDERS[seat].lower().split(", ")))
        assert own[seat] in openings.read_opening("diplomacy", swapped), seat
    assert set(own) == seats and len(seats) == 3, "a seat that gave its default, as a house bot did here, has none"
    assert {row.key for row in rows(harness, ArchiveOpening)} == set(own.values())


def test_a_private_match_is_in_no_row_and_no_figure(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, wish=Wish("pyramid", "Hidden", {}, house=1, private=True, invited=(address(BOB),)))
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


def test_matches_of_guests_against_bots_leave_the_archive_and_are_in_no_figure(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    people, uid = played(harness, ALICE), played(harness, "Guest")
    assert sorted(archive_all(harness)) == sorted([uid, people])
    assert tallied(harness, "pyramid") == 1
    assert entries.erase_guests(harness.database, harness.now + timedelta(days=89)) == 0
    assert entries.erase_guests(harness.database, harness.later(days=91)) == 1
    assert [row.people for row in rows(harness, ArchivedMatch)] == [True] and archive_all(harness) == []
    assert len(rows(harness, ArchivedSeat)) == 3 and tallied(harness, "pyramid") == 1


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
        assert all(share == tallies.SeatShare(2, 0, 0) for share in told.seats.values()), "a stopped match is nobody's result"
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
    for game in catalogue.GAMES:
        assert len(openings.read_opening(game.about.key, text)) == max(game.about.seats)
