"""The inbox over its socket: what it takes, what it refuses, and that nothing is acknowledged that is not stored."""

import smtplib
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
import redis

from adjudicator import clock
from adjudicator.seal import boxes
from adjudicator.service import inbox
from adjudicator.service.inbox import LARGEST, MOST_WAITING, Arrival, Target
from adjudicator.service.tables import Seat
from tests.service.desk import Desk
from tests.worker.office import LETTER, Office

SENDER = "alice@example.org"


def fill(office: Office, uid: str, seat: str, count: int) -> None:
    """Have so many letters to a seat wait already."""
    with office.desk.database.reading() as session:
        target = inbox.target(session, office.token(uid, seat))
    assert target is not None
    inbox.store(office.desk.database, [Arrival(target, LETTER, clock.now(), "smtp")] * count)


# --- letters


def test_a_letter_to_a_seat_is_stored_as_it_came_and_sealed(office: Office) -> None:
    uid = office.match()
    office.open()
    raw = (
        b"From: Alice <alice@example.org>\r\nSubject: =?utf-8?q?R=C3=BCnde?=\r\n\r\n.leading dot\r\n..two\r\nB3 \xff\xfe\x00 8-bit\r\n\r\n"
    )
    before = clock.now()
    with office.client() as client:
        client.sendmail(SENDER, [office.seat(uid)], raw, ["BODY=8BITMIME"])
    (row,) = office.stored()
    assert (row.kind, row.via, row.size, row.null_sender, row.disposition) == ("seat", "smtp", len(raw), False, None)
    assert before <= row.received_at <= clock.now()
    assert raw not in (row.raw or b"") and office.read(row) == raw


def test_a_letter_to_the_service_and_one_from_nobody(small_office: Office) -> None:
    small_office.open()
    with small_office.client() as client:
        client.sendmail(SENDER, ["ORDERS@Play.Example.ORG"], LETTER)
        client.sendmail("", ["orders@play.example.org"], LETTER)
    first, second = small_office.stored()
    assert (first.kind, first.null_sender) == ("service", False) and (second.kind, second.null_sender) == ("service", True)


def test_with_a_catch_all_each_seat_has_a_name_of_its_own(small_office: Office) -> None:
    small_office.mail_address = "*@play.example.org"
    uid = small_office.match()
    small_office.open()
    with small_office.client() as client:
        client.sendmail(SENDER, [f"{small_office.token(uid)}@play.example.org", "orders@play.example.org"], LETTER)
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            client.sendmail(SENDER, ["postmaster@play.example.org"], LETTER)
    assert sorted(row.kind for row in small_office.stored()) == ["seat", "service"]


def test_several_recipients_get_a_letter_each_and_one_address_named_twice_gets_one(small_office: Office) -> None:
    uid = small_office.match()
    small_office.open()
    with small_office.client() as client:
        to = [small_office.seat(uid, name) for name in ("1", "2", "3", "1")]
        assert client.sendmail(SENDER, to, LETTER) == {}
    assert len({row.seat_id for row in small_office.stored()}) == len(small_office.stored()) == 3


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
def test_an_address_that_leads_nowhere_is_refused_at_rcpt(small_office: Office, address: str, code: int, words: bytes) -> None:
    small_office.open()
    with small_office.client() as client:
        client.ehlo()
        client.mail(SENDER)
        told = client.docmd(f"RCPT TO:<{address}>")
        assert told[0] == code and told[1].startswith(words)
        assert client.docmd("DATA")[0] == 503
    assert small_office.stored() == []


# --- LMTP


