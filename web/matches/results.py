"""The record of a match for other programs, and the JSON Schema of it; both may be read from pages
of other sites.
"""

import json

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.views import export
from adjudicator.service.views.records import match_record
from adjudicator.service.views.records.match_record import Found
from web.http import open_data, request_context
from web.http.page_rules import PageRules

bp = Blueprint("results", __name__)

SCHEMA = "match-1.json"


@bp.get("/matches/<uid>.json")
@PageRules(no_cookie=True)
def record(uid: str) -> Response:
    """Return the record of a match as everybody may see it, 304 where it has not changed since."""
    with request_context.database().read_tx() as session:
        found = match_record.find_match(session, uid)
        unchanged = request.if_none_match.contains_weak(found.tag)
        plain = None if unchanged else match_record.read_record(session, found)
    if plain is None:
        response = Response(status=304)
    else:
        document = {
            "schema": open_data.absolute(url_for("results.schema")),
            **plain,
            "links": _links(found),
        }
        response = Response(
            json.dumps(document, indent=1, ensure_ascii=False) + "\n", mimetype="application/json"
        )
    response.set_etag(found.tag)
    if not found.match.private:
        response.headers.update(open_data.ANY_SITE)
    keeps = "private" if found.match.private else open_data.who_keeps()
    response.headers["Cache-Control"] = f"{keeps}, no-cache"
    return response


def _links(found: Found) -> dict[str, str | None]:
    """Return the addresses of a match's page and files, None for a file that does not exist."""
    uid = found.match.uid
    saved = found.begun and export.is_savable(found.match.game)
    return {
        "page": open_data.absolute(url_for("matches.match", uid=uid)),
        "transcript": (
            open_data.absolute(url_for("history.transcript", uid=uid)) if found.replayable else None
        ),
        "saved": open_data.absolute(url_for("history.saved_game", uid=uid)) if saved else None,
    }


@bp.get(f"/schemas/{SCHEMA}")
@PageRules(same_for_all=True, impersonal=True)
def schema() -> Response:
    """Return the JSON Schema of these records."""
    return open_data.send_schema(SCHEMA)
