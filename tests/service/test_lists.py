"""Lists of matches: their order, the match pictured for visitors, and a constant number of SQL
statements.
"""

import pytest
from sqlalchemy import text
from sqlmodel import select

from adjudicator.service.base import rows
from adjudicator.service.base.tables import Link, Match, Player
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.phases import beginning
from adjudicator.service.views import match_list
from adjudicator.service.views.finding import match_queries, watching
from tests.asked import asking
from tests.harness import Harness
from tests.service import listed
from tests.service.commands import sealed


def against_bots(harness: Harness, name: str, *, guest: bool = False, rounds: int = 1) -> str:
    """Start a match of one person or guest against two bots, play some rounds and return its public
    name.
    """
    harness.player(name, guest=guest)
    uid = harness.match(name)
    for _ in range(rounds):
        play(harness, uid, name)
    return uid


def play(harness: Harness, uid: str, *names: str) -> None:
    """Hand in the first possible order of some players, and close the phase at its deadline."""
    for name in names:
        owed = harness.page(uid, name).owed
        if owed is not None:
            harness.order(uid, name, owed.slots[0].choices[0].text)
    harness.later(hours=49)
    harness.close(uid)


def pictured(harness: Harness) -> str | None:
    with harness.database.read_tx() as session:
        found = watching.pictured_match(session, now=harness.now)
        return found.uid if found else None


def guests_last(harness: Harness) -> list[list[str]]:
    """Return the public names in every list that visitors and hosts see."""
    with harness.database.read_tx() as session:
        lists = (
            listed.recent_matches(session),
            listed.open_matches(session, None),
            match_list.all_matches(session).cards,
        )
        return [[card.uid for card in found] for found in lists]


# --- the order


def test_matches_of_guests_against_bots_come_last_in_every_list(harness: Harness) -> None:
    people, guest = against_bots(harness, "Alice"), against_bots(harness, "Guest", guest=True)
    later = against_bots(harness, "Bob")
    alone = creation.make_match(
        harness.database, harness.people["Guest"], Wish("pyramid", "", {}), now=harness.now
    )
    table = creation.make_match(
        harness.database, harness.people["Alice"], Wish("pyramid", "", {}), now=harness.now
    )
    with harness.database.write_tx() as session:
        for uid in (alone, table):
            rows.by_uid(session, uid).status = "open"
    assert guests_last(harness) == [
        [later, people, guest],
        [table, alone],
        [table, later, people, alone, guest],
    ]


def test_a_guest_who_gives_an_address_is_no_guest_any_more(harness: Harness) -> None:
    uid = against_bots(harness, "Guest", guest=True)
    with harness.database.write_tx() as session:
        assert not rows.by_uid(session, uid).with_people
        session.add(
            Link(
                token_hash=sessions.token_hash("t"),
                address="g@example.org",
                guest_id=harness.people["Guest"],
                made_at=harness.now,
                until=harness.later(minutes=5),
            )
        )
    harness.later(minutes=-1)
    sessions.use_link(harness.database, "t", now=harness.now)
    with harness.database.read_tx() as session:
        assert rows.by_uid(session, uid).with_people


def test_a_table_is_of_people_while_one_of_them_sits_there(harness: Harness) -> None:
    guest, alice = harness.player("Guest", guest=True), harness.player("Alice")
    uid = creation.make_match(harness.database, guest, Wish("pyramid", "", {}), now=harness.now)
    beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)

    def with_people() -> bool:
        with harness.database.read_tx() as session:
            return rows.by_uid(session, uid).with_people

    assert not with_people()
    seats.take_seat(harness.database, uid, alice, now=harness.now)
    assert with_people()
    seats.leave_seat(harness.database, uid, alice, now=harness.now)
    assert not with_people()