def test_lmtp_tells_every_recipient_apart_what_became_of_its_letter(office: Office) -> None:
    office.scheme = "lmtp"
    uid = office.match()
    fill(office, uid, "2", MOST_WAITING)
    office.open()
    with office.line() as line:
        assert line.hear().startswith(b"220 play.example.org")
        assert line.ask(b"EHLO mx").startswith(b"500 5.5.1") and line.ask(b"HELO mx").startswith(b"500")
        assert line.ask(b"LHLO mx") == b"250 ENHANCEDSTATUSCODES"
        addresses = [
            office.seat(uid, "1"),
            office.seat(uid, "2"),
            "orders+nobody@play.example.org",
            office.seat(uid, "1"),
            office.seat(uid, "3"),
        ]
        line.say(b"MAIL FROM:<alice@example.org>", *(f"RCPT TO:<{each}>".encode() for each in addresses), b"DATA")
        assert [line.hear()[:3] for _ in range(7)] == [b"250", b"250", b"250", b"550", b"250", b"250", b"354"]
        line.say(LETTER + b".")
        assert [line.hear()[:9] for _ in range(4)] == [b"250 2.6.0", b"452 4.2.2", b"250 2.6.0", b"250 2.6.0"]
        assert line.ask(b"QUIT").startswith(b"221 2.0.0")
    assert len(office.stored()) == MOST_WAITING + 2 and {row.via for row in office.stored()[MOST_WAITING:]} == {"lmtp"}


def test_a_client_of_lmtp_needs_nothing_else(small_office: Office) -> None:
    small_office.scheme = "lmtp"
    uid = small_office.match()
    small_office.open()
    with small_office.client() as client:
        assert client.sendmail(SENDER, [small_office.seat(uid)], LETTER) == {}
    assert len(small_office.stored()) == 1


def test_over_smtp_a_full_seat_keeps_the_letter_with_its_sender(small_office: Office) -> None:
    uid = small_office.match()
    fill(small_office, uid, "1", MOST_WAITING)
    small_office.open()
    with small_office.client() as client:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail(SENDER, [small_office.seat(uid, "1")], LETTER)
        assert refused.value.smtp_code == 452
        client.sendmail(SENDER, [small_office.seat(uid, "2")], LETTER)
    assert len(small_office.stored()) == MOST_WAITING + 1


# --- what mail servers do


def test_commands_sent_at_once_are_answered_in_order(small_office: Office) -> None:
    uid = small_office.match()
    small_office.open()
    to = small_office.seat(uid).encode()
    with small_office.line() as line:
        line.hear()
        assert line.ask(b"EHLO mx") == b"250 ENHANCEDSTATUSCODES"
        line.say(b"MAIL FROM:<a@example.org> SIZE=100 BODY=8BITMIME", b"RCPT TO:<" + to + b">", b"DATA")
        assert [line.hear()[:3] for _ in range(3)] == [b"250", b"250", b"354"]
        line.say(LETTER + b".", b"MAIL FROM:<>", b"RCPT TO:<" + to + b">", b"RSET", b"NOOP", b"QUIT")
        assert [line.hear()[:3] for _ in range(7)] == [b"250", b"250", b"250", b"250", b"250", b"221", b""]
    assert len(small_office.stored()) == 1


def test_many_letters_go_over_one_connection(small_office: Office) -> None:
    uid = small_office.match()
    small_office.open()
    with small_office.client() as client:
        for number in range(30):
            client.sendmail(SENDER, [small_office.seat(uid)], LETTER + b"%d\r\n" % number)
    assert [small_office.read(row) for row in small_office.stored()[:1]] == [LETTER + b"0\r\n"] and len(small_office.stored()) == 30


def test_what_is_offered_is_what_can_be_done(small_office: Office) -> None:
    small_office.open()
    with small_office.client() as client:
        client.ehlo()
        assert set(client.esmtp_features) == {"size", "8bitmime", "smtputf8", "pipelining", "enhancedstatuscodes"}
        assert client.esmtp_features["size"] == str(LARGEST)
        for verb in ("VRFY alice", "EXPN list", "AUTH PLAIN AGEAYg==", "STARTTLS"):
            assert client.docmd(verb)[0] == 500
    with small_office.line() as line:
        line.hear()
        assert line.ask(b"HELO old.example.org") == b"250 play.example.org"
        assert line.ask(b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA").startswith(b"354")
        assert line.ask(LETTER + b".").startswith(b"250")


def test_addresses_and_letters_in_utf8_are_taken(small_office: Office) -> None:
    small_office.open()
    with small_office.client() as client:
        client.ehlo()
        assert client.mail("jürgen@example.org".encode().decode(), ["SMTPUTF8", "BODY=8BITMIME"])[0] == 250
        assert client.rcpt("orders@play.example.org")[0] == 250
        assert client.data("Subject: Zug für Runde 1\r\n\r\nB3\r\n".encode())[0] == 250
    (row,) = small_office.stored()
    assert "Zug für Runde 1".encode() in (small_office.read(row) or b"")


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
    ids=["empty", "a dot", "bare newlines smuggle nothing", "bare returns neither", "a very long line", "at the buffer's end", "past it"],
)
def test_only_a_dot_on_a_line_of_its_own_ends_a_letter(small_office: Office, sent: bytes, stored: bytes) -> None:
    small_office.open()
    with small_office.line() as line:
        line.hear()
        line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA")
        if sent == b"..":
            sent = b"..\r\n."
        assert line.ask(sent).startswith(b"250 2.6.0")
        assert line.ask(b"NOOP").startswith(b"250 2.0.0")
    (row,) = small_office.stored()
    assert small_office.read(row) == stored


