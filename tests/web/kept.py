"""A site that sends kept pages, a match whose pages can be kept, and who looks at them."""

import hashlib
import re

import pytest
from werkzeug.test import TestResponse

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, Visitor
from web.http import kept_pages
from web.http.kept_pages import KeptPage, KeptPages, Key

VIEWERS = (None, MALLORY, ALICE, BOB, CHARLIE)


def keeps(site: Site, *, most: int = kept_pages.MOST_BYTES) -> KeptPages:
    """Have a site send kept pages, as the real one does; the others of these tests make each page
    anew and compare.
    """
    kept = site.app.extensions["kept_pages"] = KeptPages(most)
    return kept


def stored(kept: KeptPages) -> dict[Key, KeptPage]:
    """Return all pages that are kept."""
    return {key: page for key in list(kept.pages) if (page := kept.pages.get(key))}


def begin(site: Site, **changes: object) -> str:
    """Begin a match of Alice, who made it, Bob and Charlie, an hour ago, with its first round
    closed.
    """
    told = {"game": "pyramid", "name": "The Long Table", "options": {}} | changes
    uid = site.harness.match(ALICE, BOB, CHARLIE, wish=Wish(**told))  # type: ignore[arg-type]  # of a wish
    site.harness.round(uid, [(name, "B3") for name in (ALICE, BOB, CHARLIE)])
    site.harness.later(hours=1)
    return uid


def made(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the address of each page of a match that is rendered."""
    found: list[str] = []
    real = kept_pages._render

    def render(*told: object) -> KeptPage:
        found.append(kept_pages.request.path)
        return real(*told)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(kept_pages, "_render", render)
    return found


def tag_of(visitor: Visitor, answer: TestResponse) -> str:
    """Return the tag that a kept page has to have: a hash of its bytes without tokens, and of the
    secret in the browser's cookie.
    """
    parts = re.split(rb"m\.[A-Za-z0-9_-]{80,}=*", answer.data)
    content = hashlib.sha256(b"\0".join(parts)).hexdigest()
    return hashlib.sha256(
        f"{content} {_secret(visitor) if len(parts) > 1 else ''}".encode()
    ).hexdigest()[:32]


def _secret(visitor: Visitor) -> str:
    cookie, app = visitor.client.get_cookie("sealed-forms"), visitor.site.app
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]  # of Flask's own cookie
    return str(signer.loads(cookie.value)["csrf_token"]) if cookie is not None else ""
