"""`join pyramid`: a seat at the next table of a game, or in the match of that short name; and the
words that may follow.

After a game may follow a number of players, presets, options by their names, `house`, and the seats
that the player prefers.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.mail.commands.joining.events import require_table
from adjudicator.mail.commands.joining.terms import seated
from adjudicator.mail.commands.joining.texts import CALENDAR, PREFER, part_texts, split_addresses
from adjudicator.mail.commands.joining.wanted import Wanted, read_wanted
from adjudicator.platform.words import plural
from adjudicator.play import rule_sheets, seat_allocation
from adjudicator.play.seat_allocation import SeatingError
from adjudicator.service.base.errors import NotFound, NotNow, Refused
from adjudicator.service.base.names import table_name
from adjudicator.service.base.rows import hold_tables
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.matches import creation, preferences, seats, timetables
from adjudicator.service.matches.terms import reading, record
from adjudicator.service.matches.terms.term import USUAL_SHORT
from adjudicator.service.people import accounts
from adjudicator.service.people.invitation_limits import Caps
from adjudicator.service.phases import beginning
from adjudicator.service.starting import links
from adjudicator.service.views import game_info, match_list
from adjudicator.service.views.match_list import Card

# The terms that a table that waits may differ in from others; with any other one a match is made.
SOUGHT = frozenset(each.name for each in record.TERMS if each.sought)
HOURS = 48  # of a phase in a match that a letter makes
MOST_AN_HOUR = 5  # matches that one player makes by letter


def _join(writer: Writer, arguments: str) -> Done:
    """Take a seat: in the match that is named, at the oldest open table of a game, or at a new
    one.
    """
    arguments, texts = part_texts(arguments)
    words, wishes = split_preferences(arguments)
    name, *rest = words or [""]
    game = game_info.named(name)
    if not name:
        raise Refused(
            f"It needs a game or a match’s short name: `join {game_info.games()[0].key}`."
        )
    if rest and not game:
        raise _unknown(" ".join(words))
    if game:
        require_table(writer.session, game_info.about(game), rest, writer.now)
    wanted = read_wanted(game_info.about(game), rest, wishes) if game else None
    player = writer.enrolled()
    if wanted is None:
        if "timetable" in texts:
            raise Refused(
                "That match has its hours already; a timetable is for a new one, after the name of"
                " a game."
            )
        if texts:
            raise Refused(f"`{next(iter(texts))}:` is for a new match, after the name of a game.")
        return _sit(writer, name, player.id, wishes)
    add_texts(wanted, texts, player.zone, writer.now)
    anew = wanted.house or texts.keys() - {"timetable"} or wanted.terms.keys() - SOUGHT
    return (None if anew else _find_seat(writer, wanted, player.id)) or _begin(
        writer, wanted, player.id
    )


def _find_seat(writer: Writer, wanted: Wanted, player_id: int) -> Done | None:
    """Sit a player down at the oldest table that fits, one included that is still being made; None
    where every one is full.

    Until the transaction ends nobody else looks for a table or lays one, so that two who come at
    once meet.
    """
    hold_tables(writer.session)
    terms = {name: value for name, value in wanted.terms.items() if name not in rule_sheets.LENGTHS}
    terms |= {"sheet": wanted.sheet} if wanted.sheet else {}
    for table in match_list.tables_to_join(writer.session, player_id, wanted.game.key, terms):
        if not _fits(table, wanted):
            continue
        # somebody may take the last seat on the site
        with suppress(NotNow), writer.session.begin_nested():
            if table.status == "making":  # fix its chance, so that others may join it
                beginning.prepare_in(writer.session, writer.keyring, table.uid, now=writer.now)
            return _sit(writer, table.uid, player_id, wanted.wishes)
    return None


def add_texts(wanted: Wanted, texts: Mapping[str, str], zone: str, now: datetime) -> None:
    """Add the free texts of a line to what it asks for."""
    if "timetable" in texts and "every_hours" in wanted.terms:
        raise Refused("A timetable says by itself when phases end: name either it or `hours`.")
    if "timetable" in texts:
        wanted.timetable = timetables.check_timetable(texts["timetable"], zone, wanted.game, now)
    wanted.terms |= {label: texts[label] for label in ("name", "calendar") if label in texts}
    if "invite" in texts:
        wanted.terms["invited"] = split_addresses(texts)


def split_preferences(arguments: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the words before `prefer`, lower-case, and those after it; raises Refused where none
    follow.
    """
    words = arguments.lower().split()
    if PREFER not in words:
        return words, ()
    at = words.index(PREFER)
    if at + 1 == len(words):
        raise Refused(
            "After `prefer` stand the names of those you would like to play, the dearest first:"
            " `prefer france england`."
        )
    return words[:at], tuple(words[at + 1 :])


def _fits(table: Card, wanted: Wanted) -> bool:
    """Whether a waiting table is what was asked for; anything that was not said fits."""
    if wanted.players not in (None, len(table.seats)):
        return False
    if wanted.wishes and not (table.unsettled and _seats_exist(wanted, len(table.seats))):
        return False
    if (wanted.timetable or "every_hours" in wanted.terms) and table.rhythm != _rhythm(wanted):
        return False
    return wanted.options.items() <= table.options.items()


def _rhythm(wanted: Wanted) -> str:
    """Return how long the phases of a match last that is made as asked, with a timetable or with
    hours.
    """
    if wanted.timetable:
        return timetables.describe_timetable(wanted.timetable, wanted.game.short_phases)
    return reading.rhythm(make_wish(wanted, ""), wanted.game)


