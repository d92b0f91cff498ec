"""Seats that a letter keeps or offers: the page that it links to, taking and declining."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.handover import offers
from adjudicator.service.matches import seats
from adjudicator.service.matches.seats import Accepted
from adjudicator.service.views import game_info
from web.http import request_context, sight
from web.http.page_rules import PageRules, Rate

bp = Blueprint("offered_seats", __name__)


@dataclass(frozen=True)
class _Kind:
    """What is shown of a seat of one kind, and how it is taken and declined; each by its token."""

    template: str
    look: Callable[..., Any]
    accept: Callable[..., Accepted]
    decline: Callable[..., str]


_KINDS = {
    "invitations": _Kind(
        "web/invitation.html", seats.invitation, seats.accept_invitation, seats.decline_invitation
    ),
    "offers": _Kind(
        "web/offer.html", offers.offer_of_token, offers.accept_offer, offers.decline_offer
    ),
}
_OF_KIND = "/<any(invitations, offers):kind>/<token>"


@bp.get(_OF_KIND, endpoint="page")
@PageRules(secret_address=True)
def show_seat(kind: str, token: str) -> Response:
    """Show the seat with two buttons; a GET changes nothing."""
    with request_context.database().read_tx() as session:
        offered = _KINDS[kind].look(session, token)
    sight.remember_link(token)
    game = game_info.about(offered.game_key)
    return make_response(
        render_template(_KINDS[kind].template, offered=offered, token=token, game=game)
    )


@bp.post(f"{_OF_KIND}/accept", endpoint="accept")
@PageRules(rate=Rate("60 per hour"), secret_address=True)
def accept_seat(kind: str, token: str) -> Response:
    """Take the seat. A new player is signed in, and both that one and the viewer whose seat it is
    go on to the match; anybody else is told that a sign-in link is sent.
    """
    accepted = _KINDS[kind].accept(
        request_context.database(),
        token,
        zone=request.form.get("zone", ""),
        now=request_context.arrival_time(),
        viewer_id=request_context.current_person_id(),
    )
    viewer = request_context.current_person()
    to_match = redirect(url_for("matches.match", uid=accepted.uid), 303)
    if accepted.entry is not None:
        return request_context.sign_browser_in(to_match, accepted.entry)
    if viewer is not None and viewer.address == accepted.address:
        return to_match
    return make_response(
        render_template("web/on_its_way.html", address=accepted.address, seated=True)
    )


@bp.post(f"{_OF_KIND}/decline", endpoint="decline")
@PageRules(rate=Rate("60 per hour"), secret_address=True)
def decline_seat(kind: str, token: str) -> Response:
    """Decline the seat."""
    name = _KINDS[kind].decline(
        request_context.database(), token, now=request_context.arrival_time()
    )
    return make_response(render_template("web/declined.html", name=name))
