"""What commands are given and what they give back."""

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
    """Who is answered, and what the letter's own address proves of them."""

    settings: Settings
    session: Session
    now: datetime
    address: str  # where the answer goes; whatever From says, never elsewhere than to an address that was proved or that wrote
    proved: bool  # whether the letter came to an address that only the reader of `address` was told
    player: Person | None  # the player of that address
    sitter: Sitter | None = None  # the seat whose address it came to
    kept: Kept | None = None  # the invitation it answers
    talk: tuple[str, ...] = ()  # the lines of the letter that are no commands
    sealed: Callable[[], Sequence[tuple[str, str]]] | None = None  # tells what its seat sealed, which lists a reading; a letter to it only

    @property
    def zone(self) -> str:
        """The time zone that times are told in."""
        return self.player.zone if self.player else "UTC"

    def when(self, at: datetime) -> str:
        """Return a moment as this reader is told it: `Tue 24 Nov 20:00 (Paris), in 2 days`."""
        return f"{words.format_moment(at, self.zone)}, {words.format_distance(at, self.now)}"

    def known(self) -> Person:
        """Return the player; raises Refused where nobody of this address plays here."""
        if self.player is None:
            raise Refused("Nobody plays here with your address yet: `join` and a game’s name, such as `join pyramid`, is the way in.")
        return self.player


@dataclass(frozen=True)
class Done:
    """What a command did, in a sentence, and what is told besides."""

    sentence: str
    sections: tuple[ReplySection, ...] = ()
    rules_of: str = ""  # the article of a game's rules that the answer holds
    uid: str = ""  # the match whose thread the answer belongs to
    reply_token: str = ""  # the seat that an answer to the answer goes to
    view: str = ""  # what the answer shows a picture of
    links: tuple[tuple[str, str], ...] = ()  # what stands on the site instead: what it is, and its path


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
