"""The terms of a match, one record: a new term is one more field of `Terms`. The order is that of
letters, and of the fields within their groups of the form.
"""

from dataclasses import dataclass, field
from typing import Any

from adjudicator.core.game import Seating
from adjudicator.play.bots import WORDINGS, Skill
from adjudicator.service.base import spans
from adjudicator.service.base.press_rules import NO_WISH, PressWish
from adjudicator.service.base.state import ProgressKind
from adjudicator.service.matches import absences
from adjudicator.service.matches.terms import kinds, telling
from adjudicator.service.matches.terms.term import (
    USUAL_SHORT,
    Term,
    TermWord,
    declared_terms,
    goes_by_preference,
    has_both,
    has_press,
    has_short_phases,
    read_hours,
)

USUAL_MISSES = 2
SHORTEST_MUSTER = 5  # minutes
EXPIRE_DAYS, _MOST_EXPIRE_DAYS = 30, 365
MUSTER_MINUTES = 48 * 60  # of a usual muster; that of a live match is in its rule sheet
GROUPS = {  # of the form; folded until one of their terms says something else than usual
    "timetable": "Fixed hours, weekends, holidays",
    "lateness": "Grace, overtime, reminders",
    "seating": "Who plays what",
    "joining": "Who may see it and join",
    "starting": "How it begins",
    "votes": "Votes, and who sees that orders are in",
    "absence": "Absent and silent players",
    "press": "Rules of press",
}


