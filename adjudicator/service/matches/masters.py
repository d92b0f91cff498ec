"""Actions of a match's masters and the host: pause, resume, move the deadline, close a phase now.
Each is noted in public.
"""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from adjudicator.platform import words
from adjudicator.platform.db import Database
from adjudicator.seal.requests import WorkerSigner, who_of_address
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.names import PlayerName, one_line, unlinked
from adjudicator.service.base.rows import (
    by_uid,
    count_rows,
    lock_by_uid,
    may_run,
    open_phase,
    persons,
    plays,
    seats_of,
    sitting,
)
from adjudicator.service.base.tables import MasterNote, Match, Player, Seat
from adjudicator.service.matches import clock, timetables, votes
from adjudicator.service.matches.notes import ADJUDGED, HOST, STOPPED, add_act, phase_with_clock
from adjudicator.service.matches.votes import Ask, VoteResult
from adjudicator.service.people import accounts
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.bodies import appointment
from adjudicator.service.requests.rights import require_runs
from adjudicator.service.requests.signing import find_signer
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.references import Reference

LONGEST_REASON = 300  # letters
MOST_ACTS = 40  # of one master in one match within a day, each of which everybody is told
MOST_AT_A_SEAT = 3  # of one kind within a day
_SPAN = re.compile(r"([+-]?)(\d{1,4})\s*(m|h|d)", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def may_hasten(session: Session, match: Match, player_id: int | None) -> bool:
    """Whether a player who runs a match may close its phases early or shorten them: not while
    playing in it with other people.

    Who has lent a seat to a substitute plays, too.
    """
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    return (
        not plays(seats, player_id) if own is None else set(persons(session, match)) <= {own.name}
    )


def reply_address(session: Session, uid: str, player_id: int) -> Reference | None:
    """Return the reference to the address by which a player runs this match, None for one who does
    not run it.
    """
    match = by_uid(session, uid)
    return (
        master_addresses.reply_address(session, match, player_id)
        if may_run(session, match, player_id)
        else None
    )


def change_address(session: Session, uid: str, player_id: int) -> Reference:
    """Give a master another address in this match and return the reference to it; the old one stops
    working. Raises NotAllowed.
    """
    match, _ = lock_to_run(session, uid, player_id)
    return master_addresses.change_address(session, match, player_id)


def require_phase_of(session: Session, uid: str, at: datetime) -> None:
    """Raise NotNow where the phase that was open at that moment is closed by now."""
    phase = open_phase(session, by_uid(session, uid))
    if phase is not None and phase.opened_at > at:
        raise NotNow(
            "The phase that was open when you wrote is closed by now, and nothing was changed;"
            f" {phase.name} is open."
        )


def deadline_of(session: Session, uid: str) -> datetime | None:
    """Return the deadline of a match's open phase, None where none is open; raises NotFound."""
    phase = open_phase(session, by_uid(session, uid))
    return phase.deadline if phase is not None else None


# --- masters of all matches


def appoint_master(database: Database, address: str, *, now: datetime) -> bool:
    """Make the player of an address a master of all matches; an unknown player is created and
    proves the address at the first sign-in.

    Returns False if the player was one already. Raises Refused where the text is no address,
    SignInAgain without the key file.
    """
    clean = accounts.clean_address(address)
    with database.write_tx() as session:
        player = accounts.for_address(session, clean, zone="UTC", now=now)
        was, player.master = player.master, True
        signer = find_signer(session, None)
        if isinstance(signer, WorkerSigner):  # nobody else may vouch for the host
            player.appointed = signer.sign(appointment(who_of_address(signer.keyring, clean)))
    return not was


def dismiss_master(database: Database, address: str) -> None:
    """Stop the player of an address from running all matches; raises NotFound if they did not,
    Refused where the text is no address.
    """
    clean = accounts.clean_address(address)
    with database.write_tx() as session:
        player = session.exec(
            select(Player).where(Player.address == clean, col(Player.master).is_(True))
        ).first()
        if player is None:
            raise NotFound("The player of this address does not run every match.")
        player.master, player.appointed = False, None
        master_addresses.withdraw(session, player)


def list_masters(session: Session) -> list[str]:
    """Return the addresses of the masters of all matches; for the host's terminal only."""
    found = session.exec(
        select(Player.address).where(col(Player.master).is_(True)).order_by(col(Player.id))
    )
    return [address for address in found if address is not None]


# --- actions


@act
def pause_match(session: Session, uid: str, who: int | None, *, now: datetime) -> VoteResult:
    """Pause a match: orders are still accepted, but no phase closes. `who` is a player's id, None
    for the host.

    A player who does not run the match puts it to the vote. Raises NotAllowed for a stranger,
    NotNow where no clock runs.
    """
    match = lock_by_uid(session, uid)
    if who is not None and not may_run(session, match, who):
        return votes.propose_in(
            session, votes.find_voter(session, match, who, now), Ask("pause"), now=now
        )
    require_few_acts(session, match, who, now)
    capped = who is not None and not may_hasten(session, match, who)
    clock.pause(
        session,
        match,
        phase_with_clock(session, match, now),
        _name(session, who),
        now=now,
        capped=capped,
    )
    return VoteResult("The match is paused.", acted=True)


@act
def resume_match(session: Session, uid: str, who: int | None, *, now: datetime) -> VoteResult:
    """Resume a match that is paused, or stuck after a fault that has been fixed since.

    A player, or a master who plays with other people, puts it to the vote; in a match without votes
    its master decides.

    The deadline of a paused match moves as `clock.moved_by_pause` says; that of a stuck one stays.
    Raises NotAllowed, or NotNow for a match that is neither paused nor stuck.
    """
    match = lock_by_uid(session, uid)
    _require_part(session, match, who)
    if match.status != "stuck" and match.paused_at is None:
        raise NotNow("This match is neither paused nor stuck, so there is nothing to set going.")
    by_vote = (
        match.status != "stuck"
        and match.vote_rule != "none"
        and not may_hasten(session, match, who)
    )
    if who is not None and (by_vote or not may_run(session, match, who)):
        return votes.propose_in(
            session, votes.find_voter(session, match, who, now), Ask("resume"), now=now
        )
    clock.resume(session, match, _name(session, who), now=now)
    return VoteResult("The match goes on.", acted=True)


@act
def move_deadline(
    session: Session,
    uid: str,
    who: int | None,
    to: datetime | timedelta,
    *,
    now: datetime,
    phase_number: int | None = None,
    since: datetime | None = None,
) -> VoteResult:
    """Move the open phase's deadline to a moment or by a span. The phase still closes earlier once
    every due seat is ready.

    A span counts from `since`, else from the deadline; on a day without deadlines it ends at the
    same local time of the next that has them. A moment counts as it is named, whatever the
    timetable says.

    To an earlier moment a master who plays with other people moves it only with the consent of all.

    An unchanged deadline is neither noted nor announced. Raises NotAllowed; NotNow where no
    deadline runs or another phase than `phase_number` is open; Refused where the new deadline is
    past or too far ahead.
    """
    match, name = lock_to_run(session, uid, who, now=now)
    phase = phase_with_clock(session, match, now, phase_number)
    old = phase.deadline or now
    new = timetables.past_days_off(match, (since or old) + to) if isinstance(to, timedelta) else to
    if new == old:
        return VoteResult(f"The deadline of {phase.name} is that already, so nothing was changed.")
    if new < old and not may_hasten(session, match, who):
        return votes.propose_in(
            session, votes.find_voter(session, match, who, now), Ask("shorten", new), now=now
        )
    clock.check_deadline(new, now)
    clock.move(session, match, phase, new, name, now=now)
    return VoteResult(f"The deadline of {phase.name} was moved.", acted=True)


@act
def close_now(
    session: Session, uid: str, who: int | None, *, now: datetime, phase_number: int | None = None
) -> VoteResult:
    """Set the open phase's deadline to now, without grace, so that the next sweep closes it.

    A master who plays with other people does it only with the consent of all.

    Orders that arrived before now count. Raises NotAllowed; NotNow where no deadline runs or
    another phase than `phase_number` is open.
    """
    match, name = lock_to_run(session, uid, who, now=now)
    phase = phase_with_clock(session, match, now, phase_number)
    if not may_hasten(session, match, who):
        return votes.propose_in(
            session, votes.find_voter(session, match, who, now), Ask("close"), now=now
        )
    clock.close(session, match, phase, name, now=now)
    return VoteResult(f"{phase.name} closes now.", acted=True)


@act
def end_match(
    session: Session, uid: str, who: int | None, reason: str, *, now: datetime
) -> VoteResult:
    """End a running, paused or stuck match as it stands; its result is the game's standing.

    A player, or a master who plays with other people, does it only with the consent of all; anybody
    else needs a reason. Raises NotAllowed for a stranger, NotNow where the match has not begun or
    is over, Refused without a reason.
    """
    match = lock_by_uid(session, uid)
    if who is not None and not (may_run(session, match, who) and may_hasten(session, match, who)):
        return votes.propose_in(
            session, votes.find_voter(session, match, who, now), Ask("end", reason=reason), now=now
        )
    why = votes.clean_reason(reason)
    if not why:
        raise Refused("Say why the match ends; everybody can read it.", field="reason")
    stop_as(session, match, _name(session, who), why, now=now)
    return VoteResult("The match ends as it stands.", acted=True)


def stop_as(
    session: Session, match: Match, who: str, why: str, *, now: datetime, adjudged: bool = False
) -> None:
    """End a match that the caller has locked as it stands, noted under the name `who`. Raises
    NotNow where none is going on.

    `adjudged`: because the round of its tournament is over.
    """
    if match.status == "stuck" and match.started_at is not None:
        match.status, match.trouble = "running", None
    phase = open_phase(session, match)
    if phase is None:
        raise NotNow(
            "This match is over."
            if match.status in ("ended", "running")
            else "This match has not begun."
        )
    match.stop_note = why
    clock.stop(session, match, phase, "master", now=now)
    add_act(
        session,
        match,
        now,
        who,
        f"ended the match in {phase.name}: {why}",
        STOPPED + "master",
        *([ADJUDGED] if adjudged else []),
    )


def read_deadline(text: str, zone: str) -> datetime | timedelta:
    """Read `2026-12-01 20:00`, in an IANA zone, or a span such as `+24h`, `-2h`, `+3d`; raises
    Refused with a sentence.
    """
    span = _SPAN.fullmatch(text.strip())
    if span:
        size = timedelta(**{_UNITS[span[3].lower()]: int(span[2])})
        return -size if span[1] == "-" else size
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        wanted = (
            "Write the new deadline like 2026-12-01 20:00, or as a span like +24h, -90m or +2d."
        )
        raise Refused(
            f"“{text[:40]}” does not read as a deadline. {wanted}", field="deadline"
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))


