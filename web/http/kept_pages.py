"""Keeps rendered pages in memory, each with what it depends on, and answers a browser that has the
same one with 304.

A page is kept for one viewer, with its basis: a text that changes with everything that the page
shows. It is sent again while the basis is the same and no time on it would be told otherwise. A
kept page contains no CSRF token: each response gets its own, between the kept parts.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import TypeVar, cast

import flask
from flask import Flask, current_app, g, make_response, request
from werkzeug.wrappers import Response

from adjudicator.platform import entropy
from adjudicator.platform.db import ReadTx
from web.http import compression, form_tokens, request_context, sight
from web.http.compression import Packed

MOST_BYTES = 32 * 1024 * 1024  # of all kept pages of a process
_EXTENSION = "kept_pages"
_UNTIL = "sealed_page_until"
T = TypeVar("T")
Key = tuple[tuple[object, ...], str]
"""Who looks, and how the page is to look; its address."""


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

    def is_right(self, basis: object, now: datetime) -> bool:
        """Whether the page would be made again as it is."""
        return (
            self.basis == basis and self.made_at <= now and (self.until is None or now < self.until)
        )


class KeptPages:
    """The kept pages of a process, the least recently used dropped first; one for each viewer and
    address.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._size, self._lock = most, 0, Lock()
        self.pages: OrderedDict[Key, KeptPage] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes of all kept pages."""
        return self._size

    def find(self, key: Key, basis: object, now: datetime) -> KeptPage | None:
        """Return the page that is kept for this viewer and address, if it is still right."""
        with self._lock:
            page = self.pages.get(key)
            if page is None or not page.is_right(basis, now):
                return None
            self.pages.move_to_end(key)
            return page

    def keep(self, key: Key, page: KeptPage) -> None:
        """Keep a page in place of the one before it, unless it alone is too large."""
        with self._lock:
            self._drop(key)
            if page.size > self._most:
                return
            self.pages[key] = page
            self._size += page.size
            while self._size > self._most:
                self._drop(next(iter(self.pages)))

    def clear(self) -> None:
        """Drop all pages."""
        with self._lock:
            self.pages.clear()
            self._size = 0

    def _drop(self, key: Key) -> None:
        page = self.pages.pop(key, None)
        self._size -= page.size if page else 0


def install(app: Flask) -> None:
    """Give a site its kept pages."""
    app.extensions[_EXTENSION] = KeptPages()


def lasts_until(moment: datetime) -> None:
    """Note while a page is rendered that it would say something else from this moment on."""
    before = g.get(_UNTIL)
    setattr(g, _UNTIL, moment if before is None else min(before, moment))


def send_page(
    read_basis: Callable[[ReadTx], str | None],
    load: Callable[[ReadTx], T],
    render: Callable[[T], str],
) -> Response:
    """Return the kept page of this viewer and address, or load it in the same transaction as its
    basis, render and keep it.

    `read_basis` returns None for a page that is not to be kept. Neither is one whose address has a
    query.
    """
    kept, now = cast(KeptPages, current_app.extensions[_EXTENSION]), request_context.arrival_time()
    key, page = (_viewer(), request.path), None
    with request_context.database().read_tx() as session:
        basis = None if request.query_string else read_basis(session)
        viewed = (basis, request_context.current_person())
        page = kept.find(key, viewed, now) if basis is not None else None
        if basis is None:
            sight.require_unchecked(session)
        loaded = load(session) if page is None else None
    if basis is None:
        return make_response(render(cast(T, loaded)))
    if page is None:
        page = _render(render, cast(T, loaded), viewed, now)
        kept.keep(key, page)
    return _respond(page)


def _viewer() -> tuple[object, ...]:
    """Return who looks, and all that a request says of how pages are to look; what is stored of a
    person is part of the basis.
    """
    looks = (
        request_context.theme(),
        request_context.viewer_locale(),
        request_context.sees_mailbox(),
        request_context.by_htmx(),
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
    token = form_tokens.mask_token().encode() if len(page.parts) > 1 else b""
    response = Response(mimetype="text/html")
    response.vary.add("Accept-Encoding")
    response.set_etag(_tag(page), weak=True)
    if request.if_none_match.contains_weak(_tag(page)):
        response.status_code = 304
        return response
    if not compression.takes_gzip():
        response.set_data(token.join(page.parts))
        return response
    packed = page.packed.get(len(token))
    if packed is None:
        packed = page.packed[len(token)] = compression.pack(page.parts, len(token))
    response.set_data(compression.gzip_of(packed, page.parts, token))
    response.headers["Content-Encoding"] = "gzip"
    return response


def _tag(page: KeptPage) -> str:
    """Return the ETag: a hash of the content and, where that has tokens, of the secret that they
    are made from.
    """
    secret = str(flask.session.get(form_tokens.FIELD, "")) if len(page.parts) > 1 else ""
    return hashlib.sha256(f"{page.hash} {secret}".encode()).hexdigest()[:32]
