"""Painting a picture from its chunks: each is rendered once and kept as pixels, and so is what
several pictures begin with.
"""

import re
from collections import deque
from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from PIL import Image

from adjudicator.mail.drawing.boxes import Box, measure_chunk, measure_hole
from adjudicator.mail.drawing.chunks import Cut, cut_body
from adjudicator.mail.drawing.patches import Patch, Pixels, sides, split_patch
from adjudicator.mail.drawing.resvg import render
from adjudicator.mail.drawing.texts import draw_text
from adjudicator.platform.byte_cache import ByteCache

PATCHES = 48_000_000  # bytes of rendered chunks
GROUNDS = 24_000_000  # bytes of what several pictures begin with
_RECENT = 6  # pictures with which a new one is compared
_SHORTEST = 8  # chunks of a ground worth keeping
_MARGIN = 1  # pixels around a chunk's box, which must stay empty
_WIDER = 4  # the same for what reaches them, such as lines of less than a pixel
_OVERHEAD = 1_500  # bytes of a kept patch beside its pixels

_LARGE = 20_000  # pixels: a chunk in a larger cell is drawn in pieces
_TALL = 512  # pixels: heights of canvases are multiples of this
_ROUNDING = 1e-6  # pixels: a height that is whole but for the rounding of its computation is whole
_SHEET = re.compile(
    r'<rect width="([0-9.]+)" height="([0-9.]+)"(?: rx="[0-9.]+")? fill="#(?:FFFFFF|ffffff)"/>'
)

BACKGROUND = "#ffffff"  # of a letter


class Frame(NamedTuple):
    """A view box and the width in pixels at which it is drawn; the height is cut to whole pixels.

    Its `tall` canvas has a few heights only, so that pictures that differ in their height share
    chunks.
    """

    left: float
    top: float
    scale: float  # pixels for a unit
    width: int  # pixels
    tall: int  # pixels

    def wrap(self, chunk: str, cell: Pixels) -> str:
        """Return an SVG that draws the part `cell` of this frame, pixel for pixel."""
        left, top, right, bottom = cell
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{right - left}"'
            f' height="{bottom - top}">'
        )
        x, y = self.origin(cell)
        return (
            f'{head}<g transform="matrix({self.scale!r} 0 0 {self.scale!r}'
            f' {x!r} {y!r})">{chunk}</g></svg>'
        )

    def origin(self, cell: Pixels) -> tuple[float, float]:
        """Return the pixel of `cell` in which the picture's units begin."""
        return -cell[0] - self.left * self.scale, -cell[1] - self.top * self.scale

    def cell(self, box: Box, margin: int = _MARGIN) -> Pixels | None:
        """Return the pixels that `box` may touch, and a margin (below 0: those inside it only);
        None where there are none.
        """
        left = max(0, floor((box[0] - self.left) * self.scale) - margin)
        top = max(0, floor((box[1] - self.top) * self.scale) - margin)
        right = min(self.width, ceil((box[2] - self.left) * self.scale) + margin)
        bottom = min(self.tall, ceil((box[3] - self.top) * self.scale) + margin)
        return (left, top, right, bottom) if left < right and top < bottom else None


