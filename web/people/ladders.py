"""The ladders: the best players of each game, among those who show a page of themselves."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.ratings import ladders as ratings
from adjudicator.service.views import game_info
from web.http import request_context

bp = Blueprint("ladders", __name__)


@bp.get("/ladder")
def ladders() -> Response:
    """Go to the ladder of the game that is offered first."""
    return redirect(url_for("ladders.ladder", game=game_info.games()[0].key))


@bp.get("/ladder/<game>")
def ladder(game: str) -> str:
    """Show a page of a game's ladder. Raises NotFound."""
    number = request.args.get("page", "1")
    with request_context.database().read_tx() as session:
        shown = ratings.read_ladder(
            session,
            game,
            int(number) if number.isdecimal() and number.isascii() and len(number) < 7 else 0,
        )
    return render_template("web/ladder.html", shown=shown, games=game_info.games())
