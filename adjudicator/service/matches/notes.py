"""Public notes of what changed in a match; urgent ones are told to everybody in it at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NoReturn

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from adjudicator.platform import words
from adjudicator.service.base.due.phase_clock import last_call
from adjudicator.service.base.errors import NotNow, SignInAgain
from adjudicator.service.base.memory import basis_of
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.phase_records import ends
from adjudicator.service.base.rows import open_phase, show_change, waiting_phase, why_expired
from adjudicator.service.base.state import hides_players, person_in
from adjudicator.service.base.tables import (
    MasterNote,
    Match,
    PhaseRow,
    Player,
    Seat,
    TournamentNote,
)
from adjudicator.service.matches.tenure_letters import (
    AtOnce,
    ClockChange,
    capitalize,
    tell_clock_change,
    tell_everybody,
)
from adjudicator.service.requests.bodies import act_request
from adjudicator.service.requests.signing import WHOEVER, sign_request

HOST = "the host"
SERVICE = "the service"  # who did what no person did
PLAYERS = "the players"
_MASTER = "the master"  # where the match hides its players
A_SEAT = "seat"  # MasterNote.actor of a player who concedes
# MasterNote.decides; with a reason, or a seat
STOPPED, CLOSED, CONCEDED, ADJUDGED = "stopped ", "closed", "conceded ", "adjudged"
# MasterNote.log_as of a note that is no act of a master, but may come with a change that the log
# tells
SERVICE_ACT = "service"
# what letters tell at once, besides the note; None: only the next reports tell the note
News = AtOnce | ClockChange | None


@dataclass(frozen=True)
class Note:
    """A public note of a match: who changed what."""

    at: datetime
    who: str
    what: str


_OF_MATCH = (
    select(MasterNote)
    .where(col(MasterNote.match_id) == bindparam("match"))
    .order_by(col(MasterNote.id).desc())
)


def list_notes(
    session: Session, match: Match, *, inside: bool, viewer_id: int | None = None
) -> tuple[Note, ...]:
    """Return the public notes of a match, newest first, with the present names of players as the
    viewer may know them.
    """
    if basis_of(session, match.uid, viewer_id, "noted") == []:
        return ()
    rows = session.exec(_OF_MATCH, params={"match": match.id}).all()
    known: dict[int | None, str] = {
        player.id: person_in(match, player, inside=inside)
        for player in noted_players(session, rows)
    }
    masters = {row.id for row in rows if row.actor == "master" and hides_players(match)}
    authors = [_MASTER if row.id in masters else known.get(row.player_id, row.who) for row in rows]
    return tuple(Note(row.at, who, row.what) for row, who in zip(rows, authors, strict=True))


def noted_players(
    session: Session, rows: Iterable[MasterNote | TournamentNote]
) -> Iterable[Player]:
    """Return the players whose names notes tell."""
    player_ids = {row.player_id for row in rows} - {None}
    return session.exec(select(Player).where(col(Player.id).in_(player_ids))) if player_ids else ()


def in_utc(at: datetime) -> str:
    """Return a moment as public notes tell it: in UTC, with the year."""
    return words.format_moment(at.astimezone(UTC), "UTC", year=True)


def add_note(
    session: Session, match: Match, now: datetime, who: str, what: str, *, news: News = None
) -> None:
    """Add a public note to a match that the caller has locked; `what` is the end of a sentence that
    names no player.

    Of a `names.PlayerName` the player is kept, so that erasing takes away exactly this name. The
    next report of everybody tells it; with `news` letters do at once, so the caller has changed the
    match before.
    """
    note = _add(session, match, now, who, what, actor=SERVICE_ACT)
    _tell(session, match, note, who, news)


def add_act(
    session: Session,
    match: Match,
    now: datetime,
    who: str,
    what: str,
    *decides: str,
    news: News = None,
) -> None:
    """Add a public note of what the host, the master or the players' vote did to a match; its log
    tells it too, without a name.

    `decides` says what it decides besides the clock, by `STOPPED`, `CLOSED` and `ADJUDGED`. The
    caller has changed the match before: the signature covers what the clock is since. `news` as of
    `add_note`. Raises SignInAgain where nobody can vouch for the act.
    """
    known = {HOST: "host", PLAYERS: "players", SERVICE: SERVICE_ACT}
    actor = "master" if isinstance(who, PlayerName) else known.get(who, "master")
    note = _add(session, match, now, who, what, actor=actor, decides=decides)
    _tell(session, match, note, who, news)


def add_concession(
    session: Session,
    match: Match,
    now: datetime,
    seat: Seat,
    told_as: str,
    what: str,
    *stopped: str,
    news: News = None,
) -> None:
    """Add the note that a seat conceded, signed by its player; `stopped` is what that ended. `news`
    as of `add_note`. Raises SignInAgain as `add_act`.
    """
    note = _add(
        session,
        match,
        now,
        told_as,
        what,
        actor=A_SEAT,
        decides=(CONCEDED + seat.name, *stopped),
        asks=seat.player_id,
    )
    _tell(session, match, note, told_as, news)


def _add(
    session: Session,
    match: Match,
    now: datetime,
    who: str,
    what: str,
    *,
    actor: str,
    decides: Sequence[str] = (),
    asks: int | None = None,
) -> MasterNote:
    player_id = who.player_id if isinstance(who, PlayerName) else None
    told_as = SERVICE_ACT if actor == A_SEAT else actor
    note = MasterNote(
        match_id=match.id,
        at=now,
        who=who,
        player_id=player_id,
        what=what,
        log_as=told_as if match.sealing else None,
    )
    if match.sealing:
        note.actor, note.decides = actor, list(decides) or None
        _sign(session, match, note, asks or player_id)
    session.add(note)
    show_change(match)
    return note


def _tell(session: Session, match: Match, note: MasterNote, who: str, news: News) -> None:
    """Write the letters of a note that everybody is told at once."""
    if news is None:
        return
    if isinstance(who, PlayerName):
        player = session.get_one(Player, who.player_id)
        hidden = note.actor == "master" and hides_players(match)
        who = _MASTER if hidden else person_in(match, player, inside=True)
    sentence, by = f"{capitalize(who)} {note.what.removesuffix('.')}.", note.player_id
    if isinstance(news, ClockChange):
        tell_clock_change(session, match, who, sentence, news, but=by, now=note.at)
    else:
        others = replace(news, but=(*news.but, by))
        tell_everybody(session, match, sentence, others, now=note.at)


def _sign(session: Session, match: Match, note: MasterNote, asks: int | None) -> None:
    """Have whoever acts sign a note, with what the clock is since. An act needs it; another note
    may do without.

    Raises SignInAgain for an act that nobody can vouch for.
    """
    phase = waiting_phase(session, match)
    note.phase_number, note.log_size = (phase.number if phase is not None else None), match.log_size
    note.clock = ends(match, phase) if phase is not None and phase.why != "stopped" else None
    signs = asks if asks is not None or note.actor == "host" else WHOEVER
    try:
        note.signer, note.request_signature = sign_request(
            session, signs, act_request(match.uid, note)
        )
    except SignInAgain:
        if note.actor != SERVICE_ACT:
            raise


# --- changes of the clock


def phase_with_clock(
    session: Session, match: Match, now: datetime, number: int | None = None
) -> PhaseRow:
    """Return the open phase of a match; raises NotNow with a sentence if no clock runs or the phase
    is not `number`.
    """
    phase = open_phase(session, match)
    if phase is None:
        _raise_not_running(match)
    if number is not None and phase.number != number:
        raise NotNow(f"That phase is closed by now, and nothing was changed; {phase.name} is open.")
    if match.paused_at is not None:
        raise NotNow(
            "This match is paused. Set it going first; its deadline moves by as long as the pause"
            " was."
        )
    if phase.why is not None or now >= last_call(phase):
        raise NotNow(f"The time of {phase.name} is over; it is being closed.")
    return phase


def _raise_not_running(match: Match) -> NoReturn:
    if match.status == "stuck":
        raise NotNow(
            "This match stands still because of a fault. Set it going first, once the fault is"
            " mended."
        )
    if match.status == "expired":
        raise NotNow(why_expired(match))
    raise NotNow("This match is over." if match.status == "ended" else "This match has not begun.")
