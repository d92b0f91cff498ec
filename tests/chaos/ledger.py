"""What is written down outside of the service: what players were answered, what the mail server kept, what was broken and when."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Fate = Literal["accepted", "late", "refused", "unanswered"]


@dataclass(frozen=True)
class Handed:
    """Orders that a player handed in by a form, and what the page said. Moments are seconds since 1970."""

    match: str
    seat: str
    phase: int  # that the answer names, or that the form was for where none came
    text: str
    begun: float
    ended: float  # when the answer was read, or when it was clear that none would come
    fate: Fate
    seq: int = 0
    seal: str = ""
    reason: str = ""  # of a refusal


@dataclass(frozen=True)
class Posted:
    """A letter that the inbox took: it said 250."""

    message_id: str
    match: str
    seat: str
    text: str
    begun: float  # of the try that was answered
    ended: float
    tries: int


@dataclass(frozen=True)
class Kept:
    """A letter that reached the mail server, and how the server answered."""

    at: float
    message_id: str
    to: str
    answer: Literal["taken", "cut", "silent", "refused"]  # taken: 250 was said; cut, silent: it was kept, and nothing was said

    @property
    def kept(self) -> bool:
        """Whether its reader has it now."""
        return self.answer != "refused"


@dataclass(frozen=True)
class Fault:
    """Something that was broken, and until when. `between`: whether it could keep a letter that was taken from being marked as sent."""

    name: str
    begin: float
    end: float
    between: bool


@dataclass(frozen=True)
class Ledger:
    """All of it, from one run."""

    handed: Sequence[Handed] = ()
    posted: Sequence[Posted] = ()
    kept: Sequence[Kept] = ()
    faults: Sequence[Fault] = field(default=())

    def accepted_at(self) -> list[float]:
        """Return the moments at which a player knew that something was taken."""
        forms = [each.ended for each in self.handed if each.fate in ("accepted", "late")]
        return sorted([*forms, *(each.ended for each in self.posted)])


_KINDS: dict[str, Any] = {"Handed": Handed, "Posted": Posted, "Kept": Kept}


def line(entry: Handed | Posted | Kept) -> str:
    """Return an entry as one line of JSON."""
    return json.dumps({"what": type(entry).__name__, **asdict(entry)}) + "\n"


def read(files: Iterable[Path], faults: Sequence[Fault] = ()) -> Ledger:
    """Read what was written so far; a line that is not finished yet is left out."""
    found: dict[str, list[Any]] = {name: [] for name in _KINDS}
    for file in files:
        text = file.read_text() if file.exists() else ""
        for each in text[: text.rfind("\n") + 1].splitlines():
            plain = json.loads(each)
            what = plain.pop("what")
            found[what].append(_KINDS[what](**plain))
    return Ledger(found["Handed"], found["Posted"], found["Kept"], tuple(faults))
