"""Pages that stay open, in a real browser with a real live process: a bar offers what is new, and
nothing moves by itself.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from adjudicator.service.base import rows
from adjudicator.service.matches import seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.live.stream_process import SECRET, StreamProcess
from tests.service.tournament_play import begun, matches, play_match, play_round
from tests.waiting import wait_until
from tests.web.live import Live, listening
from tests.web.site import Site


@pytest.fixture
def stream(sqlite_url: str, tmp_path: Path) -> Iterator[StreamProcess]:
    with StreamProcess(sqlite_url, tmp_path) as process:
        yield process


@pytest.fixture
def live(stream: StreamProcess, tmp_path: Path, browser: Browser) -> Iterator[Live]:
    """A site that knows of the live process, and a browser."""
    site = Site.create(stream.harness, tmp_path / "site", live_port=stream.port, secret_key=SECRET)
    with listening(site, browser) as made:
        yield made
    site.app.extensions["database"].engine.dispose()


def begin(live: Live, **options: object) -> str:
    wish = Wish("pyramid", "The Long Table", {}, **options)  # type: ignore[arg-type]
    return live.site.harness.match(ALICE, BOB, CHARLIE, wish=wish)


def wait_for_listeners(stream: StreamProcess, number: int) -> None:
    wait_until(
        lambda: stream.figure("sealed_live_listeners") == number,
        f"{number} listeners",
        said=lambda: stream.said,
    )


def hide(page: Page, *, hidden: bool) -> None:
    """Put the page into the background, or back."""
    page.evaluate(
        "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable:"
        " true }); document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_a_bar_offers_the_new_phase_within_seconds_and_nothing_moves(
    live: Live, stream: StreamProcess
) -> None:
    uid = begin(live)
    page = live.page(f"/matches/{uid}")
    page.evaluate(
        "window.complaints = []; document.addEventListener('securitypolicyviolation', (e) =>"
        " window.complaints.push(e.blockedURI))"
    )
    wait_for_listeners(stream, 1)
    before = page.locator(".match-head").bounding_box()
    live.close_round(uid)
    offer = page.get_by_role("button", name="Round 2 is open: show it")
    expect(offer).to_be_visible()
    assert (
        page.locator(".match-head").bounding_box() == before
        and page.evaluate("window.complaints") == []
    )
    live.busy.add(f"/matches/{uid}")
    offer.click()
    again = page.get_by_role(
        "button", name="The site could not be reached. Press again in a moment"
    )
    expect(again).to_be_visible()
    expect(page.locator(".match-head")).to_contain_text("Round 1")
    live.busy.clear()
    again.click()
    expect(page.locator(".match-head")).to_contain_text("Round 2")
    expect(page.locator("#news")).to_be_empty()
    wait_for_listeners(stream, 1)


def test_while_it_listens_a_strangers_page_asks_for_nothing(
    live: Live, stream: StreamProcess
) -> None:
    uid = begin(live)
    page = live.context().new_page()
    page.clock.install()
    page.goto(f"/matches/{uid}")
    wait_for_listeners(stream, 1)
    asked: list[str] = []
    # in the order in which the page asks
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.clock.fast_forward(120_000)
    page.evaluate("() => fetch('/robots.txt').then((answer) => answer.text())")
    wait_until(
        lambda: page.evaluate("1") and "/robots.txt" in asked,
        "what the page asked last to be heard of",
    )
    assert [each for each in asked if not each.startswith("/static/")] == ["/robots.txt"], (
        "but for files that a browser loads late"
    )


@pytest.mark.nightly
def test_a_list_of_matches_offers_those_that_moved_on(live: Live, stream: StreamProcess) -> None:
    uid, other = begin(live), begin(live)
    page = live.page("/", CHARLIE)
    wait_for_listeners(stream, 1)
    live.close_round(uid)
    expect(page.get_by_role("button", name="One match has moved on. Show it")).to_be_visible()
    live.close_round(other)
    offer = page.get_by_role("button", name="2 matches have moved on. Show them")
    expect(offer).to_be_visible()
    assert page.get_by_text("Round 1").count() == 2
    offer.click()
    expect(page.get_by_text("Round 2").first).to_be_visible()


@pytest.mark.nightly
def test_the_list_of_matches_to_watch_offers_those_that_moved_on(
    live: Live, stream: StreamProcess
) -> None:
    uid = begin(live)
    page = live.page("/watch?game=pyramid")
    wait_for_listeners(stream, 1)
    expect(page.locator(".card-state")).to_contain_text("Round 1")
    live.close_round(uid)
    page.get_by_role("button", name="One match has moved on. Show it").click()
    expect(page.locator(".card-state")).to_contain_text("Round 2")
    assert page.url.endswith("/watch?game=pyramid")


@pytest.mark.nightly
def test_a_taken_seat_reaches_the_list_of_open_seats(live: Live, stream: StreamProcess) -> None:
    harness = live.site.harness
    uid = live.site.make_open_match()
    page = live.page("/play")
    wait_for_listeners(stream, 1)
    expect(page.locator(".card")).to_have_count(1)
    seats.take_seat(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    page.get_by_role("button", name="Something has changed: show it").click()
    expect(page.locator("main")).to_contain_text("No match is looking for players just now")
    wait_for_listeners(stream, 1)


def test_a_new_match_reaches_the_list_of_open_seats_and_a_private_one_does_not(
    live: Live, stream: StreamProcess
) -> None:
    site = live.site
    page = live.page("/play")
    wait_for_listeners(stream, 1)
    site.harness.later(minutes=1)
    site.make_open_match(private=True)
    stream.read_again()
    expect(page.locator("#news")).to_be_empty()
    site.harness.later(minutes=1)
    site.make_open_match(name="Come and see")
    page.get_by_role("button", name="New seats are open. Show them").click()
    expect(page.locator(".card")).to_contain_text("Come and see")
    expect(page.locator("#news")).to_be_empty()


@pytest.mark.nightly
def test_a_new_round_reaches_the_page_of_a_tournament(live: Live, stream: StreamProcess) -> None:
    harness = live.site.harness
    tournament = begun(harness, ALICE, BOB, CHARLIE, MALLORY)
    page = live.page(f"/tournaments/{tournament}")
    wait_for_listeners(stream, 1)
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    play_round(harness, tournament)
    offer = page.get_by_role("button", name="The tournament has moved on. Show it")
    expect(offer).to_be_visible()
    offer.click()
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()


@pytest.mark.nightly
def test_the_board_that_greets_a_visitor_is_heard_of(live: Live, stream: StreamProcess) -> None:
    uid = begin(live)
    # a board with something on it
    live.site.harness.round(uid, [(name, "B1") for name in (ALICE, BOB, CHARLIE)])
    page = live.page("/")
    wait_for_listeners(stream, 1)
    assert page.locator(f".hero-board[data-live='{uid}']").count() == 1
    live.close_round(uid)
    page.get_by_role("button", name="One match has moved on. Show it").click()
    expect(page.locator("figcaption")).to_contain_text("Round 3")


@pytest.mark.nightly
def test_a_tournaments_page_offers_the_results_of_its_round(
    live: Live, stream: StreamProcess
) -> None:
    harness = live.site.harness
    tournament = begun(harness, ALICE, BOB)
    (uid,) = [match.uid for match in matches(harness, tournament).values()]
    page = live.page(f"/tournaments/{tournament}")
    wait_for_listeners(stream, 1)
    expect(page.locator(f"[data-live='{uid}']")).to_have_text("under way")
    play_match(harness, uid)
    page.get_by_role("button", name="One match has moved on. Show it").click()
    expect(page.get_by_role("link", name="over", exact=True)).to_be_visible()
    assert page.locator("main table [data-live]").count() == 0, (
        "no match of this round moves any more"
    )


def test_a_tournaments_page_names_a_private_match_to_those_who_may_hear_of_it(live: Live) -> None:
    tournament = begun(live.site.harness, ALICE, BOB)
    (uid,) = [match.uid for match in matches(live.site.harness, tournament).values()]
    with live.site.harness.database.write_tx() as session:
        rows.by_uid(session, uid).private = True
    told = [
        live.site.visitor(name).get(f"/tournaments/{tournament}").text
        for name in (ALICE, MALLORY, None)
    ]
    assert [f'data-live="{uid}"' in each for each in told] == [True, False, False]


@pytest.mark.nightly
def test_a_taken_seat_reaches_the_page_of_an_open_match_and_press_the_press_tab(
    live: Live, stream: StreamProcess
) -> None:
    harness = live.site.harness
    open_uid = live.site.make_open_match()
    match = harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish("diplomacy", "Press", {"press": "public"}, players=3, seating="order"),
    )
    gathering, talk = live.page(f"/matches/{open_uid}"), live.page(f"/matches/{match}/press")
    wait_for_listeners(stream, 2)
    seats.take_seat(harness.database, open_uid, harness.player(CHARLIE), now=harness.now)
    expect(gathering.get_by_role("button", name="The match was changed: show it")).to_be_visible()
    messages.write_press(
        harness.database,
        match,
        harness.people[ALICE],
        PressDraft((), "Meet me in the Channel"),
        now=harness.now,
    )
    talk.get_by_role("button", name="This match has moved on. Show it").click()
    expect(talk.locator(".said")).to_have_text("Meet me in the Channel")


def test_a_background_tab_says_so_in_its_title_and_stops_listening(
    live: Live, stream: StreamProcess
) -> None:
    uid = begin(live)
    page = live.context(BOB).new_page()
    page.clock.install()
    page.goto(f"/matches/{uid}")
    wait_for_listeners(stream, 1)
    title = page.title()
    hide(page, hidden=True)
    wait_for_listeners(stream, 0)
    live.close_round(uid)
    with page.expect_response("**/news?**"):
        page.clock.fast_forward(31_000)
    expect(page).to_have_title(f"(1) {title}")
    hide(page, hidden=False)
    expect(page).to_have_title(title)
    expect(page.get_by_role("button", name="Round 2 is open: show it")).to_be_visible()
    wait_for_listeners(stream, 1)


def test_where_no_stream_is_a_list_asks_every_fifteen_seconds(
    live: Live, stream: StreamProcess
) -> None:
    assert stream.stop() == 0
    uid = begin(live)
    page = live.context().new_page()
    page.clock.install()
    page.goto("/")
    with page.expect_response("**/changes?of=**") as first:
        page.clock.fast_forward(15_500)
    assert first.value.status == 200
    with page.expect_response("**/changes?of=**") as second:
        page.clock.fast_forward(15_500)
    assert second.value.status == 304 or second.value.request.headers["if-none-match"]
    live.close_round(uid)
    page.clock.fast_forward(15_500)
    expect(page.get_by_role("button", name="One match has moved on. Show it")).to_be_visible()


def test_a_private_match_is_told_only_to_those_who_may_see_it(live: Live) -> None:
    public, private = begin(live), begin(live)
    site = live.site
    with site.harness.database.write_tx() as session:
        rows.by_uid(session, private).private = True
    told = {
        name: site.visitor(name).get(f"/changes?of={public}~{private}~guess")
        for name in (ALICE, BOB, MALLORY, None)
    }
    assert told[ALICE].get_json().keys() == told[BOB].get_json().keys() == {public, private}
    assert told[MALLORY].get_json().keys() == told[None].get_json().keys() == {public}
    assert (
        told[ALICE].data == told[BOB].data
        and told[ALICE].headers["ETag"] == told[BOB].headers["ETag"]
    )
    assert site.visitor(MALLORY).get(f"/changes/stream?of={private}").status_code == 204
    assert (
        private
        in site.visitor(BOB).get(f"/changes/stream?of={private}~guess").get_json()["address"]
    )
    again = site.visitor().get(
        f"/changes?of={public}",
        headers={"If-None-Match": site.visitor().get(f"/changes?of={public}").headers["ETag"]},
    )
    assert (again.status_code, again.data) == (304, b"") and "Set-Cookie" not in again.headers
