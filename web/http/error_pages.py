"""Error pages: each says what happened, that nothing was lost, and what to do."""

import errno
import sys
from dataclasses import dataclass

import structlog
from flask import Flask, current_app, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, SecurityError
from werkzeug.wrappers import Response

from adjudicator.platform import db
from adjudicator.play.submission import TooLong
from adjudicator.service.base.errors import Busy, Gone, NotAllowed, NotFound, NotNow, Refused
from web.http import form_tokens, request_context
from web.http.order_form import SLOT, Typed

log = structlog.get_logger()

REFUSALS = (
    (Gone, 410),
    (NotFound, 404),
    (NotAllowed, 403),
    (NotNow, 409),
    (TooLong, 413),
    (Busy, 503),
)


@dataclass(frozen=True)
class ErrorPage:
    """What an error page says."""

    title: str
    sentence: str
    advice: str


PAGES = {
    400: ErrorPage(
        "That could not be read",
        "What the browser sent was not what this page expects.",
        "Nothing was changed. Go back, load the page again and send it once more.",
    ),
    403: ErrorPage(
        "That is not yours to do",
        "This belongs to somebody else.",
        "Nothing was changed. Signed in with another address, perhaps?",
    ),
    404: ErrorPage(
        "There is nothing here",
        "No page has this address; it may have been mistyped, or cut off in a letter.",
        "Nothing was lost. Your matches are on the home page.",
    ),
    405: ErrorPage(
        "That does not work this way",
        "This address takes something else than what was sent.",
        "Nothing was changed. Begin at the home page.",
    ),
    409: ErrorPage("Not now", "This is not possible just now.", "Nothing was lost."),
    410: ErrorPage(
        "It is not here any more",
        "This was taken away for good.",
        "The archive has the matches that stay.",
    ),
    413: ErrorPage(
        "That is too long",
        "More was sent than any game could need.",
        "Nothing was changed. Go back and send less of it.",
    ),
    429: ErrorPage(
        "One moment",
        "That was asked for very often in a short time, so it waits.",
        "Nothing was lost. Wait a little and try it again.",
    ),
    503: ErrorPage(
        "Not just now",
        "What this service keeps cannot be reached or written for the moment: it is very busy,"
        " starting anew, or out of room.",
        "What you handed in before still stands.",
    ),
    500: ErrorPage(
        "Something broke here",
        "The fault is ours, and it was noted.",
        "What you handed in before still stands. Try again in a moment; if it stays, tell whoever"
        " runs this site.",
    ),
}
AGAIN_SECONDS = {429: 60, 503: 10}  # until a retry may succeed
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS})
_GIVEN_BACK = frozenset({429, 500, 503})  # statuses whose form may be sent again unchanged
_WRITTEN = ("text", "plan")  # the fields that people write into
FORM_LAPSED = ErrorPage(
    "The form was too old",
    "The page you sent this from had lost its protection against forgery: its cookie is gone, or"
    " you signed in or out in between.",
    "Nothing was changed. Open the page again and send it once more.",
)


def install(app: Flask) -> None:
    """Register an error page for every fault."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(TooLong, _refused)
    app.register_error_handler(CSRFError, _lapsed)
    for kind in (*db.FAULTS, *db.PASSING):
        app.register_error_handler(kind, _database)
    app.register_error_handler(OSError, _no_room)
    app.register_error_handler(SecurityError, _other_host)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(500, _broken)


def status_of(error: Exception) -> int:
    """Return the HTTP status for a use case's refusal."""
    return next((status for kind, status in REFUSALS if isinstance(error, kind)), 400)


def _refused(error: Exception) -> Response:
    status = status_of(error)
    usual, reason = PAGES[status], str(error)
    advice = (
        usual.advice
        if request.method != "POST"
        else ""
        if "nothing was" in reason.lower()
        else "Nothing was changed."
    )
    return _page(status, ErrorPage(usual.title, reason, advice), typed=typed_text())


