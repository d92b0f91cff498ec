"""A person who uses a running service without a browser: pages, forms, the letters in the mailbox,
answers to them.
"""

import re
import smtplib
import urllib.parse
import urllib.request
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from http.cookiejar import CookieJar

from tests.hosting.service import Service
from tests.seat_forms import hidden_fields
from tests.waiting import LIMIT

_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Visitor:
    """A person with an address and cookies."""

    def __init__(self, service: Service, address: str) -> None:
        self.service, self.address = service, address
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.page, self.url = "", ""

    def get(self, path: str) -> str:
        """Open a page of the site."""
        return self._open(
            urllib.request.Request(
                urllib.parse.urljoin(f"http://localhost:{self.service.port}/", path)
            )
        )

    def post(self, path: str, **form: str) -> str:
        """Send a form with the hidden token of the last page."""
        found = _TOKEN.search(self.page)
        assert found is not None, self.page
        data = urllib.parse.urlencode(
            hidden_fields(path, self.page) | form | {"csrf_token": found[1]}
        ).encode()
        return self._open(
            urllib.request.Request(
                urllib.parse.urljoin(f"http://localhost:{self.service.port}/", path), data
            )
        )

    def _open(self, request: urllib.request.Request) -> str:
        with self._opener.open(request, timeout=LIMIT) as answer:
            self.page, self.url = answer.read().decode(), answer.url
        return self.page

    def sign_in(self) -> str:
        """Ask for a link, open the letter, press the button; return the link's token."""
        self.get("/sign-in")
        self.post("/sign-in", address=self.address, zone="Europe/Paris")
        letter = self.letter("sign in")
        found = re.search(r"/sign-in/([\w-]+)", letter_text(letter))
        assert found is not None
        self.get(found[0])
        self.post(found[0])
        return found[1]

    def play_bots(self, name: str) -> str:
        """Make a match against two house bots; return its uid once orders are owed."""
        self.get("/matches/new")
        self.post(
            "/matches/new",
            game="pyramid",
            name=name,
            every_hours="48",
            grace_minutes="10",
            house="2",
            bots="1",
            play="1",
        )
        uid = self.url.rpartition("/")[2]
        self.until(uid, "You owe orders for Round 1")
        return uid

    def until(self, uid: str, words: str) -> None:
        """Reload a match's page until it contains these words."""
        self.service.wait_for(lambda: words in self.get(f"/matches/{uid}"), words)

    # --- letters

    def letters(self, words: str) -> list[EmailMessage]:
        """Return the letters to this person whose subject contains these words, newest last."""
        folder = self.service.folder / "mailbox"
        paths = (
            sorted(folder.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
            if folder.is_dir()
            else []
        )
        found = [message_from_bytes(path.read_bytes(), policy=default) for path in paths]
        return [
            each
            for each in found
            if self.address in str(each["To"]) and words.lower() in str(each["Subject"]).lower()
        ]

    def letter(self, words: str) -> EmailMessage:
        """Return the newest such letter, after waiting for it."""
        self.service.wait_for(lambda: bool(self.letters(words)), f"a letter about {words}")
        return self.letters(words)[-1]

    def answer(self, letter: EmailMessage, text: str) -> None:
        """Answer a letter through the service's own inbox."""
        reply = EmailMessage()
        reply["From"], reply["To"], reply["Subject"] = (
            self.address,
            str(letter["Reply-To"]),
            f"Re: {letter['Subject']}",
        )
        reply["Message-ID"], reply["In-Reply-To"] = (
            f"<{abs(hash(text))}@example.org>",
            str(letter["Message-ID"]),
        )
        reply.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.inbox_port(), timeout=LIMIT) as server:
            server.send_message(reply)

    def inbox_port(self) -> int:
        """Return the port of the service's own inbox."""
        return int((self.service.folder / "inbox" / "port").read_text())


def letter_text(letter: EmailMessage) -> str:
    """Return a letter's text."""
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())
