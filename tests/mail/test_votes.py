"""Votes and concessions by letter: `extend`, `vote`, `offer draw`, `end match`, `concede`, and what
each is answered.
"""

from datetime import timedelta

import pytest

from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.base import rows
from adjudicator.service.base.tables import PhaseRow
from adjudicator.service.matches.creation import Wish
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness


def begin(
    harness: MailHarness, *, game: str = "pyramid", people: tuple[str, ...] = (ALICE, BOB, CHARLIE)
) -> dict[str, Posted]:
    """Begin a match and return each player's first report."""
    harness.begin(*people, game=game)
    harness.post_all()
    return {who: harness.newest(who, "report") for who in people}


def phase(harness: MailHarness) -> PhaseRow:
    with harness.database.read_tx() as session:
        found = rows.open_phase(session, rows.by_uid(session, harness.uid))
    assert found is not None and found.deadline is not None
    return found


def answered(harness: MailHarness, to: str) -> str:
    """Return the newest answer to an address, on one line."""
    return " ".join(harness.newest(to, "answer").text.split())


def test_players_extend_a_phase_by_letters_alone(harness: MailHarness) -> None:
    report = begin(harness)
    before = phase(harness).deadline
    assert before is not None
    harness.answer(report[BOB], "extend 24h")
    assert "You proposed more time: Round 1 until" in answered(harness, BOB)
    asked = harness.newest(ALICE, "proposal")
    assert (
        "vote yes extend" in asked.text
        and "1 of 3 agrees; 2 have to." in asked.text
        and "Bob" not in asked.text
    )
    harness.answer(asked, "vote yes")
    assert "It is agreed: more time: Round 1 until" in answered(harness, ALICE)
    assert phase(harness).deadline == before + timedelta(hours=24)
    assert "The players, by their vote, have moved the deadline of Round 1." in " ".join(
        harness.newest(CHARLIE, "notice").text.split()
    )


def test_the_same_line_again_names_the_same_moment_and_changes_nothing(
    harness: MailHarness,
) -> None:
    report = begin(harness)
    for who in (ALICE, BOB):
        harness.answer(report[who], "extend 24h")
    deadline = phase(harness).deadline
    for who in (ALICE, CHARLIE):
        harness.answer(report[who], "extend by 24 hours")
        assert "is that already, so nothing was changed" in answered(harness, who)
    assert phase(harness).deadline == deadline


def test_a_moment_is_read_in_the_players_own_zone(harness: MailHarness) -> None:
    report = begin(harness)
    # the first deadline is Tue 24 Nov 20:00 in Paris
    harness.answer(report[ALICE], "extend to 2026-11-25 09:00")
    assert "until Wed 25 Nov 09:00 (Paris)" in answered(harness, ALICE)


def test_where_two_proposals_stand_a_vote_names_one(harness: MailHarness) -> None:
    report = begin(harness)
    harness.answer(report[ALICE], "extend 24h")
    harness.answer(report[BOB], "end match")
    harness.answer(report[CHARLIE], "vote yes")
    assert (
        "2 proposals stand; say which one you mean: `vote yes extend` or `vote yes end`."
        in answered(harness, CHARLIE)
    )
    harness.answer(report[CHARLIE], "vote no end")
    assert "The proposal was rejected: to end the match as it stands." in answered(harness, CHARLIE)


def test_a_vote_in_answer_to_a_letter_of_an_older_phase_is_refused(harness: MailHarness) -> None:
    report = begin(harness)
    harness.play_round("B3", "B3", "B3")
    newer = {who: harness.newest(who, "report") for who in (ALICE, BOB)}
    harness.answer(newer[ALICE], "extend 24h")
    deadline = phase(harness).deadline
    harness.answer(report[BOB], "vote yes")
    assert "answers one from before this was proposed" in answered(harness, BOB)
    harness.answer(report[BOB], "extend 24h")
    assert "answers one about an earlier phase; Round 2 is open now" in answered(harness, BOB)
    assert phase(harness).deadline == deadline
    harness.answer(newer[BOB], "vote yes")
    assert phase(harness).deadline != deadline


