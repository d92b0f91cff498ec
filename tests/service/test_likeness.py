"""Names that look alike: nobody is taken for the service, a role in it, or somebody else of the
same match or tournament.
"""

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Player
from adjudicator.service.handover import takeovers
from adjudicator.service.matches import seats, waiting_list
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, likeness
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.service.test_replacing import replace

OPEN = Wish("pyramid", "Table", {})


def called(harness: Harness, who: str, name: str) -> int:
    """Return a player with a name that was chosen."""
    with harness.database.write_tx() as session:
        accounts.set_name(session, harness.player(who), name)
    return harness.player(who)


def name_of(harness: Harness, player_id: int) -> str:
    with harness.database.read_tx() as session:
        return session.get_one(Player, player_id).name


OF_THE_SERVICE = (
    "Sealed Orders",
    "sealed-orders",
    "SEALED  0RDERS",
    "Ѕеаlеd Оrdеrs",
    "Séaled Orders",
    "the Master",
    "MASTER",
    "mаster",
    "The Host",
    "the service",
    "the players",
    "a former player",
    "a player",
    "House A",
    "Greedy H",
    "Entrant 5",
    "Seat 1",
    "Player 12",
    "Еntrаnt 12",
    "Postmaster",
    "Ａｄｍｉｎ",
    "the director",
    "everybody",
    "m@ster",
    "ᴍᴀꜱᴛᴇʀ",
    "mɑster",
    "mаstег",
    "Sealed Orders Support",
    "Sеaled-Оrders team",
    "the directors",
    "Webmaster",
    "GM",
    "the G.M.",
    "Game Masters",
    "Tournament Director",
    "the adjudicator",
    "House Bot",
    "Mod",
)


def test_nobody_is_called_as_the_service_speaks_of_itself(harness: Harness) -> None:
    harness.player(ALICE)
    for name in OF_THE_SERVICE:
        with pytest.raises(Refused) as refused:
            called(harness, ALICE, name)
        assert "what this service calls itself" in str(refused.value), name


@pytest.mark.parametrize(
    "name",
    [
        "Masterson",
        "Sealed Lips",
        "Hosta",
        "Al",
        "Iris",
        "Player One",
        "Seat of Power",
        "Марина",
        "Ali",
        "Guest",
        "Sealed",
        "Maestro",
    ],
)
def test_other_names_are_taken(harness: Harness, name: str) -> None:
    assert name_of(harness, called(harness, ALICE, name)) == name


@pytest.mark.parametrize(
    ("local", "name"), [("master", "Guest"), ("sealed.orders", "Guest"), ("ann.b", "ann.b")]
)
def test_a_new_player_begins_with_no_such_name(local: str, name: str) -> None:
    assert accounts.first_name(f"{local}@example.org") == name


TWINS = [
    ("Max", "max"),
    ("Max", "Маx"),
    ("Bill", "Bi11"),
    ("Bill", "BiII"),
    ("Anna Lee", "AnnaLee"),
    ("Zoë", "Zoe"),
    ("Modern", "Modem"),
    ("Bill", "Bıӏӏ"),
    ("Hanna", "Һaппa"),
    ("Nick", "Νick"),
    ("Yan", "Υаn"),
    ("νίκος", "ΝΙΚΟΣ"),
    ("Omar", "Øмar"),
    ("Guy", "Ɡսγ"),
    ("Иван", "ИBАH"),
]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_who_looks_like_somebody_in_a_match_changes_the_name_first(
    harness: Harness, one: str, other: str
) -> None:
    called(harness, ALICE, one)
    called(harness, BOB, other)
    uid = harness.prepare_match(OPEN, ALICE)
    with pytest.raises(Refused, match=f"called “{one}”.*Change yours first"):
        seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    called(harness, BOB, "Bob")
    seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    with pytest.raises(Refused, match=f"looks like “{one}” in “Table”"):
        called(harness, BOB, other)
    called(harness, BOB, "Robert")


def test_who_runs_a_match_without_playing_is_nobody_s_twin_either(harness: Harness) -> None:
    called(harness, ALICE, "Max")
    called(harness, BOB, "MAX")
    uid = harness.prepare_match(Wish("pyramid", "Table", {}, play=False), ALICE)
    with pytest.raises(Refused, match="Change yours first"):
        seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)


def test_a_name_that_nobody_chose_gets_a_number(harness: Harness) -> None:
    """A newcomer whose address gives the name of another is not turned away."""
    one, other, guest = (
        harness.player("max@example.org"),
        harness.player("max@example.net"),
        harness.player("Guest", guest=True),
    )
    with harness.database.write_tx() as session:
        for player_id in (one, other):
            session.get_one(Player, player_id).name = "max"
    uid = harness.prepare_match(OPEN, "max@example.org")
    seats.take_seat(harness.database, uid, other, now=harness.now)
    assert (name_of(harness, one), name_of(harness, other)) == ("max", "max 2")
    second = Player(name="Guest", made_at=harness.now)
    with harness.database.write_tx() as session:
        session.add(second)
    again = harness.prepare_match(OPEN, "Guest")
    seats.take_seat(harness.database, again, second.id or 0, now=harness.now)
    assert (name_of(harness, guest), name_of(harness, second.id or 0)) == ("Guest", "Guest 2")


def test_in_a_match_with_anonymous_players_nobody_learns_of_a_twin(harness: Harness) -> None:
    called(harness, ALICE, "Max")
    called(harness, BOB, "MAX")
    uid = harness.prepare_match(Wish("diplomacy", "Table", {"anonymous": True}, players=3), ALICE)
    seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    called(harness, BOB, "mаx")


def test_every_way_into_a_match_asks(harness: Harness) -> None:
    called(harness, "Dora", "ALICE")
    full = harness.prepare_match(OPEN, ALICE, BOB, CHARLIE)
    with pytest.raises(Refused, match="Change yours first"):
        waiting_list.wait_for_seat(harness.database, full, harness.player("Dora"), now=harness.now)
    led = harness.prepare_match(
        Wish("pyramid", "Table", {}, play=False), "Eve", ALICE, BOB, CHARLIE
    )
    assert harness.start_match(led)
    replace(harness, led, "Eve", "2")
    with pytest.raises(Refused, match="Change yours first"):
        takeovers.take_seat(harness.database, led, harness.player("Dora"), "2", now=harness.now)


def test_names_that_look_alike_look_the_same() -> None:
    for one, other in TWINS:
        assert likeness.looks(one) == likeness.looks(other), (one, other)
    apart = [
        "Max",
        "Maxi",
        "Max 2",
        "Anna",
        "Ana",
        "Bob",
        "Rob",
        "Zoe",
        "Joe",
        "Мария",
        "Марина",
        "王",
        "李",
        "🎲",
        "🃏",
    ]
    assert len({likeness.looks(name) for name in apart}) == len(apart)


def test_present_names_are_kept_while_other_things_change(harness: Harness) -> None:
    player_id = harness.player(ALICE)
    with harness.database.write_tx() as session:
        session.exec(select(Player).where(Player.id == player_id)).one().name = "Master"
    with harness.database.write_tx() as session:
        assert accounts.set_name(session, player_id, "Master") == "Master"
