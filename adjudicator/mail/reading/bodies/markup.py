"""Converts HTML to text, so that the same rules apply as to plain letters: quotes begin with `>`,
withdrawn text is between marks.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import lxml.html  # type: ignore[import-untyped]  # it has no types
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

from adjudicator.mail.reading.bodies.drawn_rules import DRAWN
from adjudicator.mail.reading.bodies.looks import TextLook, find_looks
from adjudicator.mail.reading.bodies.symbols import translate_symbols
from adjudicator.mail.reading.bodies.withdrawn import STRUCK, UNSEEN, mark_text
from adjudicator.mail.reading.letter_text import Unreadable
from adjudicator.mail.reading.orderlike import is_order

LARGEST = 200_000  # characters of markup
DEEPEST = 120  # elements within elements
ORIGINAL = "-----Original Message-----"
_DEEP = "Its HTML is nested deeper than this service reads; please send it as plain text."
_CONFIG = ParserConfig(css=STRICT_CSS_PROFILE)
_ELEMENTS = (
    "style script head title template noscript object svg math iframe select textarea"
    " datalist audio video canvas noframes noembed"
)
_UNSEEN = frozenset(_ELEMENTS.split())
_CONTROLS = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_INDENTED = re.compile(r"border\s*:\s*none|border-left\s*:\s*(?:none|0)", re.IGNORECASE)
_QUOTE = re.compile(
    r"(?:^|[\s_-])(?:gmail_quote|yahoo_quoted|protonmail_quote|moz-forward-container|zmail_extra|tutanota_quote|front-blockquote)"
)
_BARRED = re.compile(
    r"border-(?:left|right)(?:-style)?\s*:[^;]{0,60}\b(?:solid|double|dashed|dotted|ridge|groove|inset)",
    re.IGNORECASE,
)
_BOXED = re.compile(r"border(?:-top|-bottom)?\s*:\s*(?!none|0)", re.IGNORECASE)
_NARROW = re.compile(r"[1-6](?:px)?")
_QUOTED_NAMES = {"quote", "quoted-content"}
_ABOVE = re.compile(
    r"divRplyFwdMsg|OutlookMessageHeader|mail-editor-reference-message-container|reply-intro-original"
)
_RULE = re.compile(r"border-top\s*:\s*solid\s+#?(?:E1E1E1|B5C4DF|b5c4df)", re.IGNORECASE)
_SIGNATURE = re.compile(
    r"gmail_signature|moz-signature|ms-outlook-mobile-signature|protonmail_signature_block|AppleMailSignature|mail_android_signature"
)


@dataclass(frozen=True)
class MarkupText:
    """What HTML shows."""

    text: str = ""
    # whether it has text that is struck through, unseen like an order, or in a font of symbols
    meant: bool = False


def html_to_text(markup: str) -> MarkupText:
    """Return the text of HTML, a line for each visible line; a quoted part becomes a line that
    begins with `>`.

    Text that is struck through is marked, and so is what looks like an order in the colour of its
    background: a program for dark screens may have coloured it. All other text that cannot be seen
    is left out. Raises Unreadable where elements are nested too deep.
    """
    parser = lxml.html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False
    )
    markup = _CONTROLS.sub("", markup[:LARGEST])
    if not markup.strip():
        return MarkupText()
    try:
        root = lxml.html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.ParserError, lxml.etree.XMLSyntaxError, ValueError, AssertionError):
        return MarkupText()  # it has no visible content
    if _depth(root) > DEEPEST:
        raise Unreadable(_DEEP)  # without its elements a quote would look like orders
    elements = list(root.iter())
    meant = _mark_all(elements)
    signed = any(_SIGNATURE.search(_labels_of(element)) for element in elements)
    ordering = _holding_orders(elements) if signed else set()
    for element in elements:
        _prepare(element, ordering)
    ordering.clear()
    while elements:
        # freed from the end, or lxml looks through all of a removed part for each of its elements
        elements.pop()
    return MarkupText(str(Inscriptis(root, _CONFIG).get_text()), meant)


def _mark_all(elements: Sequence[lxml.html.HtmlElement]) -> bool:
    """Call `_mark` for each element; return whether one of them said so."""
    looks = find_looks(elements)
    return sum(_mark(element, looks) for element in elements) > 0


def _mark(element: lxml.html.HtmlElement, looks: Mapping[lxml.html.HtmlElement, TextLook]) -> bool:
    """Mark, translate or remove the text in an element and after it, as it looks; return whether
    that says more than plain text can.
    """
    if element.tag in _UNSEEN:
        element.text = None
    parent = element.getparent()
    text, within = _shown(element.text, looks[element])
    tail, after = (
        _shown(element.tail, looks[parent]) if parent is not None else (element.tail, False)
    )
    element.text, element.tail = text, tail
    return within or after


def _shown(text: str | None, look: TextLook) -> tuple[str | None, bool]:
    """Return text as it looks, and whether it is marked or translated."""
    if not text or text.isspace():
        return text, False
    if look.unseen or look.blends:
        orders = any(is_order(line.strip()) for line in text.splitlines())
        return (mark_text(text, UNSEEN) if orders and not look.unseen else " "), orders
    text = translate_symbols(text, look.font) if look.font else text
    return (mark_text(text, STRUCK) if look.struck else text), bool(look.font) or look.struck


def _depth(root: lxml.html.HtmlElement) -> int:
    deepest, rows = 0, [root]
    while rows and deepest <= DEEPEST:
        rows = [child for element in rows for child in element]
        deepest += 1
    return deepest


def _labels_of(element: lxml.html.HtmlElement) -> str:
    return " ".join(element.get(each, "") for each in ("class", "id", "data-smartmail"))


def _holding_orders(elements: Sequence[lxml.html.HtmlElement]) -> set[lxml.html.HtmlElement]:
    """Return the elements with a line that may be an order; each line is tested once, at any
    depth.
    """
    holding: set[lxml.html.HtmlElement] = set()
    for element in elements:
        for text, holder in ((element.text, element), (element.tail, element.getparent())):
            if (
                not text
                or holder is None
                or holder in holding
                or not any(is_order(line.strip()) for line in text.splitlines())
            ):
                continue
            while holder is not None and holder not in holding:
                holding.add(holder)
                holder = holder.getparent()
    return holding


def _prepare(element: lxml.html.HtmlElement, ordering: set[lxml.html.HtmlElement]) -> None:
    """Remove elements without text, quotes and signatures; and every style, which could ask for any
    amount of blanks.
    """
    style, name = element.attrib.pop("style", ""), _labels_of(element)
    if element.getparent() is None:
        return
    if element.tag in _UNSEEN or _is_shut(element):
        _replace(element, "")
    elif element.tag == "hr":
        _replace(element, DRAWN)
    elif _is_quote(element, name, style):
        _replace(element, "> ")
    elif _ABOVE.search(name) or _RULE.search(style):
        _before(element, ORIGINAL)
    elif _SIGNATURE.search(name) and element not in ordering:
        _replace(element, "")


def _is_quote(element: lxml.html.HtmlElement, name: str, style: str) -> bool:
    if element.tag == "details":
        return element.get("open") is None  # folded
    if element.tag == "table":
        return _has_bar(element)
    if element.tag == "blockquote":
        return not _INDENTED.search(style) or element.get("type") == "cite"
    if _QUOTE.search(name) or element.get("name") in _QUOTED_NAMES:
        # the answer may be between quotes within it: then only these are removed
        return element.find(".//blockquote") is None
    # some programs mark a quote by nothing but a bar beside it; a box or a table is no quote
    return element.tag == "div" and bool(_BARRED.search(style)) and not _BOXED.search(style)


def _has_bar(table: lxml.html.HtmlElement) -> bool:
    """Whether the first cell of a table is nothing but a coloured bar, as The Bat! draws it beside
    a quote.
    """
    cell = table.find(".//td")
    if (
        cell is None
        or not _NARROW.fullmatch(cell.get("width", ""))
        or any(each.tag != "br" for each in cell)
    ):
        return False
    if "".join(filter(None, (cell.text, *(each.tail for each in cell)))).strip():
        return False
    return bool(cell.get("bgcolor")) or "background" in cell.get("style", "")


def _is_shut(element: lxml.html.HtmlElement) -> bool:
    """Whether an element is a dialogue that is not open."""
    return element.tag == "dialog" and element.get("open") is None


def _replace(element: lxml.html.HtmlElement, text: str) -> None:
    """Replace the content of an element by a text; the text after it stays."""
    for child in list(element):
        element.remove(child)
    element.tag, element.text = "div" if text else "span", text or None


def _before(element: lxml.html.HtmlElement, text: str) -> None:
    line = lxml.html.Element("div")
    line.text = text
    element.addprevious(line)
