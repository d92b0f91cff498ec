"""Tenures: seats of running matches that open, are left, are taken over, and change hands."""

from dataclasses import replace
from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, delete, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.platform import wakeups
from adjudicator.platform.words import plural, seat_phrase
from adjudicator.service.base import rows
from adjudicator.service.base.due.phase_clock import is_silent, last_call, on_its_clock, set_closing
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import (
    dues_of,
    exists,
    house_players,
    note_people,
    open_phase,
    seats_of,
)
from adjudicator.service.base.state import hides_players
from adjudicator.service.base.tables import (
    Due,
    FormerTenure,
    Letter,
    Match,
    Offer,
    PhaseRow,
    Receipt,
    Seat,
)
from adjudicator.service.matches import tenure_letters, timetables
from adjudicator.service.matches.clock import begin_pause, end_pause
from adjudicator.service.matches.notes import SERVICE, add_act, add_note, in_utc
from adjudicator.service.matches.tenure_letters import AtOnce, ClockChange
from adjudicator.service.requests.seat_requests import Taker, add_request, add_taking

Opening = Literal["silent", "resigned", "replaced"]  # why a seat looks for a new player
Ending = Literal["silent", "resigned", "replaced", "lent", "returned"]  # why a tenure ended
# letters that answer what a player did while having the seat
_KEPT = ("receipt", "answer", "confirm")


# --- opening a seat


def count_misses(session: Session, match: Match, phase: PhaseRow, *, now: datetime) -> list[str]:
    """Count who handed in nothing for a phase that was just closed, and open the seats that the
    match's rule names; return these.

    Among these are a silent substitute's, which goes back to its player.

    The caller has locked the match. A miss in a phase that was forced or closed by the master
    counts for nobody, since nobody was waited for until the deadline. A match against house bots
    alone opens no seat, as nobody else waits; an anonymous one does, because the difference would
    reveal the bots. The search for players who have handed something in again ends.
    """
    if match.status != "running":
        return []
    for seat in seats_of(session, match):
        if has_returned(session, seat):
            come_back(session, match, seat, now=now, quiet=True)
    if not (match.misses or match.first_miss):
        return []
    bots, waited = house_players(session, match), phase.why in ("ready", "deadline")
    people = [seat for seat in seats_of(session, match) if seat.player_id not in bots]
    dues = {due.seat: due for due in dues_of(session, phase)}
    for seat in people:
        due = dues.get(seat.name)
        if due is None or seat.player_id is None or (is_silent(due) and not waited):
            continue
        seat.misses = seat.misses + 1 if is_silent(due) else 0
        if (
            seat.misses
            and seat.open_since is None
            and (len(people) > 1 or hides_players(match))
            and _opens(session, match, seat)
        ):
            _open_silent(session, match, seat, now)
    return [seat.name for seat in people if now in (seat.open_since, seat.returns_at)]


def _opens(session: Session, match: Match, seat: Seat) -> bool:
    """Whether a seat that just missed a phase opens: after so many in a row, or if its player never
    handed in anything.
    """
    if match.misses and seat.misses >= match.misses:
        return True
    own = select(Receipt.id).where(
        Receipt.match_id == match.id, Receipt.seat == seat.name, Receipt.tenure == seat.tenure
    )
    return match.first_miss and not exists(session, own)


def _open_silent(session: Session, match: Match, seat: Seat, now: datetime) -> None:
    """Open a silent player's seat; a substitute's goes back to the player who lent it."""
    if seat.owner_id is not None:
        seat.returns_at = now
        wakeups.wake(session, wakeups.SEATS, match.uid)
    else:
        open_seat(session, match, seat, "silent", now=now)


