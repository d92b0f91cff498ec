"""Every game by letter alone, from the first phase to the standing: each letter says what can be
answered, and each answer is accepted.
"""

import random

import pytest

from adjudicator.mail.composing.rendering import MOST_SPELLED
from adjudicator.service.views import match_page
from adjudicator.service.views.match_page import MatchPage
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, fixed_match

PLAYERS = {ALICE: "Alice", BOB: "Bob"}
GAMES = {
    "redeux": {"risk": "ask", "target": 50, "tie_limit": 2},
    "phoenix": {"turn_limit": 6, "escalation": 5},
    "genesis": {"turn_limit": 3, "ideas": 8},
}


def page(harness: MailHarness, address: str) -> MatchPage:
    with harness.database.read_tx() as session:
        return match_page.match_page(session, harness.uid, harness.player(address))


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_a_whole_match_by_letter(harness: MailHarness, game: str) -> None:
    with fixed_match(f"{game}22"):
        harness.begin(*PLAYERS, game=game, name="By letter", **GAMES[game])
    dice, answered = random.Random(game), 0
    while page(harness, ALICE).card.status == "running":
        owing = [(address, owed) for address in PLAYERS if (owed := page(harness, address).owed)]
        assert owing, "somebody is due while the match runs"
        for address, owed in owing:
            report = harness.newest(address, "report")
            assert "you owe orders by" in report.subject and owed.phase in report.subject
            asked = [slot for slot in owed.slots if not slot.optional]
            chosen = [dice.choice(slot.choices) for slot in asked]
            for slot, choice in zip(asked, chosen, strict=True):
                told = slot.hint if len(slot.choices) > MOST_SPELLED else choice.text
                assert told and told in flat(report.text), (
                    "the letter spells what can be ordered, or says how it is written"
                )
            assert (
                harness.answer(report, *(choice.text for choice in chosen)).disposition == "orders"
            )
            answered += 1
        assert harness.close(harness.uid)
    assert answered > 6
    for address in PLAYERS:
        last = harness.newest(address, "report")
        assert (
            "The match is over" in last.text
            and "The final standing" in last.text
            and "/rules/" + game in last.text
        )


def test_phoenix_a_whole_turn_is_played_by_one_letter(harness: MailHarness) -> None:
    with fixed_match("letter22"):
        harness.begin(ALICE, BOB, game="phoenix", name="One letter", turn_limit=30)
    while not page(harness, ALICE).card.phase.startswith("Turn 7"):
        address = next(each for each in PLAYERS if page(harness, each).owed)
        owed = page(harness, address).owed
        assert owed is not None
        harness.answer(harness.newest(address, "report"), owed.slots[0].choices[0].text)
        assert harness.close(harness.uid)
    address = next(each for each in PLAYERS if page(harness, each).owed)
    turn = page(harness, address).card.phase
    anything = (
        "move rock OR move paper OR move scissors OR place rock OR place paper OR place scissors OR"
        " stay"
    )
    harness.answer(harness.newest(address, "report"), f"roll THEN {anything}")
    assert harness.close(harness.uid)
    assert page(harness, address).owed is None and page(harness, address).card.phase != turn
    assert [
        phase.name for phase in page(harness, address).phases if phase.name.startswith(turn)
    ] == [turn, f"{turn} after the roll"]


def test_a_seat_that_neither_acts_nor_owes_is_told_of_all_in_its_next_letter(
    harness: MailHarness,
) -> None:
    with fixed_match("three22"):
        harness.begin(ALICE, BOB, CHARLIE, game="phoenix", name="Three in turn")
    order = []
    for _ in range(3):
        address = next(each for each in (ALICE, BOB, CHARLIE) if page(harness, each).owed)
        owed = page(harness, address).owed
        assert owed is not None
        harness.answer(harness.newest(address, "report"), owed.slots[0].choices[0].text)
        assert harness.close(harness.uid)
        order.append(address)
    first, second, third = order
    counts = {
        address: (harness.post_all(), len(harness.letters("report", address)))[1]
        for address in order
    }
    assert counts == {
        first: 3,
        second: 3,
        third: 3,
    }, "the start, the own turn's outcome, and the turn that begins"
    told = harness.letters("report", third)[1].text
    assert "Turn 1, " in told and "Turn 2, " in told, (
        "what happened while this seat had nothing to do"
    )
    assert flat(told).index("Turn 1, ") < flat(told).rindex("Turn 2, ")


def test_genesis_a_letter_gives_an_example_where_there_are_too_many_choices_and_lists_no_choice_twice(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, game="genesis", name="The World")
    for order in ("birth anubis b2 bastet d2", "birth anubis b4 bastet d4"):
        address = next(each for each in PLAYERS if page(harness, each).owed)
        report = harness.newest(address, "report")
        example = report.text.partition("An order like this: ")[2].partition("\n")[0]
        assert harness.answer(report, example).disposition == "orders", (
            "the second seat's example is legal beside the first one's birth"
        )
        harness.answer(report, order)
        assert harness.close(harness.uid)
    address = next(each for each in PLAYERS if page(harness, each).owed)
    report = harness.newest(address, "report")
    harness.answer(report, "status")
    for letter in (report.text, harness.newest(address, "answer").text):
        asked = flat(letter).index("does your other piece move, too?")
        assert (
            "One of the orders above." in letter
            and "anubis b3" in flat(letter)[:asked]
            and "anubis b3" not in flat(letter)[asked:]
        )


def test_an_order_is_read_through_what_a_phone_puts_around_it(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    assert (
        harness.answer(harness.newest(ALICE, "report"), "🔥 Ｂ３!!! # here we go 🚀").disposition
        == "orders"
    )
    assert (
        "This is round 1" not in (told := flat(harness.newest(ALICE, "receipt").text))
        and "Round 1: B3" in told
    )
    assert "What was not taken" not in told and "You are ready" in told
