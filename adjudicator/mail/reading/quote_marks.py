"""The marks that mail programs set before lines they quote."""

import re

_MARKED = re.compile(r"\s{0,3}(?:[A-Z]{2}(?=>(?:\s|>|$)))?>")  # `> `, or initials as The Bat! sets them: `SO> `


def is_marked(line: str) -> bool:
    """Whether a line begins with a mark of a quote."""
    return _MARKED.match(line) is not None
