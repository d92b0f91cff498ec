"""The page of a match as one viewer may see it, with whatever was just answered on it."""

from dataclasses import dataclass

from flask import make_response, render_template
from werkzeug.wrappers import Response

from adjudicator.service import news as latest
from adjudicator.service import pages
from adjudicator.service.envelopes import Answer
from adjudicator.service.news import News
from adjudicator.service.pages import Head, MatchPage
from adjudicator.service.readings import Shown
from web import visit
from web.typed import NOTHING, Typed


@dataclass(frozen=True)
class Missed:
    """Orders that were meant for a phase which is not open any more."""

    phase: str  # its name
    orders: str


@dataclass(frozen=True)
class Said:
    """What was just answered, to be shown in the owed box."""

    answer: Answer | None = None
    shown: Shown | None = None  # the seat's own sealed orders
    sentence: str = ""  # why something was not done
    typed: Typed = NOTHING
    missed: Missed | None = None


SILENT = Said()


@dataclass(frozen=True)
class Seen:
    """A match as this viewer may see it, and the mark of the same moment: later news are told against it."""

    page: MatchPage
    mark: str


def look(uid: str) -> Seen:
    """Return a match as this viewer may see it; raises NotFound."""
    with visit.database().reading() as session:
        page = pages.match_page(session, uid, visit.person_id())
        return Seen(page, str(latest.of_match(session, uid, visit.person_id()).mark))


def news(uid: str) -> News:
    """Return this viewer's news of a match; raises NotFound."""
    with visit.database().reading() as session:
        return latest.of_match(session, uid, visit.person_id())


def head(uid: str) -> Head:
    """Return what the tabs of a match show beside their own; raises NotFound."""
    with visit.database().reading() as session:
        return pages.match_head(session, uid, visit.person_id())


def lay(seen: Seen, said: Said = SILENT, *, status: int = 200) -> Response:
    """Render the page of a match. Its script takes all of it: head, board, story and form tell of one moment."""
    return make_response(render_template("web/match.html", page=seen.page, mark=seen.mark, tab="match", said=said), status)
