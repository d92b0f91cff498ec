"""Erasing players: no table holds the name or the address afterwards, and what proves orders
stays.
"""

import sqlite3
from pathlib import Path
from typing import Any

import alembic.command
import pytest
from sqlalchemy import inspect, text
from sqlmodel import col, select

from adjudicator.platform import db
from adjudicator.play.tournaments.formats import RoundRobin
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.names import ERASED, REMOVED
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import (
    MasterNote,
    Match,
    Player,
    PlayerRating,
    PressNote,
    Receipt,
    Tournament,
)
from adjudicator.service.erasure import erasing, finishing, scrubbing
from adjudicator.service.handover import standbys
from adjudicator.service.log import salts
from adjudicator.service.log.catching_up import log_changes, to_catch_up
from adjudicator.service.matches import masters, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.ratings import counting
from adjudicator.service.starting import again
from adjudicator.service.tournaments import making
from adjudicator.service.tournaments.making import TournamentWish
from adjudicator.service.views.records import match_record
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, PLAYERS, address
from tests.harness import Harness
from tests.service.changing_hands import (
    DAVE,
    begin,
    lend,
    notes,
    pass_round,
    public_changes,
    seat,
    take,
)
from tests.service.meeting import Meeting
from tests.service.test_ratings import count, end, figures
from tests.service.tournament_play import QUICK
from tools import read_results

NAME, ADDRESS = "Zenobia Quill", "zenobia.quill@example.org"


def erase(harness: Harness, who: str) -> None:
    erasing.erase_player(harness.database, harness.people[who], now=harness.now)


def finish(harness: Harness) -> int:
    """Have the worker look at why seats changed hands, then finish what was erased."""
    assert finishing.finish_erasures(harness.database) == 0, (
        "the session that left the seats is still needed"
    )
    with harness.database.read_tx() as session:
        changed = to_catch_up(session, most=9)
    for uid in changed:
        log_changes(harness.database, harness.keyring, uid, now=harness.now)
    return finishing.finish_erasures(harness.database)


def dump(harness: Harness) -> str:
    """Return all columns of all tables as text."""
    with harness.database.read_tx() as session:
        names = inspect(session.connection()).get_table_names()
        return "\n".join(
            f"{name}: {tuple(row)}"
            for name in names
            for row in session.execute(text(f'SELECT * FROM "{name}"'))
        )


@pytest.fixture
def zenobia(harness: Harness) -> str:
    """A player with a bit of everything: a page, a session, links, a standby, matches of every kind
    and a seat kept.
    """
    harness.player(ADDRESS)
    wishes = AccountChanges(NAME, "Europe/Paris", receipts=True, letters=True, shown="page")
    accounts.change_account(harness.database, harness.people[ADDRESS], wishes)
    harness.enter(ADDRESS)
    sessions.ask_link(harness.database, ADDRESS, zone="UTC", next_page="/", now=harness.now)
    standbys.stand_by(harness.database, harness.people[ADDRESS], now=harness.now, game="genesis")
    harness.prepare_match(Wish("pyramid", f"{NAME}’s table", {}, invited=(address(BOB),)), ADDRESS)
    harness.prepare_match(Wish("pyramid", "Kept", {}, invited=(ADDRESS,)), ALICE)
    return ADDRESS


def test_no_table_holds_the_name_the_address_or_what_opens_a_tenure(
    harness: Harness, zenobia: str
) -> None:
    running, ended = begin(harness, ALICE, zenobia, CHARLIE), begin(harness, zenobia, BOB, CHARLIE)
    for uid, who in ((running, ALICE), (ended, zenobia)):
        pass_round(harness, uid, who, zenobia)
        salts.give_salt(harness.database, uid, harness.people[zenobia], NAME[:9], now=harness.now)
    end(harness, ended)
    write(
        harness, press_table(harness, ALICE, zenobia, CHARLIE), zenobia, f"I am {NAME}, {ADDRESS}."
    )
    who = harness.keyring.authenticate("who", ADDRESS).hex()
    nonces = [
        nonce
        for uid, name in ((running, "2"), (ended, "1"))
        if (nonce := seat(harness, uid, name).tenure_nonce)
    ]
    assert len(nonces) == 2 and all(told in dump(harness) for told in (NAME, ADDRESS, *nonces))
    erase(harness, zenobia)
    assert finish(harness) == 1
    left = dump(harness)
    assert not [
        line
        for line in left.splitlines()
        if any(told in line for told in ("Zenobia", "zenobia", "Quill", who, *nonces))
    ]
    erase(harness, zenobia)
    assert (finishing.finish_erasures(harness.database), dump(harness)) == (
        0,
        left,
    ), "again changes nothing"


