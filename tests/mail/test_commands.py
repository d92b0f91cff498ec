"""Everything by letter: joining, invitations, and what else a player may write."""

import pytest

from adjudicator.mail.commands import join
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.letters import acknowledgements
from adjudicator.service.matches import creation, masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.phases import opening
from adjudicator.service.views import match_list
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

DORA = "dora@example.net"


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def found(office: MailHarness, uid: str) -> None:
    assert opening.prepare_match(office.database, office.keyring, uid, now=office.now)


def player(office: MailHarness, address: str) -> accounts.Person | None:
    with office.database.read_tx() as session:
        return accounts.of_address(session, address)


def open_table(office: MailHarness, **wish: object) -> str:
    uid = creation.make_match(office.database, office.player(ALICE), Wish("pyramid", "Table", {}, **wish), now=office.now)  # type: ignore[arg-type]
    found(office, uid)
    return uid


def test_join_is_answered_by_a_question_and_yes_to_it_gives_the_seat(both_offices: MailHarness) -> None:
    office = both_offices
    uid = open_table(office)
    assert office.write(DORA, SERVICE, "join pyramid").disposition == "asked"
    assert player(office, DORA) is None and [seat.player_id for seat in office.seats(uid)][1:] == [None, None]
    question = office.newest(DORA, "confirm")
    assert "join pyramid" in question.text and "If it was not you, leave this letter alone" in flat(question)
    assert office.answer(question, "yes").disposition == "commands"
    dora = player(office, DORA)
    assert dora is not None and office.seats(uid)[1].player_id == dora.id
    assert "You have seat 2 in Table." in flat(office.newest(DORA, "answer"))


def test_a_question_is_good_once_and_for_a_week(office: MailHarness) -> None:
    open_table(office)
    office.write(DORA, SERVICE, "join pyramid")
    question = office.newest(DORA, "confirm")
    office.answer(question, "yes")
    office.later(seconds=1)
    assert office.answer(question, "yes").disposition == "commands"
    assert "was answered before" in flat(office.newest(DORA, "answer"))
    office.write(BOB, SERVICE, "join pyramid")
    question = office.newest(BOB, "confirm")
    office.later(seconds=acknowledgements.LASTS.total_seconds())
    office.answer(question, "yes")
    assert "its week is over" in flat(office.newest(BOB, "answer")) and player(office, BOB) is None


def test_whoever_does_not_read_the_address_confirms_nothing(office: MailHarness) -> None:
    open_table(office)
    office.write(DORA, SERVICE, "join pyramid", "yes")
    assert player(office, DORA) is None
    question = office.newest(DORA, "confirm")
    assert office.answer(question, "What is this?").disposition == "empty"
    assert office.answer(question, "yes", Auto_Submitted="auto-replied").disposition == "automatic"
    assert player(office, DORA) is None


def test_join_with_no_table_open_lays_one_and_others_join_it_by_name(office: MailHarness) -> None:
    office.write(DORA, SERVICE, "", subject="join pyramid")
    office.answer(office.newest(DORA, "confirm"), "Yes.")
    told = flat(office.newest(DORA, "answer"))
    assert "A new table of Rock Paper Pyramid was laid for you" in told
    uid = told.partition("`join ")[2].partition("`")[0]
    found(office, uid)
    office.write(BOB, SERVICE, f"join {uid}")
    office.answer(office.newest(BOB, "confirm"), "yes")
    assert sum(seat.player_id is not None for seat in office.seats(uid)) == 2


def test_join_house_plays_at_once(office: MailHarness) -> None:
    office.write(DORA, SERVICE, "join pyramid house")
    office.answer(office.newest(DORA, "confirm"), "yes")
    with office.database.read_tx() as session:
        (uid,) = opening.to_prepare(session)
    found(office, uid)
    assert office.start_match(uid)
    report = office.newest(DORA, "report")
    assert office.answer(report, "B3").disposition == "orders"


def test_join_says_for_how_many_and_in_which_form(office: MailHarness) -> None:
    office.write(DORA, SERVICE, "join phoenix short 3")
    office.answer(office.newest(DORA, "confirm"), "yes")
    uid = flat(office.newest(DORA, "answer")).partition("`join ")[2].partition("`")[0]
    found(office, uid)
    with office.database.read_tx() as session:
        card = match_list.open_matches(session, None)[0]
    assert (card.uid, len(card.seats), card.options["turn_limit"]) == (uid, 3, 30)
    for words, sits in (("join phoenix 4", 1), ("join phoenix short", 2), ("join phoenix", 2)):
        office.write(BOB, SERVICE, words)
        office.answer(office.newest(BOB, "confirm"), "yes")
        assert sum(seat.player_id is not None for seat in office.seats(uid)) == sits


