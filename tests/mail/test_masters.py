"""Masters by letter: their own address, their commands at it, at a seat's and at the service's, and
who may use them.
"""

from datetime import timedelta

import pytest

from adjudicator.mail import addresses
from adjudicator.mail.read import read_letter
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.base.rows import by_uid
from adjudicator.service.letters import incoming, receiving
from adjudicator.service.letters.receiving import Full
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.tokens import master_addresses
from adjudicator.service.views.match_page import MatchPage
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

DORA, EVE = "dora@example.net", "eve@example.net"  # they run matches, and play in none


def run_by(
    harness: MailHarness, master: str, *people: str, game: str = "pyramid", **options: object
) -> str:
    """Begin a match that `master` runs without playing; return the master's mail address in it."""
    wish = Wish(game, "Evening Pyramid", options, play=False, players=3)
    harness.uid = harness.prepare_match(wish, master, *people)
    harness.start_match(harness.uid)
    harness.post_all()
    return masters_address(harness, master)


def masters_address(harness: MailHarness, master: str) -> str:
    player = harness.player(master)
    with harness.database.write_tx() as session:
        wanted = master_addresses.reply_address(session, by_uid(session, harness.uid), player)
    return addresses.token_address(harness.settings, harness.token(wanted)).addr_spec


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def told(harness: MailHarness, to: str, kind: str = "answer") -> str:
    return flat(harness.newest(to, kind))


def page(harness: MailHarness, who: str | None = None) -> MatchPage:
    return harness.page(harness.uid, who)


def notes(harness: MailHarness) -> list[str]:
    return [f"{note.who} {note.what}" for note in reversed(page(harness).notes)]


# --- the address


def test_the_status_of_a_match_gives_its_master_an_address_of_their_own(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, SERVICE, f"status {harness.uid}")
    answer = harness.newest(DORA, "answer")
    assert harness.reply_to(answer) == address and "+m-" in address
    assert "The table" in answer.text and "you owe" not in answer.text
    assert harness.answer(answer, "pause").disposition == "commands"
    assert page(harness).card.paused and notes(harness) == ["Dora paused the match in Round 1"]
    reply = harness.newest(DORA, "answer")
    assert "The match is paused" in flat(reply) and harness.reply_to(reply) == address


def test_a_stored_letter_is_bound_to_match_and_master_and_to_no_seat(harness: MailHarness) -> None:
    harness.write(DORA, run_by(harness, DORA, ALICE, BOB, CHARLIE), "pause")
    row = harness.came_in()[-1]
    with harness.database.read_tx() as session:
        assert row.match_id == by_uid(session, harness.uid).id
        run = master_addresses.find_run(session, row.ref)
    assert (
        run is not None
        and run.player_id == harness.player(DORA)
        and (row.kind, row.seat_id) == ("master", None)
    )


def test_a_letter_to_the_address_speaks_for_the_master_whoever_sent_it_and_the_answer_goes_to_the_master(
    harness: MailHarness,
) -> None:
    harness.write("phone@example.com", run_by(harness, DORA, ALICE, BOB, CHARLIE), "pause")
    assert notes(harness) == ["Dora paused the match in Round 1"]
    assert (
        "Your letter came from phone@example.com." in told(harness, DORA)
        and harness.letters(to="phone@example.com") == []
    )


def test_a_forged_sender_gets_nothing_done_at_the_services_address(harness: MailHarness) -> None:
    run_by(harness, DORA, ALICE, BOB, CHARLIE)
    assert harness.write(DORA, SERVICE, f"pause {harness.uid}").disposition == "asked"
    assert not page(harness).card.paused
    harness.answer(harness.newest(DORA, "confirm"), "yes")
    assert page(harness).card.paused


def test_who_is_no_master_is_refused_at_once_and_no_question_goes_out(harness: MailHarness) -> None:
    run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(EVE, SERVICE, f"pause {harness.uid}")
    assert "Nobody plays here with your address yet" in told(harness, EVE)
    harness.player(EVE)
    harness.write(EVE, SERVICE, f"close {harness.uid}")
    assert "Only the master of this match may do that." in told(harness, EVE)
    assert harness.letters("confirm") == [] and notes(harness) == []


def test_new_address_gives_the_master_another_one_and_the_old_one_is_refused(
    harness: MailHarness,
) -> None:
    old = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, old, "new address")
    answer = harness.newest(DORA, "answer")
    assert harness.reply_to(answer) != old and "You have a new address as master" in flat(answer)
    assert not harness.deliver(old, harness.letter(DORA, old, "pause").as_bytes())
    harness.answer(answer, "pause")
    assert page(harness).card.paused


