"""Seats of running matches that change hands: the page of the viewer's seat, resigning, coming
back, taking over, substitutes.
"""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import NotAllowed, NotFound, Refused
from adjudicator.service.handover import leaving, substitutes, takeovers
from web.act_forms import ActForm, add_forms, texts
from web.http import request_context
from web.http.error_pages import status_of
from web.http.page_rules import PageRules, Rate
from web.matches import match_page

bp = Blueprint("tenure", __name__)

_SURE = "Tick the box if you mean it; nothing was done."


@bp.get("/matches/<uid>/your-seat", endpoint="seat")
def your_seat(uid: str) -> Response:
    """Show what the viewer can do with the own seat."""
    return _page(uid, {})


def _page(uid: str, errors: dict[str, str], *, asked: str = "", status: int = 200) -> Response:
    sent = {name: request.form.get(name, "") for name in ("address", "until")}
    context = {"errors": errors, "sent": sent, "asked": asked}
    return make_response(
        render_template("web/your_seat.html", page=match_page.load_head(uid), tab="", **context),
        status,
    )


@bp.post("/matches/<uid>/your-seat/leave", endpoint="resign")
@PageRules(rate=Rate("30 per hour", by_person=True))
def resign(uid: str) -> Response:
    """Leave the viewer's seat for good, once the box is ticked."""
    if "sure" not in request.form:
        return _page(uid, {"sure": _SURE}, status=400)
    leaving.resign(
        request_context.database(),
        uid,
        request_context.sender_id(),
        now=request_context.arrival_time(),
    )
    return _changed(uid)


@bp.post("/matches/<uid>/your-seat/substitute", endpoint="substitute")
@PageRules(rate=Rate("20 per hour", by_person=True))
def name_substitute(uid: str) -> Response:
    """Ask somebody by letter to play the viewer's seat for a span; errors are shown beside their
    fields.
    """
    known = request_context.current_person()
    if known is None:
        raise NotAllowed(
            "You are not signed in any more. Sign in again and come back to this match."
        )
    try:
        until = substitutes.read_until(request.form.get("until", ""), known.zone)
        now, address = request_context.arrival_time(), request.form.get("address", "")
        asked = substitutes.ask_substitute(
            request_context.database(), uid, known.id, address, until, now=now
        )
    except (NotAllowed, NotFound):
        raise
    except Refused as refused:
        return _page(uid, {refused.field or "address": str(refused)}, status=status_of(refused))
    return _page(uid, {}, asked=asked)


def _changed(uid: str) -> Response:
    return redirect(url_for("matches.match", uid=uid), 303)


add_forms(
    bp,
    "matches.match",
    ActForm("your-seat/back", leaving.come_back, endpoint="back"),
    ActForm("take", takeovers.take_seat, texts(seat="seat"), signs_in=True),
)
