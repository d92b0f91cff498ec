"""What a seat may not know is absent from the pages and from the stored database."""

from typing import Any

import pytest
from sqlmodel import select

from adjudicator.core.game import AnyGame
from adjudicator.platform.byte_cache import ByteCache
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.tables import Reading, ReadingNote, all_tables
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import disclosure
from adjudicator.service.views import match_list as cards
from adjudicator.service.views.table import closed_phases
from tests.harness import Harness

NAMES = ("Alice", "Bob", "Charlie")


def test_what_is_kept_of_a_phase_is_told_to_nobody_who_may_not_know_it(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish, viewers = Wish("rsp-diplomacy", "Table", {}, house=5), ("Alice", "Bob", None)
    uid, pictures = harness.match("Alice", "Bob", wish=wish), set()
    shared: ByteCache[bytes, tuple[AnyGame, Any]] = ByteCache(closed_phases.MOST_KEPT)
    harness.later(hours=49)
    assert harness.close(uid)

    def seen(viewer: str | None) -> tuple[object, ...]:
        page = harness.page(uid, viewer)
        pictures.add(page.picture)
        stories = [harness.story(uid, number, viewer) for number in (0, 1)]
        assert stories[0].board != stories[1].board == page.board
        return page.picture, page.board, page.last, *stories

    for ended in (False, True):
        if ended:
            masters.end_match(harness.database, uid, None, "Enough", now=harness.now)
            assert harness.close(uid)
        alone = []
        for viewer in viewers:
            monkeypatch.setattr(closed_phases, "_kept", ByteCache(closed_phases.MOST_KEPT))
            alone.append(seen(viewer))
        monkeypatch.setattr(closed_phases, "_kept", shared)
        for viewer in (*viewers, *reversed(viewers)):
            assert seen(viewer) == alone[viewers.index(viewer)], (viewer, ended)
    assert len(pictures) == 6


def everything_stored(harness: Harness) -> str:
    """Return every value of every table as text, bytes as they are."""
    with harness.database.engine.connect() as connection:
        rows = [
            row
            for table in all_tables().sorted_tables
            for row in connection.execute(table.select())
        ]
    return "\n".join(
        value.decode("latin-1") if isinstance(value, bytes) else str(value)
        for row in rows
        for value in row
    )


def test_orders_and_nonces_are_stored_nowhere_in_the_clear(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    before = everything_stored(harness)
    answer = harness.order(uid, "Alice", "B3 THEN C2\nxyzzy")
    added = [
        line for line in everything_stored(harness).splitlines() if line not in before.splitlines()
    ]
    assert answer.parts[0].orders == ("B3",) and answer.refusals[0].line == "xyzzy"
    for secret in ("xyzzy", *(part.nonce for part in answer.parts)):
        assert secret not in everything_stored(harness)
    assert not any(line.strip("'[]\"") in ("B3", "C2") for line in added)


def test_the_chance_of_a_match_is_not_stored_in_the_clear_before_its_end(harness: Harness) -> None:
    from adjudicator.service.base.rows import by_uid
    from adjudicator.service.base.state import MatchChains

    uid = harness.match(*NAMES)
    with harness.database.read_tx() as session:
        opened = MatchChains.recall(harness.keyring, by_uid(session, uid)).opened
    stored = everything_stored(harness)
    for first in opened.values():
        assert first not in stored and bytes.fromhex(first).decode("latin-1") not in stored


def test_another_seats_secrets_change_nothing_that_a_seat_can_see(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    seen = [harness.page(uid, name) for name in ("Bob", "Charlie", None)]
    cards = [_cards(harness, name) for name in ("Bob", "Charlie")]
    for text in ("B3", "W1 THEN C1", "nonsense", "B2\nwait"):
        harness.order(uid, "Alice", text)
        assert [harness.page(uid, name) for name in ("Bob", "Charlie", None)] == seen
        assert [_cards(harness, name) for name in ("Bob", "Charlie")] == cards


def _cards(harness: Harness, name: str) -> list[cards.Card]:
    with harness.database.read_tx() as session:
        return cards.match_cards(session, harness.people[name], now=harness.now)


def test_a_reading_shows_a_seat_its_own_orders_and_is_listed_to_it(harness: Harness) -> None:
    uid, another = harness.match(*NAMES), harness.match(*NAMES)
    sealed = harness.order(uid, "Alice", "B3 THEN C2 OR C1").parts
    asked = disclosure.request_disclosure(
        harness.database, uid, harness.enter("Alice"), now=harness.now
    )
    assert disclosure.fetch_disclosed(harness.database, asked) is None
    disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    shown = disclosure.fetch_disclosed(harness.database, asked)
    assert shown is not None and shown.parts == ("B3", "C2 OR C1")
    assert shown.nonces == tuple(part.nonce for part in sealed)
    with harness.database.read_tx() as session:
        alice = harness.player("Alice")
        assert (
            disclosure.list_disclosures(session, uid, alice) == [harness.now]
            and disclosure.list_disclosures(session, another, alice) == []
        )
        assert session.exec(select(Reading)).all() == [], "an answer is erased when it was read"


def test_a_session_reads_its_own_seat_only(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    harness.order(uid, "Alice", "B3")
    for token in (harness.enter("Mallory"), "made-up", harness.enter("Alice")[:-1]):
        with pytest.raises(NotAllowed):
            disclosure.request_disclosure(harness.database, uid, token, now=harness.now)
    asked = disclosure.request_disclosure(
        harness.database, uid, harness.enter("Bob"), now=harness.now
    )
    disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    with pytest.raises(NotAllowed):
        disclosure.fetch_disclosed(harness.database, asked)
    with harness.database.read_tx() as session:
        assert session.exec(select(ReadingNote)).all() == []


def test_a_reading_waits_a_minute_and_is_answered_once(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    harness.order(uid, "Alice", "B3")
    asked = disclosure.request_disclosure(
        harness.database, uid, harness.enter("Alice"), now=harness.now
    )
    for _ in range(2):
        disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    with harness.database.read_tx() as session:
        assert len(disclosure.list_disclosures(session, uid, harness.player("Alice"))) == 1
        assert disclosure.unanswered_requests(session, now=harness.now) == []
    asked = disclosure.request_disclosure(
        harness.database, uid, harness.enter("Alice"), now=harness.now
    )
    with harness.database.read_tx() as session:
        assert disclosure.unanswered_requests(session, now=harness.now) == [asked.uid]
        assert disclosure.unanswered_requests(session, now=harness.later(minutes=1)) == [], (
            "nobody waits for it any more"
        )


def test_a_report_holds_nothing_of_other_seats_dropped_plans(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    harness.order(uid, "Alice", "B3 THEN B3")
    for name in ("Bob", "Charlie"):
        harness.order(uid, name, "B3")
    harness.close(uid)
    for name in ("Bob", None):
        told = str(harness.page(uid, name)) + str(harness.story(uid, 1, name))
        assert "plan" not in told.replace("planning=None", "")
    assert "Your plan" in str(harness.page(uid, "Alice"))