def press_table(harness: Harness, *people: str) -> str:
    wish = Wish("diplomacy", "Europe", {"press": "private"}, players=3, seating="order", misses=2)
    return harness.match(*people, wish=wish)


def write(harness: Harness, uid: str, who: str, text: str, *to: str) -> None:
    messages.write_press(
        harness.database, uid, harness.people[who], PressDraft(to, text), now=harness.now
    )


def texts(harness: Harness, uid: str) -> list[tuple[str, str]]:
    with harness.database.read_tx() as session:
        match = by_uid(session, uid)
        return [
            (row.seat, row.text)
            for row in session.exec(select(PressNote).where(PressNote.match_id == match.id))
        ]


def test_the_texts_of_a_player_s_press_are_removed_and_those_of_others_stay(
    harness: Harness, zenobia: str
) -> None:
    uid = press_table(harness, ALICE, zenobia, CHARLIE)
    one, two = (harness.page(uid, who).seat for who in (ALICE, zenobia))
    write(harness, uid, zenobia, "Mine.", one)
    write(harness, uid, ALICE, "Yours.", two)
    harness.later(minutes=1)
    erase(harness, zenobia)
    harness.later(minutes=1)
    take(harness, uid, DAVE, two)
    harness.later(minutes=1)
    write(harness, uid, DAVE, "I am new.", one)
    assert texts(harness, uid) == [(two, "Mine."), (one, "Yours."), (two, "I am new.")]
    assert finish(harness) == 1
    assert texts(harness, uid) == [(two, REMOVED), (one, "Yours."), (two, "I am new.")]
    assert not [each for each in harness.claim_waiting() if "Mine." in repr(vars(each))]


def test_running_seats_are_resigned_and_history_shows_a_former_player_in_a_seat_that_is_not_free(
    harness: Harness, zenobia: str
) -> None:
    running, ended = (
        begin(harness, ALICE, zenobia, CHARLIE),
        begin(harness, ALICE, zenobia, CHARLIE),
    )
    for uid in (running, ended):
        pass_round(harness, uid, ALICE, zenobia, CHARLIE)
    end(harness, ended)
    receipts = _receipts(harness)
    erase(harness, zenobia)
    found = seat(harness, running, "2")
    assert (
        found.player_id is None
        and found.open_since is not None
        and any("resigned" in note for note in notes(harness, running))
    )
    shown = {each.name: each.player for each in harness.page(ended).card.seats}
    assert shown == {"1": ALICE, "2": ERASED, "3": CHARLIE}
    assert [row.player for row in harness.page(ended).standing if row.seat == "2"] == [ERASED]
    with harness.database.read_tx() as session:
        record = match_record.read_record(session, match_record.find_match(session, ended))
    assert [(each["player"], each["former"]) for each in record["seats"]] == [
        (ALICE, False),
        (None, True),
        (CHARLIE, False),
    ]
    assert (
        "\n".join(read_results.tell_match(record)).count("(a former player)") == 1
        and _receipts(harness) == receipts
    )


def _receipts(harness: Harness) -> list[Any]:
    with harness.database.read_tx() as session:
        return [
            (each.seat, each.commitments, each.signature) for each in session.exec(select(Receipt))
        ]


def test_matches_that_gather_lose_the_player_and_the_place_kept(
    harness: Harness, zenobia: str
) -> None:
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


