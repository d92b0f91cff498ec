"""Push messages: from a letter that is sent to the browser's push service, over a real socket, and
what becomes of faults.
"""

import ipaddress
import json
import ssl
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlmodel import Session, select

from adjudicator.mail.sending.post import Carrier
from adjudicator.mail.sending.push import deliver_push
from adjudicator.platform.net.outside import Outside, is_public
from adjudicator.seal.web_push import public_point
from adjudicator.service.base.due.lease_queue import LeaseQueue
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import PushBrowser, PushMessage
from adjudicator.service.erasure import erasing
from adjudicator.service.people import pushes
from adjudicator.service.people.pushes import BrowserGiven
from tests import clocks
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness
from tests.mail_sink import self_signed
from tests.service.meeting import Meeting
from worker import context, letters, sweep
from worker.context import WorkerContext

SECRET = b"a secret of 16 b"


@dataclass
class PushService:
    """A push service on loopback: it keeps what it got, and answers as a test says."""

    status: int = 201
    port: int = 0
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    def outside(self, *, public: bool = True) -> Outside:
        def trusted() -> ssl.SSLContext:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return context

        return Outside(
            lambda host, port: (ipaddress.ip_address("127.0.0.1"),),
            (lambda _: True) if public else is_public,
            trusted,
            self.port,
        )


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    running = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            running.got.append((self.path, dict(self.headers), body))
            self.send_response(running.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = self_signed(tmp_path).wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    running.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield running
    server.shutdown()
    server.server_close()
    thread.join()


@dataclass
class Phone:
    """A browser that asked for push messages."""

    name: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    @property
    def address(self) -> str:
        return f"https://push.example.net/send/{self.name}"

    def given(self) -> BrowserGiven:
        public, secret = (
            urlsafe_b64encode(each).decode().rstrip("=")
            for each in (public_point(self.key), SECRET)
        )
        return BrowserGiven(self.address, public, secret)

    def read(self, body: bytes) -> dict[str, str]:
        """Decrypt a message as a browser does (RFC 8291)."""
        salt, sender, sealed = body[:16], body[21:86], body[86:]
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        )

        def derive(salt: bytes, key: bytes, info: bytes, size: int) -> bytes:
            return HKDF(algorithm=SHA256(), length=size, salt=salt, info=info).derive(key)

        secret = derive(SECRET, shared, b"WebPush: info\0" + public_point(self.key) + sender, 32)
        key, nonce = (
            derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16),
            derive(salt, secret, b"Content-Encoding: nonce\0", 12),
        )
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        assert padded.endswith(b"\x02")
        found: dict[str, str] = json.loads(padded[:-1])
        return found


def waiting(harness: MailHarness) -> list[PushMessage]:
    with harness.database.read_tx() as session:
        return list(session.exec(select(PushMessage)))


def browsers(harness: MailHarness) -> list[str]:
    with harness.database.read_tx() as session:
        return [row.address for row in session.exec(select(PushBrowser))]


def deliver(harness: MailHarness, service: PushService, *, public: bool = True) -> list[int]:
    """Deliver what is due; return the statuses."""
    with harness.database.read_tx() as session:
        due = pushes.waiting_messages(session, harness.now)
    outside = service.outside(public=public)
    return [
        deliver_push(
            harness.settings,
            harness.database,
            harness.keyring,
            each,
            lambda: harness.now,
            outside=outside,
        )
        for each in due
    ]


def ask(harness: MailHarness, who: str, phone: Phone) -> None:
    pushes.add_browser(harness.database, harness.player(who), phone.given(), now=harness.now)


def test_a_letter_that_was_sent_is_told_by_its_subject_and_the_match_to_its_player_alone(
    post_harness_on_both: MailHarness, service: PushService
) -> None:
    harness, phone = post_harness_on_both, Phone("one")
    ask(harness, ALICE, phone)
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    assert len(waiting(harness)) == 1 and b"Evening" not in waiting(harness)[0].body
    assert deliver(harness, service) == [201] and waiting(harness) == []
    path, headers, body = service.got[0]
    letter = harness.letters("report", ALICE)[0]
    assert phone.read(body) == {"subject": letter.subject, "address": f"/matches/{harness.uid}"}
    assert (
        path == "/send/one"
        and headers["Host"] == "push.example.net"
        and headers["Content-Encoding"] == "aes128gcm"
    )
    assert headers["Authorization"].startswith("vapid t=") and int(headers["TTL"]) == 24 * 3600