def test_the_address_of_a_dismissed_master_stops_working_and_a_letter_stored_before_does_nothing(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    masters.appoint_master(harness.database, EVE, now=harness.now)
    address = masters_address(harness, EVE)
    assert harness.deliver(address, harness.letter(EVE, address, "pause").as_bytes())
    masters.dismiss_master(harness.database, EVE)
    assert [each.disposition for each in harness.read_all()] == ["discarded"]
    assert not page(harness).card.paused and harness.letters(to=EVE) == []
    assert not harness.deliver(address, harness.letter(EVE, address, "pause").as_bytes())
    masters.appoint_master(harness.database, EVE, now=harness.now)
    assert masters_address(harness, EVE) != address


def test_dismissal_leaves_a_player_the_matches_of_their_own(harness: MailHarness) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    masters.appoint_master(harness.database, DORA, now=harness.now)
    masters.dismiss_master(harness.database, DORA)
    harness.write(DORA, address, "pause")
    assert page(harness).card.paused


def test_each_master_of_a_match_has_another_address(harness: MailHarness) -> None:
    one = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    masters.appoint_master(harness.database, EVE, now=harness.now)
    other = masters_address(harness, EVE)
    assert one != other
    harness.write(EVE, other, "pause")
    harness.write(DORA, one, "pause")
    assert "This match is paused." in told(harness, DORA)
    harness.write(DORA, one, "resume")
    assert notes(harness) == ["eve paused the match in Round 1", "Dora set the match going again"]


def test_so_many_unread_letters_to_one_master_hold_up_a_closing_and_no_more(
    harness: MailHarness,
) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    for _ in range(receiving.MOST_WAITING):
        harness.deliver(address, harness.letter(DORA, address, "status").as_bytes())
    with pytest.raises(Full):
        harness.deliver(address, harness.letter(DORA, address, "status").as_bytes())


def test_letters_of_two_masters_are_read_in_the_order_they_came(harness: MailHarness) -> None:
    one = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    masters.appoint_master(harness.database, EVE, now=harness.now)
    other = masters_address(harness, EVE)
    for address, line in ((one, "pause"), (other, "resume"), (one, "deadline +24h")):
        harness.deliver(address, harness.letter(DORA, address, line).as_bytes())
    with harness.database.read_tx() as session:
        assert len(incoming.waiting_letters(session, harness.now)) == 1
    harness.read_all()
    assert [note.split()[1] for note in notes(harness)] == ["paused", "set", "moved"]


# --- the commands


def test_a_letter_that_came_twice_moves_the_deadline_once(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    before = page(harness).card.deadline
    letter = harness.letter(DORA, address, "deadline +24h").as_bytes()
    assert harness.deliver(address, letter) and harness.deliver(address, letter)
    assert [each.disposition for each in harness.read_all()] == ["commands", "repeated"]
    assert before is not None and page(harness).card.deadline == before + timedelta(hours=24)
    assert len(notes(harness)) == 1 and len(harness.letters("notice")) == 0
    assert "moved the deadline of Round 1" in flat(harness.newest(BOB, "notice"))


def test_a_deadline_is_read_in_the_masters_zone(harness: MailHarness) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, address, "zone Asia/Tokyo", "deadline 2026-11-28 09:30")
    assert "The deadline of Round 1 was moved. It is Sat 28 Nov 09:30 (Tokyo)" in told(
        harness, DORA
    )
    harness.write(DORA, address, "deadline tomorrow")
    assert "Did you mean `deadline +24h`?" in told(harness, DORA)


def test_close_closes_the_phase_that_was_open_when_the_letter_came(harness: MailHarness) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, address, "close")
    assert harness.close(harness.uid)
    assert "Round 1 closes now" in told(harness, DORA) and page(harness).card.phase == "Round 2"


def test_a_letter_that_came_while_an_earlier_phase_was_open_changes_nothing(
    harness: MailHarness,
) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    for line in ("close", "pause", "deadline +24h"):
        harness.deliver(address, harness.letter(DORA, address, line).as_bytes())
    first, *others = harness.came_in()
    read_one(harness, first.id)
    harness.later(seconds=1)
    assert harness.close(harness.uid)
    before = page(harness).card.deadline
    for each in others:
        read_one(harness, each.id)
    assert "The phase that was open when you wrote is closed by now" in told(harness, DORA)
    assert (
        page(harness).card.deadline == before
        and not page(harness).card.paused
        and len(notes(harness)) == 1
    )


