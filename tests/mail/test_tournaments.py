"""Tournaments by letter: entering after a question, leaving, and how one stands."""

import re

from adjudicator.play.tournaments.formats import League
from adjudicator.service.matches.creation import Wish
from adjudicator.service.tournaments import records
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat
from tests.service.tournament_play import advance, begun, entered, made, play_round, row


def entrants(harness: MailHarness, uid: str) -> list[int]:
    """Return the players who take part."""
    with harness.database.read_tx() as session:
        return [
            each.player_id
            for each in records.staying(
                records.entries_of(session, records.find_tournament(session, uid))
            )
        ]


def test_joining_by_name_is_asked_about_and_then_enters(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    uid = entered(harness, BOB)
    harness.write(ALICE, SERVICE, "join tournament autumn")
    assert entrants(harness, uid) == [harness.player(BOB)]
    question = harness.newest(ALICE, "confirm")
    assert "join tournament autumn" in question.text
    harness.answer(question, "yes")
    assert entrants(harness, uid) == [harness.player(BOB), harness.player(ALICE)]
    answer = flat(harness.newest(ALICE, "answer"))
    assert (
        "You take part in Autumn, as number 2." in answer and "The anchor of its chance" in answer
    )


def test_R16_an_entrant_of_phoenix_wishes_for_colours(harness: MailHarness) -> None:
    uid = entered(harness, matches=Wish("phoenix", "", {}))
    for line, told in (
        ("join tournament autumn prefer green, red", "Green, then Red"),
        (f"join tournament {uid} prefer pink", "Pink"),
    ):
        if harness.write(ALICE, SERVICE, line).disposition == "asked":
            harness.answer(harness.newest(ALICE, "confirm"), "yes")
        assert (
            "You take part in Autumn, as number 1. A letter tells you when it begins. You wished"
            f" for {told}." in flat(harness.newest(ALICE, "answer"))
        )


def test_a_letter_of_the_tournament_can_be_answered_with_leaving(harness: MailHarness) -> None:
    uid = begun(harness, ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "tournament"), f"leave tournament {uid}")
    harness.answer(harness.newest(ALICE, "confirm"), "yes")
    assert entrants(harness, uid) == [harness.player(BOB), harness.player(CHARLIE)]
    assert "The next rounds of Autumn are played without you." in flat(
        harness.newest(ALICE, "answer")
    )


def test_status_tells_standings_tables_and_the_cross_table(harness: MailHarness) -> None:
    uid = begun(harness, ALICE, BOB, CHARLIE)
    play_round(harness, uid)
    harness.write(ALICE, SERVICE, f"status tournament {uid}")
    answer = flat(harness.newest(ALICE, "answer"))
    assert (
        "Autumn is in round 2. You take part." in answer
        and "Cross-table" in answer
        and "Round robin" in answer
    )
    assert "Round 2" in answer and "Sitting out" in answer and "Bob" in answer
    harness.write("mallory@example.org", SERVICE, f"status tournament {uid}")
    stranger = flat(harness.newest("mallory@example.org", "answer"))
    assert "Entrant 2" in stranger and "Bob" not in stranger


def test_a_director_makes_the_next_season_and_its_players_are_told(harness: MailHarness) -> None:
    dora = "dora@example.org"
    uid = begun(harness, ALICE, BOB, CHARLIE, format_=League(3, 1))
    while row(harness, uid).status == "running":
        play_round(harness, uid)
    harness.write(dora, SERVICE, f"season tournament {uid}")
    harness.answer(harness.newest(dora, "confirm"), "yes")
    answer = flat(harness.newest(dora, "answer"))
    following = re.search(r"its short name is (\w+)\.", answer)
    assert following is not None and "Entries close in 14 days" in answer
    advance(harness, following[1])
    assert len(entrants(harness, following[1])) == 3
    letter = flat(harness.newest(ALICE, "tournament"))
    assert (
        "A new season takes entries" in letter
        and "in division 1 of 1" in letter
        and f"leave tournament {following[1]}" in letter
    )
    harness.write(ALICE, SERVICE, f"status tournament {uid}")
    assert "(division 1)" in flat(harness.newest(ALICE, "answer"))


def test_a_tournament_that_is_not_meant_clearly_is_refused_with_a_sentence(
    harness: MailHarness,
) -> None:
    first, second = entered(harness, BOB), made(harness)
    advance(harness, second)
    for line, said in (
        ("status tournament autumn", "Several tournaments have this name"),
        ("status tournament winter", "There is no such tournament"),
        ("status tournament", "It needs the name of a tournament"),
    ):
        harness.write(BOB, SERVICE, line)
        assert said in flat(harness.newest(BOB, "answer")), line
    assert first != second
