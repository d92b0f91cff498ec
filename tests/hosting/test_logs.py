"""The logs: one JSON object a line, one line for each request, task and letter, and no personal
data.
"""

import io
import json
import logging
import re
import smtplib
import sys
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import jinja2
import kombu.exceptions
import pytest
import redis
import structlog

from adjudicator.hosting import logs
from adjudicator.platform.errors import HostFault
from tests.hosting.service import ROOT, run_service
from tests.hosting.visitor import Visitor
from tests.waiting import LIMIT

ALICE = "alice.of.the.long.table@example.org"


@pytest.mark.nightly
def test_a_match_played_by_form_and_letter_leaves_no_trace_of_anybody_in_the_logs(
    tmp_path: Path,
) -> None:
    with run_service(tmp_path / "var", "serve", PYTHONPATH=str(ROOT)) as service:
        alice = Visitor(service, ALICE)
        link = alice.sign_in()
        uid = alice.play_bots("Ink and Wax")
        alice.post(f"/matches/{uid}/orders", phase="1", text="B3\nplay the orange one")
        alice.answer(alice.letter("Round 1: your orders are sealed"), "ready\n")
        report = alice.letter("Round 2: you owe orders")
        alice.answer(report, "W3\nsomething nobody understands\nready\n")
        alice.letter("Round 3")
        with pytest.raises(urllib.error.HTTPError):
            alice.get("/invitations/a-token-nobody-was-given")
        with (
            smtplib.SMTP("127.0.0.1", alice.inbox_port(), timeout=LIMIT) as server,
            pytest.raises(smtplib.SMTPRecipientsRefused),
        ):
            server.sendmail(
                ALICE, ["nobody.at.all@example.net"], b"Subject: hello\r\n\r\nhello\r\n"
            )
        service.wait_for(lambda: '"letter.sent"' in service.said, "the letters to be noted")
        said = service.said
        seat = str(report["Reply-To"]).partition("+")[2].partition("@")[0]
        stop = re.search(r"/letters/stop/(\w+)", str(report["List-Unsubscribe"]))
        cookies = [str(cookie.value) for cookie in alice.cookies]
    assert stop is not None and len(seat) > 20 and len(cookies) == 2
    secrets = [
        ALICE,
        "alice.of.the",
        "nobody.at.all",
        link,
        "a-token-nobody",
        seat,
        stop[1],
        *cookies,
        "orange",
        "nobody understands",
        "Ink and Wax",
    ]
    assert [secret for secret in secrets if secret in said] == []
    assert not re.search(r"\b[BCW][123]\b|\d+\.\d+\.\d+\.\d+", "\n".join(json_lines(said)))
    noted = [json.loads(line) for line in json_lines(said)]
    assert {"request", "task", "letter.sent", "letter.read", "inbox.stored"} <= {
        each["event"] for each in noted
    }
    asked = [each for each in noted if each["event"] == "request"]
    assert all(
        {"method", "endpoint", "status", "ms", "role", "level", "timestamp"} <= set(each)
        for each in asked
    )
    assert {"accounts.link", "orders.hand_in"} <= {each["endpoint"] for each in asked}
    assert {each["kind"] for each in noted if each["event"] == "letter.sent"} >= {
        "signin",
        "receipt",
        "report",
    }


def json_lines(said: str) -> list[str]:
    """Return the lines of the log without the messages of start and stop."""
    return [line for line in said.splitlines() if line.startswith("{")]


# --- log calls that no caller should make


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Send the log to a stream of this test."""
    stream = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure_logging("INFO", "web")
    yield stream
    structlog.reset_defaults()
    root.handlers[:], root.level = before, level
    logging.captureWarnings(False)


def test_addresses_and_tokens_are_taken_out_whoever_wrote_them(written: io.StringIO) -> None:
    structlog.get_logger("web.x").info(
        "to Bob <bob@example.org>",
        path="/sign-in/abcDEF-123?next=/",
        smtp="smtp://u:pw@mail.example.org:25",
    )
    logging.getLogger("web").error("Exception on /letters/stop/0123456789abcdef [POST]")
    logging.getLogger("gunicorn.error").warning(
        "Invalid request from ip=203.0.113.9: Invalid HTTP Version"
    )
    text = written.getvalue()
    assert not [
        secret
        for secret in ("bob@", "abcDEF", "u:pw", "0123456789abcdef", "203.0.113.9")
        if secret in text
    ]
    assert [json.loads(line)["event"] for line in text.splitlines()] == [
        "to Bob <(an address)>",
        "Exception on /letters/stop/(a token) [POST]",
        "Invalid request: Invalid HTTP Version",
    ]


def test_a_fault_tells_where_it_was_and_its_words_only_where_they_are_of_machines(
    written: io.StringIO,
) -> None:
    log = structlog.get_logger("worker.x")
    for error in (
        KeyError("B3 THEN W3"),
        OSError("no space left on device"),
        HostFault("set PORT to a number"),
    ):
        try:
            raise error
        except (KeyError, OSError, HostFault):
            log.exception("failed")
    try:
        raise ValueError("of a library: C1")
    except ValueError:
        logging.getLogger("celery.x").exception("failed")
    first, second, third, fourth = (
        json.loads(line)["exception"] for line in written.getvalue().splitlines()
    )
    assert (
        "test_logs.py" in first
        and first.endswith("builtins.KeyError\n")
        and "B3" not in first.partition("raise error")[2]
    )
    assert (
        "no space left on device" in second
        and "set PORT to a number" in third
        and fourth.endswith("builtins.ValueError\n")
    )


@pytest.mark.parametrize(
    "kind", [kombu.exceptions.OperationalError, redis.ConnectionError, jinja2.UndefinedError]
)
def test_the_words_of_libraries_that_serve_machines_are_told(
    written: io.StringIO, kind: type[Exception]
) -> None:
    structlog.get_logger("worker.x").error("failed", exc_info=kind("there is no such host"))
    assert json.loads(written.getvalue())["exception"].endswith(
        f".{kind.__qualname__}: there is no such host\n"
    )


def test_libraries_speak_from_warning_up_and_we_from_the_level_set(written: io.StringIO) -> None:
    for name in ("celery", "kombu", "aiosmtpd", "some.library"):
        logging.getLogger(name).info("chatter")
    for name in ("worker.tasks", "web.http.access_log", "adjudicator.mail.sending.post"):
        logging.getLogger(name).info("ours")
        logging.getLogger(name).debug("too much")
    assert [json.loads(line)["event"] for line in written.getvalue().splitlines()] == ["ours"] * 3
