"""Clear letters: ready and wait, the right round, press, time zones, chance, the line beside a subject."""

import pytest

from adjudicator import catalogue
from adjudicator.mail.commands.recognition import COMMANDS
from adjudicator.mail.reading.bodies import markup
from adjudicator.service.base import rows
from adjudicator.service.base.tables import Player
from adjudicator.service.handover import takeovers
from adjudicator.service.matches import masters
from adjudicator.service.people import accounts
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat
from tests.mail.test_press import begun

DORA = "dora@example.net"
_ALL_HOLD = tuple(f"{unit} H" for unit in ["F Edi", "F Lon", "A Lvp", "F Kie", "A Ber", "A Mun", "A Vie", "A Bud", "F Tri"])


def test_a_complete_set_that_waits_says_how_to_be_ready(harness: MailHarness) -> None:
    harness.answer(begun(harness), *_ALL_HOLD)
    told = harness.newest(ALICE, "receipt")
    assert "write `ready`, and Spring 1901 closes as soon as everybody did" in flat(told) and "You have ordered everything" in told.html
    harness.later(seconds=1)
    harness.answer(told, "ready")
    assert "You are ready" in flat(harness.newest(ALICE, "answer"))


def test_a_players_own_wait_is_told(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "B3", "wait")
    told = harness.newest(ALICE, "receipt")
    assert "You are not ready, as you said: Round 1 waits for you until then. Write `ready`" in flat(told) and "as you said" in told.html


def test_a_plan_out_of_turn_is_not_told_that_it_is_waited_for(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="phoenix")
    waiting = next(who for who in (ALICE, BOB) if "owe orders" not in harness.newest(who).text)
    harness.answer(harness.newest(waiting, "report"), "roll")
    told = harness.newest(waiting, "receipt")
    assert "It is not your turn: what you sealed is played when it comes." in flat(told) and "not ready" not in told.text + told.html


