"""Running a match: what its master may press on the About page, without a script."""

from datetime import datetime, timedelta

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from adjudicator import nudges
from adjudicator.service import masters
from adjudicator.service.errors import Refused
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
    """Move the deadline of the phase that the form shows: to a moment in the reader's zone, or by hours from where the form shows it.

    Either way the form names the moment, so that sending it twice moves the deadline once.
    """
    hours = request.form.get("hours", "").strip()
    to = masters.read_deadline(f"{hours}h" if hours else request.form.get("deadline", ""), visit.zone())
    if isinstance(to, timedelta):
        to += _shown()
    masters.move_deadline(visit.database(), uid, _who(), to, now=visit.arrived(), phase_number=_phase())
    return _back(uid)


def _shown() -> datetime:
    """Return the deadline that the form was made with."""
    shown = masters.read_deadline(request.form.get("from", ""), visit.zone())
    if isinstance(shown, timedelta):
        raise Refused("This form does not say from when on: open the page again.", field="deadline")
    return shown


def _phase() -> int:
    """Return the number of the phase that the form was made for."""
    number = request.form.get("phase", type=int)
    if number is None:
        raise Refused("This form does not say for which phase it is: open the page again.", field="phase")
    return number


@bp.post("/matches/<uid>/close")
def close(uid: str) -> Response:
    """Close the phase that the form shows now."""
    masters.close_now(visit.database(), uid, _who(), now=visit.arrived(), phase_number=_phase())
    visit.nudge(nudges.CLOSE, uid)
    return _back(uid)


def _who() -> int:
    return visit.person_id() or 0


def _back(uid: str) -> Response:
    visit.nudge(nudges.POST)
    return redirect(url_for("matches.about", uid=uid), 303)
