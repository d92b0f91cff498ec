"""Creates matches with their options, rhythm and seats; the worker prepares them afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from sqlmodel import Session, func, select

from adjudicator import catalogue
from adjudicator.core.game import About, AnyGame, Seating
from adjudicator.core.options import OptionError, complete_options
from adjudicator.platform import entropy, wakeups
from adjudicator.platform.db import Database
from adjudicator.platform.ical.calendars import CannotFetch, check_address
from adjudicator.platform.words import format_duration, join_list
from adjudicator.play import rule_sheets
from adjudicator.play.bots import Skill
from adjudicator.play.seat_allocation import SeatingError, read_preferences
from adjudicator.play.timetable import Timetable, read_timetable
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import clean_chosen, holds_name
from adjudicator.service.base.press_rules import NO_WISH, OPTION, PressWish, checked_rules
from adjudicator.service.base.rows import hold_player, hold_tables, note_people, seats_of
from adjudicator.service.base.spans import USUAL_REMINDERS
from adjudicator.service.base.state import ANONYMOUS, PROGRESS_KINDS, ProgressKind
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.matches import absences, timetables
from adjudicator.service.matches.proposals import LONGEST_EXTENSION, VOTE_RULES
from adjudicator.service.people import accounts, invitation_limits
from adjudicator.service.people.invitation_limits import USUAL, Caps
from adjudicator.service.requests.sent_forms import make_once

_UID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without letters that are easily confused
LONGEST_NAME = 60
SHORTEST_HOURS, LONGEST_HOURS = 1, 24 * 30
MOST_GRACE_MINUTES = 24 * 60
USUAL_MISSES, MOST_MISSES = 2, 10
SHORTEST_MUSTER, LONGEST_MUSTER = 5, 14 * 24 * 60  # minutes
MUSTER_MINUTES = 48 * 60  # of a usual muster; that of a live match is in its rule sheet
EXPIRE_DAYS, MOST_EXPIRE_DAYS = 30, 365
MOST_RELIABILITY = 99  # percent


@dataclass(frozen=True)
class Wish:
    """The form of the page *Make a match*."""

    game: str
    name: str
    options: Mapping[str, object]
    every_hours: int = 48
    # as `play.timetable` reads it; it then says all of the times that phases end at, instead of the
    # hours
    timetable: str = ""
    calendar: str = ""  # the https address of a calendar of days off
    grace_minutes: int = 10
    overtime_minutes: int = 0  # after a deadline that somebody missed
    reminders: tuple[int, ...] = USUAL_REMINDERS  # minutes before a deadline
    invited: tuple[str, ...] = ()  # addresses; a seat is kept for each, and a letter sent
    # whether anybody may take the remaining seats; nobody may in a private match
    open_seats: bool = True
    sheet: str = ""  # key of a rule sheet; the match has none if an option differs from it
    private: bool = False  # whether only its people and the bearers of a link may see it
    players: int | None = None  # number of players, if the game allows several; None: the most
    house: int = 0  # seats given to house bots
    skill: Skill = "sensible"  # skill of those bots
    bots: bool = True  # whether house bots may take seats, now or later
    # what is shown of who has handed in; an anonymous match shows nothing
    progress: ProgressKind = "count"
    # within which everybody confirms before the first phase; None: nobody is asked
    muster_minutes: int | None = None
    # days within which the match has to fill; None: it waits without a limit
    expire_days: int | None = EXPIRE_DAYS
    play: bool = True  # whether the creator takes the first seat
    every_seconds: int | None = None  # replaces every_hours in a demonstration
    # length of the game's short phases, if it has any; None: as long as the others
    short_hours: int | None = None
    # None: the game's default; only games by preference have a choice
    seating: Seating | None = None
    # whose agreement more time and pauses need: majority, all; none: the master alone decides
    vote_rule: str = "majority"
    # by which votes may extend a phase; None: its usual length, at most a week
    extension_hours: int | None = None
    least_reliability: int = 0  # percent that players need for an open seat
    beginners: bool = True  # whether players with few phases may take one
    rated: bool = True  # whether it may count for ratings; see `_is_rated`
    # days a year by which each player's absences may move deadlines; None: as usual for its rhythm
    absence_days: int | None = None
    wishes: tuple[str, ...] = ()  # seats that the creator prefers, best first; only by preference
    # missed phases in a row that open a seat to a new player; 0: never. The doors offer
    # USUAL_MISSES
    misses: int = 0
    # whether the first phase of a player who never handed in anything opens the seat at once
    first_miss: bool = False
    press: PressWish = NO_WISH  # the conditions of the match's press


def make_match(
    database: Database, master_id: int, wish: Wish, *, now: datetime, caps: Caps = USUAL
) -> str:
    """Create a match and return its public name; its seats can be taken once the worker has
    prepared it.

    A form that is sent again returns the first match. Raises Refused with a sentence that names the
    error; then nothing was stored.
    """
    with database.write_tx() as session:
        _hold_tables(session, wish)
        hold_player(session, master_id)
        return make_once(session, lambda: make_in(session, master_id, wish, now=now, caps=caps))


def make_in(
    session: Session,
    master_id: int,
    wish: Wish,
    *,
    now: datetime,
    caps: Caps = USUAL,
    again: bool = False,
) -> str:
    """Make a match in the caller's transaction; raises Refused before anything is written.

    `again`: a match was made with this wish before, its timetable with a zone. What depends on
    today is not refused then: how far off the first deadline is, and how long the overtime is
    beside the phases.
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
    press = checked_rules(game.about, options.get(OPTION), wish.press, plays=wish.play)
    every, grace = _rhythm(wish)
    if not 0 <= wish.misses <= MOST_MISSES:
        raise Refused(
            f"A seat may open after 1 to {MOST_MISSES} missed phases in a row, or never with 0.",
            field="misses",
        )
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
    match = Match(
        uid=new_uid(),
        name=_name(wish, game.about.title),
        game=wish.game,
        rules_version=game.about.rules_version,
        named_after=_named_after(session, master_id, wish),
        options=dict(options),
        master_id=master_id,
        every_seconds=every,
        grace_seconds=grace,
        ready_rule=game.about.ready,
        open_seats=wish.open_seats and not wish.private,
        private=wish.private,
        bots=wish.bots,
        made_at=now,
        seating=seating,
        progress=_progress(wish, options),
        overtime_seconds=min(wish.overtime_minutes * 60, every // 2),
        reminders=list(wish.reminders),
        short_seconds=None if table else _short(game.about, wish, every),
        timetable=str(table) if table else None,
        muster_seconds=_muster(wish),
        sheet=_sheet(wish, game.about),
        expire_days=_expire_days(wish),
        calendar=calendar,
        misses=wish.misses,
        first_miss=wish.first_miss,
        next_days_at=now if calendar or (table and table.country) else None,
        press_rulebook=press.rulebook,
        press_opened=press.opened,
        press_overseen=press.overseen,
        absence_days=_absence_days(wish, every),
        least_reliability=_least_reliability(wish),
        beginners=wish.beginners,
        rated=_is_rated(game.about, wish, options),
        vote_rule=_vote_rule(wish),
        extension_seconds=_extension(wish),
    )
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
    made = (
        select(func.count())
        .select_from(Match)
        .where(Match.master_id == master_id, Match.made_at > since)
    )
    return int(session.exec(made).one())


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
    if not SHORTEST_HOURS <= wish.short_hours <= LONGEST_HOURS:
        raise Refused(
            f"{about.short_phases[0].upper()}{about.short_phases[1:]} may last from"
            f" {SHORTEST_HOURS} to {LONGEST_HOURS} hours; {wish.short_hours} is outside of that.",
            field="short_hours",
        )
    return wish.short_hours * 3600 if wish.short_hours * 3600 != every else None


def _progress(wish: Wish, options: Mapping[str, object]) -> ProgressKind:
    if wish.progress not in PROGRESS_KINDS:
        raise Refused(
            f"What is shown of who has handed in is {join_list(list(PROGRESS_KINDS), 'or')}.",
            field="progress",
        )
    return "none" if options.get(ANONYMOUS) else wish.progress


def _rhythm(wish: Wish) -> tuple[int, int]:
    if wish.every_seconds is not None:
        return wish.every_seconds, wish.grace_minutes * 60
    if not SHORTEST_HOURS <= wish.every_hours <= LONGEST_HOURS:
        raise Refused(
            f"A phase may last from {SHORTEST_HOURS} to {LONGEST_HOURS} hours; {wish.every_hours}"
            " is outside of that.",
            field="every_hours",
        )
    if not 0 <= wish.grace_minutes <= MOST_GRACE_MINUTES:
        raise Refused(
            f"The grace may be 0 to {MOST_GRACE_MINUTES} minutes; {wish.grace_minutes} is outside"
            " of that.",
            field="grace_minutes",
        )
    return wish.every_hours * 3600, wish.grace_minutes * 60


def _sheet(wish: Wish, about: About) -> str | None:
    """Return the key of the rule sheet whose options the wish has, None where one of them was
    changed.
    """
    usual = {each.name: each.default for each in fields(Wish) if each.name not in rule_sheets.FREE}
    chosen = {name: getattr(wish, name) for name in usual} | {"timetable": wish.timetable.strip()}
    if wish.misses == USUAL_MISSES:  # what the doors offer is no change
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


def _muster(wish: Wish) -> int | None:
    if wish.muster_minutes is None:
        return None
    if not SHORTEST_MUSTER <= wish.muster_minutes <= LONGEST_MUSTER:
        raise Refused(
            f"A muster may last from {SHORTEST_MUSTER} minutes to {LONGEST_MUSTER // 1440} days.",
            field="muster",
        )
    return wish.muster_minutes * 60


def _expire_days(wish: Wish) -> int | None:
    if wish.expire_days is not None and not 1 <= wish.expire_days <= MOST_EXPIRE_DAYS:
        raise Refused(
            f"A match may wait for players for 1 to {MOST_EXPIRE_DAYS} days, or without a limit.",
            field="expire_days",
        )
    return wish.expire_days


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


def _vote_rule(wish: Wish) -> str:
    if wish.vote_rule not in VOTE_RULES:
        raise Refused(
            f"On more time decides {join_list(list(VOTE_RULES), 'or')}.", field="vote_rule"
        )
    return wish.vote_rule


def _extension(wish: Wish) -> int | None:
    """Return the seconds by which votes may extend a phase, None for its usual length."""
    if wish.extension_hours is None:
        return None
    most = LONGEST_EXTENSION // timedelta(hours=1)
    if not 0 <= wish.extension_hours <= most:
        raise Refused(
            f"Votes may extend a phase by 0 to {most} hours; {wish.extension_hours} is outside of"
            " that.",
            field="extension_hours",
        )
    return wish.extension_hours * 3600


def _least_reliability(wish: Wish) -> int:
    if not 0 <= wish.least_reliability <= MOST_RELIABILITY:
        raise Refused(
            f"A match may ask for 0 to {MOST_RELIABILITY} % of phases played;"
            f" {wish.least_reliability} is outside of that.",
            field="least_reliability",
        )
    return wish.least_reliability


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
    if wish.absence_days is None:
        return absences.usual_days(timedelta(seconds=every))
    if not 0 <= wish.absence_days <= absences.MOST_DAYS:
        raise Refused(
            f"A match honours 0 to {absences.MOST_DAYS} days of absence a year; {wish.absence_days}"
            " is outside of that.",
            field="absence_days",
        )
    return wish.absence_days


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
    return [*([master_id] if wish.play else []), *(bot for bot in bots if bot is not None)]


def _lay_seats(
    session: Session, match: Match, names: tuple[str, ...], sitters: list[int], invited: list[str]
) -> None:
    """Add the seats: first those of the sitting players, then those kept for invited addresses,
    then free ones.
    """
    assert match.id is not None  # noqa: S101 flushed
    for position, name in enumerate(names):
        seat = Seat(match_id=match.id, position=position, name=name)
        if position < len(sitters):
            seat.player_id = sitters[position]
        elif position < len(sitters) + len(invited):
            seat.kept_for = invited[position - len(sitters)]
        session.add(seat)
