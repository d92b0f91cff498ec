"""Overtime: a phase stays open for those who are late, once, and nobody is told who they are."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.tables import Due, Letter, Receipt
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders.readiness import say_readiness
from tests.cast import address
from tests.harness import Harness
from tests.service.test_masters import context, due, open_phase, told

NAMES = ("Alice", "Bob", "Charlie")
GRACE, HOUR = timedelta(minutes=10), timedelta(hours=1)


def wish(**more: object) -> Wish:
    """A match of two days a phase and six hours of overtime."""
    return Wish("pyramid", "Table", {}, **{"overtime_minutes": 360, **more})  # type: ignore[arg-type]


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match of three people in Round 1, due in two days; Alice made it and plays."""
    return harness.match(*NAMES, wish=wish())


def pass_deadline(harness: Harness, uid: str, after: timedelta = GRACE) -> datetime:
    """Move the clock past the deadline and try to close; return the deadline."""
    deadline = open_phase(harness, uid).deadline
    assert deadline is not None
    harness.now = deadline + after
    harness.close(uid)
    return deadline


def test_a_late_seat_gets_overtime_and_a_letter_and_the_note_names_nobody(
    harness: Harness, uid: str
) -> None:
    harness.order(uid, "Alice", "B3")
    deadline = pass_deadline(harness, uid)
    phase = open_phase(harness, uid)
    assert (phase.number, phase.deadline, phase.overtime_until) == (
        1,
        deadline,
        deadline + GRACE + 6 * HOUR,
    )
    assert phase.closes_at == phase.overtime_until and due(harness) == []
    assert (
        told(harness, "reminder") == [address("Bob"), address("Charlie")]
        and context(harness, "reminder")["until"]
    )
    for who in (*NAMES, None):
        page = harness.page(uid, who)
        assert page.card.overtime_until == phase.overtime_until and page.late == ()
        assert [(note.who, note.what) for note in page.notes] == [
            ("the service", "granted Round 1 overtime until Wed 4 Nov 2026 18:10 (UTC)")
        ]
    assert told(harness, "late") == [], "the master plays"


def test_what_comes_in_overtime_counts_as_late_and_the_phase_closes_as_the_late_are_ready(
    harness: Harness, uid: str
) -> None:
    harness.order(uid, "Alice", "B3", phase=1)
    say_readiness(harness.database, uid, harness.people["Alice"], "wait", now=harness.now)
    pass_deadline(harness, uid)
    harness.later(hours=1)
    assert harness.order(uid, "Bob", "B3").disposition == "late"
    assert not harness.close(uid) and due(harness) == []
    changed = harness.order(uid, "Alice", "W3\nW9")  # nobody waits for her, complete or not
    assert (changed.disposition, changed.closes_now) == ("late", False)
    last = harness.order(uid, "Charlie", "B3")
    assert (last.disposition, last.closes_now) == ("late", True)
    assert due(harness) == [uid] and harness.close(uid)
    assert [order.lines for order in harness.story(uid, 1, "Alice").orders] == [
        ("W3",),
        ("B3",),
        ("B3",),
    ]


def test_overtime_ends_with_the_default_for_who_stays_silent_and_comes_once(
    harness: Harness, uid: str
) -> None:
    for who in ("Alice", "Bob"):
        harness.order(uid, who, "B3")
    deadline = pass_deadline(harness, uid)
    harness.now = deadline + GRACE + 6 * HOUR - timedelta(seconds=1)
    assert not harness.close(uid)
    harness.later(seconds=1)
    refused = harness.order(uid, "Charlie", "B3")
    assert refused.disposition == "refused" and "had passed" in refused.reason
    assert harness.close(uid) and harness.story(uid, 1).orders[2].how == "default"
    assert len(harness.page(uid).notes) == 1


def test_closing_twice_grants_overtime_once(harness: Harness, uid: str) -> None:
    pass_deadline(harness, uid)
    first = open_phase(harness, uid)
    harness.later(seconds=5)
    assert not harness.close(uid)
    assert open_phase(harness, uid).overtime_until == first.overtime_until
    assert len(told(harness, "reminder")) == 3 and len(harness.page(uid).notes) == 1


def test_nobody_late_is_no_overtime_whether_ready_or_not(harness: Harness, uid: str) -> None:
    for who in NAMES:
        harness.order(uid, who, "B3\nwait")
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).number == 2, "waiting is not being late"
    say_readiness(harness.database, uid, harness.people["Alice"], "ready", now=harness.now)
    for who in NAMES[1:]:
        harness.order(uid, who, "W3\nwait")
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).number == 3, "who said ready wants the game's default"


def test_house_bots_are_never_late(harness: Harness) -> None:
    uid = harness.match("Alice", wish=wish(house=2))
    harness.order(uid, "Alice", "B3\nwait")
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).number == 2
    pass_deadline(harness, uid)
    with harness.database.read_tx() as session:
        assert sorted((row.seat, row.late) for row in session.exec(select(Due)) if row.late) == [
            ("1", True)
        ]


def test_a_match_without_the_option_has_none(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).number == 2


def test_in_a_phase_that_was_shortened_it_is_at_most_half_as_long(
    harness: Harness, uid: str
) -> None:
    masters.move_deadline(harness.database, uid, None, harness.now + 4 * HOUR, now=harness.now)
    deadline = pass_deadline(harness, uid)
    assert open_phase(harness, uid).overtime_until == deadline + GRACE + 2 * HOUR