class Painter:
    """Paints pictures; what it returns depends on the picture alone, never on what was painted
    before. Not safe for threads.
    """

    def __init__(self, patches: int = PATCHES, grounds: int = GROUNDS) -> None:
        self.patches: ByteCache[tuple[Frame, str], list[Patch]] = ByteCache(patches)
        self.grounds: ByteCache[tuple[Frame, int, tuple[str, ...]], Image.Image] = ByteCache(
            grounds
        )
        self._recent: deque[tuple[Frame, int, tuple[str, ...]]] = deque(maxlen=_RECENT)

    def paint(self, cut: Cut, width: int) -> Image.Image:
        """Return the picture in RGB on white. Raises UnknownDrawingError for what only resvg itself
        can draw, ValueError for no SVG.
        """
        left, top, across, down = cut.box
        height = max(1, floor(down * width / across + _ROUNDING))
        frame = Frame(left, top, width / across, width, ceil(height / _TALL) * _TALL)
        chunks = cut.chunks[1:] if _is_white_sheet(cut) else cut.chunks
        done, canvas = self._ground(frame, height, chunks)
        shared = max(
            (_shared(chunks, other) for *of, other in self._recent if of == [frame, height]),
            default=0,
        )
        if shared > max(done, _SHORTEST):
            self._lay(canvas, frame, chunks[done:shared])
            self.grounds.put(
                (frame, height, chunks[:shared]), canvas.copy(), 3 * canvas.width * canvas.height
            )
            done = shared
        self._lay(canvas, frame, chunks[done:])
        if (frame, height, chunks) not in self._recent:
            self._recent.append((frame, height, chunks))
        return canvas

    def _ground(
        self, frame: Frame, height: int, chunks: tuple[str, ...]
    ) -> tuple[int, Image.Image]:
        """Return a canvas with the longest kept beginning of the picture, and the number of its
        chunks.
        """
        fitting = [
            key
            for key in self.grounds
            if key[:2] == (frame, height) and chunks[: len(key[2])] == key[2]
        ]
        best = max(fitting, key=lambda key: len(key[2]), default=None)
        found = self.grounds.get(best) if best else None
        if best is None or found is None:
            return 0, Image.new("RGB", (frame.width, height), BACKGROUND)
        return len(best[2]), found.copy()

    def _lay(self, canvas: Image.Image, frame: Frame, chunks: Sequence[str]) -> None:
        for chunk in chunks:
            patches = self.patches.get((frame, chunk))
            if patches is None:
                patches = [
                    part for patch in draw_chunk(frame, chunk) for part in split_patch(patch)
                ]
                size = sum(
                    _OVERHEAD + 5 * patch.colours.width * patch.colours.height for patch in patches
                )
                self.patches.put((frame, chunk), patches, size + len(chunk) + _OVERHEAD)
            for patch in patches:
                canvas.paste(patch.colours, patch.at, patch.coverage)


def _is_white_sheet(cut: Cut) -> bool:
    """Whether a picture begins with a sheet as large as itself in the canvas's own colour."""
    if not cut.chunks or cut.box[:2] != (0, 0):
        return False
    sheet = _SHEET.fullmatch(cut.chunks[0])
    return sheet is not None and (float(sheet[1]), float(sheet[2])) == cut.box[2:]


def draw_chunk(frame: Frame, chunk: str) -> list[Patch]:
    """Render one chunk, a large one piece by piece: rendering and PNG take time for each pixel,
    also for those without colour.
    """
    box = measure_chunk(chunk)
    cell = frame.cell(box) if box else None
    if cell is None:
        return []
    pieces = cut_body(chunk, 0) if (cell[2] - cell[0]) * (cell[3] - cell[1]) > _LARGE else None
    if pieces and len(pieces) > 1:
        return [patch for piece in pieces for patch in draw_chunk(frame, piece)]
    hole = measure_hole(chunk)
    inside = frame.cell(hole, -_MARGIN) if hole else None
    if inside:
        return [patch for side in sides(cell, inside) if (patch := _draw_cell(frame, chunk, side))]
    return _draw_box(frame, chunk, box) if box else []


def _draw_box(frame: Frame, chunk: str, box: Box) -> list[Patch]:
    """Render one chunk within its box; within a larger one where it reaches the border."""
    patch = None
    for margin in (_MARGIN, _WIDER, frame.width + frame.tall):
        cell = frame.cell(box, margin)
        patch = _draw_cell(frame, chunk, cell) if cell else None
        if not (cell and patch and _touches(frame, cell, patch)):
            break
    return [patch] if patch else []


def _draw_cell(frame: Frame, chunk: str, cell: Pixels) -> Patch | None:
    size = cell[2] - cell[0], cell[3] - cell[1]
    image = draw_text(chunk, frame.scale, frame.origin(cell), size)
    image = image or render(frame.wrap(chunk, cell))
    drawn = image.getchannel("A").getbbox()
    if not drawn:
        return None
    image = image.crop(drawn)
    return Patch(
        (cell[0] + drawn[0], cell[1] + drawn[1]), image.convert("RGB"), image.getchannel("A")
    )


def _touches(frame: Frame, cell: Pixels, patch: Patch) -> bool:
    """Whether a drawn pixel lies on a border of the cell that is none of the picture's."""
    (left, top), size = patch.at, patch.colours.size
    return (
        left == cell[0] > 0
        or top == cell[1] > 0
        or left + size[0] == cell[2] < frame.width
        or top + size[1] == cell[3] < frame.tall
    )


def _shared(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """Return with how many equal chunks both begin."""
    for number, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return number
    return min(len(first), len(second))
