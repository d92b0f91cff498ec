"""`join pyramid`: a seat at the next table of a game, or in the match of that short name."""

from collections.abc import Sequence
from datetime import timedelta

from adjudicator.mail.commands import wanted
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.wanted import Wanted
from adjudicator.platform.words import describe_rhythm
from adjudicator.play import seat_allocation
from adjudicator.play.seat_allocation import SeatingError
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.names import unlinked
from adjudicator.service.matches import creation, preferences, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.views import game_info, match_list
from adjudicator.service.views.match_list import Card

WORD, USAGE, MEANING, CHANGES = (
    "join",
    "join pyramid",
    "a seat at the next table of that game; `join pyramid house` plays against the house at once, and a number of players, the name"
    " of a set of options or options by name may follow (`join phoenix 4 team house`), and where seats go by preference `prefer` and"
    " those you would like, the dearest first",
    True,
)
HOURS = 48  # of a phase in a match that a letter makes
MOST_AN_HOUR = 5  # matches that one player makes by letter
PREFER = "prefer"  # what follows are seats that the player would like


def do(writer: Writer, said: str) -> Done:
    """Take a seat: in the match that is named, at the oldest open table of a game, or at a new one."""
    words, wishes = wished(said)
    name, *rest = words or [""]
    game = game_info.named(name)
    if not name or (rest and not game):
        raise Refused(f"It needs a game or a match’s short name: `join {game_info.games()[0].key}`.")
    asked = wanted.read(game_info.about(game), rest, wishes) if game else None
    player = accounts.for_address(writer.session, writer.address, zone=writer.zone, now=writer.now)
    assert player.id is not None  # noqa: S101 flushed
    if asked is None:
        return _sit(writer, name, player.id, wishes)
    waiting = [] if asked.house else [each for each in match_list.open_matches(writer.session, player.id) if _fits(each, asked)]
    return _sit(writer, waiting[0].uid, player.id, asked.wishes) if waiting else _begin(writer, asked, player.id)


def wished(said: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the words before `prefer`, lower-case, and those after it."""
    words = said.lower().split()
    if PREFER not in words:
        return words, ()
    at = words.index(PREFER)
    if at + 1 == len(words):
        raise Refused("After `prefer` stand the names of those you would like to play, the dearest first: `prefer france england`.")
    return words[:at], tuple(words[at + 1 :])


def _fits(table: Card, asked: Wanted) -> bool:
    """Whether a table that waits is what was asked for; what was not said does not matter."""
    right_size = asked.players is None or len(table.seats) == asked.players
    if asked.wishes and not (table.unsettled and _possible(asked, len(table.seats))):
        return False
    return table.game_key == asked.game.key and right_size and asked.options.items() <= table.options.items()


def _possible(asked: Wanted, players: int) -> bool:
    """Whether what is wished for is played at a table of so many."""
    try:
        return bool(seat_allocation.read_preferences(" ".join(asked.wishes), asked.game.seats[players]))
    except SeatingError:
        return False


def _sit(writer: Writer, uid: str, player_id: int, wishes: Sequence[str]) -> Done:
    try:
        return Done(seats.take_in(writer.session, uid, player_id, now=writer.now, wishes=wishes), uid=uid)
    except NotFound as error:
        games = ", ".join(about.key for about in game_info.games())
        raise NotFound(f"There is neither a game nor a match called “{uid[:40]}” here. Games: {games}.") from error


def _begin(writer: Writer, asked: Wanted, player_id: int) -> Done:
    if creation.made_since(writer.session, player_id, writer.now - timedelta(hours=1)) >= MOST_AN_HOUR:
        raise Refused(f"You made {MOST_AN_HOUR} matches within an hour; join one of those that wait, or try again later.")
    name = f"{unlinked(writer.known().name) if writer.player else accounts.first_name(writer.address)}’s table"
    others = (asked.players or max(asked.game.seats)) - 1
    usual = game_info.alone(asked.game) if asked.house else {}
    wish = Wish(
        asked.game.key, name, {**usual, **asked.options}, every_hours=HOURS, short_hours=HOURS // 2,
        players=asked.players, house=others if asked.house else 0, wishes=asked.wishes,
    )  # fmt: skip
    uid = creation.make_in(writer.session, player_id, wish, now=writer.now)
    given = preferences.outlook_of(writer.session, uid, player_id)
    given = f" {given}" if given else ""
    if asked.house:
        sentence = f"A match of {asked.game.title} against the house begins in a moment; its first letter asks for your orders."
        return Done(sentence + given, uid=uid)
    return Done(
        f"A new table of {asked.game.title} was laid for you, with {describe_rhythm(HOURS * 3600, HOURS * 1800, asked.game.short_phases)}. "
        f"It begins when {others} {'more has' if others == 1 else 'more have'} joined; "
        f"{'that one' if others == 1 else 'they'} can write `join {uid}`.{given}",
        uid=uid,
    )
