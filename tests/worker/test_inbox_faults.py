"""Faults of the inbox: database down, killed around a commit, stopped; and secrecy of its logs and
rows.
"""

import os
import resource
import smtplib
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
import redis

from adjudicator.platform import clock
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Seat
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import Arrival, Target
from tests.harness import Harness
from tests.sampling import sample
from tests.waiting import wait_until
from tests.worker.inbox_process import LETTER, InboxProcess, hand_over

SENDER = "alice@example.org"


@pytest.mark.nightly
def test_while_the_database_is_away_nothing_is_taken(postgres_url: str, tmp_path: Path) -> None:
    inbox = InboxProcess(Harness(postgres_url), postgres_url, tmp_path)
    try:
        uid = inbox.match()
        address = inbox.seat(uid)
        inbox.open()
        name = postgres_url.rpartition("/")[2]
        server = postgres_url.replace("+psycopg", "").replace(name, "postgres")
        with psycopg.connect(server, autocommit=True) as elsewhere, inbox.client() as client:
            client.ehlo()
            client.mail(SENDER)
            assert client.rcpt(address)[0] == 250
            _close_to_all(elsewhere, name)
            assert hand_over(client) == 451
            client.mail(SENDER)
            assert client.rcpt(address)[0] == 451
            elsewhere.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
            assert client.rcpt(address)[0] == 250 and hand_over(client) == 250
        assert len(inbox.stored()) == 1
        assert "alice" not in inbox.said and inbox.token(uid) not in inbox.said
    finally:
        inbox.close()


def _close_to_all(elsewhere: "psycopg.Connection[tuple[object, ...]]", name: str) -> None:
    elsewhere.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    elsewhere.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
    )


def test_before_a_worker_ever_started_letters_wait_at_their_server(
    sqlite_url: str, tmp_path: Path
) -> None:
    harness = Harness(sqlite_url)
    with harness.database.write_tx() as session:
        session.connection().exec_driver_sql("DELETE FROM workerkeys")
    inbox = InboxProcess(harness, sqlite_url, tmp_path)
    try:
        inbox.open()
        with inbox.client() as client, pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
        assert refused.value.smtp_code == 451 and inbox.stored() == []
    finally:
        inbox.close()


@pytest.mark.nightly
def test_while_the_disk_is_full_nothing_is_taken_and_everything_once_it_has_room(
    small_inbox: InboxProcess,
) -> None:
    small_inbox.open()
    assert small_inbox.process is not None
    with small_inbox.client() as client:
        client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
        resource.prlimit(
            small_inbox.process.pid, resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY)
        )
        client.mail(SENDER)
        assert client.rcpt("orders@play.example.org")[0] in (250, 451)
        client.rset()
        codes = {_hand_over_all(client) for _ in range(3)}
        assert codes <= {451, 452} and len(small_inbox.stored()) == 1
        resource.prlimit(
            small_inbox.process.pid,
            resource.RLIMIT_FSIZE,
            (resource.RLIM_INFINITY, resource.RLIM_INFINITY),
        )
        client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
    assert len(small_inbox.stored()) == 2 and "Traceback" not in small_inbox.said


def _hand_over_all(client: smtplib.SMTP) -> int:
    """Hand over a letter of 100 kB; returns the worst reply."""
    client.mail(SENDER)
    code = client.rcpt("orders@play.example.org")[0]
    return client.data(LETTER + b"x" * 100_000)[0] if code == 250 else code


@pytest.mark.nightly
def test_while_another_process_holds_the_database_a_letter_is_to_come_again(
    postgres_url: str, tmp_path: Path
) -> None:
    quick = f"{postgres_url}?options=-c%20lock_timeout%3D200"
    inbox = InboxProcess(Harness(postgres_url), quick, tmp_path)
    try:
        inbox.open()
        with (
            psycopg.connect(postgres_url.replace("+psycopg", "")) as other,
            inbox.client() as client,
        ):
            client.ehlo()
            other.execute("LOCK TABLE incoming")
            assert _hand_over_all(client) == 451
            other.rollback()
            assert _hand_over_all(client) == 250
        assert len(inbox.stored()) == 1
    finally:
        inbox.close()


