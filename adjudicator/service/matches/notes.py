"""Public notes of what changed in a match, and the letters that tell its players of a change of the
clock.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, NoReturn

from sqlmodel import Session, col, select

from adjudicator.platform import words
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow, SignInAgain
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.phase_records import ends
from adjudicator.service.base.progress import read_progress
from adjudicator.service.base.rows import (
    last_call,
    open_phase,
    seats_of,
    show_change,
    waiting_phase,
    why_expired,
)
from adjudicator.service.base.state import about_of, hides_players, person_in
from adjudicator.service.base.tables import (
    MasterNote,
    Match,
    PhaseRow,
    Player,
    Seat,
    TournamentNote,
)
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.content import OwedOrders
from adjudicator.service.letters.contents.match_content import NoticeLetter
from adjudicator.service.requests.bodies import act_request
from adjudicator.service.requests.signing import WHOEVER, sign_request
from adjudicator.service.tokens.references import of_seat

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


@dataclass(frozen=True)
class Note:
    """A public note of a match: who changed what."""

    at: datetime
    who: str
    what: str


def list_notes(session: Session, match: Match, *, inside: bool) -> tuple[Note, ...]:
    """Return the public notes of a match, newest first, with the present names of players as the
    viewer may know them.
    """
    rows = session.exec(
        select(MasterNote)
        .where(MasterNote.match_id == match.id)
        .order_by(col(MasterNote.id).desc())
    ).all()
    known = {
        player.id: person_in(match, player, inside=inside)
        for player in noted_players(session, rows)
    }
    masters = {row.id for row in rows if row.actor == "master" and hides_players(match)}
    told = [_MASTER if row.id in masters else known.get(row.player_id, row.who) for row in rows]
    return tuple(Note(row.at, who, row.what) for row, who in zip(rows, told, strict=True))


def noted_players(
    session: Session, rows: Iterable[MasterNote | TournamentNote]
) -> Iterable[Player]:
    """Return the players whose names notes tell."""
    named = {row.player_id for row in rows} - {None}
    return session.exec(select(Player).where(col(Player.id).in_(named))) if named else ()


def in_utc(at: datetime) -> str:
    """Return a moment as public notes tell it: in UTC, with the year."""
    return words.format_moment(at.astimezone(UTC), "UTC", year=True)


def add_note(session: Session, match: Match, now: datetime, who: str, what: str) -> None:
    """Add a public note to a match that the caller has locked; `what` is the end of a sentence that
    names no player.

    Of a `names.PlayerName` the player is kept, so that erasing takes away exactly this name.
    """
    _add(session, match, now, who, what, actor=SERVICE_ACT)


def add_act(
    session: Session, match: Match, now: datetime, who: str, what: str, *decides: str
) -> None:
    """Add a public note of what the host, the master or the players' vote did to a match; its log
    tells it too, without a name.

    `decides` says what it decides besides the clock, by `STOPPED`, `CLOSED` and `ADJUDGED`. The
    caller has changed the match before: the signature covers what the clock is since. Raises
    SignInAgain where nobody can vouch for the act.
    """
    known = {HOST: "host", PLAYERS: "players", SERVICE: SERVICE_ACT}
    actor = "master" if isinstance(who, PlayerName) else known.get(who, "master")
    _add(session, match, now, who, what, actor=actor, decides=decides)


def add_concession(
    session: Session,
    match: Match,
    now: datetime,
    seat: Seat,
    told_as: str,
    what: str,
    *stopped: str,
) -> None:
    """Add the note that a seat conceded, signed by its player; `stopped` is what that ended. Raises
    SignInAgain as `add_act`.
    """
    _add(
        session,
        match,
        now,
        told_as,
        what,
        actor=A_SEAT,
        decides=(CONCEDED + seat.name, *stopped),
        asks=seat.player_id,
    )


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
) -> None:
    assert match.id is not None  # noqa: S101 from the database
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


def readers(session: Session, match: Match) -> Iterator[tuple[Seat, Player, str]]:
    """Yield every seat whose player has an address and wants letters, with the player and the
    address, in seat order.
    """
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        if (
            player is not None
            and player.address is not None
            and not player.house
            and player.letters
        ):
            yield seat, player, player.address


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


@dataclass(frozen=True)
class ClockChange:
    """A change of a match's clock. `who` is a player's name, HOST, SERVICE or PLAYERS."""

    what: Literal["paused", "resumed", "deadline", "restored"]
    who: str
    was: datetime | None = None  # the old deadline
    since: datetime | None = None  # when the pause began; the time of the backup
    outage: bool = False  # whether the deadline moves because the service was down
    newcomer: bool = False  # whether it moves for a seat's new player
    still: bool = False  # whether a restored match's clock stands still


def write_notices(
    session: Session, match: Match, phase: PhaseRow, news: ClockChange, *, now: datetime
) -> None:
    """Add a letter for every seat whose player has an address and wants letters. The caller has
    locked and changed the match.
    """
    public = public_keys.current_keys(session)
    who = _MASTER if isinstance(news.who, PlayerName) and hides_players(match) else news.who
    title, owed = (
        about_of(match).title,
        (OwedOrders(phase.name, phase.number, phase.deadline) if phase.deadline else None),
    )
    for seat, player, address in readers(session, match):
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
            what=news.what,
            who=who,
            deadline=phase.deadline,
            was=news.was,
            since=news.since,
            due=due,
            game=title,
            owed=owed if due and news.what != "paused" else None,
            progress=progress.sentence if progress else "",
            outage=news.outage,
            newcomer=news.newcomer,
            still=news.still,
        )
        about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
        outbox.put_letter(
            session, public, letter, address=address, now=now, player_id=player.id, about=about
        )
