"""The options of a match, and the powers of each seat (R5, R6)."""

from collections.abc import Collection

from adjudicator.core.game import Seat
from adjudicator.core.options import Option, Options, Preset, number_option, switch_option

SEATS: dict[int, tuple[Seat, ...]] = {
    2: ("ENGLAND", "GERMANY"),
    3: ("ENGLAND", "FRANCE", "RUSSIA"),
    4: ("ENGLAND", "FRANCE", "GERMANY", "RUSSIA"),
    5: ("AUSTRIA", "ENGLAND", "FRANCE", "RUSSIA", "TURKEY"),
    6: ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY"),
    7: ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"),
}
"""The seats for each number of players; a seat is named after its first power."""

ALLIES: dict[int, dict[Seat, tuple[str, ...]]] = {
    2: {"ENGLAND": ("FRANCE", "RUSSIA"), "GERMANY": ("AUSTRIA", "TURKEY")},
    3: {"ENGLAND": ("GERMANY", "AUSTRIA"), "FRANCE": ("TURKEY",), "RUSSIA": ("ITALY",)},
    4: {"FRANCE": ("AUSTRIA",), "GERMANY": ("TURKEY",), "RUSSIA": ("ITALY",)},
}
"""The additional powers of a seat if there are fewer than five players, as in the rule book (option
`powers`).
"""

VICTORY_CENTRES = 18  # as on the map
AUTO = "auto"
HOUSE_YEAR = 1925  # the default last year of a match that begins with a house bot (R11)
EDITION = {"2023": "2023", "1976": "1976", "via": "2023, convoys to a neighbour only if written"}
SHORT = Preset(
    "short", "A short match", {"year_limit": 1908}, "After Fall 1908 the most supply centres win."
)
QUIET = Preset(
    "quiet", "Without press", {"press": "none"}, "Nobody writes to anybody through the match."
)
CLASSIC = Preset(
    "classic",
    "By the rules of 1976",
    {"edition": "1976"},
    "A convoy with several routes fails if any of its fleets is lost.",
)


_PRESS = Option(
    "press",
    "Press between players",
    "private",
    ("none", "public", "private", "anonymous-private"),
    (
        "none",
        "public: to everybody only",
        "private: to whom one likes",
        "private, and nobody is told who wrote",
    ),
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
    (
        "open: everybody is told who agrees",
        "secret: only that a draw is proposed, and later that it passed",
    ),
    "With secret votes everybody's orders stay closed until the end; the report tells what the"
    " units did.",
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
    victory, last = (
        "After a Fall, and more than anybody else has.",
        "After its Fall the most supply centres win; equal ones share.",
    )
    return (
        Option(
            "edition",
            "Edition of the rules",
            edition,
            tuple(EDITION),
            tuple(EDITION.values()),
            differ,
        ),
        number_option(
            "victory_centres",
            "Supply centres that win",
            VICTORY_CENTRES,
            range(1, 35),
            hint=victory,
        ),
        number_option(
            "year_limit",
            "The last year",
            AUTO,
            range(1901, 1951),
            zero="no limit",
            auto=by_house,
            hint=last,
        ),
        _PRESS,
        _DRAWS,
        _VOTES,
        switch_option(
            "anonymous",
            "Anonymous players",
            "Nobody sees who plays which power until the match has ended.",
        ),
        switch_option(
            "build_anywhere",
            "Builds anywhere",
            "In any empty own supply centre, not only in those of one’s home.",
        ),
        _POWERS,
        _UNPLAYED,
    )


def settle_options(chosen: Options, house: Collection[Seat]) -> Options:
    """Return the options at the start of a match: the last year `auto` is 1925 if a house bot
    plays, else none (R11).
    """
    return (
        {**chosen, "year_limit": HOUSE_YEAR if house else 0}
        if chosen.get("year_limit") == AUTO
        else chosen
    )


def powers_by_seat(seats: tuple[Seat, ...], chosen: Options) -> dict[Seat, tuple[str, ...]]:
    """Return the powers of each seat, the one that names it first: those of the rule book, if it
    knows such seats, or one each (R5).
    """
    by_book = chosen["powers"] == "rulebook" and seats == SEATS.get(len(seats))
    allies = ALLIES.get(len(seats), {}) if by_book else {}
    return {seat: (seat, *allies.get(seat, ())) for seat in seats}
