"""Where `join redeux 4`, `join phoenix tournament` and `join genesis pair` lead: what is no table
of a game is a tournament of it.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from adjudicator.core.game import About
from adjudicator.platform.words import join_list
from adjudicator.service.base.errors import Refused
from adjudicator.service.tournaments.records import open_to_entries

EVENT_WORDS = frozenset(
    {"tournament", "tournaments", "event", "events", "pair", "pairs", "cup", "league", "swiss"}
)
# both seats in turn; a match of several games
_USUAL = {"genesis": "round robin legs=2", "phoenix": "mixer rounds=1 legs=3"}


def require_table(session: Session, about: About, words: Sequence[str], now: datetime) -> None:
    """Raise Refused, with the tournaments to enter and how to make one, where the words after a
    game ask for what no table is.
    """
    more = (
        bool(words)
        and words[0].isdecimal()
        and len(words[0]) < 3
        and int(words[0]) not in about.seats
        and int(words[0]) > 1
    )
    if not more and not EVENT_WORDS & set(words):
        return
    seats = join_list([str(number) for number in sorted(about.seats) if number > 1], "or")
    lines = [f"`join tournament {uid}`" for uid in open_to_entries(session, about.key, now)]
    entering = f"Some take entries: {join_list(lines, 'or')}." if lines else ""
    format_ = _USUAL.get(
        about.key, "round robin" if set(about.seats) <= {1, 2} else "mixer rounds=3"
    )
    make = f"`make tournament {about.key} {format_} name: Our cup` makes one, and you direct it."
    sentence = (
        f"A table of {about.title} has {seats} seats; more people, or several matches that count"
        " together, are a tournament."
    )
    raise Refused(" ".join(filter(None, (sentence, entering, make))))
