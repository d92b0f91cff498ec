"""The current request: its arrival time, its sender, and the site's settings and database."""

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address
from typing import IO, Any, cast
from urllib.parse import urlsplit

import flask
from flask import Flask, abort, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform import clock, words
from adjudicator.platform.config import THIS_MACHINE, Settings
from adjudicator.platform.db import Database
from adjudicator.platform.net import clients
from adjudicator.service.people import sessions
from adjudicator.service.people.accounts import Person
from adjudicator.service.people.invitation_limits import Caps
from adjudicator.service.people.sessions import SESSION_LASTS, NewSession, Use
from adjudicator.service.requests import signing
from adjudicator.service.requests.sent_forms import FORM, Form
from web.http import form_tokens
from web.http.middleware import ArrivalMiddleware
from web.http.page_rules import current_rules

_LONGEST_PATH = 300  # characters; a sign-in letter may contain it
SHOWN = "sealed.shown"  # key in the WSGI environment: the arrival by the database's clock
USE = "sealed.use"  # likewise: the `Use` of the session whose token the browser sent
# the cookie of a browser's colours, and its values
THEME, THEMES = "sealed-theme", ("light", "dark")
KEPT_FORM = "kept_form"  # in the forms' cookie: a form that was sent after the session had ended
# in the forms' cookie, which is signed: the secret parts of the links to matches that this browser
# opened
OPENED_LINKS = "links"


def install(app: Flask) -> None:
    """Note every request's arrival, and look up its person."""
    app.wsgi_app = ArrivalMiddleware(app.wsgi_app)  # type: ignore[method-assign]
    app.before_request(_find_person)
    app.before_request(_begin_writing)
    app.teardown_request(_end_writing)
    app.after_request(_report_clock)


def _find_person() -> None:
    rules = current_rules()
    if rules.same_for_all or (rules.no_cookie and not session_token()):
        return
    if not rules.picture:  # browsers that got a new cookie would load a kept picture again
        _make_permanent()
    if not session_token():
        return
    if USE not in request.environ:
        with database().read_once() as session:
            request.environ[USE] = sessions.use_of(session, session_token(), now=arrival_time())
    use: Use | None = request.environ[USE]
    g.person = use.person if use is not None else None
    g.keyed = use is not None and use.keyed
    if use is not None and use.long_unnoted:
        sessions.note_use(database(), session_token(), now=arrival_time())


def _make_permanent() -> None:
    """Let forms stay valid after the browser was closed."""
    if not flask.session.permanent:
        flask.session.permanent = True


def _begin_writing() -> None:
    g.writing = ExitStack()
    g.writing.enter_context(words.writing_in(viewer_locale()))


def _end_writing(_fault: BaseException | None) -> None:
    g.pop("writing", ExitStack()).close()


def _report_clock(response: Response) -> Response:
    """Report this machine's clock if the last reading of the database's clock showed it to be
    off.
    """
    broker = current_app.extensions["pulse"]
    if broker is not None:
        current_app.extensions["clock_note"].tell(broker, database().clock)
    return response


def arrival_time() -> datetime:
    """Return when the request's last byte came, by the database's clock, in UTC; raises the
    database's FAULTS.

    The clock is read once for each request, at the first call.
    """
    return arrival_of(request.environ, cast(Database, current_app.extensions["database"]))


def arrival_of(environ: dict[str, Any], site: Database) -> datetime:
    """Do as `arrival_time` for a request outside of Flask."""
    if SHOWN not in environ:
        environ[SHOWN] = clock.moment_of(site.now(), environ[clients.CAME])
    return cast(datetime, environ[SHOWN])


def settings() -> Settings:
    """Return the settings of this site."""
    return cast(Settings, current_app.extensions["settings"])


def invitation_caps() -> Caps:
    """Return the limits on invitations within a day."""
    return Caps(settings().invites_a_day, settings().invites_in_all)


def caps() -> Mapping[str, Caps]:
    """Return the limits on invitations as an argument of acts."""
    return {"caps": invitation_caps()}


def database() -> Database:
    """Return the site's database; the key of this request's session vouches for what its player
    asks.

    It knows the form that is answered, and the session that a sign-in replaces.
    """
    known, cookie = current_person(), session_token()
    site = cast(Database, current_app.extensions["database"]).knowing(
        **{FORM: _sent_form, sessions.BROWSER: cookie}
    )
    if known is None or not cookie:
        return site
    return signing.as_session(site, cookie, known.id, keyed=g.get("keyed", False))


def _sent_form() -> Form | None:
    """Return the form that is answered, with a name of its sender, its token, its address and all
    that it says; None without a token.
    """
    token = form_tokens.sent_token()
    if not token:
        return None
    fields = sorted(
        (name, value) for name, value in request.form.items(multi=True) if name != form_tokens.FIELD
    )
    files = sorted((name, _hash_of(file.stream)) for name, file in request.files.items(multi=True))
    content = json.dumps([current_person_id(), token, request.path, fields, files])
    return Form(hashlib.sha256(content.encode()).hexdigest(), arrival_time())


def _hash_of(file: IO[bytes]) -> str:
    """Return a hash of a file that was sent, which can be read again after it."""
    file.seek(0)
    found = hashlib.sha256(file.read()).hexdigest()
    file.seek(0)
    return found


