"""What directors do on the page of a tournament: begin it, decide tables, let a round go on, close
it, end it, name another director.
"""

from collections.abc import Sequence

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import Refused
from adjudicator.service.tournaments import (
    advancing,
    entering,
    making,
    seasons,
    showing,
    stalling,
    succession,
)
from adjudicator.service.tournaments.directing import acts
from adjudicator.service.tournaments.results import deciding
from web.http import request_context
from web.http.page_rules import PageRules, Rate
from web.tournaments.pages import back

bp = Blueprint("directing", __name__)
MOST_OF_FILE = 20_000  # bytes of a file of tables


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
    entering.close_entries(
        request_context.database(), tournament, _director(), now=request_context.arrival_time()
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/decide")
@PageRules(rate=Rate("600 per hour", by_person=True))
def decide(tournament: str) -> Response:
    """Decide the result of a table, or correct it."""
    place, points, now = (
        (_whole("round"), _whole("table")),
        request.form.getlist("points"),
        request_context.arrival_time(),
    )
    try:
        deciding.decide_table(
            request_context.database(),
            tournament,
            _director(),
            place,
            points,
            reason=request.form.get("reason", ""),
            seen=request.form.get("seen"),
            sure=request.form.get("sure", ""),
            now=now,
        )
    except deciding.Doubtful as doubtful:
        return _ask(tournament, place, points, str(doubtful))
    return back(tournament, place[0])


def _ask(tournament: str, place: tuple[int, int], points: Sequence[str], question: str) -> Response:
    """Ask whether points are meant that the scoring cannot give; the answer sends the same form."""
    with request_context.database().read_tx() as session:
        page = showing.read_page(
            session, tournament, _director(), now=request_context.arrival_time(), number=place[0]
        )
    table = (
        next(each for each in page.shown.tables if each.number == place[1]) if page.shown else None
    )
    given = deciding.told_result(deciding.read_points(points, len(points)))
    told = {"page": page, "table": table, "points": points, "given": given, "question": question}
    return make_response(render_template("web/doubtful_points.html", **told), 400)


@bp.post("/tournaments/<tournament>/go-on")
def go_on(tournament: str) -> Response:
    """Let the next round be paired without waiting longer."""
    seen, now = request.form.get("seen"), request_context.arrival_time()
    deciding.go_on(request_context.database(), tournament, _director(), seen=seen, now=now)
    return back(tournament)


@bp.post("/tournaments/<tournament>/wait")
def set_wait(tournament: str) -> Response:
    """Set how long the next pairing waits after a result that a director typed."""
    deciding.set_wait(
        request_context.database(),
        tournament,
        _director(),
        _whole("wait_hours"),
        now=request_context.arrival_time(),
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/close")
def close(tournament: str) -> Response:
    """Close the round that is played: its open matches end as they are."""
    reason, number = request.form.get("reason", ""), _whole("round")
    stalling.close_round(
        request_context.database(),
        tournament,
        _director(),
        reason,
        number=number,
        now=request_context.arrival_time(),
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/end")
def end(tournament: str) -> Response:
    """End the tournament as it stands."""
    reason = request.form.get("reason", "")
    advancing.end_tournament(
        request_context.database(),
        tournament,
        _director(),
        reason,
        now=request_context.arrival_time(),
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/season")
def make_season(tournament: str) -> Response:
    """Make the next season of a league."""
    following = seasons.make_season(
        request_context.database(),
        tournament,
        _director(),
        days=_whole("days"),
        now=request_context.arrival_time(),
    )
    return back(following)


@bp.post("/tournaments/<tournament>/stop-directing")
def stop_directing(tournament: str) -> Response:
    """Let the viewer direct the tournament no more."""
    succession.stop_directing(
        request_context.database(), tournament, _director(), now=request_context.arrival_time()
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/take-over")
def take_over(tournament: str) -> Response:
    """Make the viewer, who takes part, the director of a tournament that has none."""
    succession.take_over(
        request_context.database(), tournament, _director(), now=request_context.arrival_time()
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/acts/<word>")
def act(tournament: str, word: str) -> Response:
    """Carry out an act of directors or entrants as a letter does; a file that comes along has the
    tables.
    """
    said = request.form.to_dict()
    file = request.files.get("file")
    if file is not None and file.filename:
        said["tables"] = file.stream.read(MOST_OF_FILE).decode("utf-8", "replace")
    now = request_context.arrival_time()
    acts.carry_out(
        request_context.database(), said, word, uid=tournament, player_id=_director(), now=now
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/remove")
def remove(tournament: str) -> Response:
    """Take an entrant out of the tournament."""
    reason, now = request.form.get("reason", ""), request_context.arrival_time()
    entering.remove(
        request_context.database(), tournament, _director(), _whole("entry"), reason=reason, now=now
    )
    return back(tournament)


@bp.post("/tournaments/<tournament>/director")
def name_director(tournament: str) -> Response:
    """Let an entrant direct the tournament too."""
    making.make_entrant_director(
        request_context.database(),
        tournament,
        _director(),
        _whole("entry"),
        now=request_context.arrival_time(),
    )
    return back(tournament)
