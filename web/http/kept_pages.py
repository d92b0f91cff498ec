"""Keeps rendered pages in memory, each with what it depends on, and answers a browser that has the
same one with 304.

A page is kept for one viewer, with its basis: a text that changes with everything that the page
shows. It is sent again while the basis is the same and no time on it would be told otherwise. A
kept page contains no CSRF token: each response gets its own, between the kept parts.
"""

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Generic, TypeVar, cast

import flask
from flask import Flask, current_app, g, make_response, request
from werkzeug.wrappers import Response

from adjudicator.platform import entropy
from adjudicator.platform.byte_cache import ByteCache
from adjudicator.platform.db import Database, ReadTx
from adjudicator.service.base.memory import look_only
from web.http import compression, form_tokens, request_context, sight
from web.http.compression import Packed

MOST_BYTES = 32 * 1024 * 1024  # of all kept pages of a process
_AT_ONCE = 64  # pages that may be made at the same time
_EXTENSION = "kept_pages"
_UNTIL = "sealed_page_until"
# WSGI environment key: the key of a page, and its basis as it was read for this request
BASIS = "sealed.basis"
NOTE = "sealed.kept"  # WSGI environment key: the `KeptRequest` that a request came to
T = TypeVar("T")
Key = tuple[tuple[object, ...], str]
"""Who looks, and how the page is to look; its address."""
ReadBasis = Callable[[ReadTx, int | None, datetime], str | None]
"""Returns what a page depends on for a viewer at a time, None where it is not to be kept."""


@dataclass(frozen=True)
class KeptRequest:
    """Which page was sent, and how to find out whether it is still right."""

    key: Key
    viewer: int | None
    read_basis: ReadBasis
    endpoint: str


@dataclass(frozen=True)
class KeptPage:
    """A rendered page without its tokens."""

    basis: object
    made_at: datetime
    until: datetime | None  # when a time on it is told otherwise; None: never
    parts: tuple[bytes, ...]  # a token goes between two parts
    hash: str  # of the parts
    # by the length of a token; made when a browser first takes gzip
    packed: dict[int, Packed] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes in memory, about; compressed parts are a fifth of the others."""
        return 1000 + sum(map(len, self.parts)) * 6 // 5

    def is_current(self, now: datetime) -> bool:
        """Whether all times on the page would be told as they are."""
        return self.made_at <= now and (self.until is None or now < self.until)


class KeptPages:
    """The kept pages of a process, the least recently used dropped first; one for each viewer and
    address.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._making = [Lock() for _ in range(_AT_ONCE)]
        self.pages: ByteCache[Key, KeptPage] = ByteCache(most)

    def find(self, key: Key, basis: object, now: datetime) -> KeptPage | None:
        """Return the page that is kept for this viewer and address, if it is still right."""
        page = self.pages.get(key)
        right = page is not None and page.basis == basis and page.is_current(now)
        return page if right else None

    def may_have(self, key: Key, now: datetime) -> bool:
        """Whether the page of this viewer and address is kept, and right if its basis is the
        same.
        """
        page = self.pages.get(key)
        return page is not None and page.is_current(now)

    def making(self, key: Key) -> AbstractContextManager[object]:
        """Return the lock of who makes the page of this viewer and address; others wait for it."""
        return self._making[hash(key) % _AT_ONCE]

    def keep(self, key: Key, page: KeptPage) -> None:
        """Keep a page in place of the one before it, unless it alone is too large."""
        self.pages.put(key, page, page.size)


def install(app: Flask) -> None:
    """Give a site its kept pages."""
    app.extensions[_EXTENSION] = KeptPages()


def pages_of(app: Flask) -> KeptPages:
    """Return the kept pages of a site."""
    return cast(KeptPages, app.extensions[_EXTENSION])


def lasts_until(moment: datetime) -> None:
    """Note while a page is rendered that it would say something else from this moment on."""
    before = g.get(_UNTIL)
    setattr(g, _UNTIL, moment if before is None else min(before, moment))


