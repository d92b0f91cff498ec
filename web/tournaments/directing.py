"""What directors do on the page of a tournament: begin it, decide tables, close a round, end it, name another director."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import Refused
from adjudicator.service.tournaments import advancing, entering, making, results, seasons, stalling
from web.http import request_context
from web.tournaments.pages import back

bp = Blueprint("directing", __name__)


def _director() -> int:
    return request_context.current_person_id() or 0


def _whole(name: str) -> int:
    """Return a number of the form; raises Refused."""
    text = request.form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Refused("The form lacks a number; open the page of the tournament again.", field=name)
    return int(text)


@bp.post("/tournaments/<tournament>/begin")
def begin(tournament: str) -> Response:
    """Close the entries, so that the first round is paired."""
    entering.close_entries(request_context.database(), tournament, _director(), now=request_context.arrival_time())
    return back(tournament)


@bp.post("/tournaments/<tournament>/decide")
def decide(tournament: str) -> Response:
    """Decide the result of a table, or correct it."""
    place, points = (_whole("round"), _whole("table")), request.form.getlist("points")
    results.decide_table(
        request_context.database(), tournament, _director(), place, points, reason=request.form.get("reason", ""),
        seen=request.form.get("seen"), now=request_context.arrival_time(),
    )  # fmt: skip
    return back(tournament)


@bp.post("/tournaments/<tournament>/close")
def close(tournament: str) -> Response:
    """Close the round that is played: its open matches end as they are."""
    reason, number = request.form.get("reason", ""), _whole("round")
    stalling.close_round(request_context.database(), tournament, _director(), reason, number=number, now=request_context.arrival_time())
    return back(tournament)


@bp.post("/tournaments/<tournament>/end")
def end(tournament: str) -> Response:
    """End the tournament as it stands."""
    reason = request.form.get("reason", "")
    advancing.end_tournament(request_context.database(), tournament, _director(), reason, now=request_context.arrival_time())
    return back(tournament)


@bp.post("/tournaments/<tournament>/season")
def make_season(tournament: str) -> Response:
    """Make the next season of a league."""
    following = seasons.make_season(
        request_context.database(), tournament, _director(), days=_whole("days"), now=request_context.arrival_time()
    )  # fmt: skip
    return back(following)


@bp.post("/tournaments/<tournament>/director")
def name_director(tournament: str) -> Response:
    """Let an entrant direct the tournament too."""
    making.make_entrant_director(request_context.database(), tournament, _director(), _whole("entry"), now=request_context.arrival_time())
    return back(tournament)
