"""The file of a tournament for other programs and for `sealed replay`, and its JSON Schema."""

import json

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.views.records import tournament_record
from web.http import open_data, request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("tournament_results", __name__)

SCHEMA = "tournament-1.json"


@bp.get("/tournaments/<tournament>.json")
@PageRules(rate=Rate("60 per minute", heavy=True), no_cookie=True)
def record(tournament: str) -> Response:
    """Return the file of a tournament, the same for everybody; 304 where it has not changed
    since.
    """
    with request_context.database().read_tx() as session:
        tag = tournament_record.read_tag(session, tournament)
        unchanged = request.if_none_match.contains_weak(tag)
        plain = None if unchanged else tournament_record.read_tournament(session, tournament)
    if plain is None:
        response = Response(status=304)
    else:
        links = {"page": open_data.absolute(url_for("tournaments.page", tournament=tournament))}
        document = {
            "schema": open_data.absolute(url_for("tournament_results.schema")),
            **plain,
            "links": links,
        }
        response = Response(
            json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n",
            mimetype="application/json",
        )
    response.set_etag(tag)
    response.headers.update(open_data.ANY_SITE)
    response.headers["Cache-Control"] = f"{open_data.who_keeps()}, no-cache"
    return response


@bp.get(f"/schemas/{SCHEMA}")
@PageRules(same_for_all=True)
def schema() -> Response:
    """Return the JSON Schema of these files."""
    return open_data.send_schema(SCHEMA)