def test_a_letter_that_breaks_off_is_not_stored(small_office: Office) -> None:
    small_office.open()
    with small_office.line() as line:
        line.hear()
        line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA")
        line.say(b"Subject: half")
    with small_office.client() as client:
        client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
    assert len(small_office.stored()) == 1


# --- bounds


def test_a_letter_that_says_it_is_too_large_is_refused_before_it_is_sent(small_office: Office) -> None:
    small_office.open()
    with small_office.client() as client:
        client.ehlo()
        assert client.docmd(f"MAIL FROM:<a@example.org> SIZE={LARGEST + 1}")[0] == 552


def test_a_letter_that_is_too_large_is_refused_and_the_next_one_taken(small_office: Office) -> None:
    small_office.open()
    with small_office.line() as line:
        line.hear()
        for raw, code in ((b"x" * (LARGEST + 1), b"552"), (b"x" * (LARGEST - 2), b"250")):
            line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA")
            line.say(raw, b".")
            assert line.hear().startswith(code)
    assert [row.size for row in small_office.stored()] == [LARGEST]


def test_letters_that_are_too_much_together_are_put_off(small_office: Office) -> None:
    small_office.open(held=100_000)
    with small_office.line() as first, small_office.line() as second:
        for line in (first, second):
            line.hear()
            line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA")
        first.say(*[b"x" * 1000] * 90)
        time.sleep(0.5)
        second.say(*[b"y" * 1000] * 20, b".")
        assert second.hear().startswith(b"452 4.3.1")
        first.say(b".")
        assert first.hear().startswith(b"250 2.6.0")
        second.say(b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA", LETTER + b".")
        assert [second.hear()[:3] for _ in range(4)] == [b"250", b"250", b"354", b"250"]
    assert len(small_office.stored()) == 2


def test_many_large_letters_at_once_stay_within_256_mb(small_office: Office) -> None:
    uid = small_office.match()
    to = [*(small_office.seat(uid, name) for name in ("1", "2", "3")), "orders@play.example.org"]
    small_office.open()
    raw = b"Subject: large\r\n\r\n" + (b"x" * 998 + b"\r\n") * 5200

    def send(_: int) -> int:
        with small_office.client() as client:
            client.ehlo()
            client.mail(SENDER)
            for each in to:
                client.rcpt(each)
            return _data(client, raw)

    with ThreadPoolExecutor(30) as senders:
        codes = list(senders.map(send, range(30)))
    assert set(codes) <= {250, 452} and len(small_office.stored()) == codes.count(250) * 4 > 0
    assert small_office.process is not None
    told = Path(f"/proc/{small_office.process.pid}/status").read_text()
    assert int(told.partition("VmHWM:")[2].split()[0]) < 256 * 1024


def test_connections_at_once_are_bounded(small_office: Office) -> None:
    small_office.open(connections=3)
    lines = [small_office.line() for _ in range(5)]
    try:
        assert [line.hear()[:3] for line in lines] == [b"220", b"220", b"220", b"421", b"421"]
        assert lines[3].hear() == b""
        lines[0].ask(b"QUIT")
        end = time.monotonic() + 20
        while (line := small_office.line()).hear()[:3] != b"220":
            line.__exit__()
            assert time.monotonic() < end
            time.sleep(0.05)
        line.__exit__()
    finally:
        for line in lines:
            line.__exit__()


def test_recipients_errors_and_silence_are_bounded(small_office: Office) -> None:
    small_office.open(idle=2)
    with small_office.line() as line:
        line.hear()
        line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>")
        assert line.ask(*[b"RCPT TO:<orders@play.example.org>"] * 100).startswith(b"250")
        assert line.ask(b"RCPT TO:<orders@play.example.org>").startswith(b"452 4.5.3")
    with small_office.line() as line:
        line.hear()
        line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>")
        line.say(*[b"RCPT TO:<orders+guess@play.example.org>"] * 101)
        assert [line.hear()[:3] for _ in range(102)] == [b"550"] * 100 + [b"421", b""]
    with small_office.line() as line:
        assert line.hear().startswith(b"220") and line.hear() == b""


@pytest.mark.parametrize(
    "sent",
    [
        b"MAIL FROM:<" + b"(" * 450 + b">", b"RCPT TO:<" + b"(" * 450 + b">", b"MAIL FROM:" + b'"' * 480, b"\xff\xfe", b"MAIL", b"DATA",
        b"RCPT TO:orders", b"MAIL FROM:<a@b> BODY=BINARYMIME", b"MAIL FROM:<a@b> RET=FULL", b"BDAT 10 LAST", b"X" * 500,
        b"EHLO " + b"y" * 5000, b"MAIL FROM:<" + b"@" * 1000 + b">", b"",
    ],
)  # fmt: skip
def test_nonsense_is_refused_and_the_connection_goes_on(small_office: Office, sent: bytes) -> None:
    small_office.open()
    with small_office.line() as line:
        line.hear()
        line.ask(b"EHLO mx")
        assert line.ask(sent)[:1] in (b"5", b"2")
        assert line.ask(b"RSET").startswith(b"250")
        assert line.ask(b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA").startswith(b"354")
        assert line.ask(LETTER + b".").startswith(b"250")


def test_many_connections_at_once_lose_and_double_nothing(office: Office) -> None:
    uid = office.match()
    office.open()

    def send(number: int) -> None:
        with office.client() as client:
            for part in range(5):
                client.sendmail(SENDER, [office.seat(uid, str(number % 3 + 1))], LETTER + b"%d.%d\r\n" % (number, part))

    with ThreadPoolExecutor(20) as senders:
        list(senders.map(send, range(20)))
    seen = [office.read(row) for row in office.stored() if row.seat_id]
    assert len(office.stored()) == 100
    assert {raw for raw in seen if raw} <= {LETTER + b"%d.%d\r\n" % (number, part) for number in range(20) for part in range(5)}


# --- faults


def test_while_the_database_is_away_nothing_is_taken(postgres_url: str, tmp_path: Path) -> None:
    office = Office(Desk.at(postgres_url), postgres_url, tmp_path)
    try:
        uid = office.match()
        address = office.seat(uid)
        office.open()
        name = postgres_url.rpartition("/")[2]
        server = postgres_url.replace("+psycopg", "").replace(name, "postgres")
        with psycopg.connect(server, autocommit=True) as elsewhere, office.client() as client:
            client.ehlo()
            client.mail(SENDER)
            assert client.rcpt(address)[0] == 250
            _close_to_all(elsewhere, name)
            assert _data(client) == 451
            client.mail(SENDER)
            assert client.rcpt(address)[0] == 451
            elsewhere.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
            assert client.rcpt(address)[0] == 250 and _data(client) == 250
        assert len(office.stored()) == 1
        assert "alice" not in office.said and office.token(uid) not in office.said
    finally:
        office.close()


def _data(client: smtplib.SMTP, raw: bytes = LETTER) -> int:
    """Send a letter and return the code of the answer to it, whatever it is."""
    return client.data(raw)[0]


def _close_to_all(elsewhere: "psycopg.Connection[tuple[object, ...]]", name: str) -> None:
    elsewhere.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    elsewhere.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


def test_before_a_worker_ever_started_letters_wait_at_their_server(sqlite_url: str, tmp_path: Path) -> None:
    desk = Desk.at(sqlite_url)
    with desk.database.writing() as session:
        session.connection().exec_driver_sql("DELETE FROM workerkeys")
    office = Office(desk, sqlite_url, tmp_path)
    try:
        office.open()
        with office.client() as client, pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
        assert refused.value.smtp_code == 451 and office.stored() == []
    finally:
        office.close()


@pytest.mark.parametrize(("point", "stored"), [("inbox.before_commit", 0), ("inbox.after_commit", 1)])
def test_killed_around_the_commit_it_acknowledged_nothing_and_the_letter_comes_again(office: Office, point: str, stored: int) -> None:
    uid = office.match()
    office.open(crash_at=point)
    client = office.client()
    with pytest.raises(smtplib.SMTPServerDisconnected):
        client.sendmail(SENDER, [office.seat(uid)], LETTER)
    client.close()
    assert office.ended() == -9 and len(office.stored()) == stored
    office.open()
    with office.client() as client:
        client.sendmail(SENDER, [office.seat(uid)], LETTER)
    assert [office.read(row) for row in office.stored()[:1]] == [LETTER] and len(office.stored()) == stored + 1


def test_a_stop_lets_a_letter_end_and_turns_the_others_away(small_office: Office) -> None:
    small_office.open()
    with small_office.line() as idle, small_office.line() as busy:
        for line in (idle, busy):
            line.hear()
        busy.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA")
        assert small_office.process is not None
        small_office.process.terminate()
        time.sleep(0.3)
        assert busy.ask(LETTER + b".").startswith(b"250")
        assert idle.hear().startswith(b"421") and idle.hear() == b""
    assert small_office.ended() == 0 and len(small_office.stored()) == 1


def test_workers_are_nudged_after_the_commit(small_office: Office, redis_url: str) -> None:
    small_office.redis = redis_url
    small_office.open()
    told, end = None, time.monotonic() + 60
    with redis.Redis.from_url(redis_url) as broker:
        while told is None and time.monotonic() < end:  # a nudge may be lost, the next letter's comes
            with small_office.client() as client:
                client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
            time.sleep(0.5)
            told = next((broker.lpop(queue) for queue in broker.keys("celery*")), None)  # type: ignore[union-attr]
    assert isinstance(told, bytes) and b"sealed.letter" in told


def test_nothing_it_logs_tells_an_address_or_a_letter(small_office: Office) -> None:
    uid = small_office.match()
    small_office.open()
    with small_office.client() as client:
        client.sendmail(SENDER, [small_office.seat(uid), "orders@play.example.org"], LETTER)
        client.docmd("RCPT TO:<orders+guess@play.example.org>")
    small_office.stop()
    assert "inbox.stored" in small_office.said
    assert not [
        word for word in ("alice", "B3", "guess", small_office.token(uid), "play.example.org", "127.0.0.1") if word in small_office.said
    ]


def test_a_letter_to_a_seat_is_never_stored_behind_a_closing(small_office: Office) -> None:
    uid = small_office.match()
    with small_office.desk.database.reading() as session:
        seat = session.get_one(Seat, inbox.target(session, small_office.token(uid)).seat_id)  # type: ignore[union-attr]
        before = session.connection().exec_driver_sql("SELECT version FROM match").scalar_one()
    small_office.open()
    with small_office.client() as client:
        client.sendmail(SENDER, [small_office.seat(uid)], LETTER)
    with small_office.desk.database.reading() as session:
        assert session.connection().exec_driver_sql("SELECT version FROM match").scalar_one() == before + 1
    assert seat.match_id == small_office.stored()[0].match_id


def test_no_key_but_the_workers_opens_what_was_stored(small_office: Office) -> None:
    inbox.store(small_office.desk.database, [Arrival(Target("service"), LETTER, clock.now() - timedelta(seconds=1), "smtp")])
    (row,) = small_office.stored()
    with pytest.raises(boxes.CannotOpen):
        boxes.unseal(small_office.desk.keyring.inbox, row.raw or b"", bound_to=b"incoming:another")
