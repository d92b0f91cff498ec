"""Draws docs/pictures/architecture.svg from the imports and the steps of docs/architecture.md:
python -m tools.draw_architecture.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "pictures" / "architecture.svg"
NAME = re.compile(r"`([a-z]\w*(?:\.\w+)+)`")
_FLOW = re.compile(r"^## (.+)\n((?:(?!^#).*\n?)*)", re.MULTILINE)
_STEP = re.compile(r"^\d+\. `([\w.]+)`", re.MULTILINE)
# modules outside their room's folder
_OF_A_ROOM = {"catalogue": "games", "cli": "commands", "__main__": "commands"}
WIDTH, MARGIN, BOX, GAP, STEP, PITCH = 1080, 20, 64, 30, 28, 44


@dataclass(frozen=True)
class Room:
    """A box of the picture: its folder, its purpose, its left and right edge as fractions of the
    width, its hue.
    """

    folder: str
    purpose: str
    left: float
    right: float
    hue: int


ROOMS = {
    "commands": Room("adjudicator/commands", "the command line", 0, 1, 0),
    "hosting": Room("adjudicator/hosting", "starts the processes and checks them", 0, 1, 20),
    "web": Room("web", "the site; holds no private key", 0, 0.32, 205),
    "inbox": Room("worker/inbox", "stores letters; holds no private key", 0.34, 0.66, 170),
    "worker": Room("worker", "Celery: closes phases, reads and posts letters", 0.68, 1, 145),
    "mail": Room("adjudicator/mail", "rows into letters, letters into commands", 0, 1, 265),
    "service": Room("adjudicator/service", "tables, transactions, use cases", 0, 1, 35),
    "play": Room("adjudicator/play", "the loop of phases, transcripts; pure", 0, 0.45, 320),
    "games": Room("adjudicator/games", "the rules, a folder a game; pure", 0, 0.45, 300),
    "seal": Room("adjudicator/seal", "keys, boxes, commitments", 0.55, 1, 60),
    "core": Room("adjudicator/core", "what a game is: interface, options, chance", 0, 0.45, 280),
    "platform": Room("adjudicator/platform", "settings, clocks, database, wakeups", 0.55, 1, 220),
}
_STYLE = """
.paper{fill:#fff}.box{fill:#f6f6f4;stroke:#8a8a86}.arrow{stroke:#6b6b68;fill:none;stroke-width:1.5}.head{fill:#6b6b68}
text{font:13px system-ui,sans-serif;fill:#222}.title{font-weight:600;font-size:15px}.soft{fill:#5a5a57}
.heading{font-weight:600;font-size:18px}.code{font:12px ui-monospace,monospace}
@media (prefers-color-scheme:dark){.paper{fill:#16181b}.box{fill:#212429;stroke:#70757c}.arrow{stroke:#9aa0a6}.head{fill:#9aa0a6}
text{fill:#e8e8e6}.soft{fill:#b4b8bd}}
"""


def room_of(module: str) -> str | None:
    """Return the room of a module's dotted name; None for a module outside all rooms."""
    first, second, *_ = (*module.split("."), "", "")
    if first == "worker":
        return "inbox" if second == "inbox" else "worker"
    if first == "adjudicator":
        second = _OF_A_ROOM.get(second, second)
        return second if second in ROOMS else None
    return "web" if first == "web" else None


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """Return the rooms that each room imports directly."""
    found: dict[str, set[str]] = {room: set() for room in ROOMS}
    for path in (
        path
        for folder in ("adjudicator", "web", "worker")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ):
        room = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        if room is None:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules = [f"{node.module}.{alias.name}" for alias in node.names]
            found[room] |= {
                other for other in map(room_of, modules) if other is not None and other != room
            }
    return {room: frozenset(others) for room, others in found.items()}


def room_arrows() -> list[tuple[str, str]]:
    """Return the imports between rooms, less those that others imply. Raises graphlib.CycleError
    for a cycle.
    """
    below: dict[str, frozenset[str]] = {}
    for room in TopologicalSorter(imports()).static_order():
        below[room] = frozenset(imports()[room].union(*(below[other] for other in imports()[room])))
    return [
        (room, other)
        for room in ROOMS
        for other in ROOMS
        if other in imports()[room]
        and not any(other in below[between] for between in imports()[room])
    ]


def read_flows(page: str) -> dict[str, list[str]]:
    """Return the first function of each step of each flow, by the flow's heading."""
    return {title: _STEP.findall(text) for title, text in _FLOW.findall(page)}


def full_name(name: str) -> str:
    """Return a dotted name of the page with the package it leaves out: `play.loop` is
    adjudicator.play.loop.
    """
    return name if name.split(".")[0] in ("web", "worker") else f"adjudicator.{name}"


def draw_picture(page: str) -> str:
    """Return the picture as SVG; equal pages and imports give equal texts."""
    tops = _tops()
    body = [_box(name, top) for name, top in tops.items()]
    body += [_arrow(ROOMS[a], tops[a] + BOX, ROOMS[b], tops[b]) for a, b in room_arrows()]
    top = max(tops.values()) + BOX + 50
    columns = read_flows(page)
    wide = (WIDTH - 2 * MARGIN - 20 * (len(columns) - 1)) / len(columns)
    for at, (title, steps) in enumerate(columns.items()):
        body += _column(title, steps, MARGIN + at * (wide + 20), top, wide)
    height = top + 20 + max(map(len, columns.values())) * PITCH
    head = (
        '<marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6"'
        ' orient="auto">'
    )
    return "\n".join(
        [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
                f' width="{WIDTH}" height="{height}">'
            ),
            f"<style>{_STYLE}</style>",
            f'<defs>{head}<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
            f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
            *body,
            "</svg>\n",
        ]
    )


def _tops() -> dict[str, int]:
    """Return the upper edge of each room, above all rooms that it imports."""
    levels: dict[str, int] = {}
    for room in TopologicalSorter(imports()).static_order():
        levels[room] = 1 + max((levels[other] for other in imports()[room]), default=-1)
    most = max(levels.values())
    return {room: MARGIN + (most - levels[room]) * (BOX + GAP) for room in ROOMS}


def _edges(room: Room) -> tuple[float, float]:
    wide = WIDTH - 2 * MARGIN
    return MARGIN + room.left * wide, MARGIN + room.right * wide


def _box(name: str, top: int) -> str:
    room = ROOMS[name]
    left, right = _edges(room)
    folders = sorted(path.parent.name for path in (ROOT / room.folder).glob("*/__init__.py"))
    # a new game needs no new picture, and the inbox has its own box
    inside = [] if name in ("games", "worker") else folders
    return (
        _frame(left, top, right - left, BOX, room.hue)
        + _text(left + 16, top + 20, f"{room.folder}/", "title")
        + _text(left + 16, top + 38, room.purpose)
        + (_text(left + 16, top + 55, " · ".join(inside), "soft") if inside else "")
    )


def _column(title: str, steps: list[str], left: float, top: float, wide: float) -> list[str]:
    drawn = [_text(left, top, title, "heading")]
    for number, name in enumerate(steps, 1):
        y = top + 16 + (number - 1) * PITCH
        hue = ROOMS[room_of(full_name(name)) or ""].hue
        drawn.append(
            _frame(left, y, wide, STEP, hue) + _text(left + 14, y + 19, f"{number}  {name}", "code")
        )
        if number < len(steps):
            drawn.append(_line(left + 30, y + STEP, left + 30, y + PITCH))
    return drawn


def _arrow(upper: Room, bottom: int, lower: Room, top: int) -> str:
    """Draw an arrow straight down if the boxes overlap, else between their nearer corners."""
    (left, right), (other_left, other_right) = _edges(upper), _edges(lower)
    if min(right, other_right) > max(left, other_left):
        middle = (min(right, other_right) + max(left, other_left)) / 2
        return _line(middle, bottom, middle, top)
    return (
        _line(right - 30, bottom, other_left + 30, top)
        if right <= other_left
        else _line(left + 30, bottom, other_right - 30, top)
    )


def _frame(left: float, top: float, wide: float, high: float, hue: int) -> str:
    box = (
        f'<rect class="box" x="{left:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{high:.0f}"'
        ' rx="4"/>'
    )
    return (
        f'{box}<rect x="{left:.0f}" y="{top:.0f}" width="6" height="{high:.0f}" rx="3"'
        f' fill="hsl({hue},55%,50%)"/>'
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="arrow" d="M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}" marker-end="url(#head)"/>'


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.0f}" y="{y:.0f}">{escape(words)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw_picture(PAGE.read_text("utf-8")), "utf-8")
