"""The ledger kept outside the service: answers to players, letters at the mail server, and the
faults with their times.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Fate = Literal["accepted", "late", "refused", "unanswered"]


@dataclass(frozen=True)
class Handed:
    """Orders submitted by form, and the page's answer. Times are seconds since 1970."""

    match: str
    seat: str
    phase: int  # named by the answer, or the form's if there was none
    text: str
    begun: float
    ended: float  # when the answer was read or given up
    fate: Fate
    seq: int = 0
    seal: str = ""
    reason: str = ""  # of a refusal


@dataclass(frozen=True)
class Posted:
    """A letter that the inbox acknowledged with 250."""

    message_id: str
    match: str
    seat: str
    text: str
    begun: float  # of the acknowledged attempt
    ended: float
    tries: int


@dataclass(frozen=True)
class Kept:
    """A letter that reached the mail server, and the server's answer."""

    at: float
    message_id: str
    to: str
    # taken: answered 250; cut, silent: kept without an answer
    answer: Literal["taken", "cut", "silent", "refused"]

    @property
    def kept(self) -> bool:
        """Whether its recipient has it."""
        return self.answer != "refused"


@dataclass(frozen=True)
class Fault:
    """A fault and its duration. `between`: whether it could prevent an accepted letter from being
    marked as sent.
    """

    name: str
    begin: float
    end: float
    between: bool


@dataclass(frozen=True)
class Ledger:
    """All entries of one run."""

    handed: Sequence[Handed] = ()
    posted: Sequence[Posted] = ()
    kept: Sequence[Kept] = ()
    faults: Sequence[Fault] = field(default=())

    def accepted_at(self) -> list[float]:
        """Return the times at which a player learned that something was accepted."""
        forms = [each.ended for each in self.handed if each.fate in ("accepted", "late")]
        return sorted([*forms, *(each.ended for each in self.posted)])


_KINDS: dict[str, Any] = {"Handed": Handed, "Posted": Posted, "Kept": Kept}


def to_json(entry: Handed | Posted | Kept) -> str:
    """Return an entry as one line of JSON."""
    return json.dumps({"what": type(entry).__name__, **asdict(entry)}) + "\n"


def read_ledger(files: Iterable[Path], faults: Sequence[Fault] = ()) -> Ledger:
    """Read all complete lines written so far."""
    found: dict[str, list[Any]] = {name: [] for name in _KINDS}
    for file in files:
        text = file.read_text() if file.exists() else ""
        for each in text[: text.rfind("\n") + 1].splitlines():
            plain = json.loads(each)
            what = plain.pop("what")
            found[what].append(_KINDS[what](**plain))
    return Ledger(found["Handed"], found["Posted"], found["Kept"], tuple(faults))