def term(default: object, *declared: Term) -> Any:
    """Return a field of the record; the rules of press are three terms in one."""
    return field(default=default, metadata={"terms": declared})


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a match is made with, besides its game, its name and its people."""

    sheet: str = term(  # key of a rule sheet; the match has none if a compared term differs from it
        "", Term(kinds.TermKind(), compared=False, told=telling.sheet)
    )
    every_hours: int = term(
        48,
        Term(
            kinds.NumberKind(
                "A phase may last from {least} to {most} hours; {value} is outside of that.",
                least=1,
                most=24 * 30,
                wrong="Write a whole number of hours, such as 48.",
                required=True,
            ),
            sought=True,
            label="Hours a phase may last",
            word=TermWord(
                "hours=48/24",
                "the hours of a phase; after `/` those of short phases",
                read_hours,
                short_example="hours=48",
                short_meaning="the hours of a phase",
            ),
        ),
    )
    # length of the game's short phases, if it has any; None: as long as the others
    short_hours: int | None = term(
        None,
        Term(
            kinds.NumberKind(
                "{phases} may last from {least} to {most} hours; {value} is outside of that.",
                least=1,
                most=24 * 30,
                wrong="Write a whole number of hours, such as 24.",
                empty=USUAL_SHORT,
            ),
            sought=True,
            label="Hours for {phases}",
            placeholder=str(USUAL_SHORT),
            offered=has_short_phases,
        ),
    )
    # as `play.timetable` reads it; it then says all of the times that phases end at, instead of the
    # hours
    timetable: str = term("", Term(kinds.TermKind(), group="timetable"))
    # the https address of a calendar of days off
    calendar: str = term("", Term(kinds.TermKind(), group="timetable"))
    grace_minutes: int = term(
        10,
        Term(
            kinds.MinutesKind(
                "The grace may be {least} to {most} minutes; {value} is outside of that.",
                least=0,
                most=24 * 60,
                wrong="Write a whole number of minutes, such as 10.",
                required=True,
                empty=0,
                bare="m",
            ),
            label="Minutes of grace",
            hint="Orders that come within the grace still count, and are told as late.",
            group="lateness",
            word=TermWord("grace=10", "minutes after the deadline in which orders still count"),
            row=("Grace", telling.grace),
        ),
    )
    overtime_minutes: int = term(  # after a deadline that somebody missed
        0,
        Term(
            kinds.SpanKind(),
            sought=True,
            label="Overtime for those who are late",
            hint="Left empty: none; at most half of a phase. Where somebody has handed in nothing"
            " when the grace is over, the phase stays open so much longer, once. Nobody else is"
            " told who is late.",
            placeholder="6 h",
            longest=20,
            group="lateness",
            field="overtime",
            word=TermWord("overtime=6h", "more time where somebody handed in nothing"),
            row=("Overtime", telling.overtime),
        ),
    )
    reminders: tuple[int, ...] = term(  # minutes before a deadline
        spans.USUAL_REMINDERS,
        Term(
            kinds.SpansKind(),
            label="Reminders before the deadline",
            hint="Letters to those who owe orders and have handed in nothing. Left empty: none."
            " None comes in the first quarter of a phase.",
            longest=80,
            given="24 h, 3 h",
            group="lateness",
            word=TermWord(
                "reminders=24h,3h",
                "letters before the deadline to those who owe orders; `reminders=off`",
            ),
            row=("Reminders", telling.reminders),
        ),
    )
    # what is shown of who has handed in; an anonymous match shows nothing
    progress: ProgressKind = term(  # noqa: RUF009 it is a field
        "count",
        Term(
            kinds.ChoiceKind(
                "What is shown of who has handed in is none, count or seats.",
                labels={
                    "count": "how many have handed in orders",
                    "seats": "who has handed in orders",
                    "none": "neither",
                },
            ),
            sought=True,
            label="While a phase is open, everybody sees",
            hint="It shows with the next full minute. An anonymous match shows neither, since house"
            " bots hand in at once.",
            group="votes",
            word=TermWord(
                "progress=seats",
                "whether everybody sees who has handed in, how many (`count`), or nothing (`none`)",
            ),
            told=telling.progress,
        ),
    )
    # whose agreement more time and pauses need: majority, all; none: the master alone decides
    vote_rule: str = term(
        "majority",
        Term(
            kinds.ChoiceKind(
                "On more time decides majority, all or none.",
                labels={
                    "majority": "the master, or a majority of the players",
                    "all": "the master, or all players together",
                    "none": "the master alone",
                },
            ),
            label="On more time and pauses decides",
            group="votes",
            word=TermWord(
                "agree=all",
                "who gives more time and pauses: the master, or a `majority` of the players, or"
                " `all`, or nobody else (`none`)",
            ),
            told=telling.when(
                "vote_rule",
                {
                    "all": "More time and a pause need the votes of all.",
                    "none": "The master alone decides on more time and pauses.",
                },
            ),
        ),
    )
    # by which votes may extend a phase; None: its usual length, at most a week
    extension_hours: int | None = term(
        None,
        Term(
            kinds.NumberKind(
                "Votes may extend a phase by {least} to {most} hours; {value} is outside of that.",
                least=0,
                most=24 * 7,
                wrong="Write a whole number of hours, such as 24.",
                unit="h",
            ),
            label="Hours by which votes may extend a phase",
            hint="Left empty: as long as a phase usually lasts, at most a week. On more time those"
            " vote who owe orders.",
            group="votes",
            word=TermWord("extend=24", "hours by which votes may extend a phase"),
            told=telling.extension,
        ),
    )
    # days a year by which each player's absences may move deadlines; None: as usual for its rhythm
    absence_days: int | None = term(
        None,
        Term(
            kinds.NumberKind(
                "A match honours {least} to {most} days of absence a year; {value} is outside of"
                " that.",
                least=0,
                most=absences.MOST_DAYS,
                wrong="Write a whole number of days, such as 21.",
            ),
            sought=True,
            label="Days of absence honoured, a year for each player",
            hint="Deadlines move past the absences of those who owe orders. 0: none do. Left empty:"
            " 21, or none where phases are shorter than a day.",
            placeholder=str(absences.USUAL_DAYS),
            group="absence",
            word=TermWord(
                f"absence={absences.USUAL_DAYS}", "days of absence honoured, a year for each player"
            ),
            row=("Absences", telling.honoured),
            told=telling.unusual_absences,
        ),
    )
    # missed phases in a row that open a seat to a new player; 0: never. The doors offer
    # USUAL_MISSES
    misses: int = term(
        0,
        Term(
            kinds.NumberKind(
                "A seat may open after 1 to {most} missed phases in a row, or never with 0.",
                least=0,
                most=10,
                wrong="Write a whole number of phases, such as 2.",
                empty=USUAL_MISSES,
            ),
            label="Missed phases in a row after which a seat looks for a new player",
            hint="A phase is missed if nothing was handed in. 0: never. Left empty: 2. The player"
            " keeps the seat until somebody takes it.",
            placeholder=str(USUAL_MISSES),
            group="absence",
            word=TermWord(
                "misses=2",
                "missed phases in a row after which a seat looks for a new player; 0 is never",
            ),
            row=("Who hands in nothing", telling.missing),
        ),
    )
    # whether the first phase of a player who never handed in anything opens the seat at once
    first_miss: bool = term(
        False,
        Term(
            kinds.SwitchKind(),
            label="At once for who never came",
            hint="The seat of a player who never handed in anything looks for another after the"
            " first missed phase.",
            group="absence",
            word=TermWord("firstmiss", "one missed phase suffices for who never came"),
        ),
    )
    private: bool = term(  # whether only its people and the bearers of a link may see it
        False,
        Term(
            kinds.SwitchKind(),
            label="Private",
            hint="It is listed nowhere. Only its players, those whom you invite and those to whom"
            " you give its secret link can see it. After its end it stays so, unless all who took"
            " part open it.",
            group="joining",
            word=TermWord("private", "listed nowhere"),
            compared=False,
            copied=False,
            told=telling.when(
                "private",
                {True: "It is private: only its people and those who have its link can see it."},
            ),
        ),
    )
    rated: bool = term(  # whether it may count for ratings; see `creation._is_rated`
        True,
        Term(
            kinds.SwitchKind(inverted=True),
            label="Not rated",
            hint="It changes nobody’s rating. Private matches, matches with house bots and those in"
            " teams never do.",
            group="joining",
            field="unrated",
            word=TermWord("unrated", "it changes nobody’s rating"),
            compared=False,
            told=telling.when("rated", {True: "It is rated, if people alone play it."}),
        ),
    )
    bots: bool = term(  # whether house bots may take seats, now or later
        True,
        Term(
            kinds.SwitchKind(),
            label="House bots may take seats",
            hint="Without it the match is for people only, and nobody can fill it with bots later.",
            group="joining",
            word=TermWord("people", "house bots may take no seat"),
            compared=False,
        ),
    )
    least_reliability: int = term(  # percent that players need for an open seat
        0,
        Term(
            kinds.NumberKind(
                "A match may ask for {least} to {most} % of phases played; {value} is outside of"
                " that.",
                least=0,
                most=99,
                wrong="Write a whole number of percent, such as 90.",
                empty=0,
            ),
            sought=True,
            label="Least share of phases that players play, in percent",
            hint="For the open seats; those whom you invite are not asked. Beginners, who have had"
            " fewer than 20 phases, may join all the same.",
            placeholder="none",
            group="joining",
            word=TermWord(
                "reliability=90", "percent of phases that players of the open seats need"
            ),
            told=telling.asked,
        ),
    )
    beginners: bool = term(  # whether players with few phases may take one
        True,
        Term(
            kinds.SwitchKind(inverted=True),
            label="No beginners",
            hint="The open seats are for players who have had 20 phases to play.",
            group="joining",
            field="no_beginners",
            word=TermWord(
                "beginners=no", "the open seats are for players who have had 20 phases to play"
            ),
        ),
    )
    # whether anybody may take the remaining seats; nobody may in a private match
    open_seats: bool = term(
        True,
        Term(
            kinds.SwitchKind(),
            label="Open seats",
            hint="Anybody may take the seats that are left; the match shows on the home page.",
            field="open",
            word=TermWord("closed", "for those whom you invite: no seat is open to others"),
            compared=False,
        ),
    )
    skill: Skill = term(  # of the house bots that get seats  # noqa: RUF009 it is a field
        "sensible",
        Term(
            kinds.ChoiceKind(
                "House bots play in one of the ways sensible, greedy and random.", labels=WORDINGS
            ),
            label="How they play",
            word=TermWord(
                "skill=greedy",
                "house bots take the most they can get at once, or move at `random`; else they"
                " think ahead",
            ),
            compared=False,
            stored=False,
        ),
    )
    play: bool = term(  # whether the creator takes the first seat
        True,
        Term(
            kinds.SwitchKind(),
            word=TermWord("master", "you run the match and take no seat"),
            compared=False,
            stored=False,
        ),
    )
    # within which everybody confirms before the first phase; None: nobody is asked
    muster_minutes: int | None = term(
        None,
        Term(
            kinds.MinutesKind(
                "A muster may last from {least} minutes to 14 days.",
                least=SHORTEST_MUSTER,
                most=14 * 24 * 60,
                wrong="Choose within which time everybody confirms.",
                offered=(10, 60, 720, 1440, 2880, 10080),
                without="no, it begins when every seat is taken",
            ),
            label="Everybody confirms before the first phase",
            hint="Who does not confirm in time loses the seat to the waiting list.",
            group="starting",
            field="muster",
            word=TermWord(
                "muster",
                "everybody confirms before the first phase, within 48 hours; `muster=12h`: within"
                " these",
                alone={"muster_minutes": MUSTER_MINUTES},
            ),
            told=telling.muster,
        ),
    )
    # days within which the match has to fill; None: it waits without a limit
    expire_days: int | None = term(
        EXPIRE_DAYS,
        Term(
            kinds.NumberKind(
                "A match may wait for players for {least} to {most} days, or without a limit.",
                least=1,
                most=_MOST_EXPIRE_DAYS,
                wrong="Write a whole number of days, such as 30, or nothing.",
            ),
            label="Days to find players",
            hint="A match that is not full in its days expires, and everybody in it is told; left"
            " empty, it waits without a limit.",
            given=str(EXPIRE_DAYS),
            group="starting",
            word=TermWord("expire=30", "days to find players; `expire=none`: no limit"),
        ),
    )
    # None: the game's default; only games by preference have a choice
    seating: Seating | None = term(  # noqa: RUF009 it is a field
        None,
        Term(
            kinds.ChoiceKind(
                labels={
                    "preference": "is given as the match begins: by wishes, and by lot where they"
                    " meet",
                    "order": "goes by the order of joining",
                }
            ),
            label="Who plays what",
            group="seating",
            offered=goes_by_preference,
            word=TermWord("seating=order", "who plays what goes by the order of joining"),
            compared=False,
        ),
    )
    press: PressWish = term(  # the conditions of the match's press  # noqa: RUF009 it is a field
        NO_WISH,
        Term(
            kinds.SwitchKind(),
            label="No press in {phases}",
            hint="As in the rule book: players write to each other between the phases of moves.",
            group="press",
            field="press_rulebook",
            offered=has_both,
            word=TermWord("rulebook", "no press in the game’s short phases"),
        ),
        Term(
            kinds.SwitchKind(),
            label="All press is opened at the end",
            hint="Once the match has ended everybody can read what was written to single seats. Not"
            " with anonymous press.",
            group="press",
            field="press_opened",
            offered=has_press,
            word=TermWord("opened", "everybody can read all press after the end"),
        ),
        Term(
            kinds.SwitchKind(),
            label="I read all press",
            hint="For teachers: you do not play, and every page of the match says that you read it.",
            group="press",
            field="press_overseen",
            offered=has_press,
            word=TermWord(
                "overseen", "you read all press, and take no seat", alone={"play": False}
            ),
            copied=False,
        ),
    )


TERMS = declared_terms(Terms)