def send_page(
    read_basis: ReadBasis,
    load: Callable[[ReadTx], T],
    render: Callable[[T], str],
) -> Response:
    """Return the kept page of this viewer and address, or load it in the same transaction as its
    basis, render and keep it.

    `read_basis` returns None for a page that is not to be kept. Neither is one whose address has a
    query. Of several who ask for the same page at once, one makes it.
    """
    source = _Source(read_basis, load, render)
    database = request_context.database()
    if not request.query_string:
        page = source.look(database)
        if page is None:
            with source.kept.making(source.asked.key):
                page = source.make(database)
        if page is not None:
            request.environ[NOTE] = source.asked
            return _respond(page)
    with database.read_tx() as session:
        sight.require_unchecked(session)
        look_only(session)
        loaded = load(session)
    return make_response(render(loaded))


class _Source(Generic[T]):
    """Where the page of this viewer and address comes from."""

    def __init__(
        self,
        read_basis: ReadBasis,
        load: Callable[[ReadTx], T],
        render: Callable[[T], str],
    ) -> None:
        self._load, self._render = load, render
        self.kept = pages_of(current_app)
        key, viewer = (_viewer(), request.path), request_context.current_person_id()
        self.asked = KeptRequest(key, viewer, read_basis, request.endpoint or "")
        self._now = request_context.arrival_time()

    def look(self, database: Database) -> KeptPage | None:
        """Return the page if it is kept and still right."""
        if not self.kept.may_have(self.asked.key, self._now):
            return None
        key, basis = request.environ.get(BASIS, (None, None))
        if key == self.asked.key:
            return self._judge(basis)[1]
        with database.read_once() as session:
            return self.find(session)[1]

    def find(self, session: ReadTx) -> tuple[object | None, KeptPage | None]:
        """Return the basis in this transaction, None for a page that is not to be kept, and the page
        if it is kept and still right.
        """
        return self._judge(self.asked.read_basis(session, self.asked.viewer, self._now))

    def _judge(self, basis: str | None) -> tuple[object | None, KeptPage | None]:
        if basis is None:
            return None, None
        viewed = basis, request_context.current_person()
        return viewed, self.kept.find(self.asked.key, viewed, self._now)

    def make(self, database: Database) -> KeptPage | None:
        """Return the page that another thread has kept meanwhile, or make it and keep it; None
        where it is not to be kept any more.
        """
        with database.read_tx() as session:
            basis, page = self.find(session)
            if basis is None or page is not None:
                return page
            look_only(session)
            loaded = self._load(session)
        page = _render(self._render, loaded, basis, self._now)
        self.kept.keep(self.asked.key, page)
        return page


def _viewer() -> tuple[object, ...]:
    """Return who looks, and all that a request says of how pages are to look; what is stored of a
    person is part of the basis.
    """
    looks = (
        request_context.theme(),
        request_context.viewer_locale(),
        request_context.sees_mailbox(),
        request_context.by_htmx(),
        request.script_root,  # stands in all addresses
    )
    return request_context.current_person_id(), *looks


def _render(render: Callable[[T], str], loaded: T, basis: object, now: datetime) -> KeptPage:
    mark = entropy.token_hex(16)
    setattr(g, _UNTIL, None)
    with form_tokens.tokens_as(mark):
        text = render(loaded)
    parts = tuple(text.encode().split(mark.encode()))
    found = hashlib.sha256(b"\0".join(parts)).hexdigest()
    return KeptPage(basis, now, g.get(_UNTIL), parts, found)


def _respond(page: KeptPage) -> Response:
    """Return a page with a new token, or 304 for a browser that has the same one with a token that
    is still its own.
    """
    token = form_tokens.mask_token() if len(page.parts) > 1 else ""
    secret = str(flask.session.get(form_tokens.FIELD, ""))
    response = Response(mimetype="text/html")
    response.vary.add("Accept-Encoding")
    tag, packed = tag_of(page, secret), compression.takes_gzip()
    response.set_etag(tag, weak=True)
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
        return response
    response.set_data(fill(page, token, packed))
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


def fill(page: KeptPage, token: str, packed: bool) -> bytes:
    """Return a page with a token in its places, compressed or not."""
    filler = token.encode()
    if not packed:
        return filler.join(page.parts)
    blocks = page.packed.get(len(filler))
    if blocks is None:
        blocks = page.packed[len(filler)] = compression.pack(page.parts, len(filler))
    return compression.gzip_of(blocks, page.parts, filler)


def tag_of(page: KeptPage, secret: str) -> str:
    """Return the ETag: a hash of the content and, where that has tokens, of the secret that they
    are made from.
    """
    secret = secret if len(page.parts) > 1 else ""
    return hashlib.sha256(f"{page.hash} {secret}".encode()).hexdigest()[:32]
