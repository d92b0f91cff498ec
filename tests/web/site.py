"""A site for tests: the real Flask app on a harness's database, visitors with their own cookies,
and immediate disclosures.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.test import TestResponse

from adjudicator.platform import wakeups
from adjudicator.platform.config import Settings
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import disclosure
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.databases import as_role
from tests.harness import Harness
from tests.seat_forms import hidden_fields
from web.app import create_app
from web.http.kept_pages import KeptPage, KeptPages, Key


class CompiledOnce(BytecodeCache):
    """What the sites of a test process have compiled of their templates, which takes longer than
    most pages.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template, if a site has compiled it."""
        if known := self._kept.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(known)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template."""
        self._kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


COMPILED = CompiledOnce()
_TOKEN = re.compile(r'"X-CSRFToken": "([^"]+)"')


@dataclass
class WakeupRecorder:
    """Records the wakeups; with `answers`, it answers disclosure requests at once."""

    harness: Harness
    sent: list[tuple[Any, ...]] = field(default_factory=list)
    answers: bool = True

    def send(self, task: str, *arguments: int | str) -> bool:
        """Record a wakeup."""
        self.sent.append((task, *arguments))
        if task == wakeups.DISCLOSE and self.answers:
            disclosure.answer_request(
                self.harness.database, self.harness.keyring, str(arguments[0]), now=self.harness.now
            )
        return True


class CheckedPages(KeptPages):
    """Kept pages that are made again each time, and must then be as they were kept."""

    def find(self, key: Key, basis: object, now: datetime) -> KeptPage | None:
        """Return nothing, after noting what would have been sent."""
        self.noted = key, super().find(key, basis, now)
        return None

    def keep(self, key: Key, page: KeptPage) -> None:
        """Keep a page once it is compared with the noted one."""
        wanted, noted = self.noted
        if noted is not None and wanted == key:
            assert b"token".join(noted.parts) == b"token".join(page.parts), "a kept page is stale"
        super().keep(key, page)


@dataclass
class Site:
    """The app and its harness."""

    app: Flask
    harness: Harness
    recorder: WakeupRecorder
    posted: list[LetterToSend] = field(default_factory=list)

    @classmethod
    def create(cls, harness: Harness, folder: Path, **settings: Any) -> "Site":
        """Return a site on a harness's database; on PostgreSQL it has the login of the role `web`,
        the harness that of the owner.
        """
        url = as_role(harness.database.engine.url.render_as_string(hide_password=False), "web")
        told = Settings(data_dir=folder, database_url=url, **settings)
        app = create_app(told)
        app.testing = True
        app.jinja_env.bytecode_cache = COMPILED
        recorder = WakeupRecorder(harness)
        app.extensions["wakeups"] = recorder
        app.extensions["kept_pages"] = CheckedPages()
        return cls(app, harness, recorder)

    def visitor(self, name: str | None = None) -> "Visitor":
        """Return a browser, signed in if a name of the cast is given."""
        visitor = Visitor(self)
        if name is not None:
            self.harness.player(name)
            self.enter(visitor, self.harness.enter(name))
        return visitor

    def enter(self, visitor: "Visitor", token: str) -> None:
        """Set a session's cookie in a browser."""
        visitor.client.set_cookie("sealed", token)

    def make_open_match(self, **changes: Any) -> str:
        """Have Alice make a match with Bob invited and an open seat; it is prepared, not begun."""
        wish = {
            "game": "pyramid",
            "name": "The Long Table",
            "options": {},
            "invited": (address(BOB),),
        } | changes
        return self.harness.prepare_match(Wish(**wish), ALICE)

    def begin_match(self) -> str:
        """Begin a match of Alice, Bob and Charlie."""
        return self.harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "The Long Table", {}))

    def play_to_end(self) -> str:
        """Begin a match and play it to its end."""
        uid = self.begin_match()
        for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2"):
            self.harness.round(uid, [(name, piece) for name in (ALICE, BOB, CHARLIE)])
        return uid

    def letters(self, kind: str) -> list[dict[str, Any]]:
        """Return the contexts of the letters of a kind, opened as by the worker."""
        self.posted += self.harness.claim_waiting()
        return [each.context for each in self.posted if each.kind == kind]


class Visitor:
    """A browser without scripts: it keeps cookies, and sends the last page's CSRF token with a
    form.
    """

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
        """Return the CSRF token of the last page; opens the home page if there is none."""
        if not _TOKEN.search(self.page):
            self.get("/")
        found = _TOKEN.search(self.page)
        assert found is not None
        return found[1]

    def post(
        self,
        path: str,
        data: dict[str, Any] | None = None,
        *,
        follow: bool = False,
        htmx: bool = False,
    ) -> TestResponse:
        """Send a form, one of a seat with what the last page made it for unless `data` says else;
        `htmx`: as htmx does.
        """
        token, data = self.token(), hidden_fields(path, self.page) | (data or {})
        headers = {"HX-Request": "true", "X-CSRFToken": token} if htmx else {}
        response = self.client.post(
            path,
            data=data | ({} if htmx else {"csrf_token": token}),
            headers=headers,
            follow_redirects=follow,
        )
        if _TOKEN.search(response.text) or response.status_code == 303:
            self.page = response.text
        return response


def without_tokens(text: str) -> str:
    """Return a page without its CSRF tokens, which every response masks anew."""
    return re.sub(r"m\.[A-Za-z0-9_-]{80,}=*", "token", text)


def page_text(response: TestResponse) -> str:
    """Return the text of a page, without tags; `bdi` stands around names and separates no words."""
    body = re.sub(
        r"<head>.*?</head>|<(svg|datalist)\b.*?</\1>", " ", response.text, flags=re.DOTALL
    )
    body = re.sub(r"</?bdi\b[^>]*>", "", body)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())
