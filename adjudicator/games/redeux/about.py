"""What RPS Redeux is, apart from its rules: what a list, a form and a reader of letters have to
know of it.
"""

from adjudicator.core.game import About, OrderWords
from adjudicator.core.options import Option, Preset, number_option

ORDER_WORDS = OrderWords(
    first=("rock", "paper", "scissors", "play", "show", "risk"),
    alone=("rock", "paper", "scissors"),
    forms=(r"[rps](?:\s\d{1,3})?\W?",),
)

ABOUT = About(
    key="redeux",
    title="RPS Redeux",
    summary=(
        "Two players show a card each out of hidden hands: rock, paper or scissors, three rounds"
        " for 5 points each. Who dares goes on to the Risk Rounds, where points are bet on every"
        " card until somebody has 100."
    ),
    aim=(
        "The aim: the higher score after the rounds of the Primary game or, if the Risk Rounds"
        " follow, to reach their target first."
    ),
    rules_version=1,
    seats={2: ("1", "2")},
    minutes=5,
    waits_for_forced=True,  # otherwise everybody would see that a hand has one type (README G7)
    options=(
        Option(
            name="rounds",
            title="Rounds of the Primary game",
            default=3,
            values=(1, 3, 5),
            labels=("one", "three", "five"),
        ),
        Option(
            name="risk",
            title="The Risk Rounds",
            default="ask",
            values=("ask", "always", "never"),
            labels=("both are asked after the Primary game", "always follow", "never follow"),
        ),
        number_option("target", "Points that win the Risk Rounds", 100, range(50, 501, 5)),
        number_option(
            "tie_limit",
            "Ties in a row after which chance names the winner",
            9,
            range(1, 51),
            zero="no limit",
        ),
        number_option(
            "risk_limit",
            "Picks of the Risk Rounds after which the higher score wins",
            60,
            range(1, 501),
            zero="no limit",
        ),
    ),
    presets=(
        Preset(
            "short",
            "The Primary game alone",
            {"risk": "never"},
            "Three rounds, ties done again; over in a few letters.",
        ),
        Preset(
            "full",
            "With the Risk Rounds",
            {"risk": "always"},
            "Nobody is asked: the bets follow in any case.",
        ),
    ),
    order_words=ORDER_WORDS,
)
