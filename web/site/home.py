"""The home page, and *Play now*: one click, no account."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform import wakeups
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.views import game_info, match_list, match_page
from web.http import request_context

bp = Blueprint("home", __name__)

FIRST_GAME = "pyramid"
QUICK_HOURS = 168  # only the player is waited for


@bp.get("/")
def home() -> str:
    """Show a player's own matches; without any, an introduction with a pictured match."""
    known, now = request_context.current_person(), request_context.arrival_time()
    with request_context.database().read_tx() as session:
        mine = match_list.match_cards(session, known.id, now=now) if known else []
        free = match_list.open_matches(session, request_context.current_person_id())
        looking = match_list.looking_matches(session, request_context.current_person_id())
        pictured = None if mine else match_list.pictured(session)
        recent = [] if mine else [card for card in match_list.recent_matches(session, now=now) if card.uid != pictured]
        shown = match_page.match_page(session, pictured, None, now=now) if pictured else None
    lists = {"mine": mine, "free": free, "looking": looking, "recent": recent, "games": game_info.games()}
    answerable = request_context.settings().answerable
    return render_template("web/home.html", shown=shown, example=_example(shown is None), answerable=answerable, **lists)


def _example(needed: bool) -> str:
    """Return an example picture if there is no match to show."""
    return game_info.pictures(FIRST_GAME).get("full_sweep", "") if needed else ""


@bp.post("/play", endpoint="play")
def play_now() -> Response:
    """Make a match against house bots for the viewer; a visitor becomes a guest."""
    wish = _quick(request.form.get("game", FIRST_GAME))
    known, entry = request_context.current_person(), None
    if known is None:
        entry = sessions.enter_guest(request_context.database(), zone=request.form.get("zone", ""), now=request_context.arrival_time())
        known = entry.person
    uid = creation.make_match(request_context.database(), known.id, wish, now=request_context.arrival_time())
    request_context.send_wakeup(wakeups.PREPARE, uid)
    response = redirect(url_for("matches.match", uid=uid), 303)
    return request_context.sign_browser_in(response, entry) if entry else response


def _quick(game: str) -> Wish:
    """Return a game's quickest match: the fewest players, all but one house bots. Raises NotFound.

    If fewer players would play several powers each, all seats play: a Diplomacy player begins with three units.
    """
    about = game_info.about(game)
    fewest = min(about.seats)
    shared = about.plays(about.seats[fewest], {option.name: option.default for option in about.options})
    players = max(about.seats) if any(len(own) > 1 for own in shared.values()) else fewest
    return Wish(
        game=game, name="", options=game_info.alone(about), every_hours=QUICK_HOURS, grace_minutes=0, open_seats=False,
        players=players, house=players - 1,
    )  # fmt: skip
