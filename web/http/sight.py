"""Private matches on the site: before anything else, every page of a match asks whether its sender
may know of that match.
"""

from collections.abc import Sequence
from contextlib import suppress

import flask
from flask import Flask, current_app, g, request

from adjudicator.platform.db import ReadTx
from adjudicator.service.base.errors import NotFound
from adjudicator.service.starting import privacy
from web.http import request_context
from web.http.page_rules import current_rules
from web.http.request_context import OPENED_LINKS

_MOST_LINKS = 8  # kept in the cookie, the newest last
# `kept_pages` sends them: only a match that its viewer may know of has a basis
_BY_BASIS = {"matches.match", "history.phase"}
_UNCHECKED = "sealed_unchecked_match"


def install(app: Flask) -> None:
    """Check every request for a match; installed after the request's person is known."""
    app.before_request(_require_sight)


def _require_sight() -> None:
    """Raise NotFound for a page of a match that the sender may not know of, whatever page it is."""
    uid = (request.view_args or {}).get("uid")
    if uid is not None and _has_basis(uid):
        setattr(g, _UNCHECKED, uid)
    elif uid is not None and not (current_rules().picture and _sees_without_links(uid)):
        require_sight(uid)


def _has_basis(uid: str) -> bool:
    """Whether the page is answered by `kept_pages`, whose statement finds out by itself what its
    viewer may know of.
    """
    return (
        request.endpoint in _BY_BASIS
        and request.method in ("GET", "HEAD")
        and not request.query_string
        and "\0" not in uid
    )


def require_unchecked(session: ReadTx) -> None:
    """Do the check that was left to the basis, for a page without one. Raises NotFound."""
    uid = g.pop(_UNCHECKED, None)
    if uid is not None:
        _require_sight_in(session, uid)


def _sees_without_links(uid: str) -> bool:
    """Whether the sender may know of a match by being who they are: asking for links would make a
    picture depend on their cookie.
    """
    with request_context.database().read_tx() as session, suppress(NotFound):
        privacy.require_sight(session, uid, request_context.current_person_id())
        return True
    return False


def require_sight(uid: str) -> None:
    """Raise NotFound for a match that the sender may not know of; for forms that name a match
    outside of their address.
    """
    with request_context.database().read_tx() as session:
        _require_sight_in(session, uid)


def _require_sight_in(session: ReadTx, uid: str) -> None:
    privacy.require_sight(session, uid, request_context.current_person_id(), _opened_links())


def visible_uids(uids: Sequence[str]) -> list[str]:
    """Return which of these public names are matches that the sender may know of."""
    with request_context.database().read_tx() as session:
        return privacy.visible_uids(
            session, uids, request_context.current_person_id(), _opened_links()
        )


def _opened_links() -> list[str]:
    """Return the secrets of this browser's links; a browser without the cookie gets none by
    this.
    """
    if current_app.config["SESSION_COOKIE_NAME"] not in request.cookies:
        return []
    return list(flask.session.get(OPENED_LINKS, ()))


def remember_link(token: str) -> None:
    """Keep the secret part of a link in this browser's cookie."""
    kept = [each for each in flask.session.get(OPENED_LINKS, ()) if each != token]
    flask.session[OPENED_LINKS] = [*kept, token][-_MOST_LINKS:]
