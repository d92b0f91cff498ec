"""The page of a match as one viewer may see it, with whatever was just answered on it."""

from dataclasses import dataclass

from flask import make_response, render_template
from werkzeug.wrappers import Response

from adjudicator.service import pages
from adjudicator.service.envelopes import Answer
from adjudicator.service.pages import Head, MatchPage
from adjudicator.service.readings import Shown
from web import visit
from web.typed import NOTHING, Typed


@dataclass(frozen=True)
class Said:
    """What was just answered, to be shown in the owed box."""

    answer: Answer | None = None
    shown: Shown | None = None  # the seat's own sealed orders
    sentence: str = ""  # why something was not done
    typed: Typed = NOTHING


SILENT = Said()


def look(uid: str) -> MatchPage:
    """Return a match as this viewer may see it; raises NotFound."""
    with visit.database().reading() as session:
        return pages.match_page(session, uid, visit.person_id())


def seen(page: MatchPage) -> str:
    """Return the word for how far a match is that `progress` of the service would give."""
    taken = sum(1 for seat in page.card.seats if seat.player)
    return f"{page.card.status}.{len(page.phases)}.{taken}.{len(page.notes)}"


def far(uid: str) -> str:
    """Return a word for how far a match is by now; it changes when there is news. Raises NotFound."""
    with visit.database().reading() as session:
        return pages.progress(session, uid)


def head(uid: str) -> Head:
    """Return what the tabs of a match show beside their own; raises NotFound."""
    with visit.database().reading() as session:
        return pages.match_head(session, uid, visit.person_id())


def lay(page: MatchPage, said: Said = SILENT, *, status: int = 200) -> Response:
    """Render a match, or its owed box alone where the page's script asked for that."""
    name = "web/_answered.html" if visit.by_htmx() and said is not SILENT else "web/match.html"
    return make_response(render_template(name, page=page, tab="match", said=said, seen=seen(page)), status)
