"""`join tournament NAME`, `leave tournament NAME`, `status tournament NAME`: who takes part, and
how it stands.
"""

import re

from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.mail.commands.joining.events import require_table
from adjudicator.mail.commands.joining.join import split_preferences
from adjudicator.platform.words import format_points, join_list
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.tournaments import entering, seasons, showing
from adjudicator.service.tournaments.records import find_named
from adjudicator.service.tournaments.showing import RoundFace, TournamentPage
from adjudicator.service.tournaments.standing import CrossTable, EntryStanding
from adjudicator.service.views import game_info

# A short name or the name itself; without dots and slashes, so that no question repeats a web
# address.
_NAME = r"(?:[\w’'+-]+(?: [\w’'+-]+){0,5})?"
_NAMED = re.compile(rf"(?=.{{0,40}}$){_NAME}")
_WITH_WISHES = re.compile(
    rf"(?=.{{0,40}}(?: prefer |$)){_NAME}(?: prefer(?: \w+){{1,8}})?", re.IGNORECASE
)
SEASON_DAYS = 14  # for which a season that is made by letter takes entries
MOST_LINES = 100  # of standings or tables in one answer


def find_uid(writer: Writer, arguments: str) -> str:
    """Return the short name of the tournament that is meant; raises Refused where none is named,
    NotFound where there is none.
    """
    if not arguments.strip():
        raise Refused(
            "It needs the name of a tournament: the site lists them, and its letters tell it."
        )
    return find_named(writer.session, arguments).uid


def _find_or_offer(writer: Writer, name: str) -> str:
    """Do as `find_uid`; where a game is named instead, the refusal tells its tournaments."""
    try:
        return find_uid(writer, name)
    except NotFound:
        if game := game_info.named(name):
            about = game_info.about(game)
            require_table(writer.session, about, ("tournament",), writer.now)
        raise


def _join(writer: Writer, arguments: str) -> Done:
    """Enter a tournament, with the seats that are wished for; who is entered changes these."""
    words, wishes = split_preferences(arguments)
    uid = _find_or_offer(writer, " ".join(words))
    player = writer.enrolled()
    number = entering.enter(writer.session, uid, player.id, now=writer.now, wishes=wishes or None)
    page = showing.read_page(writer.session, uid, player.id, now=writer.now)
    closes = f" Entries close on {writer.when(page.card.closes_at)}." if page.card.closes_at else ""
    wished = f" You wished for {', then '.join(page.wishes)}." if page.wishes else ""
    then = (
        "You are paired from the next round on."
        if page.card.status == "running"
        else "A letter tells you when it begins."
    )
    sentence = (
        f"You take part in {page.card.name}, as number"
        f" {number}.{closes if page.card.status == 'entering' else ''} {then}{wished}"
    )
    return Done(
        sentence,
        (
            ReplySection(
                "The tournament", (*page.terms, f"The anchor of its chance: {page.anchor}")
            ),
        ),
    )


def _leave(writer: Writer, arguments: str) -> Done:
    """Leave a tournament."""
    uid = find_uid(writer, arguments)
    return Done(entering.leave(*writer.at(uid), now=writer.now))


def _season(writer: Writer, arguments: str) -> Done:
    """Make the next season of a league that is over, as its director."""
    uid = find_uid(writer, arguments)
    following = seasons.make_season(*writer.at(uid), days=SEASON_DAYS, now=writer.now)
    entered = (
        "Everybody who has not left is entered as its chance is fixed, in a moment, and gets a"
        " letter."
    )
    return Done(
        f"The next season is made; its short name is {following}. {entered} Entries close in"
        f" {SEASON_DAYS} days."
    )