def _lapsed(_error: Exception) -> Response:
    return _page(400, FORM_LAPSED, typed=typed_text())


def _database(error: Exception) -> Response:
    """Answer 503 for a passing fault (the database is down, locked or full), 500 for a fault of our
    statements.
    """
    if not db.is_passing(error):
        return _fail(error)
    cause = getattr(error, "orig", None) or error.__cause__ or error
    log.warning("database.away", endpoint=request.endpoint or "none", error=type(cause).__name__)
    return _page(503, PAGES[503], typed=typed_text())


def _no_room(error: OSError) -> Response:
    if error.errno not in _NO_ROOM:
        return _fail(error)
    log.warning(
        "disk.full", endpoint=request.endpoint or "none", error=errno.errorcode[error.errno]
    )
    return _page(503, PAGES[503], typed=typed_text())


def _fail(error: Exception) -> Response:
    current_app.log_exception(sys.exc_info())
    return _broken(error)


def _other_host(_error: Exception) -> Response:
    """Answer a request for another host name in plain text: the links of a page would be refused
    too.
    """
    site = request_context.settings().site_url
    sentence = (
        f"This site answers at {site} only. Whoever runs it sets SITE_URL to the address that"
        " people use.\n"
    )
    return Response(sentence, 400, content_type="text/plain; charset=utf-8")


def typed_text() -> str:
    """Return the text and the clicked orders of a form that was not accepted, so that the error
    page can show them.
    """
    try:
        if "text" not in request.form:
            return Typed.read(request.form).orders.strip()
        return "\n".join(request.form[name] for name in _WRITTEN if request.form.get(name))
    except RequestEntityTooLarge:
        return ""


def _http(error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.response is not None:
        return make_response(error.response)
    status = error.code or 500 if isinstance(error, HTTPException) else 500
    response = _page(
        status, PAGES.get(status, PAGES[400 if status < 500 else 500]), typed=typed_text()
    )
    for name, value in error.get_headers() if isinstance(error, HTTPException) else []:
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _broken(_error: Exception) -> Response:
    return _page(500, PAGES[500], typed=typed_text())


@dataclass(frozen=True)
class Again:
    """A form that was not accepted, to be sent again unchanged."""

    action: str
    hidden: tuple[tuple[str, str], ...]
    written: tuple[tuple[str, str], ...]  # shown, and may be edited

    @property
    def clicked(self) -> tuple[str, ...]:
        """The orders among the hidden fields."""
        return tuple(value for name, value in self.hidden if name.startswith(SLOT) and value)


def _again(status: int) -> Again | None:
    """Return the form to offer again, with its own token: what was stored in spite of the fault is
    not made twice.

    None without a form, or if another site may have sent it.
    """
    if status not in _GIVEN_BACK or request.method != "POST" or not form_tokens.is_ours():
        return None
    fields = list(request.form.items(multi=True))
    hidden = tuple(field for field in fields if field[0] not in _WRITTEN)
    return Again(
        request.full_path.rstrip("?"),
        hidden,
        tuple(field for field in fields if field[0] in _WRITTEN),
    )


def _page(status: int, page: ErrorPage, *, typed: str = "") -> Response:
    """Render a fault as a page, for htmx as a box above the form, which stays as it is. Never
    queries the database.
    """
    if request_context.by_htmx():
        response = make_response(
            render_template("web/_fault.html", fault=page, status=status), status
        )
        where = "#owed" if request.method == "POST" else "main"
        response.headers.update(
            {"HX-Retarget": where, "HX-Reselect": ".fault", "HX-Reswap": "afterbegin show:top"}
        )
    else:
        values = {"fault": page, "status": status, "again": _again(status)}
        response = make_response(
            render_template("web/fault.html", typed="" if values["again"] else typed, **values),
            status,
        )
    if status in AGAIN_SECONDS:
        response.headers["Retry-After"] = str(AGAIN_SECONDS[status])
    response.headers["Cache-Control"] = "private, no-store"
    return response
