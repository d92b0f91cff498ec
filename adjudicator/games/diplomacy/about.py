"""What both Diplomacies are, apart from their rules: what a list, a form and a reader of letters
have to know of them.
"""

from dataclasses import replace

from adjudicator.core.game import About, OrderWords
from adjudicator.games.diplomacy.model.options import (
    CLASSIC,
    QUIET,
    SEATS,
    SHORT,
    options_of,
    powers_by_seat,
)

ORDER_WORDS = OrderWords(
    first=("hold", "build", "remove", "disband", "waive", "draw", "rock", "paper", "scissors"),
    forms=(
        r"(?:(?:rock|paper|scissors|r:|p:|s:|build|b)\s+)?(?:[AF]|army|fleet)\s+\w{3,}.{0,100}",
        r"(?-i:(?:[AF]\s+)?[A-Za-z]{3}(?:[/(]\w\w\)?)?\s?(?:-|->|[→\uf0e0èàー])\s?[A-Za-z]{3}(?:[/(]\w\w\)?)?)",
        rf"(?:{'|'.join(SEATS[7])}) waive",
        r"no draw",
    ),
)

ABOUT = About(
    key="diplomacy",
    title="Diplomacy",
    summary=(
        "Seven powers of 1901 struggle for the supply centres of Europe; all armies and fleets move"
        " at once, and only support breaks ties. Nobody wins alone for long, so what is agreed"
        " between the moves counts as much as the moves."
    ),
    aim=(
        "The aim: to own as many supply centres after a Fall as win the match, and more than"
        " anybody else."
    ),
    rules_version=2,
    seats=SEATS,
    minutes=90,
    options=options_of("2023"),
    presets=(SHORT, QUIET, CLASSIC),
    ready="said",
    seating="preference",
    short_phases="retreats and builds",
    concede="CONCEDE",
    draws="orders",
    plays=powers_by_seat,
    centres=True,
    order_words=ORDER_WORDS,
)

RSP_ABOUT = replace(
    ABOUT,
    key="rsp-diplomacy",
    title="Rock, Scissors, Paper Diplomacy",
    summary=(
        "Diplomacy in which nothing supports anything: every army and fleet is secretly a Rock,"
        " Scissors or Paper, and that alone decides who enters a province. Conflicts bring to light"
        " what a unit is, and its owner may change it with every order."
    ),
    options=options_of("1976"),
    presets=(SHORT, QUIET),
    opens_orders=False,
)
