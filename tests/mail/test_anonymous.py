"""An anonymous match by letter: until it has ended no letter names another player, whatever was asked."""

from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

OTHERS = {ALICE: ("Bob", "bob@"), BOB: ("Alice", "alice@"), CHARLIE: ("Alice", "alice@", "Bob", "bob@")}


def named(harness: MailHarness) -> dict[str, set[str]]:
    """Return for each reader which other players any letter names to them."""
    harness.post_all()
    found: dict[str, set[str]] = {reader: set() for reader in OTHERS}
    for letter in harness.letters():
        raw = harness.message(letter.name).as_string() + letter.text
        found[letter.to] |= {name for name in OTHERS[letter.to] if name in raw}
    return found


def test_no_letter_names_another_player_before_the_end_and_the_last_reports_do(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, game="diplomacy", name="The Masked Ball", anonymous=True, year_limit=1901)
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
