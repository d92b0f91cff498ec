"""Letters about seats that change hands, to the player and to the master; what everybody in a match
is told at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session

from adjudicator.platform.words import plural, seat_phrase
from adjudicator.service.base import public_keys
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.progress import read_progress
from adjudicator.service.base.rows import letter_reader, seats_of, unclosed_phase
from adjudicator.service.base.state import about_of, hides_players
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.content import OwedOrders
from adjudicator.service.letters.contents.match_content import NoticeLetter
from adjudicator.service.letters.contents.seat_content import SeatLetter
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.tokens.references import of_seat

_STAYS = (
    "Hand in orders, or write `back` in answer to this letter, and it stays yours. That is possible"
    " until somebody has taken it."
)


SEARCH = (
    "Players who stand by are asked now. Whoever wants to can take the seat on the page of the"
    " match."
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
    player = letter_reader(session, player_id)
    if player is None:
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
    public = public_keys.current_keys(session)
    about = LetterReference(match.id, seat.name if seat else None)
    outbox.write_to(session, player, letter, now=now, about=about, keys=public)


def looks_title(seat: Seat) -> str:
    """Return the title of a letter about a seat that looks for a new player."""
    return f"{capitalize(seat_phrase(seat.name))} looks for a new player"


def tell_master(
    session: Session, match: Match, seat: Seat, sentence: str, *, now: datetime
) -> None:
    """Tell the master of a match that a seat looks for a new player."""
    news = News(looks_title(seat), (sentence, SEARCH))
    tell_player(session, match, match.master_id, news, now=now)


def public_name(session: Session, match: Match, player_id: int, seat: Seat) -> str:
    """Return how everybody may be told of a seat's player: by name, or by the seat while players
    are hidden.
    """
    return (
        f"the player of {seat_phrase(seat.name)}"
        if hides_players(match)
        else PlayerName(session.get_one(Player, player_id))
    )


# --- to everybody in the match


def readers(session: Session, match: Match) -> Iterator[tuple[Seat, Player]]:
    """Yield every seat whose player has an address and wants letters, with the player, in seat
    order.
    """
    for seat in seats_of(session, match):
        player = letter_reader(session, seat.player_id)
        if player is not None:
            yield seat, player


@dataclass(frozen=True)
class AtOnce:
    """What the letters say besides a public note that everybody in the match is told at once."""

    title: str
    more: tuple[str, ...] = ()  # sentences after the note's own
    but: tuple[int | None, ...] = ()  # players who know it, or are told otherwise


@dataclass(frozen=True)
class ClockChange:
    """A change of a match's clock, which everybody in the match is told at once."""

    what: Literal["paused", "resumed", "deadline", "restored"]
    was: datetime | None = None  # the old deadline
    since: datetime | None = None  # when the pause began; the time of the backup
    outage: bool = False  # whether the deadline moves because the service was down
    newcomer: bool = False  # whether it moves for a seat's new player
    back: bool = False  # whether it moves for one who had the seat before
    still: bool = False  # whether a restored match's clock stands still
    # what else happened, which the same letters tell: their title, and its sentence
    title: str = ""
    told: str = ""
    but: tuple[int | None, ...] = ()  # players who know it


_CLOCK_TITLES = {
    "paused": "The match is paused",
    "resumed": "The match goes on",
    "deadline": "The deadline has moved",
    "restored": "The service was restored from a backup",
}


def tell_everybody(
    session: Session, match: Match, sentence: str, news: AtOnce, *, now: datetime
) -> None:
    """Write to every seat, and to a master who does not play, what a note says; the caller has
    locked and changed the match.
    """
    letter = News(news.title, (sentence, *news.more))
    for seat, player in readers(session, match):
        if player.id not in news.but:
            tell_player(session, match, player.id, letter, now=now, seat=seat)
    _tell_idle_master(session, match, letter, news.but, now)


def _tell_idle_master(
    session: Session, match: Match, letter: News, but: tuple[int | None, ...], now: datetime
) -> None:
    """Write to the master of a match who has no seat in it, and has lent none."""
    play = {each for seat in seats_of(session, match) for each in (seat.player_id, seat.owner_id)}
    if match.master_id not in {*play, *but}:
        tell_player(session, match, match.master_id, letter, now=now)


def tell_clock_change(
    session: Session,
    match: Match,
    who: str,
    sentence: str,
    news: ClockChange,
    *,
    but: int | None,
    now: datetime,
) -> None:
    """Write to every seat, and to a master who does not play and is not `but`, that `who` changed
    the clock; the caller has locked and changed the match.
    """
    _write_notices(session, match, who, news, now=now)
    sentences = (news.told, sentence) if news.told else (sentence,)
    letter = News(news.title or _CLOCK_TITLES[news.what], sentences)
    _tell_idle_master(session, match, letter, (but, *news.but), now)


def _write_notices(
    session: Session, match: Match, who: str, news: ClockChange, *, now: datetime
) -> None:
    phase, public = unclosed_phase(session, match), public_keys.current_keys(session)
    if phase is None:
        return
    title = about_of(match).title
    owed = OwedOrders(phase.name, phase.number, phase.deadline) if phase.deadline else None
    for seat, player in readers(session, match):
        if player.id in news.but:
            continue
        due = seat.name in phase.due
        progress = read_progress(session, match, phase, seat.name, now)
        letter = NoticeLetter(
            match=match.name,
            uid=match.uid,
            game_key=match.game,
            seat=seat.name,
            zone=player.zone,
            reply_token=of_seat(match, seat),
            phase=phase.name,
            who=who,
            deadline=phase.deadline,
            due=due,
            game=title,
            owed=owed if due and news.what != "paused" else None,
            progress=progress.sentence if progress else "",
            **{name: value for name, value in vars(news).items() if name != "but"},
        )
        about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
        outbox.write_to(session, player, letter, now=now, about=about, keys=public)
