"""Stopping letters by the token in them: for people who follow the link, and for mail programs' one
click (RFC 8058).
"""

from collections.abc import Callable

from flask import Blueprint, make_response, render_template
from werkzeug.wrappers import Response

from adjudicator.platform.db import Database
from adjudicator.service.letters import bounces, suppression
from web.http import request_context
from web.http.page_rules import PageRules

bp = Blueprint("letters", __name__)
_OF_KIND = "/letters/<any(stop, never):kind>/<token>"


def _never_by_token(database: Database, token: str) -> bool:
    return bounces.never_by_token(database, token, now=request_context.arrival_time())


# how the token is known, what stops letters by it, and the page
_KINDS: dict[str, tuple[Callable[..., object], Callable[[Database, str], bool], str]] = {
    "stop": (bounces.of_token, bounces.stop_by_token, "web/stop_letters.html"),
    "never": (suppression.of_token, _never_by_token, "web/never.html"),
}


@bp.get(_OF_KIND, endpoint="ask")
@PageRules(secret_address=True)
def ask_first(kind: str, token: str) -> Response:
    """Show a button, since mail scanners open links: a GET stops nothing."""
    with request_context.database().read_tx() as session:
        known = _KINDS[kind][0](session, token) is not None
    return _page(kind, token, known=known, done=False)


@bp.post(_OF_KIND, endpoint="stop")
@PageRules(secret_address=True, no_token=True)
def stop_letters(kind: str, token: str) -> Response:
    """Stop the letters to this token's player, or all to its address. A mail program's one click
    sends no CSRF token (RFC 8058).
    """
    known = _KINDS[kind][1](request_context.database(), token)
    return _page(kind, token, known=known, done=True)


def _page(kind: str, token: str, *, known: bool, done: bool) -> Response:
    return make_response(
        render_template(_KINDS[kind][2], token=token, known=known, done=done), 200 if known else 404
    )
