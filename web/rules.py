"""The rules of each game, with pictures and the syntax of its orders."""

from flask import Blueprint, render_template
from jinja2 import TemplateNotFound

from adjudicator.service import guides
from adjudicator.service.errors import NotFound

bp = Blueprint("rules", __name__)


@bp.get("/rules")
def games() -> str:
    """List the games."""
    return render_template("web/games.html", games=guides.games())


@bp.get("/rules/<key>")
def rules(key: str) -> str:
    """Tell the rules of one game."""
    about = guides.about(key)
    try:
        return render_template("web/rules.html", about=about, pictures=guides.pictures(key), article=f"web/rules/{about.key}.html")
    except TemplateNotFound as missing:
        raise NotFound(f"The rules of {about.title} are not written down here yet.") from missing
