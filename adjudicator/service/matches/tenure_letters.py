"""Letters about seats that change hands: to the player, to the master, to those who wrote press to
the seat, to everybody.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, select

from adjudicator.platform.words import plural, seat_phrase
from adjudicator.service.base import public_keys
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.state import hides_players
from adjudicator.service.base.tables import Match, Player, PressNote, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.seat_content import SeatLetter
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.matches.notes import readers
from adjudicator.service.tokens.references import of_seat

_STAYS = (
    "Hand in orders, or write `back` in answer to this letter, and it stays yours. That is possible"
    " until somebody has taken it."
)


@dataclass(frozen=True)
class News:
    """What a letter says."""

    title: str
    lines: tuple[str, ...]  # sentences, with commands between backticks


def silent_news(seat: Seat) -> News:
    """Return the news for the player whose seat looks for somebody else after silence."""
    one = "You handed in nothing for the last phase, so {seat} looks for a new player."
    several = "You handed in nothing for the last {n} phases, so {seat} looks for a new player."
    first = plural(seat.misses, one, several, seat=seat_phrase(seat.name))
    return News("Your seat looks for a new player", (first, _STAYS))


def left_news(
    match: Match, seat: Seat, why: Literal["replaced", "taken"], reason: str = ""
) -> News:
    """Return the news for a player who has lost the seat: to the master, or to somebody who took it
    over.
    """
    name = seat_phrase(seat.name)
    thanks = (
        "Thank you for playing."
        if match.private
        else "Thank you for playing. You can follow the match on its page."
    )
    if why == "taken":
        return News(
            "Your seat has a new player",
            (f"Somebody has taken over {name}, which looked for a new player.", thanks),
        )
    because = (f"The reason: {reason}",) if reason else ()
    return News(
        "Your seat was given up",
        (f"The master of this match looks for a new player for {name}.", *because, thanks),
    )


def capitalize(text: str) -> str:
    """Return a text whose first letter is a capital one."""
    return text[:1].upper() + text[1:]


def tell_player(
    session: Session,
    match: Match,
    player_id: int | None,
    news: News,
    *,
    now: datetime,
    seat: Seat | None = None,
) -> None:
    """Write to one player, if the player has an address and wants letters; an answer goes to
    `seat`, None: to the service.
    """
    player = session.get(Player, player_id) if player_id is not None else None
    if player is None or player.address is None or player.house or not player.letters:
        return
    letter = SeatLetter(
        title=news.title,
        lines=news.lines,
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        zone=player.zone,
        seat=seat.name if seat else "",
        reply_token=of_seat(match, seat) if seat else None,
    )
    public, about = (
        public_keys.current_keys(session),
        LetterReference(match.id, seat.name if seat else None),
    )
    outbox.put_letter(
        session, public, letter, address=player.address, now=now, player_id=player.id, about=about
    )


def tell_master(
    session: Session, match: Match, seat: Seat, sentence: str, *, now: datetime
) -> None:
    """Tell the master of a match that a seat looks for a new player."""
    title = f"{capitalize(seat_phrase(seat.name))} looks for a new player"
    more = (
        "Players who stand by are asked now. Whoever wants to can take the seat on the page of the"
        " match."
    )
    tell_player(session, match, match.master_id, News(title, (sentence, more)), now=now)


def tell_press_writers(
    session: Session, match: Match, seat: Seat, *, now: datetime, back: bool = False
) -> None:
    """Tell those who wrote privately to a seat that its new player can read it, or the one who is
    back. It names nobody.
    """
    written = select(PressNote).where(PressNote.match_id == match.id, PressNote.seat != seat.name)
    writers = {
        note.seat
        for note in session.exec(written.order_by(col(PressNote.id)))
        if seat.name in note.readers
    }
    new = (
        f"{capitalize(seat_phrase(seat.name))} has a new player, who can read what you wrote to"
        " that seat before."
    )
    own = (
        f"{capitalize(seat_phrase(seat.name))} is its player’s again, who can read what you wrote"
        " to that seat meanwhile."
    )
    news = (
        News("A player is back and reads your press", (own,))
        if back
        else News("Another player reads your press", (new,))
    )
    tell_seats(session, match, writers, news, now=now)


def tell_seats(
    session: Session, match: Match, seats: Collection[str], news: News, *, now: datetime
) -> None:
    """Write to the players of some seats of a match."""
    for seat, player, _ in readers(session, match):
        if seat.name in seats:
            tell_player(session, match, player.id, news, now=now, seat=seat)


def public_name(session: Session, match: Match, player_id: int, seat: Seat) -> str:
    """Return how everybody may be told of a seat's player: by name, or by the seat while players
    are hidden.
    """
    return (
        f"the player of {seat_phrase(seat.name)}"
        if hides_players(match)
        else PlayerName(session.get_one(Player, player_id))
    )
