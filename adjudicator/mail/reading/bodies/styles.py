"""The declarations of CSS that apply to an element of a letter: of its attribute `style`, and of
simple rules in style sheets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import lxml.html  # type: ignore[import-untyped]  # it has no types

Style = Mapping[str, str]
"""Properties with their values, in lower case."""

_LARGEST_SHEET = 100_000  # characters
_LONGEST_STYLE = 4000
_MOST_RULES = 500
_MOST_WITHIN = 100  # rules for elements within others: each is tried at every element
_MOST_CLASSES = 20  # of an element
_PROPERTIES = (
    "display visibility opacity mso-hide height max-height width max-width overflow"
    " text-indent left right top bottom margin-left margin-top transform filter zoom"
    " content-visibility clip clip-path font font-family font-size color background"
    " background-color background-image text-decoration text-decoration-line text-line-through"
)
_READ = frozenset(_PROPERTIES.split())
_SELECTOR = re.compile(r"(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?")
_BRACE = re.compile(r"[{}]")


def parse_style(text: str) -> dict[str, str]:
    """Return the declarations of an attribute `style`, as far as they decide how text looks; of two
    the last one counts.
    """
    found: dict[str, str] = {}
    for each in text[:_LONGEST_STYLE].split(";"):
        name, _, value = each.partition(":")
        if (name := name.strip().lower()) in _READ:
            found[name] = value.partition("!")[0].strip().lower()
    return found


class StyleSheet:
    """The rules of a letter's style sheets whose selectors are an element, a class, an id, or an
    element with either; also within others of them, in any order.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        """Parse the sheets; rules within an at-rule such as @media are passed over."""
        # by the last part of a selector, then by the parts before it
        self._rules: dict[str, dict[frozenset[str], dict[str, str]]] = {}
        self._outer: set[str] = set()  # the parts before the last ones
        self._around: dict[lxml.html.HtmlElement, frozenset[str]] = {}
        self._count = self._within = 0
        for sheet in sheets:
            for selectors, body in _rules(_without_comments(sheet[:_LARGEST_SHEET])):
                if declared := parse_style(body):
                    self._add(selectors, declared)

    def style_of(self, element: lxml.html.HtmlElement) -> Style:
        """Return the declarations for an element; the more particular ones count, of its attribute
        before all. Elements are asked about in the order of the letter.
        """
        own = parse_style(element.get("style", ""))
        if not self._rules:
            return own
        around = self._around.get(element.getparent(), frozenset())
        selectors = list(_selectors(element))
        ours = self._outer.intersection(selectors)
        self._around[element] = around | ours if ours else around
        found: dict[str, str] = {}
        for selector in selectors:
            for outer, declared in self._rules.get(selector, {}).items():
                if outer <= around:
                    found |= declared
        return found | own

    def _add(self, selectors: str, declared: Style) -> None:
        for selector in selectors.lower().split(",")[:_MOST_RULES]:
            *parts, last = selector.replace(">", " ").split() or [""]
            if not last or not all(map(_SELECTOR.fullmatch, (*parts, last))):
                continue
            outer = frozenset(parts)
            known = outer in self._rules.get(last, {})
            if known or (self._count < _MOST_RULES and (not outer or self._within < _MOST_WITHIN)):
                self._rules.setdefault(last, {}).setdefault(outer, {}).update(declared)
                self._outer |= outer
                self._count += not known
                self._within += bool(outer) and not known


def _selectors(element: lxml.html.HtmlElement) -> Iterator[str]:
    """Yield the selectors that apply to an element, the least particular first."""
    tag, classes = element.tag, element.get("class", "").lower().split()[:_MOST_CLASSES]
    yield tag
    yield from (f".{each}" for each in classes)
    yield from (f"{tag}.{each}" for each in classes)
    if name := element.get("id", "").lower():
        yield f"#{name}"
        yield f"{tag}#{name}"


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the body of each rule that is in no other."""
    depth = start = begin = 0
    selectors = ""
    for brace in _BRACE.finditer(sheet):
        if brace[0] == "{":
            if depth == 0:
                selectors = sheet[start : brace.start()].rpartition(";")[2].strip()
                begin = brace.end()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0 and not selectors.startswith("@"):
                yield selectors.replace("<!--", "").replace("-->", ""), sheet[begin : brace.start()]
        start = brace.end()


def _without_comments(sheet: str) -> str:
    first, *rest = sheet.split("/*")
    return first + "".join(each.partition("*/")[2] for each in rest)
