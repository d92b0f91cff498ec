"""The page of a match as one viewer may see it, with the result of an action just taken."""

from dataclasses import dataclass

from flask import make_response, render_template
from werkzeug.wrappers import Response

from adjudicator.platform.db import ReadTx
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.orders.disclosure import Shown
from adjudicator.service.views import match_page, news, votes
from adjudicator.service.views.match_page import Head, MatchPage, Story
from adjudicator.service.views.news import MatchNews
from adjudicator.service.views.table import page_basis
from adjudicator.service.views.votes import Voting
from web.http import request_context
from web.http.kept_pages import ReadBasis
from web.http.order_form import NOTHING, Typed


@dataclass(frozen=True)
class Missed:
    """Orders for a phase that is no longer open."""

    phase: str  # its name
    orders: str


@dataclass(frozen=True)
class WhichOrders:
    """Orders of a form whose page did not know of those that were sealed since: which of both shall
    count?
    """

    sentence: str
    shown: Shown | None  # what is sealed, disclosed
    trouble: str  # why that cannot be shown


@dataclass(frozen=True)
class ActionResult:
    """The result of an action, shown in the box of the orders owed."""

    answer: Acknowledgement | None = None
    shown: Shown | None = None  # the seat's own sealed orders, disclosed
    sentence: str = ""  # why something was not done
    typed: Typed = NOTHING
    missed: Missed | None = None
    question: WhichOrders | None = None


NO_RESULT = ActionResult()


@dataclass(frozen=True)
class Snapshot:
    """A match as this viewer may see it, and the news mark of the same read transaction."""

    page: MatchPage
    mark: str
    voting: Voting


def load_page(uid: str) -> Snapshot:
    """Return a match as this viewer may see it; raises NotFound."""
    with request_context.database().read_tx() as session:
        return read_page(session, uid)


def read_page(session: ReadTx, uid: str) -> Snapshot:
    """Do as `load_page` in the caller's transaction."""
    viewer, now = request_context.current_person_id(), request_context.arrival_time()
    page = match_page.match_page(session, uid, viewer, now=now)
    voting = votes.votes_of(session, uid, viewer, zone=request_context.viewer_zone(), now=now)
    return Snapshot(page, str(news.of_match(session, uid, viewer, now=now).mark), voting)


def basis_of(uid: str) -> ReadBasis:
    """Return the function that reads what the pages of a match depend on."""
    return lambda session, viewer, now: page_basis.read_basis(session, uid, viewer, now=now)


def load_news(uid: str) -> MatchNews:
    """Return this viewer's news of a match; raises NotFound."""
    now = request_context.arrival_time()
    with request_context.database().read_tx() as session:
        return news.of_match(session, uid, request_context.current_person_id(), now=now)


def load_head(uid: str) -> Head:
    """Return what every tab of a match shows; raises NotFound."""
    now = request_context.arrival_time()
    with request_context.database().read_tx() as session:
        return match_page.match_head(session, uid, request_context.current_person_id(), now=now)


def load_phase(uid: str, number: int) -> tuple[Head, Story | None]:
    """Return what every tab shows, and one phase's story, None while it is open; raises
    NotFound.
    """
    now = request_context.arrival_time()
    with request_context.database().read_tx() as session:
        return match_page.phase_page(
            session, uid, number, request_context.current_person_id(), now=now
        )


def render_page(seen: Snapshot, said: ActionResult = NO_RESULT, *, status: int = 200) -> Response:
    """Render the page of a match. Its script replaces the whole page, so all its parts show the
    same moment.
    """
    return make_response(lay_page(seen, said), status)


def lay_page(seen: Snapshot, said: ActionResult = NO_RESULT) -> str:
    """Return the page of a match as HTML."""
    return render_template(
        "web/match.html", page=seen.page, mark=seen.mark, voting=seen.voting, tab="match", said=said
    )
