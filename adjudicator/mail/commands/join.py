"""`join pyramid`: a seat at the next table of a game, or in the match of that short name; and the words that may follow.

After a game may follow a number of players, presets, options by their names, `house`, and the seats that the player prefers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from adjudicator.core.game import About
from adjudicator.core.options import Option, OptionError, OptionValue, Preset, complete_options
from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.platform.words import describe_rhythm, display_seat, join_list
from adjudicator.play import seat_allocation
from adjudicator.play.seat_allocation import SeatingError
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.names import unlinked
from adjudicator.service.matches import creation, preferences, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.views import game_info, match_list
from adjudicator.service.views.match_list import Card

HOURS = 48  # of a phase in a match that a letter makes
MOST_AN_HOUR = 5  # matches that one player makes by letter
PREFER = "prefer"  # precedes the seats that the player would like
HOUSE = "house"
_SHORTEST = 3  # letters of an option's name that may abbreviate it
_ON, _OFF = frozenset({"on", "yes", "true"}), frozenset({"off", "no", "false"})


@dataclass
class Wanted:
    """A match as a letter asks for it; the game decides what was not said."""

    game: About
    house: bool = False
    players: int | None = None
    options: dict[str, OptionValue] = field(default_factory=dict)
    wishes: tuple[str, ...] = ()  # as they were written


def _join(writer: Writer, said: str) -> Done:
    """Take a seat: in the match that is named, at the oldest open table of a game, or at a new one."""
    words, wishes = split_preferences(said)
    name, *rest = words or [""]
    game = game_info.named(name)
    if not name or (rest and not game):
        raise Refused(f"It needs a game or a match’s short name: `join {game_info.games()[0].key}`.")
    asked = read_wanted(game_info.about(game), rest, wishes) if game else None
    player = accounts.for_address(writer.session, writer.address, zone=writer.zone, now=writer.now)
    assert player.id is not None  # noqa: S101 flushed
    if asked is None:
        return _sit(writer, name, player.id, wishes)
    waiting = [] if asked.house else [each for each in match_list.open_matches(writer.session, player.id) if _fits(each, asked)]
    return _sit(writer, waiting[0].uid, player.id, asked.wishes) if waiting else _begin(writer, asked, player.id)


def split_preferences(said: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the words before `prefer`, lower-case, and those after it; raises Refused where none follow."""
    words = said.lower().split()
    if PREFER not in words:
        return words, ()
    at = words.index(PREFER)
    if at + 1 == len(words):
        raise Refused("After `prefer` stand the names of those you would like to play, the dearest first: `prefer france england`.")
    return words[:at], tuple(words[at + 1 :])


def _fits(table: Card, asked: Wanted) -> bool:
    """Whether a waiting table is what was asked for; anything that was not said fits."""
    right_size = asked.players is None or len(table.seats) == asked.players
    if asked.wishes and not (table.unsettled and _seats_exist(asked, len(table.seats))):
        return False
    return table.game_key == asked.game.key and right_size and asked.options.items() <= table.options.items()


def _seats_exist(asked: Wanted, players: int) -> bool:
    """Whether the seats that are wished for exist at a table of that many players."""
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


# --- the words after a game


def read_wanted(game: About, words: list[str], wishes: tuple[str, ...]) -> Wanted:
    """Read the words after a game's name, in any order; raises Refused with what is possible there.

    A word means what the game says: `red` is an option of one game and a seat of another. An option is written `name=value`,
    `name value`, or alone where it is a switch. The first three letters of its name suffice.
    """
    wanted = Wanted(game, wishes=wishes)
    pending = [part for word in words for part in word.replace("=", " = ").split()]
    while pending:
        pending = _take(wanted, pending)
    try:
        complete_options(game, wanted.options, players=wanted.players)
    except OptionError as fault:
        raise Refused(str(fault)) from fault
    return wanted


def _take(wanted: Wanted, said: list[str]) -> list[str]:
    """Take the first of these words with its value, if it has one; return the words that are left."""
    word, rest = said[0], said[1:]
    game = wanted.game
    option, preset = _find_option(game, word), next((each for each in game.presets if each.name == word), None)
    bare = rest[1:] if rest[:1] == ["="] else rest
    if option is not None and (bare != rest or (bare and _read_value(option, bare[0]) is not None)):
        value = _read_value(option, bare[0]) if bare else None
        if value is None:
            raise Refused(f"“{(bare or [''])[0][:40]}” is not possible for “{option.name}”: choose {option.possible}.")
        wanted.options[option.name] = value
        return bare[1:]
    _take_alone(wanted, word, option, preset)
    return rest


def _take_alone(wanted: Wanted, word: str, option: Option | None, preset: Preset | None) -> None:
    """Take a word that no value follows."""
    game = wanted.game
    if word == HOUSE:
        wanted.house = True
    elif preset is not None:
        wanted.options |= preset.options
    elif word.isdecimal() and int(word) in game.seats:
        wanted.players = int(word)
    elif option is not None and _is_switch(option):
        wanted.options[option.name] = True
    elif option is not None and option.default != "none" and "none" in option.values:
        wanted.options[option.name] = option.default  # `press`: with it, in the usual way
    elif game.seating == "preference" and word in _seat_names(game):
        wanted.wishes = (*wanted.wishes, word)
    elif option is not None:
        raise Refused(f"“{option.name}” needs a value: choose {option.possible}, as in `{option.name}={option.default}`.")
    else:
        raise Refused(f"After `join {game.key}` may stand {join_list(list(_examples(game)), 'or')}; “{word[:40]}” is none of them.")


def _find_option(game: About, word: str) -> Option | None:
    """Return the option that a word names: by its whole name, or by a prefix of no other option."""
    plain = {_plain(option.name): option for option in game.options}
    meant = [option for name, option in plain.items() if len(word) >= _SHORTEST and name.startswith(_plain(word))]
    return plain.get(_plain(word)) or (meant[0] if len(meant) == 1 else None)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "")


def _read_value(option: Option, word: str) -> OptionValue | None:
    """Return the value that a word means, None where it means none."""
    if _is_switch(option) and word in _ON | _OFF:
        return word in _ON
    return next((value for value in option.values if str(value) == word and not isinstance(value, bool)), None)


def _is_switch(option: Option) -> bool:
    return isinstance(option.default, bool)


def _seat_names(game: About) -> set[str]:
    return {seat.casefold() for seats in game.seats.values() for seat in seats}


def _examples(game: About) -> Iterator[str]:
    """Yield examples of what may follow a game's name."""
    yield f"`{HOUSE}`"
    yield from (f"`{preset.name}`" for preset in game.presets)
    yield from (f"`{number}`" for number in game.seats if len(game.seats) > 1)
    names = {preset.name for preset in game.presets}
    for option in game.options:
        if _is_switch(option) or option.name not in names:
            yield f"`{option.name}`" if _is_switch(option) else f"`{option.name}={option.default}`"
    if game.seating == "preference":
        yield f"`prefer {display_seat(next(iter(game.seats.values()))[0]).lower()}`"


JOIN = Command(
    "join",
    "join pyramid",
    "a seat at the next table of that game; `join pyramid house` plays against the house at once, and a number of players, the name"
    " of a set of options or options by name may follow (`join phoenix 4 team house`), and where seats go by preference `prefer` and"
    " those you would like, the dearest first",
    _join,
    changes=True,
)
