"""The public log for programs: checkpoints and tiles (C2SP tlog-tiles), and cosignatures for other
logs (tlog-witness).
"""

from flask import Blueprint, abort, current_app, request
from werkzeug.wrappers import Response

from adjudicator.platform import clock
from adjudicator.seal import notes
from adjudicator.seal.checkpoints import TilePath
from adjudicator.seal.notes import NoteError
from adjudicator.service.checkpoints import reading, witnessing
from adjudicator.service.checkpoints.peers import Peers
from adjudicator.service.checkpoints.witnessing import Answer
from web.http import request_context
from web.http.open_data import ANY_SITE
from web.http.page_rules import PageRules, Rate

bp = Blueprint("public_log", __name__)

NUMBER = "<int(min=2, max=9999):number>"  # of a log that began after a restore
# a full tile never changes, nor does the beginning of one
IMMUTABLE = "public, max-age=31536000, immutable"
CHECKPOINT_SECONDS = 5
WAIT_SECONDS, LOOK_SECONDS = 5.0, 0.05  # for the worker's answer to another log


@bp.get("/log/checkpoint", defaults={"number": 1})
@bp.get(f"/log/{NUMBER}/checkpoint")
@PageRules(same_for_all=True)
def checkpoint(number: int) -> Response:
    """Return the newest checkpoint of a log with its cosignatures."""
    with request_context.database().read_tx() as session:
        newest = reading.newest_checkpoint(session, number)
    if newest is None:
        abort(404)
    response = Response(newest.note, mimetype="text/plain")
    response.headers.update(ANY_SITE)
    response.headers["Cache-Control"] = f"public, max-age={CHECKPOINT_SECONDS}"
    return response


@bp.get("/log/tile/<path:tile>", defaults={"number": 1})
@bp.get(f"/log/{NUMBER}/tile/<path:tile>")
@PageRules(rate=Rate("600 per minute"), same_for_all=True)
def tiles(number: int, tile: str) -> Response:
    """Return a tile's hashes, or an entry bundle; 404 for one that the tree does not have yet."""
    try:
        path = TilePath.read(tile)
    except NoteError:
        abort(404)
    with request_context.database().read_tx() as session:
        found = reading.published_tile(session, number, path)
    if found is None:
        abort(404)
    response = Response(found, mimetype="application/octet-stream")
    response.headers.update(ANY_SITE)
    response.headers["Cache-Control"] = IMMUTABLE
    return response


@bp.post("/witness/add-checkpoint")
@PageRules(rate=Rate("60 per minute"), no_token=True, same_for_all=True)
def add_checkpoint() -> Response:
    """Have the worker judge another log's checkpoint, and return its cosignature or why there is
    none.
    """
    if (request.content_length or 0) > notes.MOST_BYTES:
        return _answered(Answer(413, f"A request has at most {notes.MOST_BYTES} bytes.\n"))
    database, now = request_context.database(), request_context.arrival_time()
    cosigned = witnessing.request_cosignature(database, _peers(), request.get_data(), now=now)
    if isinstance(cosigned, Answer):
        return _answered(cosigned)
    end = clock.monotonic() + WAIT_SECONDS
    while clock.monotonic() < end:
        answer = witnessing.fetch_answer(database, cosigned)
        if answer is not None:
            return _answered(answer)
        clock.sleep(LOOK_SECONDS)
    return _answered(
        Answer(503, "This witness did not answer in time; nothing is lost, try again later.\n")
    )


def _answered(answer: Answer) -> Response:
    response = Response(answer.body, status=answer.status, content_type=answer.kind)
    response.headers["Cache-Control"] = "no-store"
    if answer.status == 503:
        response.headers["Retry-After"] = "60"
    return response


def _peers() -> Peers:
    peers = current_app.extensions["peers"]
    assert isinstance(peers, Peers)  # noqa: S101 create_app put it there
    return peers