def test_a_vote_in_answer_to_an_older_proposal_of_the_phase_is_refused(
    harness: MailHarness,
) -> None:
    report = begin(harness)
    harness.answer(report[ALICE], "extend 24h")
    first = harness.newest(BOB, "proposal")
    harness.later(minutes=5)
    for who in (BOB, CHARLIE):
        harness.answer(report[who], "vote no")
    harness.later(minutes=5)
    harness.answer(report[ALICE], "extend 2h")
    deadline = phase(harness).deadline
    harness.answer(first, "vote yes")
    assert "That proposal was rejected already, so nothing was changed" in answered(harness, BOB)
    assert phase(harness).deadline == deadline
    harness.answer(report[BOB], "vote yes")
    assert phase(harness).deadline != deadline, "an answer to any other letter means what stands"


def test_a_vote_that_is_confirmed_late_is_not_one_on_what_was_proposed_meanwhile(
    harness: MailHarness,
) -> None:
    report = begin(harness)
    harness.answer(report[ALICE], "end match")
    harness.write(BOB, SERVICE, f"vote {harness.uid} yes", f"extend {harness.uid} 24h")
    asked = harness.newest(BOB, "confirm")
    harness.answer(report[CHARLIE], "vote no")
    harness.later(minutes=5)
    harness.answer(report[ALICE], "end match")
    harness.answer(asked, "yes")
    assert "from before this was proposed: to end the match" in answered(harness, BOB)


def test_what_is_confirmed_late_does_nothing_to_the_next_phase(harness: MailHarness) -> None:
    begin(harness)
    harness.write(
        ALICE,
        SERVICE,
        f"deadline {harness.uid} +24h",
        f"extend {harness.uid} 24h",
        f"pause {harness.uid}",
    )
    asked = harness.newest(ALICE, "confirm")
    harness.later(minutes=1)
    harness.play_round("B3", "B3", "B3")
    deadline = phase(harness).deadline
    harness.later(minutes=1)
    harness.answer(asked, "yes")
    assert answered(harness, ALICE).count("open when you wrote is closed by now") == 3
    assert phase(harness).deadline == deadline and not harness.page(harness.uid).card.paused


def test_a_vote_that_came_in_time_counts_though_it_is_read_late(harness: MailHarness) -> None:
    report = begin(harness)
    harness.answer(report[ALICE], "extend 24h")
    asked = harness.newest(BOB, "proposal")
    letter = harness.letter(BOB, harness.reply_to(asked), "vote yes", answers=asked).as_bytes()
    assert harness.deliver(harness.reply_to(asked), letter)
    harness.later(hours=49)
    assert not harness.close(harness.uid), "a letter that came in time is read first"
    harness.read_all()
    assert not harness.close(harness.uid) and phase(harness).number == 1


def test_a_vote_to_the_service_needs_the_match_and_a_proved_address(harness: MailHarness) -> None:
    report = begin(harness)
    harness.answer(report[ALICE], "extend 24h")
    deadline = phase(harness).deadline
    harness.write(BOB, SERVICE, f"vote {harness.uid} yes")
    assert phase(harness).deadline == deadline
    harness.answer(harness.newest(BOB, "confirm"), "yes")
    assert phase(harness).deadline != deadline
    harness.write(CHARLIE, SERVICE, "vote yes")
    harness.post_all()
    assert "It needs the match" in answered(harness, CHARLIE)


def test_to_concede_takes_the_match_s_name(harness: MailHarness) -> None:
    report = begin(harness)
    harness.answer(report[ALICE], "concede")
    assert harness.page(harness.uid, ALICE).owed is not None
    assert "concede UID" in " ".join(harness.newest(ALICE).text.split())
    harness.answer(report[ALICE], f"concede {harness.uid}")
    assert (
        "You conceded. The game’s default is played for your seat from now on, and it comes last."
        in answered(harness, ALICE)
    )
    harness.answer(report[ALICE], f"Concede {harness.uid}.")
    assert "You conceded this match already" in answered(harness, ALICE)


