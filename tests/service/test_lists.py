"""Lists of matches: which stand first, what a visitor's picture shows, and that a long list costs no more statements."""

import pytest
from sqlalchemy import event, text
from sqlmodel import select

from adjudicator.service.base import rows
from adjudicator.service.base.tables import Link, Match, Player
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.phases import opening
from adjudicator.service.views import match_list
from tests.harness import Harness
from tests.service.commands import sealed


def against_bots(desk: Harness, name: str, *, guest: bool = False, rounds: int = 1) -> str:
    """A match of one person, or guest, against two bots, in which that one has played some rounds."""
    desk.player(name, guest=guest)
    uid = desk.match(name)
    for _ in range(rounds):
        play(desk, uid, name)
    return uid


def play(desk: Harness, uid: str, *names: str) -> None:
    """Have some players order what they can, and close the phase at its deadline."""
    for name in names:
        owed = desk.page(uid, name).owed
        if owed is not None:
            desk.order(uid, name, owed.slots[0].choices[0].text)
    desk.later(hours=49)
    desk.close(uid)


def pictured(desk: Harness) -> str | None:
    with desk.database.read_tx() as session:
        return match_list.pictured(session)


def guests_last(desk: Harness) -> list[list[str]]:
    """Return every list that visitors and hosts see, by the public names in it."""
    with desk.database.read_tx() as session:
        lists = match_list.recent_matches(session), match_list.open_matches(session, None), match_list.all_matches(session).cards
        return [[card.uid for card in found] for found in lists]


# --- which stand first


def test_matches_of_guests_against_bots_come_last_in_every_list(desk: Harness) -> None:
    people, guest = against_bots(desk, "Alice"), against_bots(desk, "Guest", guest=True)
    later = against_bots(desk, "Bob")
    alone = creation.make_match(desk.database, desk.people["Guest"], Wish("pyramid", "", {}), now=desk.now)
    table = creation.make_match(desk.database, desk.people["Alice"], Wish("pyramid", "", {}), now=desk.now)
    with desk.database.write_tx() as session:
        for uid in (alone, table):
            rows.by_uid(session, uid).status = "open"
    assert guests_last(desk) == [[later, people, guest], [table, alone], [table, later, people, alone, guest]]


def test_a_guest_who_gives_an_address_is_no_guest_any_more(desk: Harness) -> None:
    uid = against_bots(desk, "Guest", guest=True)
    with desk.database.write_tx() as session:
        assert not rows.by_uid(session, uid).with_people
        session.add(Link(token_hash=sessions.token_hash("t"), address="g@example.org", guest_id=desk.people["Guest"],
                         made_at=desk.now, until=desk.later(minutes=5)))  # fmt: skip
    desk.later(minutes=-1)
    sessions.use_link(desk.database, "t", now=desk.now)
    with desk.database.read_tx() as session:
        assert rows.by_uid(session, uid).with_people


def test_a_table_is_of_people_while_one_of_them_sits_there(desk: Harness) -> None:
    guest, alice = desk.player("Guest", guest=True), desk.player("Alice")
    uid = creation.make_match(desk.database, guest, Wish("pyramid", "", {}), now=desk.now)
    opening.prepare_match(desk.database, desk.keyring, uid, now=desk.now)

    def with_people() -> bool:
        with desk.database.read_tx() as session:
            return rows.by_uid(session, uid).with_people

    assert not with_people()
    seats.take_seat(desk.database, uid, alice, now=desk.now)
    assert with_people()
    seats.leave_seat(desk.database, uid, alice)
    assert not with_people()


def test_who_plays_an_anonymous_match_is_not_told_by_its_place_in_a_list(desk: Harness) -> None:
    desk.player("Guest", guest=True)
    uid = desk.match("Guest", wish=Wish("diplomacy", "", {"anonymous": True}, players=2, house=1))
    with desk.database.read_tx() as session:
        assert rows.by_uid(session, uid).with_people


# --- the picture of the home page


def test_the_picture_is_of_the_newest_running_match_of_people_in_which_something_happened(desk: Harness) -> None:
    assert pictured(desk) is None
    against_bots(desk, "Guest", guest=True)
    assert pictured(desk) is None, "a guest against bots"
    first = against_bots(desk, "Alice")
    empty = against_bots(desk, "Bob", rounds=0)
    desk.order(empty, "Bob", "B3")
    assert pictured(desk) == first, "an empty first round shows nothing"


