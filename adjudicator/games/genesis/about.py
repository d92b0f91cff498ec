"""What Genesis is, apart from its rules: what a list, a form and a reader of letters have to know
of it.
"""

from adjudicator.core.game import About, OrderWords
from adjudicator.core.options import Preset, number_option

_FIRST = (
    "anubis bastet pyramid throw roll rebirth leap deed birth pass move place анубис бастет"
    " пирамида бросок деяние пас"
)
ORDER_WORDS = OrderWords(
    first=tuple(_FIRST.split()),
    alone=("pass",),
    forms=(r"\w{1,12}\s+[a-h]\d(?:-[a-h]\d)?\b.{0,40}",),
)

ABOUT = About(
    key="genesis",
    title="Genesis",
    summary=(
        "Two players bring ideas into a small World, turn them into deeds and build the tombs of"
        " their Anubis and Bastet. It is a game of creation and coexistence: one can fail to win"
        " and still not lose."
    ),
    aim=(
        "The aim: to bury your Anubis and Bastet and complete their tombs, and to have more deeds"
        " than the other player in the end."
    ),
    rules_version=2,
    seats={2: ("1", "2")},
    minutes=20,
    bots=(
        "In Genesis bots that think ahead are no stronger than those that take the most they can"
        " get at once."
    ),
    options=(
        number_option(
            "ideas",
            "Ideas outside the World",
            10,
            range(8, 25),
            hint="The stones of the common supply at the start.",
        ),
        number_option(
            "turn_limit",
            "Turns of each seat",
            75,
            range(1, 301),
            zero="no limit",
            hint="After twice as many turns in all, each seat is judged as it stands.",
        ),
    ),
    presets=(
        Preset(
            "short",
            "A short match",
            {"ideas": 8, "turn_limit": 60},
            "8 ideas, at most 60 turns a seat.",
        ),
    ),
    languages=("en", "ru"),
    other_titles=("Генезис",),
    draws="vote",
    order_words=ORDER_WORDS,
)
