"""What directors do on the page of a tournament: begin it, decide tables, let a round go on, close
it, end it, name another director.
"""

import codecs
from collections.abc import Sequence

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import Refused
from adjudicator.service.tournaments import seasons, showing
from adjudicator.service.tournaments.directing import acts
from adjudicator.service.tournaments.results import deciding
from web.act_forms import ActForm, add_forms, whole
from web.http import request_context
from web.http.page_rules import PageRules, Rate
from web.tournaments.pages import back

bp = Blueprint("directing", __name__)
MOST_OF_FILE = 20_000  # bytes of a file of tables


@bp.post("/tournaments/<tournament>/decide")
@PageRules(rate=Rate("600 per hour", by_person=True))
def decide(tournament: str) -> Response:
    """Decide the result of a table, or correct it."""
    place = (whole("round"), whole("table"))
    points = request.form.getlist("points")
    now = request_context.arrival_time()
    try:
        deciding.decide_table(
            request_context.database(),
            tournament,
            request_context.sender_id(),
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
            session,
            tournament,
            request_context.sender_id(),
            now=request_context.arrival_time(),
            number=place[0],
        )
    table = (
        next(each for each in page.shown.tables if each.number == place[1]) if page.shown else None
    )
    given = deciding.told_result(deciding.read_points(points, len(points)))
    context = {"page": page, "table": table, "points": points, "given": given, "question": question}
    return make_response(render_template("web/doubtful_points.html", **context), 400)


@bp.post("/tournaments/<tournament>/acts/<word>")
@PageRules(rate=Rate("600 per hour", by_person=True))
def act(tournament: str, word: str) -> Response:
    """Carry out an act of directors or entrants as a letter does; a file that comes along has the
    tables.
    """
    fields = request.form.to_dict()
    file = request.files.get("file")
    if file is not None and file.filename:
        fields["tables"] = _read_file(file.stream.read(MOST_OF_FILE + 1))
    now = request_context.arrival_time()
    acts.carry_out(
        request_context.database(),
        fields,
        word,
        uid=tournament,
        player_id=request_context.sender_id(),
        now=now,
    )
    return back(tournament)


def _read_file(content: bytes) -> str:
    """Return the text of a file of tables, in UTF-8 or as spreadsheets write UTF-16; raises Refused
    for one that is too long, as nobody at a table of it may sit out unseen.
    """
    if len(content) > MOST_OF_FILE:
        raise Refused(f"A file of tables has at most {MOST_OF_FILE:,} bytes.", field="tables")
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if marked else "utf-8", "replace")


add_forms(
    bp,
    "tournaments.page",
    ActForm(
        "season",
        seasons.make_season,
        lambda: {"days": whole("days")},
        None,
        makes=True,
        endpoint="make_season",
    ),
)