# --- shared steps


def lock_to_run(
    session: Session, uid: str, who: int | None, *, now: datetime | None = None
) -> tuple[Match, str]:
    """Lock a match and return it with the name of the master who acts; raises NotAllowed.

    With the time raises NotNow where the master has acted too often in it.
    """
    match = lock_by_uid(session, uid)
    if who is not None:
        require_runs(session, match, who)
    if now is not None:
        require_few_acts(session, match, who, now)
    return match, _name(session, who)


def require_few_acts(session: Session, match: Match, who: int | None, now: datetime) -> None:
    """Raise NotNow where a player has changed a match so often within a day that everybody was told
    enough; the host may go on.
    """
    own = MasterNote.player_id == who
    if who is not None and _count_of_day(session, match, now, own) >= MOST_ACTS:
        raise NotNow(
            f"You changed this match {MOST_ACTS} times within a day, and everybody is told each"
            " time. Go on tomorrow."
        )


def require_few_at(session: Session, match: Match, begins: str, now: datetime) -> None:
    """Raise NotNow where so many public notes of a day begin so: what is done to one seat."""
    alike = col(MasterNote.what).startswith(begins, autoescape=True)
    if _count_of_day(session, match, now, alike) >= MOST_AT_A_SEAT:
        raise NotNow(
            f"That was done to this seat {MOST_AT_A_SEAT} times within a day, which is the most."
            " Try again tomorrow."
        )


