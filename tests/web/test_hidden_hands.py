"""Hidden hands on the site: the pages of RPS Redeux do not change with cards that their viewer may
not know.
"""

import random
from dataclasses import replace
from typing import Any

import pytest
import time_machine
from sqlmodel import col, select

from adjudicator import catalogue
from adjudicator.core.game import Event, Seat
from adjudicator.games.kit.glyphs import KINDS
from adjudicator.games.redeux.state import Drew
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import dump_events, dump_state, load_events, load_state
from adjudicator.service.base.tables import PhaseRow
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE
from tests.games.redeux.secrets import scramble
from tests.web.site import Site, without_tokens

REDEUX = catalogue.game("redeux")
PATHS = (
    "",
    "/history",
    "/about",
    "/receipts",
    "/news",
    "/transcript.json",
    *(f"/phases/{number}" for number in range(5)),
)


def in_the_risk_rounds(site: Site) -> str:
    """Have Alice and Bob play a match that is four picks of the Risk Rounds old but for one, each
    with what it holds of anything.
    """
    options = {"risk": "always", "rounds": 1, "target": 500}
    uid = site.harness.match(ALICE, BOB, wish=Wish("redeux", "Hidden hands", options))
    for picks in (
        ("rock", "scissors"),
        ("paper bet 5", "paper"),
        ("rock", "scissors"),
        ("scissors bet 5", "scissors"),
    ):
        site.harness.round(uid, zip((ALICE, BOB), picks, strict=True))
    return uid


def deal_otherwise(site: Site, uid: str, reader: Seat | None) -> None:
    """Replace the cards that `reader` may not know in all stored rows of the match, which the
    service never does with closed phases.
    """
    site.app.extensions["kept_pages"].pages.clear()
    dice = random.Random(1)
    with site.harness.database.write_tx() as session:
        match = by_uid(session, uid)
        for row in session.exec(
            select(PhaseRow).where(PhaseRow.match_id == match.id).order_by(col(PhaseRow.number))
        ):
            row.before, row.after = (
                other_cards(plain, reader, dice) for plain in (row.before, row.after)
            )
            row.events = dump_events(
                REDEUX, tuple(other_draw(event, reader) for event in load_events(REDEUX, row))
            )
            row.draws = [draw for draw in row.draws or [] if draw[0] == "public"]
            session.add(row)


def other_cards(plain: Any, reader: Seat | None, dice: random.Random) -> Any:
    return plain and dump_state(REDEUX, scramble(load_state(REDEUX, plain), reader, dice))


def other_draw(event: Event, reader: Seat | None) -> Event:
    if not isinstance(event, Drew) or event.seat == reader:
        return event
    return replace(event, card=KINDS[KINDS.index(event.card) - 1])


@pytest.mark.parametrize(("name", "seat"), [(BOB, "2"), (CHARLIE, None), (None, None)])
def test_no_page_changes_by_a_byte_when_the_cards_its_reader_may_not_know_are_others(
    small_site: Site, name: str | None, seat: Seat | None
) -> None:
    with time_machine.travel(small_site.harness.now, tick=False):
        uid = in_the_risk_rounds(small_site)
        visitor, alice = small_site.visitor(name), small_site.visitor(ALICE)
        first, own = (seen(each, uid) for each in (visitor, alice))
        assert "You drew" in own[-1] and ("You drew" in first[-1]) == (name == BOB)
        deal_otherwise(small_site, uid, seat)
        assert seen(visitor, uid) == first
        assert seen(alice, uid) != own


def test_a_letter_tells_its_reader_what_that_seat_drew_and_nobody_else(small_site: Site) -> None:
    in_the_risk_rounds(small_site)
    letters = small_site.letters("report")
    for seat, other in (("1", "2"), ("2", "1")):
        told = [
            line
            for letter in letters
            if letter["seat"] == seat
            for section in letter["sections"]
            for line in section["lines"]
        ]
        assert sum(line.startswith("You drew ") for line in told) == 3
        assert not any(line.startswith(f"Seat {other} drew ") for line in told)


def seen(visitor: Any, uid: str) -> list[str]:
    visitor.get("/")
    return [without_tokens(visitor.get(f"/matches/{uid}{path}").text) for path in PATHS]
