"""Secret links of a match: the page of a link to a free seat, the way to a private match, and the
master's buttons for both.
"""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import Refused
from adjudicator.service.starting import links, privacy
from adjudicator.service.views import game_info
from web.act_forms import OFTEN, ActForm, add_forms
from web.http import request_context, sight
from web.http.page_rules import PageRules, Rate

bp = Blueprint("links", __name__)


@bp.get("/watch/<token>", endpoint="watch")
@PageRules(secret_address=True)
def watch_match(token: str) -> Response:
    """Remember the link in this browser's cookie and redirect to its match; the address of that
    page holds no secret.
    """
    with request_context.database().read_tx() as session:
        uid = links.watched(session, token)
    sight.remember_link(token)
    return redirect(url_for("matches.match", uid=uid), 303)


@bp.get("/seats/<token>", endpoint="seat")
@PageRules(secret_address=True)
def free_seat(token: str) -> Response:
    """Show the match of a link to a free seat, with a button; a GET takes nothing."""
    with request_context.database().read_tx() as session:
        offered = links.free_seat(session, token, request_context.current_person_id())
    sight.remember_link(token)
    return make_response(
        render_template(
            "web/free_seat.html",
            offered=offered,
            token=token,
            game=game_info.about(offered.game_key),
        )
    )


@bp.post("/seats/<token>", endpoint="take")
@PageRules(rate=Rate("60 per hour", by_person=True), secret_address=True)
def take_seat(token: str) -> Response:
    """Take a free seat by its link, or wait for one; a visitor signs in first."""
    known = request_context.current_person()
    if known is None:
        return redirect(url_for("accounts.sign_in", next=url_for("links.seat", token=token)), 303)
    act = links.queue_by_link if "queue" in request.form else links.join_by_link
    uid, _ = act(request_context.database(), token, known.id, now=request_context.arrival_time())
    return redirect(url_for("matches.match", uid=uid), 303)


@bp.post("/matches/<uid>/links", endpoint="change")
@PageRules(rate=Rate("60 per hour", by_person=True))
def change_link(uid: str) -> Response:
    """Make, renew or switch off a link; for the master only."""
    kind = next((each for each in links.KINDS if each == request.form.get("link")), None)
    if kind is None:
        raise Refused("This form does not say which link it is about: open the page again.")
    who, off = request_context.sender_id(), "off" in request.form
    links.change_link(
        request_context.database(), uid, who, kind, off=off, now=request_context.arrival_time()
    )
    return redirect(url_for("matches.about", uid=uid) + "#links", 303)


add_forms(bp, "matches.about", ActForm("publish", privacy.publish_match, rate=OFTEN))
