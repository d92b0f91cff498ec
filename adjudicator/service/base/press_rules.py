"""What the press of a match allows: its kind, the conditions it was made with, and when and by whom
it can be written and read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from adjudicator.core.game import About, Seat
from adjudicator.platform.words import MASTER, format_moment, join_list, seat_phrase
from adjudicator.service.base.errors import NotAllowed, Refused
from adjudicator.service.base.memory import basis_of, memory_of
from adjudicator.service.base.names import SOMEBODY
from adjudicator.service.base.rows import master_of, plays, seats_of, sitting, why_expired
from adjudicator.service.base.state import about_of, game_of, hides_players, load_state, person_in
from adjudicator.service.base.tables import Match, Mute, PhaseRow, PressNote

Kind = Literal["none", "public", "private", "anonymous-private"]

_KINDS: Mapping[object, Kind] = {kind: kind for kind in get_args(Kind)}
OPTION = "press"  # a game whose matches can have press lists this option
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
# status of matches whose seats and master can write to each other
_WITH_MASTER = ("running", "stuck", "ended")


def press_kind(match: Match) -> Kind:
    """Return a match's kind of press; "none" too if its game has no press."""
    return _KINDS.get(match.options.get(OPTION), "none")


def hides_writers(match: Match) -> bool:
    """Whether the writer and the other readers are hidden from readers; the other readers would
    narrow down the writer.
    """
    return press_kind(match) == "anonymous-private"


def of_master(note: PressNote) -> bool:
    """Whether a text goes to the master, or comes from the master."""
    return note.seat == MASTER or MASTER in note.readers


# --- conditions from the start


@dataclass(frozen=True)
class PressWish:
    """The conditions of press that a match is made with."""

    rulebook: bool = False  # none in the game's short phases
    opened: bool = False  # everybody may read all of it once the match has ended
    overseen: bool = False  # its master, who does not play, reads all of it


NO_WISH = PressWish()


def check_rules(about: About, kind: object, wish: PressWish, *, plays: bool) -> None:
    """Raise Refused where the conditions contradict each other, or the match has no press."""
    if _KINDS.get(kind, "none") == "none":
        if wish != NO_WISH:
            raise Refused("A match without press has no rules of press.", field="press_rulebook")
        return
    if wish.rulebook and not about.short_phases:
        raise Refused(
            f"{about.title} has no short phases in which press could rest.", field="press_rulebook"
        )
    if wish.opened and kind == "anonymous-private":
        raise Refused(
            "Anonymous press is not opened at the end: who wrote it would be guessed.",
            field="press_opened",
        )
    if wish.overseen and plays:
        raise Refused(
            "Who reads all press cannot play: make the match without a seat of your own.",
            field="press_overseen",
        )


def overseen_by(session: Session, match: Match, *, inside: bool) -> str:
    """Return the sentence that says who reads all press of a match, "" if nobody does; `inside`: to
    one who is no onlooker.
    """
    if not match.press_overseen or press_kind(match) == "none":
        return ""
    master = person_in(match, master_of(session, match), inside=inside)
    who = ", and sees who wrote it" if hides_writers(match) else ""
    whoever = "A player" if master == SOMEBODY else master
    return (
        f"{whoever}, who runs this match and does not play, reads all of its press, also what goes"
        f" to single seats{who}."
    )


def told_rules(session: Session, match: Match, *, inside: bool = False) -> tuple[str, ...]:
    """Return the conditions of a match's press, a sentence each, as `overseen_by`."""
    if press_kind(match) == "none":
        return ()
    rests = f"No press in {about_of(match).short_phases}." if match.press_rulebook else ""
    opened = (
        "All press can be read by everybody once the match has ended." if match.press_opened else ""
    )
    return tuple(filter(None, (overseen_by(session, match, inside=inside), rests, opened)))


def refuse_overseer(match: Match, player_id: int) -> None:
    """Raise NotAllowed where this player reads all press of the match, and so cannot play in it."""
    if match.press_overseen and match.master_id == player_id:
        raise NotAllowed("You read all press of this match, so you cannot play in it.")


# --- writing


def why_closed(match: Match, phase: PhaseRow | None) -> str:
    """Return why no seat can write to others now, "" if the seats can; `phase` is the open one."""
    if press_kind(match) == "none":
        return (
            "This match is played without press, so nothing can be sent. `press master:` writes to"
            " its master."
        )
    reasons = {
        "ended": "The match is over, and its press with it.",
        "stuck": "The match stands still because of a fault; press waits for it.",
        "expired": why_expired(match),
    }
    if match.status != "running":
        return reasons.get(match.status, "Press begins when the match does.")
    return _why_resting(match, phase) if phase is not None and match.press_rulebook else ""


