"""Preferences by letter: `join ... prefer`, `accept prefer` and `prefer`, and the first letter with
their outcome.
"""

import pytest

from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.matches.creation import Wish
from tests.mail.mail_harness import ALICE, BOB, SERVICE, MailHarness

DORA = "dora@example.net"


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def gathering(harness: MailHarness, players: int = 3, **wish: object) -> str:
    asked = Wish("diplomacy", "Europe", {}, players=players, **wish)  # type: ignore[arg-type]
    return harness.prepare_match(asked, ALICE)


def ask(harness: MailHarness, who: str, line: str) -> str:
    """Write a line to the service, say yes to its question, and return the answer; what can only
    fail is not asked about.
    """
    if harness.write(who, SERVICE, line).disposition == "asked":
        harness.answer(harness.newest(who, "confirm"), "yes")
    return flat(harness.newest(who, "answer"))


@pytest.mark.parametrize(
    "line",
    [
        "join diplomacy 7 prefer france england",
        "join rsp 4 short house prefer france",
        "Join diplomacy prefer France, England, Italy.",
        "join k3m7p2qrs prefer france",
        "accept prefer austria, england, france, germany, italy, russia, turkey",
        "prefer k3m7p2qrs france england",
        "prefer fra",
    ],
)
def test_a_line_with_wishes_is_a_command(line: str) -> None:
    assert find_command(line) is not None


@pytest.mark.parametrize(
    "line",
    [
        "accept that they prefer France",
        "I prefer france",
        "join me if you prefer that",
        "stop prefer france",
    ],
)
def test_a_sentence_that_prefers_something_is_none(line: str) -> None:
    assert find_command(line) is None


def test_R16_who_wishes_is_given_no_table_whose_seats_go_by_the_order_of_joining(
    harness: MailHarness,
) -> None:
    """Phoenix: such a table was made before, or by somebody who chose so."""
    asked = Wish("phoenix", "Birds", {}, players=2, seating="order")
    uid = harness.prepare_match(asked, ALICE)
    assert "A new table of RPS Phoenix was laid for you" in (
        told := ask(harness, DORA, "join phoenix 2 prefer blue")
    )
    assert "You wished for Blue." in told
    assert harness.seats(uid)[1].player_id is None
    assert "You have seat Blue in Birds" in ask(harness, BOB, f"join {uid}")


def test_R16_any_colour_of_phoenix_is_wished_for_by_two(harness: MailHarness) -> None:
    asked = Wish("phoenix", "Birds", {}, players=2, wishes=("pink",))
    uid = harness.prepare_match(asked, ALICE)
    told = ask(harness, DORA, "join phoenix 2 prefer green blue")
    assert "You have a seat in Birds. 2 of Red, Blue, Pink and Green are given as it begins" in told
    assert harness.start_match(uid)
    assert [row.name for row in harness.seats(uid)] == ["Pink", "Green"]
    assert "You have seat Green, your first wish." in flat(harness.newest(DORA, "report"))


def test_join_takes_a_seat_with_wishes_and_tells_how_seats_are_given(harness: MailHarness) -> None:
    uid = gathering(harness)
    told = ask(harness, DORA, "join diplomacy 3 prefer russia, france")
    assert harness.seats(uid)[1].wishes == ["RUSSIA", "FRANCE"]
    assert (
        "You have a seat in Europe. England (with Germany and Austria), France (with Turkey) and"
        " Russia (with Italy) are given" in told
    )
    assert "You wished for Russia, then France." in told


def test_a_game_may_be_named_by_how_it_begins(harness: MailHarness) -> None:
    uid = gathering(harness)
    assert "You have a seat in Europe." in ask(harness, DORA, "join dipl 3")
    assert harness.seats(uid)[1].player_id is not None


def test_join_passes_over_a_table_at_which_the_wish_is_not_played(harness: MailHarness) -> None:
    uid = gathering(harness)
    told = ask(harness, DORA, "join diplomacy prefer italy")
    assert harness.seats(uid)[1].player_id is None
    assert "A new table of Diplomacy was laid for you." in told
    assert "Time: 2 days for each phase, 24 hours for retreats and builds at most" in told
    assert "You wished for Italy." in told


def test_wishes_for_what_is_nowhere_played_are_refused_with_what_is(harness: MailHarness) -> None:
    uid = gathering(harness)
    assert "“spain” is not played in this match; wish for England, France or Russia." in ask(
        harness, DORA, f"join {uid} prefer spain"
    )
    assert "After `prefer` stand the names" in ask(harness, BOB, "join diplomacy prefer")
    harness.later(hours=1)
    assert "taken in the order of joining, so none can be wished for" in ask(
        harness, BOB, "join pyramid prefer red"
    )
    assert harness.seats(uid)[1].player_id is None


def test_an_invitation_is_accepted_with_wishes_and_they_can_be_changed_in_answer(
    harness: MailHarness,
) -> None:
    uid = gathering(harness, invited=(DORA,))
    invitation = harness.newest(DORA, "invitation")
    assert "It is in Europe, a match of Diplomacy." in flat(
        invitation
    ) and "`accept prefer` and names" in flat(invitation)
    harness.answer(invitation, "accept prefer france")
    assert harness.seats(uid)[1].wishes == ["FRANCE"]
    harness.later(seconds=1)
    harness.answer(harness.newest(DORA, "answer"), "prefer england, russia")
    assert harness.seats(uid)[1].wishes == ["ENGLAND", "RUSSIA"]
    assert "You wished for England, then Russia." in flat(harness.newest(DORA, "answer"))


def test_wishes_are_changed_by_the_short_name_of_the_match(harness: MailHarness) -> None:
    uid = gathering(harness)
    assert "You wished for France." in ask(harness, ALICE, f"prefer {uid} france")
    assert harness.seats(uid)[0].wishes == ["FRANCE"]
    assert "It needs the match’s short name" in ask(harness, ALICE, "prefer")


def test_the_first_letter_tells_what_one_plays_and_whether_it_was_wished(
    harness: MailHarness,
) -> None:
    uid = gathering(harness, house=2)
    ask(harness, ALICE, f"prefer {uid} russia")
    assert harness.start_match(uid)
    letter = flat(harness.newest(ALICE, "report"))
    assert "You play Russia, your first wish. You command Russia and Italy." in letter
    assert (
        "Diplomacy. You are Russia." in letter
        and "Russia is Alice (you)" in letter
        and "RUSSIA" not in letter
    )


def test_letters_to_the_place_one_took_still_reach_the_seat_one_was_given(
    harness: MailHarness,
) -> None:
    uid = gathering(harness, invited=(DORA,), house=1)
    harness.answer(harness.newest(DORA, "invitation"), "accept prefer england")
    assert harness.start_match(uid)
    older = harness.newest(DORA, "answer")
    assert harness.answer(older, "F LON - NTH").disposition == "orders"
    assert "You are England" in flat(harness.newest(DORA, "receipt"))