def test_ratings_of_the_others_stay_and_a_loser_cannot_void_a_match(
    harness: Harness, zenobia: str
) -> None:
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


# --- names in notes


def paused_by(harness: Harness, uid: str, *who: str) -> None:
    """Have each of these pause the match and let it go on; all of them run it."""
    for each in who:
        masters.pause_match(harness.database, uid, harness.people[each], now=harness.now)
        masters.resume_match(harness.database, uid, None, now=harness.now)


def rename(harness: Harness, who: str, name: str) -> None:
    with harness.database.write_tx() as session:
        accounts.set_name(session, harness.player(who), name)


def appoint(harness: Harness, *people: str) -> None:
    for who in people:
        harness.player(who)
        masters.appoint_master(harness.database, address(who), now=harness.now)


def test_a_note_tells_the_name_of_today_and_loses_every_earlier_one(harness: Harness) -> None:
    appoint(harness, MALLORY)
    uid = begin(harness)
    rename(harness, MALLORY, "Quondam")
    paused_by(harness, uid, MALLORY)
    rename(harness, MALLORY, "Hodierna")
    assert [note.who for note in harness.page(uid).notes if note.what.startswith("paused")] == [
        "Hodierna"
    ]
    before = public_changes(harness, uid)
    erase(harness, MALLORY)
    assert [note.who for note in harness.page(uid).notes if note.what.startswith("paused")] == [
        ERASED
    ]
    assert "Quondam" not in dump(harness) and "Hodierna" not in dump(harness)
    assert public_changes(harness, uid) > before, "no cache shows the page from before"


def test_who_has_the_same_name_keeps_it(harness: Harness) -> None:
    appoint(harness, DAVE, MALLORY)
    uid = begin(harness)
    for who in (DAVE, MALLORY):
        rename(harness, who, "Sam")
    paused_by(harness, uid, DAVE, MALLORY)
    erase(harness, MALLORY)
    assert [note for note in notes(harness, uid) if "paused" in note] == [
        "Sam paused the match in Round 1",
        f"{ERASED} paused the match in Round 1",
    ]


def test_a_name_that_is_a_word_of_the_notes_garbles_none(harness: Harness) -> None:
    appoint(harness, MALLORY)
    uid = begin(harness)
    rename(harness, MALLORY, "paused")
    paused_by(harness, uid, MALLORY)
    erase(harness, MALLORY)
    assert f"{ERASED} paused the match in Round 1" in notes(harness, uid)


def test_the_name_that_a_table_got_by_letter_goes_with_any_earlier_name(harness: Harness) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Quondam’s table", {}), MALLORY)
    # copied once from one of Mallory's
    again = harness.prepare_match(Wish("pyramid", f"{MALLORY}’s table", {}), ALICE, MALLORY)
    erase(harness, MALLORY)
    assert harness.page(uid).card.name == harness.page(again).card.name == "Somebody’s table"


def migrate_again(harness: Harness, before: str) -> None:
    """Take the database back to a migration and bring it up to date."""
    config = db._alembic()
    with harness.database.engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, before)
    db.migrate(str(harness.database.engine.url.render_as_string(hide_password=False)))


def add_old_notes(harness: Harness, uid: str, *told: tuple[str, str]) -> None:
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        session.add_all(
            MasterNote(match_id=match.id or 0, at=harness.now, who=who, what=what)
            for who, what in told
        )


def test_the_migration_takes_names_of_unknown_players_out_of_old_notes(harness: Harness) -> None:
    uid = begin(harness)
    moved = "moved the deadline of Round 2 to Sat 7 Nov 2026, past"
    cases = (
        (
            "Round",
            "lent seat 3 to Round as a substitute until Thu 5 Nov 2026 12:00 (UTC)",
            "a player lent seat 3 to a substitute until Thu 5 Nov 2026 12:00 (UTC)",
        ),
        (
            "the service",
            f"{moved} the absence of Alice, Bob and Round",
            f"the service {moved} an absence",
        ),
        (
            "the service",
            f"{moved} the absence of seat 1 and seat 3",
            f"the service {moved} the absence of seat 1 and seat 3",
        ),
        ("the player of seat 1", "conceded in Round 2", "the player of seat 1 conceded in Round 2"),
        ("the players", "paused the match in Round 1", "the players paused the match in Round 1"),
    )
    add_old_notes(harness, uid, *((who, what) for who, what, _ in cases))
    migrate_again(harness, "0057")
    assert notes(harness, uid)[-len(cases) :] == [told for *_, told in cases]