def test_who_plays_an_anonymous_match_is_not_told_by_its_place_in_a_list(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    uid = harness.match(
        "Guest", wish=Wish("diplomacy", "", {"anonymous": True}, players=2, house=1)
    )
    with harness.database.read_tx() as session:
        assert rows.by_uid(session, uid).with_people


# --- the picture of the home page


def test_the_picture_is_of_the_newest_running_match_of_people_in_which_something_happened(
    harness: Harness,
) -> None:
    assert pictured(harness) is None
    against_bots(harness, "Guest", guest=True)
    assert pictured(harness) is None, "a guest against bots"
    first = against_bots(harness, "Alice")
    empty = against_bots(harness, "Bob", rounds=0)
    harness.order(empty, "Bob", "B3")
    assert pictured(harness) == first, "an empty first round shows nothing"


def test_the_picture_is_of_a_short_match_beside_a_long_one_that_its_people_left(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_queries, "LATELY", 1)
    monkeypatch.setattr(watching, "_pictured_wanted", watching._pictured_wanted.__wrapped__)
    short, left = against_bots(harness, "Alice"), against_bots(harness, "Bob", rounds=2)
    play(harness, left)
    assert pictured(harness) == short


def test_after_them_it_is_of_a_match_that_its_rules_ended_and_never_of_one_that_was_stopped(
    harness: Harness,
) -> None:
    guests, people = (against_bots(harness, *who, rounds=9) for who in (("Guest",), ("Alice",)))
    with harness.database.write_tx() as session:
        session.get_one(Player, harness.people["Guest"]).address = None
        rows.by_uid(session, guests).with_people = False
    assert pictured(harness) == people
    with harness.database.write_tx() as session:
        rows.by_uid(session, people).stopped_why = "phases"
    assert pictured(harness) == guests


def test_it_is_of_no_runaway_whose_people_have_long_been_silent_while_others_play(
    harness: Harness,
) -> None:
    other = against_bots(harness, "Charlie")
    uid = harness.match("Alice", "Bob", wish=Wish("genesis", "Long", {}, players=2))
    play(harness, uid, "Alice", "Bob")
    assert pictured(harness) == uid
    for _ in range(match_queries.LATELY + 1):
        play(harness, uid)
    assert pictured(harness) == other


def test_it_never_tells_that_somebody_has_handed_in_orders_for_an_open_phase(
    harness: Harness,
) -> None:
    other = against_bots(harness, "Charlie")
    uid = harness.match("Alice", "Bob", wish=Wish("genesis", "Long", {}, players=2))
    for _ in range(match_queries.LATELY + 1):
        play(harness, uid)
    due = next(
        name for name in ("Alice", "Bob") if (owed := harness.page(uid, name).owed) and owed.slots
    )
    owed = harness.page(uid, due).owed
    assert owed is not None and pictured(harness) == other
    assert (
        harness.order(uid, due, owed.slots[0].choices[0].text + "\nwait").disposition == "accepted"
    )
    assert pictured(harness) == other, "sealed orders show nowhere"
    play(harness, uid)
    assert pictured(harness) == uid


# --- the number of statements


def statements(harness: Harness, number: int) -> tuple[int, ...]:
    """Return the number of SQL statements of each list, limited to `number` matches."""
    counts = []
    with asking(harness.database) as asked, harness.database.read_tx() as session:
        for ask in (
            lambda: listed.recent_matches(session, most=number),
            lambda: listed.open_matches(session, None, most=number),
            lambda: match_list.all_matches(session, most=number),
            lambda: match_list.match_cards(session, harness.people["Alice"]),
            lambda: watching.pictured_match(session, now=harness.now),
        ):
            asked.clear()
            ask()
            counts.append(len(asked))
    return tuple(counts)


def test_a_list_of_many_matches_costs_as_many_statements_as_one_of_few(harness: Harness) -> None:
    def one_of_each() -> None:
        against_bots(harness, "Alice", rounds=0)
        creation.make_match(
            harness.database, harness.people["Alice"], Wish("pyramid", "", {}), now=harness.now
        )
        with harness.database.write_tx() as session:
            for match in session.exec(select(Match).where(Match.status == "making")):
                match.status = "open"

    one_of_each()
    few = statements(harness, 50)
    for _ in range(5):
        one_of_each()
    assert statements(harness, 50) == few and max(few) < 8


# --- the host's list


@pytest.fixture
def nine(harness: Harness) -> None:
    """Nine matches that wait for players, of two games."""
    harness.player("Alice")
    for number in range(9):
        wish = Wish("genesis" if number % 3 else "pyramid", f"Match {number}", {})
        creation.make_match(harness.database, harness.people["Alice"], wish, now=harness.now)


def test_the_host_lists_matches_by_status_and_game_and_is_told_of_more(
    harness: Harness, nine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*arguments: str) -> list[str]:
        return sealed(
            "matches", "list", *arguments, harness=harness, monkeypatch=monkeypatch
        ).output.splitlines()

    assert len(run()) == 9 and "Match 8" in run()[0]
    assert (
        run("--limit", "4")[-1] == "These are 4 of 9; --limit 9 lists them all."
        and len(run("--limit", "4")) == 5
    )
    assert len(run("--game", "pyramid")) == 3 and len(run("--game", "pyramid", "--limit", "3")) == 3
    assert run("--status", "stuck", "--game", "pyramid") == ["No match is stuck and of pyramid."]
    assert "no game “chess”" in run("--game", "chess")[0]


def test_old_matches_of_guests_are_known_as_such_after_the_migration(harness: Harness) -> None:
    import alembic.command

    from adjudicator.platform import db

    guest, people = against_bots(harness, "Guest", guest=True), against_bots(harness, "Alice")
    hidden = harness.match(
        "Guest", wish=Wish("diplomacy", "", {"anonymous": True}, players=2, house=1)
    )
    config = db._alembic()
    with harness.database.engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, "0007")
        assert connection.execute(text("SELECT count(*) FROM match")).scalar() == 3
        alembic.command.upgrade(config, "head")
    with harness.database.read_tx() as session:
        assert [rows.by_uid(session, uid).with_people for uid in (guest, people, hidden)] == [
            False,
            True,
            True,
        ]
