"""What RPS Phoenix is, apart from its rules: what a list, a form and a reader of letters have to
know of it.
"""

from adjudicator.core.game import About, OrderWords
from adjudicator.core.options import Option, Preset, number_option, switch_option

_FIRST = "roll throw stay pass hold move place phoenix rock paper scissors"
ORDER_WORDS = OrderWords(
    first=tuple(_FIRST.split()),
    alone=("rock", "paper", "scissors", "pass"),
    forms=(r"\w{1,12}\s+(?:\d,\d|[NS]?[EW])\b.{0,40}",),
)

COLOURS = ("Red", "Blue", "Pink", "Green")  # clockwise; ruling R16

ABOUT = About(
    key="phoenix",
    title="RPS Phoenix",
    summary=(
        "Two to four players move Rock, Paper and Scissors over a grid, by dice or diagonally;"
        " Birds that meet at a corner fight it out. Doubles bring a Bird back from the Ashes, and"
        " after 27 turns each the Escalation lets nobody hide."
    ),
    aim=(
        "The aim: to have the last Birds on the grid or, if the turns run out first, the highest"
        " score; in a give-away, to lose all."
    ),
    rules_version=2,
    seats={2: COLOURS[:2], 3: COLOURS[:3], 4: COLOURS},
    palette=COLOURS,
    palette_since=2,
    minutes=15,
    options=(
        number_option(
            "escalation",
            "When the Escalation begins",
            27,
            range(1, 201),
            hint="After so many turns of each seat, but not before the opening is over.",
        ),
        number_option(
            "turn_limit",
            "When the match ends at the latest",
            60,
            range(1, 201),
            zero="no limit",
            hint="After so many turns of each seat the highest score wins.",
        ),
        Option(
            name="team",
            title="Teams",
            default=False,
            values=(False, True),
            labels=("everybody for themselves", "Red and Pink against Blue and Green"),
            hint=(
                "Partners’ Birds never interact and block like one’s own; their points add up."
                " Partners find each other by wishing: for Red and Pink, or for Blue and Green."
            ),
            only_for=(4,),
        ),
        switch_option(
            "give-away",
            "Give-away",
            "Whoever first has all Birds in the Ashes wins; on doubles a Bird has to rise.",
        ),
        switch_option(
            "casino",
            "Casino",
            "A chip goes into the pot for every Bird eliminated; the winner takes the pot. It never"
            " changes the score.",
        ),
    ),
    presets=(
        Preset(
            "short",
            "A short match",
            {"escalation": 9, "turn_limit": 30},
            "Escalation after 9 turns each, the end after 30.",
        ),
    ),
    seating="preference",
    draws="vote",
    shared_options=("team",),
    order_words=ORDER_WORDS,
)
