"""What an answer tells of a match that its reader made or joined: the terms of its page, and the
next deadlines in the reader's zone.
"""

from collections.abc import Callable

import pytest

from adjudicator.service.matches import creation, masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.starting import links
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import DORA, flat, found

CLUB = "Mon Thu 20:00"
IN_PARIS = ("Mon 23 Nov 21:00 (Paris)", "Thu 26 Nov 21:00 (Paris)", "Mon 30 Nov 21:00 (Paris)")
IN_UTC = ("Mon 23 Nov 20:00 (UTC)", "Thu 26 Nov 20:00 (UTC)", "Mon 30 Nov 20:00 (UTC)")
# has Alice, who lives in Paris, make a match or take a seat in one; returns the match
Way = Callable[[MailHarness], str]


def ask(harness: MailHarness, who: str, line: str) -> str:
    """Write a line to the service, confirm it, and return the answer."""
    harness.write(who, SERVICE, line)
    harness.answer(harness.newest(who, "confirm"), "yes")
    return flat(harness.newest(who, "answer"))


def club_table(harness: MailHarness, *people: str, **wish: object) -> str:
    """Lay a table with the club's hours in UTC, where these people sit."""
    maker = harness.player(DORA)
    uid = creation.make_match(
        harness.database,
        maker,
        Wish("pyramid", "Club", {}, timetable=CLUB, **wish),
        now=harness.now,
    )  # type: ignore[arg-type]
    found(harness, uid)
    for who in people:
        ask(harness, who, f"join {uid}")
    return uid


def join(harness: MailHarness) -> str:
    uid = club_table(harness)
    ask(harness, ALICE, "join pyramid")
    return uid


def join_by_name(harness: MailHarness) -> str:
    uid = club_table(harness)
    ask(harness, ALICE, f"join {uid}")
    return uid


def join_by_link(harness: MailHarness) -> str:
    uid = club_table(harness, private=True)
    with harness.database.write_tx() as session:
        links.change_link(session, uid, harness.player(DORA), "join", off=False, now=harness.now)
        link = links.links_for(session, uid, harness.player(DORA)).join
    ask(harness, ALICE, f"join {link}")
    return uid


def accept(harness: MailHarness) -> str:
    uid = club_table(harness, invited=(ALICE,))
    harness.answer(harness.newest(ALICE, "invitation"), "accept")
    return uid


def take(harness: MailHarness) -> str:
    uid = club_table(harness, BOB, CHARLIE)
    assert harness.start_match(uid)
    harness.answer(harness.newest(CHARLIE, "report"), "resign 3")
    ask(harness, ALICE, f"take {uid}")
    return uid


def again(harness: MailHarness) -> str:
    uid = club_table(harness, ALICE, BOB)
    assert harness.start_match(uid)
    masters.end_match(harness.database, uid, None, "enough", now=harness.now)
    assert harness.close(uid)
    ask(harness, ALICE, f"again {uid}")
    return (
        flat(harness.newest(ALICE, "answer"))
        .partition("The next match is Club (")[2]
        .partition(")")[0]
    )


def make(harness: MailHarness) -> str:
    ask(harness, ALICE, f"join pyramid timetable: {CLUB} UTC")
    return flat(harness.newest(ALICE, "answer")).partition("can write `join ")[2].partition("`")[0]


@pytest.mark.parametrize(
    "way",
    [join, join_by_name, join_by_link, accept, take, again, make],
    ids=lambda way: way.__name__,
)
def test_who_makes_or_joins_a_match_is_told_its_terms_and_deadlines(
    harness: MailHarness, way: Way
) -> None:
    harness.player(ALICE), harness.player(DORA)
    uid = way(harness)
    told = flat(harness.newest(ALICE, "answer"))
    assert harness.page(uid, ALICE).seat
    terms = harness.terms(uid, ALICE)
    assert [
        term for term in terms if f"{term.title}: {' '.join(term.told)}" not in told
    ] == [] and "Game: Rock Paper Pyramid" in told
    assert "Time: the time to the next deadline, Mon Thu 20:00 UTC at most" in told
    assert " ".join(IN_PARIS) in told and "These times are in UTC" not in told


def test_who_waits_for_a_seat_is_told_the_terms_too(harness: MailHarness) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Full", {}), BOB, CHARLIE, "erin@example.net")
    harness.player(ALICE)
    told = ask(harness, ALICE, f"queue {uid}")
    assert "You are the first on the waiting list of Full." in told
    assert "The terms of Full Game: Rock Paper Pyramid" in told and "The next deadlines" in told


def test_who_named_no_zone_hears_that_utc_was_assumed(harness: MailHarness) -> None:
    told = ask(harness, DORA, "join pyramid club")
    assert (
        "2 days" not in told
        and "Time: the time to the next deadline, Mon Thu 20:00 UTC at most" in told
    )
    assert " ".join(IN_UTC) in told
    assert (
        "These times are in UTC, as no other time zone is known of you. `zone Europe/Paris` sets"
        " yours" in told
    )
    assert "The hours of this match are meant in UTC, too, and stay so." in told
    hours = ask(harness, DORA, "join pyramid hours=36")
    assert (
        "Time: 36 hours for each phase at most" in hours
        and "These times are in UTC" in hours
        and "meant in UTC" not in hours
    )


def test_hours_take_the_place_of_a_sheets_timetable_and_contradict_a_named_one(
    harness: MailHarness,
) -> None:
    assert "Time: 36 hours for each phase at most" in ask(
        harness, DORA, "join pyramid club hours=36"
    )
    harness.write(DORA, SERVICE, "join pyramid hours=36 timetable: 20:00")
    assert "A timetable says by itself when phases end: name either it or `hours`." in flat(
        harness.newest(DORA, "answer")
    )
