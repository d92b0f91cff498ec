"""Every game of the catalogue is played by letter: its report says what is owed, and the answer is
accepted.
"""

import pytest

from adjudicator import catalogue
from tests.mail.mail_harness import ALICE, BOB, MailHarness

GAMES = {game.about.key: game for game in catalogue.every_game()}


@pytest.mark.parametrize("key", GAMES)
def test_the_first_phase_is_played_by_letter(harness: MailHarness, key: str) -> None:
    fewest = min(GAMES[key].about.seats)
    uid = harness.begin(ALICE, BOB, game=key, name="By letter", house=fewest - 2)
    asked, answered = harness.page(uid).card.phase, []
    for address in (ALICE, BOB):
        owed = harness.page(uid, address).owed
        if owed is None:
            continue
        report = harness.newest(address, "report")
        assert "you owe orders by" in report.subject and owed.phase in report.subject
        texts = [slot.choices[0].text for slot in owed.slots if not slot.optional]
        assert harness.answer(report, *texts).disposition == "orders"
        receipt = harness.newest(address, "receipt").text
        assert "What was not taken" not in receipt and all(text in receipt for text in texts)
        answered.append(address)
    harness.later(hours=49)
    assert harness.close(uid) and answered
    for address in answered:
        assert asked in harness.newest(address, "report").text, (
            "its outcome is told to whoever ordered"
        )


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_come_by_letter(harness: MailHarness, key: str) -> None:
    harness.begin(ALICE, BOB, house=1)
    harness.answer(harness.newest(ALICE, "report"), f"rules {key}")
    assert GAMES[key].about.title in harness.newest(ALICE, "answer").text
