"""Progress on the pages: who is shown how many have handed in, and no byte changes for others
before the next full minute.
"""

from datetime import timedelta

import pytest
import time_machine

from adjudicator.service.base import rows
from adjudicator.service.base.state import PROGRESS_KINDS, progress_of
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import Arrival
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, PLAYERS
from tests.web.live import Live
from tests.web.site import Site, Visitor, page_text
from tests.web.test_making import USUAL
from tests.web.test_news import mark_of, words
from tests.web.test_secrecy import PAGES, whole


def begin(site: Site, progress: str, **changes: object) -> str:
    """Begin a match of the cast: Alice has seat 1, Bob 2, Charlie 3."""
    return site.harness.match(
        *PLAYERS, wish=Wish("pyramid", "The Long Table", {}, progress=progress, **changes)
    )  # type: ignore[arg-type]  # plain keywords


def act(site: Site, uid: str) -> None:
    """Have Alice hand in orders, change them, say both words and write a letter, all by their own
    ways.
    """
    alice = site.visitor(ALICE)
    alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3", "says": "wait"})
    site.harness.later(seconds=5)
    alice.post(f"/matches/{uid}/say", {"word": "ready"})
    alice.post(f"/matches/{uid}/say", {"word": "wait"})
    site.harness.order(uid, ALICE, "B2\nTHEN\nC1\nwait", channel="letter")
    token = site.harness.address_token(uid, 0)
    with site.harness.database.read_tx() as session:
        target = receiving.find_target(session, token)
    assert target is not None
    receiving.store_letters(
        site.harness.database, [Arrival(target, b"B1", site.harness.now, "smtp", False)]
    )


def others(site: Site, *names: str | None) -> list[Visitor]:
    """Return browsers of these people that have been on the site before."""
    visitors = [site.visitor(name) for name in names]
    for visitor in visitors:
        visitor.get("/")
    return visitors


def seen(visitors: list[Visitor], uid: str) -> list[object]:
    """Return all pages of a match as these browsers get them, byte for byte."""
    return [whole(visitor.get(path.format(uid=uid))) for visitor in visitors for path in PAGES]


@pytest.mark.parametrize("progress", PROGRESS_KINDS)
def test_no_byte_changes_for_others_before_the_next_full_minute(site: Site, progress: str) -> None:
    with time_machine.travel(site.harness.now, tick=False):
        uid, harness = begin(site, progress), site.harness
        visitors = others(site, BOB, CHARLIE, MALLORY, None)
        begun = harness.later(seconds=10)
        harness.later(seconds=49)
        before = seen(visitors, uid)
        harness.now = begun
        act(site, uid)
        harness.now = begun + timedelta(seconds=49)
        assert seen(visitors, uid) == before


def test_with_none_no_byte_changes_for_others_until_the_phase_closes(site: Site) -> None:
    with time_machine.travel(site.harness.now, tick=False):
        uid, harness = begin(site, "none"), site.harness
        visitors, begun = others(site, CHARLIE, MALLORY, None), harness.now
        harness.later(hours=5)
        before = seen(visitors, uid)
        harness.now = begun
        act(site, uid)
        harness.order(uid, BOB, "B3")
        harness.now = begun + timedelta(hours=5)
        assert seen(visitors, uid) == before


def test_the_count_shows_to_all_and_names_nobody(small_site: Site) -> None:
    uid, harness = begin(small_site, "count"), small_site.harness
    harness.order(uid, ALICE, "B3\nwait")
    harness.later(minutes=1)
    for name in (BOB, MALLORY, None):
        page = small_site.visitor(name).get(f"/matches/{uid}")
        assert (
            "1 of 3 has handed in orders." in page_text(page)
            and "has handed in" not in page.text.partition('class="strip"')[2].partition("</ul>")[0]
        )
        assert "Round 1 closes before its deadline only if all 3 are ready." in page_text(page)
    assert "1 of 3 has handed in orders." in page_text(small_site.visitor(CHARLIE).get("/"))
    harness.order(uid, BOB, "B3\nwait")
    harness.later(minutes=1)
    assert "Everybody else has handed in orders." in page_text(
        small_site.visitor(CHARLIE).get(f"/matches/{uid}")
    )
    assert ". 2 of 3 have handed in orders." in page_text(small_site.visitor(BOB).get("/")), (
        "a space stands between the sentences"
    )


