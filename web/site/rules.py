"""The rules of each game with pictures and order syntax, in each language they are written in."""

from collections.abc import Callable
from functools import cache, partial

from flask import Blueprint, current_app, make_response, render_template, request, url_for
from jinja2 import TemplateNotFound
from werkzeug.wrappers import Response

from adjudicator.core.game import About
from adjudicator.service.base.errors import NotFound
from adjudicator.service.views import game_info
from web.http import request_context

bp = Blueprint("rules", __name__)

KEPT_SECONDS = 300  # for which browsers and proxies may cache these pages
KEPT = "rules.kept"  # app extension: the pages rendered for visitors, by path and mailbox link


@cache
def _pictures(key: str) -> dict[str, str]:
    return game_info.pictures(key)


@bp.get("/rules")
def games() -> Response:
    """List the games."""
    return _same_for_all(_games)


def _games() -> str:
    listed = [(about, next(iter(_pictures(about.key).values()), "")) for about in game_info.games()]
    return render_template("web/games.html", games=listed, tokens=False)


@bp.get("/rules/<key>")
@bp.get("/rules/<key>/<language>")
def rules(key: str, language: str = "") -> Response:
    """Show the rules of one game, by default in its first language."""
    return _same_for_all(partial(_rules, key, language))


def _rules(key: str, language: str) -> str:
    about = game_info.about(key)
    language = language or about.languages[0]
    told = {"about": about, "pictures": _pictures(key), "article": f"web/rules/{game_info.article(key, language)}.html"}
    try:
        return render_template("web/rules.html", language=language, other_language=_other(about, language), tokens=False, **told)
    except TemplateNotFound as missing:
        raise NotFound(f"The rules of {about.title} are not written down here yet.") from missing


def _other(about: About, language: str) -> str:
    """Return the address of the same rules in another language, "" if there is none."""
    other = next((each for each in about.languages if each != language), "")
    if other == about.languages[0]:
        return url_for("rules.rules", key=about.key)
    return url_for("rules.rules", key=about.key, language=other) if other else ""


def _same_for_all(lay: Callable[[], str]) -> Response:
    """Return a page that is the same for every visitor: rendered once, then cached. A player's page contains the name, so it is not."""
    if request_context.session_token() or request.query_string:
        return make_response(lay())
    kept: dict[tuple[str, bool], str] = current_app.extensions.setdefault(KEPT, {})
    differs = request.path, request_context.sees_mailbox()
    if differs not in kept:
        kept[differs] = lay()
    response = make_response(kept[differs])
    response.headers["Cache-Control"] = f"{'private' if request_context.settings().mailbox_page else 'public'}, max-age={KEPT_SECONDS}"
    response.vary.add("Cookie")
    response.add_etag()
    return response.make_conditional(request)
