"""Letters with almost a command, with commands that can only fail, or from an unproved address."""

import pytest

from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import DORA, flat, open_table, player
from tests.mail.test_press import begun

MOST_TEXT = 3_000  # characters of an answer to an address that only From gives


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("jion pyramid", "If you mean `join pyramid`, write just that"),
        ("I want to play diplomacy", "If you mean `join diplomacy`, write just that"),
        ("subscribe", "`join pyramid`, on a line of its own, takes a seat."),
        ("Can I play?", "`join pyramid`, on a line of its own, takes a seat."),
        ("hi, how does this work?", "`join pyramid`, on a line of its own, takes a seat."),
        ("?", "`join pyramid`, on a line of its own, takes a seat."),
    ],
)
def test_a_newcomers_near_miss_has_one_short_answer_a_day(
    harness: MailHarness, line: str, told: str
) -> None:
    assert harness.write(DORA, SERVICE, line).disposition == "empty"
    letter = harness.newest(DORA, "answer")
    assert told in flat(letter) and "`help` lists all that you can write" in flat(letter)
    assert letter.subject == "How to play by letter" and len(letter.text) < 1_000
    harness.later(hours=1)
    assert harness.write(DORA, SERVICE, line).disposition == "discarded" and harness.post_all() == 0
    harness.later(days=1)
    assert harness.write(DORA, SERVICE, line).disposition == "empty" and harness.post_all() == 1
    assert player(harness, DORA) is None


def test_a_newcomers_near_miss_may_stand_in_the_subject(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "", subject="I would like to play phoenix")
    assert "`join phoenix`" in flat(harness.newest(DORA, "answer"))


def test_a_player_is_told_what_a_slip_was_meant_as(harness: MailHarness) -> None:
    harness.player(ALICE)
    harness.write(ALICE, SERVICE, "staus")
    assert "Did you mean `status`?" in flat(harness.newest(ALICE, "answer"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("join rock paper", "There is neither a game nor a match called “rock paper” here."),
        ("join chess", "There is neither a game nor a match called “chess” here."),
        ("join pyramid 9", "A table of Rock Paper Pyramid has 3 seats"),
        ("zone Europe/Pariss", "is no time zone known here"),
        ("leave k3m7p2qrs", ""),
        ("accept", "There is no invitation to accept here"),
    ],
)
def test_what_can_only_fail_is_refused_at_once(
    harness_on_both: MailHarness, line: str, why: str
) -> None:
    harness = harness_on_both
    harness.player(ALICE)
    assert harness.write(ALICE, SERVICE, line).disposition == "commands"
    told = flat(harness.newest(ALICE, "answer"))
    assert "What could not be done" in told and f"“{line}”" in told and why in told
    assert harness.letters("confirm") == []


def test_of_several_commands_only_those_that_can_be_done_are_asked_about(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    uid = open_table(harness)
    assert (
        harness.write(DORA, SERVICE, "join pyramid", "zone Asia/Tokyo", "join chess").disposition
        == "commands"
    )
    question = harness.newest(DORA, "confirm")
    assert (
        "join pyramid" in question.text
        and "zone Asia/Tokyo" in question.text
        and "“join chess”" in question.text
    )
    assert player(harness, DORA) is None  # the trial was rolled back
    harness.answer(question, "yes")
    dora = player(harness, DORA)
    assert dora is not None and dora.zone == "Asia/Tokyo" and f"({uid})" not in question.text


@pytest.mark.parametrize("game", ["pyramid", "diplomacy", "genesis", "phoenix", "redeux"])
def test_slips_in_a_seats_letter_are_told_as_the_commands_they_resemble(
    harness: MailHarness, game: str
) -> None:
    people = (ALICE, BOB, CHARLIE) if game == "pyramid" else (ALICE, BOB)
    harness.begin(*people, game=game)
    harness.answer(harness.newest(ALICE, "report"), "raedy", "staus", "bereit")
    told = flat(harness.newest(ALICE, "receipt"))
    for line, command in (("raedy", "ready"), ("staus", "status"), ("bereit", "ready")):
        assert (
            f"“{line}”: It is no order, but it looks like the command `{command}`, which is written"
            " just so." in told
        )


def test_a_slip_beside_orders_is_told_and_the_orders_count(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "F Lon - NTH", "claer", "A Lvp hold")
    told = flat(harness.newest(ALICE, "receipt"))
    assert "looks like the command `clear`" in told and "F LON - NTH" in told


_SHORT_LETTERS = (
    ["rules genesis"],
    ["rules diplomacy"],
    ["rules genesis ru"],
    ["help"],
    ["history UID"],
    ["status UID"],
    ["status"],
    ["help"] * 20,
    ["rules pyramid", "help", "status UID", "history UID"],
    ["join chess"] * 20,
    ["join pyramid"] * 20,
    ["zone X"] * 30,
)


def test_answers_to_an_address_that_only_from_gives_are_small(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="diplomacy")
    harness.later(days=3)
    assert harness.close(harness.uid)
    for lines in _SHORT_LETTERS:
        harness.later(minutes=150)
        harness.write(ALICE, SERVICE, *(line.replace("UID", harness.uid) for line in lines))
        harness.post_all()
        answer = harness.letters(to=ALICE)[-1]
        assert answer.name in [
            each.name for kind in ("answer", "confirm") for each in harness.letters(kind, ALICE)
        ], lines
        assert (
            len(answer.text) <= MOST_TEXT and len(harness.message(answer.name).as_bytes()) < 20_000
        ), lines


def test_the_rules_are_a_link_to_who_only_from_names_and_an_article_to_a_seat(
    harness: MailHarness,
) -> None:
    harness.write(DORA, SERVICE, "rules genesis ru")
    told = harness.newest(DORA, "answer")
    assert (
        "https://orders.example.org/rules/genesis/ru" in told.text
        and "https://orders.example.org/rules/genesis" in told.html
    )
    harness.begin(ALICE, BOB, game="genesis")
    harness.answer(harness.newest(ALICE, "report"), "rules")
    assert len(harness.newest(ALICE, "answer").text) > 10_000


@pytest.mark.parametrize(
    "line",
    [
        "Hello",
        "Play and win 500 euros today",
        "I would like to work with you",
        "Can we start with a call about your mortgage?",
        "thanks",
    ],
)
def test_talk_of_a_stranger_has_no_answer(harness: MailHarness, line: str) -> None:
    assert harness.write(DORA, SERVICE, line).disposition == "discarded" and harness.post_all() == 0
