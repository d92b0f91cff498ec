"""Answers in the local mailbox: a real reply goes to the real inbox, and typed text is never
lost.
"""

from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from pathlib import Path

import pytest

from adjudicator.mail.sending.mailbox import LocalMailbox
from tests import clocks
from tests.cast import ALICE, address
from tests.harness import Harness
from tests.mail.composed import as_written
from tests.servers import free_port
from tests.web.site import Site, page_text
from tests.worker.inbox_process import InboxProcess


@pytest.fixture
def inbox(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[InboxProcess]:
    """The real inbox on the site's database; the site's clock is fixed."""
    made = InboxProcess(Harness(sqlite_url), sqlite_url, tmp_path, mail_address="orders@localhost")
    clocks.set_clocks(monkeypatch, lambda: made.harness.now)
    made.open()
    yield made
    made.close()


def site(inbox: InboxProcess, **settings: str) -> Site:
    return Site.create(
        inbox.harness, inbox.folder / "data", **({"inbox_url": inbox.inbox_url} | settings)
    )


def lay(site: Site, reply_to: str, *, name: str = "one", **headers: str) -> None:
    """Put a letter to Alice into the site's mailbox."""
    message = EmailMessage()
    message["From"], message["To"] = "Sealed Orders <orders@localhost>", address(ALICE)
    message["Reply-To"], message["Subject"], message["Message-ID"] = (
        reply_to,
        "[Table] Round 1: you owe orders",
        f"<{name}@localhost>",
    )
    message["References"], message["Date"] = (
        "<match-abc@localhost>",
        format_datetime(site.harness.now),
    )
    for header, value in headers.items():
        message.replace_header(header, value)
    message.set_content("You owe orders for Round 1.\nB3  Black large\n")
    LocalMailbox(site.app.extensions["settings"].data_dir / "mailbox").post(as_written(message))


def test_an_answer_is_a_real_reply_and_comes_in_at_the_seat(inbox: InboxProcess) -> None:
    here, uid = site(inbox), inbox.match()
    lay(here, f"Table <{inbox.seat(uid)}>")
    visitor = here.visitor()
    assert "Answer this letter" in page_text(visitor.get("/mailbox/one"))
    told = page_text(
        visitor.post("/mailbox/one/answer", {"text": "B3\r\nTHEN\r\nW2 – später"}, follow=True)
    )
    assert "Your answer was handed to the inbox." in told
    (row,) = inbox.stored()
    assert (row.kind, row.via) == ("seat", "smtp")
    letter = message_from_bytes(inbox.read(row) or b"", policy=default)
    assert (letter["From"], letter["To"], letter["Subject"]) == (
        address(ALICE),
        inbox.seat(uid),
        "Re: [Table] Round 1: you owe orders",
    )
    assert (letter["In-Reply-To"], letter["References"]) == (
        "<one@localhost>",
        "<match-abc@localhost> <one@localhost>",
    )
    assert letter["Message-ID"] and letter["Date"].datetime == here.harness.now.replace(
        microsecond=0
    )
    lines = letter.get_content().splitlines()
    assert lines[:4] == ["B3", "THEN", "W2 – später", ""] and lines[4].endswith(
        "Sealed Orders <orders@localhost> wrote:"
    )
    assert lines[5:7] == ["> You owe orders for Round 1.", "> B3  Black large"]


def test_a_letter_to_the_service_itself(inbox: InboxProcess) -> None:
    visitor = site(inbox).visitor()
    assert "It goes to orders@localhost" in page_text(visitor.get("/mailbox"))
    told = page_text(
        visitor.post(
            "/mailbox",
            {"sender": "dora@example.org", "text": "join pyramid\r\nname Dora"},
            follow=True,
        )
    )
    assert "Your letter was handed to the inbox." in told
    (row,) = inbox.stored()
    letter = message_from_bytes(inbox.read(row) or b"", policy=default)
    assert row.kind == "service" and (letter["From"], letter["Subject"]) == (
        "dora@example.org",
        "join pyramid",
    )
    assert letter.get_content().splitlines() == ["join pyramid", "name Dora"]


UNSENDABLE: tuple[tuple[str, dict[str, str], str], ...] = (
    ("/mailbox/one/answer", {"text": " \r\n"}, "Write something first."),
    ("/mailbox/one/answer", {"text": "B3\n" * 7000}, "longer than 20,000 characters"),
    ("/mailbox", {"sender": "dora", "text": "join pyramid"}, "Write an address to send it from"),
    (
        "/mailbox",
        {"sender": "a@b.example\r\nBcc: c@d.example", "text": "join pyramid"},
        "Write an address to send it from",
    ),
    ("/mailbox", {"sender": "dora@example.org", "text": ""}, "Write something first."),
)


def test_what_cannot_be_sent_is_told_and_what_was_typed_stays(inbox: InboxProcess) -> None:
    here = site(inbox)
    lay(here, "orders@localhost")
    for path, form, sentence in UNSENDABLE:
        answer = here.visitor().post(path, form)
        assert answer.status_code == 400 and sentence in page_text(answer), form
        assert f">{form['text']}</textarea>" in answer.text and inbox.stored() == [], form


def test_a_refusal_of_the_inbox_is_told_in_its_own_words_and_the_text_stays(
    inbox: InboxProcess,
) -> None:
    here = site(inbox)
    lay(here, "orders+nobodysits@localhost")
    answer = here.visitor().post("/mailbox/one/answer", {"text": "B3 and why"})
    assert (
        answer.status_code == 503
        and "The inbox did not take it: No such address here; if it was" in page_text(answer)
    )
    assert "B3 and why" in answer.text


def test_an_inbox_that_is_away_is_told_and_the_text_stays(inbox: InboxProcess) -> None:
    here = site(inbox, inbox_url=f"smtp://127.0.0.1:{free_port()}")
    lay(here, "orders@localhost")
    for path, form in (
        ("/mailbox/one/answer", {"text": "B3 and why"}),
        ("/mailbox", {"sender": "dora@example.org", "text": "B3 and why"}),
    ):
        answer = here.visitor().post(path, form)
        assert (
            answer.status_code == 503
            and "The inbox does not answer just now" in page_text(answer)
            and "B3 and why" in answer.text
        )


def test_only_a_letter_that_names_an_address_of_ours_can_be_answered(inbox: InboxProcess) -> None:
    here = site(inbox)
    visitor = here.visitor()
    for name, reply_to in (("one", "mallory@example.org"), ("two", "orders@elsewhere.example")):
        lay(here, reply_to, name=name)
        assert "Answer this letter" not in page_text(visitor.get(f"/mailbox/{name}"))
        assert (
            visitor.post(f"/mailbox/{name}/answer", {"text": "B3"}).status_code == 404
            and inbox.stored() == []
        )


def test_without_an_inbox_nothing_can_be_written(inbox: InboxProcess) -> None:
    here = site(inbox, inbox_url="")
    lay(here, "orders@localhost")
    visitor = here.visitor()
    assert "Answer this letter" not in page_text(
        visitor.get("/mailbox/one")
    ) and "Write a letter" not in page_text(visitor.get("/mailbox"))
    assert (
        visitor.post("/mailbox", {"sender": "dora@example.org", "text": "help"}).status_code == 404
    )


def test_nobody_on_another_machine_can_write_here(inbox: InboxProcess) -> None:
    here = site(inbox)
    lay(here, "orders@localhost")
    visitor = here.visitor()
    token = visitor.token()
    for path in ("/mailbox", "/mailbox/one/answer"):
        form = {"sender": "dora@example.org", "text": "help", "csrf_token": token}
        assert (
            visitor.client.post(
                path, data=form, environ_overrides={"REMOTE_ADDR": "192.0.2.9"}
            ).status_code
            == 404
        )
    assert inbox.stored() == []


def test_a_proxy_on_this_machine_is_shown_no_letter_and_hands_none_in(inbox: InboxProcess) -> None:
    here = site(inbox)
    lay(here, "orders@localhost")
    visitor, paths = here.visitor(), ("/mailbox", "/mailbox/one", "/mailbox/one/html")
    for header in ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-IP", "Via"):
        form = {"sender": "dora@example.org", "text": "help", "csrf_token": visitor.token()}
        through = {header: "198.51.100.7" if header != "X-Forwarded-Host" else "localhost"}
        assert [visitor.get(path, headers=through).status_code for path in paths] == [
            404,
            404,
            404,
        ], header
        assert (
            visitor.client.post("/mailbox", data=form, headers=through).status_code == 404
            and inbox.stored() == []
        ), header
        assert "mailbox of this machine" not in page_text(visitor.get("/", headers=through)), header
        assert visitor.get("/mailbox/one").status_code == 200


def test_the_mailbox_answers_to_the_machine_s_own_names_only(inbox: InboxProcess) -> None:
    here = site(inbox)
    here.app.config["SITE_HOSTS"] |= {"play.example.org"}  # a host that is let in by mistake
    assert here.visitor().get("/mailbox", headers={"Host": "play.example.org"}).status_code == 404
