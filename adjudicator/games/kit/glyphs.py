"""Rock, Paper and Scissors: what beats what, and three plain glyphs of our own, the same in every
game.
"""

from typing import Literal

from adjudicator.games.kit.shapes import Spot, colour_paths

Kind = Literal["rock", "paper", "scissors"]
KINDS: tuple[Kind, ...] = ("rock", "paper", "scissors")
BEATS: dict[Kind, Kind] = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


def winner(one: Kind, other: Kind) -> Kind | None:
    """Return which of two kinds beats the other, None for a tie."""
    if one == other:
        return None
    return one if BEATS[one] == other else other


# each is drawn in a box from -50 to 50: surfaces in the colour `ink`, gaps in `gap`
_PATHS: dict[Kind, str] = {
    "rock": (
        '<path d="M-44 30L-38 -8L-16 -38L20 -40L42 -10L46 30Z" fill="{ink}" stroke="{ink}"'
        ' stroke-width="6" stroke-linejoin="round"/><path d="M-16 -38L-8 -6L-38 -8M-8 -6L20 -16L20'
        ' -40M20 -16L42 -10M-8 -6L2 30" fill="none" stroke="{gap}" stroke-width="4.5"'
        ' stroke-linejoin="round" stroke-linecap="round"/>'
    ),
    "paper": (
        '<path d="M-32 -44H14L34 -24V44H-32Z" fill="{ink}" stroke="{ink}" stroke-width="6"'
        ' stroke-linejoin="round"/><path d="M14 -44V-24H34M-18 -8H20M-18 10H20M-18 28H6"'
        ' fill="none" stroke="{gap}" stroke-width="5" stroke-linejoin="round"'
        ' stroke-linecap="round"/>'
    ),
    "scissors": (
        '<path d="M-30 -46L11 19M30 -46L-11 19" fill="none" stroke="{ink}" stroke-width="11"'
        ' stroke-linecap="round"/><circle cx="-20" cy="32" r="13" fill="none" stroke="{ink}"'
        ' stroke-width="9"/><circle cx="20" cy="32" r="13" fill="none" stroke="{ink}"'
        ' stroke-width="9"/><circle cx="0" cy="2" r="3.5" fill="{gap}"/>'
    ),
}


def glyph(kind: Kind, at: Spot, size: float, *, ink: str, gap: str) -> str:
    """Return the glyph in a box of `size` around `at`; `ink` and `gap` are colours, the same in
    both themes.
    """
    return colour_paths(_PATHS[kind], at, size, ink=ink, gap=gap)
