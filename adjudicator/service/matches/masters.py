"""Actions of a match's masters and the host: pause, resume, move the deadline, close a phase now. Each is noted in public."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, NoReturn
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from adjudicator.platform import words
from adjudicator.platform.db import Database
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.rows import last_call, lock_by_uid, open_phase, persons, seats_of, set_closing, sitting
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import MasterNote, Match, PhaseRow, Player
from adjudicator.service.letters import outbox
from adjudicator.service.letters.kinds import NoticeLetter, OwedOrders
from adjudicator.service.matches import timetables
from adjudicator.service.people import accounts

HOST = "the host"
FURTHEST = timedelta(days=60)  # limit of a new deadline, counted from now
BREATH = timedelta(hours=1)  # minimum time to the deadline after a pause
_SPAN = re.compile(r"([+-]?)(\d{1,4})\s*(m|h|d)", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True)
class MasterAction:
    """One public action of a master or the host."""

    at: datetime
    who: str
    what: str


def list_actions(session: Session, match: Match) -> tuple[MasterAction, ...]:
    """Return the actions of a match's masters and the host, newest first."""
    rows = session.exec(select(MasterNote).where(MasterNote.match_id == match.id).order_by(col(MasterNote.id).desc()))
    return tuple(MasterAction(row.at, row.who, row.what) for row in rows)


def may_run(session: Session, match: Match, player_id: int | None) -> bool:
    """Whether a player may run this match: as its own master, or as a master of all matches."""
    player = session.get(Player, player_id) if player_id is not None else None
    return player is not None and (player.id == match.master_id or player.master)


def may_hasten(session: Session, match: Match, player_id: int | None) -> bool:
    """Whether a player who runs a match may close its phases early or shorten them: not while playing in it with other people."""
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    return own is None or set(persons(session, match)) <= {own.name}


# --- masters of all matches


def appoint_master(database: Database, address: str, *, now: datetime) -> bool:
    """Make the player of an address a master of all matches; an unknown player is created and proves the address at the first sign-in.

    Returns False if the player was one already. Raises Refused where the text is no address.
    """
    clean = accounts.clean_address(address)
    with database.write_tx() as session:
        player = accounts.for_address(session, clean, zone="UTC", now=now)
        was, player.master = player.master, True
    return not was


def dismiss_master(database: Database, address: str) -> None:
    """Stop the player of an address from running all matches; raises NotFound if they did not, Refused where the text is no address."""
    clean = accounts.clean_address(address)
    with database.write_tx() as session:
        player = session.exec(select(Player).where(Player.address == clean, col(Player.master).is_(True))).first()
        if player is None:
            raise NotFound("The player of this address does not run every match.")
        player.master = False


def list_masters(session: Session) -> list[str]:
    """Return the addresses of the masters of all matches; for the host's terminal only."""
    found = session.exec(select(Player.address).where(col(Player.master).is_(True)).order_by(col(Player.id)))
    return [address for address in found if address is not None]


# --- actions


def pause_match(database: Database, uid: str, who: int | None, *, now: datetime) -> None:
    """Pause a match: orders are still accepted, but no phase closes. `who` is a player's id, None for the host.

    Raises NotAllowed for a player who does not run the match, NotNow where no clock runs.
    """
    with database.write_tx() as session:
        match, name = _locked(session, uid, who)
        phase = _open(session, match, now)
        match.paused_at, phase.closes_at = now, None
        _note(session, match, now, name, f"paused the match in {phase.name}")
        write_notices(session, match, phase, MasterChange("paused", name), now=now)


def resume_match(database: Database, uid: str, who: int | None, *, now: datetime) -> None:
    """Resume a match that is paused, or stuck after a fault that has been fixed since.

    The deadline of a paused match moves by the length of the pause, to at least an hour from now; with fixed hours, on to the
    next of them. That of a stuck one stays.
    Raises NotAllowed, or NotNow for a match that is neither paused nor stuck.
    """
    with database.write_tx() as session:
        match, name = _locked(session, uid, who)
        if match.status != "stuck" and match.paused_at is None:
            raise NotNow("This match is neither paused nor stuck, so there is nothing to set going.")
        was_stuck, paused_at = match.status == "stuck", match.paused_at
        if was_stuck:
            match.status, match.trouble = ("running" if match.started_at else "open" if match.anchors else "making"), None
        match.paused_at = None
        phase = open_phase(session, match)
        _note(session, match, now, name, "set the match going again" + (", which had stood still because of a fault" if was_stuck else ""))
        if phase is None:
            return
        if paused_at is not None and phase.deadline is not None:
            phase.deadline = timetables.deadline_from(match, phase, max(phase.deadline + (now - paused_at), now + BREATH))
            write_notices(session, match, phase, MasterChange("resumed", name, since=paused_at), now=now)
        set_closing(session, match, phase, now)


def move_deadline(
    database: Database, uid: str, who: int | None, to: datetime | timedelta, *, now: datetime, phase_number: int | None = None
) -> None:  # fmt: skip
    """Move the open phase's deadline to a moment or by a span. The phase still closes earlier once every due seat is ready.

    An unchanged deadline is neither noted nor announced. Raises NotAllowed; NotNow where no deadline runs or another phase than
    `phase_number` is open; Refused where the new deadline is past or too far ahead.
    """
    with database.write_tx() as session:
        match, name = _locked(session, uid, who)
        phase = _open(session, match, now, phase_number)
        old = phase.deadline or now
        new = old + to if isinstance(to, timedelta) else to
        if new == old:
            return
        if new < old:
            _require_haste(session, match, who)
        _check(new, now)
        phase.deadline = new
        set_closing(session, match, phase, now)
        told = f"moved the deadline of {phase.name} from {_utc(old)} to {_utc(new)}"
        _note(session, match, now, name, told)
        write_notices(session, match, phase, MasterChange("deadline", name, was=old), now=now)