def test_orders_for_a_closed_round_are_refused_by_its_own_name(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    first = harness.newest(ALICE, "report")
    harness.play_round("B2", "B3", "B3")
    harness.answer(first, "B3")
    told = harness.newest(ALICE, "receipt")
    assert told.subject == "[Evening Pyramid] Round 1: your orders were not taken"
    assert "Evening Pyramid, Round 1. You are seat 1" in flat(told) and "Round 2 is open until" in flat(told)
    assert "Round 1" in told.html and "Its own letter shows the position" in told.html


@pytest.mark.parametrize(
    ("kind", "told"), [("private", "`press france:`"), ("public", "`press all:` and write below it; everybody"), ("none", "")]
)
def test_the_first_letter_of_a_match_with_press_explains_it(harness: MailHarness, kind: str, told: str) -> None:
    report = begun(harness, kind)
    assert ("You can write to the others by letter" in flat(report)) == bool(told) and told in flat(report)
    assert ("You can write to the others by letter" in report.html) == bool(told)
    harness.later(hours=49)
    assert harness.close(harness.uid)
    assert "You can write to the others" not in harness.newest(ALICE, "report").text


def test_times_in_utc_for_want_of_a_zone_say_how_to_set_one(harness: MailHarness) -> None:
    harness.begin(ALICE, DORA, CHARLIE)
    report, hers = harness.newest(ALICE, "report"), harness.newest(DORA, "report")
    assert "(UTC)" in hers.text and "`zone Europe/Paris` to set it" in flat(hers) and "zone Europe/Paris" in hers.html
    assert "UTC" not in report.text
    harness.answer(hers, "zone UTC")
    harness.later(seconds=1)
    harness.answer(hers, "B3")
    told = harness.newest(DORA, "receipt")
    assert "(UTC)" in told.text and "zone is not known" not in flat(told)  # it was chosen


def test_the_first_letter_to_each_seat_holds_the_anchors_of_chance(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    with harness.database.read_tx() as session:
        anchors = rows.by_uid(session, harness.uid).anchors
    assert anchors is not None and set(anchors) == {"public", "hidden"}
    for who in (ALICE, BOB, CHARLIE):
        report = harness.newest(who, "report")
        assert all(f"\n  {anchor}\n" in report.text and f">{anchor}<" in report.html for anchor in anchors.values())
    harness.play_round("B2", "B3", "B3")
    assert anchors["public"] not in harness.newest(ALICE, "report").text


def test_lists_of_letters_show_a_sentence_beside_the_subject_that_no_reply_repeats(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "B3")
    for letter in (report, harness.newest(ALICE, "receipt")):
        before, _, after = letter.html.partition("-- Answer above this line --")
        assert "Round 1 is open until" in before or "You are ready" in before
        assert after and "Round 1 is open until" not in markup.html_to_text(letter.html).text.partition("Answer above")[0]


def test_who_chose_utc_is_told_apart_from_who_chose_nothing(harness: MailHarness) -> None:
    player = harness.player(DORA)
    with harness.database.write_tx() as session:
        assert accounts.set_zone(session, player, "UTC") == "Etc/UTC"
    with harness.database.read_tx() as session:
        assert session.get_one(Player, player).zone == "Etc/UTC"


def test_what_is_typed_stands_in_html_as_code_and_in_text_between_ticks(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "raedy <b>")
    told = harness.newest(ALICE, "receipt")
    assert "the command `ready`" in flat(told) and "`" not in told.html and ">ready</span>" in told.html and "<b>" not in told.html


def test_first_and_last_letters_say_what_a_reader_needs_then(harness: MailHarness) -> None:
    assert all(about.aim.startswith("The aim: ") and about.aim.endswith(".") for about in catalogue.ABOUTS)
    harness.begin(ALICE, BOB, CHARLIE)
    first = harness.newest(ALICE, "report")
    harness.answer(first, "nonsense")
    refused = harness.newest(ALICE, "receipt")
    masters.end_match(harness.database, harness.uid, None, "It is late", now=harness.later(minutes=1))
    assert harness.close(harness.uid)
    last = harness.newest(ALICE, "report")
    assert "The match is over" in last.subject
    cases = (
        ("the aim", first, "The aim: to keep pieces with more pips", True),
        ("the rules by mail", first, "`rules` in answer to this letter brings all rules", True),
        ("no next match yet", first, "`again`", False),
        ("the next match", last, "Answer with `again` to play the next match", True),
        ("the aim once", last, "The aim:", False),
        ("no seal of refused orders", refused, "Nothing was sealed by it. The attached receipt.json says so", True),
        ("nothing to keep of refused orders", refused, "Keep this letter", False),
    )
    for case, letter, told, there in cases:
        html = " ".join(markup.html_to_text(letter.html).text.split())
        assert (told in flat(letter)) == there and (told.replace("`", "") in html) == there, case
    assert harness.answer(last, "again").disposition == "commands" and "The next match is" in flat(harness.newest(ALICE, "answer"))


def test_help_to_a_stranger_names_every_game_and_command_and_is_not_cut(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "help")
    letter = harness.newest(DORA, "answer")
    told = flat(letter)
    wanted = [*(f"join {about.key} {about.title}" for about in catalogue.ABOUTS)]
    wanted += [command.usage for command in COMMANDS if not command.seated]
    assert [each for each in wanted if each not in told] == []
    assert "This answer is short" not in told and len(letter.text) < 3_000


def test_questions_of_the_same_words_are_spelled_once(harness: MailHarness) -> None:
    harness.begin(*(f"p{number}@example.net" for number in range(6)), ALICE, game="rsp-diplomacy")
    told = harness.newest(ALICE, "report")
    spelled = [told.text.count(f"{word} ") for word in ("  Rock A", "  Scissors A", "  Paper A", "An order like this: Rock")]
    assert told.text.count("its characteristic") == told.html.count("its characteristic") >= 3
    assert sum(spelled[:3]) <= 3 and spelled[3] == told.html.count("An order like this") == told.text.count("its characteristic") - 1


def test_who_takes_a_seat_over_is_told_each_order_once(harness: MailHarness) -> None:
    """Where results do not tell what conflicts bring to light, the story stays instead."""
    for game, kept, left in (("diplomacy", "A Mar-Bur", "to Burgundy"), ("rsp-diplomacy", "to Burgundy", "A Mar-Bur")):
        uid = harness.begin(ALICE, BOB, game=game)
        for who in (ALICE, BOB):
            harness.order(uid, who, "A Mar - Bur")
        harness.later(hours=49)
        assert harness.close(uid)
        seat = next(row.name for row in harness.seats(uid) if row.player_id == harness.player(BOB))
        harness.answer(harness.newest(BOB, "report"), f"resign {seat}")
        takeovers.take_seat(harness.database, uid, harness.player(f"new-{game}@example.net"), now=harness.later(minutes=1))
        told = flat(harness.newest(f"new-{game}@example.net", "report")).partition(" Spring 1901 ")[2].partition(" The table ")[0]
        assert kept in told and left not in told and "default was played for" in told, f"{game}: {told}"
