"""Creates matches with their options, rhythm and seats; the worker prepares them afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from adjudicator import catalogue
from adjudicator.core.game import About, AnyGame, Seating
from adjudicator.core.options import OptionError, complete_options
from adjudicator.platform import entropy, wakeups
from adjudicator.platform.net.outside import CannotFetch, check_address
from adjudicator.platform.words import format_duration, join_list
from adjudicator.play import rule_sheets
from adjudicator.play.seat_allocation import SeatingError, read_preferences
from adjudicator.play.timetable import Timetable, read_timetable
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import clean_chosen, holds_name
from adjudicator.service.base.press_rules import OPTION, check_rules
from adjudicator.service.base.rows import (
    count_rows,
    hold_player,
    hold_tables,
    note_people,
    seats_of,
)
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.matches import absences, timetables
from adjudicator.service.matches.terms import reading, record
from adjudicator.service.matches.terms.record import Terms
from adjudicator.service.people import accounts, invitation_limits
from adjudicator.service.people.invitation_limits import USUAL, Caps
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.sent_forms import make_once

_UID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without letters that are easily confused
LONGEST_NAME = 60


@dataclass(frozen=True)
class Wish(Terms):
    """The form of the page *Make a match*: its terms, and what is no term."""

    game: str
    name: str
    options: Mapping[str, object]
    invited: tuple[str, ...] = ()  # addresses; a seat is kept for each, and a letter sent
    players: int | None = None  # number of players, if the game allows several; None: the most
    house: int = 0  # seats given to house bots
    every_seconds: int | None = None  # replaces every_hours in a demonstration
    wishes: tuple[str, ...] = ()  # seats that the creator prefers, best first; only by preference


@act
def make_match(
    session: Session, master_id: int, wish: Wish, *, now: datetime, caps: Caps = USUAL
) -> str:
    """Create a match and return its public name; its seats can be taken once the worker has
    prepared it.

    A form that is sent again returns the first match. Raises Refused with a sentence that names the
    error; then nothing was stored.
    """
    _hold_tables(session, wish)
    hold_player(session, master_id)
    return make_once(session, lambda: add_match(session, master_id, wish, now=now, caps=caps))


def add_match(
    session: Session,
    master_id: int,
    wish: Wish,
    *,
    now: datetime,
    caps: Caps = USUAL,
    again: bool = False,
    copied: Mapping[str, Any] | None = None,
) -> str:
    """Make a match in the caller's transaction; raises Refused before anything is written.

    `again`: a match was made with this wish before, its timetable with a zone. What depends on
    today is not refused then: how far off the first deadline is, and how long the overtime is
    beside the phases. `copied` are columns that are not made of the wish.
    """
    game = find_game(wish.game)
    _hold_tables(session, wish)
    if wish.play:
        hold_player(session, master_id)
    try:
        names = _seat_names(game.about, wish.players)
        options = complete_options(game.about, wish.options, players=len(names))
    except OptionError as error:
        raise Refused(str(error)) from error
    seating = _seating(game.about, wish, anonymous=bool(options.get(ANONYMOUS)))
    wishes = (
        wished(game.about, game.about.offered(len(names)), wish.wishes, seating=seating)
        if wish.play
        else ()
    )
    check_rules(game.about, options.get(OPTION), wish.press, plays=wish.play)
    reading.check(wish, game.about)
    every = wish.every_hours * 3600 if wish.every_seconds is None else wish.every_seconds
    table = _timetable(session, master_id, wish, game.about, now, again=again)
    if table is not None:
        every = round(timetables.usual_length(table, now).total_seconds())
    calendar = _calendar(session, master_id, wish, table)
    invited = _invited(wish, len(names))
    invitation_limits.require_invitations(session, master_id, invited, caps=caps, now=now)
    if wish.overtime_minutes * 60 > every / 2 and not again:
        most = format_duration(every // 120 * 60)
        raise Refused(
            f"Overtime may last at most half as long as a phase, here {most}.", field="overtime"
        )
    terms = reading.columns(wish) | {
        "every_seconds": every,
        "open_seats": wish.open_seats and not wish.private,
        "seating": seating,
        "progress": "none" if options.get(ANONYMOUS) else wish.progress,
        "overtime_seconds": min(wish.overtime_minutes * 60, every // 2),
        "reminders": list(wish.reminders),
        "short_seconds": None if table else _short(game.about, wish, every),
        "timetable": str(table) if table else None,
        "sheet": _sheet(wish, game.about),
        "calendar": calendar,
        "absence_days": _absence_days(wish, every),
        "rated": _is_rated(game.about, wish, options),
    }
    made = terms | {
        "uid": new_uid(),
        "name": _name(wish, game.about.title),
        "game": wish.game,
        "rules_version": game.about.rules_version,
        "named_after": _named_after(session, master_id, wish),
        "options": dict(options),
        "master_id": master_id,
        "ready_rule": game.about.ready,
        "made_at": now,
        "next_days_at": now if calendar or (table and table.country) else None,
    }
    match = Match(**made | dict(copied or {}))
    session.add(match)
    session.flush()
    wakeups.wake(session, wakeups.PREPARE, match.uid)
    places = (
        tuple(str(place) for place in range(1, len(names) + 1))
        if seating == "preference"
        else names
    )
    _lay_seats(session, match, places, _sitters(session, master_id, wish, now), invited)
    if wish.play:
        seats_of(session, match)[0].wishes = list(wishes)
    note_people(session, match)
    return match.uid


def _hold_tables(session: Session, wish: Wish) -> None:
    if wish.open_seats and not wish.private:
        hold_tables(session)


def made_since(session: Session, master_id: int, since: datetime) -> int:
    """Return how many matches a player created after `since`."""
    return count_rows(session, Match, Match.master_id == master_id, Match.made_at > since)


def find_game(key: str) -> AnyGame:
    """Return a game; raises Refused where there is none of this key."""
    try:
        return catalogue.game(key)
    except catalogue.UnknownGame as error:
        raise Refused(str(error)) from error


def _seat_names(about: About, players: int | None) -> tuple[str, ...]:
    if players is not None and players not in about.seats:
        numbers = join_list([str(number) for number in sorted(about.seats)], "or")
        raise Refused(f"{about.title} is played by {numbers}, not by {players}.", field="players")
    return about.seats[players or max(about.seats)]


def _seating(about: About, wish: Wish, *, anonymous: bool) -> Seating:
    if wish.seating == "order" and about.seating == "preference" and anonymous:
        raise Refused(
            "Where players are anonymous, who plays what is given as the match begins: else the"
            " order of joining would tell it.",
            field="seating",
        )
    if wish.seating == "preference" and about.seating != "preference":
        raise Refused(
            f"The seats of {about.title} are taken in the order of joining, so none can be wished"
            " for.",
            field="seating",
        )
    return wish.seating or about.seating


def wished(
    about: About, names: Sequence[str], wishes: Sequence[str], *, seating: str
) -> tuple[str, ...]:
    """Return the seats that `wishes` name; raises Refused for an unknown seat, or where seats are
    taken in the order of joining.
    """
    if wishes and seating != "preference":
        raise Refused(
            f"The seats of this match of {about.title} are taken in the order of joining, so none"
            " can be wished for.",
            field="wishes",
        )
    try:
        return read_preferences(" ".join(wishes), names)
    except SeatingError as error:
        raise Refused(str(error), field="wishes") from error


def _short(about: About, wish: Wish, every: int) -> int | None:
    """Return how many seconds a short phase lasts, None if it is as long as the others or the game
    has no short phases.
    """
    if wish.short_hours is None or not about.short_phases:
        return None
    return wish.short_hours * 3600 if wish.short_hours * 3600 != every else None


def _sheet(wish: Wish, about: About) -> str | None:
    """Return the key of the rule sheet whose options the wish has, None where one of them was
    changed.
    """
    usual = reading.compared()
    chosen = {name: reading.value_of(wish, name) for name in usual}
    chosen |= {"timetable": wish.timetable.strip()}
    if wish.misses == record.USUAL_MISSES:  # what the doors offer is no change
        chosen["misses"] = usual["misses"]
    if not about.short_phases:
        chosen |= {
            "short_hours": (
                (rule_sheets.find_sheet(wish.sheet) or rule_sheets.SHEETS[0]).options.get(
                    "short_hours"
                )
            )
        }
    return rule_sheets.kept_sheet(wish.sheet, chosen, usual)


def _timetable(
    session: Session, master_id: int, wish: Wish, about: About, now: datetime, *, again: bool
) -> Timetable | None:
    """Return the timetable that is wished for, None where the phases have a length alone."""
    if not wish.timetable.strip():
        return None
    if again:
        return read_timetable(wish.timetable)
    return timetables.check_timetable(
        wish.timetable, session.get_one(Player, master_id).zone, about, now
    )


def _is_rated(about: About, wish: Wish, options: Mapping[str, object]) -> bool:
    """Whether a match is made as a rated one: not if it is private, has house bots, or if seats
    play for each other.
    """
    return (
        wish.rated
        and not wish.private
        and not wish.house
        and not any(options.get(name) for name in about.shared_options)
    )


def _absence_days(wish: Wish, every: int) -> int:
    usual = absences.usual_days(timedelta(seconds=every))
    return usual if wish.absence_days is None else wish.absence_days


def _calendar(session: Session, master_id: int, wish: Wish, table: Timetable | None) -> str | None:
    """Return the address of the calendar; raises Refused where it is none, a guest gives it, or no
    timetable could follow it.
    """
    address = wish.calendar.strip()
    if not address:
        return None
    if table is None:
        raise Refused(
            "A calendar of days off needs a timetable, such as `every 48 hours`.", field="calendar"
        )
    timetables.require_address(session.get_one(Player, master_id).address, field="calendar")
    try:
        return check_address(address)
    except CannotFetch as error:
        raise Refused(str(error), field="calendar") from error


def _invited(wish: Wish, seats: int) -> list[str]:
    invited = list(
        dict.fromkeys(
            accounts.clean_address(address) for address in wish.invited if address.strip()
        )
    )
    wanted = len(invited) + wish.house + int(wish.play)
    if wish.house and not wish.bots:
        raise Refused(
            "House bots shall take no seats in this match, so none can be given one.", field="house"
        )
    if wish.house < 0 or wanted > seats:
        raise Refused(
            f"That is {wanted} players for {seats} seats: invite fewer, or let fewer house bots"
            " play.",
            field="house",
        )
    # a private match's seats may go by its link
    if wanted < seats and not (wish.open_seats or wish.private):
        raise Refused(
            f"{seats - wanted} of the {seats} seats would stay empty: invite more players, add"
            " house bots, or leave seats open."
        )
    return invited


def _name(wish: Wish, title: str) -> str:
    return clean_chosen(wish.name, longest=LONGEST_NAME, field="name") or title


def _named_after(session: Session, master_id: int, wish: Wish) -> int | None:
    """Return the maker whose name the chosen name holds, None where it holds no name of theirs."""
    return (
        master_id
        if wish.name.strip() and holds_name(wish.name, session.get_one(Player, master_id).name)
        else None
    )


def new_uid() -> str:
    """Return a new public name, of a match or a tournament."""
    return "".join(entropy.choose(_UID_LETTERS) for _ in range(9))


def _sitters(session: Session, master_id: int, wish: Wish, now: datetime) -> list[int]:
    bots = [bot.id for bot in accounts.house_bots(session, wish.house, skill=wish.skill, now=now)]
    return [*([master_id] if wish.play else []), *bots]


def _lay_seats(
    session: Session, match: Match, names: tuple[str, ...], sitters: list[int], invited: list[str]
) -> None:
    """Add the seats: first those of the sitting players, then those kept for invited addresses,
    then free ones.
    """
    for position, name in enumerate(names):
        seat = Seat(match_id=match.id, position=position, name=name)
        if position < len(sitters):
            seat.player_id = sitters[position]
        elif position < len(sitters) + len(invited):
            seat.kept_for = invited[position - len(sitters)]
        session.add(seat)
