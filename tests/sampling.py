"""How many cases a test runs: EVERY_CASE=1, which `script/test --all` sets, runs those too of which
`script/test` takes a sample.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

EVERY_CASE = bool(os.environ.get("EVERY_CASE"))
_T = TypeVar("_T")


def examples(few: int, many: int) -> int:
    """Return the number of drawn examples: `few`, or `many` with EVERY_CASE=1."""
    return many if EVERY_CASE else few


def sample(cases: Sequence[_T], few: int) -> Sequence[_T]:
    """Return `few` of the cases, spread evenly from the first one on; all of them with
    EVERY_CASE=1.
    """
    return (
        cases
        if EVERY_CASE
        else [cases[place * len(cases) // few] for place in range(min(few, len(cases)))]
    )
