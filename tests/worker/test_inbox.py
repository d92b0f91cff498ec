"""The inbox over its socket: what it accepts and refuses. No letter is acknowledged before it is
stored.
"""

import smtplib

import pytest

from adjudicator.platform import clock
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import LARGEST, MOST_WAITING, Arrival
from tests.worker.inbox_process import LETTER, InboxProcess

SENDER = "alice@example.org"


def fill(inbox: InboxProcess, uid: str, seat: str, count: int) -> None:
    """Store `count` waiting letters to a seat."""
    with inbox.harness.database.read_tx() as session:
        target = receiving.find_target(session, inbox.token(uid, seat))
    assert target is not None
    receiving.store_letters(
        inbox.harness.database, [Arrival(target, LETTER, clock.now(), "smtp")] * count
    )


# --- letters


def test_a_letter_to_a_seat_is_stored_as_it_came_and_sealed(inbox: InboxProcess) -> None:
    uid = inbox.match()
    inbox.open()
    raw = (
        b"From: Alice <alice@example.org>\r\nSubject: =?utf-8?q?R=C3=BCnde?=\r\n\r\n.leading"
        b" dot\r\n..two\r\nB3 \xff\xfe\x00 8-bit\r\n\r\n"
    )
    before = clock.now()
    with inbox.client() as client:
        client.sendmail(SENDER, [inbox.seat(uid)], raw, ["BODY=8BITMIME"])
    (row,) = inbox.stored()
    assert (row.kind, row.via, row.size, row.null_sender, row.disposition) == (
        "seat",
        "smtp",
        len(raw),
        False,
        None,
    )
    assert before <= row.received_at <= clock.now()
    assert raw not in (row.raw or b"") and inbox.read(row) == raw


def test_a_letter_to_the_service_and_one_from_nobody(open_inbox: InboxProcess) -> None:
    with open_inbox.client() as client:
        client.sendmail(SENDER, ["ORDERS@Play.Example.ORG"], LETTER)
        client.sendmail("", ["orders@play.example.org"], LETTER)
    first, second = open_inbox.stored()
    assert (first.kind, first.null_sender) == ("service", False) and (
        second.kind,
        second.null_sender,
    ) == ("service", True)


def test_with_a_catch_all_each_seat_has_a_name_of_its_own(small_inbox: InboxProcess) -> None:
    small_inbox.mail_address = "*@play.example.org"
    uid = small_inbox.match()
    small_inbox.open()
    with small_inbox.client() as client:
        client.sendmail(
            SENDER,
            [f"{small_inbox.token(uid)}@play.example.org", "orders@play.example.org"],
            LETTER,
        )
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            client.sendmail(SENDER, ["postmaster@play.example.org"], LETTER)
    assert sorted(row.kind for row in small_inbox.stored()) == ["seat", "service"]


def test_several_recipients_get_a_letter_each_and_one_address_named_twice_gets_one(
    open_inbox: InboxProcess,
) -> None:
    uid = open_inbox.match()
    with open_inbox.client() as client:
        to = [open_inbox.seat(uid, name) for name in ("1", "2", "3", "1")]
        assert client.sendmail(SENDER, to, LETTER) == {}
    assert len({row.seat_id for row in open_inbox.stored()}) == len(open_inbox.stored()) == 3


