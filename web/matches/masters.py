"""What the master of a match can do on its About page; works without a script."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, request

from adjudicator.play.timetable import YEARS
from adjudicator.service.base.errors import Refused
from adjudicator.service.handover import replacing
from adjudicator.service.matches import masters
from adjudicator.service.press import messages
from web.act_forms import ActForm, add_forms, texts
from web.http import request_context

bp = Blueprint("masters", __name__)


def _deadline() -> Mapping[str, Any]:
    """Read the deadline of the phase that the form shows: a time in the viewer's zone, or hours
    from the deadline shown.

    The form contains the deadline shown, so sending it twice moves the deadline once.
    """
    hours = request.form.get("hours", "").strip()
    to = masters.read_deadline(
        f"{hours}h" if hours else request.form.get("deadline", ""), request_context.viewer_zone()
    )
    return {**_phase(), "to": to, "since": _shown() if isinstance(to, timedelta) else None}


def _shown() -> datetime:
    """Return the deadline that the form was rendered with."""
    shown = masters.read_deadline(request.form.get("from", ""), request_context.viewer_zone())
    if isinstance(shown, timedelta) or shown.year not in YEARS:
        raise Refused("This form does not say from when on: open the page again.", field="deadline")
    return shown


def _phase() -> Mapping[str, Any]:
    """Read the number of the phase that the form was rendered for."""
    number = request.form.get("phase", type=int)
    if number is None:
        raise Refused(
            "This form does not say for which phase it is: open the page again.", field="phase"
        )
    return {"phase_number": number}


_SEAT = texts(seat_name="seat", reason="reason")
add_forms(
    bp,
    "matches.about",
    ActForm("pause", masters.pause_match),
    ActForm("resume", masters.resume_match),
    ActForm("deadline", masters.move_deadline, _deadline),
    ActForm("close", masters.close_now, _phase),
    ActForm("end", masters.end_match, texts(reason="reason")),
    ActForm("warn", messages.warn_seat, _SEAT),
    ActForm("replace", replacing.replace_player, _SEAT),
    ActForm("excuse", replacing.excuse_player, _SEAT),
)