def test_the_migration_finds_whose_notes_they_were_where_one_has_the_name(harness: Harness) -> None:
    uid = begin(harness)
    with harness.database.write_tx() as session:
        # as releases allowed that told no names apart
        session.get_one(Player, harness.people[BOB]).name = CHARLIE
    add_old_notes(harness, uid, *((who, "did it") for who in (ALICE, CHARLIE, "Zoe", "the host")))
    migrate_again(harness, "0029")
    with harness.database.read_tx() as session:
        found = [
            (note.who, note.player_id)
            for note in session.exec(select(MasterNote).order_by(col(MasterNote.id)))
        ]
    assert found == [
        (ALICE, harness.people[ALICE]),
        ("a player", None),
        ("a player", None),
        ("the host", None),
    ]


# --- names of matches and tournaments


def named(harness: Harness) -> list[str]:
    with harness.database.read_tx() as session:
        return [
            *session.exec(select(Match.name).order_by(col(Match.id))),
            *session.exec(select(Tournament.name)),
        ]


def test_names_that_hold_their_makers_name_are_replaced_whole_and_no_others(
    harness: Harness,
) -> None:
    """A name of a day long gone, a part of the name, a copy by somebody else; a word of the name in
    what others made stays.
    """
    harness.player(MALLORY), harness.player(ALICE)
    rename(harness, MALLORY, "Round Quondam")
    final = harness.prepare_match(Wish("pyramid", "The final round", {}), MALLORY)
    rename(harness, MALLORY, "Max")
    ended = harness.match(MALLORY, ALICE, BOB, wish=Wish("pyramid", "MAX and the pyramid", {}))
    harness.prepare_match(Wish("pyramid", "", {}), MALLORY)
    harness.prepare_match(Wish("pyramid", "Maxwell", {}), MALLORY)
    harness.prepare_match(Wish("pyramid", "Max Power left", {}), ALICE, MALLORY)
    wish = TournamentWish("Open of Max", RoundRobin(), QUICK)
    making.make_tournament(harness.database, harness.people[MALLORY], wish, now=harness.now)
    end(harness, ended)
    again.make_again(harness.database, ended, harness.people[ALICE], now=harness.now)
    rename(harness, MALLORY, "Hodierna")
    pages = [public_changes(harness, uid) for uid in (final, ended)]
    erase(harness, MALLORY)
    table, tournament = "Somebody’s table", "Somebody’s tournament"
    assert named(harness) == [
        table,
        table,
        "Rock Paper Pyramid",
        "Maxwell",
        "Max Power left",
        table,
        tournament,
    ]
    assert all(
        public_changes(harness, uid) > before
        for uid, before in zip((final, ended), pages, strict=True)
    )
    assert "Quondam" not in dump(harness) and "Open of Max" not in dump(harness)


def test_letters_about_a_seat_that_is_left_do_not_tell_the_name_that_the_match_had(
    harness: Harness,
) -> None:
    harness.match(MALLORY, BOB, CHARLIE, wish=Wish("pyramid", f"Beat {MALLORY}", {}))
    harness.later(hours=1)
    erase(harness, MALLORY)
    told = [each for each in harness.claim_waiting() if each.made_at == harness.now]
    assert {each.kind for each in told} == {"seat"}
    assert not [each for each in told if MALLORY in str(each.context)]


def test_the_migration_finds_whose_name_a_name_holds(harness: Harness) -> None:
    first = harness.match(*PLAYERS, wish=Wish("pyramid", f"Beat {ALICE}", {}))
    end(harness, first)
    again.make_again(harness.database, first, harness.people[BOB], now=harness.now)
    migrate_again(harness, "0057")
    erase(harness, ALICE)
    assert named(harness) == ["Somebody’s table"] * 2


