"""How many cases a test runs: EVERY_CASE=1 runs those too of which a whole run takes a sample."""

import os
from typing import TypeVar

EVERY_CASE = bool(os.environ.get("EVERY_CASE"))
_T = TypeVar("_T")


def examples(few: int, many: int) -> int:
    """Return the number of drawn examples: `few`, or `many` with EVERY_CASE=1."""
    return many if EVERY_CASE else few
