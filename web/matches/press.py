"""The Press tab of a match: the press that the viewer may read, and the form to write to other seats."""

from collections.abc import Sequence

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform import wakeups
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from web.http import error_pages, request_context
from web.matches import match_page

bp = Blueprint("press", __name__)

EVERYBODY = "everybody"  # the value of the form's checkbox beside the seats


@bp.get("/matches/<uid>/press")
def press(uid: str) -> Response:
    """Show a match's press; the seats in `?to` are preselected in the form."""
    return _lay(uid, request.args.getlist("to"), "")


@bp.post("/matches/<uid>/press", endpoint="write")
def write_press(uid: str) -> Response:
    """Send press to other seats or to everybody; a refused text stays in the form."""
    chosen, text = request.form.getlist("to"), request.form.get("text", "")
    if not chosen:
        return _lay(uid, chosen, text, sentence="Choose whom to write to; nothing was sent.", status=400)
    if EVERYBODY in chosen and len(chosen) > 1:
        return _lay(uid, chosen, text, sentence="Choose either single seats or everybody; nothing was sent.", status=400)
    to = () if EVERYBODY in chosen else tuple(chosen)
    try:
        messages.write_press(
            request_context.database(),
            uid,
            request_context.current_person_id() or 0,
            PressDraft(to, text),
            now=request_context.arrival_time(),
        )
    except NotFound:
        raise
    except Refused as refused:
        return _lay(uid, chosen, text, sentence=str(refused), status=error_pages.status_of(refused))
    request_context.send_wakeup(wakeups.POST)
    return redirect(url_for("press.press", uid=uid), 303)


def _lay(uid: str, chosen: Sequence[str], text: str, *, sentence: str = "", status: int = 200) -> Response:
    page = match_page.load_head(uid)
    with request_context.database().read_tx() as session:
        told = messages.press_page(session, uid, request_context.current_person_id())
    names = {phase.number: phase.name for phase in page.phases}
    values = {"press": told, "names": names, "chosen": chosen, "text": text, "sentence": sentence, "longest": messages.LONGEST}
    return make_response(render_template("web/press.html", page=page, tab="press", everybody=EVERYBODY, **values), status)
