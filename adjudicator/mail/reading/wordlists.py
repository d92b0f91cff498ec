"""The patterns in `words/`, one a line, as people of many languages and their programs write them."""

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


def lines_of(name: str) -> list[str]:
    """Return the lines of a list, its notes left out."""
    return [line for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")]


def any_of(*names: str) -> str:
    """Return a pattern that matches any line of these lists; a blank in it stands for any one."""
    return f"(?:{'|'.join(line.replace(' ', chr(92) + 's') for name in names for line in lines_of(name))})"


def compiled(pattern: str) -> re.Pattern[str]:
    """Return it compiled for text of any case and any number of lines."""
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)
