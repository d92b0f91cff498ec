"""Error pages: what happened, that nothing was lost, and what to do."""

from dataclasses import dataclass

from flask import Flask, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, SecurityError
from werkzeug.wrappers import Response

from adjudicator.db import DatabaseBusy
from adjudicator.service.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.sheet import TooLong
from web import visit

REFUSALS = ((NotFound, 404), (NotAllowed, 403), (NotNow, 409), (TooLong, 413))


@dataclass(frozen=True)
class Page:
    """What an error page says."""

    title: str
    sentence: str
    advice: str


PAGES = {
    400: Page(
        "That could not be read",
        "What the browser sent was not what this page expects.",
        "Nothing was changed. Go back, load the page again and send it once more.",
    ),
    403: Page("That is not yours to do", "This belongs to somebody else.", "Nothing was changed. Signed in with another address, perhaps?"),
    404: Page(
        "There is nothing here",
        "No page has this address; it may have been mistyped, or cut off in a letter.",
        "Nothing was lost. Your matches are on the home page.",
    ),
    405: Page(
        "That does not work this way",
        "This address takes something else than what was sent.",
        "Nothing was changed. Begin at the home page.",
    ),
    409: Page("Not now", "This is not possible just now.", "Nothing was lost."),
    413: Page("That is too long", "More was sent than any game could need.", "Nothing was changed. Go back and send less of it."),
    429: Page(
        "One moment", "That was asked for very often in a short time, so it waits.", "Nothing was lost. Wait a little and try it again."
    ),
    503: Page(
        "Very busy just now",
        "The database was held by something else for too long.",
        "Nothing was changed. Send it once more in a moment.",
    ),
    500: Page(
        "Something broke here",
        "The fault is ours, and it was noted.",
        "What you handed in before still stands. Try again in a moment; if it stays, tell whoever runs this site.",
    ),
}
FORM_LAPSED = Page(
    "The form was too old",
    "The page you sent this from had lost its protection against forgery: its cookie is gone, or you signed in or out in between.",
    "Nothing was changed. Open the page again and send it once more.",
)


def install(app: Flask) -> None:
    """Answer every fault with a page of our own."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(TooLong, _refused)
    app.register_error_handler(CSRFError, _lapsed)
    app.register_error_handler(DatabaseBusy, _busy)
    app.register_error_handler(SecurityError, _other_host)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(500, _broken)


def status_of(error: Exception) -> int:
    """Return the HTTP status of what a use case refused."""
    return next((status for kind, status in REFUSALS if isinstance(error, kind)), 400)


def _refused(error: Exception) -> Response:
    status = status_of(error)
    usual = PAGES[status]
    return _page(status, Page(usual.title, str(error), "Nothing was changed." if request.method == "POST" else usual.advice), typed=typed())


def _lapsed(_error: Exception) -> Response:
    return _page(400, FORM_LAPSED, typed=typed())


def _busy(_error: Exception) -> Response:
    return _page(503, PAGES[503], typed=typed())


def _other_host(_error: Exception) -> Response:
    """Answer a request for another host's name in plain text: a page would only lead on to addresses that are refused too."""
    site = visit.settings().site_url
    said = f"This site answers at {site} only. Whoever runs it sets SITE_URL to the address that people use.\n"
    return Response(said, 400, content_type="text/plain; charset=utf-8")


def typed() -> str:
    """Return what was typed into a form that could not be taken, so that it is not lost."""
    try:
        return "\n".join(request.form[name] for name in ("text", "plan") if request.form.get(name))
    except RequestEntityTooLarge:
        return ""


def _http(error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.response is not None:
        return make_response(error.response)
    status = error.code or 500 if isinstance(error, HTTPException) else 500
    response = _page(status, PAGES.get(status, PAGES[400 if status < 500 else 500]), typed=typed())
    for name, value in error.get_headers() if isinstance(error, HTTPException) else []:
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    if status == 429:
        response.headers.setdefault("Retry-After", "60")
    return response


def _broken(_error: Exception) -> Response:
    return _page(500, PAGES[500], typed=typed())


def _page(status: int, page: Page, *, typed: str = "") -> Response:
    """Render a fault as a page, or as a box where a script asked for a part of one; never asks the database."""
    name = "web/_fault.html" if visit.by_htmx() else "web/fault.html"
    return make_response(render_template(name, fault=page, status=status, typed=typed), status)
