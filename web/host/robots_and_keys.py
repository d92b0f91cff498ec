"""Pages for programs: the worker's public keys, the program that checks matches, robots.txt and the
favicon.
"""

from pathlib import Path

from flask import Blueprint, current_app, jsonify, send_file
from werkzeug.wrappers import Response

from adjudicator.service.base import public_keys
from adjudicator.service.checkpoints.reading import described, growing_log
from web.http import request_context
from web.http.page_rules import PageRules

bp = Blueprint("plain", __name__)

DAY_SECONDS = 86_400
# beside the rooms, in the wheel and the image as well
VERIFIER = Path(__file__).parents[2] / "verify_match.py"

NOT_FOR_ROBOTS = (
    "/account",
    "/sign-in",
    "/invitations/",
    "/mailbox",
    "/metrics",
    "/games/",
    "/matches/*/try",
)
ROBOTS = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in NOT_FOR_ROBOTS)


@bp.get("/.well-known/sealed-keys.json")
@PageRules(same_for_all=True, impersonal=True)
def keys_file() -> Response:
    """Return the worker's public keys, the fingerprint that every letter contains, those before,
    and the public log's keys.
    """
    with request_context.database().read_tx() as session:
        public = public_keys.current_keys(session)
        log = growing_log(session)
        rows = public_keys.list_keys(session)
    former = {
        "former_keys": [
            public_keys.described(row) for row in rows if row.fingerprint != public.fingerprint
        ],
        "changes": [vars(change) for change in public_keys.list_changes(rows)],
    }
    own = described(log) if log else None
    return jsonify(
        public.document | {"fingerprint": public.fingerprint, "public_log": own} | former
    )


@bp.get("/verify_match.py")
@PageRules(same_for_all=True, impersonal=True)
def verifier() -> Response:
    """Return the program that checks a match without this service, for people who have no copy of
    it from elsewhere.
    """
    return send_file(VERIFIER, mimetype="text/x-python", as_attachment=True)


@bp.get("/favicon.ico")
@PageRules(same_for_all=True)
def favicon() -> Response:
    """Return the icon for clients that do not read a page first: feed readers, old browsers,
    bookmarks.
    """
    response = current_app.send_static_file("favicon.ico")
    response.headers["Cache-Control"] = f"public, max-age={DAY_SECONDS}"
    return response


@bp.get("/robots.txt")
@PageRules(same_for_all=True)
def robots() -> Response:
    """Return the paths that robots shall not read."""
    return Response(ROBOTS, mimetype="text/plain")
