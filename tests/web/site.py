"""A site for tests: the real Flask app on a desk's database, visitors with cookies of their own, and a worker that answers at once."""

import re
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from adjudicator.platform import wakeups
from adjudicator.platform.config import Settings
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import disclosure
from adjudicator.service.people import sessions
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from web.app import create_app

_TOKEN = re.compile(r'"X-CSRFToken": "([^"]+)"')


@dataclass
class Ear:
    """Hears the wakeups; with `answers`, a reading that is asked for is answered at once."""

    harness: Harness
    heard: list[tuple[Any, ...]] = field(default_factory=list)
    answers: bool = True

    def send(self, task: str, *arguments: int | str) -> bool:
        """Take a wakeup."""
        self.heard.append((task, *arguments))
        if task == wakeups.DISCLOSE and self.answers:
            disclosure.answer_request(self.harness.database, self.harness.keyring, str(arguments[0]), now=self.harness.now)
        return True


@dataclass
class Site:
    """The app and the desk behind it."""

    app: Flask
    harness: Harness
    ear: Ear
    posted: list[LetterToSend] = field(default_factory=list)

    @classmethod
    def on(cls, harness: Harness, folder: Path, **settings: Any) -> "Site":
        """Open a site on a desk."""
        told = Settings(data_dir=folder, database_url=str(harness.database.engine.url.render_as_string(hide_password=False)), **settings)
        app = create_app(told)
        app.testing = True
        ear = Ear(harness)
        app.extensions["wakeups"] = ear
        return cls(app, harness, ear)

    def visitor(self, name: str | None = None) -> "Visitor":
        """Return a browser, signed in as somebody of the cast where a name is given."""
        visitor = Visitor(self)
        if name is not None:
            self.harness.player(name)
            self.enter(visitor, sessions.sign_in(self.harness.database, self.harness.people[name], now=self.harness.now).token)
        return visitor

    def enter(self, visitor: "Visitor", token: str) -> None:
        """Give a browser the cookie of a session."""
        visitor.client.set_cookie("sealed", token)

    def gathering(self, **changes: Any) -> str:
        """Have Alice make a match to which Bob is invited and which has an open seat for Charlie; founded, not begun."""
        wish = {"game": "pyramid", "name": "The Long Table", "options": {}, "invited": (address(BOB),)} | changes
        return self.harness.prepare_match(Wish(**wish), ALICE)

    def match(self) -> str:
        """Have Alice, Bob and Charlie sit in a match that has begun."""
        return self.harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "The Long Table", {}))

    def ended(self) -> str:
        """Have them play a match to its end."""
        uid = self.match()
        for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2"):
            self.harness.round(uid, [(name, piece) for name in (ALICE, BOB, CHARLIE)])
        return uid

    def letters(self, kind: str) -> list[dict[str, Any]]:
        """Return what the letters of a kind say, opened as the worker would."""
        self.posted += self.harness.claim_waiting()
        return [each.context for each in self.posted if each.kind == kind]


class Visitor:
    """A browser without scripts: it keeps cookies, and sends the hidden token of the last page with a form."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.client = site.app.test_client()
        self.page = ""

    def get(self, path: str, **settings: Any) -> TestResponse:
        """Open a page."""
        response = self.client.get(path, buffered=True, **settings)
        if response.mimetype == "text/html":
            self.page = response.text
        return response

    def token(self) -> str:
        """Return the hidden token of the forms; the home page has one where no page was opened yet."""
        if not _TOKEN.search(self.page):
            self.get("/")
        found = _TOKEN.search(self.page)
        assert found is not None
        return found[1]

    def post(self, path: str, data: dict[str, Any] | None = None, *, follow: bool = False, htmx: bool = False) -> TestResponse:
        """Send a form; `htmx`: as the page's script does."""
        token = self.token()
        headers = {"HX-Request": "true", "X-CSRFToken": token} if htmx else {}
        response = self.client.post(
            path, data=(data or {}) | ({} if htmx else {"csrf_token": token}), headers=headers, follow_redirects=follow
        )
        if _TOKEN.search(response.text) or response.status_code == 303:
            self.page = response.text
        return response


def unmasked(text: str) -> str:
    """Return a page without the tokens of its forms, which every answer masks anew."""
    return re.sub(r"m\.[A-Za-z0-9_-]{80,}=*", "token", text)


def said(response: TestResponse) -> str:
    """Return what a page says, without its tags."""
    body = re.sub(r"<head>.*?</head>|<(svg|datalist)\b.*?</\1>", " ", response.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())
