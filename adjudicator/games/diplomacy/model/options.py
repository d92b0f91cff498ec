"""The options of a match, the powers of each seat (R5, R6), and the opening position."""

from collections.abc import Collection
from typing import Literal

from adjudicator.core.game import Seat
from adjudicator.core.options import Option, Options, Preset, number_option, switch_option
from adjudicator.games.diplomacy.map.geography import STANDARD, Power
from adjudicator.games.diplomacy.model.calendar import OPENING
from adjudicator.games.diplomacy.model.state import Realm, RuleSet, Setup, State

SEATS: dict[int, tuple[Seat, ...]] = {
    2: ("ENGLAND", "GERMANY"),
    3: ("ENGLAND", "FRANCE", "RUSSIA"),
    4: ("ENGLAND", "FRANCE", "GERMANY", "RUSSIA"),
    5: ("AUSTRIA", "ENGLAND", "FRANCE", "RUSSIA", "TURKEY"),
    6: ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY"),
    7: STANDARD.powers,
}
"""The seats for each number of players; a seat is named after its first power."""

ALLIES: dict[int, dict[Seat, tuple[Power, ...]]] = {
    2: {"ENGLAND": ("FRANCE", "RUSSIA"), "GERMANY": ("AUSTRIA", "TURKEY")},
    3: {"ENGLAND": ("GERMANY", "AUSTRIA"), "FRANCE": ("TURKEY",), "RUSSIA": ("ITALY",)},
    4: {"FRANCE": ("AUSTRIA",), "GERMANY": ("TURKEY",), "RUSSIA": ("ITALY",)},
}
"""The additional powers of a seat if there are fewer than five players, as in the rule book (option `powers`)."""

AUTO = "auto"
HOUSE_YEAR = 1925  # the default last year of a match that begins with a house bot (R11)
EDITION = {"2023": "2023", "1976": "1976", "via": "2023, convoys to a neighbour only if written"}
SHORT = Preset("short", "A short match", {"year_limit": 1908}, "After Fall 1908 the most supply centres win.")
QUIET = Preset("quiet", "Without press", {"press": "none"}, "Nobody writes to anybody through the match.")
CLASSIC = Preset("classic", "By the rules of 1976", {"edition": "1976"}, "A convoy with several routes fails if any of its fleets is lost.")


_PRESS = Option(
    "press",
    "Press between players",
    "private",
    ("none", "public", "private", "anonymous-private"),
    ("none", "public: to everybody only", "private: to whom one likes", "private, and nobody is told who wrote"),
    "What players write to each other through the match, by letter and on the site.",
)
_DRAWS = Option(
    "draws",
    "Who shares a draw",
    "all",
    ("all", "named"),
    ("all survivors", "those that a proposal names"),
    "A draw takes all survivors who have a unit, in either case.",
)
_VOTES = Option(
    "votes",
    "Votes on a draw",
    "open",
    ("open", "secret"),
    ("open: everybody is told who agrees", "secret: only that a draw is proposed, and later that it passed"),
    "With secret votes everybody's orders stay closed until the end; the report tells what the units did.",
)
_POWERS = Option(
    "powers",
    "With fewer than seven players",
    "rulebook",
    ("rulebook", "one"),
    ("some play several powers", "each plays one power"),
    only_for=tuple(ALLIES),
)
_UNPLAYED = Option(
    "unplayed",
    "Powers that nobody plays",
    "disorder",
    ("disorder", "absent"),
    ("hold where they are", "are not there, their supply centres are free"),
    only_for=(2, 3, 4, 5, 6),
)


def options_of(edition: str) -> tuple[Option, ...]:
    """Return the options of a rule set whose default edition is `edition`."""
    differ = "They differ in convoys, retreats and civil disorder."
    by_house = f"{HOUSE_YEAR} where a house bot plays, else no limit"
    victory, last = "After a Fall, and more than anybody else has.", "After its Fall the most supply centres win; equal ones share."
    return (
        Option("edition", "Edition of the rules", edition, tuple(EDITION), tuple(EDITION.values()), differ),
        number_option("victory_centres", "Supply centres that win", STANDARD.victory_centres, range(1, 35), hint=victory),
        number_option("year_limit", "The last year", AUTO, range(1901, 1951), zero="no limit", auto=by_house, hint=last),
        _PRESS,
        _DRAWS,
        _VOTES,
        switch_option("anonymous", "Anonymous players", "Nobody sees who plays which power until the match has ended."),
        switch_option("build_anywhere", "Builds anywhere", "In any empty own supply centre, not only in those of one’s home."),
        _POWERS,
        _UNPLAYED,
    )


def settle_options(chosen: Options, house: Collection[Seat]) -> Options:
    """Return the options at the start of a match: the last year `auto` is 1925 if a house bot plays, else none (R11)."""
    return {**chosen, "year_limit": HOUSE_YEAR if house else 0} if chosen.get("year_limit") == AUTO else chosen


def realms_of(seats: tuple[Seat, ...], powers: str) -> tuple[Realm, ...]:
    """Return the powers of each seat: those of the rule book if `powers` is `rulebook` and `seats` are in `SEATS`, else one (R5)."""
    allies = ALLIES.get(len(seats), {}) if powers == "rulebook" and seats == SEATS.get(len(seats)) else {}
    return tuple(Realm(seat, (seat, *allies.get(seat, ()))) for seat in seats)


def powers_by_seat(seats: tuple[Seat, ...], chosen: Options) -> dict[Seat, tuple[Power, ...]]:
    """Return the powers of each seat, the one that names it first (R5)."""
    return {realm.seat: realm.powers for realm in realms_of(seats, str(chosen["powers"]))}


def opening_state(rule_set: RuleSet, seats: tuple[Seat, ...], chosen: Options) -> State:
    """Return Spring 1901; unplayed powers are in civil disorder, or absent with neutral centres (R5)."""
    setup = _setup(rule_set, chosen)
    sides = realms_of(seats, str(chosen["powers"]))
    played = {power for realm in sides for power in realm.powers}
    there = [power for power in STANDARD.powers if power in played or setup.unplayed == "disorder"]
    return State(
        setup=setup,
        realms=sides,
        phase=OPENING,
        units={power: STANDARD.opening[power] for power in there},
        centres={power: STANDARD.homes[power] for power in there},
        taken=int(OPENING[1:5]) - 1,
    )


def _setup(rule_set: RuleSet, chosen: Options) -> Setup:
    unplayed: Literal["disorder", "absent"] = "absent" if chosen["unplayed"] == "absent" else "disorder"
    return Setup(
        rule_set=rule_set,
        edition=str(chosen["edition"]),
        victory_centres=int(chosen["victory_centres"]),
        year_limit=0 if chosen["year_limit"] == AUTO else int(chosen["year_limit"]),
        build_anywhere=bool(chosen["build_anywhere"]),
        unplayed=unplayed,
        draws="named" if chosen["draws"] == "named" else "all",
        votes="secret" if chosen.get("votes") == "secret" else "open",
    )
