"""The application factory: makes the Flask app, installs its middleware and registers every page."""

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, url_for
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from adjudicator.platform.config import Settings
from adjudicator.platform.db import Database
from adjudicator.platform.wakeups import Wakeups
from web import words
from web.host import mailbox, monitoring, robots_and_keys
from web.http import compression, error_pages, request_context, security, sight
from web.http.dropped_requests import DropClosed
from web.http.order_form import count_mendable, mend_orders
from web.matches import gathering, history, links, masters, new_match, orders, pages, press, results, tenure, trials, votes
from web.people import absences, accounts, invitations, ladders, offers, players, standby, stop_letters
from web.site import archive, home, rules
from web.tournaments import directing, new_tournament, record
from web.tournaments import pages as tournament_pages

HERE = Path(__file__).parent
PAGES = (
    home,
    accounts,
    absences,
    new_match,
    pages,
    gathering,
    masters,
    orders,
    history,
    results,
    press,
    trials,
    votes,
    links,
    invitations,
    tenure,
    offers,
    standby,
    players,
    ladders,
    tournament_pages,
    new_tournament,
    directing,
    record,
    stop_letters,
    rules,
    archive,
    mailbox,
    robots_and_keys,
    monitoring,
)
STATIC_SECONDS = 365 * 24 * 3600  # addresses of static files contain a hash of their content


class NoWakeups:
    """Wakeups of a site without a broker: none is sent, and the workers' sweep finds the work."""

    def send(self, _task: str, *_arguments: int | str) -> bool:
        """Send nothing and return False, as for a lost wakeup."""
        return False


def create_app(settings: Settings) -> Flask:
    """Return the site for these settings; it opens no connection before the first request."""
    app = Flask("web", root_path=str(HERE), template_folder=str(HERE.parent / "templates"), static_folder="static")
    app.extensions["settings"] = settings
    app.extensions["database"] = Database(settings.database_url)
    app.extensions["wakeups"] = Wakeups(settings.redis_url) if settings.redis_url else NoWakeups()
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = STATIC_SECONDS
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    monitoring.install(app)
    compression.install(app)
    request_context.install(app)
    sight.install(app)
    words.install(app)
    error_pages.install(app)
    for page in PAGES:
        app.register_blueprint(page.bp)
    security.install(app, settings)
    app.jinja_env.globals.update(asset=_asset, mend=mend_orders, mendable=count_mendable)
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]  # as Flask documents it
    app.wsgi_app = DropClosed(app.wsgi_app)  # type: ignore[method-assign]
    app.context_processor(
        lambda: {
            "viewer": request_context.current_person(),
            "here": request_context.return_path(),
            "site_url": settings.site_url.rstrip("/"),
            "local_mailbox": request_context.sees_mailbox(),
        }
    )
    return app


def _asset(name: str) -> str:
    return url_for("static", filename=name, v=_content_hash(name))


@cache
def _content_hash(name: str) -> str:
    return hashlib.sha256((HERE / "static" / name).read_bytes()).hexdigest()[:12]
