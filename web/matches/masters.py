"""What the master of a match can do on its About page; works without a script."""

from datetime import datetime, timedelta

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from adjudicator.play.timetable import YEARS
from adjudicator.service.base.errors import Refused
from adjudicator.service.handover import replacing
from adjudicator.service.matches import masters
from adjudicator.service.press import messages
from web.http import request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("masters", __name__)


@bp.post("/matches/<uid>/pause", endpoint="pause")
@PageRules(rate=Rate("30 per hour", by_person=True))
def pause_match(uid: str) -> Response:
    """Pause the match."""
    masters.pause_match(
        request_context.database(),
        uid,
        request_context.sender_id(),
        now=request_context.arrival_time(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/resume", endpoint="resume")
@PageRules(rate=Rate("30 per hour", by_person=True))
def resume_match(uid: str) -> Response:
    """Resume the match."""
    masters.resume_match(
        request_context.database(),
        uid,
        request_context.sender_id(),
        now=request_context.arrival_time(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/deadline", endpoint="deadline")
@PageRules(rate=Rate("30 per hour", by_person=True))
def move_deadline(uid: str) -> Response:
    """Move the deadline of the phase that the form shows: to a time in the viewer's zone, or by
    hours from the deadline shown.

    The form contains the deadline shown, so sending it twice moves the deadline once.
    """
    hours = request.form.get("hours", "").strip()
    to = masters.read_deadline(
        f"{hours}h" if hours else request.form.get("deadline", ""), request_context.viewer_zone()
    )
    masters.move_deadline(
        request_context.database(),
        uid,
        request_context.sender_id(),
        to,
        now=request_context.arrival_time(),
        phase_number=_phase(),
        since=_shown() if isinstance(to, timedelta) else None,
    )
    return _back(uid)


def _shown() -> datetime:
    """Return the deadline that the form was rendered with."""
    shown = masters.read_deadline(request.form.get("from", ""), request_context.viewer_zone())
    if isinstance(shown, timedelta) or shown.year not in YEARS:
        raise Refused("This form does not say from when on: open the page again.", field="deadline")
    return shown


def _phase() -> int:
    """Return the number of the phase that the form was rendered for."""
    number = request.form.get("phase", type=int)
    if number is None:
        raise Refused(
            "This form does not say for which phase it is: open the page again.", field="phase"
        )
    return number


@bp.post("/matches/<uid>/close", endpoint="close")
@PageRules(rate=Rate("30 per hour", by_person=True))
def close_phase(uid: str) -> Response:
    """Close the phase that the form shows at once."""
    masters.close_now(
        request_context.database(),
        uid,
        request_context.sender_id(),
        now=request_context.arrival_time(),
        phase_number=_phase(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/end", endpoint="end")
@PageRules(rate=Rate("30 per hour", by_person=True))
def end_match(uid: str) -> Response:
    """End the match as it stands, for the reason that the form gives."""
    reason = request.form.get("reason", "")
    masters.end_match(
        request_context.database(),
        uid,
        request_context.sender_id(),
        reason,
        now=request_context.arrival_time(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/warn", endpoint="warn")
@PageRules(rate=Rate("30 per hour", by_person=True))
def warn_seat(uid: str) -> Response:
    """Warn a seat by a letter, with a reason that everybody can read."""
    seat, reason = request.form.get("seat", ""), request.form.get("reason", "")
    messages.warn_seat(
        request_context.database(),
        uid,
        request_context.sender_id(),
        seat,
        reason,
        now=request_context.arrival_time(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/replace", endpoint="replace")
@PageRules(rate=Rate("30 per hour", by_person=True))
def replace_player(uid: str) -> Response:
    """Let a seat look for a new player, with a reason that everybody can read."""
    seat, reason = request.form.get("seat", ""), request.form.get("reason", "")
    replacing.replace_player(
        request_context.database(),
        uid,
        request_context.sender_id(),
        seat,
        reason,
        now=request_context.arrival_time(),
    )
    return _back(uid)


@bp.post("/matches/<uid>/excuse", endpoint="excuse")
@PageRules(rate=Rate("30 per hour", by_person=True))
def excuse_player(uid: str) -> Response:
    """Forgive what a seat's player missed, with a reason that everybody can read."""
    seat, reason = request.form.get("seat", ""), request.form.get("reason", "")
    replacing.excuse_player(
        request_context.database(),
        uid,
        request_context.sender_id(),
        seat,
        reason,
        now=request_context.arrival_time(),
    )
    return _back(uid)


def _back(uid: str) -> Response:
    return redirect(url_for("matches.about", uid=uid), 303)