def test_in_diplomacy_concede_alone_is_an_order(harness: MailHarness) -> None:
    report = begin(harness, game="diplomacy")
    harness.answer(report[ALICE], "concede")
    assert "CONCEDE" in harness.newest(ALICE, "receipt").text
    harness.answer(report[BOB], f"concede {harness.uid}")
    assert "Your order to concede is sealed" in answered(harness, BOB)


def test_a_draw_is_offered_and_agreed_and_the_match_ends(harness: MailHarness) -> None:
    report = begin(harness, game="genesis", people=(ALICE, BOB))
    harness.answer(report[ALICE], "offer draw")
    harness.answer(harness.newest(BOB, "proposal"), "vote yes draw")
    assert harness.close(harness.uid)
    last = " ".join(harness.newest(ALICE, "report").text.split())
    assert "because its players agreed to a draw" in last


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("extend 24h", True),
        ("Extend by 2 days", True),
        ("extend k3m7p2qrs 24h", True),
        ("extend to 2026-12-01 20:00", True),
        ("extend my regards to Rome", False),
        ("vote yes", True),
        ("vote no pause", True),
        ("vote for me", False),
        ("end match", True),
        ("end match because the club closes", True),
        ("end press", False),
        ("offer draw", True),
        ("concede", False),
        ("concede k3m7p2qrs", True),
        ("concede Belgium", False),
    ],
)
def test_only_the_exact_lines_are_commands(line: str, *, found: bool) -> None:
    assert (find_command(line) is not None) is found


def test_status_lists_the_proposals_that_stand_and_how_to_vote(harness: MailHarness) -> None:
    report = begin(harness)
    harness.answer(report[ALICE], "status")
    assert "You can propose: `extend 24h`, `pause` or `end match`." in answered(harness, ALICE)
    assert "A player proposes" not in answered(harness, ALICE)
    harness.answer(report[ALICE], "extend 24h")
    harness.answer(report[BOB], "status")
    told = answered(harness, BOB)
    assert (
        "A player proposes more time: Round 1 until Wed 25 Nov 14:00 (New York). 1 of 3 agrees; 2"
        " have to." in told
    )
    assert (
        "Answer `vote yes` or `vote no`." in told and "Alice" not in told and "For it" not in told
    )
    assert "You can propose: `pause` or `end match`." in told
    harness.answer(harness.newest(BOB, "answer"), "vote no")
    harness.answer(report[CHARLIE], "end match")
    harness.write(BOB, SERVICE, f"status {harness.uid}")
    told = answered(harness, BOB)
    assert "You voted no; `vote yes extend` changes that." in told
    assert (
        "A player proposes to end the match as it stands. 1 of 3 agrees; all have to. It stands"
        " until" in told
    )
    assert "Answer `vote yes end` or `vote no end`." in told
    harness.answer(harness.newest(BOB, "answer"), "vote no end")
    assert "The proposal was rejected: to end the match as it stands." in answered(harness, BOB)


def test_status_says_who_votes_and_names_seats_only_where_the_match_shows_them(
    harness: MailHarness,
) -> None:
    harness.uid = harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("phoenix", "Evening", {}, players=3, progress="seats")
    )
    harness.post_all()
    due = {
        who for who in (ALICE, BOB, CHARLIE) if "owe orders" in harness.newest(who, "report").text
    }
    asking, idle = min(due), min({ALICE, BOB, CHARLIE} - due)
    harness.answer(harness.newest(asking, "report"), "offer draw")
    harness.answer(harness.newest(idle, "report"), "extend 24h")
    harness.answer(harness.newest(idle, "report"), "status")
    told = answered(harness, idle)
    assert "Your seat has no vote on it: the seats that owe orders vote." in told
    assert (
        "A player proposes a draw of everybody who is left. 1 of 3 agrees; all have to. For it: "
        in told
    )
    assert "Answer `vote yes draw` or `vote no draw`." in told
