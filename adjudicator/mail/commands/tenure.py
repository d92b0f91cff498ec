"""Commands about seats of running matches that change hands: `take`, `resign`, `back`, `standby`,
`substitute`.
"""

import re
from collections.abc import Sequence

from adjudicator.mail.commands.command import SHORT_NAME, Command, Done, Writer
from adjudicator.mail.commands.joining.terms import seated
from adjudicator.service.base.errors import Refused
from adjudicator.service.handover import leaving, offers, standbys, substitutes, takeovers
from adjudicator.service.views import game_info, match_list

_UID = re.compile(SHORT_NAME)
_ADDRESS = re.compile(r"[^\s@<>,;:]{1,64}@[^\s@<>,;:]{1,100}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def _parted(writer: Writer, word: str, arguments: str) -> tuple[str, list[str]]:
    """Return the match that is meant, the named one or that of the address written to, and the
    words after it: `2` for `seat 2`.
    """
    words = arguments.lower().split()
    named = words.pop(0) if words and _UID.fullmatch(words[0]) else None
    if words[:1] == ["seat"] and len(words) > 1:
        words = words[1:]
    return writer.match(named, f"{word} k3m7p2qrs"), words


def _take(writer: Writer, arguments: str) -> Done:
    """Take over the offered seat, or an open seat of the match that is named."""
    if writer.offered is not None and not arguments:
        taken, _ = offers.accept_in(
            writer.session, writer.offered.id, zone=writer.zone, now=writer.now
        )
    else:
        uid, words = _parted(writer, "take", arguments)
        taken = takeovers.take_seat(
            writer.session, uid, writer.enrolled().id, " ".join(words), now=writer.now
        )
    return seated(writer, taken.uid, taken.sentence, reply_to=taken.address)


def _resign(writer: Writer, arguments: str) -> Done:
    """Leave a seat for good, once its name confirms that this is meant."""
    uid, words = _parted(writer, "resign", arguments)
    seat = takeovers.seat_name(*writer.at(uid))
    if " ".join(words) != seat.lower():
        raise Refused(
            f"It gives up your seat for good. If you mean that, write `resign {seat.lower()}`;"
            " nothing was done."
        )
    return Done(leaving.resign(*writer.at(uid), now=writer.now), uid=uid)


def _come_back(writer: Writer, arguments: str) -> Done:
    """Keep a seat that looks for a new player, or take it back from a substitute."""
    uid, words = _parted(writer, "back", arguments)
    if words:
        raise Refused(f"It is written `{BACK.usage}`, with nothing after it.")
    return Done(leaving.come_back(*writer.at(uid), now=writer.now), uid=uid)


def _stand_by(writer: Writer, arguments: str) -> Done:
    """Put the writer on the list of a game or a match, or off all lists."""
    word = arguments.lower()
    game = game_info.named(word)
    if word == "off":
        count = standbys.stand_down(*writer.me)
        return Done("You stand by for nothing any more." if count else "You stood by for nothing.")
    if not game and not _UID.fullmatch(word):
        raise Refused(
            f"It needs a game or a match’s short name: `standby {game_info.games()[0].key}`;"
            " `standby off` ends it."
        )
    name = standbys.stand_by(
        writer.session,
        writer.enrolled().id,
        now=writer.now,
        game=game or None,
        uid=None if game else word,
    )
    whole = game_info.about(game).title if game else name
    return Done(
        f"You stand by for {whole}: a letter tells you when a seat looks for a"
        f" player.{_looking(writer, game)}"
    )


def _looking(writer: Writer, game: str) -> str:
    """Return the sentence that names the matches of a game which look for a player now, "" where
    there is none.
    """
    viewer = writer.player.id if writer.player else None
    found = [
        each.uid
        for each in match_list.looking_matches(writer.session, viewer)
        if each.game_key == game
    ]
    commands = ", ".join(f"`take {uid}`" for uid in found[:3])
    return f" A seat looks for one now: {commands}." if found else ""


def _name_substitute(writer: Writer, arguments: str) -> Done:
    """Ask somebody to play the seat that was written to, until a day."""
    address, _, day = arguments.split()
    until = substitutes.read_until(day, writer.zone)
    sentence = substitutes.ask_substitute(*writer.at(writer.here), address, until, now=writer.now)
    return Done(sentence, uid=writer.here)


# --- what may follow a command's word, so that sentences such as “Take care” are no commands


def _of_match(words: Sequence[str]) -> bool:
    names_match = not words or _UID.fullmatch(words[0].lower()) is not None
    return names_match and (len(words) < 3 or words[1].lower() == "seat")


def _of_substitute(words: Sequence[str]) -> bool:
    return len(words) == 3 and bool(
        _ADDRESS.fullmatch(words[0]) and words[1].lower() == "until" and _DAY.fullmatch(words[2])
    )


TAKE = Command(
    "take",
    "take UID",
    "an open seat of a running match (in answer to the letter that offers one just `take`)",
    _take,
    fits=_of_match,
    most=3,
)
RESIGN = Command(
    "resign",
    "resign france",
    "give your seat in a running match up for good; others may take it (elsewhere `resign UID"
    " france`)",
    _resign,
    most=3,
)
BACK = Command(
    "back",
    "back UID",
    "keep your seat that looks for a new player, or have it back from a substitute (in its letters"
    " just `back`)",
    _come_back,
    fits=_of_match,
)
STANDBY = Command(
    "standby",
    "standby diplomacy",
    "a letter whenever a seat of that game looks for a player; a match’s short name, or `off`, may"
    " stand there too",
    _stand_by,
    of_game=True,
)
SUBSTITUTE = Command(
    "substitute",
    "substitute bob@example.org until 2026-12-20",
    "ask somebody to play this seat until that day, at most 60 days",
    _name_substitute,
    fits=_of_substitute,
    own_seat=True,
)
