"""A report that is sent late says what it would have said at once, whatever has happened since, to
the byte.
"""

from datetime import timedelta
from typing import Any

import pytest

from adjudicator import catalogue
from adjudicator.core.game import AnyGame
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import Letter
from adjudicator.service.erasure import erasing
from adjudicator.service.handover import leaving, takeovers
from adjudicator.service.letters import outbox
from adjudicator.service.matches import masters
from adjudicator.service.people import accounts
from tests.mail.composed import compose_bytes
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness
from tests.sampling import sample

DAVE = "dave@example.org"


@pytest.mark.both_databases
@pytest.mark.parametrize("game", sample(catalogue.every_game(), 2), ids=lambda game: game.about.key)
def test_a_report_says_later_what_it_would_have_said_at_once(
    post_harness_on_both: MailHarness, game: AnyGame
) -> None:
    harness, said = post_harness_on_both, dict[str, bytes]()
    _begin(harness, game)
    _note(harness, said)
    for who in (ALICE, BOB):
        _order_something(harness, who)
    for _ in range(2):
        _miss_deadline(harness)
        _note(harness, said)
    _change_hands(harness)
    _note(harness, said)
    _change_what_may_change(harness)
    _end(harness)
    later = {row.uid: _compose(harness, row) for row in _waiting(harness) if row.uid in said}
    assert {row.address for row in _waiting(harness)} >= {ALICE, DAVE}
    assert len(later) >= 2 and later == {uid: said[uid] for uid in later}


def _begin(harness: MailHarness, game: AnyGame) -> None:
    people = [ALICE, BOB, CHARLIE][: max(2, min(game.about.seats))]
    hidden: dict[str, Any] = (
        {ANONYMOUS: True} if ANONYMOUS in {option.name for option in game.about.options} else {}
    )
    harness.begin(*people, game=game.about.key, house=max(game.about.seats) - len(people), **hidden)
    harness.player(DAVE)


def _order_something(harness: MailHarness, who: str) -> None:
    owed = harness.page(harness.uid, who).owed
    if owed is not None:
        texts = [slot.choices[-1].text for slot in owed.slots if slot.choices and not slot.optional]
        harness.order(harness.uid, who, "\n".join([*texts, "wait"]))


def _miss_deadline(harness: MailHarness, hours: int = 49) -> None:
    harness.later(hours=hours)
    assert harness.close(harness.uid)


def _change_hands(harness: MailHarness) -> None:
    leaving.resign(harness.database, harness.uid, harness.player(BOB), now=harness.later(minutes=1))
    takeovers.take_seat(
        harness.database, harness.uid, harness.player(DAVE), now=harness.later(minutes=1)
    )


def _change_what_may_change(harness: MailHarness) -> None:
    with harness.database.write_tx() as session:
        accounts.set_name(session, harness.player(ALICE), "Somebody Else")
    erasing.erase_player(harness.database, harness.player(BOB), now=harness.now)
    masters.move_deadline(
        harness.database,
        harness.uid,
        harness.player(ALICE),
        timedelta(hours=30),
        now=harness.later(minutes=1),
    )


def _end(harness: MailHarness) -> None:
    """Let a last phase close, and end the match unless it is over."""
    _miss_deadline(harness, hours=90)
    if harness.page(harness.uid).card.status != "ended":
        masters.end_match(
            harness.database, harness.uid, None, "It is enough", now=harness.later(minutes=1)
        )
        assert harness.close(harness.uid)
    assert harness.page(harness.uid).card.status == "ended"


def _note(harness: MailHarness, said: dict[str, bytes]) -> None:
    """Note what the reports that wait say now."""
    for row in _waiting(harness):
        said.setdefault(row.uid, _compose(harness, row))


def _waiting(harness: MailHarness) -> list[Letter]:
    return [row for row in harness.rows() if (row.kind, row.state) == ("report", "waiting")]


def _compose(harness: MailHarness, row: Letter) -> bytes:
    claimed = harness.claim_row(row)
    outbox.give_back(harness.database, [claimed], harness.now)
    return compose_bytes(harness.settings, claimed, str.encode)
