"""How the text of each element of an HTML letter looks: whether it can be seen, is struck through,
or is in a font of symbols.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import lxml.html  # type: ignore[import-untyped]  # it has no types

from adjudicator.mail.reading.bodies.colours import CLEAR, WHITE, Colour, look_same, read_colour
from adjudicator.mail.reading.bodies.styles import Style, StyleSheet
from adjudicator.mail.reading.bodies.symbols import FONTS

_STRUCK = {"s", "strike", "del"}
_TELLING = _STRUCK | {"a"}  # elements that change how text looks without an attribute
_TRACKED = re.compile(r"(?:^|\s)msodel(?:\s|$)")  # what Word's tracked changes delete
_ZERO = re.compile(r"(?:0{1,9}(?:\.0{0,9})?|\.0{1,9})(?:[a-z]{1,4}|%)?")
# Word's lists hang by less
_FAR = re.compile(
    r"-(?:[5-9]\d\d|\d{4,6})(?:\.\d{1,6})?(?:px|pt|%)?|-(?:[5-9]\d|\d{3,6})(?:\.\d{1,6})?r?em"
)
_SIZE = re.compile(r"(\d{0,6}(?:\.\d{0,6})?)\s*(px|pt|cm|mm|in|pc|r?em|ex|ch|%|v[hw])?")
_SHORT_SIZE = re.compile(r"(?:^|\s)(0[a-z%]{0,3})(?:/|\s)")  # the size in `font: 0/0 a`
_CLIPPED = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)|inset\(\s*(?:50|100)%|circle\(\s*0"
)
# transforms and filters that leave nothing to be seen, or move it out of sight
_SHRUNK = re.compile(
    r"(?:scale[xy]?|opacity)\(\s*(?:0{1,9}(?:\.0{0,9})?|\.0{1,9})%?\s*[,)]"
    r"|translate[xy3d]{0,2}\([^)]{0,60}-(?:[5-9]\d\d|\d{4,6})(?:px|pt|%|r?em)"
)
_PICTURE = re.compile(r"url\(|gradient")
_NAMED_COLOUR = re.compile(r"#[0-9a-f]{3,8}|rgba?\([^)]{1,60}\)|[a-z]{3,20}")
_SMALLEST = 1.0  # px or pt: what is this small or smaller cannot be read
_RELATIVE = ("em", "ex", "ch", "%")


@dataclass(frozen=True)
class TextLook:
    """How text in an element looks."""

    gone: bool = False  # it is not shown, whatever the elements in it say
    hidden: bool = False  # invisible, unless an element in it says otherwise
    tiny: bool = False
    ink: Colour | None = None  # None: as usual, or not known
    paper: Colour | None = WHITE  # what is behind it, None where that is not known
    struck: bool = False
    font: str = ""  # that of `FONTS`, "" for any other

    @property
    def unseen(self) -> bool:
        """Whether it is not shown, or not in a size that can be read."""
        return self.gone or self.hidden or self.tiny

    @property
    def blends(self) -> bool:
        """Whether nobody can tell it from what is behind it."""
        if self.ink is None or self.ink == CLEAR:
            return self.ink == CLEAR
        return self.paper is not None and look_same(self.ink, self.paper)


def find_looks(elements: Sequence[lxml.html.HtmlElement]) -> dict[lxml.html.HtmlElement, TextLook]:
    """Return how the text in each element of a letter looks; the elements are in the order of the
    letter.
    """
    sheet = StyleSheet(element.text or "" for element in elements if element.tag == "style")
    looks: dict[lxml.html.HtmlElement, TextLook] = {}
    for element in elements:
        parent = element.getparent()
        above = looks.get(parent, TextLook()) if parent is not None else TextLook()
        looks[element] = _look(element, sheet.style_of(element), above)
    return looks


def _look(element: lxml.html.HtmlElement, style: Style, above: TextLook) -> TextLook:
    if not style and element.tag not in _TELLING and not element.keys():
        return above
    classes = element.get("class", "").lower()
    return replace(
        above,
        gone=above.gone or _is_gone(element, style),
        hidden=_is_hidden(style, above=above.hidden),
        tiny=_is_tiny(element, style, above=above.tiny),
        ink=_ink(element, style, above),
        paper=_paper(element, style, above),
        struck=above.struck
        or element.tag in _STRUCK
        or _strikes(style)
        or bool(_TRACKED.search(classes)),
        font=_font(element, style, above),
    )


def _is_gone(element: lxml.html.HtmlElement, style: Style) -> bool:
    if (
        style.get("display") == "none"
        or style.get("mso-hide") == "all"
        or element.get("hidden") is not None
    ):
        return True
    if (
        _ZERO.fullmatch(style.get("opacity", "1"))
        or _ZERO.fullmatch(style.get("zoom", "1"))
        or style.get("content-visibility") == "hidden"
        or _SHRUNK.search(f"{style.get('transform', '')} {style.get('filter', '')}")
        or _CLIPPED.search(style.get("clip", "") + style.get("clip-path", ""))
    ):
        return True
    sizes = (style.get(name, "") for name in ("height", "max-height", "width", "max-width"))
    cut = style.get("overflow", "").startswith(("hidden", "clip")) and any(
        _ZERO.fullmatch(size) for size in sizes
    )
    return cut or any(
        _FAR.fullmatch(style.get(name, ""))
        for name in ("text-indent", "left", "right", "top", "bottom", "margin-left", "margin-top")
    )


def _is_hidden(style: Style, *, above: bool) -> bool:
    visibility = style.get("visibility", "inherit")
    return above if visibility == "inherit" else visibility in ("hidden", "collapse")


def _is_tiny(element: lxml.html.HtmlElement, style: Style, *, above: bool) -> bool:
    shorthand = _SHORT_SIZE.search(style.get("font", ""))
    text = style.get("font-size", shorthand[1] if shorthand else "")
    if not text:
        return above and not ("font" in style or (element.tag == "font" and element.get("size")))
    found = _SIZE.fullmatch(text)
    if found is None:
        return above and text in ("inherit", "smaller", "larger")  # a word sets a size
    size, unit = float(found[1]) if found[1] not in ("", ".") else 0.0, found[2] or "px"
    if size == 0 or unit in _RELATIVE:
        return size == 0 or above
    return unit in ("px", "pt") and size <= _SMALLEST


def _ink(element: lxml.html.HtmlElement, style: Style, above: TextLook) -> Colour | None:
    attribute = {"font": "color", "body": "text"}.get(element.tag, "")
    text = style.get("color") or (element.get(attribute, "") if attribute else "")
    if not text or text in ("inherit", "currentcolor"):
        return None if element.tag == "a" else above.ink
    return read_colour(text)


def _paper(element: lxml.html.HtmlElement, style: Style, above: TextLook) -> Colour | None:
    text = (
        style.get("background-color")
        or style.get("background")
        or element.get("bgcolor", "").lower()
    )
    if _PICTURE.search(text + style.get("background-image", "")) or element.get("background"):
        return None
    if not text:
        return above.paper
    found = (read_colour(each[0]) for each in _NAMED_COLOUR.finditer(text[:200]))
    colour = next((each for each in found if each is not None), above.paper)
    return above.paper if colour == CLEAR else colour


def _strikes(style: Style) -> bool:
    lines = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
    return "line-through" in lines or style.get("text-line-through", "none") not in ("none", "")


def _font(element: lxml.html.HtmlElement, style: Style, above: TextLook) -> str:
    shorthand = style.get("font", "")
    text = (
        style.get("font-family")
        or (element.get("face", "").lower() if element.tag == "font" else "")
        or shorthand
    )
    if not text:
        return above.font
    name = text.partition(",")[0].strip(" \"'")
    return (
        name
        if name in FONTS
        else next((each for each in FONTS if shorthand.endswith(f" {each}")), "")
    )
