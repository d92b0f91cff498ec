"""A whole match of Pyramid by letter alone, over real sockets, while roles are killed. Nobody opens
the site.
"""

import os
import signal
import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path

from adjudicator.platform import clock
from tests.hosting.service import ROOT, Service, run_service
from tests.mail_sink import MailSink
from tests.servers import free_port
from tests.waiting import LIMIT, wait_until

SERVICE = "orders@play.example.org"


class Correspondent:
    """A player with mail only."""

    def __init__(self, address: str, sink: MailSink, inbox: int) -> None:
        self.address, self._sink, self._inbox = address, sink, inbox
        self._seen = 0

    def write(self, to: str, text: str, *, answers: EmailMessage | None = None) -> None:
        """Send a letter as a mail program does."""
        letter = EmailMessage()
        letter["From"], letter["To"] = self.address, to
        letter["Subject"] = f"Re: {answers['Subject']}" if answers else "(no subject)"
        letter["Date"], letter["Message-ID"] = (
            format_datetime(clock.now()),
            make_msgid(domain="mail.example.net"),
        )
        quoted = ""
        if answers is not None:
            letter["In-Reply-To"] = str(answers["Message-ID"])
            body = answers.get_body(("plain",))
            assert body is not None
            quoted = "\n\nOn Monday the service wrote:\n" + "".join(
                f"> {line}\n" for line in str(body.get_content()).splitlines()
            )
        letter.set_content(f"Hello,\n{text}\nKind regards\n{quoted}")
        with smtplib.SMTP("127.0.0.1", self._inbox, timeout=LIMIT) as server:
            server.send_message(letter)

    def answer(self, letter: EmailMessage, text: str) -> None:
        """Answer a letter to its Reply-To."""
        self.write(str(letter["Reply-To"].addresses[0].addr_spec), text, answers=letter)

    def next(self, *wanted: str) -> EmailMessage:
        """Wait for the next letter whose subject contains one of these; skips those before it."""
        return wait_until(
            lambda: self._look(wanted),
            f"a letter to {self.address} with one of {wanted}",
            said=self._got,
        )

    def _look(self, wanted: Sequence[str]) -> EmailMessage | None:
        for letter in (each.message for each in self._sink.taken[self._seen :]):
            self._seen += 1
            if str(letter["To"]) == self.address and any(
                each in str(letter["Subject"]) for each in wanted
            ):
                return letter
        return None

    def _got(self) -> str:
        return "\n".join(
            str(each.message["Subject"])
            for each in self._sink.taken
            if str(each.message["To"]) == self.address
        )


@contextmanager
def by_mail(folder: Path) -> Iterator[tuple[Service, MailSink, int]]:
    """A service that sends to the test's mail server, with an open inbox."""
    inbox = free_port()
    with MailSink() as sink:
        settings = {
            "SMTP_URL": sink.url,
            "INBOX_URL": f"smtp://127.0.0.1:{inbox}",
            "MAIL_ADDRESS": SERVICE,
            "SITE_URL": "http://localhost:1",
            "PYTHONPATH": str(ROOT),
        }
        with run_service(folder, "serve", **settings) as service:
            yield service, sink, inbox


def first_choice(report: EmailMessage) -> str:
    """Return the first piece that a report offers."""
    body = report.get_body(("plain",))
    assert body is not None
    offered = str(body.get_content()).partition("Which piece")[2].splitlines()
    return next(line.split()[0] for line in offered[1:] if line.strip())


def test_three_people_who_have_only_mail_play_a_match_to_its_end(tmp_path: Path) -> None:
    with by_mail(tmp_path / "var") as (service, sink, inbox):
        players = [
            Correspondent(f"{name}@example.net", sink, inbox) for name in ("ada", "bob", "cleo")
        ]
        for player in players:
            player.write(SERVICE, "join pyramid")
            player.answer(player.next("Answer “yes”"), "yes")
            player.next("Your letter: join pyramid")
        for number in range(1, 9):
            if number == 4:
                os.kill(_worker(service), signal.SIGKILL)
            for player in players:
                report = player.next(f"Round {number}: you owe orders")
                player.answer(report, first_choice(report))
        for player in players:
            last = player.next("The match is over")
            assert "final standing" in str(last.get_body(("plain",))).lower()
        # answers have none
        assert all(
            not letter.sender or letter.sender.startswith("orders+b-") for letter in sink.taken
        )
        assert len(sink.taken) >= 3 * (2 + 9)


def _worker(service: Service) -> int:
    """Return the pid of the worker role: the supervisor's child with the most child processes."""
    parents = {
        pid: int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        for pid in service.processes()
    }
    roles = [pid for pid, parent in parents.items() if parent == service.process.pid]
    return max(roles, key=lambda role: sum(parent == role for parent in parents.values()))
