"""Converts HTML to text with quotes marked by `>`, so that the same rules apply as to plain letters."""

import re
from collections.abc import Sequence

import lxml.html  # type: ignore[import-untyped]  # it has no types
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

from adjudicator.mail.reading.letter_text import Unreadable
from adjudicator.mail.reading.orderlike import is_order

LARGEST = 200_000  # characters of markup
DEEPEST = 120  # elements within elements
ORIGINAL = "-----Original Message-----"
_DEEP = "Its HTML is nested deeper than this service reads; please send it as plain text."
_CONFIG = ParserConfig(css=STRICT_CSS_PROFILE)
_UNSEEN = {"style", "script", "head", "title", "template", "noscript", "object", "svg", "math", "iframe", "select", "textarea"}
_CONTROLS = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt)?\s*(?:;|$)", re.IGNORECASE)
_INDENTED = re.compile(r"border\s*:\s*none|border-left\s*:\s*(?:none|0)", re.IGNORECASE)
_QUOTE = re.compile(
    r"(?:^|[\s_-])(?:gmail_quote|yahoo_quoted|protonmail_quote|moz-forward-container|zmail_extra|tutanota_quote|front-blockquote)"
)
_BARRED = re.compile(r"border-(?:left|right)(?:-style)?\s*:[^;]{0,60}\b(?:solid|double|dashed|dotted|ridge|groove|inset)", re.IGNORECASE)
_BOXED = re.compile(r"border(?:-top|-bottom)?\s*:\s*(?!none|0)", re.IGNORECASE)
_QUOTED_NAMES = {"quote", "quoted-content"}
_ABOVE = re.compile(r"divRplyFwdMsg|OutlookMessageHeader|mail-editor-reference-message-container|reply-intro-original")
_RULE = re.compile(r"border-top\s*:\s*solid\s+#?(?:E1E1E1|B5C4DF|b5c4df)", re.IGNORECASE)
_SIGNATURE = re.compile(
    r"gmail_signature|moz-signature|ms-outlook-mobile-signature|protonmail_signature_block|AppleMailSignature|mail_android_signature"
)


def html_to_text(markup: str) -> str:
    """Return the visible text of HTML, a line for each visible line; a quoted part becomes a line that begins with `>`.

    Raises Unreadable where elements are nested too deep.
    """
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    markup = _CONTROLS.sub("", markup[:LARGEST])
    if not markup.strip():
        return ""
    try:
        root = lxml.html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.ParserError, lxml.etree.XMLSyntaxError, ValueError, AssertionError):
        return ""  # it has no visible content
    if _depth(root) > DEEPEST:
        raise Unreadable(_DEEP)  # without its elements a quote would look like orders
    elements = list(root.iter())
    signed = any(_SIGNATURE.search(_named(element)) for element in elements)
    ordering = _holding_orders(elements) if signed else set()
    for element in elements:
        _prepare(element, ordering)
    return str(Inscriptis(root, _CONFIG).get_text())


def _depth(root: lxml.html.HtmlElement) -> int:
    deepest, rows = 0, [root]
    while rows and deepest <= DEEPEST:
        rows = [child for element in rows for child in element]
        deepest += 1
    return deepest


def _named(element: lxml.html.HtmlElement) -> str:
    return " ".join(element.get(each, "") for each in ("class", "id", "data-smartmail"))


def _holding_orders(elements: Sequence[lxml.html.HtmlElement]) -> set[lxml.html.HtmlElement]:
    """Return the elements with a line that may be an order; each line is tested once, at any depth."""
    holding: set[lxml.html.HtmlElement] = set()
    for element in elements:
        for text, holder in ((element.text, element), (element.tail, element.getparent())):
            if not text or holder is None or holder in holding or not any(is_order(line.strip()) for line in text.splitlines()):
                continue
            while holder is not None and holder not in holding:
                holding.add(holder)
                holder = holder.getparent()
    return holding


def _prepare(element: lxml.html.HtmlElement, ordering: set[lxml.html.HtmlElement]) -> None:
    """Remove invisible elements, quotes and signatures; and every style, which could ask for any amount of blanks."""
    style, name = element.attrib.pop("style", ""), _named(element)
    if element.getparent() is None:
        return
    if element.tag in _UNSEEN or _HIDDEN.search(style):
        _replace(element, "")
    elif _is_quote(element, name, style):
        _replace(element, "> ")
    elif _ABOVE.search(name) or _RULE.search(style):
        _before(element, ORIGINAL)
    elif _SIGNATURE.search(name) and element not in ordering:
        _replace(element, "")


def _is_quote(element: lxml.html.HtmlElement, name: str, style: str) -> bool:
    if element.tag == "blockquote":
        return not _INDENTED.search(style) or element.get("type") == "cite"
    if _QUOTE.search(name) or element.get("name") in _QUOTED_NAMES:
        # the answer may be between quotes within it: then only these are removed
        return element.find(".//blockquote") is None
    # some programs mark a quote by nothing but a bar beside it; a box or a table is no quote
    return element.tag == "div" and bool(_BARRED.search(style)) and not _BOXED.search(style)


def _replace(element: lxml.html.HtmlElement, text: str) -> None:
    """Replace the content of an element by a text; the text after it stays."""
    for child in list(element):
        element.remove(child)
    element.tag, element.text = "div" if text else "span", text or None


def _before(element: lxml.html.HtmlElement, text: str) -> None:
    line = lxml.html.Element("div")
    line.text = text
    element.addprevious(line)
