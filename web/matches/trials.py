"""Trials of orders: on any position of a match, on a blank board or one of an address, and beside
the order form. Nothing is stored.
"""

import json
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Blueprint, make_response, render_template, request, url_for
from werkzeug.wrappers import Response

from adjudicator.core.game import About
from adjudicator.play.submission import TooLong
from adjudicator.service.views import game_info, trials
from adjudicator.service.views.trials import Board, FilledSlot, Shared, Tried
from web.http import request_context
from web.http.error_pages import status_of
from web.http.order_form import Typed
from web.http.page_rules import PageRules, Rate
from web.matches import match_page

bp = Blueprint("trials", __name__)

NOT_FOR_ROBOTS = {"X-Robots-Tag": "noindex"}
# characters after the question mark; browsers, proxies and our server take 8,000
LONGEST_ADDRESS = 6000
_IDS = re.compile(r"""((?<=\s)id=["']|url\(#|href=["']#)""")
_UNREADABLE = re.compile(r"[^\S\n ]|[^\s\x20-\x7e\xa0-\U0010ffff]|[\ud800-\udfff]")


@dataclass(frozen=True)
class Sandbox:
    """The content of a trial's page."""

    about: About
    board: Board
    typed: str
    tried: Tried | None = None
    sentence: str = ""  # why nothing could be tried
    too_long: bool = False  # whether that is since something is too long
    position: str = ""  # as typed; "" for the game's own board
    understood: tuple[FilledSlot, ...] = ()  # which of the choices the text has
    shared: Shared | None = None  # for the address of this trial; None before there was one

    @property
    def filled(self) -> dict[str, str]:
        """The order of each slot that has one."""
        return {each.slot: each.order for each in self.understood}

    @property
    def choices(self) -> str:
        """What was understood, for the page's script."""
        return json.dumps([[each.slot, each.order, each.line] for each in self.understood])

    @property
    def address(self) -> str:
        """The path with the position and the orders, "" if there is none or if it would be too
        long.
        """
        if self.shared is None:
            return ""
        path = url_for(
            "trials.of_game",
            key=self.about.key,
            position=self.shared.position,
            orders=self.shared.orders,
        )
        return path if len(urlsplit(path).query) <= LONGEST_ADDRESS else ""


@dataclass(frozen=True)
class Comparison:
    """What would come of a trial beside what came of the phase, sentence by sentence."""

    trial_only: tuple[str, ...]
    match_only: tuple[str, ...]
    both: tuple[str, ...]

    @classmethod
    def of(cls, tried: tuple[str, ...], told: tuple[str, ...]) -> "Comparison":
        """Compare the story of a trial with that of the phase."""
        both = tuple(line for line in told if line in tried)
        return cls(
            tuple(line for line in tried if line not in both),
            tuple(line for line in told if line not in both),
            both,
        )


@bp.get("/matches/<uid>/phases/<int:number>/try", endpoint="of_phase")
@PageRules(rate=Rate("60 per minute", by_person=True))
def phase_trial(uid: str, number: int) -> Response:
    """Show a position of a match to try orders on; the box contains the orders opened there."""
    board = _board(uid, number)
    return _of_match(uid, number, _untried(board, board.orders))


@bp.post("/matches/<uid>/phases/<int:number>/try")
@PageRules(rate=Rate("60 per minute", by_person=True))
def try_phase(uid: str, number: int) -> Response:
    """Show the result of orders on the trial's page; for htmx as a fragment, for that page or to be
    shown beside the order form.
    """
    board = _board(uid, number)
    sandbox = _tried(board)
    if request_context.by_htmx() and "position" not in request.form:
        part = render_template(
            "web/_dry_run.html",
            sandbox=sandbox,
            uid=uid,
            number=number,
            picture=_set_apart(sandbox),
        )
        return make_response(part, 200, NOT_FOR_ROBOTS)
    return _of_match(uid, number, sandbox)


@bp.get("/games/<key>/try", endpoint="of_game")
@PageRules(rate=Rate("60 per minute", by_person=True))
def game_trial(key: str) -> Response:
    """Show a game's blank board, or the position and the result of the orders that the address
    holds. Raises NotFound and TooLong.
    """
    length = len(request.query_string)
    if length > LONGEST_ADDRESS:
        raise TooLong(
            f"An address holds {LONGEST_ADDRESS:,} characters of position and orders at most, and"
            f" this one has {length:,}."
        )
    position, orders = (_legible(request.args.get(name, "")) for name in ("position", "orders"))
    try:
        board = _laid(key, position)
    except TooLong as refused:
        return _of_game(_refused(key, orders, position, refused))
    return _of_game(
        _carry_out(board, orders, position) if orders.strip() else _untried(board, "", position)
    )


