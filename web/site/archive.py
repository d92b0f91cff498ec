"""The archive: a page that searches ended public matches, a random classic, and statistics by game
with plots.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.core.game import AnyGame
from adjudicator.platform import entropy
from adjudicator.platform.words import display_seat
from adjudicator.service.archive import tallies
from adjudicator.service.archive.entries import LOTS, RESULTS
from adjudicator.service.archive.tallies import Statistics
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.views import game_info
from adjudicator.service.views.records import archive_search
from adjudicator.service.views.records.archive_search import FoundPage, seats_of_game
from web.http import request_context
from web.http.page_rules import PageRules
from web.site import plots
from web.site.plots import Bar

bp = Blueprint("archive", __name__)

NO_CLASSIC = "No match of people has reached a result here yet, so there is no classic to open."
FIELDS = (
    "game",
    "player",
    "tournament",
    "opening",
    "least",
    "most",
    "result",
    "winner",
    "with",
    "order",
)
RESULT_WORDS = dict(
    zip(RESULTS, ("won by one alone", "shared", "stopped before its end"), strict=True)
)


@bp.get("/archive")
@PageRules(no_cookie=True)
def archive() -> tuple[str, int] | str:
    """Show the search and a page of what it finds; a field that cannot be read is told beside
    it.
    """
    return _show_archive({name: request.args.get(name, "") for name in (*FIELDS, "after")})


def _show_archive(given: Mapping[str, str], *, notice: str = "") -> tuple[str, int] | str:
    """Return the archive's page for what is looked for, with a sentence above it; a random classic
    is offered where there is one.
    """
    found, errors, classic = FoundPage((), ""), {}, False
    try:
        search = archive_search.read_search(given)
        with request_context.database().read_tx() as session:
            found = archive_search.find_matches(session, search)
            classic = archive_search.find_random(session, 0, search.game) is not None
    except Refused as fault:
        errors[fault.field] = str(fault)
    kept = {name: text for name in FIELDS if (text := given[name].strip())}
    values = {
        "found": found,
        "given": given,
        "errors": errors,
        "kept": kept,
        "games": game_info.games(),
        "asked": bool(kept),
    }
    values |= {"classic": classic, "notice": notice}
    page = render_template(
        "web/archive.html",
        **values,
        orders=archive_search.ORDERS,
        results=RESULT_WORDS,
        tokens=False,
    )
    return (page, 400) if errors else page


@bp.get("/archive/random")
@PageRules(no_cookie=True)
def random() -> Response:
    """Open a match of people that reached a result, any of them; the archive, with a sentence,
    while there is none. Raises NotFound.
    """
    lot = int.from_bytes(entropy.token_bytes(4)) % LOTS
    game = game_info.about(request.args["game"]).key if request.args.get("game") else ""
    with request_context.database().read_tx() as session:
        uid = archive_search.find_random(session, lot, game)
    given = {**dict.fromkeys((*FIELDS, "after"), ""), "game": game}
    response = (
        redirect(url_for("matches.match", uid=uid))
        if uid
        else make_response(_show_archive(given, notice=NO_CLASSIC))
    )
    response.headers["Cache-Control"] = "no-store"
    return response


# --- statistics

_FORM = 2  # of the statistics' pages: raised where the same figures give another page


@bp.get("/archive/statistics/<key>")
@PageRules(no_cookie=True)
def statistics(key: str) -> Response:
    """Show the figures of one game, as plots and as tables; 304 where no match has ended since.
    Raises NotFound.
    """
    game = game_info.known(key)

    def lay(session: Any) -> str:
        figures = tallies.read_statistics(session, key, seats_of_game(game))
        return render_template(
            "web/statistics.html", told=figures, **_around(game), **_plots(figures)
        )

    return _unless_known(key, lay)


@bp.get("/archive/statistics/<key>/openings/<seat>")
@bp.get("/archive/statistics/<key>/openings/<seat>/<opening>")
@PageRules(no_cookie=True)
def openings(key: str, seat: str, opening: str = "") -> Response:
    """Show the openings of a seat, or what followed one of them, with counts and results. Raises
    NotFound.
    """
    game = game_info.known(key)
    if not game.about.centres or seat not in seats_of_game(game):
        raise NotFound("There are no openings at this address.")

    def lay(session: Any) -> str:
        begun = tallies.find_opening(session, key, seat, opening) if opening else None
        if opening and begun is None:
            raise NotFound("Nobody has given these first orders.")
        known = tallies.read_openings(session, key, seat, opening)
        return render_template(
            "web/openings.html", seat=seat, begun=begun, known=known, **_around(game)
        )

    return _unless_known(key, lay)


def _around(game: AnyGame) -> dict[str, object]:
    return {
        "about": game.about,
        "games": game_info.games(),
        "seats": seats_of_game(game),
        "results": RESULT_WORDS,
        "tokens": False,
    }


def _plots(figures: Statistics) -> dict[str, object]:
    """Return the plots of a game's statistics, None for one that would be empty."""
    bars = [
        Bar(display_seat(seat), each.percent(each.won), each.percent(each.shared))
        for seat, each in figures.seats.items()
    ]
    centres = {display_seat(power): means for power, means in figures.centres.items()}
    return {
        "of_seats": plots.draw_bars("Results by seat", bars) if figures.matches else None,
        "of_lengths": (
            plots.draw_columns(
                "Matches by length in phases",
                {str(at): count for at, count in figures.lengths.items()},
            )
            if figures.lengths
            else None
        ),
        "of_centres": (
            plots.draw_lines("Mean supply centres at the end of each year", centres)
            if len(figures.years_of_game()) > 1
            else None
        ),
    }


def _unless_known(key: str, lay: Callable[[Any], str]) -> Response:
    """Return a page of statistics, 304 to a visitor who has it already: it changes only as a match
    is counted.
    """
    with request_context.database().read_tx() as session:
        tag = f"{_FORM}-{request_context.viewer_locale()}-{tallies.count_matches(session, key)}"
        visitor = not request_context.session_token()
        known = visitor and request.if_none_match.contains_weak(tag)
        response = Response(status=304) if known else make_response(lay(session))
    if visitor:
        response.set_etag(tag, weak=True)
        response.headers["Cache-Control"] = "private, no-cache"
    return response
