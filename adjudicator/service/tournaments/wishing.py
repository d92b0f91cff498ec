"""Reads what a new tournament is asked for, as forms and letters write it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Literal, cast

from adjudicator.core.game import About
from adjudicator.play.tournaments.formats import Format, KnockOut, League, Mixer, RoundRobin, Swiss
from adjudicator.play.tournaments.standings import TieBreak
from adjudicator.service.base.errors import Refused
from adjudicator.service.matches.creation import Wish
from adjudicator.service.tournaments import making
from adjudicator.service.tournaments.making import TournamentWish
from adjudicator.service.tournaments.results.deciding import read_points

USUAL = {  # what a new tournament has where nothing else is asked for
    "rounds": "5",
    "cycles": "1",
    "sizes": "2",
    "legs": "1",
    "scoring": "wins",
    "tie_breaks": "opponents",
    "sitting_out": "",
    "seeds": "entry",
    "division": "8",
    "moving": "2",
    "closes_at": "",
    "round_days": "60",
    "wait_hours": "24",
    "stalled": "wait",
    "late": "no",
    "best": "",
    "top": "",
}


@dataclass(frozen=True)
class TournamentTexts:
    """The terms of a new tournament as texts, by the names in USUAL, and its `format`."""

    about: About
    texts: Mapping[str, str]
    sizes: tuple[int, ...]
    whole: Callable[[str], int]  # reads one of them as a whole number

    def wish(
        self, matches: Wish, tie_breaks: tuple[TieBreak, ...], closes_at: datetime | None
    ) -> TournamentWish:
        """Return it as a wish, with the name of its matches; raises Refused."""
        return TournamentWish(
            matches.name,
            self._format(),
            matches,
            self.texts["scoring"],
            tie_breaks,
            self.whole("legs"),
            closes_at,
            self._whole_or_none("round_days"),
            self.texts["stalled"],
            self.texts["late"],
            self.whole("wait_hours"),
        )

    def _whole_or_none(self, name: str) -> int | None:
        return self.whole(name) if self.texts[name] else None

    def _format(self) -> Format:
        whole, best = self.whole, self._whole_or_none("best")
        match self.texts.get("format", ""):
            case "round robin":
                return RoundRobin(whole("cycles"))
            case "knock-out":
                return self._knock_out()
            case "league":
                size, moving, cycles = whole("division"), whole("moving"), whole("cycles")
                return League(size, moving, cycles, whole("rounds"), self.sizes)
            case "mixer":
                return Mixer(whole("rounds"), self.sizes, best)
            case "swiss":
                given, top = self._sitting_out(), self._whole_or_none("top")
                return Swiss(whole("rounds"), self.sizes, given, best, top or 0)
        raise Refused("Choose a format of the list.", field="format")

    def _knock_out(self) -> KnockOut:
        seeds = self.texts["seeds"]
        if seeds not in ("entry", "draw"):
            sentence = f"“{seeds[:40]}” is not possible for “seeds”: choose entry or draw."
            raise Refused(sentence, field="seeds")
        return KnockOut(cast("Literal['entry', 'draw']", seeds))

    def _sitting_out(self) -> int | Fraction:
        """Return the points for sitting out, the usual ones of the scoring system for no text."""
        legs = self.whole("legs")
        given = making.usual_sitting_out(self.about, self.texts["scoring"], self.sizes, legs)
        if self.texts["sitting_out"].strip():
            try:
                (given,) = read_points([self.texts["sitting_out"]], 1)
            except Refused as refused:
                raise Refused(str(refused), field="sitting_out") from refused
        return int(given) if given.denominator == 1 else given
