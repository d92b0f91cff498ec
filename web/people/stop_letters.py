"""Stopping letters by the token in them: for people who follow the link, and for mail programs' one
click (RFC 8058).
"""

from flask import Blueprint, make_response, render_template
from werkzeug.wrappers import Response

from adjudicator.service.letters import bounces, suppression
from web.http import request_context
from web.http.page_rules import PageRules

bp = Blueprint("letters", __name__)


@bp.get("/letters/stop/<token>", endpoint="stop")
@PageRules(secret_address=True)
def confirm_stop(token: str) -> Response:
    """Show a button, since mail scanners open links: a GET stops nothing."""
    with request_context.database().read_tx() as session:
        known = bounces.of_token(session, token) is not None
    return make_response(
        render_template("web/stop_letters.html", token=token, known=known, stopped=False),
        200 if known else 404,
    )


@bp.post("/letters/stop/<token>", endpoint="stopped")
@PageRules(secret_address=True, no_token=True)
def stop_letters(token: str) -> Response:
    """Stop the letters to this token's player. A mail program's one click sends no CSRF token (RFC
    8058).
    """
    known = bounces.stop_by_token(request_context.database(), token)
    return make_response(
        render_template("web/stop_letters.html", token=token, known=known, stopped=True),
        200 if known else 404,
    )


@bp.get("/letters/never/<token>", endpoint="never")
@PageRules(secret_address=True)
def confirm_never(token: str) -> Response:
    """Show a button, since mail scanners open links: a GET changes nothing."""
    with request_context.database().read_tx() as session:
        known = suppression.of_token(session, token) is not None
    return make_response(
        render_template("web/never.html", token=token, known=known, done=False),
        200 if known else 404,
    )


@bp.post("/letters/never/<token>")
@PageRules(secret_address=True, no_token=True)
def never_again(token: str) -> Response:
    """Block all letters to this token's address. A mail program's one click sends no CSRF token
    (RFC 8058).
    """
    known = bounces.never_by_token(
        request_context.database(), token, now=request_context.arrival_time()
    )
    return make_response(
        render_template("web/never.html", token=token, known=known, done=True),
        200 if known else 404,
    )