def test_after_them_it_is_of_a_match_that_its_rules_ended_and_never_of_one_that_was_stopped(desk: Harness) -> None:
    guests, people = (against_bots(desk, *who, rounds=9) for who in (("Guest",), ("Alice",)))
    with desk.database.write_tx() as session:
        session.get_one(Player, desk.people["Guest"]).address = None
        rows.by_uid(session, guests).with_people = False
    assert pictured(desk) == people
    with desk.database.write_tx() as session:
        rows.by_uid(session, people).stopped_why = "phases"
    assert pictured(desk) == guests


def test_it_is_never_of_a_runaway_whose_people_have_long_been_silent(desk: Harness) -> None:
    uid = desk.match("Alice", "Bob", wish=Wish("genesis", "Long", {}, players=2))
    play(desk, uid, "Alice", "Bob")
    assert pictured(desk) == uid
    for _ in range(match_list.LATELY + 1):
        play(desk, uid)
    assert pictured(desk) is None


def test_it_never_tells_that_somebody_has_handed_in_orders_for_an_open_phase(desk: Harness) -> None:
    uid = desk.match("Alice", "Bob", wish=Wish("genesis", "Long", {}, players=2))
    for _ in range(match_list.LATELY + 1):
        play(desk, uid)
    due = next(name for name in ("Alice", "Bob") if (owed := desk.page(uid, name).owed) and owed.slots)
    owed = desk.page(uid, due).owed
    assert owed is not None and pictured(desk) is None
    assert desk.order(uid, due, owed.slots[0].choices[0].text + "\nwait").disposition == "accepted"
    assert pictured(desk) is None, "sealed orders show nowhere"
    play(desk, uid)
    assert pictured(desk) == uid


# --- what they cost


def statements(desk: Harness, number: int) -> tuple[int, ...]:
    """Return how many statements the lists cost of so many matches."""
    asked: list[str] = []
    event.listen(desk.database.engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
    counts = []
    with desk.database.read_tx() as session:
        for ask in (
            lambda: match_list.recent_matches(session, most=number),
            lambda: match_list.open_matches(session, None, most=number),
            lambda: match_list.all_matches(session, most=number),
            lambda: match_list.match_cards(session, desk.people["Alice"]),
            lambda: match_list.pictured(session),
        ):
            asked.clear()
            ask()
            counts.append(len(asked))
    return tuple(counts)


def test_a_list_of_many_matches_costs_as_many_statements_as_one_of_few(desk: Harness) -> None:
    def one_of_each() -> None:
        against_bots(desk, "Alice", rounds=0)
        creation.make_match(desk.database, desk.people["Alice"], Wish("pyramid", "", {}), now=desk.now)
        with desk.database.write_tx() as session:
            for match in session.exec(select(Match).where(Match.status == "making")):
                match.status = "open"

    one_of_each()
    few = statements(desk, 50)
    for _ in range(5):
        one_of_each()
    assert statements(desk, 50) == few and max(few) < 8


# --- the host's list


@pytest.fixture
def nine(desk: Harness) -> None:
    """Nine matches that wait for players, of two games."""
    desk.player("Alice")
    for number in range(9):
        wish = Wish("genesis" if number % 3 else "pyramid", f"Match {number}", {})
        creation.make_match(desk.database, desk.people["Alice"], wish, now=desk.now)


def test_the_host_lists_matches_by_status_and_game_and_is_told_of_more(
    desk: Harness, nine: None, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    def run(*arguments: str) -> list[str]:
        return sealed("matches", "list", *arguments, desk=desk, monkeypatch=monkeypatch).output.splitlines()

    assert len(run()) == 9 and "Match 8" in run()[0]
    assert run("--limit", "4")[-1] == "These are 4 of 9; --limit 9 lists them all." and len(run("--limit", "4")) == 5
    assert len(run("--game", "pyramid")) == 3 and len(run("--game", "pyramid", "--limit", "3")) == 3
    assert run("--status", "stuck", "--game", "pyramid") == ["No match is stuck and of pyramid."]
    assert "no game “chess”" in run("--game", "chess")[0]


def test_old_matches_of_guests_are_known_as_such_after_the_migration(desk: Harness) -> None:
    import alembic.command

    from adjudicator.platform import db

    guest, people = against_bots(desk, "Guest", guest=True), against_bots(desk, "Alice")
    hidden = desk.match("Guest", wish=Wish("diplomacy", "", {"anonymous": True}, players=2, house=1))
    config = db._alembic()
    with desk.database.engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, "0007")
        assert connection.execute(text("SELECT count(*) FROM match")).scalar() == 3
        alembic.command.upgrade(config, "head")
    with desk.database.read_tx() as session:
        assert [rows.by_uid(session, uid).with_people for uid in (guest, people, hidden)] == [False, True, True]
