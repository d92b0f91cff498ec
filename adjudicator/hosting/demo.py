"""What `sealed serve --demo` adds: players, house bots and matches in different stages, with short
deadlines.
"""

from adjudicator.platform.config import Settings
from adjudicator.platform.db import Database
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.views import match_list

PLAYERS = ("Ada", "Bertha", "Carlo")
SECONDS = 20  # a demonstration's round


def fill(settings: Settings) -> None:
    """Add what the demonstration lacks: its players the first time, and each of its matches unless
    one of that name goes on.
    """
    database = Database(settings.database_url)
    now = database.now()
    with database.write_tx() as session:
        ada, bertha, _carlo = (
            accounts.add_demo(session, name, _address(name), now=now) for name in PLAYERS
        )
    with database.read_tx() as session:
        going_on = {
            card.name
            for player in (ada, bertha)
            for card in match_list.match_cards(session, player)
            if card.status != "ended"
        }
    for wish, master in _wishes(ada, bertha):
        if wish.name not in going_on:
            creation.make_match(database, master, wish, now=now)


def _address(name: str) -> str:
    return f"{name.lower()}@demo.example"


def _wishes(ada: int, bertha: int) -> list[tuple[Wish, int]]:
    quick = {"every_seconds": SECONDS, "grace_minutes": 0}
    return [
        (Wish("pyramid", "The quick table", {}, house=2, **quick), ada),  # type: ignore[arg-type]  # plain keywords
        (Wish("pyramid", "Red on the table", {"red": True}, house=3, play=False, **quick), bertha),  # type: ignore[arg-type]
        (Wish("phoenix", "Birds over the grid", {}, house=3, every_hours=1), ada),
        (Wish("genesis", "Anubis and Bastet", {}, house=1, every_hours=1), bertha),
        (Wish("diplomacy", "The concert of Europe", {}, house=6, every_hours=1), ada),
        (
            Wish(
                "rsp-diplomacy", "Three glyphs over Europe", {}, players=4, house=3, every_hours=1
            ),
            bertha,
        ),
        (Wish("redeux", "Cards and bets", {"risk": "always"}, house=1, every_hours=1), bertha),
        (Wish("pyramid", "Everything is kept", {"take": "all"}, house=2, every_hours=1), bertha),
        (Wish("pyramid", "A seat is free", {}, every_hours=24, house=1), ada),
        (
            Wish(
                "pyramid",
                "Waiting for Carlo",
                {},
                every_hours=48,
                invited=(_address("Carlo"),),
                house=1,
            ),
            bertha,
        ),
    ]
