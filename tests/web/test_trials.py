"""Trials on the site: any position of a match, a blank board, and a dry run of the form's orders."""

import pytest

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.games.sample_game import offer
from tests.web.site import Site, page_text


@pytest.fixture(autouse=True)
def stairs(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch)


@pytest.fixture
def uid(small_site: Site) -> str:
    """A match in its second turn, in which Bob owes orders."""
    harness = small_site.harness
    harness.player(ALICE), harness.player(BOB)
    uid = harness.match(ALICE, BOB, wish=Wish("stairs", "Stairs", {}))
    harness.round(uid, [(ALICE, "up 2")])
    return uid


def test_anybody_who_may_see_a_position_may_try_orders_on_it(small_site: Site, uid: str) -> None:
    for visitor in (small_site.visitor(), small_site.visitor(ALICE)):
        assert "Turn 2, tried out" in page_text(visitor.get(f"/matches/{uid}/phases/2/try"))
        page = visitor.post(f"/matches/{uid}/phases/2/try", {"text": "B up 3\nA up 1"})
        assert "B climbed 3. A climbed 1." in page_text(page) and "A 3, B 3" in page_text(page)
        assert page.headers["X-Robots-Tag"] == "noindex" and 'content="noindex"' in page.text


def test_what_was_typed_stays_in_the_box_whatever_it_is(small_site: Site, uid: str) -> None:
    text = "</textarea><script>alert(1)</script>\nB up 1"
    page = small_site.visitor().post(f"/matches/{uid}/phases/2/try", {"text": text})
    assert page.status_code == 200 and "<script>alert" not in page.text and "&lt;/textarea&gt;" in page.text
    assert "was not tried. Write A up 1. Did you mean: A up 1" in page_text(page) and "B climbed 1." in page_text(page)


def test_a_click_mends_a_refused_line_and_tries_again(small_site: Site, uid: str) -> None:
    page = small_site.visitor().post(f"/matches/{uid}/phases/2/try", {"text": "rubbish\nB up 1"})
    assert 'name="text" value="A up 1\nB up 1"' in page.text


def test_too_much_text_and_none_are_answered_with_a_sentence(small_site: Site, uid: str) -> None:
    visitor, path = small_site.visitor(), f"/matches/{uid}/phases/2/try"
    long = visitor.post(path, {"text": "x" * 30_000})
    assert long.status_code == 413 and "20000 characters at most" in page_text(long)
    assert "nothing to try" in page_text(visitor.post(path, {"text": " \n"}))


def test_a_trial_needs_the_hidden_token_of_its_form(small_site: Site, uid: str) -> None:
    assert small_site.visitor().client.post(f"/matches/{uid}/phases/2/try", data={"text": "A up 1"}).status_code == 400


def test_a_closed_phase_begins_with_the_orders_that_were_opened(small_site: Site, uid: str) -> None:
    page = small_site.visitor().get(f"/matches/{uid}/phases/1/try")
    assert "A: up 2</textarea" in " ".join(page.text.split()) and "What happened in Turn 1" in page_text(page)


def test_a_blank_board_can_be_tried_without_any_match(small_site: Site) -> None:
    visitor = small_site.visitor()
    assert "a board to try orders on" in page_text(visitor.get("/games/stairs/try"))
    assert "A climbed 3." in page_text(visitor.post("/games/stairs/try", {"text": "A up 3"}))
    assert visitor.get("/games/chess/try").status_code == 404 and visitor.get("/games/pyramid/try").status_code == 404


def test_pages_lead_to_trials_only_in_games_that_have_them(small_site: Site, uid: str) -> None:
    visitor = small_site.visitor()
    assert f'href="/matches/{uid}/phases/2/try"' in visitor.get(f"/matches/{uid}").text
    assert f'href="/matches/{uid}/phases/1/try"' in visitor.get(f"/matches/{uid}/phases/1").text
    other = small_site.begin_match()
    assert "/try" not in visitor.get(f"/matches/{other}").text and "/try" not in visitor.get("/rules/pyramid").text
    assert visitor.get(f"/matches/{other}/phases/1/try").status_code == 404


def test_the_form_has_a_dry_run_that_seals_nothing(small_site: Site, uid: str) -> None:
    bob = small_site.visitor(BOB)
    assert f'formaction="/matches/{uid}/phases/2/try" formnovalidate' in bob.get(f"/matches/{uid}").text
    page = bob.post(f"/matches/{uid}/phases/2/try", {"phase": "2", "slot-steps": "B up 2", "plan": "up 1"})
    assert "B climbed 2." in page_text(page) and "before THEN" in page_text(page)
    assert "You owe orders for Turn 2" in page_text(bob.get(f"/matches/{uid}"))


def test_the_pages_script_gets_the_dry_run_alone(small_site: Site, uid: str) -> None:
    part = small_site.visitor(BOB).post(f"/matches/{uid}/phases/2/try", {"slot-steps": "B up 2"}, htmx=True)
    assert (
        part.text.strip().startswith('<section id="trial"')
        and "nothing was sealed" in page_text(part)
        and "B climbed 2." in page_text(part)
    )


def test_a_phase_or_a_match_that_is_not_there_is_not_found(small_site: Site, uid: str) -> None:
    for path in (f"/matches/{uid}/phases/9/try", "/matches/nothing/phases/1/try"):
        assert small_site.visitor().get(path).status_code == 404
