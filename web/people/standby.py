"""Standing by for seats of running matches, and the pages that letters about them link to."""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.handover import standbys
from adjudicator.service.views import game_info
from web.http import request_context, sight

bp = Blueprint("standby", __name__)


@bp.get("/standby", endpoint="list")
def list_standbys() -> Response:
    """Show what the viewer stands by for."""
    known = request_context.signed_in("standby.list")
    with request_context.database().read_tx() as session:
        found = standbys.list_standbys(session, known.id)
    listed = [game_info.about(game).title if game else name for game, name in found]
    return make_response(
        render_template("web/standby.html", listed=listed, games=game_info.games())
    )


@bp.post("/standby", endpoint="join")
def stand_by() -> Response:
    """Put the viewer on the list of a game or of a match."""
    known = request_context.signed_in("standby.list")
    game = game_info.named(request.form.get("game", "")) or None
    uid = request.form.get("match") or None
    if uid is not None:
        sight.require_sight(uid)
    if game or uid:
        standbys.stand_by(
            request_context.database(),
            known.id,
            now=request_context.arrival_time(),
            game=game,
            uid=None if game else uid,
        )
    return redirect(url_for("standby.list"), 303)


@bp.post("/standby/off", endpoint="off")
def stand_down() -> Response:
    """Take the viewer off all lists."""
    standbys.stand_down(request_context.database(), request_context.sender_id())
    return redirect(url_for("standby.list"), 303)
