"""Pages for programs: the worker's public keys, robots.txt and the favicon."""

from flask import Blueprint, current_app, jsonify
from werkzeug.wrappers import Response

from adjudicator.service.base import public_keys
from web.http import request_context

bp = Blueprint("plain", __name__)

DAY_SECONDS = 86_400

NOT_FOR_ROBOTS = ("/account", "/sign-in", "/invitations/", "/mailbox", "/metrics", "/games/", "/matches/*/try")
ROBOTS = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in NOT_FOR_ROBOTS)


@bp.get("/.well-known/sealed-keys.json")
def keys_file() -> Response:
    """Return the worker's public keys, and the fingerprint that every letter contains."""
    with request_context.database().read_tx() as session:
        public = public_keys.current_keys(session)
    return jsonify(public.document | {"fingerprint": public.fingerprint})


@bp.get("/favicon.ico")
def favicon() -> Response:
    """Return the icon for clients that do not read a page first: feed readers, old browsers, bookmarks."""
    response = current_app.send_static_file("favicon.ico")
    response.headers["Cache-Control"] = f"public, max-age={DAY_SECONDS}"
    return response


@bp.get("/robots.txt")
def robots() -> Response:
    """Return the paths that robots shall not read."""
    return Response(ROBOTS, mimetype="text/plain")
