"""Pages for programs: the worker's public keys, whether the site is well, and what robots may read."""

from flask import Blueprint, jsonify
from werkzeug.wrappers import Response

from adjudicator.service import accounts, keys
from web import visit

bp = Blueprint("plain", __name__)

ROBOTS = "User-agent: *\nDisallow: /account\nDisallow: /sign-in\nDisallow: /invitations/\nDisallow: /mailbox\n"


@bp.get("/.well-known/sealed-keys.json")
def keys_file() -> Response:
    """Give the worker's public keys, and the fingerprint that stands in every letter."""
    with visit.database().reading() as session:
        public = keys.current(session)
    return jsonify(public.document | {"fingerprint": public.fingerprint})


@bp.get("/healthz")
def healthz() -> Response:
    """Say ok when the database can be read."""
    with visit.database().reading() as session:
        accounts.who(session, "", now=visit.arrived())
    return Response("ok\n", mimetype="text/plain")


@bp.get("/robots.txt")
def robots() -> Response:
    """Tell robots what is not for them."""
    return Response(ROBOTS, mimetype="text/plain")
