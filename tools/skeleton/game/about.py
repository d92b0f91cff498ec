"""What Skeleton is, apart from its rules: what a list, a form and a reader of letters have to know
of it.
"""

from adjudicator.core.game import About, OrderWords
from adjudicator.core.options import number_option

ABOUT = About(
    key="skeleton",
    title="Skeleton",
    summary=(
        "Two players hold the same cards and play them one by one, both at once. The higher card"
        " takes a point."
    ),
    rules_version=1,
    seats={2: ("1", "2")},
    options=(number_option("cards", "Cards in each hand", 5, range(3, 10)),),
    order_words=OrderWords(first=("play",), forms=(r"(?:play\s+)?\d",)),
)
