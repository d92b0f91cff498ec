"""Two who ask for a table at the same time sit at one: finding and laying it is one step, by letter
and on the site.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from sqlmodel import Session, col, select

from adjudicator import catalogue
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.joining.join import JOIN
from adjudicator.mail.reading.letter_text import LetterText
from adjudicator.platform import clock
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.letters.incoming import LetterToRead
from adjudicator.service.letters.receiving import Target
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness

LONG = 240.0  # seconds, a bound against hanging


def join(harness: MailHarness, session: Session, who: str, words: str) -> Done:
    """Carry out `join` of somebody who has proved the address."""
    player = accounts.person(session.get_one(Player, harness.people[who]))
    claimed = LetterToRead(1, "", Target("service"), harness.now, False, None)
    said = LetterText((), (), "", "", "", (), "")
    room = (harness.settings, harness.keyring, session, harness.now)
    return JOIN.do(Writer(*room, claimed, said, who, True, player), words)


def is_waited_for(harness: MailHarness) -> bool:
    """Whether somebody waits for the lock of the tables; on SQLite a writer waits before its
    transaction begins.
    """
    if harness.database.engine.dialect.name == "sqlite":
        return True
    with harness.database.read_tx() as session:
        return (
            session.connection()
            .execute(
                text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
            )
            .scalar_one()
            > 0
        )


@contextmanager
def beside(harness: MailHarness, work: Callable[[Session], object]) -> Iterator[None]:
    """Begin `work` in a transaction of its own during the block, and wait until it has to wait."""
    done, faults = threading.Event(), list[BaseException]()

    def run() -> None:
        try:
            with harness.database.write_tx() as session:
                work(session)
        except BaseException as fault:  # noqa: BLE001 raised again in the test's own thread
            faults.append(fault)
        finally:
            done.set()

    thread = threading.Thread(target=run)
    thread.start()
    end = clock.monotonic() + LONG
    while not (done.is_set() or is_waited_for(harness)):
        assert clock.monotonic() < end, "it neither waits nor ends"
        clock.sleep(0.01)
    yield
    thread.join(LONG)
    if faults:
        raise faults[0]


def tables(harness: MailHarness, game: str) -> list[set[int]]:
    """Return the players of each match of a game."""
    with harness.database.read_tx() as session:
        matches = session.exec(select(Match.id).where(Match.game == game)).all()
        found = [
            session.exec(select(Seat.player_id).where(Seat.match_id == each)).all()
            for each in matches
        ]
    return [{player for player in each if player is not None} for each in found]


def people(harness: MailHarness) -> set[int]:
    """Return the ids of Alice and Bob."""
    return {harness.player(who) for who in (ALICE, BOB)}


@pytest.mark.both_databases
@pytest.mark.parametrize("by_form", [False, True], ids=["letter", "form"])
def test_two_at_once_sit_at_one_table_of_every_game(
    post_harness_on_both: MailHarness, by_form: bool
) -> None:
    harness = post_harness_on_both
    both, (alice, _) = people(harness), (harness.player(ALICE), harness.player(BOB))
    for game in (each.about.key for each in catalogue.every_game()):
        harness.later(hours=2)  # more than a few tables an hour are refused
        with harness.database.write_tx() as session:
            if by_form:
                creation.make_match(session, alice, Wish(game, "", {}), now=harness.now)
            else:
                join(harness, session, ALICE, game)
            waits = beside(harness, lambda other, game=game: join(harness, other, BOB, game))  # type: ignore[misc]  # of its own turn
            waits.__enter__()
        waits.__exit__(None, None, None)
        assert tables(harness, game) == [both], game


def test_a_table_that_is_still_being_made_is_found_and_its_chance_was_fixed_before(
    post_harness: MailHarness,
) -> None:
    harness, charlie = post_harness, post_harness.player(CHARLIE)
    both = people(harness)
    for who in (ALICE, BOB, CHARLIE):
        with harness.database.write_tx() as session:
            join(harness, session, who, "pyramid")
    assert tables(harness, "pyramid") == [{*both, charlie}]
    with harness.database.read_tx() as session:
        match = session.exec(select(Match)).one()
    assert match.status == "open" and match.anchors and harness.start_match(match.uid)


def test_who_finds_the_last_seat_taken_goes_on_to_the_next_table(
    post_harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = post_harness
    first, second = (
        harness.prepare_match(Wish("redeux", "", {}, players=2), who) for who in (ALICE, CHARLIE)
    )
    bob, sit = harness.player(BOB), seats.take_seat

    def too_late(session: Session, uid: str, player_id: int, **more: object) -> str:
        if uid == first:
            free = session.exec(
                select(Seat).join(Match).where(Match.uid == first, col(Seat.player_id).is_(None))
            ).one()
            free.player_id = harness.people[CHARLIE]
        return sit(session, uid, player_id, **more)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(seats, "take_seat", too_late)
    with harness.database.write_tx() as session:
        assert join(harness, session, BOB, "redeux").uid == second
    assert bob in tables(harness, "redeux")[1]


def test_a_table_is_found_behind_many_of_other_games(post_harness: MailHarness) -> None:
    harness = post_harness
    people(harness)
    for _ in range(25):
        harness.prepare_match(Wish("pyramid", "", {}), CHARLIE)
    uid = harness.prepare_match(Wish("redeux", "", {}), ALICE)
    with harness.database.write_tx() as session:
        assert join(harness, session, BOB, "redeux").uid == uid
