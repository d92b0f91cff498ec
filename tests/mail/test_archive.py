"""`archive` by letter: the newest ended matches of a game."""

from adjudicator.service.archive import entries
from adjudicator.service.base.rows import by_uid
from adjudicator.service.matches import masters
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat


def test_archive_lists_ended_public_matches_with_their_addresses(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "archive pyramid")
    assert "No public match of Rock Paper Pyramid has ended yet." in flat(
        harness.newest(ALICE, "answer")
    )
    harness.later(hours=60)
    assert harness.close(uid)
    masters.end_match(harness.database, uid, None, "It is late", now=harness.now)
    assert harness.close(uid) and entries.archive_match(harness.database, uid)
    with harness.database.read_tx() as session:
        name = by_uid(session, uid).name
    harness.answer(harness.newest(ALICE, "report"), "archive pyramid")
    told = flat(harness.newest(ALICE, "answer"))
    assert (
        f"{name}, stopped before its end, 1 phase" in told
        and f"/matches/{uid}" in told
        and "/archive?game=pyramid" in told
    )


def test_archive_needs_a_game_and_strangers_get_its_address(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "archive")
    assert "It needs a game: pyramid, redeux" in flat(harness.newest(ALICE, "answer"))
    harness.write("mallory@example.org", SERVICE, "archive pyramid")
    assert "/archive?game=pyramid" in harness.newest("mallory@example.org", "answer").text
