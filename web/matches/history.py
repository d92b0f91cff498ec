"""The history of a match: a page for each phase, a moving picture, the transcript of an ended match
and its saved game.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.platform.db import ReadTx
from adjudicator.service.base.errors import NotFound
from adjudicator.service.views import export, transcripts
from adjudicator.service.views import match_page as views
from adjudicator.service.views.match_page import Head, Story
from adjudicator.service.views.records import log_bundle, seat_receipts
from adjudicator.service.views.table import frames
from adjudicator.service.views.table.closed_phases import PhaseLine
from adjudicator.service.views.table.story_parts import sum_up
from web.http import kept_pages, request_context
from web.http.page_rules import PageRules, Rate
from web.matches import match_page

bp = Blueprint("history", __name__)

MOST_SUMMED_UP = 60  # phases of the list that tell what happened, the newest ones
MOST_TICKS = 12  # below the slider
_NUMBER = re.compile(r"\d+")


@bp.get("/matches/<uid>/history")
def history(uid: str) -> str:
    """List the phases of a match."""
    page = match_page.load_head(uid)
    with request_context.database().read_tx() as session:
        _, phases = views.history(
            session, uid, request_context.current_person_id(), most=MOST_SUMMED_UP
        )
    gists = {each.number: gist for each in phases if (gist := sum_up(each.lines))}
    return render_template(
        "web/history.html",
        page=page,
        tab="history",
        savable=export.is_savable(page.card.game_key),
        gists=gists,
    )


@bp.get("/matches/<uid>/phases", endpoint="find")
def find_phase(uid: str) -> Response:
    """Redirect to the phase `?number`, else to the list: the slider works so without a script."""
    number = request.args.get("number", type=int)
    if number is None:
        return redirect(url_for("history.history", uid=uid), 303)
    return redirect(url_for("history.phase", uid=uid, number=number), 303)


@bp.get("/matches/<uid>/phases/<int:number>")
def phase(uid: str, number: int) -> Response:
    """Show one phase: its story, the opened orders, the picture and the commitments. Raises
    NotFound.
    """
    return kept_pages.send_page(
        match_page.basis_of(uid),
        partial(_read_phase, uid=uid, number=number),
        _lay_phase,
    )


@dataclass(frozen=True)
class _PhaseSeen:
    """A phase as one viewer may see it."""

    page: Head
    line: PhaseLine
    story: Story | None  # None while it is open
    sealed_at: Mapping[str, datetime]  # when the viewer sealed the orders of each commitment
    salts: Sequence[str]


def _read_phase(session: ReadTx, uid: str, number: int) -> _PhaseSeen:
    viewer = request_context.current_person_id()
    page, story = views.phase_page(session, uid, number, viewer, now=request_context.arrival_time())
    line = next((each for each in page.phases if each.number == number), None)
    if line is None:
        raise NotFound(f"This match has no phase {number} yet.")
    sealed_at = (
        seat_receipts.sealing_times(session, uid, viewer)
        if viewer is not None and page.seat
        else {}
    )
    return _PhaseSeen(page, line, story, sealed_at, log_bundle.salts_of(session, uid, number))


def _lay_phase(seen: _PhaseSeen) -> str:
    closed = [each for each in seen.page.phases if each.closed_at is not None]
    number = seen.line.number
    return render_template(
        "web/phase.html",
        **vars(seen),
        tab="history",
        closed=closed,
        before=_beside(closed, number, -1),
        after=_beside(closed, number, 1),
        ticks=_ticks(closed),
    )


@dataclass(frozen=True)
class Tick:
    """A mark below the slider."""

    percent: float  # of the slider's length
    label: str


def _ticks(closed: list[PhaseLine]) -> list[Tick]:
    """Return a tick for each new number in the phases' names, such as a year or a round; evenly
    fewer where they are many.
    """
    numbers = [
        (found[0], place)
        for place, each in enumerate(closed)
        if (found := _NUMBER.search(each.name))
    ]
    first: dict[str, int] = {}
    for number, place in numbers:
        first.setdefault(number, place)
    every = -(-len(first) // MOST_TICKS) or 1
    last = max(len(closed) - 1, 1)
    return [
        Tick(round(100 * place / last, 2), number) for number, place in list(first.items())[::every]
    ]


def _beside(closed: list[PhaseLine], number: int, step: int) -> PhaseLine | None:
    return next((each for each in closed if each.number == number + step), None)


@bp.get("/matches/<uid>/moving.svg")
@PageRules(rate=Rate("60 per hour", heavy=True))
def animation(uid: str) -> Response:
    """Return the newest closed phases as one animated SVG file, as everybody may see them. Raises
    NotFound.
    """
    with request_context.database().read_tx() as session:
        shown = frames.closed_boards(session, uid)
    response = make_response(frames.animate(shown))
    response.headers["Content-Type"] = "image/svg+xml; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{uid}.svg"'
    return response


@bp.get("/matches/<uid>/transcript.json")
@PageRules(rate=Rate("60 per minute", heavy=True))
def transcript(uid: str) -> Response:
    """Return the transcript of an ended match as a file."""
    with request_context.database().read_tx() as session:
        plain = transcripts.export_transcript(session, uid)
    return _file(f"{uid}.json", json.dumps(plain, indent=1, ensure_ascii=False))


@bp.get("/matches/<uid>/log.json")
@PageRules(rate=Rate("60 per minute", heavy=True))
def log(uid: str) -> Response:
    """Return the bundle of a match as a file: its public log, also while it runs, and what checks
    it.
    """
    with request_context.database().read_tx() as session:
        plain = log_bundle.export_bundle(session, uid)
    return _file(f"{uid}-log.json", json.dumps(plain, indent=1, ensure_ascii=False))


@bp.get("/matches/<uid>/saved.json")
@PageRules(rate=Rate("60 per minute", heavy=True))
def saved_game(uid: str) -> Response:
    """Return a match in the saved-game format of other programs: one line, public knowledge
    only.
    """
    with request_context.database().read_tx() as session:
        plain = export.export_match(session, uid)
    return _file(f"{uid}-saved.json", json.dumps(plain))


def _file(name: str, text: str) -> Response:
    response = make_response(text + "\n")
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
