"""Where people find matches: *Watch*, *Play* and the search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from adjudicator.platform.db import ReadTx
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.shown import OPEN_SEATS, read_steps
from adjudicator.service.views import game_info
from adjudicator.service.views.finding import list_basis, search, watching
from adjudicator.service.views.finding.list_basis import Page
from adjudicator.service.views.finding.search import SearchResults
from adjudicator.service.views.finding.watching import Listing, MatchFilter
from adjudicator.service.views.match_list import Card, looking_matches
from web.http import kept_pages, request_context

bp = Blueprint("finding", __name__)

PACE_WORDS = {
    "live": "under 2 hours a phase",
    "quick": "2 to 23 hours a phase",
    "daily": "a day or two",
    "slow": "two days or longer",
}
RATED_WORDS = {"yes": "rated", "no": "not rated"}
ASK_WORDS = {"nothing": "open to everybody", "something": "asking for reliability"}
_FIELDS = ("game", "pace", "rated", "asks")


def _asked() -> tuple[dict[str, str], MatchFilter, str]:
    """Return the fields of the address, what they ask for, and the sentence on the first that is
    wrong.
    """
    given = {name: request.args.get(name, "") for name in (*_FIELDS, "after")}
    try:
        return given, watching.read_wanted(given), ""
    except Refused as fault:
        return given, MatchFilter(), str(fault)


@dataclass(frozen=True)
class _Page:
    """What a page of a list shows."""

    found: Listing = field(default_factory=lambda: Listing((), {}))
    steps: Mapping[str, str] = field(default_factory=dict)
    looking: Sequence[Card] = ()  # matches with a seat to take over


@bp.get("/watch", endpoint="watch")
def watch() -> Response:
    """List the public matches that run, or with `?ended` those that are over, by game."""
    given, wanted, fault = _asked()
    over, now = "ended" in request.args, request_context.arrival_time()

    def load(session: ReadTx) -> _Page:
        found = watching.watch_matches(session, "ended" if over else "running", wanted, now=now)
        return _Page(
            found, {} if over else read_steps(session, [card.uid for card in found.cards], now)
        )

    def lay(page: _Page) -> str:
        values = {"given": given, "fault": fault, "over": over, "games": game_info.games()}
        return render_template("web/watch.html", found=page.found, steps=page.steps, **values)

    return _send(Page.WATCH, load, lay, fault=fault)


@bp.get("/play", endpoint="play")
def play() -> Response:
    """List the matches that anybody may join, by game, pace and what they ask; on the first page
    also seats to take over.
    """
    given, wanted, fault = _asked()
    viewer, now = request_context.current_person_id(), request_context.arrival_time()

    def load(session: ReadTx) -> _Page:
        found = watching.open_seats(session, viewer, wanted, now=now)
        looking = [] if any(given.values()) else looking_matches(session, viewer)
        return _Page(
            found,
            read_steps(
                session, [OPEN_SEATS, *(card.uid for card in (*found.cards, *looking))], now
            ),
            looking,
        )

    def lay(page: _Page) -> str:
        values = {
            "given": given,
            "fault": fault,
            "looking": page.looking,
            "games": game_info.games(),
        }
        kept = {name: given[name] for name in _FIELDS if given[name]}
        words = {"pace": PACE_WORDS, "rated": RATED_WORDS, "asks": ASK_WORDS}
        return render_template(
            "web/play.html", found=page.found, steps=page.steps, words=words, kept=kept, **values
        )

    return _send(Page.PLAY, load, lay, fault=fault)


def _send(
    page: Page, load: Callable[[ReadTx], _Page], lay: Callable[[_Page], str], *, fault: str
) -> Response:
    """Send a page of a list, a visitor's from those that are kept; with a fault in its address an
    empty one.
    """
    if fault:
        return make_response(lay(_Page()), 400)

    return kept_pages.send_page(list_basis.for_visitors(page), load, lay)


@bp.get("/search", endpoint="search")
def find() -> tuple[str, int]:
    """Search the names of public matches, of players who show a page, and of tournaments."""
    found, fault, words = SearchResults(), "", request.args.get("q", "")
    try:
        words = search.read_query(words)
        if words:
            with request_context.database().read_tx() as session:
                found = search.find_all(session, words, now=request_context.arrival_time())
    except Refused as refused:
        fault = str(refused)
    return render_template("web/search.html", words=words, found=found, fault=fault), (
        400 if fault else 200
    )
