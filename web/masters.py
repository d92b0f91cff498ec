"""Running a match: what its master may press on the About page, without a script."""

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from adjudicator import nudges
from adjudicator.service import masters
from web import visit

bp = Blueprint("masters", __name__)


@bp.post("/matches/<uid>/pause")
def pause(uid: str) -> Response:
    """Stop the match's clock."""
    masters.pause(visit.database(), uid, _who(), now=visit.arrived())
    return _back(uid)


@bp.post("/matches/<uid>/resume")
def resume(uid: str) -> Response:
    """Let the match go on."""
    masters.resume(visit.database(), uid, _who(), now=visit.arrived())
    visit.nudge(nudges.CLOSE, uid)
    return _back(uid)


@bp.post("/matches/<uid>/deadline")
def deadline(uid: str) -> Response:
    """Move the open deadline: to a moment in the reader's zone, or by hours."""
    hours, moment = request.form.get("hours", "").strip(), request.form.get("deadline", "")
    to = masters.read_deadline(f"{hours}h" if hours else moment, visit.zone())
    masters.move_deadline(visit.database(), uid, _who(), to, now=visit.arrived())
    return _back(uid)


@bp.post("/matches/<uid>/close")
def close(uid: str) -> Response:
    """Close the open phase now."""
    masters.close_now(visit.database(), uid, _who(), now=visit.arrived())
    visit.nudge(nudges.CLOSE, uid)
    return _back(uid)


def _who() -> int:
    return visit.person_id() or 0


def _back(uid: str) -> Response:
    visit.nudge(nudges.POST)
    return redirect(url_for("matches.about", uid=uid), 303)