@pytest.mark.parametrize(
    ("address", "code", "words"),
    [
        ("orders+nobodysittinghereatall@play.example.org", 550, b"5.1.1 No such address here"),
        ("orders+b-nothing@play.example.org", 550, b"5.1.1 No such address here"),
        ("abuse@play.example.org", 550, b"5.1.1 No such address here"),
        ("orders@elsewhere.example", 550, b"5.7.1 Letters to other hosts are not taken here"),
        ("orders", 550, b"5.7.1"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_at_rcpt(
    open_inbox: InboxProcess, address: str, code: int, words: bytes
) -> None:
    with open_inbox.client() as client:
        client.ehlo()
        client.mail(SENDER)
        told = client.docmd(f"RCPT TO:<{address}>")
        assert told[0] == code and told[1].startswith(words)
        assert client.docmd("DATA")[0] == 503
    assert open_inbox.stored() == []


# --- LMTP


def test_lmtp_tells_every_recipient_apart_what_became_of_its_letter(inbox: InboxProcess) -> None:
    inbox.scheme = "lmtp"
    uid = inbox.match()
    fill(inbox, uid, "2", MOST_WAITING)
    inbox.open()
    with inbox.line() as line:
        assert line.hear().startswith(b"220 play.example.org")
        assert line.ask(b"EHLO mx").startswith(b"500 5.5.1") and line.ask(b"HELO mx").startswith(
            b"500"
        )
        assert line.ask(b"LHLO mx") == b"250 ENHANCEDSTATUSCODES"
        addresses = [
            inbox.seat(uid, "1"),
            inbox.seat(uid, "2"),
            "orders+nobody@play.example.org",
            inbox.seat(uid, "1"),
            inbox.seat(uid, "3"),
        ]
        line.say(
            b"MAIL FROM:<alice@example.org>",
            *(f"RCPT TO:<{each}>".encode() for each in addresses),
            b"DATA",
        )
        assert [line.hear()[:3] for _ in range(7)] == [
            b"250",
            b"250",
            b"250",
            b"550",
            b"250",
            b"250",
            b"354",
        ]
        line.say(LETTER + b".")
        assert [line.hear()[:9] for _ in range(4)] == [
            b"250 2.6.0",
            b"452 4.2.2",
            b"250 2.6.0",
            b"250 2.6.0",
        ]
        assert line.ask(b"QUIT").startswith(b"221 2.0.0")
    assert len(inbox.stored()) == MOST_WAITING + 2 and {
        row.via for row in inbox.stored()[MOST_WAITING:]
    } == {"lmtp"}


def test_a_client_of_lmtp_needs_nothing_else(small_inbox: InboxProcess) -> None:
    small_inbox.scheme = "lmtp"
    uid = small_inbox.match()
    small_inbox.open()
    with small_inbox.client() as client:
        assert client.sendmail(SENDER, [small_inbox.seat(uid)], LETTER) == {}
    assert len(small_inbox.stored()) == 1


def test_over_smtp_a_full_seat_keeps_the_letter_with_its_sender(open_inbox: InboxProcess) -> None:
    uid = open_inbox.match()
    fill(open_inbox, uid, "1", MOST_WAITING)
    with open_inbox.client() as client:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail(SENDER, [open_inbox.seat(uid, "1")], LETTER)
        assert refused.value.smtp_code == 452
        client.sendmail(SENDER, [open_inbox.seat(uid, "2")], LETTER)
    assert len(open_inbox.stored()) == MOST_WAITING + 1


# --- what mail servers do


def test_commands_sent_at_once_are_answered_in_order(open_inbox: InboxProcess) -> None:
    uid = open_inbox.match()
    to = open_inbox.seat(uid).encode()
    with open_inbox.line() as line:
        line.hear()
        assert line.ask(b"EHLO mx") == b"250 ENHANCEDSTATUSCODES"
        line.say(
            b"MAIL FROM:<a@example.org> SIZE=100 BODY=8BITMIME", b"RCPT TO:<" + to + b">", b"DATA"
        )
        assert [line.hear()[:3] for _ in range(3)] == [b"250", b"250", b"354"]
        line.say(
            LETTER + b".", b"MAIL FROM:<>", b"RCPT TO:<" + to + b">", b"RSET", b"NOOP", b"QUIT"
        )
        assert [line.hear()[:3] for _ in range(7)] == [
            b"250",
            b"250",
            b"250",
            b"250",
            b"250",
            b"221",
            b"",
        ]
    assert len(open_inbox.stored()) == 1


def test_many_letters_go_over_one_connection(open_inbox: InboxProcess) -> None:
    with open_inbox.client() as client:
        for number in range(30):
            client.sendmail(SENDER, ["orders@play.example.org"], LETTER + b"%d\r\n" % number)
    assert [open_inbox.read(row) for row in open_inbox.stored()[:1]] == [LETTER + b"0\r\n"] and len(
        open_inbox.stored()
    ) == 30


def test_what_is_offered_is_what_can_be_done(open_inbox: InboxProcess) -> None:
    with open_inbox.client() as client:
        client.ehlo()
        assert set(client.esmtp_features) == {
            "size",
            "8bitmime",
            "smtputf8",
            "pipelining",
            "enhancedstatuscodes",
        }
        assert client.esmtp_features["size"] == str(LARGEST)
        for verb in ("VRFY alice", "EXPN list", "AUTH PLAIN AGEAYg==", "STARTTLS"):
            assert client.docmd(verb)[0] == 500
    with open_inbox.line() as line:
        line.hear()
        assert line.ask(b"HELO old.example.org") == b"250 play.example.org"
        assert line.ask(
            b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA"
        ).startswith(b"354")
        assert line.ask(LETTER + b".").startswith(b"250")


def test_addresses_and_letters_in_utf8_are_taken(open_inbox: InboxProcess) -> None:
    with open_inbox.client() as client:
        client.ehlo()
        assert (
            client.mail("jürgen@example.org".encode().decode(), ["SMTPUTF8", "BODY=8BITMIME"])[0]
            == 250
        )
        assert client.rcpt("orders@play.example.org")[0] == 250
        assert client.data("Subject: Zug für Runde 1\r\n\r\nB3\r\n".encode())[0] == 250
    (row,) = open_inbox.stored()
    assert "Zug für Runde 1".encode() in (open_inbox.read(row) or b"")


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        (b".", b""),
        (b"..", b".\r\n"),
        (b"one\n.\ntwo\r\n.", b"one\n.\ntwo\r\n"),
        (b"one\r.\rtwo\r\n.", b"one\r.\rtwo\r\n"),
        (b"long " + b"x" * 200_000 + b"\r\n.", b"long " + b"x" * 200_000 + b"\r\n"),
        (b"x" * 65_534 + b"\r\n.", b"x" * 65_534 + b"\r\n"),
        (b"x" * 65_535 + b"\r\n.line\r\n.", b"x" * 65_535 + b"\r\nline\r\n"),
    ],
    ids=[
        "empty",
        "a dot",
        "bare newlines smuggle nothing",
        "bare returns neither",
        "a very long line",
        "at the buffer's end",
        "past it",
    ],
)
def test_only_a_dot_on_a_line_of_its_own_ends_a_letter(
    open_inbox: InboxProcess, sent: bytes, stored: bytes
) -> None:
    with open_inbox.line() as line:
        line.hear()
        line.ask(
            b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA"
        )
        if sent == b"..":
            sent = b"..\r\n."
        assert line.ask(sent).startswith(b"250 2.6.0")
        assert line.ask(b"NOOP").startswith(b"250 2.0.0")
    (row,) = open_inbox.stored()
    assert open_inbox.read(row) == stored


def test_a_letter_that_breaks_off_is_not_stored(open_inbox: InboxProcess) -> None:
    with open_inbox.line() as line:
        line.hear()
        line.ask(
            b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA"
        )
        line.say(b"Subject: half")
    with open_inbox.client() as client:
        client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
    assert len(open_inbox.stored()) == 1
