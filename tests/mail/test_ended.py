"""`history` by letter: hidden events are shown to everybody once the match has ended, and before
only to those they concern.
"""

from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

BEFORE = (("rock", "scissors"), ("rock bet 5", "scissors"), ("paper bet 15", "rock"))
LAST = ("rock", "scissors")


def told(harness: MailHarness, to: str) -> str:
    """Return the answer to `history` of the match, asked of the service's own address."""
    harness.write(to, SERVICE, f"history {harness.uid}")
    return " ".join(harness.newest(to, "answer").text.split())


def play(harness: MailHarness, picks: tuple[str, str]) -> None:
    for address, pick in zip((ALICE, BOB), picks, strict=True):
        assert harness.order(harness.uid, address, pick).disposition == "accepted"
    assert harness.close(harness.uid)


def test_history_tells_every_draw_of_redeux_once_the_match_has_ended(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="redeux", risk="always", rounds=1, target=50)
    harness.player(CHARLIE)
    for picks in BEFORE:
        play(harness, picks)
    for address, own in ((ALICE, 2), (BOB, 2), (CHARLIE, 0)):
        text = told(harness, address)
        assert (
            text.count("You drew "),
            text.count("Seat 1 drew "),
            text.count("Seat 2 drew "),
        ) == (own, 0, 0)
    play(harness, LAST)
    for address, drew in ((ALICE, (2, 0, 2)), (BOB, (2, 2, 0)), (CHARLIE, (0, 2, 2))):
        text = told(harness, address)
        assert (
            text.count("You drew "),
            text.count("Seat 1 drew "),
            text.count("Seat 2 drew "),
        ) == drew
