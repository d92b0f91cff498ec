"""The record of a command, and what its function takes and returns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from adjudicator.platform import words
from adjudicator.platform.config import Settings
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters.kinds import ReplySection
from adjudicator.service.matches.seats import Kept
from adjudicator.service.orders.orders_by_letter import Sitter
from adjudicator.service.people.accounts import Person


@dataclass(frozen=True)
class Writer:
    """Who is answered, and what the address that the letter came to proves."""

    settings: Settings
    session: Session
    now: datetime
    address: str  # where the answer goes: one that was proved, else that of From
    proved: bool  # whether the letter came to a secret address that only the reader of `address` knows
    player: Person | None  # the player of that address
    sitter: Sitter | None = None  # the seat whose address it came to
    kept: Kept | None = None  # the invitation it answers
    talk: tuple[str, ...] = ()  # the lines of the letter that are no commands
    sealed: Callable[[], Sequence[tuple[str, str]]] | None = None  # discloses the seat's orders; for letters to a seat only

    @property
    def zone(self) -> str:
        """The time zone in which times are shown."""
        return self.player.zone if self.player else "UTC"

    def when(self, at: datetime) -> str:
        """Return a moment as this reader sees it: `Tue 24 Nov 20:00 (Paris), in 2 days`."""
        return f"{words.format_moment(at, self.zone)}, {words.format_distance(at, self.now)}"

    def known(self) -> Person:
        """Return the player; raises Refused where nobody of this address plays here."""
        if self.player is None:
            raise Refused("Nobody plays here with your address yet: `join` and a game’s name, such as `join pyramid`, is the way in.")
        return self.player


@dataclass(frozen=True)
class Done:
    """What a command did: a sentence, and what the answer shows below it."""

    sentence: str
    sections: tuple[ReplySection, ...] = ()
    rules_of: str = ""  # the article of a game's rules to include
    uid: str = ""  # the match whose thread the answer belongs to
    reply_token: str = ""  # the token of the seat that a reply to the answer goes to
    view: str = ""  # what the answer's picture shows
    links: tuple[tuple[str, str], ...] = ()  # pages of the site instead of sections: title and path


@dataclass(frozen=True)
class Command:
    """A command that a line of a letter can be."""

    word: str  # what the line begins with, lower-case
    usage: str  # how it is written, by an example
    meaning: str  # what it does, a clause
    do: Callable[[Writer, str], Done]  # carries it out, given the text after the word; raises Refused with a sentence for the writer
    changes: bool = False  # whether it changes anything: then the address has to be proved


def require_nothing_more(said: str, usage: str) -> None:
    """Raise Refused unless the line ended with its word."""
    if said:
        raise Refused(f"It is written `{usage}`, with nothing after it.")
