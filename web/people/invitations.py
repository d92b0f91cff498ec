"""Invitations: the page that a letter links to, accepting and declining."""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform import wakeups
from adjudicator.service.matches import seats
from adjudicator.service.views import game_info
from web.http import request_context

bp = Blueprint("invitations", __name__)


@bp.get("/invitations/<token>")
def invitation(token: str) -> Response:
    """Show an invitation with two buttons; a GET changes nothing."""
    with request_context.database().read_tx() as session:
        invited = seats.invitation(session, token)
    return make_response(render_template("web/invitation.html", invited=invited, token=token, game=game_info.about(invited.game_key)))


@bp.post("/invitations/<token>/accept", endpoint="accept")
def accept_invitation(token: str) -> Response:
    """Take the seat. A new player is signed in; a known player who is not the viewer gets a sign-in link."""
    zone, viewer = request.form.get("zone", ""), request_context.current_person()
    with request_context.database().read_tx() as session:
        address = seats.invitation(session, token).address
    entry, uid = seats.accept_invitation(
        request_context.database(), token, zone=zone, now=request_context.arrival_time(), viewer_id=viewer.id if viewer else None
    )
    request_context.send_wakeup(wakeups.START, uid)
    request_context.send_wakeup(wakeups.POST)
    back = redirect(url_for("matches.match", uid=uid), 303)
    if entry is not None:
        return request_context.sign_browser_in(back, entry)
    if viewer is not None and viewer.address == address:
        return back
    return make_response(render_template("web/on_its_way.html", address=address, seated=True))


@bp.post("/invitations/<token>/decline", endpoint="decline")
def decline_invitation(token: str) -> Response:
    """Decline the seat."""
    name = seats.decline_invitation(request_context.database(), token)
    return make_response(render_template("web/declined.html", name=name))
