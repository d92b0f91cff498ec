"""The home page, and *Play now*: one click, no account."""

from dataclasses import fields

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform.db import ReadTx
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.views import game_info
from adjudicator.service.views.finding import home_lists, list_basis
from adjudicator.service.views.finding.home_lists import HomeLists
from adjudicator.service.views.finding.list_basis import Page
from web.http import kept_pages, request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("home", __name__)

FIRST_GAME = "pyramid"
QUICK_HOURS = 168  # only the player is waited for


@bp.get("/")
def home() -> Response:
    """Show a player's own matches, those that wait for the player first; without any, an
    introduction with a pictured match.
    """
    return kept_pages.send_page(list_basis.for_visitors(Page.HOME), _load, _lay)


def _load(session: ReadTx) -> HomeLists:
    return home_lists.read_home(
        session, request_context.current_person_id(), now=request_context.arrival_time()
    )


def _lay(found: HomeLists) -> str:
    example = "" if found.shown else game_info.pictures(FIRST_GAME).get("full_sweep", "")
    lists = {each.name: getattr(found, each.name) for each in fields(found)}
    answerable = request_context.settings().answerable
    return render_template(
        "web/home.html", example=example, answerable=answerable, games=game_info.games(), **lists
    )


@bp.post("/play", endpoint="play")
@PageRules(rate=Rate("20 per hour"))
def play_now() -> Response:
    """Make a match against house bots for the viewer; a visitor becomes a guest."""
    wish = _quick(request.form.get("game", FIRST_GAME))
    known, entry = request_context.current_person(), None
    if known is None:
        zone, token = request.form.get("zone", ""), request_context.guest_token()
        entry = sessions.enter_guest(
            request_context.database(), zone=zone, now=request_context.arrival_time(), token=token
        )
        known = entry.person
    uid = creation.make_match(
        request_context.database(), known.id, wish, now=request_context.arrival_time()
    )
    response = redirect(url_for("matches.match", uid=uid), 303)
    return request_context.sign_browser_in(response, entry) if entry else response


def _quick(game: str) -> Wish:
    """Return a game's quickest match: the fewest players, all but one house bots. Raises NotFound.

    If fewer players would play several powers each, all seats play: a Diplomacy player begins with
    three units.
    """
    about = game_info.about(game)
    fewest = min(about.seats)
    shared = about.plays(
        about.seats[fewest], {option.name: option.default for option in about.options}
    )
    players = max(about.seats) if any(len(own) > 1 for own in shared.values()) else fewest
    return Wish(
        game=game,
        name="",
        options=game_info.alone(about),
        every_hours=QUICK_HOURS,
        grace_minutes=0,
        open_seats=False,
        players=players,
        house=players - 1,
    )
