"""The home page and *Play now*."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from adjudicator.platform import wakeups
from adjudicator.service.archive import entries
from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.handover import leaving, takeovers
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import beginning
from adjudicator.service.views import game_info
from tests.cast import ALICE, BOB, CHARLIE
from tests.web.live import Live
from tests.web.site import Site, page_text
from tools.bench_home import count_statements


def test_a_newcomer_reads_what_this_is_and_how_a_letter_works(small_site: Site) -> None:
    page = page_text(small_site.visitor().get("/"))
    assert (
        "Long games of secret orders" in page
        and "Play now" in page
        and "How a letter works" in page
    )


def test_a_newcomer_reads_that_letters_are_answered_only_where_something_takes_answers(
    small_site: Site, tmp_path: Path
) -> None:
    assert "To play on, click your choice" in page_text(small_site.visitor().get("/"))
    taking = Site.create(small_site.harness, tmp_path / "taking", inbox_url="smtp://127.0.0.1:2525")
    assert "To play on, answer it, or click your choice" in page_text(taking.visitor().get("/"))


def test_a_newcomer_can_look_at_a_match_and_sees_open_seats(site: Site) -> None:
    running, free = site.begin_match(), site.make_open_match()
    page = site.visitor().get("/").text
    assert (
        f'href="/matches/{running}"' in page
        and f'href="/matches/{free}"' in page
        and 'class="board pyramid"' in page
    )


def test_each_game_has_a_tile_with_a_picture_players_and_minutes(small_site: Site) -> None:
    page = small_site.visitor().get("/")
    for about in game_info.games():
        assert (
            f'name="game" value="{about.key}"' in page.text
            and f"/games/{about.key}/picture.svg" in page.text
        )
        assert small_site.visitor().get(f"/games/{about.key}/picture.svg").status_code == 200
    assert "2 to 7 players, about 90 minutes" in page_text(page) and page_text(page).count(
        "minutes Play"
    ) == len(game_info.games())


def test_a_visitor_sees_a_running_board_else_a_classic_else_an_example(small_site: Site) -> None:
    visitor, harness = small_site.visitor(), small_site.harness
    assert "A round of Rock Paper Pyramid, opened." in page_text(visitor.get("/"))
    bots = harness.match(ALICE, wish=Wish("pyramid", "Red on the table", {}, house=3, play=False))
    for said in ("Red on the table, now in Round 4: look on", "Red on the table, over: look on"):
        while said not in visitor.get("/").text:
            harness.later(hours=49)
            assert harness.close(bots)
    ended = small_site.play_to_end()
    entries.archive_match(harness.database, ended)
    page = visitor.get("/")
    assert (
        f'src="/matches/{ended}/boards/9.svg' in page.text
        and "The Long Table , over: look on" in page_text(page)
    )
    running = small_site.begin_match()
    harness.round(running, [(name, "B3") for name in (ALICE, BOB, CHARLIE)])
    harness.later(minutes=5)
    assert f'src="/matches/{running}/boards/1.svg' in visitor.get("/").text
    assert "now in Round 2, moved 5 minutes ago" in page_text(visitor.get("/"))


def test_my_matches_come_with_their_boards_and_clocks_and_then_those_to_watch(
    small_site: Site,
) -> None:
    mine = small_site.begin_match()
    other = small_site.harness.match("Dave", "Erin", wish=Wish("pyramid", "Others", {}, house=1))
    page = small_site.visitor(ALICE).get("/").text
    assert (
        page.index(f"/matches/{mine}/boards/0.svg")
        < page.index("You owe orders")
        < page.index(f"/matches/{other}/boards/0.svg")
    )


def test_the_home_page_is_light_however_large_the_boards_are(small_site: Site) -> None:
    for number in range(6):
        small_site.harness.match(
            ALICE, BOB, wish=Wish("diplomacy", f"Europe {number}", {}, players=2)
        )
    for name in (ALICE, None):
        answer = small_site.visitor(name).client.get(
            "/", headers={"Accept-Encoding": "gzip"}, buffered=True
        )
        assert answer.headers["Content-Encoding"] == "gzip" and len(answer.data) < 15_000


def test_play_now_needs_one_click_and_no_account(site: Site) -> None:
    guest = site.visitor()
    answer = guest.post("/play", {"zone": "Europe/Paris"})
    uid = answer.headers["Location"].rpartition("/")[2]
    assert answer.status_code == 303 and site.recorder.sent == [(wakeups.PREPARE, uid)]
    assert "Being set up" in page_text(guest.get(f"/matches/{uid}"))
    beginning.prepare_match(site.harness.database, site.harness.keyring, uid, now=site.harness.now)
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
def test_play_now_seats_few_but_all_powers_of_diplomacy(
    small_site: Site, game: str, seats: int
) -> None:
    uid = small_site.visitor().post("/play", {"game": game}).headers["Location"].rpartition("/")[2]
    with small_site.harness.database.read_tx() as session:
        assert len(seats_of(session, by_uid(session, uid))) == seats


def test_a_home_page_with_many_matches_costs_as_many_statements_as_one_with_few(
    small_site: Site,
) -> None:
    harness, alice = small_site.harness, small_site.visitor(ALICE)
    counted = []
    for number in (3, 27):
        for _ in range(number):
            small_site.begin_match()
        harness.match("Erin", wish=Wish("pyramid", "To watch", {}, house=2))
        counted.append(count_statements(small_site, alice))
    assert alice.page.count("The Long Table") >= 30
    assert counted[0] == counted[1] < 16
    uid = small_site.begin_match()
    leaving.resign(harness.database, uid, harness.people[BOB], now=harness.now)
    takeovers.take_seat(harness.database, uid, harness.player("Dave"), "", now=harness.now)
    # whose orders count in a seat taken over
    assert count_statements(small_site, small_site.visitor("Dave")) <= counted[0] + 1


@pytest.mark.nightly
def test_a_phone_shows_ones_own_seat_of_many_and_the_number_of_the_others(live: Live) -> None:
    people = (ALICE, BOB, CHARLIE, "Dora", "Eve", "Frank", "Grace")
    live.site.harness.match(
        *people, wish=Wish("diplomacy", "The Long Table", {}, players=7, seating="order")
    )
    for width, shown in ((390, 2), (1280, 7)):
        page = live.page("/", ALICE, viewport={"width": width, "height": 844})
        seats = (
            page.get_by_role("listitem").filter(has_text="The Long Table").first.locator(".seats")
        )
        expect(seats.get_by_role("listitem")).to_have_count(shown)
        expect(seats.get_by_text("(you)")).to_be_visible()
        expect(seats.get_by_text("and 6 other seats")).to_be_visible(visible=width == 390)
