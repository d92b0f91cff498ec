"""What `sealed check` finds."""

from dataclasses import dataclass
from functools import partial
from typing import Literal


@dataclass(frozen=True)
class Finding:
    """One line of a check: fine, wrong, or for information. Evidence may follow it on lines of its
    own.
    """

    state: Literal["ok", "note", "wrong"]
    text: str


Ok, Note, Wrong = partial(Finding, "ok"), partial(Finding, "note"), partial(Finding, "wrong")
