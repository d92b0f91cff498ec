"""The record of a command, and what its function takes and returns."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from adjudicator.mail.reading.letter_text import LetterText
from adjudicator.platform import words
from adjudicator.platform.config import Settings
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.handover.offers import Offered
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.letters.incoming import LetterToRead
from adjudicator.service.matches.seats import Kept
from adjudicator.service.orders.sitters import Sitter
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import Person
from adjudicator.service.tokens.master_addresses import RunMatch
from adjudicator.service.tokens.references import Reference
from adjudicator.service.views import game_info
from adjudicator.service.views.letter_context import Answered


@dataclass(frozen=True)
class Writer:
    """A letter that a person wrote: who is answered, and what the address that it came to
    proves.
    """

    settings: Settings
    keyring: Keyring
    session: Session
    now: datetime
    claimed: LetterToRead  # the row it came in
    letter: LetterText
    address: str  # where the answer goes: one that was proved, else that of From
    # whether the letter came to a secret address that only the reader of `address` knows
    proved: bool
    player: Person | None  # the player of that address
    sitter: Sitter | None = None  # the seat whose address it came to
    votes_on: int | None = None  # the proposal whose address it came to
    kept: Kept | None = None  # the invitation it answers
    offered: Offered | None = None  # the seat of a running match that the answered letter offers
    run: RunMatch | None = None  # the match whose master's address it came to
    # when the service asked about the commands that the letter confirms; None: it confirms none
    asked_at: datetime | None = None
    # nothing, unless the letter came to a seat or a master
    answered: Answered = field(default_factory=Answered)

    @property
    def here(self) -> str:
        """The match whose address was written to, "" where it was another address."""
        return self.sitter.uid if self.sitter else self.run.uid if self.run else ""

    @property
    def arrived(self) -> datetime:
        """When the inbox had the letter."""
        return self.claimed.received_at

    @property
    def written(self) -> datetime:
        """The latest moment at which the letter's commands can have been written."""
        return self.asked_at or self.arrived

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
            raise Refused(
                "Nobody plays here with your address yet: `join` and a game’s name, such as `join"
                " pyramid`, is the way in."
            )
        return self.player

    @property
    def me(self) -> tuple[Session, int]:
        """The first arguments of a use case about the player; raises Refused as `known` does."""
        return self.session, self.known().id

    def at(self, uid: str) -> tuple[Session, str, int]:
        """Return the first arguments of a use case in a match; raises Refused as `known` does."""
        return self.session, uid, self.known().id

    def enrolled(self) -> Person:
        """Return the player of the address that is answered, who begins to be one where nobody
        is.
        """
        return accounts.person(
            accounts.for_address(self.session, self.address, zone=self.zone, now=self.now)
        )

    def match(self, given: str | None, example: str) -> str:
        """Return the short name of the match that a line names, else of the one whose address was
        written to; raises Refused, with an example, where there is neither.
        """
        uid = (given or self.here).lower()
        if not uid:
            raise Refused(f"It needs the match’s short name, as `status` tells it: `{example}`.")
        return uid


@dataclass(frozen=True)
class Done:
    """What a command did: a sentence, and what the answer shows below it."""

    sentence: str
    sections: tuple[ReplySection, ...] = ()
    rules_of: str = ""  # the article of a game's rules to include
    uid: str = ""  # the match whose thread the answer belongs to
    # to the address of the seat or master that a reply to the answer goes to
    reply_to: Reference | None = None
    view: str = ""  # what the answer's picture shows
    links: tuple[tuple[str, str], ...] = ()  # pages of the site instead of sections: title and path


@dataclass(frozen=True)
class Command:
    """A command that a line of a letter can be."""

    word: str  # what the line begins with, lower-case
    usage: str  # how it is written, by an example
    meaning: str  # what it does, a clause
    # carries it out, given the text after the word; raises Refused with a sentence for the writer
    do: Callable[[Writer, str], Done]
    changes: bool = True  # whether it changes anything: then the address has to be proved
    most: int = 2  # words that may follow its own: a longer line is a sentence
    # whether these words may follow its word; None: up to two names
    fits: Callable[[Sequence[str]], bool] | None = None
    of_game: bool = False  # whether a game may follow its word, by any of its names
    # whether it is taken in letters to a seat's own address only; no answer to others repeats its
    # words
    own_seat: bool = False
    # whether it is for players of running matches, so that a stranger's short list leaves it out
    seated: bool = False
    # what may follow the word; None: names of games, options, matches and zones
    more: re.Pattern[str] | None = None
    # where the text after the word has it, it is not asked about, as questions repeat lines
    unasked: re.Pattern[str] | None = None
    master: bool = False  # whether only masters can use it
    # whether free text follows its colon, which no letter to an unproved address repeats unless it
    # is carried out
    text: bool = False
    # whether it only tries the other lines of its letter, which it is given as its text
    tries: bool = False


SHORT_NAME = "[2-9a-hjkmnp-z]{9}"
OF_MATCH = rf"(?:(?P<uid>{SHORT_NAME})\b\s*)?"  # before what follows a command's word
ALONE = re.compile(OF_MATCH, re.IGNORECASE)


def read_line(command: Command, writer: Writer, arguments: str) -> tuple[str, re.Match[str]]:
    """Return the match that a line of a command names, else that whose address was written to, and
    what the command's pattern found.
    """
    found = command.more.fullmatch(arguments) if command.more else None
    assert found is not None  # noqa: S101 the line was recognised by it
    return writer.match(found["uid"], f"{command.word} k3m7p2qrs"), found


def need_game(name: str) -> str:
    """Return the key of the game that is named; raises Refused where none is."""
    game = game_info.named(name)
    if not game:
        raise Refused(f"It needs a game: {', '.join(about.key for about in game_info.games())}.")
    return game
