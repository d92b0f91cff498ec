"""Answers a request as an equal one before it was answered, from the same kept page, without Flask.

Two requests are equal if they differ only in what no kept page depends on. The first goes through
Flask, and what it came to is noted: the page, what that depends on, and the headers. Those after it
get that page while it is right, each with a token and an ETag of its own. Whatever is unusual goes
through Flask: an ended session, a cookie to be renewed, a browser that has the page.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Any, cast

from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.http import quote_etag
from werkzeug.sansio.http import parse_cookie

from adjudicator.platform import clock
from adjudicator.platform.db import FAULTS, Database
from adjudicator.platform.net import clients
from adjudicator.service.people import sessions
from web.http import access_log, form_sessions, form_tokens, kept_pages, request_context
from web.http.kept_pages import NOTE, KeptPage, KeptRequest

MOST = 2000  # requests that are noted, the least recently used forgotten first
_OF_THE_PAGE = frozenset({"content-length", "etag", "set-cookie"})
# headers that no kept page depends on, or that are looked at by themselves
_IGNORED = frozenset(
    f"HTTP_{name}"
    for name in (
        "ACCEPT",
        "CACHE_CONTROL",
        "CONNECTION",
        "COOKIE",
        "DNT",
        "IF_NONE_MATCH",
        "PRAGMA",
        "PRIORITY",
        "REFERER",
        "UPGRADE_INSECURE_REQUESTS",
        "USER_AGENT",
    )
)
_FETCHED = "HTTP_SEC_"  # begins what a browser tells of why it asks
# what a proxy adds, of which pages know only that it did
_FORWARDED = frozenset(f"HTTP_{name.upper().replace('-', '_')}" for name in clients.FORWARDED)
Environ = dict[str, Any]
Headers = list[tuple[str, str]]


@dataclass(frozen=True)
class _Noted:
    """What a request came to."""

    kept: KeptRequest
    headers: Headers  # without those that each answer has of its own
    packed: bool


class KeptAnswers:
    """WSGI middleware around Flask, for requests whose arrival is known."""

    def __init__(self, app: Flask, site: Callable[..., Iterable[bytes]]) -> None:
        self._app, self._site = app, site
        self._noted: OrderedDict[bytes, _Noted] = OrderedDict()
        self._lock = Lock()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Answer a request from a kept page, or have Flask do it."""
        if environ["REQUEST_METHOD"] != "GET" or environ.get("QUERY_STRING"):
            return self._site(environ, start_response)
        begun, cookies = clock.monotonic(), parse_cookie(environ.get("HTTP_COOKIE", ""))
        asked = _tell(environ, cookies, self._forms_cookie)
        noted = self._find(asked)
        answer = self._answer(noted, environ, cookies) if noted is not None else None
        if noted is None or answer is None:
            return self._site(environ, self._noting(asked, environ, start_response))
        body, own = answer
        figures = access_log.figures_of(self._app)
        figures.note("GET", noted.kept.endpoint, 200, clock.monotonic() - begun)
        start_response("200 OK", [*noted.headers, *own])
        return [body]

    @property
    def _forms_cookie(self) -> str:
        return str(self._app.config["SESSION_COOKIE_NAME"])

    def _find(self, asked: bytes) -> _Noted | None:
        with self._lock:
            if asked in self._noted:
                self._noted.move_to_end(asked)
            return self._noted.get(asked)

    def _noting(self, asked: bytes, environ: Environ, start_response: Any) -> Any:
        """Return a `start_response` that notes what Flask answers with a kept page."""

        def start(status: str, headers: Headers, *fault: Any) -> Any:
            kept: KeptRequest | None = environ.get(NOTE)
            if kept is not None and status.startswith("200 "):
                lasting = [each for each in headers if each[0].lower() not in _OF_THE_PAGE]
                with self._lock:
                    packed = ("Content-Encoding", "gzip") in headers
                    self._noted[asked] = _Noted(kept, lasting, packed)
                    while len(self._noted) > MOST:
                        self._noted.popitem(last=False)
            return start_response(status, headers, *fault)

        return start

    def _answer(
        self, noted: _Noted, environ: Environ, cookies: MultiDict[str, str]
    ) -> tuple[bytes, Headers] | None:
        """Return the body, and the headers that are its own; None where Flask has to answer."""
        token = cookies.get(request_context.cookie_name_of(self._app), "")
        try:
            page = self._find_page(noted.kept, token, environ)
        except FAULTS:
            return None
        if page is None:
            return None
        secret, cookie = form_sessions.find_secret(
            self._app, cookies.get(self._forms_cookie, ""), token
        )
        if not secret:
            return None
        tag = kept_pages.tag_of(page, secret)
        if any(each in environ.get("HTTP_IF_NONE_MATCH", "") for each in (tag, "*")):
            return None
        body = kept_pages.fill(page, form_tokens.token_for(self._app, secret), noted.packed)
        own = [("ETag", quote_etag(tag, weak=True)), ("Content-Length", str(len(body)))]
        return body, own + ([("Set-Cookie", cookie)] if cookie else [])

    def _find_page(self, kept: KeptRequest, token: str, environ: Environ) -> KeptPage | None:
        """Return the page if it is still right and its reader is who read it before."""
        site = cast(Database, self._app.extensions["database"])
        now: datetime = request_context.arrival_of(environ, site)
        pages = kept_pages.pages_of(self._app)
        if not pages.may_have(kept.key, now):
            return None
        with site.read_once() as session:
            use = sessions.use_of(session, token, now=now) if token else None
            environ[request_context.USE] = use
            person = use.person if use is not None else None
            viewer = person.id if person is not None else None
            if viewer != kept.viewer or (use is not None and use.long_unnoted):
                return None
            basis = kept.read_basis(session, viewer, now)
        environ[kept_pages.BASIS] = kept.key, basis
        return pages.find(kept.key, (basis, person), now) if basis is not None else None


def _tell(environ: Environ, cookies: MultiDict[str, str], forms: str) -> bytes:
    """Return what tells a request from those that are not equal to it, `forms` being the cookie
    that is looked at by itself; no secret can be read from it.
    """
    headers = sorted(
        (name, "" if name in _FORWARDED else value)
        for name, value in environ.items()
        if name.startswith("HTTP_") and name not in _IGNORED and not name.startswith(_FETCHED)
    )
    # in the order of the browser, since of two with a name the first one counts
    given = [each for each in cookies.items(multi=True) if each[0] != forms]
    place = environ["PATH_INFO"], environ.get("SCRIPT_NAME"), environ["wsgi.url_scheme"]
    near = _is_near(environ.get("REMOTE_ADDR", ""))
    return hashlib.sha256(repr((place, near, headers, given)).encode()).digest()


@lru_cache(maxsize=1024)
def _is_near(address: str) -> bool:
    """Whether a client is on this machine."""
    found = clients.parse_address(address)
    return found is not None and found.is_loopback
