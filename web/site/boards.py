"""Small pictures of boards as images of their own: in both lights, and kept by browsers until they
would be drawn otherwise.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from flask import Blueprint, make_response, request, url_for
from werkzeug.wrappers import Response

from adjudicator.service.base.errors import NotFound
from adjudicator.service.views import game_info
from adjudicator.service.views.finding import thumbnails
from adjudicator.service.views.finding.thumbnails import NewestBoard
from web.http import open_data, request_context
from web.http.page_rules import PageRules, Rate

bp = Blueprint("boards", __name__)

KEPT_SECONDS = 365 * 24 * 3600  # of a picture whose address says how it was drawn
RENEWED_SECONDS = 300  # of any other
_STATIC = Path(__file__).parent.parent / "static"
_DRAWN = Path(thumbnails.__file__).parents[3] / "games"
_DARK = "@media (prefers-color-scheme: dark)"
_TOKEN = re.compile(r"--([a-z-]+): (#[0-9A-Fa-f]{6});")
_RULE = re.compile(
    r"^\s*(?::is\(\.board, \.pick-face\)|\.board) \.([a-z-]+) \{ (fill|stroke): ([^;]+);",
    re.MULTILINE,
)
# where another picture of the rules tells a game better than the first
_SHOWN_FIRST = {"rsp-diplomacy": "rsp_beats"}


@bp.get("/matches/<uid>/boards/<int:number>.svg", endpoint="board")
@PageRules(rate=Rate("300 per minute"), no_cookie=True, impersonal=True, picture=True)
def send_board(uid: str, number: int) -> Response:
    """Send the small picture of a closed phase, as everybody may see it. Raises NotFound."""
    with request_context.database().read_tx() as session:
        svg, ended, private = thumbnails.board_picture(session, uid, number)
    response = _send(svg, lasting=request.args.get("v") == _version(ended=ended))
    if private:  # its people may share a browser with others
        response.headers["Cache-Control"] = "private, no-cache"
    return response


@bp.get("/games/<key>/picture.svg", endpoint="game")
@PageRules(same_for_all=True, impersonal=True, picture=True)
def send_game(key: str) -> Response:
    """Send the small picture that stands for a game. Raises NotFound."""
    return _send(_game_picture(key), lasting=request.args.get("v") == _version(ended=False))


@cache
def _game_picture(key: str) -> str:
    pictures = game_info.pictures(key)
    if not pictures:
        raise NotFound("This game has no picture.")
    return thumbnails.simplify(
        pictures.get(_SHOWN_FIRST.get(key, ""), next(iter(pictures.values())))
    )


def board_address(uid: str, board: NewestBoard) -> str:
    """Return the address of a match's board; another one where it would be drawn otherwise."""
    return url_for("boards.board", uid=uid, number=board.number, v=_version(ended=board.open_hands))


def game_address(key: str) -> str:
    """Return the address of the picture that stands for a game."""
    return url_for("boards.game", key=key, v=_version(ended=False))


def _send(svg: str, *, lasting: bool) -> Response:
    style, hash_ = _dark_style()
    begun, _, rest = svg.partition(">")
    response = make_response(f"{begun}><style>{style}</style>{rest}")
    response.mimetype = "image/svg+xml"
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src '{hash_}'; frame-ancestors 'none'"
    )
    lasts = f"{KEPT_SECONDS}, immutable" if lasting else str(RENEWED_SECONDS)
    response.headers["Cache-Control"] = f"{open_data.who_keeps()}, max-age={lasts}"
    response.add_etag()
    return response.make_conditional(request)


@cache
def _version(*, ended: bool) -> str:
    """Return a mark of all that a picture depends on beside its match and phase: how it is drawn,
    and whether all hands are open.
    """
    found = hashlib.sha256(_dark_style()[0].encode())
    for path in sorted([*_DRAWN.rglob("*.py"), *_DRAWN.rglob("*.json"), Path(thumbnails.__file__)]):
        found.update(path.read_bytes())
    return found.hexdigest()[:10] + ("e" if ended else "")


@cache
def _dark_style() -> tuple[str, str]:
    """Return the rules of the site's dark theme for the classes of pictures, and the hash that the
    content policy allows them by.
    """
    light, dark = (_STATIC / "match.css").read_text(), (_STATIC / "dark.css").read_text()
    tokens = dict(_TOKEN.findall(dark))
    rules = [
        (each, kind, tokens.get(value[len("var(--") : -1], ""))
        for each, kind, value in _RULE.findall(light)
    ]
    both = [*(rule for rule in rules if rule[2]), *_RULE.findall(dark)]
    style = f"{_DARK}{{{''.join(f'.{each}{{{kind}:{value}}}' for each, kind, value in both)}}}"
    return style, f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"
