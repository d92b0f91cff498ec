"""The page that a player shows of their matches."""

from flask import Blueprint, render_template

from adjudicator.service.views.records import player_record
from web.http import request_context
from web.people.rating_plot import HEIGHT, WIDTH, draw_plot

bp = Blueprint("players", __name__)


@bp.get("/players/<token>")
def player(token: str) -> str:
    """Show the matches of a player who shows them, their results and the player's reliability.
    Raises NotFound.
    """
    with request_context.database().read_tx() as session:
        shown = player_record.read_player(session, token)
    plots = {each.rating.game: draw_plot(each.matches) for each in shown.ratings}
    return render_template("web/player.html", shown=shown, plots=plots, width=WIDTH, height=HEIGHT)