def open_seat(
    session: Session,
    match: Match,
    seat: Seat,
    why: Opening,
    *,
    now: datetime,
    who: str = SERVICE,
    reason: str = "",
) -> None:
    """Let a seat of a running match look for a new player; the caller has locked the match. Opening
    it again changes nothing.

    1. The player of a `silent` seat keeps it until somebody takes it; one who `resigned` or is
       `replaced` leaves it now.
    2. Note it in public, as done by `who` (of a `replaced` seat the master's name), with a `reason`
       for a replacement. Of a `silent` seat the reports on the phase tell it, of another letters at
       once.
    3. Write to the player, and of a `silent` seat to the master. The sweep writes to the standbys.
    4. Pause the match if every player has gone.
    """
    if seat.open_since is not None and (why == "silent" or seat.player_id is None):
        return
    player, since = seat.player_id, seat.open_since or now
    if why != "silent" and player is not None:
        asks = (
            player if why == "resigned" else who.player_id if isinstance(who, PlayerName) else None
        )
        add_request(
            session, match, seat, "leave" if why == "resigned" else "replace", now, player_id=asks
        )
        end_tenure(session, match, seat, why, now=now)
    seat.open_since, seat.next_ask_at = since, now
    wakeups.wake(session, wakeups.SEATS, match.uid)
    name = seat_phrase(seat.name)
    one = "opened {seat} to a new player, since nothing was handed in for the last phase"
    several = "opened {seat} to a new player, since nothing was handed in for {n} phases in a row"
    replaced = (
        f"opened {name} to a new player: {reason}" if reason else f"opened {name} to a new player"
    )
    notes = {
        "silent": (SERVICE, plural(seat.misses, one, several, seat=name)),
        "resigned": (f"the player of {name}", "resigned; the seat looks for a new player"),
        "replaced": (who, replaced),
    }
    title, more = tenure_letters.looks_title(seat), (tenure_letters.SEARCH,)
    (add_act if why == "replaced" else add_note)(
        session,
        match,
        now,
        *notes[why],
        news=None if why == "silent" else AtOnce(title, more, but=(player,)),
    )
    if why == "silent":
        tenure_letters.tell_player(
            session, match, player, tenure_letters.silent_news(seat), now=now, seat=seat
        )
        if match.master_id != player:
            sentence = f"{tenure_letters.capitalize(' '.join(notes[why]))}."
            tenure_letters.tell_master(session, match, seat, sentence, now=now)
    elif why == "replaced":
        tenure_letters.tell_player(
            session,
            match,
            player,
            tenure_letters.left_news(match, seat, "replaced", reason),
            now=now,
        )
    note_people(session, match)
    _pause_deserted(session, match, now, closing=why == "silent")


def end_tenure(session: Session, match: Match, seat: Seat, why: Ending, *, now: datetime) -> None:
    """End the tenure of a seat's player, in a match that the caller has locked; afterwards the seat
    is free.

    The seat gets a new mail address. Letters that were not sent yet are erased, except answers to
    what the player did.
    """
    if seat.player_id is None:
        return
    session.add(
        FormerTenure(
            match_id=seat.match_id,
            seat_id=seat.id,
            seat=seat.name,
            number=seat.tenure,
            player_id=seat.player_id,
            since=seat.taken_at,
            until=now,
            why=why,
            token_hash=seat.token_hash or "",
            tenure_proof=seat.tenure_proof,
            token_n=seat.token_n,
            earlier_hash=seat.earlier_hash,
        )
    )
    unsent = (
        Letter.match_id == match.id,
        Letter.seat == seat.name,
        col(Letter.state).in_(("waiting", "held")),
    )
    session.exec(
        delete(Letter).where(
            *unsent,  # type: ignore[arg-type]
            Letter.tenure == seat.tenure,  # type: ignore[arg-type]
            col(Letter.kind).not_in(_KEPT),
        )
    )
    seat.player_id = seat.taken_at = seat.owner_id = seat.returns_at = seat.open_since = (
        seat.next_ask_at
    ) = seat.invitation_hash = None
    seat.tenure_nonce = seat.tenure_who = seat.tenure_proof = None
    seat.tenure, seat.misses = seat.tenure + 1, 0
    rows.renew_address(seat)
    session.flush()


# --- taking a seat


def standing_offers() -> SelectOfScalar[Offer]:
    """Return the query for the offers of running matches that can be accepted.

    An offer to a standby stands while the search in which it was made goes on, one to a substitute
    while its asker has the seat.
    """
    looks = col(Offer.asker_id).is_(None) & (col(Offer.made_at) >= col(Seat.open_since))
    asks = (col(Offer.asker_id) == col(Seat.player_id)) & (col(Offer.tenure) == col(Seat.tenure))
    wanted = select(Offer).join(Seat)
    return wanted.where(col(Offer.answered_at).is_(None), or_(looks, asks))


