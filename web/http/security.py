"""Protection of the site: CSRF tokens, rate limits and security headers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request
from flask_limiter import Limiter
from limits.storage import RedisStorage
from werkzeug.exceptions import SecurityError

from adjudicator.platform.config import THIS_MACHINE, Settings
from adjudicator.platform.networks import MOST_BYTES
from adjudicator.service.base.errors import Busy
from adjudicator.service.people.sessions import SESSION_LASTS
from web.http import form_tokens, request_context

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'"
    " data:; connect-src 'self'{stream}; form-action 'self'; frame-src 'self'; manifest-src 'self';"
    " frame-ancestors 'none'; base-uri 'none'"
)
# files whose names hold their version; other static files have a hash of their content (`v`)
NAMED_BY_VERSION = "/static/fonts/"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SECRET_ADDRESSES = {  # the address is a secret, or the page contains such addresses
    "accounts.link",
    "accounts.enter",
    "invitations.invitation",
    "invitations.accept",
    "invitations.decline",
    "links.watch",
    "links.seat",
    "links.take",
    "letters.stop",
    "letters.stopped",
    "letters.never",
    "letters.never_again",
    "mailbox.mailbox",
    "mailbox.letter",
    "mailbox.html",
    "mailbox.send",
    "mailbox.answer",
}
# no CSRF token: the address is the secret and mail programs post to it; other logs post signed
# notes
WITHOUT_FORM = {
    "letters.stopped",
    "letters.never_again",
    "public_log.add_checkpoint",
}
SECRET_HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "private, no-store"}
TRANSPORT = "max-age=31536000"
MOST_ORDER_BYTES = 64 * 1024  # of one with orders, so that they come within seconds by any line
ORDERS = {"orders.hand_in", "orders.say"}


@dataclass(frozen=True)
class Rate:
    """How often one visitor may use an endpoint, counted by network, with `by_person` by the
    signed-in person.
    """

    often: str
    by_person: bool = False
    # whether one takes up to seconds, so that only few threads may work on such at a time
    heavy: bool = False


RATES = {
    "boards.board": Rate("300 per minute"),  # twelve pages of lists; each picture is drawn anew
    "history.animation": Rate("60 per hour", heavy=True),
    # the whole log and, of an ended match, the transcript
    "history.log": Rate("60 per minute", heavy=True),
    "history.transcript": Rate("60 per minute", heavy=True),
    "history.saved_game": Rate("60 per minute", heavy=True),
    "home.play": Rate("20 per hour"),
    "accounts.ask": Rate("20 per hour"),
    "accounts.add_address": Rate("20 per hour"),
    "accounts.enter": Rate("60 per hour"),
    "accounts.change": Rate("60 per hour", by_person=True),
    "accounts.data": Rate("20 per hour", by_person=True, heavy=True),
    "accounts.try_again": Rate("10 per hour", by_person=True),
    "pushes.add": Rate("20 per hour", by_person=True),
    "pushes.remove": Rate("60 per hour", by_person=True),
    "making.make": Rate("30 per hour", by_person=True),
    "matches.take": Rate("60 per hour", by_person=True),
    "matches.leave": Rate("60 per hour", by_person=True),
    "matches.invite": Rate("30 per hour", by_person=True),
    "matches.fill": Rate("60 per hour", by_person=True),
    "making_tournaments.make": Rate("30 per hour", by_person=True),
    "tournaments.enter": Rate("60 per hour", by_person=True),
    "tournaments.leave": Rate("60 per hour", by_person=True),
    "tournament_results.record": Rate("60 per minute", heavy=True),  # the largest takes a second
    "gathering.again": Rate("20 per hour", by_person=True),
    "gathering.queue": Rate("60 per hour", by_person=True),
    "gathering.confirm": Rate("60 per hour", by_person=True),
    "gathering.renew": Rate("60 per hour", by_person=True),
    "masters.pause": Rate("30 per hour", by_person=True),
    "masters.resume": Rate("30 per hour", by_person=True),
    "masters.deadline": Rate("30 per hour", by_person=True),
    "masters.close": Rate("30 per hour", by_person=True),
    "masters.end": Rate("30 per hour", by_person=True),
    "masters.warn": Rate("30 per hour", by_person=True),
    "masters.replace": Rate("30 per hour", by_person=True),
    "masters.excuse": Rate("30 per hour", by_person=True),
    "votes.propose": Rate("30 per hour", by_person=True),
    "votes.vote": Rate("60 per hour", by_person=True),
    "votes.concede": Rate("30 per hour", by_person=True),
    "tenure.resign": Rate("30 per hour", by_person=True),
    "tenure.back": Rate("30 per hour", by_person=True),
    "tenure.substitute": Rate("20 per hour", by_person=True),
    "tenure.take": Rate("30 per hour", by_person=True),
    # a large round has a few hundred tables
    "directing.decide": Rate("600 per hour", by_person=True),
    "links.take": Rate("60 per hour", by_person=True),
    "links.change": Rate("60 per hour", by_person=True),
    "links.publish": Rate("60 per hour", by_person=True),
    "invitations.accept": Rate("60 per hour"),
    "invitations.decline": Rate("60 per hour"),
    "rules.orders": Rate("60 per minute"),
    "press.read": Rate("120 per minute", by_person=True),
    "public_log.tiles": Rate("600 per minute"),
    "public_log.add_checkpoint": Rate("60 per minute"),
    "mailbox.send": Rate("60 per minute"),
    "mailbox.answer": Rate("60 per minute"),
    "orders.hand_in": Rate("60 per minute", by_person=True),
    "orders.say": Rate("60 per minute", by_person=True),
    "orders.show": Rate("60 per minute", by_person=True),
    "trials.of_phase": Rate("60 per minute", by_person=True),
    "trials.try_phase": Rate("60 per minute", by_person=True),
    "trials.of_game": Rate("60 per minute", by_person=True),
    "trials.try_game": Rate("60 per minute", by_person=True),
}

OTHER_FORMS = Rate("120 per hour", by_person=True)  # every form that RATES does not name


def stream_origin(settings: Settings) -> str | None:
    """Return the origin of the live stream: "" for the site's own, where a proxy leads /live to it;
    None where there is no stream.

    Without a proxy it is LIVE_PORT of the host in SITE_URL; a site of https has one in front,
    whatever the settings say.
    """
    if settings.trusted_proxies or settings.site_url.startswith("https:"):
        return ""
    if not settings.live_port:
        return None
    host = urlsplit(settings.site_url).hostname or ""
    bracketed = f"[{host}]" if ":" in host else host
    return f"http://{bracketed}:{settings.live_port}"


def content_policy(settings: Settings) -> str:
    """Return the policy of this site's pages; they may connect to the live stream too."""
    return CONTENT_POLICY.format(stream=f" {origin}" if (origin := stream_origin(settings)) else "")


