"""The home page and *Play now*."""

from pathlib import Path

import pytest

from adjudicator.platform import wakeups
from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.handover import leaving, takeovers
from adjudicator.service.phases import opening
from tests.cast import ALICE, BOB
from tests.web.site import Site, page_text
from tools.bench_home import count_statements


def test_a_newcomer_reads_what_this_is_and_how_a_letter_works(small_site: Site) -> None:
    page = page_text(small_site.visitor().get("/"))
    assert "Long games of secret orders" in page and "Play now" in page and "How a letter works" in page


def test_a_newcomer_reads_that_letters_are_answered_only_where_something_takes_answers(small_site: Site, tmp_path: Path) -> None:
    assert "To play on, click your choice" in page_text(small_site.visitor().get("/"))
    taking = Site.create(small_site.harness, tmp_path / "taking", inbox_url="smtp://127.0.0.1:2525")
    assert "To play on, answer it, or click your choice" in page_text(taking.visitor().get("/"))


def test_a_newcomer_can_look_at_a_match_and_sees_open_seats(site: Site) -> None:
    running, free = site.begin_match(), site.make_open_match()
    page = site.visitor().get("/").text
    assert f'href="/matches/{running}"' in page and f'href="/matches/{free}"' in page and 'class="board pyramid"' in page


def test_play_now_needs_one_click_and_no_account(site: Site) -> None:
    guest = site.visitor()
    answer = guest.post("/play", {"zone": "Europe/Paris"})
    uid = answer.headers["Location"].rpartition("/")[2]
    assert answer.status_code == 303 and site.recorder.sent == [(wakeups.PREPARE, uid)]
    assert "Being set up" in page_text(guest.get(f"/matches/{uid}"))
    opening.prepare_match(site.harness.database, site.harness.keyring, uid, now=site.harness.now)
    assert "Every seat is taken" in page_text(guest.get(f"/matches/{uid}"))
    site.harness.start_match(uid)
    page = guest.get(f"/matches/{uid}")
    assert "You owe orders for Round 1" in page_text(page) and "(Paris)" in page.text


def test_play_now_again_is_another_match_of_the_same_player(site: Site) -> None:
    alice = site.visitor(ALICE)
    first, second = (alice.post("/play").headers["Location"] for _ in range(2))
    assert first != second and page_text(alice.get("/")).count("Being set up") == 2


def test_my_matches_stand_first_and_those_that_wait_for_me_before_the_others(site: Site) -> None:
    waiting, done = site.begin_match(), site.begin_match()
    site.harness.order(done, ALICE, "B3")
    page = site.visitor(ALICE).get("/").text
    assert page.index(waiting) < page.index(done) and "How a letter works" not in page
    assert "You owe orders for Round 1" in page_text(site.visitor(BOB).get("/"))


def test_an_unfounded_match_says_that_it_goes_on_by_itself(small_site: Site) -> None:
    guest = small_site.visitor()
    uid = guest.post("/play").headers["Location"].rpartition("/")[2]
    page = guest.get(f"/matches/{uid}").text
    assert (
        '<noscript><meta http-equiv="refresh" content="2"></noscript>' in page
        and f'data-news="/matches/{uid}/news" data-mark="making..0.' in page
    )


@pytest.mark.parametrize(("game", "seats"), [("phoenix", 2), ("diplomacy", 7)])
def test_play_now_seats_few_but_all_powers_of_diplomacy(small_site: Site, game: str, seats: int) -> None:
    uid = small_site.visitor().post("/play", {"game": game}).headers["Location"].rpartition("/")[2]
    with small_site.harness.database.read_tx() as session:
        assert len(seats_of(session, by_uid(session, uid))) == seats


def test_a_home_page_with_many_matches_costs_as_many_statements_as_one_with_few(small_site: Site) -> None:
    harness, alice = small_site.harness, small_site.visitor(ALICE)
    counted = []
    for number in (3, 27):
        for _ in range(number):
            small_site.begin_match()
        counted.append(count_statements(small_site, alice))
    assert alice.page.count("The Long Table") >= 30
    assert counted[0] == counted[1] < 12
    uid = small_site.begin_match()
    leaving.resign(harness.database, uid, harness.people[BOB], now=harness.now)
    takeovers.take_seat(harness.database, uid, harness.player("Dave"), "", now=harness.now)
    assert count_statements(small_site, small_site.visitor("Dave")) <= counted[0] + 1  # whose orders count in a seat taken over