@bp.post("/games/<key>/try")
@PageRules(rate=Rate("60 per minute", by_person=True))
def try_game(key: str) -> Response:
    """Show the result of orders on a blank board, or on the position that was typed."""
    position = request.form.get("position", "")
    try:
        return _of_game(_tried(_laid(key, position), position))
    except TooLong as refused:
        return _of_game(_refused(key, Typed.read(request.form).orders, position, refused))


# --- boards and results


def _board(uid: str, number: int) -> Board:
    with request_context.database().read_tx() as session:
        return trials.of_phase(session, uid, number, request_context.current_person_id())


def _laid(key: str, position: str) -> Board:
    return trials.of_text(key, position) if position.strip() else trials.blank(key)


def _refused(key: str, typed: str, position: str, why: TooLong) -> Sandbox:
    """Return the blank board with a position that is too long, and with the orders for it."""
    return Sandbox(
        game_info.about(key),
        trials.blank(key),
        typed,
        sentence=str(why),
        too_long=True,
        position=position,
    )


def _legible(text: str) -> str:
    """Return a text of an address with line feeds only and without control characters."""
    return _UNREADABLE.sub(" ", "\n".join(text.splitlines()))


def _untried(board: Board, orders: str, position: str = "") -> Sandbox:
    return Sandbox(
        game_info.about(board.game_key),
        board,
        orders,
        position=position,
        understood=board.understood(orders),
    )


def _tried(board: Board, position: str = "") -> Sandbox:
    typed = _typed(board)
    if not typed.strip():
        sentence = "No orders are written yet, so there was nothing to try."
        return Sandbox(
            game_info.about(board.game_key), board, typed, sentence=sentence, position=position
        )
    return _carry_out(board, typed, position)


def _typed(board: Board) -> str:
    """Return the orders to try: those of the text box, with what was chosen in the list if its
    button was pressed.

    The button holds what the list showed, since a choice that nobody touched replaces nothing that
    was typed.
    """
    typed = Typed.read(request.form)
    if not typed.whole or "listed" not in request.form:
        return typed.orders
    shown, now = _shown(request.form["listed"]), dict(zip(typed.slots, typed.chosen, strict=True))
    names = [slot.name for slot in board.slots]
    changed = {
        name: now.get(name, "") for name in names if now.get(name, "") != shown.get(name, "")
    }
    try:
        return board.with_chosen(typed.text, changed)
    except TooLong:
        return typed.text


def _shown(text: str) -> dict[str, str]:
    try:
        context = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return context if isinstance(context, dict) else {}


def _carry_out(board: Board, typed: str, position: str) -> Sandbox:
    about = game_info.about(board.game_key)
    try:
        tried = board.tried(typed)
        understood, shared = board.understood(typed), board.shared(typed)
        return Sandbox(
            about, board, typed, tried, position=position, understood=understood, shared=shared
        )
    except TooLong as refused:
        return Sandbox(about, board, typed, sentence=str(refused), too_long=True, position=position)


# --- pages


def _of_match(uid: str, number: int, sandbox: Sandbox) -> Response:
    head, story = match_page.load_phase(uid, number)
    compared = (
        Comparison.of(sandbox.tried.lines, story.lines)
        if story and number and sandbox.tried
        else None
    )
    return _page("web/trial.html", sandbox, page=head, tab="", number=number, compared=compared)


def _of_game(sandbox: Sandbox) -> Response:
    return _page("web/trial_blank.html", sandbox, page=None, compared=None)


def _page(template: str, sandbox: Sandbox, **told: object) -> Response:
    part = request_context.by_htmx()
    shown = render_template(
        "web/_outcome.html" if part else template,
        sandbox=sandbox,
        picture=_set_apart(sandbox),
        **told,
    )
    return make_response(
        shown, status_of(TooLong()) if sandbox.too_long and not part else 200, NOT_FOR_ROBOTS
    )


def _set_apart(sandbox: Sandbox) -> str:
    """Return the picture with other ids, since the page shows the same board already."""
    picture = sandbox.tried.picture if sandbox.tried else ""
    return _IDS.sub(r"\1tried-", picture)