def read_one(harness: MailHarness, letter_id: int | None) -> None:
    assert read_letter(harness.room, letter_id or 0, lambda: harness.now) is not None


def test_the_master_invites_and_fills_by_letter_and_the_match_begins(harness: MailHarness) -> None:
    wish = Wish("pyramid", "Evening Pyramid", {}, play=False, players=3)
    harness.uid = harness.prepare_match(wish, DORA)
    address = masters_address(harness, DORA)
    harness.write(DORA, address, f"invite {ALICE}", f"invite {ALICE}", "invite somebody")
    assert "an invitation goes there" in told(
        harness, DORA
    ) and "A seat is kept for this address already." in told(harness, DORA)
    harness.answer(harness.newest(ALICE, "invitation"), "accept")
    harness.write(DORA, address, "fill")
    assert "House bots took the free seats" in told(harness, DORA) and harness.start_match(
        harness.uid
    )
    harness.write(DORA, address, "fill")
    assert "This match has begun." in told(harness, DORA)


def test_a_playing_master_may_use_the_seats_address_and_is_held_to_the_same_rules(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report, before = harness.newest(ALICE, "report"), page(harness).card.deadline
    assert harness.answer(report, "deadline -2h", "B3").disposition == "orders"
    harness.later(minutes=1)
    harness.answer(report, "close")
    assert page(harness).card.deadline == before and page(harness).card.phase == "Round 1", (
        "the others have to agree"
    )
    harness.answer(report, "pause")
    assert page(harness).card.paused and notes(harness)[-1] == "Alice paused the match in Round 1"


def test_a_player_who_is_no_master_changes_nothing_alone(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    before = page(harness).card.deadline
    harness.answer(
        harness.newest(BOB, "report"),
        "pause",
        "close",
        "deadline +24h",
        "fill",
        "invite eve@example.net",
    )
    assert told(harness, BOB).count("Only the master of this match may do that.") == 4
    assert not page(harness).card.paused and page(harness).card.deadline == before, (
        "a pause is put to the vote"
    )


@pytest.mark.parametrize(
    "line", ["Close call!", "Pause for a moment", "Fill me in", "The deadline nears"]
)
def test_the_words_of_these_commands_stay_plain_english_in_press(
    harness: MailHarness, line: str
) -> None:
    wish = Wish("diplomacy", "Long Table", {"press": "private"}, players=3, seating="order")
    harness.uid = harness.match(ALICE, BOB, CHARLIE, wish=wish)
    harness.answer(harness.newest(ALICE, "report"), "press france: Peace?")
    harness.answer(harness.newest(BOB, "press"), line)
    assert f"France writes to you: {line}" in told(harness, ALICE, "press")


def test_the_help_of_a_match_lists_what_masters_can_write(harness: MailHarness) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, address, "help")
    for word in ("pause", "resume", "deadline +24h", "close", "invite ann@example.org", "fill"):
        assert word in told(harness, DORA)


def test_the_master_replaces_and_excuses_by_letter(harness: MailHarness) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, address, "excuse 2: was ill", "replace 2: never answers", "replace 3")
    answer = told(harness, DORA)
    assert (
        "Seat 2 has missed nothing that could be forgiven." in answer
        and "Seat 2 looks for a new player" in answer
    )
    assert "It needs a seat and a reason" in answer and notes(harness) == [
        "Dora opened seat 2 to a new player: never answers"
    ]


def test_a_seat_that_is_a_number_is_named_as_the_letters_name_it(harness: MailHarness) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, address, "warn seat 3: too slow", "replace seat 2: never answers")
    assert notes(harness) == [
        "Dora warned seat 3: too slow",
        "Dora opened seat 2 to a new player: never answers",
    ]
    harness.answer(harness.newest(CHARLIE, "report"), "resign seat 3")
    assert notes(harness)[-1] == "the player of seat 3 resigned; the seat looks for a new player"


def test_a_warning_without_a_seat_is_answered_with_how_it_is_written(harness: MailHarness) -> None:
    address = run_by(harness, DORA, ALICE, BOB, CHARLIE)
    harness.write(DORA, address, "warn: too slow")
    assert "Did you mean `warn france: why`?" in told(harness, DORA)
