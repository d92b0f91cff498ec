"""Parts of pictures: cut so that fewer pixels are blended, and none looks otherwise."""

import pytest
from PIL import Image, ImageDraw

from adjudicator.mail.drawing.patches import Patch, split_patch

SIZE = 160, 120
PAPER = "#C9DDE3"


def covered(shape: str) -> Image.Image:
    """Return the coverage of a shape that begins within a pixel."""
    fine = Image.new("L", (SIZE[0] * 4, SIZE[1] * 4))
    pen = ImageDraw.Draw(fine)
    if shape == "line":
        pen.line((10, 10, 620, 470), fill=255, width=9)
    elif shape == "frame":
        pen.rectangle((2, 2, 633, 473), outline=255, width=9)
    elif shape == "sheet":
        pen.rectangle((2, 2, 633, 473), fill=255)
    elif shape == "dots":
        pen.ellipse((5, 5, 60, 60), fill=255)
        pen.ellipse((560, 400, 630, 470), fill=99)
    else:
        pen.rectangle((0, 0, *fine.size), fill=120)
    return fine.reduce(4)


@pytest.mark.parametrize(
    ("shape", "share"),
    [("line", 0.3), ("frame", 0.15), ("sheet", 0.15), ("dots", 0.05), ("veil", 1)],
)
def test_parts_show_what_the_whole_shows_and_blend_fewer_pixels(shape: str, share: float) -> None:
    coverage = covered(shape)
    colours = Image.radial_gradient("L").resize(SIZE).convert("RGB")
    whole, parts = Image.new("RGB", (200, 200), PAPER), Image.new("RGB", (200, 200), PAPER)
    whole.paste(colours, (20, 30), coverage)
    found = split_patch(Patch((20, 30), colours, coverage))
    for part in found:
        parts.paste(part.colours, part.at, part.coverage)
    assert parts.tobytes() == whole.tobytes()
    blended = sum(part.coverage.width * part.coverage.height for part in found if part.coverage)
    assert blended <= share * SIZE[0] * SIZE[1]
    assert len(found) < 40
