"""The history of a match: a page for each phase, the transcript of an ended match and its saved game."""

import json

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import NotFound
from adjudicator.service.views import export, transcripts
from adjudicator.service.views.match_page import Head, PhaseLine
from web.http import request_context
from web.matches import match_page

bp = Blueprint("history", __name__)


@bp.get("/matches/<uid>/history")
def history(uid: str) -> str:
    """List the phases of a match."""
    page = match_page.load_head(uid)
    return render_template("web/history.html", page=page, tab="history", savable=export.is_savable(page.card.game_key))


@bp.get("/matches/<uid>/phases", endpoint="find")
def find_phase(uid: str) -> Response:
    """Redirect to the phase `?number`, else to the list: the slider works so without a script."""
    number = request.args.get("number", type=int)
    if number is None:
        return redirect(url_for("history.history", uid=uid), 303)
    return redirect(url_for("history.phase", uid=uid, number=number), 303)


@bp.get("/matches/<uid>/phases/<int:number>")
def phase(uid: str, number: int) -> str:
    """Show one phase: its story, the opened orders, the picture and the commitments. Raises NotFound."""
    page, story = match_page.load_phase(uid, number)
    line = next((each for each in page.phases if each.number == number), None)
    if line is None:
        raise NotFound(f"This match has no phase {number} yet.")
    closed = [each for each in page.phases if each.closed_at is not None]
    return render_template(
        "web/phase.html", page=page, tab="history", line=line, story=story, closed=closed, before=_beside(closed, number, -1),
        after=_beside(closed, number, 1), now_open=_open(page),
    )  # fmt: skip


def _beside(closed: list[PhaseLine], number: int, step: int) -> PhaseLine | None:
    return next((each for each in closed if each.number == number + step), None)


def _open(page: Head) -> PhaseLine | None:
    return next((each for each in page.phases if each.closed_at is None), None)


@bp.get("/matches/<uid>/transcript.json")
def transcript(uid: str) -> Response:
    """Return the transcript of an ended match as a file."""
    with request_context.database().read_tx() as session:
        plain = transcripts.export_transcript(session, uid)
    return _file(f"{uid}.json", json.dumps(plain, indent=1, ensure_ascii=False))


@bp.get("/matches/<uid>/saved.json")
def saved_game(uid: str) -> Response:
    """Return a match in the saved-game format of other programs: one line, public knowledge only."""
    with request_context.database().read_tx() as session:
        plain = export.export_match(session, uid)
    return _file(f"{uid}-saved.json", json.dumps(plain))


def _file(name: str, text: str) -> Response:
    response = make_response(text + "\n")
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
