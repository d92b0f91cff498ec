"""Announcements: what the host tells all players, or those who play now, by a letter to each."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CompoundSelect, union
from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import (
    Letter,
    Match,
    Player,
    Seat,
    Tournament,
    TournamentDirector,
    TournamentEntry,
)
from adjudicator.service.letters import outbox, suppression
from adjudicator.service.letters.contents.host_content import AnnouncementLetter

AT_ONCE = 200  # letters of one transaction
_PLAYERS = (col(Seat.player_id), col(Seat.owner_id))
_REACHED = (
    col(Player.address).is_not(None),
    col(Player.house).is_(False),
    col(Player.erased_at).is_(None),
    col(Player.letters).is_(True),
    col(Player.bounced_at).is_(None),
)
LONGEST_TITLE, LONGEST = 150, 20_000  # letters of a subject and of a text


@dataclass(frozen=True)
class Announcement:
    """A subject and a text, for all players or for those who play now."""

    title: str
    paragraphs: tuple[tuple[str, ...], ...]
    running: bool

    def uid(self, player_id: int) -> str:
        """Return the name of the letter to one player, always the same, so that nobody gets it
        twice.
        """
        return hashlib.sha256(
            repr(("announcement", self.title, self.paragraphs, player_id)).encode()
        ).hexdigest()[:24]


def write_announcement(title: str, text: str, *, running: bool) -> Announcement:
    """Return an announcement of a text, whose paragraphs stand apart by an empty line. Raises
    Refused.
    """
    subject, lines = " ".join(title.split()), [line.strip() for line in text.strip().splitlines()]
    if not subject or not any(lines):
        raise Refused("An announcement needs a subject and a text.")
    if len(subject) > LONGEST_TITLE or len(text) > LONGEST:
        raise Refused(
            f"An announcement has at most {LONGEST_TITLE} letters in its subject and {LONGEST:,} in"
            " its text."
        )
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return Announcement(subject, tuple(map(tuple, paragraphs)), running)


def list_readers(session: Session, announcement: Announcement) -> list[int]:
    """Return the players who get an announcement and have not got it: they have an address, want
    letters, and are reached.
    """
    wanted = select(Player.id, Player.address).where(*_REACHED)
    if announcement.running:
        wanted = wanted.where(col(Player.id).in_(_who_play()))
    sent = set(session.exec(select(Letter.uid).where(Letter.kind == AnnouncementLetter.KIND)))
    found = [
        (each, address)
        for each, address in session.exec(wanted.order_by(col(Player.id)))
        if each and address
    ]
    new = {each: address for each, address in found if announcement.uid(each) not in sent}
    stopped = _who_suppresses(session, list(new.values()))
    return [each for each, address in new.items() if not stopped[address]]


def _who_suppresses(session: Session, addresses: Sequence[str]) -> dict[str, suppression.Why]:
    """Return who suppresses letters to each address, a few hundred in a statement."""
    found: dict[str, suppression.Why] = {}
    for at in range(0, len(addresses), AT_ONCE):
        found |= suppression.who_suppresses(session, addresses[at : at + AT_ONCE])
    return found


def _who_play() -> CompoundSelect[int | None]:
    """Return the query for all who have a seat in a running match, have lent one, or are its
    master, and who take part in a running tournament or direct it.
    """
    running = col(Match.status).in_(("running", "stuck"))
    seats = [
        select(column).join(Match, onclause=col(Seat.match_id) == col(Match.id)).where(running)
        for column in _PLAYERS
    ]
    played = select(Tournament.id).where(Tournament.status == "running")
    there = [
        select(each.player_id).where(
            col(each.left_at).is_(None), col(each.tournament_id).in_(played)
        )
        for each in (TournamentEntry, TournamentDirector)
    ]
    return union(*seats, select(col(Match.master_id)).where(running), *there)


def announce(database: Database, announcement: Announcement, *, now: datetime) -> int:
    """Put an announcement into the outbox for all who have not got it; return how many letters that
    are.

    Each transaction writes AT_ONCE letters, so that nobody waits long; after a fault the next call
    goes on where it was cut short.
    """
    with database.read_tx() as session:
        readers = list_readers(session, announcement)
    return sum(
        _put(database, announcement, readers[at : at + AT_ONCE], now)
        for at in range(0, len(readers), AT_ONCE)
    )


def _put(
    database: Database, announcement: Announcement, readers: Sequence[int], now: datetime
) -> int:
    content = AnnouncementLetter(
        title=announcement.title, paragraphs=announcement.paragraphs, running=announcement.running
    )
    with database.write_tx() as session:
        keys = public_keys.current_keys(session)
        known = set(
            session.exec(
                select(Letter.uid).where(
                    col(Letter.uid).in_([announcement.uid(each) for each in readers])
                )
            )
        )
        wanted = select(Player.id, Player.address).where(*_REACHED, col(Player.id).in_(readers))
        new = [
            (each, address)
            for each, address in session.exec(wanted)
            if each and address and announcement.uid(each) not in known
        ]
        for each, address in new:
            outbox.put_letter(
                session,
                keys,
                content,
                address=address,
                now=now,
                player_id=each,
                uid=announcement.uid(each),
            )
        return len(new)
