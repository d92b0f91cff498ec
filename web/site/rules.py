"""The rules of each game with pictures and order syntax, in each language they are written in."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from flask import Blueprint, current_app, make_response, render_template, request, url_for
from jinja2 import TemplateNotFound
from markupsafe import Markup
from werkzeug.wrappers import Response

from adjudicator.core.game import About
from adjudicator.play.submission import TooLong
from adjudicator.service.base.errors import NotFound
from adjudicator.service.tournaments.making import list_choices
from adjudicator.service.views import game_info, trials
from web.http import request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("rules", __name__)

LONGEST_TRY = 2_000  # characters of orders that are read at once, in an address
KEPT_SECONDS = 300  # for which browsers and proxies may cache these pages
KEPT = "rules.kept"  # app extension: the pages rendered for visitors, by path and mailbox link


_HEADING = re.compile(r"<h(?P<level>[23])(?P<attributes>[^>]*)>(?P<inside>.*?)</h[23]>", re.DOTALL)
_ID = re.compile(r'\bid="([^"]*)"')


@dataclass(frozen=True)
class Heading:
    """A heading of an article, as its table of contents names it."""

    level: int  # 2 or 3
    id: str
    title: str


def outline(article: str) -> tuple[str, tuple[Heading, ...]]:
    """Return an article whose second and third headings have ids, and these headings in order."""
    found: list[Heading] = []
    taken = set(_ID.findall(article))

    def name(match: re.Match[str]) -> str:
        title = " ".join(Markup(match["inside"]).striptags().split())  # noqa: S704 our own article
        slug = "-".join(re.findall(r"\w+", title.lower()))
        given = _ID.search(match["attributes"])
        chosen = given[1] if given else f"{slug}-{len(found)}" if slug in taken else slug
        taken.add(chosen)
        found.append(Heading(int(match["level"]), chosen, title))
        return (
            match[0]
            if given
            else (
                f"<h{match['level']}"
                f' id="{chosen}"{match["attributes"]}>{match["inside"]}</h{match["level"]}>'
            )
        )

    return _HEADING.sub(name, article), tuple(found)


@cache
def _pictures(key: str) -> dict[str, str]:
    return game_info.pictures(key)


@bp.get("/rules")
@PageRules(no_cookie=True, impersonal=True)
def games() -> Response:
    """List the games."""
    return _same_for_all(_games)


def _games() -> str:
    listed = [(about, next(iter(_pictures(about.key).values()), "")) for about in game_info.games()]
    return render_template("web/games.html", games=listed, tokens=False)


@bp.get("/rules/<key>")
@bp.get("/rules/<key>/<language>")
@PageRules(no_cookie=True, impersonal=True)
def rules(key: str, language: str = "") -> Response:
    """Show the rules of one game, by default in its first language."""
    return _same_for_all(partial(_rules, key, language))


def _rules(key: str, language: str) -> str:
    about = game_info.about(key)
    language = language or about.languages[0]
    values = {
        "about": about,
        "language": language,
        "pictures": _pictures(key),
        "other_language": _other(about, language),
        "tournaments": list_choices(about),
        "make_tournament": url_for("making_tournaments.new", game=key),
    }
    try:
        article, contents = outline(
            render_template(f"web/rules/{game_info.article(key, language)}.html", **values)
        )
    except TemplateNotFound as missing:
        raise NotFound(f"The rules of {about.title} are not written down here yet.") from missing
    tried = {"spelled": trials.spell_orders(key, "", ""), "typed": "", "sentence": ""}
    return render_template(
        "web/rules.html", body=article, contents=contents, tokens=False, **tried, **values
    )


@bp.get("/rules/<key>/orders")
@PageRules(rate=Rate("60 per minute"), no_cookie=True)
def orders(key: str) -> Response:
    """Show what the parser of a game answers to a text; for the page's script without the page
    around it. Nothing is stored.
    """
    about, typed, sentence = game_info.about(key), request.args.get("text", ""), ""
    try:
        spelled = trials.spell_orders(key, request.args.get("seat", ""), typed[: LONGEST_TRY + 1])
        if len(typed) > LONGEST_TRY:
            raise TooLong(f"Try {LONGEST_TRY:,} characters at once, or fewer.")
    except TooLong as refused:
        spelled, sentence = trials.spell_orders(key, "", ""), str(refused)
    page = "web/_spelled.html" if "part" in request.args else "web/spelling.html"
    shown = render_template(
        page,
        about=about,
        spelled=spelled,
        typed=typed[:LONGEST_TRY],
        sentence=sentence,
        tokens=False,
    )
    return make_response(shown, 400 if sentence else 200, {"X-Robots-Tag": "noindex"})


def _other(about: About, language: str) -> str:
    """Return the address of the same rules in another language, "" if there is none."""
    other = next((each for each in about.languages if each != language), "")
    if other == about.languages[0]:
        return url_for("rules.rules", key=about.key)
    return url_for("rules.rules", key=about.key, language=other) if other else ""


def _same_for_all(lay: Callable[[], str]) -> Response:
    """Return a page that is the same for every visitor: rendered once, then cached. A player's page
    contains the name, so it is not.
    """
    if request_context.session_token() or request.query_string:
        return make_response(lay())
    kept: dict[tuple[str, bool, str, str], str] = current_app.extensions.setdefault(KEPT, {})
    differs = (
        request.path,
        request_context.sees_mailbox(),
        request_context.theme(),
        request_context.viewer_locale(),
    )
    if differs not in kept:
        kept[differs] = lay()
    response = make_response(kept[differs])
    keeps = "private" if request_context.settings().mailbox_page else "public"
    response.headers["Cache-Control"] = f"{keeps}, max-age={KEPT_SECONDS}"
    response.vary.add("Cookie")
    response.add_etag()
    return response.make_conditional(request)