def install_hosts(app: Flask, settings: Settings) -> None:
    """Refuse requests to other host names, and orders that are too long; called first, so that such
    a request costs no query.
    """
    app.config["SITE_HOSTS"] = frozenset(
        {urlsplit(settings.site_url).hostname or "", *THIS_MACHINE}
    )
    app.before_request(_refuse_other_hosts)
    app.before_request(_limit_orders)


def install(app: Flask, settings: Settings) -> None:
    """Install the protection; called once, after every page is registered."""
    headers = HEADERS | {"Content-Security-Policy": content_policy(settings)}
    https = settings.site_url.startswith("https:")
    app.config.update(
        SECRET_KEY=settings.session_secret(),
        MAX_CONTENT_LENGTH=MOST_BYTES,
        MAX_FORM_MEMORY_SIZE=MOST_BYTES,
        SESSION_COOKIE_NAME="__Host-sealed-forms" if https else "sealed-forms",
        SESSION_COOKIE_SECURE=https,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=SESSION_LASTS,
        WTF_CSRF_TIME_LIMIT=None,  # players think about orders for days
        WTF_CSRF_SSL_STRICT=False,  # pages with a secret in their address send no referrer
    )
    _limit_heavy(app, max(1, settings.web_threads // 4))
    _limit(app, settings.redis_url)
    forms = form_tokens.install(app)
    for endpoint in WITHOUT_FORM:
        forms.exempt(app.view_functions[endpoint])

    @app.after_request
    def _protect(response: Response) -> Response:
        secret = SECRET_HEADERS if request.endpoint in SECRET_ADDRESSES else {}
        for name, value in (headers | secret).items():
            response.headers.setdefault(name, value)
        if https:
            response.headers["Strict-Transport-Security"] = TRANSPORT
        if request.endpoint != "static":
            response.headers.setdefault(
                "Cache-Control",
                "private, no-store" if request_context.current_person() else "private, no-cache",
            )
        elif "v" in request.args or request.path.startswith(NAMED_BY_VERSION):
            response.cache_control.immutable = True
        return response


def _refuse_other_hosts() -> None:
    """Raise SecurityError for a request to another host name; Flask's own TRUSTED_HOSTS knows no
    IPv6 address.
    """
    if urlsplit(f"//{request.host}").hostname not in current_app.config["SITE_HOSTS"]:
        raise SecurityError(f"Host {request.host!r} is not a name of this site.")


class _Broker(RedisStorage):
    """Where limits are counted; the library's own class also imports the client of Valkey."""

    STORAGE_SCHEME = ["redis", "rediss", "redis+unix"]  # noqa: RUF012 as in the library
    DEPENDENCIES = {"redis": RedisStorage.DEPENDENCIES["redis"]}  # noqa: RUF012


def _limit_heavy(app: Flask, places: int) -> None:
    """Let so many threads at most work on heavy pages at a time, all such pages together."""
    free = BoundedSemaphore(places)
    for endpoint in (name for name, rate in RATES.items() if rate.heavy):
        app.view_functions[endpoint] = _in_a_place(free, app.view_functions[endpoint])


def _in_a_place(free: BoundedSemaphore, view: Callable[..., Any]) -> Callable[..., Any]:
    """Return a view that needs a free place. It raises Busy at once where there is none: whoever
    waited would hold a thread.
    """

    @wraps(view)
    def placed(**named: Any) -> Any:
        if not free.acquire(blocking=False):
            raise Busy(
                "Several files that take long are being made just now. Try again in a few seconds."
            )
        try:
            return view(**named)
        finally:
            free.release()

    return placed


def _limit_orders() -> None:
    if request.endpoint in ORDERS:
        request.max_content_length = MOST_ORDER_BYTES


def rates_of(app: Flask) -> dict[str, Rate]:
    """Return how often each endpoint may be used: those of RATES, and all others that take a
    form.
    """
    forms = {
        rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())
    } - WITHOUT_FORM
    return dict.fromkeys(sorted(forms), OTHER_FORMS) | RATES


def _limit(app: Flask, redis_url: str) -> None:
    limiter = Limiter(
        request_context.client_network,
        app=app,
        storage_uri=redis_url or "memory://",
        storage_options={"socket_connect_timeout": 1, "socket_timeout": 1} if redis_url else {},
        strategy="moving-window",
        in_memory_fallback_enabled=True,
        key_prefix="sealed-web",
    )
    rates = rates_of(app)
    # spares them the search for limits
    limiter.request_filter(lambda: request.endpoint not in rates)
    for endpoint, rate in rates.items():
        key = _person_or_address if rate.by_person else request_context.client_network
        view: Callable[..., Any] = app.view_functions[endpoint]
        app.view_functions[endpoint] = limiter.limit(rate.often, key_func=key)(view)


def _person_or_address() -> str:
    known = request_context.current_person_id()
    return f"person {known}" if known is not None else request_context.client_network()
