"""Wishes by letter: `join ... prefer`, `accept prefer` and `prefer`, and the first letter, which says what came of them."""

import pytest

from adjudicator.mail.commands import run
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.matches.creation import Wish
from tests.mail.mail_harness import ALICE, BOB, SERVICE, MailHarness

DORA = "dora@example.net"


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def gathering(office: MailHarness, players: int = 3, **wish: object) -> str:
    asked = Wish("diplomacy", "Europe", {}, players=players, **wish)  # type: ignore[arg-type]
    return office.prepare_match(asked, ALICE)


def ask(office: MailHarness, who: str, line: str) -> str:
    """Write a line to the service, say yes to its question, and return the answer; what can only fail is not asked about."""
    if office.write(who, SERVICE, line).disposition == "asked":
        office.answer(office.newest(who, "confirm"), "yes")
    return flat(office.newest(who, "answer"))


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
    assert run.find(line) is not None


@pytest.mark.parametrize("line", ["accept that they prefer France", "I prefer france", "join me if you prefer that", "stop prefer france"])
def test_a_sentence_that_prefers_something_is_none(line: str) -> None:
    assert run.find(line) is None


def test_R16_who_wishes_is_given_no_table_whose_seats_go_by_the_order_of_joining(office: MailHarness) -> None:
    """Phoenix: such a table was made before, or by somebody who chose so."""
    asked = Wish("phoenix", "Birds", {}, players=2, seating="order")
    uid = office.prepare_match(asked, ALICE)
    assert "A new table of RPS Phoenix was laid for you" in (told := ask(office, DORA, "join phoenix 2 prefer blue"))
    assert "You wished for Blue." in told
    assert office.seats(uid)[1].player_id is None
    assert "You have seat Blue in Birds" in ask(office, BOB, f"join {uid}")


def test_join_takes_a_seat_with_wishes_and_tells_how_seats_are_given(office: MailHarness) -> None:
    uid = gathering(office)
    told = ask(office, DORA, "join diplomacy 3 prefer russia, france")
    assert office.seats(uid)[1].wishes == ["RUSSIA", "FRANCE"]
    assert "You have a seat in Europe. England (with Germany and Austria), France (with Turkey) and Russia (with Italy) are given" in told
    assert "You wished for Russia, then France." in told


def test_a_game_may_be_named_by_how_it_begins(office: MailHarness) -> None:
    uid = gathering(office)
    assert "You have a seat in Europe." in ask(office, DORA, "join dipl 3")
    assert office.seats(uid)[1].player_id is not None


def test_join_passes_over_a_table_at_which_the_wish_is_not_played(office: MailHarness) -> None:
    uid = gathering(office)
    told = ask(office, DORA, "join diplomacy prefer italy")
    assert office.seats(uid)[1].player_id is None
    assert "A new table of Diplomacy was laid for you, with 2 days for each phase, 24 hours for retreats and builds." in told
    assert "You wished for Italy." in told


def test_wishes_for_what_is_nowhere_played_are_refused_with_what_is(office: MailHarness) -> None:
    uid = gathering(office)
    assert "“spain” is not played in this match; wish for England, France or Russia." in ask(office, DORA, f"join {uid} prefer spain")
    assert "After `prefer` stand the names" in ask(office, BOB, "join diplomacy prefer")
    office.later(hours=1)
    assert "taken in the order of joining, so none can be wished for" in ask(office, BOB, "join pyramid prefer red")
    assert office.seats(uid)[1].player_id is None


def test_an_invitation_is_accepted_with_wishes_and_they_can_be_changed_in_answer(office: MailHarness) -> None:
    uid = gathering(office, invited=(DORA,))
    invitation = office.newest(DORA, "invitation")
    assert "It is in Europe, a match of Diplomacy." in flat(invitation) and "`accept prefer` and names" in flat(invitation)
    office.answer(invitation, "accept prefer france")
    assert office.seats(uid)[1].wishes == ["FRANCE"]
    office.later(seconds=1)
    office.answer(office.newest(DORA, "answer"), "prefer england, russia")
    assert office.seats(uid)[1].wishes == ["ENGLAND", "RUSSIA"]
    assert "You wished for England, then Russia." in flat(office.newest(DORA, "answer"))


def test_wishes_are_changed_by_the_short_name_of_the_match(office: MailHarness) -> None:
    uid = gathering(office)
    assert "You wished for France." in ask(office, ALICE, f"prefer {uid} france")
    assert office.seats(uid)[0].wishes == ["FRANCE"]
    assert "It needs the match’s short name" in ask(office, ALICE, "prefer")


def test_the_first_letter_tells_what_one_plays_and_whether_it_was_wished(office: MailHarness) -> None:
    uid = gathering(office, house=2)
    ask(office, ALICE, f"prefer {uid} russia")
    assert office.start_match(uid)
    letter = flat(office.newest(ALICE, "report"))
    assert "You play Russia, your first wish. You command Russia and Italy." in letter
    assert "Diplomacy. You are Russia." in letter and "Russia is Alice (you)" in letter and "RUSSIA" not in letter


def test_letters_to_the_place_one_took_still_reach_the_seat_one_was_given(office: MailHarness) -> None:
    uid = gathering(office, invited=(DORA,), house=1)
    office.answer(office.newest(DORA, "invitation"), "accept prefer england")
    assert office.start_match(uid)
    older = office.newest(DORA, "answer")
    assert office.answer(older, "F LON - NTH").disposition == "orders"
    assert "You are England" in flat(office.newest(DORA, "receipt"))
