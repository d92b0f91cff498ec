"""Invitations: what a letter's link leads to, and saying yes or no."""

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator import nudges
from adjudicator.service import guides, matches
from web import visit

bp = Blueprint("invitations", __name__)


@bp.get("/invitations/<token>")
def invitation(token: str) -> Response:
    """Show what an invitation is for, and two buttons; looking changes nothing."""
    with visit.database().reading() as session:
        invited = matches.invitation(session, token)
    return make_response(render_template("web/invitation.html", invited=invited, token=token, game=guides.about(invited.game_key)))


@bp.post("/invitations/<token>/accept")
def accept(token: str) -> Response:
    """Take the seat; the letter proved the address, so its player is signed in."""
    entry, uid = matches.accept(visit.database(), token, zone=request.form.get("zone", ""), now=visit.arrived())
    visit.nudge(nudges.START, uid)
    return visit.let_in(redirect(url_for("matches.match", uid=uid), 303), entry)


@bp.post("/invitations/<token>/decline")
def decline(token: str) -> Response:
    """Give the seat back."""
    name = matches.decline(visit.database(), token)
    return make_response(render_template("web/declined.html", name=name))
