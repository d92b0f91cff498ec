"""A seat that owes no orders now plans its next turn on the site (ruling G5); games in which all
seats act at once offer no plan.
"""

from dataclasses import dataclass

import pytest

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, MALLORY
from tests.web.site import Site, page_text

BOX = 'id="ahead"'


@dataclass(frozen=True)
class Turn:
    """A match of Phoenix of Alice and Bob before its first throw; chance decided who begins."""

    uid: str
    begins: str
    waits: str

    @property
    def orders(self) -> str:
        """Return the address that orders are sent to."""
        return f"/matches/{self.uid}/orders"


def phoenix(site: Site) -> Turn:
    """Have Alice and Bob begin a match of Phoenix."""
    uid = site.harness.match(ALICE, BOB, wish=Wish("phoenix", "Two Birds", {}, players=2))
    return Turn(uid, ALICE, BOB) if site.harness.page(uid, ALICE).owed else Turn(uid, BOB, ALICE)


def test_who_owes_nothing_is_offered_a_plan_and_nobody_else_is(small_site: Site) -> None:
    turn = phoenix(small_site)
    pages = {
        name: small_site.visitor(name).get(f"/matches/{turn.uid}").text
        for name in (ALICE, BOB, MALLORY)
    }
    assert (
        BOX in pages[turn.waits]
        and "You owe nothing now" in pages[turn.waits]
        and "Plan ahead" in pages[turn.waits]
    )
    assert BOX not in pages[turn.begins] and BOX not in pages[MALLORY]


def test_in_a_game_where_all_are_due_at_once_no_such_box_is_shown(small_site: Site) -> None:
    uid = small_site.begin_match()
    assert BOX not in small_site.visitor(ALICE).get(f"/matches/{uid}").text


def test_a_plan_is_receipted_and_shown_to_its_seat_alone(site: Site) -> None:
    turn = phoenix(site)
    planner = site.visitor(turn.waits)
    answer = planner.post(
        turn.orders, {"phase": "1", "text": "place rock OR place paper\nTHEN\nroll"}
    )
    assert "Sealed: your plan" in page_text(
        answer
    ) and "Your next turn place rock OR place paper Then roll" in page_text(answer)
    assert (
        "Change your plan" in page_text(answer)
        and ">place rock OR place paper\nTHEN\nroll</textarea>" in answer.text
    )
    assert "You have a plan sealed since" in page_text(planner.get(f"/matches/{turn.uid}"))
    shown = planner.post(f"/matches/{turn.uid}/sealed")
    assert "Your next turn place rock OR place paper Then roll" in page_text(shown)
    assert (
        ">place rock OR place paper\nTHEN\nroll</textarea>" in shown.text
        and "data-sealed" in shown.text
    )
    assert "place rock OR" not in site.visitor(turn.begins).get(f"/matches/{turn.uid}").text


def test_what_nobody_could_understand_is_refused_and_kept_in_the_box(site: Site) -> None:
    turn = phoenix(site)
    planner = site.visitor(turn.waits)
    answer = planner.post(turn.orders, {"phase": "1", "text": "fly south"})
    assert "Not taken" in page_text(answer) and ">fly south</textarea>" in answer.text
    assert "You have a plan sealed" not in page_text(planner.get(f"/matches/{turn.uid}"))


def test_a_plan_for_a_phase_that_is_over_says_so_and_is_kept(small_site: Site) -> None:
    turn = phoenix(small_site)
    small_site.harness.round(turn.uid, [(turn.begins, "place rock")])
    answer = small_site.visitor(turn.waits).post(turn.orders, {"phase": "1", "text": "place paper"})
    assert "These orders were for another phase" in page_text(
        answer
    ) and ": place paper" in page_text(answer)


@pytest.mark.parametrize("text", ["", "place scissors"])
def test_a_plan_is_replaced_whole_and_an_empty_one_clears_it(small_site: Site, text: str) -> None:
    turn = phoenix(small_site)
    planner = small_site.visitor(turn.waits)
    for each in ("place rock THEN place paper", text):
        planner.post(turn.orders, {"phase": "1", "text": each})
    shown = page_text(planner.post(f"/matches/{turn.uid}/sealed"))
    assert f"Your next turn {text or 'no orders'}" in shown and "place paper" not in shown
