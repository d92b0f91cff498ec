"""Invitations: the page that a letter links to, accepting and declining."""

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from adjudicator.service.matches import seats
from adjudicator.service.views import game_info
from web.http import request_context, sight
from web.http.page_rules import PageRules, Rate
from web.people import seat_taken

bp = Blueprint("invitations", __name__)


@bp.get("/invitations/<token>")
@PageRules(secret_address=True)
def invitation(token: str) -> Response:
    """Show an invitation with two buttons; a GET changes nothing."""
    with request_context.database().read_tx() as session:
        invited = seats.invitation(session, token)
    sight.remember_link(token)
    return make_response(
        render_template(
            "web/invitation.html",
            invited=invited,
            token=token,
            game=game_info.about(invited.game_key),
        )
    )


@bp.post("/invitations/<token>/accept", endpoint="accept")
@PageRules(rate=Rate("60 per hour"), secret_address=True)
def accept_invitation(token: str) -> Response:
    """Take the seat. A new player is signed in; a known player who is not the viewer gets a sign-in
    link.
    """
    zone, now = request.form.get("zone", ""), request_context.arrival_time()
    accepted = seats.accept_invitation(
        request_context.database(),
        token,
        zone=zone,
        now=now,
        viewer_id=request_context.current_person_id(),
    )
    return seat_taken.answer_taker(accepted)


@bp.post("/invitations/<token>/decline", endpoint="decline")
@PageRules(rate=Rate("60 per hour"), secret_address=True)
def decline_invitation(token: str) -> Response:
    """Decline the seat."""
    name = seats.decline_invitation(
        request_context.database(), token, now=request_context.arrival_time()
    )
    return make_response(render_template("web/declined.html", name=name))
