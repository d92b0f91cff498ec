"""Trials of orders: on any position of a match, on a blank board, and beside the order form. Nothing is stored."""

import re
from dataclasses import dataclass

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response

from adjudicator.core.game import About
from adjudicator.play.submission import TooLong
from adjudicator.service.views import game_info, trials
from adjudicator.service.views.trials import Board, Tried
from web.http import request_context
from web.http.error_pages import status_of
from web.http.order_form import Typed
from web.matches import match_page

bp = Blueprint("trials", __name__)

NOT_FOR_ROBOTS = {"X-Robots-Tag": "noindex"}
_IDS = re.compile(r"""((?<=\s)id=["']|url\(#|href=["']#)""")


@dataclass(frozen=True)
class Sandbox:
    """The content of a trial's page."""

    about: About
    board: Board
    typed: str
    tried: Tried | None = None
    sentence: str = ""  # why nothing could be tried


@bp.get("/matches/<uid>/phases/<int:number>/try", endpoint="of_phase")
def phase_trial(uid: str, number: int) -> Response:
    """Show a position of a match to try orders on; the box contains the orders opened there."""
    board = _board(uid, number)
    return _of_match(uid, number, Sandbox(game_info.about(board.game_key), board, board.orders))


@bp.post("/matches/<uid>/phases/<int:number>/try")
def try_phase(uid: str, number: int) -> Response:
    """Show the result of orders on the trial's page; for htmx as a fragment beside the order form."""
    board = _board(uid, number)
    sandbox = _tried(board)
    if request_context.by_htmx():
        part = render_template("web/_dry_run.html", sandbox=sandbox, uid=uid, number=number, picture=_set_apart(sandbox))
        return make_response(part, 200, NOT_FOR_ROBOTS)
    return _of_match(uid, number, sandbox)


@bp.get("/games/<key>/try", endpoint="of_game")
def game_trial(key: str) -> Response:
    """Show a game's blank board to try orders on."""
    return _of_game(Sandbox(game_info.about(key), trials.blank(key), ""))


@bp.post("/games/<key>/try")
def try_game(key: str) -> Response:
    """Show the result of orders on a blank board."""
    return _of_game(_tried(trials.blank(key)))


def _board(uid: str, number: int) -> Board:
    with request_context.database().read_tx() as session:
        return trials.of_phase(session, uid, number, request_context.current_person_id())


def _tried(board: Board) -> Sandbox:
    about, typed = game_info.about(board.game_key), Typed.read(request.form).orders
    if not typed.strip():
        return Sandbox(about, board, typed, sentence="No orders are written yet, so there was nothing to try.")
    try:
        return Sandbox(about, board, typed, board.tried(typed))
    except TooLong as refused:
        return Sandbox(about, board, typed, sentence=str(refused))


def _of_match(uid: str, number: int, sandbox: Sandbox) -> Response:
    shown = render_template("web/trial.html", page=match_page.load_head(uid), tab="", sandbox=sandbox, number=number)
    return make_response(shown, _status(sandbox), NOT_FOR_ROBOTS)


def _of_game(sandbox: Sandbox) -> Response:
    return make_response(render_template("web/trial_blank.html", sandbox=sandbox), _status(sandbox), NOT_FOR_ROBOTS)


def _status(sandbox: Sandbox) -> int:
    return status_of(TooLong()) if sandbox.sentence and sandbox.typed.strip() else 200


def _set_apart(sandbox: Sandbox) -> str:
    """Return the picture with other ids, since the page shows the same board already."""
    picture = sandbox.tried.picture if sandbox.tried else ""
    return _IDS.sub(r"\1tried-", picture)
