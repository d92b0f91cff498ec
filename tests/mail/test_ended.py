"""`history` by letter: what was hidden is told to everybody once the match has ended, and to nobody else before."""

from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

BEFORE = (("rock", "scissors"), ("rock bet 5", "scissors"), ("paper bet 15", "rock"))
LAST = ("rock", "scissors")


def told(office: MailHarness, to: str) -> str:
    """Return the answer to `history` of the match, asked of the service's own address."""
    office.write(to, SERVICE, f"history {office.uid}")
    return " ".join(office.newest(to, "answer").text.split())


def play(office: MailHarness, picks: tuple[str, str]) -> None:
    for address, pick in zip((ALICE, BOB), picks, strict=True):
        assert office.order(office.uid, address, pick).disposition == "accepted"
    assert office.close(office.uid)


def test_history_tells_every_draw_of_redeux_once_the_match_has_ended(office: MailHarness) -> None:
    office.begin(ALICE, BOB, game="redeux", risk="always", rounds=1, target=50)
    office.player(CHARLIE)
    for picks in BEFORE:
        play(office, picks)
    for address, own in ((ALICE, 2), (BOB, 2), (CHARLIE, 0)):
        text = told(office, address)
        assert (text.count("You drew "), text.count("Seat 1 drew "), text.count("Seat 2 drew ")) == (own, 0, 0)
    play(office, LAST)
    for address, drew in ((ALICE, (2, 0, 2)), (BOB, (2, 2, 0)), (CHARLIE, (0, 2, 2))):
        text = told(office, address)
        assert (text.count("You drew "), text.count("Seat 1 drew "), text.count("Seat 2 drew ")) == drew
