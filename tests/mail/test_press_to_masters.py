"""Letters between seats and masters, and the commands `mute`, `report` and `warn`."""

import pytest

from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press.messages import press_page
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_masters import DORA, EVE, flat, masters_address, notes, told


def begun(
    harness: MailHarness, kind: str = "private", *, plays: bool = False, **rules: bool
) -> Posted:
    """Begin a match of Alice (England), Bob (France) and Charlie (Russia), run by Dora or by Alice;
    return Bob's first report.
    """
    wish = Wish(
        "diplomacy",
        "Long Table",
        {"press": kind},
        players=3,
        seating="order",
        play=plays,
        press=PressWish(**rules),
    )
    people = (BOB, CHARLIE) if plays else (ALICE, BOB, CHARLIE)
    harness.uid = harness.prepare_match(wish, ALICE if plays else DORA, *people)
    assert harness.start_match(harness.uid)
    return harness.newest(BOB, "report")


def read(harness: MailHarness, who: str) -> list[str]:
    with harness.database.read_tx() as session:
        return [
            " / ".join(note.lines)
            for note in press_page(session, harness.uid, harness.player(who)).notes
        ]


def test_a_masters_first_letter_tells_how_to_run_the_match_and_its_answer_does(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    begun(harness)
    letter = harness.newest(DORA, "running")
    assert letter.subject == "[Long Table] You run this match" and harness.reply_to(
        letter
    ) == masters_address(harness, DORA)
    harness.answer(letter, "pause")
    assert notes(harness) == ["Dora paused the match in Spring 1901"]


def test_who_runs_a_match_as_a_guest_or_plays_in_it_gets_no_such_letter(
    harness: MailHarness,
) -> None:
    begun(harness, plays=True)
    assert harness.letters("running") == []


def test_press_to_the_master_and_a_plain_answer_to_it(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    harness.answer(begun(harness), "press master:", "May I leave for a week?")
    assert "Sent to the master. It goes to the master alone." in told(harness, BOB)
    arrived = harness.newest(DORA, "press")
    assert (
        "France writes to you:\n\n  May I leave for a week?\n" in arrived.text
        and "You run this match." in flat(arrived)
    )
    assert (
        arrived.subject == "[Long Table] Press from France, Spring 1901"
        and "+m-" in harness.reply_to(arrived)
    )
    assert harness.answer(arrived, "You may.", "Tell the others.").disposition == "commands"
    back = harness.newest(BOB, "press")
    assert (
        "The master writes to you:\n\n  You may.\n" in back.text
        and "it goes to the master alone" in flat(back)
    )
    harness.answer(back, "Thank you so much.")
    assert (
        read(harness, DORA)
        == ["Thank you so much.", "You may. / Tell the others.", "May I leave for a week?"]
        == read(harness, BOB)
    )
    assert notes(harness) == ["Dora wrote to France"] and read(harness, ALICE) == []


def test_orders_may_stand_above_press_to_the_master(harness: MailHarness) -> None:
    assert (
        harness.answer(begun(harness), "A Par - Bur", "press master: A question.").disposition
        == "orders"
    )
    assert read(harness, DORA) == ["A question."]


def test_a_masters_answer_that_may_be_a_command_is_asked_about(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press master: Can you wait?")
    harness.answer(harness.newest(DORA, "press"), "pause", "I did.")
    assert "It may be an order or a command" in told(harness, DORA) and notes(harness) == []


def test_the_master_writes_to_all_and_to_one_at_the_masters_address(harness: MailHarness) -> None:
    begun(harness)
    address = masters_address(harness, DORA)
    harness.write(
        DORA,
        address,
        "press all:",
        "Happy new year!",
        "end press",
        "press russia: Answer, please.",
        "end press",
        "pause",
    )
    assert notes(harness) == [
        "Dora paused the match in Spring 1901",
        "Dora wrote to all",
        "Dora wrote to Russia",
    ]
    assert read(harness, CHARLIE) == ["Answer, please.", "Happy new year!"] and read(
        harness, ALICE
    ) == ["Happy new year!"]


def test_a_playing_master_writes_as_master_below_write_and_as_the_seat_below_press(
    harness: MailHarness,
) -> None:
    begun(harness, plays=True)
    report = harness.newest(ALICE, "report")
    harness.answer(
        report, "write france:", "As master.", "end write", "press france:", "As England."
    )
    assert read(harness, BOB) == ["As England.", "As master."] and notes(harness) == [
        "Alice wrote to France"
    ]
    subjects = [letter.subject for letter in harness.letters("press", BOB)] or [
        harness.newest(BOB, "press").subject
    ]
    harness.post_all()
    subjects = [letter.subject for letter in harness.letters("press", BOB)]
    assert sorted(subjects) == [
        "[Long Table] Press from England, Spring 1901",
        "[Long Table] Press from the master, Spring 1901",
    ]


def test_write_is_a_plain_word_for_who_runs_no_match(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "write russia: Who is there?")
    assert read(harness, CHARLIE) == [] and notes(harness) == []


def test_press_to_the_master_goes_where_the_match_has_none(harness: MailHarness) -> None:
    report = begun(harness, "none")
    harness.answer(report, "press russia: Peace?")
    assert "`press master:` writes to its master" in told(harness, BOB)
    harness.answer(report, "press master: A question.")
    assert read(harness, DORA) == ["A question."]


def test_press_that_rests_says_when_it_opens(harness: MailHarness) -> None:
    report = begun(harness, rulebook=True)
    assert "No press in retreats and builds." in flat(report)
    for orders in ("F Bre - MAO", "F MAO - Por"):
        harness.order(harness.uid, BOB, orders)
        harness.later(hours=49)
        assert harness.close(harness.uid)
    harness.answer(harness.newest(BOB, "report"), "press russia: Peace?")
    assert "It opens again after them; Autumn 1901 builds ends on" in told(harness, BOB).replace(
        "Winter", "Autumn"
    )
    assert read(harness, CHARLIE) == []


def test_who_reads_all_press_gets_copies_that_say_so(harness: MailHarness) -> None:
    report = begun(harness, overseen=True)
    assert (
        "dora, who runs this match and does not play, reads all of its press"
        in flat(report).lower()
    )
    harness.answer(report, "press russia: Our secret.")
    copy = harness.newest(DORA, "press")
    assert "France writes to Russia" in flat(
        copy
    ) and "You get this copy because you read all press of this match." in flat(copy)
    assert harness.answer(copy, "I have read this.").disposition == "empty"
    assert read(harness, CHARLIE) == ["Our secret."]


def test_mute_by_letter_hides_a_seat_and_its_player_is_told_nothing(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "mute russia", "mute france", "mute spain")
    answer = told(harness, BOB)
    assert (
        "The press of Russia is muted." in answer
        and "is your own seat" in answer
        and "“spain” has no seat" in answer
    )
    harness.answer(harness.newest(CHARLIE, "report"), "press france: Peace?")
    assert (
        "Sent to France." in told(harness, CHARLIE)
        and harness.letters("press", BOB) == []
        and read(harness, BOB) == []
    )
    harness.answer(report, "unmute russia")
    assert read(harness, BOB) == ["Peace?"]


def test_mute_with_the_matchs_short_name_is_asked_about(harness: MailHarness) -> None:
    begun(harness)
    assert harness.write(BOB, SERVICE, f"mute {harness.uid} russia").disposition == "asked"
    harness.answer(harness.newest(BOB, "confirm"), "yes")
    with harness.database.read_tx() as session:
        assert press_page(session, harness.uid, harness.player(BOB)).muted == ("RUSSIA",)


def test_report_by_letter_brings_the_text_and_the_reason_to_the_master_once(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    harness.answer(begun(harness), "press russia: You fool!")
    arrived = harness.newest(CHARLIE, "press")
    harness.answer(arrived, "report: He is rude!")
    assert "The text was reported to the match’s master" in told(harness, CHARLIE)
    letter = harness.newest(DORA, "reported")
    assert "Russia reports a text to you: He is rude!." in flat(letter).replace(
        "rude!", "rude!"
    ) or "He is rude" in flat(letter)
    assert "  You fool!\n" in letter.text and harness.reply_to(letter) == masters_address(
        harness, DORA
    )
    harness.answer(arrived, "report: Again.")
    assert (
        "You reported this text before" in told(harness, CHARLIE)
        and len(harness.letters("reported")) == 1
    )
    harness.answer(letter, "warn france: Be polite.")
    assert notes(harness) == ["Dora warned France: Be polite"] and read(harness, BOB) == [
        "Warning: Be polite.",
        "You fool!",
    ]


def test_a_report_that_answers_no_press_says_how_it_is_written(harness: MailHarness) -> None:
    harness.answer(begun(harness), "report: Rude.")
    assert "in answer to a letter that brought press" in told(harness, BOB)


@pytest.mark.parametrize(
    "line", ["warn {uid} france: buy cheap pills", "warn {uid} france: see www.example.net"]
)
def test_free_text_of_a_forged_letter_is_repeated_to_nobody(
    harness: MailHarness, line: str
) -> None:
    begun(harness)
    harness.player(EVE)
    harness.write(EVE, SERVICE, line.format(uid=harness.uid))
    answer = harness.newest(EVE, "answer").text
    assert (
        "Only the master of this match may do that." in " ".join(answer.split())
        and "pills" not in answer
        and "www" not in answer
    )


def test_warn_needs_a_reason_and_a_master(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "warn russia: slow")
    assert "Only the master of this match may do that." in told(harness, BOB)
    harness.write(DORA, masters_address(harness, DORA), "warn russia")
    assert "It needs a seat and a reason" in told(harness, DORA) and notes(harness) == []