def _status(writer: Writer, arguments: str) -> Done:
    """Tell the standings of a tournament, the tables of its round and the cross-table."""
    uid = find_uid(writer, arguments)
    page = showing.read_page(
        writer.session, uid, writer.player.id if writer.player else None, now=writer.now
    )
    played = {
        "making": "is being set up",
        "entering": "takes entries",
        "running": (
            f"is in round {page.card.round}"
            if page.card.round
            else "has closed its entries, and its first round is to be paired"
        ),
    }
    own = " You take part." if page.entered else ""
    sections = [
        ReplySection("The tournament", page.terms),
        *_standings(page),
        *(_tables(page.shown) if page.shown else ()),
    ]
    return Done(
        f"{page.card.name} {played.get(page.card.status, 'is over')}.{own}", tuple(sections)
    )


def _standings(page: TournamentPage) -> tuple[ReplySection, ...]:
    if not page.standings:
        return ()
    lines = [
        (
            f"{line.place}. {_name(line)}:"
            f" {format_points(line.total)}{_division(line)}{_entrant(line, page)}"
            if page.shown
            else f"{line.number}. {line.name}"
        )
        for line in page.standings[:MOST_LINES]
    ]
    more = (
        [f"And {len(page.standings) - MOST_LINES} more, on the site."]
        if len(page.standings) > MOST_LINES
        else []
    )
    return ReplySection("Standings" if page.shown else "Entrants", (*lines, *more)), *_cross(page)


def _name(line: EntryStanding) -> str:
    return f"{line.name} (left)" if line.left else line.name


def _entrant(line: EntryStanding, page: TournamentPage) -> str:
    """Return the number by which a director names an entrant, "" for others."""
    return f", entrant {line.number}" if page.directs else ""


def _division(line: EntryStanding) -> str:
    """Return what the line of an entrant of a league says of the division, "" in other formats."""
    move = {-1: ", goes up", 1: ", goes down"}.get(line.move, "")
    return f" (division {line.division}{move})" if line.division else ""


def _cross(page: TournamentPage) -> tuple[ReplySection, ...]:
    """Return the cross-table where it is short, as a table whose columns are kept."""
    if page.cross is None or len(page.standings) > showing.MOST_CROSSED // 2:
        return ()
    width = min(16, max(len(line.name) for line in page.standings))
    rows = []
    for place, line in enumerate(page.standings, 1):
        lines = [
            "×" if other is line else _cell(page.cross, line.number, other.number)
            for other in page.standings
        ]
        rows.append(
            f"{place:>2} {line.name[:width]:<{width}}" + "".join(f"{text:>4}" for text in lines)
        )
    head = " " * (width + 3) + "".join(f"{place:>4}" for place in range(1, len(page.standings) + 1))
    return (ReplySection("Cross-table", board="\n".join([head, *rows])),)


def _cell(cross: CrossTable, one: int, other: int) -> str:
    return " ".join(format_points(mine) for mine, _ in cross.cells.get((one, other), ())) or "·"


def _tables(shown: RoundFace) -> tuple[ReplySection, ...]:
    lines = [
        f"Table {table.number}: {join_list(list(table.names))}"
        + (
            f", {' : '.join(map(format_points, table.points))}"
            if table.points is not None
            else ", stalled"
            if table.stalled
            else ""
        )
        + f" ({', '.join(uid for uid, _ in table.matches) or 'not made yet'})"
        for table in shown.tables[:MOST_LINES]
    ]
    if shown.sitting_out:
        lines.append(f"Sitting out: {join_list(list(shown.sitting_out))}.")
    return (ReplySection(f"Round {shown.number}", tuple(lines)),)


JOIN_TOURNAMENT = Command(
    "join tournament",
    "join tournament NAME",
    "take part in a tournament, by its name or its short name",
    _join,
    more=_WITH_WISHES,
)
LEAVE_TOURNAMENT = Command(
    "leave tournament",
    "leave tournament NAME",
    "play no more rounds of a tournament; a match that you play goes on",
    _leave,
    more=_NAMED,
)
SEASON_TOURNAMENT = Command(
    "season tournament",
    "season tournament NAME",
    "make the next season of a league that is over, by its short name, as its director",
    _season,
    more=_NAMED,
)
STATUS_TOURNAMENT = Command(
    "status tournament",
    "status tournament NAME",
    "the standings, tables and cross-table of a tournament",
    _status,
    more=_NAMED,
    changes=False,
)
