"""What `sealed check` says of a mail server is what the sender meets."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from adjudicator.hosting.health import checks
from adjudicator.mail.sending import smtp
from adjudicator.mail.sending.smtp import MailServer, NotSent
from adjudicator.platform.config import Settings
from tests import letters_out
from tests.mail_sink import MailSink, self_signed

LETTER = b"Subject: a letter\r\n\r\nIts text.\r\n"
Sinks = Callable[..., MailSink]


@pytest.mark.parametrize(
    ("able", "url", "state", "words"),
    [
        ({}, "smtp://{place}", "ok", "takes letters."),
        (
            {"tls": True},
            "smtp://{place}",
            "note",
            "nobody vouches for its certificate (self-signed certificate)",
        ),
        ({"asks_password": True}, "smtp://orders:open%20sesame@{place}", "ok", "takes letters."),
        ({"asks_password": True}, "smtp://orders:wrong@{place}", "wrong", "535 5.7.8 wrong"),
        (
            {"tls": True, "asks_password": True},
            "smtp://orders:open%20sesame@{place}",
            "wrong",
            "certificate verify failed",
        ),
        (
            {"asks_password": True, "far": True},
            "smtp://orders:open%20sesame@{place}",
            "wrong",
            "so the password was not sent",
        ),
        (
            {"asks_password": True},
            "smtp://orders:%C3%B6ffne@{place}",
            "wrong",
            "has letters beyond ASCII",
        ),
        ({"greeting": ["554 no"] * 3}, "smtp://{place}", "wrong", "it says 554 no"),
    ],
)
def test_the_check_finds_what_the_sender_meets(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    able: dict[str, object],
    url: str,
    state: str,
    words: str,
) -> None:
    if able.pop("far", False):
        monkeypatch.setattr(smtp, "THIS_MACHINE", frozenset())
    if able.get("tls"):
        able["tls"] = self_signed(tmp_path)
    with MailSink(**able) as sink, ExitStack() as stack:  # type: ignore[arg-type]
        address = url.format(place=sink.place)
        found = checks._mail(Settings(data_dir=tmp_path, smtp_url=address))
        assert (found.state, words in found.text) == (state, True), found
        if state == "wrong":
            stack.enter_context(pytest.raises(NotSent))
        server = MailServer(address)
        stack.callback(server.close)
        letters_out.send(server, LETTER, recipient="alice@example.org")
