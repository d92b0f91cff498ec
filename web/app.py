"""The application factory: makes the Flask app, installs its middleware and registers every
page.
"""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, current_app, request, url_for
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from adjudicator.platform.config import Settings
from adjudicator.platform.db import Database
from adjudicator.platform.queues import Wakeups
from adjudicator.service.base.public_keys import pinned
from adjudicator.service.checkpoints.peers import read_peers
from web import spoken, words
from web.compiled_templates import CompiledTemplates
from web.host import mailbox, monitoring, public_log, robots_and_keys
from web.http import (
    compression,
    error_pages,
    form_sessions,
    kept_pages,
    request_context,
    security,
    sight,
)
from web.http.middleware import DropClosed
from web.http.order_form import count_mendable, mend_orders
from web.http.page_rules import rules_of
from web.kept_answers import KeptAnswers
from web.live import changes
from web.matches import (
    gathering,
    history,
    links,
    masters,
    new_match,
    orders,
    pages,
    press,
    results,
    tenure,
    trials,
    votes,
)
from web.people import (
    absences,
    accounts,
    ladders,
    offered_seats,
    players,
    pushes,
    standby,
    stop_letters,
)
from web.site import archive, boards, finding, home, rules, sealing
from web.tournaments import directing, new_tournament, record
from web.tournaments import pages as tournament_pages

HERE = Path(__file__).parent
PAGES = (
    home,
    finding,
    boards,
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
    offered_seats,
    tenure,
    standby,
    players,
    pushes,
    ladders,
    tournament_pages,
    new_tournament,
    directing,
    record,
    stop_letters,
    rules,
    sealing,
    archive,
    mailbox,
    robots_and_keys,
    public_log,
    monitoring,
    changes,
)
STATIC_SECONDS = 365 * 24 * 3600  # addresses of static files contain a hash of their content


class NoWakeups:
    """Wakeups of a site without a broker: none is sent, and the workers' sweep finds the work."""

    def send(self, _task: str, *_arguments: int | str) -> bool:
        """Send nothing and return False, as for a lost wakeup."""
        return False


def create_app(settings: Settings) -> Flask:
    """Return the site for these settings; it opens no connection before the first request. Raises
    PeersError.
    """
    app = Flask(
        "web",
        root_path=str(HERE),
        template_folder=str(HERE.parent / "templates"),
        static_folder="static",
    )
    app.extensions["settings"] = settings
    app.extensions["wakeups"] = Wakeups(settings.redis_url) if settings.redis_url else NoWakeups()
    app.extensions["database"] = Database(
        settings.database_url, info=pinned(settings.key_fingerprint)
    ).waking(lambda *noted: app.extensions["wakeups"].send(*noted))
    app.extensions["peers"] = read_peers(
        settings.witnesses, settings.witness_for, on_this_machine=settings.local_site
    )
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = STATIC_SECONDS
    app.jinja_env.undefined = StrictUndefined
    # no template has its own; each import compares them, which takes long with Jinja's own mapping
    app.jinja_env.make_globals = lambda _: app.jinja_env.globals  # type: ignore[method-assign, assignment]
    app.jinja_env.bytecode_cache = CompiledTemplates(settings.data_dir)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    monitoring.install(app)
    security.install_hosts(app, settings)
    compression.install(app)
    form_sessions.install(app)
    app.wsgi_app = KeptAnswers(app, app.wsgi_app)  # type: ignore[method-assign]
    request_context.install(app)
    sight.install(app)
    kept_pages.install(app)
    words.install(app)
    error_pages.install(app)
    for page in PAGES:
        app.register_blueprint(page.bp)
    security.install(app, settings)
    app.jinja_env.globals.update(
        asset=_asset, url_for=_address, mend=mend_orders, mendable=count_mendable
    )
    app.jinja_env.globals.update(
        say_match=spoken.say_match, say_trial=spoken.say_trial, say_spelled=spoken.say_spelled
    )
    app.jinja_env.globals.update(
        board_address=boards.board_address, game_address=boards.game_address
    )
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]  # as Flask documents it
    app.wsgi_app = DropClosed(app.wsgi_app)  # type: ignore[method-assign]
    app.context_processor(
        lambda: {
            "viewer": request_context.current_person(),
            "theme": request_context.theme(),
            "here": request_context.return_path(),
            "site_url": settings.site_url.rstrip("/"),
            "local_mailbox": request_context.sees_mailbox(),
        }
    )
    return app


def _address(endpoint: str, **values: Any) -> str:
    """Return `url_for`, which takes longer, kept where neither the address nor that of the page it
    stands on is a secret.
    """
    views, places = current_app.view_functions, (endpoint, request.endpoint or "")
    if "_external" in values or any(rules_of(views.get(each)).secret_address for each in places):
        return url_for(endpoint, **values)
    return _known_address(request.script_root, endpoint, tuple(values.items()))


@lru_cache(maxsize=4096)
def _known_address(_root: str, endpoint: str, values: tuple[tuple[str, Any], ...]) -> str:
    return url_for(endpoint, **dict(values))


def _asset(name: str) -> str:
    return _asset_address(request.script_root, name)


@lru_cache(maxsize=256)
def _asset_address(_root: str, name: str) -> str:
    """Return the address of a static file, with a hash of its content, where the site has this
    root.
    """
    return url_for(
        "static",
        filename=name,
        v=hashlib.sha256((HERE / "static" / name).read_bytes()).hexdigest()[:12],
    )