def take_over(session: Session, match: Match, seat: Seat, taker: Taker, *, now: datetime) -> None:
    """Give an open seat to a new player, in a match that the caller has locked; the caller has
    checked that this player may have it.

    1. End the tenure of a silent player, who is told.
    2. Seat the new player, and tell everybody at once, in one letter with a deadline that moves;
       also that press to the seat can be read.
    3. Give the newcomer a whole phase; a match that was paused as every player had gone goes on.
    """
    silent = seat.player_id
    end_tenure(session, match, seat, "silent", now=now)
    tenure_letters.tell_player(
        session, match, silent, tenure_letters.left_news(match, seat, "taken"), now=now
    )
    sit_down(session, match, seat, taker.player_id, now=now)
    add_taking(session, match, seat, "take", now, taker)
    back = not hides_players(match) and sat_before(session, seat, taker.player_id)
    name = seat_phrase(seat.name)
    if back:
        who, did, title = "a player who left it before", "is back in", back_title(seat)
    elif hides_players(match):
        who, did, title = "somebody", "took over", _again_title(seat)
    else:
        who, did, title = "a new player", "took over", _new_title(seat)
    note = f"{did} {name}, and can read the press that was written to it"
    know = (taker.player_id, silent)
    # the letters of a deadline that moves tell it as well
    gives = match.paused_at is None and _whole_phase(session, match, seat, now) is not None
    add_note(session, match, now, who, note, news=None if gives else AtOnce(title, but=know))
    resume_deserted(session, match, now)
    sentence = f"{tenure_letters.capitalize(who)} {note}."
    besides = ClockChange("deadline", newcomer=not back, back=back, but=know)
    if gives:
        besides = replace(besides, title=title, told=sentence)
    _give_whole_phase(session, match, seat, now, besides)


def sat_before(session: Session, seat: Seat, player_id: int | None) -> bool:
    """Whether a player had a seat in an earlier tenure."""
    former = select(FormerTenure.id).where(
        FormerTenure.seat_id == seat.id, FormerTenure.player_id == player_id
    )
    return exists(session, former)


def sit_down(session: Session, match: Match, seat: Seat, player_id: int, *, now: datetime) -> None:
    """Put a player on a free seat of a running match that the caller has locked; what the player
    before was ready for waits again.
    """
    seat.player_id, seat.taken_at = player_id, now
    seat.open_since = seat.next_ask_at = None
    _wait_for_newcomer(session, match, seat, now)
    note_people(session, match)


def _wait_for_newcomer(session: Session, match: Match, seat: Seat, now: datetime) -> None:
    """Forget that a predecessor was ready in the open phase: it would close, and tell the newcomer
    what was said.
    """
    phase = open_phase(session, match)
    due = (
        next((due for due in dues_of(session, phase) if due.seat == seat.name), None)
        if phase is not None
        else None
    )
    if phase is not None and due is not None:
        due.says, due.complete = None, False
        session.flush()
        set_closing(session, match, phase, now)


def come_back(
    session: Session, match: Match, seat: Seat, *, now: datetime, quiet: bool = False
) -> bool:
    """Close the search for a new player, as the seat's player is back; everybody is told, at once
    unless it is done `quiet`ly, as reports or other letters tell it. Returns whether there was one.

    The caller has locked the match.
    """
    seat.misses = 0
    if seat.open_since is None or seat.player_id is None:
        return False
    seat.open_since = seat.next_ask_at = None
    add_note(
        session,
        match,
        now,
        f"the player of {seat_phrase(seat.name)}",
        "is back; the seat looks for nobody any more",
        news=None if quiet else AtOnce(back_title(seat), but=(seat.player_id,)),
    )
    resume_deserted(session, match, now)
    return True


def _new_title(seat: Seat) -> str:
    return f"{tenure_letters.capitalize(seat_phrase(seat.name))} has a new player"


def _again_title(seat: Seat) -> str:
    """Return the title where nobody may know whether its player had the seat before."""
    return f"{tenure_letters.capitalize(seat_phrase(seat.name))} has a player again"


def back_title(seat: Seat) -> str:
    """Return the title of a letter that tells that a seat's player is back."""
    return f"{tenure_letters.capitalize(seat_phrase(seat.name))} has its player back"


