"""Seats that change hands, on the site: silence, taking over, resigning, substitutes, standing
by.
"""

from datetime import UTC, datetime, timedelta

from adjudicator.service.handover import leaving, sweeping
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.web.site import Site, page_text

DAVE = "Dave"


def begin(site: Site) -> str:
    return site.harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("pyramid", "The Long Table", {}, misses=2)
    )


def test_a_seat_is_left_after_a_confirming_step_and_taken_by_a_visitor(small_site: Site) -> None:
    uid = begin(small_site)
    charlie, dave = small_site.visitor(CHARLIE), small_site.visitor(DAVE)
    assert f"/matches/{uid}/your-seat" in charlie.get(f"/matches/{uid}/about").text
    charlie.get(f"/matches/{uid}/your-seat")
    refused = charlie.post(f"/matches/{uid}/your-seat/leave")
    assert refused.status_code == 400 and "Tick the box" in refused.text
    assert charlie.post(f"/matches/{uid}/your-seat/leave", {"sure": "1"}).status_code == 303
    assert charlie.post(f"/matches/{uid}/your-seat/leave", {"sure": "1"}).status_code == 403, (
        "nothing is left twice"
    )
    page = dave.get(f"/matches/{uid}")
    assert "Seat 3 looks for a new player" in page_text(page) and "Take seat 3" in page.text
    for path in ("/", "/play"):
        assert (
            "Seats to take over" in dave.get(path).text
            and f"/matches/{uid}" in dave.page
            and "/standby" in dave.page
        )
    assert dave.post(f"/matches/{uid}/take", {"seat": "3"}).status_code == 303
    assert "You owe orders for Round 1" in page_text(dave.get(f"/matches/{uid}"))
    assert "looks for a new player" not in page_text(small_site.visitor().get(f"/matches/{uid}"))


def test_a_visitor_who_is_not_signed_in_is_asked_to_sign_in_first(small_site: Site) -> None:
    uid = begin(small_site)
    leaving.resign(
        small_site.harness.database,
        uid,
        small_site.harness.player(CHARLIE),
        now=small_site.harness.now,
    )
    assert (
        "/sign-in"
        in small_site.visitor().post(f"/matches/{uid}/take", {"seat": "3"}).headers["Location"]
    )


def test_a_silent_player_says_that_they_are_back(small_site: Site) -> None:
    uid = begin(small_site)
    for number in range(2):
        for who in (ALICE, BOB):
            small_site.harness.order(uid, who, ("W3", "W2")[number])
        small_site.harness.later(hours=48, minutes=10)
        assert small_site.harness.close(uid)
    charlie = small_site.visitor(CHARLIE)
    assert "your seat looks for a new player" in page_text(charlie.get(f"/matches/{uid}"))
    assert charlie.post(f"/matches/{uid}/your-seat/back").status_code == 303
    assert "your seat looks for a new player" not in page_text(charlie.get(f"/matches/{uid}"))


def test_the_newcomer_is_told_that_a_predecessors_orders_count(small_site: Site) -> None:
    uid = begin(small_site)
    small_site.harness.order(uid, CHARLIE, "W3")
    leaving.resign(
        small_site.harness.database,
        uid,
        small_site.harness.player(CHARLIE),
        now=small_site.harness.now,
    )
    dave = small_site.visitor(DAVE)
    dave.post(f"/matches/{uid}/take", {"seat": "3"})
    told = page_text(dave.get(f"/matches/{uid}"))
    assert "They count until you hand in yours" in told and "Sealed for Round 1" not in told
    assert "nothing sealed" in dave.post(f"/matches/{uid}/sealed").text


def test_a_substitute_is_asked_accepts_by_the_link_and_the_seat_is_had_back(
    small_site: Site,
) -> None:
    uid = begin(small_site)
    charlie = small_site.visitor(CHARLIE)
    charlie.get(f"/matches/{uid}/your-seat")
    wrong = charlie.post(
        f"/matches/{uid}/your-seat/substitute", {"address": address(DAVE), "until": "soon"}
    )
    assert wrong.status_code == 400 and "does not read as a day" in wrong.text
    until = f"{datetime.now(UTC) + timedelta(days=5):%Y-%m-%d}"
    sent = charlie.post(
        f"/matches/{uid}/your-seat/substitute", {"address": address(DAVE), "until": until}
    )
    assert sent.status_code == 200 and "is asked by letter" in sent.text
    token = small_site.letters("offer")[0]["token"]
    stranger = small_site.visitor()
    assert "as a substitute until" in page_text(stranger.get(f"/offers/{token}"))
    assert stranger.post(f"/offers/{token}/accept", {"zone": "UTC"}).status_code == 303
    assert "You play seat 3 as a substitute" in page_text(stranger.get(f"/matches/{uid}")), (
        "the new player is signed in"
    )
    assert "A substitute plays seat 3 for you" in page_text(charlie.get(f"/matches/{uid}"))
    own = charlie.get(f"/matches/{uid}/your-seat")
    assert "A substitute plays seat 3 for you" in page_text(own) and "Have it back now" in own.text
    assert charlie.post(f"/matches/{uid}/your-seat/back").status_code == 303
    assert "A substitute plays" not in page_text(charlie.get(f"/matches/{uid}"))


def test_standing_by_for_a_game_and_for_nothing_any_more(small_site: Site) -> None:
    uid = begin(small_site)
    dave = small_site.visitor(DAVE)
    assert "Stand by for a seat of this game" in dave.get("/rules/pyramid").text
    dave.post("/standby", {"game": "pyramid"})
    dave.post("/standby", {"match": uid})
    told = page_text(dave.get("/standby"))
    assert "Rock Paper Pyramid" in told and "The Long Table" in told
    leaving.resign(
        small_site.harness.database,
        uid,
        small_site.harness.player(CHARLIE),
        now=small_site.harness.now,
    )
    sweeping.tend_seats(small_site.harness.database, uid, now=small_site.harness.now)
    offers = small_site.letters("offer")
    assert len(offers) == 1
    assert dave.get(f"/offers/{offers[0]['token']}").status_code == 200
    assert dave.post(f"/offers/{offers[0]['token']}/decline").status_code == 200
    dave.post("/standby/off")
    assert "You stand by for nothing" in page_text(dave.get("/standby"))
