"""Where pages ask how far matches are, and where they may listen for it. Both answers are the same
for every viewer of a match.
"""

import hashlib

from flask import Blueprint, jsonify, request
from werkzeug.wrappers import Response

from adjudicator.service.base.shown import is_list, read_steps
from web.http import request_context, security, sight
from web.http.page_rules import PageRules
from web.live import tickets

bp = Blueprint("live", __name__)

PATH = "/live"  # of the stream


@bp.get("/changes")
@PageRules(no_cookie=True)
def changes() -> Response:
    """Return the step of each match and list that `?of` names and the viewer may see; 304 if none
    has moved since the ETag.
    """
    uids = _uids_in_sight()
    with request_context.database().read_tx() as session:
        steps = read_steps(session, uids, request_context.arrival_time())
    response = jsonify(steps)
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:16])
    return response.make_conditional(request)


@bp.get("/changes/stream")
@PageRules(no_cookie=True)
def stream() -> Response:
    """Return the address at which the viewer's page hears of what `?of` names; 204 where there is
    no stream for it.
    """
    uids = _uids_in_sight()
    settings = request_context.settings()
    origin = security.stream_origin(settings)
    if origin is None or not uids:
        return Response(status=204)
    ticket = tickets.sign_ticket(
        settings.session_secret(), sorted(uids), request_context.arrival_time()
    )
    return jsonify(address=f"{origin}{PATH}?ticket={ticket}")


def _uids_in_sight() -> list[str]:
    """Return the public names of what `?of` names and the viewer may see; everybody may see the
    lists.
    """
    names = tickets.read_uids(request.args.get("of", ""))
    return [
        *filter(is_list, names),
        *sight.visible_uids([name for name in names if not is_list(name)]),
    ]


@bp.get(PATH)
@PageRules(no_cookie=True)
def no_stream() -> Response:
    """Answer 204, by which browsers give up, where the proxy in front leads the stream's address to
    the site.
    """
    return Response(status=204)
