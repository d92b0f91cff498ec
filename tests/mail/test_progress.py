"""Progress by letter: `status` and notices tell what the match shows, a letter counts from its
reading, `join` chooses what is shown.
"""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.service.base.state import progress_of
from adjudicator.service.base.tables import Match
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat


def begin(harness: MailHarness, progress: str) -> None:
    harness.uid = harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Evening Pyramid", {}, progress=progress)
    )  # type: ignore[arg-type]  # one of three


def status(harness: MailHarness, who: str) -> str:
    """Return the answer to `status` in answer to the newest report."""
    harness.later(seconds=1)
    harness.answer(harness.newest(who, "report"), "status")
    return flat(harness.newest(who, "answer"))


def handed_in(harness: MailHarness) -> int:
    progress = harness.page(harness.uid).card.progress
    return progress.handed_in if progress else -1


def test_a_letters_orders_show_a_minute_after_they_were_read_not_after_they_came(
    harness: MailHarness,
) -> None:
    begin(harness, "count")
    report = harness.newest(ALICE, "report")
    letter = harness.letter(ALICE, harness.reply_to(report), "B3", "wait", answers=report)
    harness.later(seconds=20)
    assert harness.deliver(harness.reply_to(report), letter.as_bytes())
    harness.later(minutes=3)
    assert handed_in(harness) == 0, "what is stored is not read yet"
    harness.read_all()
    assert handed_in(harness) == 0
    harness.later(seconds=39)
    assert handed_in(harness) == 0
    harness.later(seconds=1)
    assert handed_in(harness) == 1


COUNTED, NAMED = "1 of 3 has handed in orders.", "Handed in: 2. Not yet: 1 and 3."


@pytest.mark.parametrize(
    ("progress", "told"), [("none", ()), ("count", (COUNTED,)), ("seats", (COUNTED, NAMED))]
)
def test_status_tells_what_the_match_shows(
    harness: MailHarness, progress: str, told: tuple[str, ...]
) -> None:
    begin(harness, progress)
    harness.order(harness.uid, BOB, "B3\nwait")
    assert "1 of 3" not in status(harness, ALICE)
    harness.later(minutes=1)
    answer = status(harness, ALICE)
    assert all(each in answer for each in told)
    assert ("has handed in" in answer) == (progress != "none") and ("Handed in:" in answer) == (
        progress == "seats"
    )
    harness.write(ALICE, SERVICE, "status")
    assert (COUNTED in flat(harness.newest(ALICE, "answer"))) == (progress != "none")


@pytest.mark.parametrize("progress", ["none", "count", "seats"])
def test_a_notice_tells_how_many_have_handed_in_where_the_match_shows_it(
    harness: MailHarness, progress: str
) -> None:
    begin(harness, progress)
    for who in (ALICE, BOB):
        harness.order(harness.uid, who, "B3\nwait")
    harness.later(minutes=1)
    masters.move_deadline(harness.database, harness.uid, None, timedelta(hours=5), now=harness.now)
    told = {who: flat(harness.newest(who, "notice")) for who in (ALICE, CHARLIE)}
    assert ("2 of 3 have handed in orders." in told[ALICE]) == (progress != "none")
    assert ("Everybody else has handed in orders." in told[CHARLIE]) == (progress != "none")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("join pyramid", "count"),
        ("join pyramid progress=seats", "seats"),
        ("join pyramid progress none red", "none"),
    ],
)
def test_join_chooses_what_a_new_match_shows(harness: MailHarness, line: str, shown: str) -> None:
    harness.player(ALICE)
    harness.begin(BOB, CHARLIE, ALICE)
    harness.answer(harness.newest(ALICE, "report"), line)
    with harness.database.read_tx() as session:
        newest = session.exec(select(Match).order_by(col(Match.id).desc())).first()
    assert newest is not None and newest.uid != harness.uid and progress_of(newest) == shown


def test_join_refuses_another_word_and_joins_no_table_that_shows_otherwise(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    waiting = harness.prepare_match(Wish("pyramid", "Waiting", {}, progress="none"), BOB)
    harness.answer(harness.newest(ALICE, "report"), "join pyramid progress=all")
    assert "choose count, seats or none" in flat(harness.newest(ALICE, "answer"))
    harness.later(seconds=1)
    harness.answer(harness.newest(ALICE, "report"), "join pyramid progress=seats")
    assert "A new table" in flat(harness.newest(ALICE, "answer"))
    harness.later(seconds=1)
    harness.answer(harness.newest(CHARLIE, "report"), "join pyramid progress=none")
    assert [seat.player_id for seat in harness.seats(waiting)][:2] == [
        harness.people[BOB],
        harness.people[CHARLIE],
    ]