def _seats_exist(wanted: Wanted, players: int) -> bool:
    """Whether the seats that are wished for exist at a table of that many players."""
    try:
        return bool(
            seat_allocation.read_preferences(" ".join(wanted.wishes), wanted.game.offered(players))
        )
    except SeatingError:
        return False


def _sit(writer: Writer, uid: str, player_id: int, wishes: Sequence[str]) -> Done:
    if links.is_link(writer.session, uid):
        uid, reply = links.join_by_link(
            writer.session, uid, player_id, now=writer.now, wishes=wishes
        )
        return seated(writer, uid, reply)
    try:
        return seated(
            writer,
            uid,
            seats.take_seat(writer.session, uid, player_id, now=writer.now, wishes=wishes),
        )
    except NotFound as error:
        raise _unknown(uid) from error


def _unknown(name: str) -> NotFound:
    games = ", ".join(about.key for about in game_info.games())
    sentence = f"There is neither a game nor a match called “{name[:40]}” here. Games: {games}."
    game = game_info.named_nearly(name)
    return NotFound(f"{sentence} Did you mean `join {game}`?" if game else sentence)


def _begin(writer: Writer, wanted: Wanted, player_id: int) -> Done:
    if (
        creation.made_since(writer.session, player_id, writer.now - timedelta(hours=1))
        >= MOST_AN_HOUR
    ):
        raise Refused(
            f"You made {MOST_AN_HOUR} matches within an hour; join one of those that wait, or try"
            " again later."
        )
    own = writer.known().name if writer.player else accounts.first_name(writer.address)
    name = "" if writer.player and writer.known().name_hidden else table_name(own)
    wish, settings = make_wish(wanted, name), writer.settings
    if wish.options.get(ANONYMOUS):  # its usual name would tell who made it
        wish = replace(wish, name="")
    caps = Caps(settings.invites_a_day, settings.invites_in_all)
    uid = creation.make_match(writer.session, player_id, wish, now=writer.now, caps=caps)
    given = (
        preferences.outlook_of(writer.session, uid, player_id)
        if wish.play
        else "You run it and take no seat."
    )
    return seated(writer, uid, " ".join(filter(None, (_describe(wanted, wish, uid), given))))


def make_wish(wanted: Wanted, name: str) -> creation.Wish:
    """Return as a wish what was asked for, with the options of the rule sheet that was named, else
    with the usual length of phases.
    """
    sheet = rule_sheets.find_sheet(wanted.sheet)
    rhythm: Mapping[str, Any] = (
        sheet.options if sheet else {"every_hours": HOURS, "short_hours": USUAL_SHORT}
    )
    if "every_hours" in wanted.terms:  # in place of the sheet's timetable
        rhythm = {name: value for name, value in rhythm.items() if name != "timetable"}
    table = {"timetable": str(wanted.timetable)} if wanted.timetable else {}
    usual = game_info.alone(wanted.game) if wanted.house else {}
    wish = creation.Wish(
        wanted.game.key,
        name,
        {**usual, **wanted.options},
        players=wanted.players,
        wishes=wanted.wishes,
        sheet=wanted.sheet,
        misses=record.USUAL_MISSES,
    )
    wish = replace(wish, **{**rhythm, **table, **reading.as_fields(wanted.terms)})
    return (
        replace(wish, house=_seats_left(wanted, replace(wish, house=0))) if wanted.house else wish
    )


def _seats_left(wanted: Wanted, wish: creation.Wish) -> int:
    """Return how many seats are neither the maker's, nor a house bot's, nor kept for somebody."""
    return (
        (wanted.players or max(wanted.game.seats)) - int(wish.play) - wish.house - len(wish.invited)
    )


def _describe(wanted: Wanted, wish: creation.Wish, uid: str) -> str:
    """Return a sentence or two about the match that was made."""
    game, left = wanted.game.title, _seats_left(wanted, wish)
    if left == 0 and not wish.invited:
        if not wish.play:
            return f"A match of {game} between house bots begins in a moment."
        return (
            f"A match of {game} against the house begins in a moment; its first letter asks for"
            " your orders."
        )
    kept = len(wish.invited)
    letters = plural(
        kept,
        "A letter invites the address that you named.",
        "A letter invites the {n} addresses that you named.",
    )
    invited = f" {letters}" if kept else ""
    if wish.private:
        link = f" `seat link {uid} new` makes a link that gives its bearers a seat." if left else ""
        return (
            f"A new private table of {game} was laid for you; it is listed nowhere.{link}{invited}"
        )
    laid = f"A new table of {game} was laid for you."
    if left == 0:
        begins = plural(
            kept,
            "It begins once that invitation is accepted.",
            "It begins once all invitations are accepted.",
        )
    elif kept:
        one = "It begins when {n} more has joined; others can write `join {uid}`."
        begins = plural(
            left + kept,
            one,
            "It begins when {n} more have joined; others can write `join {uid}`.",
            uid=uid,
        )
    else:
        one = "It begins when {n} more has joined; that one can write `join {uid}`."
        begins = plural(
            left, one, "It begins when {n} more have joined; they can write `join {uid}`.", uid=uid
        )
    return f"{laid}{invited} {begins}"


JOIN = Command(
    "join",
    "join pyramid",
    "a seat at the next table of that game; `join pyramid house` plays against the house at once,"
    " and a number of players, the name of a set of options or options by name may follow (`join"
    " phoenix 4 team house`), where seats go by preference `prefer` and those you would like, the"
    " dearest first, and for a new match `timetable: Mon Thu 20:00 Europe/Paris`; `help join"
    " phoenix` lists all",
    _join,
    unasked=CALENDAR,
    of_game=True,
)
