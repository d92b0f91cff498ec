"""The acts of directors, and two of entrants, as records: what a letter writes, and the use case
that both letter and form call.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from adjudicator.platform.db import Database
from adjudicator.platform.words import plural
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.tournaments import advancing, entering, making, stalling, succession
from adjudicator.service.tournaments.directing import by_hand, entrants
from adjudicator.service.tournaments.results import corrections, deciding


@dataclass(frozen=True)
class Deed:
    """An act that a person asks for: in which tournament, and with what, by the names of the act's
    fields.
    """

    session: Session
    uid: str
    player_id: int
    said: Mapping[str, str]
    now: datetime

    @property
    def here(self) -> tuple[Session, str, int]:
        """The first arguments of every use case."""
        return self.session, self.uid, self.player_id

    @property
    def reason(self) -> str:
        """The reason that is given, "" for none."""
        return self.said.get("reason") or ""

    def whole(self, name: str) -> int:
        """Return a field that is a whole number; raises Refused."""
        text = self.said.get(name, "")
        if not (text.isascii() and text.isdigit() and len(text) < 7):
            raise Refused("It lacks a number.", field=name)
        return int(text)


@dataclass(frozen=True)
class DirectorAct:
    """An act of directors. `pattern` reads what follows the tournament's name in a letter; its
    groups are the fields.
    """

    word: str
    follows: str  # what follows the name, by an example
    meaning: str  # a clause
    pattern: re.Pattern[str]
    do: Callable[[Deed], str]  # carries it out and returns the reply; raises Refused


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


def _begin(deed: Deed) -> str:
    entering.close_entries(*deed.here, now=deed.now)
    return "The entries are closed; the first round is paired in a moment."


def _decide(deed: Deed) -> str:
    place = deed.whole("round"), deed.whole("table")
    points = [
        each.rstrip(",")
        for each in _BETWEEN.split(deed.said.get("points", "").strip())
        if each.rstrip(",")
    ]
    given = deciding.told_result(deciding.read_points(points, len(points)))
    sure = given if deed.said.get("sure") else ""
    try:
        deciding.decide_table(
            *deed.here, place, points, reason=deed.reason, now=deed.now, sure=sure
        )
    except deciding.Doubtful as doubtful:
        again = (
            f"decide tournament {deed.uid} round {place[0]} table {place[1]}: {given} sure because"
            f" {deed.reason}"
        )
        raise Refused(f"{doubtful} If they are meant, write `{again}`.") from doubtful
    return f"Table {place[1]} of round {place[0]} is decided: {given}."


def _go_on(deed: Deed) -> str:
    deciding.go_on(*deed.here, now=deed.now, seen=deed.said.get("seen"))
    return "What waited goes on in a moment."


def _wait(deed: Deed) -> str:
    hours = deed.whole("hours")
    deciding.set_wait(*deed.here, hours, now=deed.now)
    return plural(
        hours,
        "After a result that a director typed, the next pairing waits for {n} hour.",
        "After a result that a director typed, the next pairing waits for {n} hours.",
    )


def _close(deed: Deed) -> str:
    number = deed.whole("round")
    stalling.close_round(*deed.here, deed.reason, number=number, now=deed.now)
    return f"Round {number} is being closed: its open matches end as they are."


def _end(deed: Deed) -> str:
    advancing.end_tournament(*deed.here, deed.reason, now=deed.now)
    return "The tournament is over. Matches that are played go on, but count no more."


def _remove(deed: Deed) -> str:
    number = deed.whole("entry")
    entering.remove(*deed.here, number, reason=deed.reason, now=deed.now)
    return f"Entrant {number} is not paired any more."


def _appoint(deed: Deed) -> str:
    number = deed.whole("entry")
    making.make_entrant_director(*deed.here, number, now=deed.now)
    return f"Entrant {number} directs the tournament, too."


def _dismiss(deed: Deed) -> str:
    number = deed.whole("entry")
    succession.dismiss_director(*deed.here, number, now=deed.now)
    return f"Entrant {number} directs the tournament no more."


def _direct(deed: Deed) -> str:
    succession.take_over(*deed.here, now=deed.now)
    return "You direct the tournament."


def _stop(deed: Deed) -> str:
    succession.stop_directing(*deed.here, now=deed.now)
    return "You direct the tournament no more."


def _undo(deed: Deed) -> str:
    number = deed.whole("round")
    corrections.undo_round(*deed.here, number, reason=deed.reason, now=deed.now)
    return f"Round {number} is taken back. It is paired again once a director lets it go on."


def _pair(deed: Deed) -> str:
    return by_hand.pair(*deed.here, deed.whole("round"), deed.said.get("tables", ""), now=deed.now)


def _admit(deed: Deed) -> str:
    number, points = (
        deed.whole("entry") if deed.said.get("entry") else None,
        deed.said.get("points", ""),
    )
    return entrants.admit(*deed.here, number, points, reason=deed.reason, now=deed.now)


def _excuse(deed: Deed) -> str:
    return entrants.excuse(*deed.here, deed.whole("entry"), now=deed.now)


def _sit_out(deed: Deed) -> str:
    return entrants.sit_out(*deed.here, out=True, now=deed.now)


def _play_on(deed: Deed) -> str:
    return entrants.sit_out(*deed.here, out=False, now=deed.now)


ACTS = (
    DirectorAct(
        "begin", "", "close the entries, so that the first round is paired", _pattern(""), _begin
    ),
    DirectorAct(
        "decide",
        "round 2 table 1: 1 : 0 because Bob was away",
        "decide or correct the result of a table, with the points in seat order",
        _TABLE,
        _decide,
    ),
    DirectorAct(
        "correct",
        "round 2 table 1: 0 : 1 because it was misread",
        "the same, for a result that stands already",
        _TABLE,
        _decide,
    ),
    DirectorAct(
        "go on",
        "",
        "let the next round be paired that waits after a typed result",
        _pattern(""),
        _go_on,
    ),
    DirectorAct(
        "wait",
        "24",
        "the hours that a pairing waits after a typed result",
        _pattern(r"(?P<hours>\d{1,6})"),
        _wait,
    ),
    DirectorAct(
        "close",
        "round 2: we go on",
        "end the open matches of a round as they are",
        _pattern(rf"round (?P<round>\d{{1,4}}){_WHY}"),
        _close,
    ),
    DirectorAct(
        "end", ": too few are left", "end the tournament as it stands", _pattern(_WHY), _end
    ),
    DirectorAct(
        "remove",
        "entrant 3: no show",
        "pair somebody no more, as if that one had left",
        _pattern(_ENTRANT + _WHY),
        _remove,
    ),
    DirectorAct(
        "excuse",
        "entrant 3",
        "let an entrant sit out the next round, without points",
        _pattern(_ENTRANT),
        _excuse,
    ),
    DirectorAct(
        "admit",
        "entrant 3 points 1,5: back from a journey",
        "take in who has left again, or without `entrant 3` one player more, with these points",
        _ADMIT,
        _admit,
    ),
    DirectorAct(
        "pair",
        "round 3: 1 4, 2 3",
        "set the tables of the next round by hand, entrants in seat order; with nothing: draw them",
        _pattern(r"round (?P<round>\d{1,4})\s*:\s*(?P<tables>.*)"),
        _pair,
    ),
    DirectorAct(
        "undo",
        "round 3: a no-show",
        "take a round back in which nobody has moved",
        _pattern(rf"round (?P<round>\d{{1,4}}){_WHY}"),
        _undo,
    ),
    DirectorAct(
        "appoint", "entrant 3", "let an entrant direct it, too", _pattern(_ENTRANT), _appoint
    ),
    DirectorAct(
        "dismiss",
        "entrant 3",
        "let an entrant direct it no more, as its first director",
        _pattern(_ENTRANT),
        _dismiss,
    ),
    DirectorAct("direct", "", "direct it, if nobody does and you take part", _pattern(""), _direct),
    DirectorAct("stop directing", "", "direct it no more", _pattern(""), _stop),
)
OF_ENTRANTS = (
    DirectorAct(
        "sit out",
        "",
        "sit out the next round of a Swiss or a mixer, without points for it",
        _pattern(""),
        _sit_out,
    ),
    DirectorAct("play on", "", "be paired for the next round after all", _pattern(""), _play_on),
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
        return act.do(Deed(session, uid, player_id, said, now))
