"""Boards of random play as SVG, and the same drawn by resvg alone."""

import itertools
import re
from collections.abc import Iterator
from functools import cache

from PIL import Image, ImageChops

from adjudicator import catalogue
from adjudicator.core.game import AnyGame
from adjudicator.mail.drawing.resvg import render
from tests.sampling import examples
from tools.playing import bot_player, play_steps

STEPS = examples(3, 5)  # of a match


def boards(game: AnyGame, seed: str) -> Iterator[str]:
    """Yield the pictures of the first steps of a match of random play, for an observer and for each
    seat in turn.
    """
    seats = game.about.seats[max(game.about.seats)]
    viewers = itertools.cycle((None, *seats))
    steps = play_steps(game, seats, dict.fromkeys(seats, bot_player("random")), seed)
    for step, viewer in zip(itertools.islice(steps, STEPS), viewers, strict=False):
        yield game.draw(game.view(step.state, viewer))


@cache
def all_boards(seed: str) -> tuple[str, ...]:
    """Return boards of every game."""
    return tuple(svg for game in catalogue.every_game() for svg in boards(game, seed))


def drawn_whole(svg: str, size: tuple[int, int]) -> Image.Image:
    """Return `svg` drawn by resvg at once, on white, `size[0]` pixels wide and with equal scales in
    both directions.
    """
    left, top, across, _ = (float(each) for each in re.search(r'viewBox="([^"]*)"', svg)[1].split())  # type: ignore[index]  # it has one
    scale = size[0] / across
    inner = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    place = f"matrix({scale!r} 0 0 {scale!r} {-left * scale!r} {-top * scale!r})"
    image = render(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}"><g'
        f' transform="{place}">{inner}</g></svg>'
    )
    return on_white(image)


def on_white(image: Image.Image) -> Image.Image:
    """Return what one sees of an image in RGBA on white paper."""
    canvas = Image.new("RGB", image.size, "white")
    canvas.paste(image, mask=image.getchannel("A"))
    return canvas


def differing(one: Image.Image, other: Image.Image, *, by: int) -> float:
    """Return the share of pixels that differ by more than `by` of 255 in brightness."""
    counts = ImageChops.difference(one, other).convert("L").histogram()
    return sum(counts[by + 1 :]) / (one.width * one.height)