def _count_of_day(
    session: Session, match: Match, now: datetime, which: ColumnElement[bool] | bool
) -> int:
    """Return how many notes of a match meet a condition, within a day."""
    recent = (MasterNote.match_id == match.id, MasterNote.at > now - timedelta(days=1))
    return count_rows(session, MasterNote, *recent, which)


def _require_part(session: Session, match: Match, who: int | None) -> None:
    """Raise NotAllowed for a player who neither runs the match nor plays in it."""
    if (
        who is not None
        and not may_run(session, match, who)
        and sitting(seats_of(session, match), who) is None
    ):
        raise NotAllowed("Only the master of this match and its players may do that.")


def _name(session: Session, who: int | None) -> str:
    return HOST if who is None else PlayerName(session.get_one(Player, who))


def named_seat(session: Session, match: Match, name: str) -> Seat:
    """Return the seat that a master names, in any case of letters; raises Refused."""
    seats = seats_of(session, match)
    found = next((seat for seat in seats if seat.name.casefold() == name.strip().casefold()), None)
    if found is None:
        others = words.join_list([words.display_seat(seat.name) for seat in seats], "or")
        raise Refused(
            f"“{name.strip()[:40]}” has no seat in this match; write {others}.", field="seat"
        )
    return found


def clean_reason(text: str) -> str:
    """Return the reason of a master's act on one line, as public notes tell it; raises Refused
    where there is none.
    """
    reason = unlinked(one_line(text)).rstrip(".")
    if not reason:
        raise Refused("It needs a reason, which everybody can read.", field="reason")
    if len(reason) > LONGEST_REASON:
        raise Refused(f"A reason has {LONGEST_REASON} letters at most.", field="reason")
    return reason
