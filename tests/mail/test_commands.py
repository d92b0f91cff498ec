"""Commands by letter: joining, invitations and all others."""

import pytest

from adjudicator.mail.commands.joining import join
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.base import rows
from adjudicator.service.letters import acknowledgements
from adjudicator.service.matches import creation, masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.phases import beginning
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.service import listed

DORA = "dora@example.net"


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def found(harness: MailHarness, uid: str) -> None:
    assert beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)


def player(harness: MailHarness, address: str) -> accounts.Person | None:
    with harness.database.read_tx() as session:
        return accounts.of_address(session, address)


def open_table(harness: MailHarness, **wish: object) -> str:
    uid = creation.make_match(
        harness.database,
        harness.player(ALICE),
        Wish("pyramid", "Table", {}, **wish),
        now=harness.now,
    )  # type: ignore[arg-type]
    found(harness, uid)
    return uid


def test_join_is_answered_by_a_question_and_yes_to_it_gives_the_seat(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    uid = open_table(harness)
    assert harness.write(DORA, SERVICE, "join pyramid").disposition == "asked"
    assert player(harness, DORA) is None and [seat.player_id for seat in harness.seats(uid)][
        1:
    ] == [None, None]
    question = harness.newest(DORA, "confirm")
    assert "join pyramid" in question.text and "If it was not you, leave this letter alone" in flat(
        question
    )
    assert harness.answer(question, "yes").disposition == "commands"
    dora = player(harness, DORA)
    assert dora is not None and harness.seats(uid)[1].player_id == dora.id
    assert "You have seat 2 in Table." in flat(harness.newest(DORA, "answer"))


def test_a_question_is_good_once_and_for_a_week(harness: MailHarness) -> None:
    open_table(harness)
    harness.write(DORA, SERVICE, "join pyramid")
    question = harness.newest(DORA, "confirm")
    harness.answer(question, "yes")
    harness.later(seconds=1)
    assert harness.answer(question, "yes").disposition == "commands"
    assert "was answered before" in flat(harness.newest(DORA, "answer"))
    harness.write(BOB, SERVICE, "join pyramid")
    question = harness.newest(BOB, "confirm")
    harness.later(seconds=acknowledgements.LASTS.total_seconds())
    harness.answer(question, "yes")
    assert (
        "its week is over" in flat(harness.newest(BOB, "answer")) and player(harness, BOB) is None
    )


def test_whoever_does_not_read_the_address_confirms_nothing(harness: MailHarness) -> None:
    open_table(harness)
    harness.write(DORA, SERVICE, "join pyramid", "yes")
    assert player(harness, DORA) is None
    question = harness.newest(DORA, "confirm")
    # it is told what to write
    assert harness.answer(question, "What is this?").disposition == "commands"
    assert harness.answer(question, "yes", Auto_Submitted="auto-replied").disposition == "automatic"
    assert player(harness, DORA) is None


def test_join_with_no_table_open_lays_one_and_others_join_it_by_name(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "", subject="join pyramid")
    harness.answer(harness.newest(DORA, "confirm"), "Yes.")
    told = flat(harness.newest(DORA, "answer"))
    assert "A new table of Rock Paper Pyramid was laid for you" in told
    uid = told.partition("`join ")[2].partition("`")[0]
    found(harness, uid)
    harness.write(BOB, SERVICE, f"join {uid}")
    harness.answer(harness.newest(BOB, "confirm"), "yes")
    assert sum(seat.player_id is not None for seat in harness.seats(uid)) == 2


def test_join_house_plays_at_once(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "join pyramid house")
    harness.answer(harness.newest(DORA, "confirm"), "yes")
    with harness.database.read_tx() as session:
        (uid,) = beginning.to_prepare(session)
    found(harness, uid)
    assert harness.start_match(uid)
    report = harness.newest(DORA, "report")
    assert harness.answer(report, "B3").disposition == "orders"


def test_join_says_for_how_many_and_in_which_form(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "join phoenix short 3")
    harness.answer(harness.newest(DORA, "confirm"), "yes")
    uid = flat(harness.newest(DORA, "answer")).partition("`join ")[2].partition("`")[0]
    found(harness, uid)
    with harness.database.read_tx() as session:
        card = listed.open_matches(session, None)[0]
    assert (card.uid, len(card.seats), card.options["turn_limit"]) == (uid, 3, 30)
    for words, sits in (("join phoenix 4", 1), ("join phoenix short", 2), ("join phoenix", 2)):
        harness.write(BOB, SERVICE, words)
        harness.answer(harness.newest(BOB, "confirm"), "yes")
        assert sum(seat.player_id is not None for seat in harness.seats(uid)) == sits


def test_join_with_words_it_does_not_know_says_which_there_are(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "join phoenix five")
    said = (
        "After `join phoenix` may stand a word such as `house`, `short`, `2`, `3`, `4`,"
        " `escalation=27`, `turn_limit=60`, `team`,"
    )
    assert said in flat(harness.newest(DORA, "answer"))


def test_join_makes_a_match_with_a_timetable_and_others_find_it_by_its_hours(
    harness: MailHarness,
) -> None:
    harness.write(
        DORA,
        SERVICE,
        "join diplomacy 7 quiet timetable: Mon, Thu 20:00 Europe/Paris; not on weekends; prefer"
        " france",
    )
    harness.answer(harness.newest(DORA, "confirm"), "yes")
    told = flat(harness.newest(DORA, "answer"))
    assert (
        "Time: the time to the next deadline, Mon Thu 20:00 Europe/Paris, never on Saturdays or"
        " Sundays" in told
    )
    uid = told.partition("`join ")[2].partition("`")[0]
    found(harness, uid)
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        assert (match.timetable, match.options["press"]) == (
            "Mon Thu 20:00 Europe/Paris; not on Saturday and Sunday",
            "none",
        )
        assert rows.seats_of(session, match)[0].wishes == ["FRANCE"]
    for words, sits in (
        ("20:00 Europe/Paris", 1),
        ("Thu Mon 20:00 Europe/Paris, not on weekends", 2),
    ):
        harness.write(BOB, SERVICE, f"join diplomacy timetable {words}")
        harness.answer(harness.newest(BOB, "confirm"), "yes")
        assert sum(seat.player_id is not None for seat in harness.seats(uid)) == sits


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("join pyramid timetable: whenever", "“whenever” does not read as a part of a timetable"),
        ("join pyramid timetable: 20h", "“20h” does not read as a part of a timetable"),
        ("join pyramid timetable", "“timetable” is none of them"),
        ("join pyramid timetable: 20:00; short 12:00", "Rock Paper Pyramid has no short phases"),
        ("join k3m7p2qrs timetable: 20:00", "That match has its hours already"),
    ],
)
def test_a_timetable_that_cannot_be_followed_is_refused_with_a_reason(
    harness: MailHarness, written: str, told: str
) -> None:
    harness.write(DORA, SERVICE, written)
    assert told in flat(harness.newest(DORA, "answer"))