def _why_resting(match: Match, phase: PhaseRow) -> str:
    game = game_of(match)
    if game.phase(load_state(game, phase.before)).pace != "short" or phase.deadline is None:
        return ""
    rests = f"This match has no press in {game.about.short_phases}, so nothing was sent."
    return (
        f"{rests} It opens again after them; {phase.name} ends on"
        f" {format_moment(phase.deadline, 'UTC', year=True)} at the latest."
    )


def why_not_master(match: Match) -> str:
    """Return why seats and master cannot write to each other now, "" if they can."""
    return (
        ""
        if match.status in _WITH_MASTER
        else "Letters between seats and master begin when the match does."
    )


def master_plays(session: Session, match: Match) -> bool:
    """Whether the match's master has a seat in it, or has lent one."""
    return plays(seats_of(session, match), match.master_id)


def told_master(session: Session, match: Match) -> str:
    """Return the sentence that says to whom a text to the master goes."""
    if hides_players(match):
        return "It goes to the master, who may be playing, too."
    return (
        "It goes to the master, who plays in this match."
        if master_plays(session, match)
        else "It goes to the master alone."
    )


# --- reading


@dataclass(frozen=True)
class Reader:
    """One viewer of a match's press."""

    seat: Seat | None
    is_master: bool
    sees_all: bool  # of what seats write to each other: as overseer, or once it is opened
    muted: frozenset[Seat]

    def is_named(self, name: Seat) -> bool:
        """Whether this viewer is the seat or the master of that name."""
        return (self.is_master and name == MASTER) or (self.seat is not None and name == self.seat)

    def may_read(self, note: PressNote) -> bool:
        """Whether this viewer may read a text, and wants to."""
        if note.seat in self.muted and not of_master(note):
            return False
        is_named = any(self.is_named(name) for name in (note.seat, *note.readers))
        return not note.readers or is_named or (self.sees_all and not of_master(note))


def reader_of(session: Session, match: Match, player_id: int | None) -> Reader:
    """Return who reads when this player looks (None: an observer)."""
    own = sitting(seats_of(session, match), player_id)
    is_master = player_id is not None and player_id == match.master_id
    opened = match.press_opened and match.status == "ended" and not hides_writers(match)
    return Reader(
        own.name if own else None,
        is_master,
        opened or (match.press_overseen and is_master and own is None),
        _muted(session, match, player_id) if own is not None else frozenset(),
    )


_MUTED = select(Mute.seat).where(
    col(Mute.match_id) == bindparam("match"), col(Mute.player_id) == bindparam("player")
)


def _muted(session: Session, match: Match, player_id: int | None) -> frozenset[Seat]:
    """Return the seats that a player has muted; read once, as who mutes one reads nothing after
    it.
    """
    memory, key = memory_of(session), ("muted", (match.id, player_id))
    if key not in memory:
        known = basis_of(session, match.uid, player_id, "mute")
        wanted = {"match": match.id, "player": player_id}
        memory[key] = frozenset(
            [seat for (seat,) in known]
            if known is not None
            else session.exec(_MUTED, params=wanted)
        )
    found: frozenset[Seat] = memory[key]
    return found


def has_no_press(session: Session, match: Match, player_id: int | None, reader: Reader) -> bool:
    """Whether this transaction knows from the basis of its page that a reader who plays in a match,
    or is its master, can read no text of it.
    """
    takes_part = reader.seat is not None or reader.is_master
    written = basis_of(session, match.uid, player_id, "press") if takes_part else None
    return written == [] and not reader.sees_all


def name_text(at: datetime, number: int) -> str:
    """Return the name of a text to one reader: its time, and how many texts of the same moment that
    reader may read before it.

    Row ids would tell how much others write.
    """
    return f"{(at - _EPOCH) // _MICROSECOND}.{number}"


def time_of_name(microseconds: int) -> datetime:
    """Return the time in the first part of a text's name."""
    return _EPOCH + microseconds * _MICROSECOND


def listed(names: tuple[Seat, ...]) -> str:
    """Return readers in a sentence; everybody for ()."""
    return join_list(list(map(seat_phrase, names))) if names else "everybody"
