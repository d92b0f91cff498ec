"""The page that a player shows of their matches."""

from flask import Blueprint, render_template

from adjudicator.service.views.records import player_record
from web.http import request_context

bp = Blueprint("players", __name__)


@bp.get("/players/<token>")
def player(token: str) -> str:
    """Show the matches of a player who shows them, their results and the player's reliability. Raises NotFound."""
    with request_context.database().read_tx() as session:
        shown = player_record.read_player(session, token)
    return render_template("web/player.html", shown=shown)