# --- the file


def test_the_file_of_a_sqlite_database_keeps_no_byte_of_the_address(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))

    def kept() -> list[str]:
        files = [file, *file.parent.glob(f"{file.name}-*")]
        return [
            each.name
            for each in files
            if ADDRESS.encode() in each.read_bytes() or b"Zenobia" in each.read_bytes()
        ]

    with Harness(sqlite_url) as harness, sqlite3.connect(file) as old:
        old.execute("PRAGMA secure_delete=OFF")  # as older releases deleted
        old.execute("CREATE TABLE note (text)")
        old.execute(
            "INSERT INTO note SELECT ? FROM letter UNION ALL SELECT ?",
            (ADDRESS * 400, ADDRESS * 400),
        )
        old.execute("DROP TABLE note")
        old.commit()
        harness.player(ADDRESS)
        rename(harness, ADDRESS, NAME)
        assert scrubbing.scrub_file(harness.database, rewrite=False) and kept() == [file.name]
        erase(harness, ADDRESS)
        finishing.finish_erasures(harness.database)
        assert scrubbing.scrub_file(harness.database, rewrite=True)
        assert kept() == [], "neither in free pages nor in the write-ahead log"


def test_what_is_erased_today_needs_no_rewriting(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with Harness(sqlite_url) as harness:
        harness.player(ADDRESS)
        assert (
            scrubbing.scrub_file(harness.database, rewrite=False)
            and ADDRESS.encode() in file.read_bytes()
        )
        erase(harness, ADDRESS)
        assert scrubbing.scrub_file(harness.database, rewrite=False)
        left = file.read_bytes() + b"".join(
            each.read_bytes() for each in file.parent.glob(f"{file.name}-*")
        )
        assert ADDRESS.encode() not in left


@pytest.mark.parametrize(
    ("days", "said"),
    [(0, "until the host deletes them."), (1, "for at most 1 day."), (30, "for at most 30 days.")],
)
def test_who_is_erased_hears_for_how_long_backups_stay(days: int, said: str) -> None:
    assert erasing.describe_backups(days).endswith(said)


# --- at the same moment


@pytest.mark.both_databases
def test_who_joins_just_before_is_out_of_that_match_too(harness: Harness) -> None:
    """On PostgreSQL the erasing reads the matches while the seat's transaction is still open; on
    SQLite it waits before.
    """
    harness.player(BOB)
    uid = harness.prepare_match(Wish("pyramid", "Open", {}), ALICE)
    meeting = Meeting(harness.database)

    def join() -> None:
        with harness.database.write_tx() as session:
            seats.take_seat(session, uid, harness.people[BOB], now=harness.now)
            meeting.hold()

    meeting.run(join, lambda: erase(harness, BOB))
    assert [each.player_id for each in harness.seats(uid)] == [harness.people[ALICE], None, None]


@pytest.mark.both_databases
def test_who_is_being_erased_joins_nothing_any_more(harness: Harness) -> None:
    harness.player(BOB)
    uid = harness.prepare_match(Wish("pyramid", "Open", {}), ALICE)
    meeting = Meeting(harness.database)

    def leave() -> None:
        with harness.database.write_tx() as session:
            erasing.erase_player(session, harness.people[BOB], now=harness.now)
            meeting.hold()

    def join() -> None:
        with pytest.raises(Refused, match="erased"):
            seats.take_seat(harness.database, uid, harness.people[BOB], now=harness.now)

    meeting.run(leave, join)
    assert [each.player_id for each in harness.seats(uid)] == [harness.people[ALICE], None, None]


def test_nobody_and_house_bots_cannot_be_erased(harness: Harness) -> None:
    harness.match(*PLAYERS[:2])
    with harness.database.read_tx() as session:
        bot = session.exec(select(Player.id).where(Player.house)).first()
    for player in (bot, 10_000):
        with pytest.raises(NotFound):
            erasing.erase_player(harness.database, player or 0, now=harness.now)