def test_join_with_words_it_does_not_know_says_which_there_are(office: MailHarness) -> None:
    office.write(DORA, SERVICE, "join phoenix five")
    said = "After `join phoenix` may stand `house`, `short`, `2`, `3`, `4`, `escalation=27`, `turn_limit=60`, `team`,"
    assert said in flat(office.newest(DORA, "answer"))


def test_rules_come_in_the_language_that_is_asked_for(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    for words, told in (
        ("rules genesis ru", "пирамид"),
        ("rules genesis", "pyramid"),
        ("rules phoenix ru", "The rules of RPS Phoenix are written in en; “ru” is not among them."),
    ):
        office.later(seconds=1)
        office.answer(report, words)
        assert told in flat(office.newest(ALICE, "answer"))


def test_join_of_something_unknown_says_what_there_is(office: MailHarness) -> None:
    office.write(DORA, SERVICE, "join chess")
    said = "There is neither a game nor a match called “chess” here. Games: pyramid, redeux, phoenix, genesis"
    assert said in flat(office.newest(DORA, "answer"))


@pytest.mark.parametrize(("word", "sits"), [("accept", True), ("decline", False)])
def test_an_invitation_is_taken_or_given_back_by_answering(office: MailHarness, word: str, sits: bool) -> None:
    uid = open_table(office, invited=(DORA,))
    invitation = office.newest(DORA, "invitation")
    assert office.answer(invitation, word).disposition == "commands"
    seat = office.seats(uid)[1]
    assert (seat.player_id is not None, seat.kept_for is not None) == (sits, sits)
    office.later(seconds=1)
    if sits:
        assert "You have seat 2 in Table." in flat(office.newest(DORA, "answer"))
    assert not office.deliver(office.reply_to(invitation), b"From: dora@example.net\r\n\r\naccept\r\n")


def test_zone_changes_how_times_are_told(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.answer(report, "zone America/New_York")
    assert "as they are in America/New_York" in flat(office.newest(ALICE, "answer"))
    office.answer(report, "zone Atlantis/Centre")
    assert "is no time zone known here" in flat(office.newest(ALICE, "answer"))
    person = player(office, ALICE)
    assert person is not None and person.zone == "America/New_York"


def test_zone_from_an_address_alone_is_asked_about_first(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    assert office.write(ALICE, SERVICE, "zone Asia/Tokyo", "stop").disposition == "asked"
    person = player(office, ALICE)
    assert person is not None and person.zone != "Asia/Tokyo" and person.letters
    office.answer(office.newest(ALICE, "confirm"), "yes")
    person = player(office, ALICE)
    assert person is not None and person.zone == "Asia/Tokyo" and not person.letters


def test_status_tells_of_all_matches_or_of_one_and_its_answer_takes_orders(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.newest(ALICE)
    office.write(ALICE, SERVICE, "status")
    listed = flat(office.newest(ALICE, "answer"))
    assert "Evening Pyramid" in listed and "Round 1, you owe orders, until Tue 24 Nov 20:00 (Paris)" in listed and office.uid in listed
    office.later(seconds=1)
    office.write(ALICE, SERVICE, f"status {office.uid}")
    one = office.newest(ALICE, "answer")
    assert "B3  Black large" in one.text and "The table" in one.text
    assert office.answer(one, "B3").disposition == "orders"


def test_status_of_anothers_match_tells_nothing(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.player(DORA)
    office.write(DORA, SERVICE, f"status {office.uid}")
    answer = office.newest(DORA, "answer")
    assert "You have no seat in this match" in flat(answer) and "+" not in office.reply_to(answer)


def test_history_rules_and_help_are_told(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.play_round("B3", "W2", "C1")
    office.later(seconds=1)
    office.answer(office.newest(ALICE, "report"), "history", "rules", "help")
    told = office.newest(ALICE, "answer")
    assert "Round 1" in told.text and "What captures what" in told.text and "zone Europe/Paris" in told.text
    assert "THEN           what stands" in told.text  # the list keeps its columns
    assert report


def test_leave_gives_the_seat_back_before_the_match_has_begun_only(office: MailHarness) -> None:
    uid = open_table(office)
    office.write(DORA, SERVICE, f"join {uid}")
    office.answer(office.newest(DORA, "confirm"), "yes")
    office.write(DORA, SERVICE, f"leave {uid}")
    office.later(seconds=1)
    office.answer(office.newest(DORA, "confirm"), "yes")
    assert office.seats(uid)[1].player_id is None
    office.begin(ALICE, BOB, CHARLIE)
    office.answer(office.newest(ALICE, "report"), "leave")
    assert "This match has begun" in flat(office.newest(ALICE, "answer"))


def test_stop_and_start_again(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.answer(report, "stop")
    assert "You get no more letters" in flat(office.newest(ALICE, "answer"))
    office.play_round("", "W2", "C1")
    office.post_all()
    assert len(office.letters("report", ALICE)) == 1
    office.answer(report, "start")
    office.play_round("", "W3", "C3")
    office.post_all()
    assert len(office.letters("report", ALICE)) == 2


@pytest.mark.parametrize("by_letter", [True, False])
def test_what_was_not_sent_before_letters_were_stopped_is_not_sent_at_all(office: MailHarness, by_letter: bool) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.answer(report, "B3")  # its receipt is an answer
    office.play_round("", "W2", "C1")
    if by_letter:
        office.answer(report, "stop")
    else:
        accounts.change_account(
            office.database, office.player(ALICE), accounts.AccountChanges("Alice", "UTC", receipts=True, letters=False)
        )
    office.post_all()
    assert [row.kind for row in office.rows() if row.address == ALICE] == ["report", "receipt", *["answer"] * by_letter]


def test_commands_and_orders_in_one_letter_have_one_answer(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.newest(ALICE, "report")
    before = len(office.letters(to=ALICE))
    office.answer(office.newest(ALICE, "report"), "zone Europe/Rome", "zone Nowhere/Atall", "B3", "wait")
    told = flat(office.newest(ALICE, "receipt"))
    assert "Round 1: B3" in told and "Europe/Rome from now on" in told and "“zone Nowhere/Atall”" in told
    assert len(office.letters(to=ALICE)) == before + 1


def test_a_strangers_letter_without_a_command_is_discarded_unanswered(office: MailHarness) -> None:
    outcome = office.write(DORA, SERVICE, "Buy our watches", "They are very good indeed, look at them")
    assert outcome.disposition == "discarded" and outcome.reason
    assert office.post_all() == 0


def test_help_shows_orders_that_the_seat_can_give_now_and_nobody_elses(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.play_round("B3", "B2", "W2")
    office.answer(office.newest(ALICE, "report"), "help")
    told = office.newest(ALICE, "answer").text
    assert "\n  B2 OR B1  " in told and "B3" not in told


def test_a_strangers_help_is_answered(office: MailHarness) -> None:
    assert office.write(DORA, SERVICE, "help").disposition == "commands"
    assert "join pyramid" in office.newest(DORA, "answer").text


def test_status_says_that_a_match_is_paused(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    masters.pause_match(office.database, office.uid, None, now=office.now)
    office.write(ALICE, SERVICE, "status")
    assert "Round 1, paused; orders may be handed in" in flat(office.newest(ALICE, "answer"))


def test_a_player_has_the_name_that_a_letter_gives(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.answer(office.newest(ALICE, "report"), "name Ann")
    assert "The others call you Ann from now on." in flat(office.newest(ALICE, "answer"))
    person = player(office, ALICE)
    assert person is not None and person.name == "Ann"


def test_so_many_matches_are_made_by_letter_in_an_hour(office: MailHarness) -> None:
    lines = ["join pyramid house"] * (join.MOST_AN_HOUR + 1)
    office.write(DORA, SERVICE, *lines)
    question = office.newest(DORA, "confirm")
    assert "a letter may hold 5 commands; the others were passed over" in flat(question)
    office.answer(question, "yes", "join pyramid house")
    told = flat(office.newest(DORA, "answer"))
    assert told.count("against the house begins in a moment") == join.MOST_AN_HOUR and "within an hour" in told


def test_ready_with_nothing_sealed_says_so(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.answer(office.newest(ALICE, "report"), "ready")
    assert "No order of yours is sealed" in flat(office.newest(ALICE, "answer"))
