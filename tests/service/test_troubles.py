"""What the host learns about failed letters, and sending a held one again."""

from datetime import timedelta

import pytest
from click.testing import CliRunner, Result
from sqlmodel import select

from adjudicator.commands import letters
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.tables import Incoming, Letter
from adjudicator.service.letters import delivery_failures, outbox, receiving
from adjudicator.service.letters.contents.match_content import StuckLetter
from tests import clocks
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.letters_out import claim_letter
from tests.service.test_bounces import player, return_it, rows, rows_match, send


def told(harness: Harness) -> list[tuple[str, str, str]]:
    with harness.database.read_tx() as session:
        return [(line.kind, line.fate, line.why) for line in delivery_failures.out(session)]


@pytest.fixture
def held(harness: Harness) -> str:
    """The uid of a report that a mail server refused permanently."""
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    assert row.id is not None
    claimed = claim_letter(harness.database, harness.keyring, row.id, harness.now)
    assert claimed is not None
    outbox.mark_failed(
        harness.database, claimed, harness.now, "refused: 554 bob@example.org, no", for_good=True
    )
    return row.uid


def test_held_and_returned_letters_are_listed_without_addresses(
    harness: Harness, held: str
) -> None:
    (row,) = rows(harness, "report", address(CHARLIE))
    send(harness, row)
    return_it(harness, row)
    assert told(harness)[-2:] == [
        ("report", "bounced", "it came back: 5.1.1 the address: 550 no such person"),
        ("report", "held", "refused: 554 the address, no"),
    ]


def test_a_held_letter_is_sent_again_when_the_host_says_so(harness: Harness, held: str) -> None:
    delivery_failures.resend(harness.database, held, now=harness.later(hours=1))
    (row,) = rows(harness, "report", address(BOB))
    assert (row.state, row.tries, row.next_try, row.trouble) == ("waiting", 0, harness.now, None)
    with pytest.raises(NotNow, match="it is waiting"):
        delivery_failures.resend(harness.database, held, now=harness.now)
    with pytest.raises(NotFound):
        delivery_failures.resend(harness.database, "nothing", now=harness.now)


def test_sending_again_tries_an_address_that_letters_came_back_from(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (lost,) = rows(harness, "report", address(BOB))
    send(harness, lost)
    return_it(harness, lost)
    harness.round(rows_match(harness), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    waits = rows(harness, "report", address(BOB))[-1]
    assert waits.state == "held"
    delivery_failures.resend(harness.database, waits.uid, now=harness.now)
    assert player(harness, BOB).bounced_at is None
    assert rows(harness, "report", address(BOB))[-1].state == "waiting"


def test_letters_that_nobody_could_act_on_are_listed_with_their_reasons(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    for disposition, reason in (
        ("unreadable", "It is nested too deep."),
        ("automatic", "No person wrote it."),
        ("orders", ""),
    ):
        arrival = receiving.Arrival(
            receiving.Target("service"), b"Subject: x\r\n\r\n", harness.now, "smtp"
        )
        (uid,) = receiving.store_letters(harness.database, [arrival])
        with harness.database.write_tx() as session:
            row = session.exec(select(Incoming).where(Incoming.uid == uid)).one()
            row.disposition, row.reason = disposition, reason or None
    with harness.database.read_tx() as session:
        assert [(line.fate, line.why) for line in delivery_failures.incoming(session)] == [
            ("unreadable", "It is nested too deep.")
        ]
        assert [line.fate for line in delivery_failures.incoming(session, every=True)] == [
            "automatic",
            "unreadable",
        ]


def test_many_held_letters_go_out_at_once_those_since_a_moment_and_those_to_a_domain(
    harness: Harness,
) -> None:
    with harness.database.write_tx() as session:
        for ago, to in (
            (50, "a@old.example"),
            (5, "b@one.example"),
            (4, "c@TWO.example"),
            (3, "d@one.example"),
        ):
            made = harness.now - timedelta(hours=ago)
            letter = outbox.put_letter(
                session, harness.keyring.public, StuckLetter(trouble=""), address=to, now=made
            )
            letter.state, letter.tries, letter.trouble = "held", 28, "452 mailbox full"

    def going() -> list[str]:
        with harness.database.read_tx() as session:
            return [
                session.get_one(Letter, each).address[0]
                for each in sorted(outbox.waiting_letters(session, harness.now))
            ]

    for arguments, told, out in (
        (("--since", "6h", "--to", "two.example"), "1 letter goes out.", "c"),
        (("--to", "@one.example"), "2 letters go out.", "bcd"),
        (("--since", "2026-11-02 11:00"), "No such letter is held.", "bcd"),
        (("--all",), "1 letter goes out.", "abcd"),
    ):
        assert resend(harness, *arguments).output.strip() == told
        assert "".join(going()) == out
    with harness.database.read_tx() as session:
        assert {(row.tries, row.trouble) for row in session.exec(select(Letter))} == {(0, None)}


def test_letters_that_come_back_go_out_with_all_others_and_their_players_are_tried_again(
    harness: Harness,
) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (lost,) = rows(harness, "report", address(BOB))
    send(harness, lost)
    return_it(harness, lost)
    harness.round(rows_match(harness), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    assert resend(harness, "--all").exit_code == 0
    assert (
        player(harness, BOB).bounced_at is None
        and rows(harness, "report", address(BOB))[-1].state == "waiting"
    )


@pytest.mark.parametrize(
    "arguments", [(), ("abc", "--all"), ("--all", "--to", "one.example"), ("--since", "yesterday")]
)
def test_what_is_to_be_sent_again_must_be_said_clearly(
    harness: Harness, arguments: tuple[str, ...]
) -> None:
    told = resend(harness, *arguments)
    assert told.exit_code == 2 and ("Name one letter" in told.output or "is no time" in told.output)


def resend(harness: Harness, *arguments: str) -> Result:
    """Run `sealed letters resend`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(letters, "open_database", lambda **_: harness.database)
        clocks.set_clocks(patch, lambda: harness.now)
        return CliRunner().invoke(letters.command, ["resend", *arguments])