def guest_token() -> str:
    """Return the session token of a guest whom the form that is answered makes, the same when it is
    sent again; "" for any.
    """
    token = form_tokens.sent_token()
    if not token:
        return ""
    made = hmac.digest(
        current_app.config["SECRET_KEY"].encode(), f"guest {token}".encode(), "sha256"
    )
    return urlsafe_b64encode(made).decode().rstrip("=")


def _client_address() -> IPv4Address | IPv6Address | None:
    """Return the client's address; None if the server knows none."""
    return clients.parse_address(request.remote_addr or "")


def client_network() -> str:
    """Return the network that rate limits count: the IPv4 address, or the /64 of an IPv6
    address.
    """
    return clients.network_of(_client_address())


def from_this_machine() -> bool:
    """Whether the client is on this machine and no proxy sent the request."""
    asking = _client_address()
    return (
        asking is not None
        and asking.is_loopback
        and not any(name in request.headers for name in clients.FORWARDED)
    )


def sees_mailbox() -> bool:
    """Whether the local mailbox may be shown: only to a browser on this machine, since the letters
    contain sign-in links.

    A proxy or tunnel on this machine also connects from loopback. Its headers, or another host
    name, give it away.
    """
    return (
        settings().mailbox_page
        and from_this_machine()
        and urlsplit(f"//{request.host}").hostname in THIS_MACHINE
    )


def current_person() -> Person | None:
    """Return the signed-in person, None for a visitor."""
    return cast("Person | None", g.get("person"))


def signed_in(page: str, **values: Any) -> Person:
    """Return the signed-in person; a visitor is led to sign in, and back to this page."""
    return current_person() or abort(
        redirect(url_for("accounts.sign_in", next=url_for(page, **values)), 303)
    )


def current_person_id() -> int | None:
    """Return the signed-in person's id, None for a visitor."""
    known = current_person()
    return known.id if known else None


def sender_id() -> int:
    """Return the signed-in person's id for a use case that refuses strangers, 0 for a visitor:
    nobody has this id.
    """
    return current_person_id() or 0


def viewer_zone() -> str:
    """Return the time zone of the signed-in person, UTC for a visitor."""
    known = current_person()
    return known.zone if known else "UTC"


def viewer_locale() -> str:
    """Return the CLDR locale that pages are written in for this viewer: English until there are
    translations to choose from.
    """
    return words.ENGLISH


def theme() -> str:
    """Return the colours that this browser chose on the account page: light, dark, or "" as the
    system says.
    """
    chosen = request.cookies.get(THEME, "")
    return chosen if chosen in THEMES else ""


def by_htmx() -> bool:
    """Whether htmx requests a fragment, not a browser a page."""
    return request.headers.get("HX-Request") == "true"


def local_path(path: str | None) -> str:
    """Return `path` if it is a path of this site, else `/`: no open redirects."""
    if (
        not path
        or len(path) > _LONGEST_PATH
        or not path.startswith("/")
        or path.startswith("//")
        or "\\" in path
        or not path.isprintable()
    ):
        return "/"
    return path


def return_path() -> str:
    """Return the path to open after sign-in: this page, or for a POST its match or tournament, else
    `/`.
    """
    if request.method in ("GET", "HEAD") and request.endpoint:
        return request.full_path.rstrip("?")
    arguments = request.view_args or {}
    if "tournament" in arguments:
        return url_for("tournaments.page", tournament=arguments["tournament"])
    return url_for("matches.match", uid=arguments["uid"]) if arguments.get("uid") else "/"


# --- the session's cookie


def _uses_https() -> bool:
    return bool(current_app.config["SESSION_COOKIE_SECURE"])


def cookie_name() -> str:
    """Return the name of the cookie that holds the session's token."""
    return cookie_name_of(current_app)


def cookie_name_of(app: Flask) -> str:
    """Do as `cookie_name` outside of Flask."""
    return "__Host-sealed" if app.config["SESSION_COOKIE_SECURE"] else "sealed"


def session_token() -> str:
    """Return the session token that the browser sent, "" if none."""
    return request.cookies.get(cookie_name(), "")


def session_mark(token: str) -> str:
    """Return what tells the session of this token from any other and is no secret; "" without
    one.
    """
    return hashlib.sha256(token.encode()).hexdigest()[:16] if token else ""


def sign_browser_in(response: Response, entry: NewSession) -> Response:
    """Sign the browser in. Its forms get another CSRF secret (`form_sessions`); a kept form and
    opened links stay.
    """
    lasts = int(SESSION_LASTS.total_seconds())
    response.set_cookie(
        cookie_name(),
        entry.token,
        max_age=lasts,
        httponly=True,
        samesite="Lax",
        secure=_uses_https(),
        path="/",
    )
    return response


def sign_browser_out(response: Response) -> Response:
    """Sign the browser out; it forgets the pages, drafts and service worker that it kept, and keeps
    the colours, which are a cookie.
    """
    flask.session.clear()
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    response.delete_cookie(
        cookie_name(), httponly=True, samesite="Lax", secure=_uses_https(), path="/"
    )
    return response