def test_after_a_delay_it_lasts_as_long_from_then_on(harness: Harness, uid: str) -> None:
    pass_deadline(harness, uid, timedelta(hours=9))
    assert open_phase(harness, uid).overtime_until == harness.now + 6 * HOUR


def test_a_master_who_does_not_play_is_told_who_is_late(harness: Harness) -> None:
    harness.player("Dora")
    uid = harness.prepare_match(wish(play=False), "Dora", *NAMES)
    assert harness.start_match(uid)
    harness.order(uid, "Bob", "B3")
    pass_deadline(harness, uid)
    assert told(harness, "late") == [address("Dora")] and context(harness, "late")["seats"] == [
        "1",
        "3",
    ]
    assert harness.page(uid, "Dora").late == ("1", "3") and harness.page(uid, "Alice").late == ()
    harness.order(uid, "Alice", "B3\nwait")
    assert harness.page(uid, "Dora").late == ("1", "3"), "who hands in when is told to nobody"


@pytest.mark.parametrize(
    "hidden", [{"options": {"anonymous": True}}, {"options": {}, "progress": "none"}]
)
def test_nobody_is_told_where_players_are_anonymous_or_no_progress_is_shown(
    harness: Harness, hidden: dict[str, Any]
) -> None:
    harness.player("Dora")
    uid = harness.prepare_match(
        Wish("diplomacy", "Table", players=2, play=False, overtime_minutes=60, **hidden),
        "Dora",
        "Alice",
        "Bob",
    )
    assert harness.start_match(uid)
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).overtime_until is not None
    assert told(harness, "late") == [] and harness.page(uid, "Dora").late == ()


def test_a_forced_close_and_a_pause_leave_none(harness: Harness, uid: str) -> None:
    masters.close_now(harness.database, uid, None, now=harness.now)
    assert harness.close(uid) and open_phase(harness, uid).number == 2
    masters.pause_match(harness.database, uid, None, now=harness.now)
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).overtime_until is None


def test_a_deadline_that_moves_ends_the_overtime_and_the_phase_gets_no_other(
    harness: Harness, uid: str
) -> None:
    pass_deadline(harness, uid)
    harness.later(hours=1)
    masters.move_deadline(harness.database, uid, None, harness.now + 2 * HOUR, now=harness.now)
    phase = open_phase(harness, uid)
    assert (
        phase.closes_at == harness.now + 2 * HOUR + GRACE
        and harness.page(uid).card.overtime_until is None
    )
    assert harness.order(uid, "Alice", "B3").disposition == "accepted"
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).number == 2


def test_a_master_may_close_in_overtime(harness: Harness, uid: str) -> None:
    pass_deadline(harness, uid)
    harness.later(hours=1)
    masters.close_now(harness.database, uid, None, now=harness.now)
    assert harness.close(uid) and open_phase(harness, uid).number == 2


def test_who_was_in_time_cannot_hold_the_phase_and_who_is_late_can(
    harness: Harness, uid: str
) -> None:
    for who in ("Alice", "Bob"):
        harness.order(uid, who, "B3")
    pass_deadline(harness, uid)
    with pytest.raises(NotNow, match="It is in overtime for those who were late"):
        say_readiness(harness.database, uid, harness.people["Alice"], "wait", now=harness.now)
    assert not harness.order(uid, "Charlie", "B3\nwait").closes_now
    assert say_readiness(harness.database, uid, harness.people["Charlie"], "ready", now=harness.now)
    assert harness.close(uid)


def test_a_late_player_without_letters_is_granted_overtime_all_the_same(harness: Harness) -> None:
    harness.player("Gast", guest=True)
    uid = harness.match("Alice", "Bob", "Gast", wish=wish())
    for who in ("Alice", "Bob"):
        harness.order(uid, who, "B3")
    pass_deadline(harness, uid)
    assert open_phase(harness, uid).overtime_until is not None and told(harness, "reminder") == []


@pytest.mark.parametrize(
    ("minutes", "every", "fits"), [(720, 24, True), (721, 24, False), (0, 1, True)]
)
def test_overtime_is_at_most_half_of_a_phase(
    harness: Harness, minutes: int, every: int, fits: bool
) -> None:
    if fits:
        assert harness.match(*NAMES, wish=wish(overtime_minutes=minutes, every_hours=every))
    else:
        with pytest.raises(Refused, match="at most half as long as a phase, here 12 hours"):
            harness.match(*NAMES, wish=wish(overtime_minutes=minutes, every_hours=every))


def test_nothing_that_others_see_or_get_names_a_late_seat(harness: Harness, uid: str) -> None:
    harness.order(uid, "Alice", "B3")
    harness.claim_waiting()
    before = len(told(harness, "reminder"))
    pass_deadline(harness, uid)
    with harness.database.read_tx() as session:
        letters = list(
            session.exec(
                select(Letter).where(Letter.address == address("Alice"), Letter.kind != "report")
            )
        )
        receipts = {receipt.disposition for receipt in session.exec(select(Receipt))}
    assert (
        {letter.kind for letter in letters} <= {"receipt"}
        and before == 0
        and receipts == {"accepted"}
    )
