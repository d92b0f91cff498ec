"""The list of tournaments and the page of one; entering and leaving it."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.shown import name_tournament, read_steps
from adjudicator.service.tournaments import entering, showing
from web.act_forms import OFTEN, ActForm, add_forms, wishes
from web.http import request_context, sight

bp = Blueprint("tournaments", __name__)


@bp.get("/tournaments", endpoint="list")
def list_all() -> str:
    """Show the tournaments that take entries, those that are played, and those that are over."""
    with request_context.database().read_tx() as session:
        found = showing.list_tournaments(session)
    return render_template("web/tournaments.html", found=found)


@bp.get("/tournaments/<tournament>", endpoint="page")
def show(tournament: str) -> str:
    """Show a tournament with its last round, or the one that `?round=` names."""
    number = request.args.get("round", "")
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 5 else None
    now = request_context.arrival_time()
    with request_context.database().read_tx() as session:
        page = showing.read_page(
            session, tournament, request_context.current_person_id(), now=now, number=wanted
        )
        played = (
            [uid for uid, status in page.shown.matches if status == "running"] if page.shown else []
        )
        itself = name_tournament(tournament)
        steps = read_steps(session, [itself, *played], now)
    shown = {uid: steps[uid] for uid in (itself, *sight.visible_uids(played))}
    return render_template("web/tournament.html", page=page, steps=shown, itself=itself)


def _entered() -> Mapping[str, Any]:
    """Read the seats that an entrant wishes for, if the form has them."""
    return wishes() if "wish" in request.form else {}


add_forms(
    bp,
    "tournaments.page",
    ActForm("enter", entering.enter, _entered, OFTEN, signs_in=True),
    ActForm("leave", entering.leave, rate=OFTEN),
)


def back(tournament: str, number: int | None = None) -> Response:
    """Wake the worker and return to the tournament's page, with the round of this number."""
    return redirect(url_for("tournaments.page", tournament=tournament, round=number), 303)
