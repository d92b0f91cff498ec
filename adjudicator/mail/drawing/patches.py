"""Parts of pictures as pixels, cut so that laying them over others takes little time."""

from dataclasses import dataclass

from PIL import Image

_WHOLE = 4_000  # pixels: a smaller patch is pasted sooner than cut
_PLAIN = 0.9  # the share of pixels wholly covered or not at all that a patch to be cut has
_PASTING = 600  # pixels whose blending takes as long as one more patch
_COPYING = 10  # pixels copied while one is blended
_EDGE = 4  # pixels of a patch's border, within which it may cover nothing, or all

Pixels = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True)
class Patch:
    """A part of a rendered chunk: colours and coverage of its pixels (None: all are covered
    wholly), and where they lie.
    """

    at: tuple[int, int]
    colours: Image.Image
    coverage: Image.Image | None


def split_patch(patch: Patch) -> list[Patch]:
    """Return the parts of a patch that take the least time to paste: without large areas where it
    draws nothing, and with those that it covers wholly by themselves.
    """
    coverage = patch.coverage
    if coverage is None or coverage.width * coverage.height < _WHOLE or _is_fine(coverage):
        return [patch]
    parts = []
    for box in _split(coverage, (0, 0, *coverage.size))[1]:
        full = _extremes(coverage, box) == (255, 255)
        at = patch.at[0] + box[0], patch.at[1] + box[1]
        parts.append(Patch(at, patch.colours.crop(box), None if full else coverage.crop(box)))
    return parts


def _split(coverage: Image.Image, within: Pixels) -> tuple[int, list[Pixels]]:
    """Return boxes that hold all that is covered `within` a box, and what they cost to paste, in
    blended pixels.
    """
    inside = coverage.crop(within)
    drawn = inside.getbbox()
    if not drawn:
        return 0, []
    left, top, right, bottom = (within[at % 2] + drawn[at] for at in range(4))
    box, across, down = (left, top, right, bottom), right - left, bottom - top
    if _extremes(coverage, box) == (255, 255):
        return _PASTING + across * down // _COPYING, [box]
    cost = _PASTING + across * down
    if across * down < 2 * _PASTING:
        return cost, [box]
    inner = left + _EDGE, top + _EDGE, right - _EDGE, bottom - _EDGE
    if min(across, down) > 3 * _EDGE and _extremes(coverage, inner) in ((0, 0), (255, 255)):
        parts = [*sides(box, inner), inner]
    elif across > down:
        middle = left + across // 2
        parts = [(left, top, middle, bottom), (middle, top, right, bottom)]
    else:
        middle = top + down // 2
        parts = [(left, top, right, middle), (left, middle, right, bottom)]
    costs, boxes = zip(*(_split(coverage, part) for part in parts), strict=True)
    return min((cost, [box]), (sum(costs), [each for some in boxes for each in some]))


def _is_fine(coverage: Image.Image) -> bool:
    """Whether many pixels are covered in part, as those of texts are: cutting gains little there."""
    counts = coverage.histogram()
    return counts[0] + counts[255] < sum(counts) * _PLAIN


def _extremes(coverage: Image.Image, box: Pixels) -> object:
    return coverage.crop(box).getextrema()


def sides(cell: Pixels, hole: Pixels) -> list[Pixels]:
    """Return the cell without the hole in it, as four cells that do not overlap; those without a
    pixel are left out.
    """
    left, top, right, bottom = cell
    level = [(left, top, right, hole[1]), (left, hole[3], right, bottom)]
    upright = [(left, hole[1], hole[0], hole[3]), (hole[2], hole[1], right, hole[3])]
    return [side for side in level + upright if side[0] < side[2] and side[1] < side[3]]
