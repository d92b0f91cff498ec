"""Invitations: what a letter's link leads to, and saying yes or no."""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator import nudges
from adjudicator.service import guides, seats
from web import visit

bp = Blueprint("invitations", __name__)


@bp.get("/invitations/<token>")
def invitation(token: str) -> Response:
    """Show what an invitation is for, and two buttons; looking changes nothing."""
    with visit.database().reading() as session:
        invited = seats.invitation(session, token)
    return make_response(render_template("web/invitation.html", invited=invited, token=token, game=guides.about(invited.game_key)))


@bp.post("/invitations/<token>/accept")
def accept(token: str) -> Response:
    """Take the seat; a new player is signed in, one who has an account gets a link unless it is the one who looks."""
    zone, viewer = request.form.get("zone", ""), visit.person()
    with visit.database().reading() as session:
        address = seats.invitation(session, token).address
    entry, uid = seats.accept(visit.database(), token, zone=zone, now=visit.arrived(), viewer_id=viewer.id if viewer else None)
    visit.nudge(nudges.START, uid)
    visit.nudge(nudges.POST)
    back = redirect(url_for("matches.match", uid=uid), 303)
    if entry is not None:
        return visit.let_in(back, entry)
    if viewer is not None and viewer.address == address:
        return back
    return make_response(render_template("web/on_its_way.html", address=address, seated=True))


@bp.post("/invitations/<token>/decline")
def decline(token: str) -> Response:
    """Give the seat back."""
    name = seats.decline(visit.database(), token)
    return make_response(render_template("web/declined.html", name=name))
