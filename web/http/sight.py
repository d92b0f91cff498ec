"""Private matches on the site: before anything else, every page of a match asks whether its sender may know of that match."""

import flask
from flask import Flask, current_app, request

from adjudicator.service.starting import privacy
from web.http import request_context
from web.http.request_context import OPENED_LINKS

_MOST_LINKS = 8  # kept in the cookie, the newest last


def install(app: Flask) -> None:
    """Check every request for a match; installed after the request's person is known."""
    app.before_request(_require_sight)


def _require_sight() -> None:
    """Raise NotFound for a page of a match that the sender may not know of, whatever page it is."""
    uid = (request.view_args or {}).get("uid")
    if uid is not None:
        require_sight(uid)


def require_sight(uid: str) -> None:
    """Raise NotFound for a match that the sender may not know of; for forms that name a match outside of their address."""
    with request_context.database().read_tx() as session:
        privacy.require_sight(session, uid, request_context.current_person_id(), _opened_links())


def _opened_links() -> list[str]:
    """Return the secrets of this browser's links; a browser without the cookie gets none by this."""
    if current_app.config["SESSION_COOKIE_NAME"] not in request.cookies:
        return []
    return list(flask.session.get(OPENED_LINKS, ()))


def remember_link(token: str) -> None:
    """Keep the secret part of a link in this browser's cookie."""
    kept = [each for each in flask.session.get(OPENED_LINKS, ()) if each != token]
    flask.session[OPENED_LINKS] = [*kept, token][-_MOST_LINKS:]
