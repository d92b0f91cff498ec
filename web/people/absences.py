"""The page of a player's absences: the calendar, and what each match makes of it."""

from dataclasses import dataclass, field

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import Refused
from adjudicator.service.matches import absences as honoured
from adjudicator.service.people import absence_calendar
from adjudicator.service.people.accounts import Person
from web.http import request_context
from web.http.error_pages import status_of

bp = Blueprint("absences", __name__)
_HERE = "absences.absences"


@dataclass(frozen=True)
class AbsenceForm:
    """The form as it was sent, and its errors by field."""

    first: str = ""
    last: str = ""
    errors: dict[str, str] = field(default_factory=dict)


@bp.get("/account/absences")
def absences() -> Response:
    """Show the viewer's absences and matches."""
    return _page(request_context.signed_in(_HERE), AbsenceForm())


@bp.post("/account/absences", endpoint="add")
def add_absence() -> Response:
    """Add an absence; one day if no last day was given. Sent twice it changes nothing more."""
    known = request_context.signed_in(_HERE)
    first, last = request.form.get("first", ""), request.form.get("last", "")
    try:
        begin = absence_calendar.read_day(first)
        end = absence_calendar.read_day(last, field="last") if last.strip() else begin
        absence_calendar.add_absence(
            request_context.database(), known.id, begin, end, now=request_context.arrival_time()
        )
    except Refused as refused:
        return _page(
            known,
            AbsenceForm(first, last, {refused.field or "first": str(refused)}),
            status_of(refused),
        )
    return redirect(url_for(_HERE, saved=1), 303)


@bp.post("/account/absences/cancel", endpoint="cancel")
def cancel_absence() -> Response:
    """Cancel the absence that begins on the day in the form; if it is gone already, say so."""
    known = request_context.signed_in(_HERE)
    try:
        day = absence_calendar.read_day(request.form.get("first", ""))
        absence_calendar.cancel_absence(
            request_context.database(), known.id, day, now=request_context.arrival_time()
        )
    except Refused as refused:
        return _page(known, AbsenceForm(errors={"cancelled": str(refused)}), status_of(refused))
    return redirect(url_for(_HERE, cancelled=1), 303)


def _page(known: Person, draft: AbsenceForm, status: int = 200) -> Response:
    now = request_context.arrival_time()
    with request_context.database().read_tx() as session:
        spans = absence_calendar.list_absences(session, known.id, now)
        matches = honoured.list_honoured(session, known.id)
    sentence = (
        "Saved." if "saved" in request.args else "Cancelled." if "cancelled" in request.args else ""
    )
    values = {
        "spans": spans,
        "matches": matches,
        "said": sentence,
        "years": honoured.years_ahead(spans, now),
        "longest": absence_calendar.LONGEST,
    }
    return make_response(render_template("web/absences.html", draft=draft, **values), status)