@pytest.mark.parametrize(
    ("point", "stored"), sample([("inbox.before_commit", 0), ("inbox.after_commit", 1)], 1)
)
def test_killed_around_the_commit_it_acknowledged_nothing_and_the_letter_comes_again(
    inbox: InboxProcess, point: str, stored: int
) -> None:
    uid = inbox.match()
    inbox.open(crash_at=point)
    client = inbox.client()
    with pytest.raises(smtplib.SMTPServerDisconnected):
        client.sendmail(SENDER, [inbox.seat(uid)], LETTER)
    client.close()
    assert inbox.ended() == -9 and len(inbox.stored()) == stored
    inbox.open()
    with inbox.client() as client:
        client.sendmail(SENDER, [inbox.seat(uid)], LETTER)
    assert [inbox.read(row) for row in inbox.stored()[:1]] == [LETTER] and len(
        inbox.stored()
    ) == stored + 1


def test_a_stop_lets_a_letter_end_and_turns_the_others_away(small_inbox: InboxProcess) -> None:
    small_inbox.open()
    with small_inbox.line() as idle, small_inbox.line() as busy:
        for line in (idle, busy):
            line.hear()
        busy.ask(
            b"EHLO mx", b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA"
        )
        assert small_inbox.process is not None
        small_inbox.process.terminate()
        wait_until(
            lambda: not listens(small_inbox),
            "the inbox to listen no longer",
            of=[small_inbox.process],
        )
        assert busy.ask(LETTER + b".").startswith(b"250")
        assert idle.hear().startswith(b"421") and idle.hear() == b""
    assert small_inbox.ended() == 0 and len(small_inbox.stored()) == 1


def listens(inbox: InboxProcess) -> bool:
    """Whether the inbox still holds the socket at which it takes connections."""
    assert inbox.process is not None
    held = f"socket:[{os.fstat(inbox.listener.fileno()).st_ino}]"
    return any(
        str(each.readlink()) == held
        for each in Path(f"/proc/{inbox.process.pid}/fd").iterdir()
        if each.is_symlink()
    )


def test_workers_are_woken_after_the_commit(small_inbox: InboxProcess, redis_url: str) -> None:
    small_inbox.redis = redis_url
    small_inbox.open()
    with redis.Redis.from_url(redis_url) as broker:

        def woken() -> object:  # a wakeup may be lost; the next letter sends another
            with small_inbox.client() as client:
                client.sendmail(SENDER, ["orders@play.example.org"], LETTER)
            return next((broker.lpop(queue) for queue in broker.keys("celery*")), None)  # type: ignore[union-attr]

        told = wait_until(woken, "a wakeup", said=lambda: small_inbox.said)
    assert isinstance(told, bytes) and b"sealed.letter" in told


def test_nothing_it_logs_tells_an_address_or_a_letter(small_inbox: InboxProcess) -> None:
    uid = small_inbox.match()
    small_inbox.open()
    with small_inbox.client() as client:
        client.sendmail(SENDER, [small_inbox.seat(uid), "orders@play.example.org"], LETTER)
        client.docmd("RCPT TO:<orders+guess@play.example.org>")
    small_inbox.stop()
    assert "inbox.stored" in small_inbox.said
    assert not [
        word
        for word in (
            "alice",
            "B3",
            "guess",
            small_inbox.token(uid),
            "play.example.org",
            "127.0.0.1",
        )
        if word in small_inbox.said
    ]


@pytest.mark.nightly
def test_a_letter_to_a_seat_is_never_stored_behind_a_closing(small_inbox: InboxProcess) -> None:
    uid = small_inbox.match()
    with small_inbox.harness.database.read_tx() as session:
        seat = session.get_one(Seat, receiving.find_target(session, small_inbox.token(uid)).seat_id)  # type: ignore[union-attr]
        before = session.connection().exec_driver_sql("SELECT version FROM match").scalar_one()
    small_inbox.open()
    with small_inbox.client() as client:
        client.sendmail(SENDER, [small_inbox.seat(uid)], LETTER)
    with small_inbox.harness.database.read_tx() as session:
        assert (
            session.connection().exec_driver_sql("SELECT version FROM match").scalar_one()
            == before + 1
        )
    assert seat.match_id == small_inbox.stored()[0].match_id


def test_no_key_but_the_workers_opens_what_was_stored(small_inbox: InboxProcess) -> None:
    receiving.store_letters(
        small_inbox.harness.database,
        [Arrival(Target("service"), LETTER, clock.now() - timedelta(seconds=1), "smtp")],
    )
    (row,) = small_inbox.stored()
    with pytest.raises(crypto.CannotOpen):
        crypto.unseal(
            small_inbox.harness.keyring.inbox, row.raw or b"", bound_to=b"incoming:another"
        )
