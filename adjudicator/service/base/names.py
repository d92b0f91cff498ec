"""Names of players and matches, chosen by people: one visible line without anything that a mail
program turns into a link.
"""

import re
import unicodedata

from adjudicator.platform.words import display_seat
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Player

SOMEBODY = "a player"  # who is not named: of an anonymous match, or whose own choice it is
REMOVED = "[removed]"  # in place of what an erased player wrote to others
ERASED = "a former player"  # the name of whoever was erased
# for a table's usual name, of whoever hides the own name, and any that held the name of who was
# erased
NOBODYS_TABLE = "Somebody’s table"
NOBODYS_TOURNAMENT = "Somebody’s tournament"  # likewise
# as `table_name` writes it, with the maker's name of that day
USUAL_TABLE = re.compile(r"^.+’s table$")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # blank, although Unicode calls them printable
# address bars read these as dots, and NFKC leaves them as they are
_DOTS = "\u3002\u2024\u0701\u0702"
_LINK = re.compile(
    r"//|\\\\"  # http://..., //host, \\host
    r"|\b(?:https?|ftp|file|mailto|tel|sms|data|javascript)\s?:"
    r"|\bwww\d?\."
    r"|[\w-]\.[^\W\d_]{2,}"  # name.tld, an e-mail address
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])",
    re.IGNORECASE,
)
_LINKING = str.maketrans(dict.fromkeys("./\\:@" + _DOTS, " "))


class PlayerName(str):
    """A player's name that says whose it is, so that a public note can keep the player and show the
    name of the day of reading.
    """

    player_id: int

    def __new__(cls, player: Player, shown: str = "") -> "PlayerName":
        """Return the present name of a stored player, or `shown` in its place."""
        name = super().__new__(cls, shown or player.name)
        name.player_id = player.id
        return name


def one_line(text: str) -> str:
    """Return a text on one line, without control characters, direction marks and blank letters."""
    return " ".join(
        "".join(char for char in text if char.isprintable() and char not in _BLANK).split()
    )


def link_in(text: str) -> str:
    """Return the first word that mail programs turn into a link, the whole text if only the words
    together do, "" if nothing does.
    """
    for word in text.split():
        if _LINK.search(_plain(word)):
            return word
    return "" if _LINK.search(_plain(text)) is None else text


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    return "".join("." if char in _DOTS else char for char in plain)


def unlinked(text: str) -> str:
    """Return a text that contains a link with dots, slashes, colons and @ turned into spaces; any
    other text unchanged.
    """
    return (
        one_line(unicodedata.normalize("NFKC", text).translate(_LINKING)) if link_in(text) else text
    )


def table_name(name: str) -> str:
    """Return the usual name of a match made by letter by somebody of this name."""
    return f"{unlinked(name)}’s table"


def holds_name(title: str, name: str) -> bool:
    """Whether a title that a player gave holds the player's name, or a word of it of three letters
    or more, in any case of letters.
    """
    words = {name, *(word for word in re.findall(r"\w+", name) if len(word) > 2)}
    return (
        re.search(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", title, re.IGNORECASE)
        is not None
    )


def clean_chosen(text: str, *, longest: int, field: str = "", kept: str = "") -> str:
    """Return a name on one line, "" where it has no visible letter; raises Refused where it is too
    long or contains a web address.

    `kept` is the current name, which may stay even if it contains a web address.
    """
    name = one_line(text)
    if len(name) > longest:
        raise Refused(f"A name has {longest} letters at most.", field=field)
    link = link_in(name) if name != kept else ""
    if link:
        raise Refused(
            f"A name may hold no web address: “{link[:40]}” reads like one. Write it without the"
            " dot.",
            field=field,
        )
    return name


def name_at(player: Player, seat: str, *, inside: bool) -> str:
    """Return what a player of a seat is called: ERASED, or by the own name.

    Unless the reader is `inside` the match, one who hides the own name is called by the seat's.
    """
    if inside or not player.name_hidden:
        return player.name  # ERASED, of who was erased
    return display_seat(seat) if display_seat(seat) != seat else f"Seat {seat}"


def shown_name(player: Player, *, inside: bool) -> str:
    """Return what a player is called who is told of without a seat, such as a master: by name or as
    SOMEBODY.
    """
    return SOMEBODY if player.name_hidden and not inside else player.name
