"""The host's view of players."""

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.tables import Player
from adjudicator.service.erasure import erasing
from adjudicator.service.people import directory
from adjudicator.service.people.directory import PlayerDetails
from tests.cast import ALICE, BOB, address
from tests.harness import Harness


def found(harness: Harness, who: str) -> int:
    with harness.database.read_tx() as session:
        return directory.find_player(session, who).id


def details(harness: Harness, who: str) -> PlayerDetails:
    with harness.database.read_tx() as session:
        return directory.describe_player(session, directory.find_player(session, who))


def test_players_are_listed_and_found_by_parts_of_names_and_addresses(harness: Harness) -> None:
    harness.match(ALICE, BOB)
    guest = harness.player("100% Guest", guest=True)
    erasing.erase_player(harness.database, harness.player("Gone"), now=harness.now)
    cases = {
        "": {"Alice", "Bob", "100% Guest"},
        "LIC": {"Alice"},
        "b@example": {"Bob"},
        "%": {"100% Guest"},
        "nobody": set(),
    }
    with harness.database.read_tx() as session:
        for search, names in cases.items():
            assert {
                each.name for each in directory.list_players(session, search=search)
            } == names, search
        assert [each.id for each in directory.list_players(session, most=1)] == [guest]


def test_a_player_is_named_by_number_address_or_whole_name(harness: Harness) -> None:
    alice = harness.player(ALICE)
    for who in (str(alice), address(ALICE), address(ALICE).upper(), " Alice "):
        assert found(harness, who) == alice, who
    bob = harness.player(BOB)
    with harness.database.write_tx() as session:
        session.get_one(Player, bob).name = "Alice"
    with pytest.raises(Refused, match=f"name one by number \\({alice}, {bob}\\)"):
        found(harness, "Alice")
    harness.match(ALICE)  # with house bots
    with harness.database.read_tx() as session:
        bot = next(each.id for each in session.exec(select(Player)) if each.house)
    for who in ("Ali", "0", "99999999999", str(bot), "", "nobody@example.org"):
        with pytest.raises(NotFound):
            found(harness, who)


def test_what_is_special_about_a_player_is_told(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB)
    harness.enter("Alice")
    told = details(harness, ALICE)
    assert [each.uid for each in told.matches] == [uid] and (
        told.sessions,
        told.marks,
        told.ended,
        told.held,
    ) == (1, (), 0, 0)
    with harness.database.write_tx() as session:
        row = session.get_one(Player, harness.people[ALICE])
        row.letters, row.master, row.bounced_at, row.bounce = (
            False,
            True,
            harness.now,
            "no such user",
        )
    assert details(harness, ALICE).marks == (
        "Runs every match.",
        "Wants no letters.",
        "Letters come back: no such user.",
    )
    harness.player("Guest", guest=True)
    assert details(harness, "Guest").marks == ("This is a guest, who has no address.",)