def test_answers_and_receipts_are_not_pushed(
    post_harness: MailHarness, service: PushService
) -> None:
    harness = post_harness
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    ask(harness, ALICE, Phone("one"))
    harness.order(harness.uid, ALICE, "B3")
    assert harness.post_all() == 1 and waiting(harness) == []


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(
    post_harness: MailHarness, service: PushService, status: int
) -> None:
    harness, service.status = post_harness, status
    ask(harness, ALICE, Phone("one"))
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    assert deliver(harness, service) == [status] and (browsers(harness), waiting(harness)) == (
        [],
        [],
    )


def test_a_push_service_in_trouble_is_tried_again_later_and_later_and_not_for_ever(
    post_harness: MailHarness, service: PushService
) -> None:
    harness, service.status = post_harness, 503
    ask(harness, ALICE, Phone("one"))
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    pauses = []
    while browsers(harness):
        before = harness.now
        assert deliver(harness, service) == [503]
        if left := waiting(harness):
            harness.now = left[0].next_try
            pauses.append((harness.now - before).total_seconds())
    assert (
        pauses == list(pushes.BACK_OFF)
        and waiting(harness) == []
        and len(service.got) == pushes.MOST_FAILURES
    )


def test_after_trouble_the_message_arrives_and_one_that_is_out_of_date_does_not(
    post_harness: MailHarness, service: PushService
) -> None:
    harness, service.status = post_harness, 429
    ask(harness, ALICE, Phone("one"))
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    assert deliver(harness, service) == [429] and deliver(harness, service) == []
    service.status = 201
    harness.later(seconds=pushes.BACK_OFF[0])
    assert deliver(harness, service) == [201] and waiting(harness) == []
    harness.play_round("B3", "W2", "C1")
    harness.post_all()
    assert len(waiting(harness)) == 1
    harness.now += pushes.LASTS + timedelta(seconds=1)
    assert deliver(harness, service) == [0] and waiting(harness) == [] and len(service.got) == 2


def test_nothing_is_sent_into_the_hosts_own_network(
    post_harness: MailHarness, service: PushService
) -> None:
    harness = post_harness
    for address in (
        "http://push.example.net/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://u:p@push.example.net/x",
        "https://a:444/",
    ):
        with pytest.raises(Refused, match="push service cannot be used"):
            given = Phone("one").given()
            pushes.add_browser(
                harness.database,
                harness.player(ALICE),
                BrowserGiven(address, given.public, given.secret),
                now=harness.now,
            )
    with pytest.raises(Refused, match="keys could not be read"):
        pushes.add_browser(
            harness.database,
            harness.player(ALICE),
            BrowserGiven("https://push.example.net/x", "", ""),
            now=harness.now,
        )
    ask(harness, ALICE, Phone("inside"))  # a name that leads into it
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    assert (
        deliver(harness, service, public=False) == [0]
        and service.got == []
        and len(waiting(harness)) == 1
    )


