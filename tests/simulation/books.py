"""The books: what players were told by the service, written down outside it, and when the world saw it happen."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from adjudicator.service.envelopes import Answer


@dataclass(frozen=True)
class Told:
    """An answer to orders that were handed in on the site."""

    uid: str
    seat: str
    phase: int  # that the player was looking at
    answer: Answer
    at: datetime  # the wall clock when it was asked


@dataclass
class Said:
    """A player's `ready` or `wait` on the site, and the commits of the world between which it was taken, if it was."""

    uid: str
    player: int
    word: str
    since: int
    until: int | None = None  # nobody knows: the page never answered


@dataclass
class Act:
    """Something that a master wanted done to a match, and whether the page said that it was."""

    uid: str
    what: str
    done: bool = False


@dataclass
class Whisper:
    """Press that a player wrote, each with words of its own, and whether the page said that it was sent."""

    uid: str
    player: int
    text: str
    told: bool = False


@dataclass
class Posted:
    """A letter of a player, and each time that the inbox answered 250 to it."""

    message_id: str
    uid: str
    seat: str
    phase: int  # that was open, as the player saw it, when it was written
    text: str
    raw: bytes = field(repr=False)
    taken: list[str] = field(default_factory=list)  # the uid of each copy that was taken


@dataclass
class Books:
    """Everything that anybody outside the service knows for certain."""

    told: list[Told] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    whispers: list[Whisper] = field(default_factory=list)
    run_by_hand: set[str] = field(default_factory=set)  # matches whose deadlines may be moved at any moment
    closings: dict[tuple[str, int], int] = field(default_factory=dict)  # (match, phase) -> the commit that closed it
    openings: dict[tuple[str, int], int] = field(default_factory=dict)  # (match, phase) -> the commit that opened it
    opened_at: dict[tuple[str, int], datetime | None] = field(default_factory=dict)  # by the wall clock
    stored: dict[str, int] = field(default_factory=dict)  # copies of letters -> the commit that stored each
    troubles: list[str] = field(default_factory=list)  # what was seen on the way and can be no more afterwards

    def see(self, commit: int, rows: list[Any], at: datetime | None) -> None:
        """Note which phases are there, open or closed, just after a commit: rows of (match, number, whether it is closed).

        `at` is what the wall clock showed, None where whoever wrote them stood still while it did.
        """
        for uid, number, closed in rows:
            self.openings.setdefault((uid, number), commit)
            self.opened_at.setdefault((uid, number), at)
            if closed:
                self.closings.setdefault((uid, number), commit)
