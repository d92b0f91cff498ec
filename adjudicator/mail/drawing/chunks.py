"""A picture cut into chunks in the order of painting, so that a chunk drawn before need not be
drawn again.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

SMALL = 900  # characters: a longer group is cut into its children
_TITLE = re.compile(r"<title>[^<]*</title>")
# a single pattern for both, or one without the letters ahead, takes longer
_UNSEEN = re.compile(
    r' (?=[icrapd])(?:id|class|role|aria-[a-z]+|pointer-events|data-[a-z-]+)="[^"]*"'
)
TAG = re.compile(r'<(/?)([a-z]+)((?: [a-z-]+="[^"<]*")*) ?(/?)>')
_BOX = r"([-0-9.]+) ([-0-9.]+) ([0-9.]+) ([0-9.]+)"
_ROOT = re.compile(
    rf'\s*<svg xmlns="http://www\.w3\.org/2000/svg" viewBox="{_BOX}">(.*)</svg>\s*', re.DOTALL
)
# a quote in a text, or `>` in an attribute, which _UNSEEN could misread
_QUOTED = re.compile(r'>[^<"]*"')
_LOOKS_BY_NAME = ("<style", "url(", "href", "begin=")  # what gives ids and classes a look


@dataclass(frozen=True)
class Cut:
    """A picture's view box (left, top, width, height in its units) and its chunks, each a whole SVG
    fragment.
    """

    box: tuple[float, float, float, float]
    chunks: tuple[str, ...]


class _Open(NamedTuple):
    """An element that is not closed yet: where it begins, how many chunks there were, the groups
    around it.
    """

    name: str
    start: int
    chunks: int
    before: str
    whole: bool  # a text, or a group whose opacity holds for all its children together


@lru_cache(maxsize=1)  # for the hash of a picture, and to draw it
def strip_unseen(svg: str) -> str:
    """Return `svg` without what nobody sees: titles, ids, classes; unchanged where these might
    matter.

    Two pictures that are equal then look alike.
    """
    return _UNSEEN.sub("", _TITLE.sub("", svg)) if _is_plain(svg) else svg


def _is_plain(svg: str) -> bool:
    return not any(each in svg for each in _LOOKS_BY_NAME) and not _QUOTED.search(svg)


def cut_picture(stripped: str) -> Cut | None:
    """Return the chunks of what `strip_unseen` returned; painted one over another they give the
    same picture.

    None for an SVG in an unknown form. Which attributes an element has is for `boxes.measure_chunk`
    to judge.
    """
    root = _ROOT.fullmatch(stripped)
    if root is None or not _is_plain(stripped):
        return None
    try:
        left, top, width, height = (float(root[at]) for at in range(1, 5))
    except ValueError:
        return None
    chunks = cut_body(root[5], SMALL)
    return (
        None
        if chunks is None or min(width, height) < 1
        else Cut((left, top, width, height), tuple(chunks))
    )


def cut_body(body: str, small: int) -> list[str] | None:
    """Return the chunks of a picture's content, with groups of at most `small` characters whole;
    None where tags do not match.
    """
    done: list[tuple[str, int, int, int]] = []  # what opens it, begin and end, what closes it
    open_: list[_Open] = []
    before, unknown = "", body.count("<")
    for tag in TAG.finditer(body):
        unknown -= 1
        closing, name, attributes, empty = tag.groups()
        if empty:
            done.append((before, tag.start(), tag.end(), len(open_)))
        elif not closing:
            open_.append(
                _Open(
                    name, tag.start(), len(done), before, name != "g" or " opacity=" in attributes
                )
            )
            before += tag[0]
        elif not open_ or open_[-1].name != name:
            return None
        else:
            last = open_.pop()
            before = last.before
            if last.whole or tag.end() - last.start <= small:
                done[last.chunks :] = [(before, last.start, tag.end(), len(open_))]
    if open_ or unknown:
        return None
    return [f"{outer}{body[begin:end]}{'</g>' * depth}" for outer, begin, end, depth in done]
