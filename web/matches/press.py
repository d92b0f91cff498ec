"""The Press tab of a match: the press that the viewer may read, and the forms to write, mute and report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform import wakeups
from adjudicator.platform.words import MASTER
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.press import complaints, messages, mutes
from adjudicator.service.press.messages import PressDraft
from web.http import error_pages, request_context
from web.matches import match_page

bp = Blueprint("press", __name__)

EVERYBODY = "everybody"  # the value of the form's checkbox beside the seats


@dataclass(frozen=True)
class PressForm:
    """A form as it was sent, and why it was refused."""

    name: str = "seat"  # seat, to-master, as-master
    chosen: Sequence[str] = ()
    text: str = ""
    sentence: str = ""


@bp.get("/matches/<uid>/press")
def press(uid: str) -> Response:
    """Show a match's press; the seats in `?to` are preselected in the form, in that of the master with `?as=master`."""
    name = "as-master" if request.args.get("as") == MASTER else "seat"
    return _lay(uid, PressForm(name, request.args.getlist("to")))


@bp.post("/matches/<uid>/press", endpoint="write")
def write_press(uid: str) -> Response:
    """Send press to other seats, to everybody or to the master; a refused text stays in the form."""
    chosen = request.form.getlist("to")
    sent = PressForm("to-master" if chosen == [MASTER] else "seat", chosen, request.form.get("text", ""))
    return _write(uid, sent, messages.write_press)


@bp.post("/matches/<uid>/press/as-master", endpoint="write_as_master")
def write_as_master(uid: str) -> Response:
    """Send a text of the master to seats or to everybody."""
    return _write(uid, PressForm("as-master", request.form.getlist("to"), request.form.get("text", "")), messages.write_as_master)


def _write(uid: str, sent: PressForm, write: Callable[..., None]) -> Response:
    if not sent.chosen:
        return _lay(uid, sent, "Choose whom to write to; nothing was sent.", status=400)
    if EVERYBODY in sent.chosen and len(sent.chosen) > 1:
        return _lay(uid, sent, "Choose either single seats or everybody; nothing was sent.", status=400)
    draft = PressDraft(() if EVERYBODY in sent.chosen else tuple(sent.chosen), sent.text)
    try:
        write(request_context.database(), uid, request_context.sender_id(), draft, now=request_context.arrival_time())
    except NotFound:
        raise
    except Refused as refused:
        return _lay(uid, sent, str(refused), status=error_pages.status_of(refused))
    return _back(uid)


@bp.post("/matches/<uid>/press/mute", endpoint="mute")
def mute_seat(uid: str) -> Response:
    """Hide a seat's press from the viewer, or show it again."""
    mutes.mute_seat(
        request_context.database(), uid, request_context.sender_id(), request.form.get("seat", ""), mute=request.form.get("mute") == "1"
    )
    return _back(uid)


@bp.post("/matches/<uid>/press/report", endpoint="report")
def report_text(uid: str) -> Response:
    """Report a text to the match's master."""
    note, reason = request.form.get("note", ""), request.form.get("reason", "")
    complaints.report_text(request_context.database(), uid, request_context.sender_id(), note, reason, now=request_context.arrival_time())
    return _back(uid)


@bp.get("/matches/<uid>/press/as-master", endpoint="back")
@bp.get("/matches/<uid>/press/mute", endpoint="back")
@bp.get("/matches/<uid>/press/report", endpoint="back")
def lead_to_press(uid: str) -> Response:
    """Redirect to the press when the address of a POST is loaded again."""
    return redirect(url_for("press.press", uid=uid), 303)


def _back(uid: str) -> Response:
    request_context.send_wakeup(wakeups.POST)
    return redirect(url_for("press.press", uid=uid), 303)


def _lay(uid: str, sent: PressForm, sentence: str = "", *, status: int = 200) -> Response:
    page = match_page.load_head(uid)
    with request_context.database().read_tx() as session:
        told = messages.press_page(session, uid, request_context.current_person_id())
        reports = complaints.list_reports(session, uid, request_context.current_person_id())
    names = {phase.number: phase.name for phase in page.phases}
    values = {"press": told, "names": names, "sent": sent, "sentence": sentence, "longest": messages.LONGEST, "reports": reports}
    return make_response(render_template("web/press.html", page=page, tab="press", everybody=EVERYBODY, master=MASTER, **values), status)
