"""The host's block list: blocked addresses get no letters and no accounts, and their letters are
not read.
"""

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotAllowed, NotFound, Refused
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import suppression
from adjudicator.service.people import accounts, block_list, sessions
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.service.test_accounts import ask, links
from tests.service.test_invitations import found, make, opened


@pytest.mark.parametrize(
    ("text", "what", "hits", "spares"),
    [
        (
            "Mallory@Evil.example",
            "mallory@evil.example",
            "mallory+1@evil.example",
            "alice@evil.example",
        ),
        ("evil.example", "evil.example", "mallory@mail.evil.example", "mallory@devil.example"),
        ("@evil.example", "evil.example", "mallory@evil.example", "mallory@evil.example.org"),
        ("*.bücher.example", "bücher.example", "mallory@bücher.example", "mallory@example.org"),
    ],
)
def test_an_address_or_a_domain_with_all_below_it_is_blocked(
    harness: Harness, text: str, what: str, hits: str, spares: str
) -> None:
    assert block_list.block_address(harness.database, text, now=harness.now) == (what, 0)
    with harness.database.read_tx() as session:
        assert (
            suppression.why_suppressed(session, hits),
            suppression.why_suppressed(session, spares),
        ) == ("host", "")
        assert block_list.list_blocked(session) == [what]
    assert block_list.unblock_address(harness.database, text) == what
    with harness.database.read_tx() as session:
        assert (suppression.why_suppressed(session, hits), block_list.list_blocked(session)) == (
            "",
            [],
        )


@pytest.mark.parametrize(
    "text", ["", "evil", "a b", "@", "http://evil.example", "x@", "evil.example/y"]
)
def test_what_is_neither_is_told(harness: Harness, text: str) -> None:
    with pytest.raises(Refused, match=r"e-mail address|neither an address nor a domain"):
        block_list.block_address(harness.database, text, now=harness.now)
    with pytest.raises(NotFound, match="not blocked"):
        block_list.unblock_address(harness.database, "evil.example")


def test_a_blocked_address_gets_no_link_and_no_invitation(harness: Harness) -> None:
    block_list.block_address(harness.database, "example.net", now=harness.now)
    sessions.ask_link(harness.database, "mallory@example.net", zone="UTC", now=harness.now)
    assert links(harness) == []
    with pytest.raises(Refused, match="No invitation goes to"):
        make(harness, ALICE, invited=["mallory@example.net"])


def test_a_link_sent_before_opens_no_account(harness: Harness) -> None:
    token = ask(harness, "mallory@example.net")
    block_list.block_address(harness.database, "mallory@example.net", now=harness.now)
    with pytest.raises(NotAllowed, match="lets nobody play with it"):
        sessions.use_link(harness.database, token, now=harness.now)
    with harness.database.read_tx() as session:
        assert accounts.of_address(session, "mallory@example.net") is None


def test_a_blocked_player_is_signed_out_and_written_to_no_more(harness: Harness) -> None:
    uid, token = harness.match(ALICE, BOB, CHARLIE), harness.enter(BOB)
    opened(harness, "report")
    found(harness, make(harness, ALICE, invited=[address(BOB)]))
    assert block_list.block_address(harness.database, address(BOB), now=harness.now) == (
        address(BOB),
        1,
    )
    with harness.database.read_tx() as session:
        assert sessions.signed_in_player(session, token, now=harness.now) is None
    harness.later(hours=49)
    harness.close(uid)
    assert {letter.address for letter in opened(harness, "report")} == {
        address(ALICE),
        address(CHARLIE),
    }
    with harness.database.read_tx() as session:
        assert not session.exec(
            select(Letter).where(Letter.address == address(BOB), Letter.state == "waiting")
        ).all()