def test_the_count_is_of_who_has_handed_in_and_tells_nothing_of_who_is_ready(
    small_site: Site,
) -> None:
    uids = [begin(small_site, "count") for _ in range(2)]
    small_site.harness.order(uids[0], ALICE, "B3")
    small_site.harness.order(uids[1], ALICE, "B3\nwait")
    small_site.harness.later(minutes=1)
    told = [page_text(small_site.visitor(BOB).get(f"/matches/{uid}")) for uid in uids]
    for page in told:
        assert (
            "1 of 3 has handed in orders. Round 1 closes before" in page
            and "2 of 3 are missing" not in page
        )
    for uid in uids:
        small_site.harness.order(uid, BOB, "B3\nwait")
        small_site.harness.order(uid, CHARLIE, "B3\nwait")
    small_site.harness.later(minutes=1)
    assert "All 3 have handed in orders." in page_text(
        small_site.visitor(BOB).get(f"/matches/{uids[0]}")
    )
    assert "have not yet" not in page_text(small_site.visitor(BOB).get(f"/matches/{uids[0]}"))


def test_the_seats_show_with_a_mark_that_has_a_name(small_site: Site) -> None:
    uid, harness = begin(small_site, "seats"), small_site.harness
    harness.order(uid, BOB, "B3\nwait")
    harness.later(minutes=1)
    for name in (ALICE, BOB, MALLORY, None):
        listed = (
            small_site.visitor(name)
            .get(f"/matches/{uid}")
            .text.partition('class="strip"')[2]
            .partition("</ul>")[0]
            .split("</li>")
        )
        assert ["has handed in" in each for each in listed[:3]] == [False, True, False]
        assert ["owes orders" in each for each in listed[:3]] == [True, False, True]


def test_progress_is_news_with_the_full_minute_and_disturbs_nobody_at_work(
    small_site: Site,
) -> None:
    uid, harness, bob = begin(small_site, "count"), small_site.harness, small_site.visitor(BOB)
    since = mark_of(bob, uid)
    harness.order(uid, ALICE, "B3\nwait")
    assert words(bob, uid, since) == ""
    harness.later(minutes=1)
    told = bob.get(f"/matches/{uid}/news?since={since}").get_json()
    assert (told["words"], told["progress"]) == ("1 of 3 has handed in orders", True)
    again = mark_of(bob, uid)
    harness.order(uid, ALICE, "B2\nwait")
    harness.later(minutes=2)
    assert words(bob, uid, again) == "", "changed orders are no news"


@pytest.mark.nightly
def test_who_is_choosing_is_offered_nothing_when_somebody_hands_in(live: Live) -> None:
    harness = live.site.harness
    uid = begin(live.site, "count")
    page = live.page(f"/matches/{uid}", BOB)
    harness.order(uid, ALICE, "B3\nwait")
    harness.later(minutes=1)
    # it may have asked by itself already: only what it heard counts
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.locator("#owed[data-heard]").wait_for()
    assert page.locator("#news").inner_text() == ""
    page.reload()
    assert "1 of 3 has handed in orders." in page.locator(".people").inner_text()


@pytest.mark.parametrize("chosen", [*PROGRESS_KINDS, None])
def test_the_form_chooses_what_is_shown_and_a_count_is_the_default(
    small_site: Site, chosen: str | None
) -> None:
    sent = {"game": "pyramid", **USUAL} | ({"progress": chosen} if chosen else {})
    answer = small_site.visitor(ALICE).post("/matches/new", sent)
    with small_site.harness.database.read_tx() as session:
        assert progress_of(rows.by_uid(session, answer.headers["Location"].rpartition("/")[2])) == (
            chosen or "count"
        )


def test_an_unknown_choice_is_told_beside_its_field(small_site: Site) -> None:
    answer = small_site.visitor(ALICE).post(
        "/matches/new", {"game": "pyramid", **USUAL, "progress": "everything"}
    )
    assert answer.status_code == 400 and 'id="progress-error"' in answer.text


@pytest.mark.parametrize(
    ("progress", "told"),
    [("none", "nobody is shown"), ("count", ""), ("seats", "everybody is shown")],
)
def test_a_match_says_what_it_shows_where_that_is_not_the_default(
    small_site: Site, progress: str, told: str
) -> None:
    page = page_text(small_site.visitor().get(f"/matches/{begin(small_site, progress)}/about"))
    assert told in page and ("While a phase is open" in page) == bool(told)
