"""An anonymous match by letter: until it has ended no letter names another player, whatever was
asked.
"""

from email.message import EmailMessage

from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

OTHERS = {
    ALICE: ("Bob", "bob@"),
    BOB: ("Alice", "alice@"),
    CHARLIE: ("Alice", "alice@", "Bob", "bob@"),
}


def named(harness: MailHarness) -> dict[str, set[str]]:
    """Return for each reader which other players any letter names to them."""
    harness.post_all()
    found: dict[str, set[str]] = {reader: set() for reader in OTHERS}
    for letter in harness.letters():
        told = "\n".join((letter.text, *_words(harness.message(letter.name))))
        found[letter.to] |= {name for name in OTHERS[letter.to] if name in told}
    return found


def _words(message: EmailMessage) -> list[str]:
    """Return all headers and decoded texts of a letter; the bytes of a picture may spell a name by
    chance.
    """
    parts = list(message.walk())
    read = [
        part for part in parts if not part.is_multipart() and part.get_content_maintype() != "image"
    ]
    texts = [part.get_payload(decode=True).decode("utf-8", "replace") for part in read]
    return [f"{name}: {value}" for part in parts for name, value in part.items()] + texts


def test_no_letter_names_another_player_before_the_end_and_the_last_reports_do(
    harness: MailHarness,
) -> None:
    uid = harness.begin(
        ALICE, BOB, game="diplomacy", name="The Masked Ball", anonymous=True, year_limit=1901
    )
    harness.player(CHARLIE)
    harness.answer(harness.newest(BOB, "report"), "wait")
    harness.later(hours=49)
    assert harness.close(harness.uid)
    for reader in (ALICE, BOB, CHARLIE):
        harness.write(reader, SERVICE, f"history {uid}", f"status {uid}", "status")
    assert "handed in no orders in time" in harness.newest(CHARLIE, "answer").text
    assert named(harness) == {ALICE: set(), BOB: set(), CHARLIE: set()}
    harness.later(hours=49)
    assert harness.close(harness.uid)  # Fall 1901, the last year
    assert named(harness) == {ALICE: {"Bob"}, BOB: {"Alice"}, CHARLIE: set()}
