"""SVG as PNG: painted from its chunks, or by resvg where it has what the painter does not know."""

from PIL import Image

from adjudicator.mail.drawing.chunks import cut_picture
from adjudicator.mail.drawing.painter import BACKGROUND, Painter
from adjudicator.mail.drawing.palette import encode_png
from adjudicator.mail.drawing.paths import UnknownDrawingError
from adjudicator.mail.drawing.resvg import render


class Drawer:
    """Draws pictures, and keeps what they have in common; only one thread at a time may use it."""

    def __init__(self) -> None:
        self._painter = Painter()

    def draw(self, svg: str, stripped: str, width: int) -> bytes:
        """Return `svg` as a PNG of `width` pixels; `stripped` is the same without what is unseen.
        Raises ValueError for what is no SVG.
        """
        return encode_png(self._paint(svg, stripped, width), stripped)

    def _paint(self, svg: str, stripped: str, width: int) -> Image.Image:
        cut = cut_picture(stripped)
        if cut is not None:
            try:
                return self._painter.paint(cut, width)
            except UnknownDrawingError:
                pass
        image = render(svg, width)
        canvas = Image.new("RGB", image.size, BACKGROUND)
        canvas.paste(image, mask=image.getchannel("A"))
        return canvas