def keep_seat(session: Session, match: Match, seat: Seat, *, now: datetime) -> None:
    """Keep a silent player's seat for the player, who has just handed something in or said `ready`
    or `wait`.

    The caller has locked the match. Nobody can take the seat any more, but others are told only as
    the phase closes: else they would know who has handed in, and when. A match that was paused as
    every player had gone goes on at once.
    """
    if seat.open_since is not None and match.deserted:
        come_back(session, match, seat, now=now)
    if seat.next_ask_at is not None:  # else it may be a record
        seat.next_ask_at = None


def has_returned(session: Session, seat: Seat) -> bool:
    """Whether a seat looks for a new player although its player has handed something in meanwhile,
    or said `ready` or `wait`.
    """
    if seat.open_since is None or seat.player_id is None:
        return False
    own = (
        Receipt.match_id == seat.match_id,
        Receipt.seat == seat.name,
        Receipt.tenure == seat.tenure,
    )
    since = select(Receipt.id).where(
        *own, Receipt.at >= seat.open_since, Receipt.disposition != "refused"
    )
    if exists(session, since):
        return True
    query = select(Due.id).join(PhaseRow)
    query = query.where(
        PhaseRow.match_id == seat.match_id,
        PhaseRow.opened_at >= seat.open_since,
        Due.seat == seat.name,
    )
    return exists(session, query.where(col(Due.says).is_not(None)))


# --- the clock


def _give_whole_phase(
    session: Session, match: Match, seat: Seat, now: datetime, change: ClockChange
) -> None:
    """Move the open phase's deadline to a whole phase from now on, where the seat is given one."""
    phase, whole = open_phase(session, match), _whole_phase(session, match, seat, now)
    if phase is None or phase.deadline is None or whole is None:
        return
    old, phase.deadline = phase.deadline, whole
    set_closing(session, match, phase, now)
    whom = (
        "the player who is back"
        if change.back
        else f"whoever took over {seat_phrase(seat.name)}"
        if hides_players(match)
        else "the new player"
    )
    moved = f"moved the deadline of {phase.name} from {in_utc(old)} to {in_utc(whole)}, for {whom}"
    add_note(session, match, now, SERVICE, moved, news=replace(change, was=old))


def _whole_phase(session: Session, match: Match, seat: Seat, now: datetime) -> datetime | None:
    """Return the deadline that gives a seat a whole phase from now on, None where the seat owes no
    orders, the phase is being closed, or its deadline is later.

    A seat gives a phase such time once, or those who take and leave it could hold the match for
    ever.
    """
    phase, clock = open_phase(session, match), on_its_clock(match, now)
    if (
        phase is None
        or phase.deadline is None
        or seat.name not in phase.due
        or phase.why is not None
        or clock >= last_call(phase)
    ):
        return None
    before = select(FormerTenure.id).where(
        FormerTenure.seat_id == seat.id, col(FormerTenure.since) > phase.opened_at
    )
    if exists(session, before.where(FormerTenure.why != "returned")):
        return None
    whole = timetables.whole_phase(match, phase, clock)
    return whole if whole > phase.deadline else None


def _pause_deserted(session: Session, match: Match, now: datetime, *, closing: bool) -> None:
    """Pause a match that every player has gone from; in an anonymous one a bot counts as a player,
    as else it would be revealed. The reports of a phase that is `closing` tell it.
    """
    phase = open_phase(session, match)
    bots = set() if hides_players(match) else house_players(session, match)
    here = [
        seat
        for seat in seats_of(session, match)
        if seat.open_since is None and seat.player_id not in bots
    ]
    if here or phase is None or match.paused_at is not None:
        return
    begin_pause(match, phase, now=now)
    match.deserted = True
    add_note(
        session,
        match,
        now,
        SERVICE,
        "paused the match, since every player has gone; it goes on as soon as somebody takes a"
        " seat",
        news=None if closing else ClockChange("paused"),
    )


def resume_deserted(session: Session, match: Match, now: datetime) -> None:
    """Let a match go on that was paused as every player had gone; any other stays as it is."""
    phase = open_phase(session, match)
    if not match.deserted or match.paused_at is None or phase is None:
        return
    paused_at = match.paused_at
    end_pause(session, match, phase, now=now)
    set_closing(session, match, phase, now)
    change = ClockChange("resumed", since=paused_at)
    add_note(session, match, now, SERVICE, "set the match going again", news=change)
