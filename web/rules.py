"""The rules of each game, with pictures and the syntax of its orders, in each language they are told in."""

from flask import Blueprint, render_template, url_for
from jinja2 import TemplateNotFound

from adjudicator.game import About
from adjudicator.service import guides
from adjudicator.service.errors import NotFound

bp = Blueprint("rules", __name__)


@bp.get("/rules")
def games() -> str:
    """List the games."""
    listed = [(about, next(iter(guides.pictures(about.key).values()), "")) for about in guides.games()]
    return render_template("web/games.html", games=listed)


@bp.get("/rules/<key>")
@bp.get("/rules/<key>/<language>")
def rules(key: str, language: str = "") -> str:
    """Tell the rules of one game, in its first language unless another is asked for."""
    about = guides.about(key)
    language = language or about.languages[0]
    told = {"about": about, "pictures": guides.pictures(key), "article": f"web/rules/{guides.article(key, language)}.html"}
    try:
        return render_template("web/rules.html", language=language, other_language=_other(about, language), **told)
    except TemplateNotFound as missing:
        raise NotFound(f"The rules of {about.title} are not written down here yet.") from missing


def _other(about: About, language: str) -> str:
    """Return the address of the same rules in another language, "" where there is none."""
    other = next((each for each in about.languages if each != language), "")
    if other == about.languages[0]:
        return url_for("rules.rules", key=about.key)
    return url_for("rules.rules", key=about.key, language=other) if other else ""