def test_a_timetable_with_a_web_address_is_no_command(harness: MailHarness) -> None:
    assert (
        harness.write(
            DORA, SERVICE, "join pyramid timetable: 20:00 https://spam.example"
        ).disposition
        == "empty"
    )


def test_rules_come_in_the_language_that_is_asked_for(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    for words, told in (
        ("rules genesis ru", "пирамид"),
        ("rules genesis", "pyramid"),
        ("rules phoenix ru", "The rules of RPS Phoenix are written in en; “ru” is not among them."),
    ):
        harness.later(seconds=1)
        harness.answer(report, words)
        assert told in flat(harness.newest(ALICE, "answer"))


def test_join_of_something_unknown_says_what_there_is(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "join chess")
    said = (
        "There is neither a game nor a match called “chess” here. Games: pyramid, redeux, phoenix,"
        " genesis"
    )
    assert said in flat(harness.newest(DORA, "answer"))


@pytest.mark.parametrize(("word", "sits"), [("accept", True), ("decline", False)])
def test_an_invitation_is_taken_or_given_back_by_answering(
    harness: MailHarness, word: str, sits: bool
) -> None:
    uid = open_table(harness, invited=(DORA,))
    invitation = harness.newest(DORA, "invitation")
    assert harness.answer(invitation, word).disposition == "commands"
    seat = harness.seats(uid)[1]
    assert (seat.player_id is not None, seat.kept_for is not None) == (sits, sits)
    harness.later(seconds=1)
    if sits:
        assert "You have seat 2 in Table." in flat(harness.newest(DORA, "answer"))
    assert not harness.deliver(
        harness.reply_to(invitation), b"From: dora@example.net\r\n\r\naccept\r\n"
    )


def test_zone_changes_how_times_are_told(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "zone America/New_York")
    assert "as they are in America/New_York" in flat(harness.newest(ALICE, "answer"))
    harness.answer(report, "zone Atlantis/Centre")
    assert "is no time zone known here" in flat(harness.newest(ALICE, "answer"))
    person = player(harness, ALICE)
    assert person is not None and person.zone == "America/New_York"


def test_zone_from_an_address_alone_is_asked_about_first(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    assert harness.write(ALICE, SERVICE, "zone Asia/Tokyo", "stop").disposition == "asked"
    person = player(harness, ALICE)
    assert person is not None and person.zone != "Asia/Tokyo" and person.letters
    harness.answer(harness.newest(ALICE, "confirm"), "yes")
    person = player(harness, ALICE)
    assert person is not None and person.zone == "Asia/Tokyo" and not person.letters


def test_status_tells_of_all_matches_or_of_one_and_its_answer_takes_orders(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.newest(ALICE)
    harness.write(ALICE, SERVICE, "status")
    listed = flat(harness.newest(ALICE, "answer"))
    assert (
        "Evening Pyramid" in listed
        and "Round 1, you owe orders, until Tue 24 Nov 20:00 (Paris)" in listed
        and harness.uid in listed
    )
    harness.later(seconds=1)
    harness.write(ALICE, SERVICE, f"status {harness.uid}")
    one = harness.newest(ALICE, "answer")
    assert "B3  Black large" in one.text and "The table" in one.text
    assert harness.answer(one, "B3").disposition == "orders"


def test_status_of_anothers_match_tells_nothing(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.player(DORA)
    harness.write(DORA, SERVICE, f"status {harness.uid}")
    answer = harness.newest(DORA, "answer")
    assert "You have no seat in this match" in flat(answer) and "+" not in harness.reply_to(answer)


def test_history_rules_and_help_are_told(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.play_round("B3", "W2", "C1")
    harness.later(seconds=1)
    harness.answer(harness.newest(ALICE, "report"), "history", "rules", "help")
    told = harness.newest(ALICE, "answer")
    assert (
        "Round 1" in told.text
        and "What captures what" in told.text
        and "zone Europe/Paris" in told.text
    )
    assert "THEN           what stands" in told.text  # the columns are kept
    assert report


def test_leave_gives_the_seat_back_before_the_match_has_begun_only(harness: MailHarness) -> None:
    uid = open_table(harness)
    harness.write(DORA, SERVICE, f"join {uid}")
    harness.answer(harness.newest(DORA, "confirm"), "yes")
    harness.write(DORA, SERVICE, f"leave {uid}")
    harness.later(seconds=1)
    harness.answer(harness.newest(DORA, "confirm"), "yes")
    assert harness.seats(uid)[1].player_id is None
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "leave")
    assert "This match has begun" in flat(harness.newest(ALICE, "answer"))


def test_stop_and_start_again(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "stop")
    assert "You get no more letters" in flat(harness.newest(ALICE, "answer"))
    harness.play_round("", "W2", "C1")
    harness.post_all()
    assert len(harness.letters("report", ALICE)) == 1
    harness.answer(report, "start")
    harness.play_round("", "W3", "C3")
    harness.post_all()
    assert len(harness.letters("report", ALICE)) == 2


@pytest.mark.parametrize("by_letter", [True, False])
def test_what_was_not_sent_before_letters_were_stopped_is_not_sent_at_all(
    harness: MailHarness, by_letter: bool
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "B3")  # its receipt is an answer
    harness.play_round("", "W2", "C1")
    if by_letter:
        harness.answer(report, "stop")
    else:
        accounts.change_account(
            harness.database,
            harness.player(ALICE),
            accounts.AccountChanges("Alice", "UTC", receipts=True, letters=False),
        )
    harness.post_all()
    assert [row.kind for row in harness.rows() if row.address == ALICE] == [
        "report",
        "receipt",
        *["answer"] * by_letter,
    ]


def test_commands_and_orders_in_one_letter_have_one_answer(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.newest(ALICE, "report")
    before = len(harness.letters(to=ALICE))
    harness.answer(
        harness.newest(ALICE, "report"), "zone Europe/Rome", "zone Nowhere/Atall", "B3", "wait"
    )
    told = flat(harness.newest(ALICE, "receipt"))
    assert (
        "Round 1: B3" in told
        and "Europe/Rome from now on" in told
        and "“zone Nowhere/Atall”" in told
    )
    assert len(harness.letters(to=ALICE)) == before + 1


def test_a_strangers_letter_without_a_command_is_discarded_unanswered(harness: MailHarness) -> None:
    outcome = harness.write(
        DORA, SERVICE, "Buy our watches", "They are very good indeed, look at them"
    )
    assert outcome.disposition == "discarded" and outcome.reason
    assert harness.post_all() == 0


def test_help_shows_orders_that_the_seat_can_give_now_and_nobody_elses(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.play_round("B3", "B2", "W2")
    harness.answer(harness.newest(ALICE, "report"), "help")
    told = harness.newest(ALICE, "answer").text
    assert "\n  B2 OR B1  " in told and "B3" not in told


def test_a_strangers_help_is_answered(harness: MailHarness) -> None:
    assert harness.write(DORA, SERVICE, "help").disposition == "commands"
    assert "join pyramid" in harness.newest(DORA, "answer").text


def test_status_says_that_a_match_is_paused(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    masters.pause_match(harness.database, harness.uid, None, now=harness.now)
    harness.write(ALICE, SERVICE, "status")
    assert "Round 1, paused; orders may be handed in" in flat(harness.newest(ALICE, "answer"))


def test_a_player_has_the_name_that_a_letter_gives(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "name Ann")
    assert "The others call you Ann from now on." in flat(harness.newest(ALICE, "answer"))
    person = player(harness, ALICE)
    assert person is not None and person.name == "Ann"


def test_so_many_matches_are_made_by_letter_in_an_hour(harness: MailHarness) -> None:
    lines = ["join pyramid house"] * (join.MOST_AN_HOUR + 1)
    harness.write(DORA, SERVICE, *lines)
    question = harness.newest(DORA, "confirm")
    assert "a letter may hold 5 commands; the others were passed over" in flat(question)
    harness.answer(question, "yes", "join pyramid house")
    told = flat(harness.newest(DORA, "answer"))
    assert (
        told.count("against the house begins in a moment") == join.MOST_AN_HOUR
        and "within an hour" in told
    )


def test_ready_with_nothing_sealed_says_so(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "ready")
    assert "No order of yours is sealed" in flat(harness.newest(ALICE, "answer"))
