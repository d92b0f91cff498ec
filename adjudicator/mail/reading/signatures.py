"""Recognises lines that are no content: footers of mobile programs and scanners, disclaimers,
greetings, good-byes and names.
"""

import re
import unicodedata
from collections.abc import Sequence

from adjudicator.mail.reading.orderlike import any_of, compile_text, is_order, is_part, lines_of

_FOOTER = compile_text(rf"\W{{0,3}}{any_of('footers')}\W{{0,3}}")
_DISCLAIMER = compile_text(rf"\W{{0,3}}{any_of('disclaimers')}")
RULE = re.compile(r"[_=]{8,}|[-–—*~#]{20,}")
_GREETING = compile_text(rf"{any_of('greetings')}(?P<rest>\b.*)|{any_of('eastern')}")
_GOODBYE = compile_text(rf"{any_of('goodbyes')}(?P<rest>(?:\b|(?<=\+)).*)|{any_of('eastern')}")
_CONTACT = re.compile(
    r"<?[^\s@<>]{1,64}@[^\s@<>]{1,250}\.[^\s@<>]{2,30}>?|<?(?:https?://|www\.)\S{3,300}|\W{0,2}\+?(?=(?:\D*\d){7})[\d\s()./-]{7,25}"
)
_MOST_NAMES = 4  # words of a name after a greeting or below a good-bye
_ALSO = frozenset(lines_of("greeted"))


def is_footer(line: str) -> bool:
    """Whether a mail program or a virus scanner wrote this line."""
    return len(line) <= 300 and bool(_FOOTER.fullmatch(line)) and not is_order(line)


def begins_disclaimer(line: str) -> bool:
    """Whether the disclaimer of a company or the footer of a list begins here."""
    return bool(_DISCLAIMER.match(line[:400])) and not is_order(line)


def strip_greetings(lines: Sequence[str], name: str, *, first: bool) -> tuple[list[str], list[str]]:
    """Return the lines without greeting, good-bye and the writer's name, and those left out;
    `first` allows a greeting.
    """
    kept = list(lines)
    left: list[str] = []
    while (
        first
        and kept
        and len(left) < 2
        and (_is_greeting(kept[0]) or (not left and len(kept) > 1 and _is_goodbye(kept[0])))
    ):
        left.append(kept.pop(0))
    end = _end(kept, name)
    return kept[:end], left + kept[end:]


def _end(lines: Sequence[str], name: str) -> int:
    """Return where the good-byes at the end begin: `thanks`, `cheers, Bob`, with a name, an address
    or a telephone below.
    """
    end = len(lines)
    while end > 1 and _CONTACT.fullmatch(lines[end - 1]):
        end -= 1
    end = _signed(lines[:end], name)
    while end and _is_goodbye(lines[end - 1]):
        end -= 1
    return end


def _signed(lines: Sequence[str], name: str) -> int:
    """Return where the signature begins: the writer's name, or up to two lines like a name below a
    good-bye.
    """
    end = len(lines)
    for back in range(1, min(2, end - 1) + 1):
        below = lines[end - back :]
        if _is_goodbye(lines[end - back - 1]) and all(
            _like_name(line) or _is_initial(line, name) for line in below
        ):
            return end - back
    return end - 1 if end and _is_name(lines[end - 1], name) else end


def _is_greeting(line: str) -> bool:
    return _is(line, _GREETING)


def _is_goodbye(line: str) -> bool:
    first, *more = re.split(r",\s*(?:and |und |et |y |e )?", line, maxsplit=3)
    return _is(line, _GOODBYE) or (
        bool(more) and _is(first, _GOODBYE) and all(_is(each, _GOODBYE) for each in more)
    )


def _is(line: str, pattern: re.Pattern[str]) -> bool:
    """Whether the line is a phrase of that kind, followed by nothing but a name."""
    bare = line.strip().strip("!.,:;-–—*_~ )(?！。、，🙂👍😀")
    if is_order(bare) or len(bare) > 80:
        return False
    found = pattern.fullmatch(bare)
    return found is not None and _only_names((found.groupdict().get("rest") or "").strip(" ,.!-–"))


def _only_names(rest: str) -> bool:
    words = rest.replace("/", " ").split()
    if (
        len(words) > _MOST_NAMES
        or any(is_order(word) for word in words if len(word) > 1)
        or (len(words) == 1 and is_order(rest))
    ):
        return False
    if any(letter.isdigit() or letter == "," for letter in rest):
        return False
    return len(words) <= 2 or all(_may_be_name(word) for word in words)


def _may_be_name(word: str) -> bool:
    return (
        word.lower().strip(",.!") in _ALSO
        or word[:1].isupper()
        or not word[:1].isalpha()
        or not word[:1].isascii()
    )


def _like_name(line: str) -> bool:
    words = line.split()
    return (
        0 < len(words) <= _MOST_NAMES
        and not is_order(line)
        and all(word[:1].isupper() or not word[:1].isalpha() for word in words)
        and not re.search(r"\d", line)
    )


def _is_name(line: str, name: str) -> bool:
    """Whether the line is the writer's name, a part of it, or its first letter."""
    ours, theirs = _words(line), _words(name)
    if not ours or not theirs or is_order(line):
        return False
    return all(word in theirs for word in ours) or (
        len(ours) == 1 and len(ours[0]) == 1 and ours[0] == theirs[0][:1]
    )


def _is_initial(line: str, name: str) -> bool:
    """Whether a line below a good-bye is the writer's initial; it must not be a whole order."""
    bare = line.strip(" .").lower()
    return is_part(bare) and _words(name)[:1] != [] and _words(name)[0].startswith(bare)


def _words(text: str) -> list[str]:
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text[:200])
        if not unicodedata.combining(letter)
    )
    return re.findall(r"[^\W\d_]+", plain.lower())
