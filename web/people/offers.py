"""Offers of seats by letter: the page that a letter links to, taking and declining."""

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from adjudicator.service.handover import offers
from adjudicator.service.views import game_info
from web.http import request_context, sight
from web.http.page_rules import PageRules
from web.people import seat_taken

bp = Blueprint("offers", __name__)


@bp.get("/offers/<token>")
@PageRules(secret_address=True)
def offer(token: str) -> Response:
    """Show an offered seat with two buttons; a GET changes nothing."""
    with request_context.database().read_tx() as session:
        offered = offers.offer_of_token(session, token)
    sight.remember_link(token)
    return make_response(
        render_template(
            "web/offer.html", offered=offered, token=token, game=game_info.about(offered.game_key)
        )
    )


@bp.post("/offers/<token>/accept", endpoint="accept")
@PageRules(secret_address=True)
def accept_offer(token: str) -> Response:
    """Take the seat. A new player is signed in; a known player who is not the viewer gets a sign-in
    link.
    """
    zone, now = request.form.get("zone", ""), request_context.arrival_time()
    accepted = offers.accept_offer(
        request_context.database(),
        token,
        zone=zone,
        now=now,
        viewer_id=request_context.current_person_id(),
    )
    return seat_taken.answer_taker(accepted)


@bp.post("/offers/<token>/decline", endpoint="decline")
@PageRules(secret_address=True)
def decline_offer(token: str) -> Response:
    """Decline the seat."""
    name = offers.decline_offer(
        request_context.database(), token, now=request_context.arrival_time()
    )
    return make_response(render_template("web/declined.html", name=name))
