"""An anonymous match by letter: no letter tells its reader who else plays, whatever was asked, until the match has ended."""

from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

OTHERS = {ALICE: ("Bob", "bob@"), BOB: ("Alice", "alice@"), CHARLIE: ("Alice", "alice@", "Bob", "bob@")}


def named(office: MailHarness) -> dict[str, set[str]]:
    """Return for each reader which other players any letter names to them."""
    office.post_all()
    found: dict[str, set[str]] = {reader: set() for reader in OTHERS}
    for letter in office.letters():
        raw = office.message(letter.name).as_string() + letter.text
        found[letter.to] |= {name for name in OTHERS[letter.to] if name in raw}
    return found


def test_no_letter_names_another_player_before_the_end_and_the_last_reports_do(office: MailHarness) -> None:
    uid = office.begin(ALICE, BOB, game="diplomacy", name="The Masked Ball", anonymous=True, year_limit=1901)
    office.player(CHARLIE)
    office.answer(office.newest(BOB, "report"), "wait")
    office.later(hours=49)
    assert office.close(office.uid)
    for reader in (ALICE, BOB, CHARLIE):
        office.write(reader, SERVICE, f"history {uid}", f"status {uid}", "status")
    assert "handed in no orders in time" in office.newest(CHARLIE, "answer").text
    assert named(office) == {ALICE: set(), BOB: set(), CHARLIE: set()}
    office.later(hours=49)
    assert office.close(office.uid)  # Fall 1901, the last year
    assert named(office) == {ALICE: {"Bob"}, BOB: {"Alice"}, CHARLIE: set()}
