"""The acts of directors, and two of entrants, as records: what a letter writes, and the use case
that both letter and form call.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlmodel import Session

from adjudicator.platform.db import Database
from adjudicator.platform.words import plural
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.tournaments import advancing, entering, making, stalling, succession
from adjudicator.service.tournaments.directing import by_hand, entrants
from adjudicator.service.tournaments.results import corrections, deciding


@dataclass(frozen=True)
class DirectorAct:
    """An act of directors. `pattern` reads what follows the tournament's name in a letter; its
    groups are the fields, in letter and form.
    """

    word: str
    meaning: str  # a clause
    act: Callable[..., object]  # takes the fields by the names in _ARGUMENTS; raises Refused
    follows: str = ""  # what follows the name, by an example
    pattern: re.Pattern[str] = re.compile("")
    told: str = ""  # the reply, by the names of arguments; "": what the act returns
    optional: str = ""  # a number that may be left out

    def carry_out(
        self, session: Session, uid: str, player_id: int, said: Mapping[str, str], *, now: datetime
    ) -> str:
        """Carry out the act with these fields and return the reply; raises Refused."""
        given = {
            argument: self._read(said.get(name) or "", name)
            for name, argument in _ARGUMENTS.items()
            if name in self.pattern.groupindex
        }
        done = self.act(session, uid, player_id, **given, now=now)
        return self.told.format(**given) or str(done)

    def _read(self, text: str, name: str) -> str | int | None:
        if name not in _NUMBERS:
            return text
        if not text and name == self.optional:
            return None
        if not (text.isascii() and text.isdigit() and len(text) < 7):
            raise Refused("It lacks a number.", field=name)
        return int(text)


# the fields, and what the acts call them
_ARGUMENTS = {
    "round": "number",
    "entry": "number",
    "table": "table",
    "hours": "hours",
    "points": "points",
    "tables": "text",
    "sure": "sure",
    "reason": "reason",
    "seen": "seen",
}
_NUMBERS = frozenset({"round", "entry", "table", "hours"})


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.DOTALL)


_WHY = r"\s*:\s*(?P<reason>.*)"
_ENTRANT = r"entrant (?P<entry>\d{1,4})"
_TABLE = _pattern(
    r"round (?P<round>\d{1,4}),? table (?P<table>\d{1,4})(?:\s*:\s*|\s+)(?P<points>.{1,200}?)"
    r"(?P<sure> sure)?(?: because:? (?P<reason>.*))?"
)
_ADMIT = _pattern(rf"(?:{_ENTRANT})?\s*(?:points (?P<points>[^:]{{1,12}}?))?{_WHY}")
# points: so that `1,5` is one and a half, and `1-0` two numbers
_BETWEEN = re.compile(r"\s*[:;]\s*|(?<=[\d½])(?:[-–—]| [-–—] )(?=[\d½])|\s+")


def _decide(
    session: Session,
    uid: str,
    director_id: int,
    *,
    number: int,
    table: int,
    now: datetime,
    **said: str,
) -> str:
    points = [
        each.rstrip(",") for each in _BETWEEN.split(said["points"].strip()) if each.rstrip(",")
    ]
    given = deciding.told_result(deciding.read_points(points, len(points)))
    sure, reason = given if said["sure"] else "", said["reason"]
    try:
        deciding.decide_table(
            session, uid, director_id, (number, table), points, reason=reason, now=now, sure=sure
        )
    except deciding.Doubtful as doubtful:
        again = (
            f"decide tournament {uid} round {number} table {table}: {given} sure because {reason}"
        )
        raise Refused(f"{doubtful} If they are meant, write `{again}`.") from doubtful
    return f"Table {table} of round {number} is decided: {given}."


def _wait(session: Session, uid: str, director_id: int, *, hours: int, now: datetime) -> str:
    deciding.set_wait(session, uid, director_id, hours, now=now)
    return plural(
        hours,
        "After a result that a director typed, the next pairing waits for {n} hour.",
        "After a result that a director typed, the next pairing waits for {n} hours.",
    )


ACTS = (
    DirectorAct(
        "begin",
        "close the entries, so that the first round is paired",
        entering.close_entries,
        told="The entries are closed; the first round is paired in a moment.",
    ),
    DirectorAct(
        "decide",
        "decide or correct the result of a table, with the points in seat order",
        _decide,
        "round 2 table 1: 1 : 0 because Bob was away",
        _TABLE,
    ),
    DirectorAct(
        "correct",
        "the same, for a result that stands already",
        _decide,
        "round 2 table 1: 0 : 1 because it was misread",
        _TABLE,
    ),
    DirectorAct(
        "go on",
        "let the next round be paired that waits after a typed result",
        deciding.go_on,
        pattern=_pattern(r"(?P<seen>)"),  # which only a form tells
        told="What waited goes on in a moment.",
    ),
    DirectorAct(
        "wait",
        "the hours that a pairing waits after a typed result",
        _wait,
        "24",
        _pattern(r"(?P<hours>\d{1,6})"),
    ),
    DirectorAct(
        "close",
        "end the open matches of a round as they are",
        stalling.close_round,
        "round 2: we go on",
        _pattern(rf"round (?P<round>\d{{1,4}}){_WHY}"),
        told="Round {number} is being closed: its open matches end as they are.",
    ),
    DirectorAct(
        "end",
        "end the tournament as it stands",
        advancing.end_tournament,
        ": too few are left",
        _pattern(_WHY),
        told="The tournament is over. Matches that are played go on, but count no more.",
    ),
    DirectorAct(
        "remove",
        "pair somebody no more, as if that one had left",
        entering.remove,
        "entrant 3: no show",
        _pattern(_ENTRANT + _WHY),
        told="Entrant {number} is not paired any more.",
    ),
    DirectorAct(
        "excuse",
        "let an entrant sit out the next round, without points",
        entrants.excuse,
        "entrant 3",
        _pattern(_ENTRANT),
    ),
    DirectorAct(
        "admit",
        "take in who has left again, or without `entrant 3` one player more, with these points",
        entrants.admit,
        "entrant 3 points 1,5: back from a journey",
        _ADMIT,
        optional="entry",
    ),
    DirectorAct(
        "pair",
        "set the tables of the next round by hand, entrants in seat order; with nothing: draw them",
        by_hand.pair,
        "round 3: 1 4, 2 3",
        _pattern(r"round (?P<round>\d{1,4})\s*:\s*(?P<tables>.*)"),
    ),
    DirectorAct(
        "undo",
        "take a round back in which nobody has moved",
        corrections.undo_round,
        "round 3: a no-show",
        _pattern(rf"round (?P<round>\d{{1,4}}){_WHY}"),
        told="Round {number} is taken back. It is paired again once a director lets it go on.",
    ),
    DirectorAct(
        "appoint",
        "let an entrant direct it, too",
        making.make_entrant_director,
        "entrant 3",
        _pattern(_ENTRANT),
        told="Entrant {number} directs the tournament, too.",
    ),
    DirectorAct(
        "dismiss",
        "let an entrant direct it no more, as its first director",
        succession.dismiss_director,
        "entrant 3",
        _pattern(_ENTRANT),
        told="Entrant {number} directs the tournament no more.",
    ),
    DirectorAct(
        "direct",
        "direct it, if nobody does and you take part",
        succession.take_over,
        told="You direct the tournament.",
    ),
    DirectorAct(
        "stop directing",
        "direct it no more",
        succession.stop_directing,
        told="You direct the tournament no more.",
    ),
)
OF_ENTRANTS = (
    DirectorAct(
        "sit out",
        "sit out the next round of a Swiss or a mixer, without points for it",
        partial(entrants.sit_out, out=True),
    ),
    DirectorAct(
        "play on", "be paired for the next round after all", partial(entrants.sit_out, out=False)
    ),
)


def carry_out(
    database: Database,
    said: Mapping[str, str],
    word: str,
    *,
    uid: str,
    player_id: int,
    now: datetime,
) -> str:
    """Carry out an act by its word with the fields of a form; raises NotFound for an unknown act,
    and what the act raises.
    """
    act = next((each for each in (*ACTS, *OF_ENTRANTS) if each.word == word), None)
    if act is None:
        raise NotFound("Directors do nothing of that name.")
    with database.write_tx() as session:
        return act.carry_out(session, uid, player_id, said, now=now)