def close_now(database: Database, uid: str, who: int | None, *, now: datetime, phase_number: int | None = None) -> None:
    """Set the open phase's deadline to now, without grace, so that the next sweep closes it.

    Orders that arrived before now count. Raises NotAllowed; NotNow where no deadline runs or another phase than `phase_number`
    is open.
    """
    with database.write_tx() as session:
        match, name = _locked(session, uid, who)
        phase = _open(session, match, now, phase_number)
        _require_haste(session, match, who)
        phase.deadline, phase.grace_seconds, phase.why = now, 0, "master"
        set_closing(session, match, phase, now)
        _note(session, match, now, name, f"closed {phase.name} before its deadline")


def read_deadline(text: str, zone: str) -> datetime | timedelta:
    """Read `2026-12-01 20:00`, in an IANA zone, or a span such as `+24h`, `-2h`, `+3d`; raises Refused with a sentence."""
    span = _SPAN.fullmatch(text.strip())
    if span:
        size = timedelta(**{_UNITS[span[3].lower()]: int(span[2])})
        return -size if span[1] == "-" else size
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        wanted = "Write the new deadline like 2026-12-01 20:00, or as a span like +24h, -90m or +2d."
        raise Refused(f"“{text[:40]}” does not read as a deadline. {wanted}", field="deadline") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))


# --- shared steps


def _locked(session: Session, uid: str, who: int | None) -> tuple[Match, str]:
    """Lock a match and return it with the name of the master who acts; raises NotAllowed."""
    match = lock_by_uid(session, uid)
    if who is None:
        return match, HOST
    if not may_run(session, match, who):
        raise NotAllowed("Only the master of this match may do that.")
    return match, session.get_one(Player, who).name


def _require_haste(session: Session, match: Match, who: int | None) -> None:
    """Raise NotAllowed where `who` plays with other people, who would lose time."""
    if who is not None and not may_hasten(session, match, who):
        raise NotAllowed(
            "You play in this match yourself, and so do other people: you may give more time, but not take any. "
            "The host may, or somebody who runs every match and does not play in this one."
        )


def _open(session: Session, match: Match, now: datetime, number: int | None = None) -> PhaseRow:
    """Return the open phase of a match; raises NotNow with a sentence if no clock runs or the phase is not `number`."""
    phase = open_phase(session, match)
    if phase is None:
        _raise_not_running(match)
    if number is not None and phase.number != number:
        raise NotNow(f"That phase is closed by now, and nothing was changed; {phase.name} is open.")
    if match.paused_at is not None:
        raise NotNow("This match is paused. Set it going first; its deadline moves by as long as the pause was.")
    if phase.why is not None or now >= last_call(phase):
        raise NotNow(f"The time of {phase.name} is over; it is being closed.")
    return phase


def _raise_not_running(match: Match) -> NoReturn:
    if match.status == "stuck":
        raise NotNow("This match stands still because of a fault. Set it going first, once the fault is mended.")
    raise NotNow("This match is over." if match.status == "ended" else "This match has not begun.")


def _check(new: datetime, now: datetime) -> None:
    if new <= now:
        raise Refused("That moment is past. To close the phase at once, say so: everybody is told that it was closed.", field="deadline")
    if new > now + FURTHEST:
        raise Refused(f"A deadline may be {FURTHEST.days} days ahead at most; pause the match for longer.", field="deadline")


def _utc(at: datetime) -> str:
    return words.format_moment(at.astimezone(UTC), "UTC", year=True)


def _note(session: Session, match: Match, now: datetime, who: str, what: str) -> None:
    assert match.id is not None  # noqa: S101 from the database
    session.add(MasterNote(match_id=match.id, at=now, who=who, what=what))


@dataclass(frozen=True)
class MasterChange:
    """A change of a match's clock. `who` is a player's name, or "the host"."""

    what: Literal["paused", "resumed", "deadline"]
    who: str
    was: datetime | None = None  # the old deadline
    since: datetime | None = None  # when the pause began


def write_notices(session: Session, match: Match, phase: PhaseRow, news: MasterChange, *, now: datetime) -> None:
    """Add a letter for every seat whose player has an address and wants letters. The caller has locked and changed the match."""
    public = public_keys.current_keys(session)
    title, owed = game_of(match).about.title, OwedOrders(phase.name, phase.number, phase.deadline) if phase.deadline else None
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        if player is None or player.address is None or player.house or not player.letters:
            continue
        due = seat.name in phase.due
        letter = NoticeLetter(
            match=match.name, uid=match.uid, game_key=match.game, seat=seat.name, zone=player.zone, reply_token=seat.token,
            phase=phase.name, what=news.what, who=news.who, deadline=phase.deadline, was=news.was, since=news.since, due=due,
            game=title, owed=owed if due and news.what != "paused" else None,
        )  # fmt: skip
        about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
        outbox.put_letter(session, public, letter, address=player.address, now=now, player_id=player.id, about=about)
