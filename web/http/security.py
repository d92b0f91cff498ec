"""Protection of the site: CSRF tokens, rate limits and security headers."""

from collections.abc import Callable
from functools import wraps
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request
from flask_limiter import Limiter
from limits.storage import RedisStorage
from werkzeug.exceptions import SecurityError

from adjudicator.platform.config import THIS_MACHINE, Settings
from adjudicator.platform.net.clients import MOST_BYTES
from adjudicator.service.base.errors import Busy
from adjudicator.service.people.sessions import SESSION_LASTS
from web.http import form_tokens, request_context
from web.http.page_rules import Rate, current_rules, rules_of

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
SECRET_HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "private, no-store"}
TRANSPORT = "max-age=31536000"


OTHER_FORMS = Rate("120 per hour", by_person=True)  # every form that declares no rate


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
    for view in app.view_functions.values():
        if rules_of(view).no_token:
            forms.exempt(view)

    @app.after_request
    def _protect(response: Response) -> Response:
        secret = SECRET_HEADERS if current_rules().secret_address else {}
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
    for endpoint, rate in rates_of(app).items():
        if rate.heavy:
            app.view_functions[endpoint] = _in_a_place(free, app.view_functions[endpoint])


def _in_a_place(free: BoundedSemaphore, view: Callable[..., Any]) -> Callable[..., Any]:
    """Return a view that needs a free place. It raises Busy at once where there is none: whoever
    waited would hold a thread.
    """

    @wraps(view)
    def placed(**arguments: Any) -> Any:
        if not free.acquire(blocking=False):
            raise Busy(
                "Several files that take long are being made just now. Try again in a few seconds."
            )
        try:
            return view(**arguments)
        finally:
            free.release()

    return placed


def _limit_orders() -> None:
    if (most := current_rules().most_bytes) is not None:
        request.max_content_length = most


def rates_of(app: Flask) -> dict[str, Rate]:
    """Return how often each endpoint may be used: as it declares, else as every form."""
    forms = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    rates = {}
    for endpoint, view in sorted(app.view_functions.items()):
        rules = rules_of(view)
        usual = OTHER_FORMS if endpoint in forms and not rules.no_token else None
        if rate := rules.rate or usual:
            rates[endpoint] = rate
    return rates


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
