"""Names that look alike: nobody is called as the service speaks of itself, or like somebody else in
the same match or tournament.
"""

import re
import unicodedata
from collections.abc import Iterable

from sqlmodel import Session, col, select

from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import ERASED, SOMEBODY
from adjudicator.service.base.rows import players_of, seated_matches
from adjudicator.service.base.state import hides_players
from adjudicator.service.base.tables import Match, Player, Tournament, TournamentEntry

# small letters of other scripts, and rare ones, that look like a Latin one; capitals fold to them
_LETTERS = str.maketrans(
    {
        other: letter
        for letter, others in {
            "a": "аαɑᴀ",
            "b": "вьβʙƀ",
            "c": "сϲᴄ",
            "d": "ԁᴅđ",
            "e": "еҽεᴇ",
            "g": "ɡցɢǥ",
            "h": "нһհʜħ",
            "i": "іιıɩɪɨӏ",
            "j": "јᴊȷ",
            "k": "кκᴋ",
            "l": "ʟł",
            "m": "мμᴍ",
            "n": "пηոռɴ",
            "o": "оοօσᴏøⲟꓳ",
            "p": "рρᴘ",
            "q": "ԛզ",
            "r": "гʀɍꭇ",
            "s": "ѕꜱ",
            "t": "тτᴛŧ",
            "u": "սυᴜ",
            "v": "ѵνᴠ",
            "w": "ԝѡωᴡ",
            "x": "хχ",
            "y": "уүγʏ",
            "z": "ζᴢ",
            "ae": "æӕ",
            "oe": "œ",
        }.items()
        for other in others
    }
)
# Greek capitals that look like another letter than their small ones, beside Latin letters
_CAPITALS = str.maketrans("ΗΝΥ", "HNY")
_ASCII_LETTER = re.compile(r"[A-Za-z]")
# and digits and signs; i, l and 1 look like each other
_SIGNS = str.maketrans("01i|!$5@", "ollllssa")
_RESERVED = frozenset(
    {
        "Sealed Orders",
        "the service",
        "service",
        "the host",
        "host",
        "the master",
        "master",
        "a master",
        "masters",
        "the masters",
        "the game master",
        "game master",
        "game masters",
        "the game masters",
        "GM",
        "the GM",
        "a GM",
        "GMs",
        "the GMs",
        "tournament director",
        "the tournament director",
        "adjudicator",
        "the adjudicator",
        "referee",
        "the referee",
        "arbiter",
        "umpire",
        "judge",
        "the judge",
        "the director",
        "director",
        "a director",
        "directors",
        "the directors",
        "the players",
        "players",
        "the player",
        "player",
        SOMEBODY,
        ERASED,
        "somebody",
        "nobody",
        "everybody",
        "everyone",
        "observer",
        "system",
        "admin",
        "administrator",
        "moderator",
        "mod",
        "mods",
        "operator",
        "staff",
        "hostmaster",
        "bot",
        "house bot",
        "witness",
        "substitute",
        "standby",
        "observers",
        "support",
        "postmaster",
        "webmaster",
        "root",
        "abuse",
        "mailer-daemon",
        "noreply",
        "removed",
        "a new player",
        "a substitute",
    }
)
# as entries, seats and house bots
_ROLES = re.compile(r"(?:entrant|seat|player|housebot|house|greedy|random)(?:[0-9]{1,4}|[a-h])")


def looks(name: str) -> str:
    """Return what a name looks like: without case, accents, blanks, signs and the difference of
    letters of one shape.
    """
    return _bare(_latin(name).translate(_SIGNS).replace("rn", "m").replace("vv", "w")) or name


def _latin(name: str) -> str:
    name = unicodedata.normalize("NFKC", name)
    if _ASCII_LETTER.search(name):
        name = name.translate(_CAPITALS)
    return unicodedata.normalize("NFKD", name.casefold()).translate(_LETTERS)


def _bare(name: str) -> str:
    return "".join(char for char in name if char.isalnum())


_SPOKEN_OF, _SERVICE = frozenset(map(looks, _RESERVED)), looks("Sealed Orders")


def is_reserved(name: str) -> bool:
    """Whether a name reads like the service, a role in it, or what it calls whoever it does not
    name; or begins with the name of the service, as a team of it would.
    """
    return (
        looks(name) in _SPOKEN_OF
        or looks(name).startswith(_SERVICE)
        or _ROLES.fullmatch(_bare(_latin(name))) is not None
    )


def require_own(name: str) -> None:
    """Raise Refused where a name is reserved."""
    if is_reserved(name):
        raise Refused(
            f"“{name}” is what this service calls itself, or a part that somebody has in it, so no"
            " player can be called so."
        )


def distinguish(session: Session, match: Match, player_id: int, *, usual: bool) -> str:
    """Return the name with which a player can have a seat of a match, in which nobody else has one
    that looks like it.

    Where the own one does, a `usual` name, which nobody chose, gets a number; raises Refused for
    any other. In a match with anonymous players names stay: whose they are is not told, and a
    refusal would tell it.
    """
    own = session.get_one(Player, player_id).name
    if hides_players(match):
        return own
    return _distinct(own, _others(session, match, player_id), usual=usual)


def distinguish_entrant(
    session: Session, tournament: Tournament, player_id: int, *, usual: bool
) -> str:
    """Do as `distinguish` for a player who enters a tournament, among its entrants."""
    entered = select(TournamentEntry.player_id).where(
        TournamentEntry.tournament_id == tournament.id, col(TournamentEntry.left_at).is_(None)
    )
    others = session.exec(select(Player).where(col(Player.id).in_(entered), Player.id != player_id))
    return _distinct(session.get_one(Player, player_id).name, others, usual=usual)


def _distinct(own: str, others: Iterable[Player], *, usual: bool) -> str:
    taken = {looks(other.name): other.name for other in others}
    if looks(own) not in taken:
        return own
    if usual:
        return next(
            numbered
            for number in range(2, len(taken) + 3)
            if looks(numbered := f"{own[:36]} {number}") not in taken
        )
    why = (
        f"Somebody here is called “{taken[looks(own)]}”, which looks like your name, and one could"
        " be taken for the other."
    )
    raise Refused(
        f"{why} Change yours first, on the account page or by the letter `name` with another one,"
        " and come back."
    )


def _others(session: Session, match: Match, player_id: int) -> list[Player]:
    """Return the other players of a match, and who runs it."""
    master = session.get(Player, match.master_id)
    return [
        each
        for each in (*players_of(session, match), *([master] if master else []))
        if each.id != player_id
    ]


def require_unlike(session: Session, player_id: int, name: str) -> None:
    """Raise Refused where a player's new name looks like that of somebody in a match that both
    play, and that is not over.
    """
    wanted = select(Match).where(
        col(Match.id).in_(seated_matches(player_id)),
        col(Match.status).in_(("making", "open", "running", "stuck")),
    )
    for match in session.exec(wanted):
        others = () if hides_players(match) else _others(session, match, player_id)
        twin = next((other.name for other in others if looks(other.name) == looks(name)), None)
        if twin is not None:
            raise Refused(
                f"“{name}” looks like “{twin}” in “{match.name}”, whom others could take you for."
                " Choose another name."
            )
