"""Erasing players: no table holds the name or the address afterwards, and what proves orders stays."""

from typing import Any

import pytest
from sqlalchemy import inspect, text
from sqlmodel import select

from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.tables import Player, PlayerRating, Receipt
from adjudicator.service.erasure import erasing
from adjudicator.service.handover import standbys
from adjudicator.service.matches import seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.ratings import counting
from adjudicator.service.views.records import match_record
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS, address
from tests.harness import Harness
from tests.service.changing_hands import DAVE, begin, lend, notes, pass_round, seat
from tests.service.test_ratings import count, end, figures

NAME, ADDRESS = "Zenobia Quill", "zenobia.quill@example.org"


def erase(harness: Harness, who: str) -> None:
    erasing.erase_player(harness.database, harness.people[who], now=harness.now)


def dump(harness: Harness) -> str:
    """Return all columns of all tables as text."""
    with harness.database.read_tx() as session:
        names = inspect(session.connection()).get_table_names()
        return "\n".join(f"{name}: {tuple(row)}" for name in names for row in session.execute(text(f'SELECT * FROM "{name}"')))


@pytest.fixture
def zenobia(harness: Harness) -> str:
    """A player with a bit of everything: a page, a session, links, a standby, matches of every kind and a seat kept."""
    harness.player(ADDRESS)
    wishes = AccountChanges(NAME, "Europe/Paris", receipts=True, letters=True, profile=True)
    accounts.change_account(harness.database, harness.people[ADDRESS], wishes)
    harness.enter(ADDRESS)
    sessions.ask_link(harness.database, ADDRESS, zone="UTC", next_page="/", now=harness.now)
    standbys.join_list(harness.database, harness.people[ADDRESS], now=harness.now, game="genesis")
    harness.prepare_match(Wish("pyramid", f"{NAME}’s table", {}, invited=(address(BOB),)), ADDRESS)
    harness.prepare_match(Wish("pyramid", "Kept", {}, invited=(ADDRESS,)), ALICE)
    return ADDRESS


def test_no_table_holds_the_name_or_the_address(harness: Harness, zenobia: str) -> None:
    running, ended = begin(harness, ALICE, zenobia, CHARLIE), begin(harness, zenobia, BOB, CHARLIE)
    for uid, who in ((running, ALICE), (ended, zenobia)):
        pass_round(harness, uid, who, zenobia)
    end(harness, ended)
    assert NAME in dump(harness) and ADDRESS in dump(harness)
    erase(harness, zenobia)
    left = dump(harness)
    assert NAME not in left and ADDRESS not in left and "Zenobia" not in left and "zenobia" not in left
    erase(harness, zenobia)
    assert dump(harness) == left, "again changes nothing"


def test_running_seats_are_resigned_and_history_shows_the_seats_name(harness: Harness, zenobia: str) -> None:
    running, ended = begin(harness, ALICE, zenobia, CHARLIE), begin(harness, ALICE, zenobia, CHARLIE)
    for uid in (running, ended):
        pass_round(harness, uid, ALICE, zenobia, CHARLIE)
    end(harness, ended)
    receipts = _receipts(harness)
    erase(harness, zenobia)
    found = seat(harness, running, "2")
    assert found.player_id is None and found.open_since is not None and any("resigned" in note for note in notes(harness, running))
    shown = {each.name: each.player for each in harness.page(ended).card.seats}
    assert shown == {"1": ALICE, "2": "Seat 2", "3": CHARLIE}
    assert [row.player for row in harness.page(ended).standing if row.seat == "2"] == ["Seat 2"]
    with harness.database.read_tx() as session:
        record = match_record.read_record(session, match_record.find_match(session, ended))
    assert [each["player"] for each in record["seats"]] == [ALICE, "Seat 2", CHARLIE] and _receipts(harness) == receipts


def _receipts(harness: Harness) -> list[Any]:
    with harness.database.read_tx() as session:
        return [(each.seat, each.commitments, each.signature) for each in session.exec(select(Receipt))]


def test_matches_that_gather_lose_the_player_and_the_place_kept(harness: Harness, zenobia: str) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Open", {}), ALICE, zenobia)
    erase(harness, zenobia)
    assert [each.player_id for each in harness.seats(uid)] == [harness.people[ALICE], None, None]
    seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)


def test_a_substitute_keeps_the_seat_of_who_was_erased(harness: Harness, zenobia: str) -> None:
    uid = begin(harness, zenobia, BOB, CHARLIE)
    lend(harness, uid, zenobia, DAVE, days=10)
    erase(harness, zenobia)
    found = seat(harness, uid, "1")
    assert (found.player_id, found.owner_id, found.returns_at) == (harness.player(DAVE), None, None)


def test_ratings_of_the_others_stay_and_a_loser_cannot_void_a_match(harness: Harness, zenobia: str) -> None:
    before, after = begin(harness, ALICE, BOB, zenobia), begin(harness, ALICE, BOB, zenobia)
    for uid in (before, after):
        pass_round(harness, uid, ALICE, BOB, zenobia)
    end(harness, before)
    count(harness)
    erase(harness, zenobia)
    end(harness, after)
    assert count(harness) == 1
    with harness.database.read_tx() as session:
        assert set(session.exec(select(PlayerRating.matches))) == {2}
    found = figures(harness)
    assert counting.rebuild_ratings(harness.database, "pyramid") == 2 and figures(harness) == found


def test_the_same_address_begins_a_new_account(harness: Harness, zenobia: str) -> None:
    old = harness.people.pop(zenobia)
    erasing.erase_player(harness.database, old, now=harness.now)
    assert harness.player(ADDRESS) != old
    with harness.database.read_tx() as session:
        assert session.get_one(Player, old).name == "a former player"


def test_nobody_and_house_bots_cannot_be_erased(harness: Harness) -> None:
    harness.match(*PLAYERS[:2])
    with harness.database.read_tx() as session:
        bot = session.exec(select(Player.id).where(Player.house)).first()
    for player in (bot, 10_000):
        with pytest.raises(NotFound):
            erasing.erase_player(harness.database, player or 0, now=harness.now)
