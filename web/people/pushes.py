"""Push messages and the home screen: both are off until a player turns them on, on the account page
of the browser that is meant.
"""

from flask import Blueprint, current_app, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.people import pushes
from adjudicator.service.people.pushes import BrowserGiven
from web.http import request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("pushes", __name__)


@bp.get("/manifest.webmanifest")
@PageRules(same_for_all=True)
def manifest() -> Response:
    """Return what a device needs to keep the site on its home screen."""
    icons = [
        _icon("seal.svg", "any", "image/svg+xml"),
        _icon("seal-192.png", "192x192"),
        _icon("seal-512.png", "512x512"),
    ]
    values = {
        "name": "Sealed Orders",
        "short_name": "Sealed Orders",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
    }
    response = jsonify(
        values | {"background_color": "#FAF7F0", "theme_color": "#FAF7F0", "icons": icons}
    )
    response.mimetype = "application/manifest+json"
    return response


def _icon(name: str, sizes: str, kind: str = "image/png") -> dict[str, str]:
    return {"src": url_for("static", filename=name), "sizes": sizes, "type": kind}


@bp.get("/service-worker.js")
@PageRules(same_for_all=True)
def service_worker() -> Response:
    """Return the script that shows push messages. It keeps no page and answers no request."""
    response = current_app.send_static_file("service-worker.js")
    response.headers["Cache-Control"] = "no-cache"
    return response


@bp.post("/account/push", endpoint="add")
@PageRules(rate=Rate("20 per hour", by_person=True))
def add_browser() -> Response:
    """Tell the viewer on this browser from now on."""
    given = BrowserGiven(*(request.form.get(name, "") for name in ("address", "public", "secret")))
    pushes.add_browser(
        request_context.database(), _player(), given, now=request_context.arrival_time()
    )
    return redirect(url_for("accounts.account", _anchor="push"), 303)


@bp.post("/account/push/off", endpoint="remove")
@PageRules(rate=Rate("60 per hour", by_person=True))
def remove_browsers() -> Response:
    """Tell the viewer no longer on this browser, without an address on any."""
    pushes.remove_browsers(
        request_context.database(), _player(), request.form.get("address") or None
    )
    return redirect(url_for("accounts.account", _anchor="push"), 303)


def _player() -> int:
    known = request_context.current_person_id()
    if known is None:
        raise NotAllowed("Sign in first; nothing was changed.")
    return known
