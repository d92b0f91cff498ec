"""What the host is told of letters that went wrong, and sending a held one again."""

from datetime import timedelta

import pytest
from click.testing import CliRunner, Result
from sqlmodel import select

from adjudicator.commands import letters
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.tables import Incoming, Letter
from adjudicator.service.letters import delivery_failures, incoming, outbox
from adjudicator.service.letters.kinds import StuckLetter
from tests import clocks
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.service.test_bounces import player, return_it, rows, rows_match, send


def told(desk: Harness) -> list[tuple[str, str, str]]:
    with desk.database.read_tx() as session:
        return [(line.kind, line.fate, line.why) for line in delivery_failures.out(session)]


@pytest.fixture
def held(desk: Harness) -> str:
    """The uid of a report that a mail server refused for good."""
    desk.match(ALICE, BOB, CHARLIE)
    (row,) = rows(desk, "report", address(BOB))
    assert row.id is not None
    claimed = outbox.claim_letters(desk.database, desk.keyring, row.id, desk.now)
    assert claimed is not None
    outbox.mark_failed(desk.database, claimed, desk.now, "refused: 554 bob@example.org, no", for_good=True)
    return row.uid


def test_held_and_returned_letters_are_listed_without_addresses(desk: Harness, held: str) -> None:
    (row,) = rows(desk, "report", address(CHARLIE))
    send(desk, row)
    return_it(desk, row)
    assert told(desk)[-2:] == [
        ("report", "bounced", "it came back: 5.1.1 the address: 550 no such person"),
        ("report", "held", "refused: 554 the address, no"),
    ]


def test_a_held_letter_is_sent_again_when_the_host_says_so(desk: Harness, held: str) -> None:
    delivery_failures.resend(desk.database, held, now=desk.later(hours=1))
    (row,) = rows(desk, "report", address(BOB))
    assert (row.state, row.tries, row.next_try, row.trouble) == ("waiting", 0, desk.now, None)
    with pytest.raises(NotNow, match="it is waiting"):
        delivery_failures.resend(desk.database, held, now=desk.now)
    with pytest.raises(NotFound):
        delivery_failures.resend(desk.database, "nothing", now=desk.now)


def test_sending_again_tries_an_address_that_letters_came_back_from(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    (lost,) = rows(desk, "report", address(BOB))
    send(desk, lost)
    return_it(desk, lost)
    desk.round(rows_match(desk), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    waits = rows(desk, "report", address(BOB))[-1]
    assert waits.state == "held"
    delivery_failures.resend(desk.database, waits.uid, now=desk.now)
    assert player(desk, BOB).bounced_at is None
    assert rows(desk, "report", address(BOB))[-1].state == "waiting"


def test_letters_that_nobody_could_act_on_are_listed_with_their_reasons(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    for disposition, reason in (("unreadable", "It is nested too deep."), ("automatic", "No person wrote it."), ("orders", "")):
        arrival = incoming.Arrival(incoming.Target("service"), b"Subject: x\r\n\r\n", desk.now, "smtp")
        (uid,) = incoming.store_letters(desk.database, [arrival])
        with desk.database.write_tx() as session:
            row = session.exec(select(Incoming).where(Incoming.uid == uid)).one()
            row.disposition, row.reason = disposition, reason or None
    with desk.database.read_tx() as session:
        assert [(line.fate, line.why) for line in delivery_failures.incoming(session)] == [("unreadable", "It is nested too deep.")]
        assert [line.fate for line in delivery_failures.incoming(session, every=True)] == ["automatic", "unreadable"]


def test_many_held_letters_go_out_at_once_those_since_a_moment_and_those_to_a_domain(desk: Harness) -> None:
    with desk.database.write_tx() as session:
        for ago, to in ((50, "a@old.example"), (5, "b@one.example"), (4, "c@TWO.example"), (3, "d@one.example")):
            made = desk.now - timedelta(hours=ago)
            letter = outbox.put_letter(session, desk.keyring.public, StuckLetter(trouble=""), address=to, now=made)
            letter.state, letter.tries, letter.trouble = "held", 28, "452 mailbox full"

    def going() -> list[str]:
        with desk.database.read_tx() as session:
            return [session.get_one(Letter, each).address[0] for each in sorted(outbox.waiting_letters(session, desk.now))]

    for arguments, told, out in (
        (("--since", "6h", "--to", "two.example"), "1 letter goes out.", "c"),
        (("--to", "@one.example"), "2 letters go out.", "bcd"),
        (("--since", "2026-11-02 11:00"), "No such letter is held.", "bcd"),
        (("--all",), "1 letter goes out.", "abcd"),
    ):
        assert resend(desk, *arguments).output.strip() == told
        assert "".join(going()) == out
    with desk.database.read_tx() as session:
        assert {(row.tries, row.trouble) for row in session.exec(select(Letter))} == {(0, None)}


def test_letters_that_come_back_go_out_with_all_others_and_their_players_are_tried_again(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    (lost,) = rows(desk, "report", address(BOB))
    send(desk, lost)
    return_it(desk, lost)
    desk.round(rows_match(desk), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    assert resend(desk, "--all").exit_code == 0
    assert player(desk, BOB).bounced_at is None and rows(desk, "report", address(BOB))[-1].state == "waiting"


@pytest.mark.parametrize("arguments", [(), ("abc", "--all"), ("--all", "--to", "one.example"), ("--since", "yesterday")])
def test_what_is_to_be_sent_again_must_be_said_clearly(desk: Harness, arguments: tuple[str, ...]) -> None:
    told = resend(desk, *arguments)
    assert told.exit_code == 2 and ("Name one letter" in told.output or "is no time" in told.output)


def resend(desk: Harness, *arguments: str) -> Result:
    """Run `sealed letters resend`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(letters, "open_database", lambda: desk.database)
        clocks.turn(patch, lambda: desk.now)
        return CliRunner().invoke(letters.command, ["resend", *arguments])
