"""What Rock Paper Pyramid is, apart from its rules: what a list, a form and a reader of letters
have to know of it.
"""

from adjudicator.core.game import About, OrderWords
from adjudicator.core.options import Option, switch_option

ORDER_WORDS = OrderWords(
    first=("black", "white", "crystal", "red", "large", "medium", "small", "play", "show"),
    alone=("red",),
    forms=(r"(?:(?:play|show)\s+)?[bwcr][\s/-]?[123lms]\b.{0,40}",),
    parts=(r"[bwcr123](?:\s\d{1,3})?\W?",),
)

ABOUT = About(
    key="pyramid",
    title="Rock Paper Pyramid",
    summary=(
        "Three players show one hidden pyramid each, round after round; colour and size decide"
        " which captures which. Every piece is played once, so what the others have left is half of"
        " what they will do."
    ),
    aim="The aim: to keep pieces with more pips than anybody else after the last round.",
    rules_version=2,
    seats={3: ("1", "2", "3")},
    minutes=5,
    options=(
        Option(
            name="take",
            title="What the taker keeps",
            default="captured",
            values=("captured", "all"),
            labels=("the captured pieces", "the captured pieces and its own"),
        ),
        switch_option(
            "red",
            "The red stack",
            "Each seat is dealt one red piece, its size hidden, which captures every other colour;"
            " the match lasts ten rounds.",
        ),
    ),
    order_words=ORDER_WORDS,
)