def test_a_player_has_few_browsers_and_few_messages_wait(
    post_harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = post_harness
    phones = [Phone(str(number)) for number in range(pushes.MOST_BROWSERS + 2)]
    for phone in phones:
        ask(harness, ALICE, phone)
    assert browsers(harness) == [phone.address for phone in phones[2:]]
    ask(harness, BOB, phones[-1])
    with harness.database.read_tx() as session:
        assert (
            pushes.count_browsers(session, harness.player(ALICE)),
            pushes.count_browsers(session, harness.player(BOB)),
        ) == (4, 1)
    pushes.remove_browsers(harness.database, harness.player(ALICE), phones[3].address)
    assert phones[3].address not in browsers(harness) and len(browsers(harness)) == 4
    monkeypatch.setattr(pushes, "MOST_WAITING", 1)
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    harness.play_round("B3", "W2", "C1")
    harness.post_all()
    assert len(waiting(harness)) == 4
    erasing.erase_player(harness.database, harness.player(ALICE), now=harness.now)
    assert len(browsers(harness)) == len(waiting(harness)) == 1


def a_message(harness: MailHarness) -> PushMessage:
    """Let a message wait for Alice's browser; return it."""
    ask(harness, ALICE, Phone("one"))
    with harness.database.read_tx() as session:
        browser = session.exec(select(PushBrowser.id)).one() or 0
    pushes.put_messages(harness.database, {browser: b"sealed"}, now=harness.now)
    return waiting(harness)[0]


@pytest.mark.both_databases
def test_a_browser_is_removed_while_a_message_of_it_is_put_off(
    post_harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness, meeting = post_harness_on_both, Meeting(post_harness_on_both.database)
    message = pushes.claim_message(harness.database, a_message(harness).id or 0, harness.now)
    assert message is not None

    class Slow(LeaseQueue[PushMessage]):
        def retry_at(self, session: Session, *args: Any) -> None:
            session.flush()
            # the other waits for the browser meanwhile, and may hold no message of it
            meeting.hold()
            super().retry_at(session, *args)

    monkeypatch.setattr(pushes, "QUEUE", Slow(PushMessage, pushes.QUEUE.waits, pushes.LEASE))
    meeting.run(
        lambda: pushes.settle_message(harness.database, message, 503, harness.now),
        lambda: pushes.remove_browsers(harness.database, harness.player(ALICE)),
    )
    assert (browsers(harness), waiting(harness)) == ([], [])


@pytest.mark.both_databases
def test_a_message_for_a_browser_that_is_being_removed_is_left_out(
    post_harness_on_both: MailHarness,
) -> None:
    harness, meeting = post_harness_on_both, Meeting(post_harness_on_both.database)
    browser = a_message(harness).browser_id

    def remove() -> None:
        with harness.database.write_tx() as session:
            pushes.remove_browsers(session, harness.player(ALICE))
            meeting.hold()

    meeting.run(
        remove, lambda: pushes.put_messages(harness.database, {browser: b"more"}, now=harness.now)
    )
    assert (browsers(harness), waiting(harness)) == ([], [])


@pytest.mark.both_databases
def test_a_browser_that_is_given_twice_at_once_is_one(
    post_harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness, forget, meeting = (
        post_harness_on_both,
        pushes._forget,
        Meeting(post_harness_on_both.database),
    )
    for who in (ALICE, BOB):
        harness.player(who)

    def slow(*args: Any) -> None:
        forget(*args)
        meeting.hold()

    monkeypatch.setattr(pushes, "_forget", slow)
    meeting.run_all(*(partial(ask, harness, who, Phone("one")) for who in (ALICE, BOB, ALICE)))
    assert browsers(harness) == [Phone("one").address]


def test_the_sweep_finds_messages_and_the_task_delivers_them(
    post_harness: MailHarness, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness, woken = post_harness, list[tuple[object, ...]]()
    # nobody is there
    settings = harness.settings.model_copy(update={"redis_url": "redis://127.0.0.1:1"})
    here = WorkerContext(settings, harness.database, harness.keyring, Carrier(harness.settings))
    monkeypatch.setattr(context, "current_context", lambda: here)
    monkeypatch.setattr(sweep, "send_wakeup", lambda *told, **_: woken.append(told))
    monkeypatch.setattr(letters, "send_wakeup", lambda *told, **_: woken.append(told))
    monkeypatch.setattr(letters, "deliver_push", partial(deliver_push, outside=service.outside()))
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    ask(harness, ALICE, Phone("one"))
    sweep.sweep()
    assert (letters.PUSH,) not in woken
    harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    sweep.sweep()
    assert (letters.PUSH,) in woken
    letters.push_messages()
    assert len(service.got) == 1 and waiting(harness) == []
