"""The master's box on the About page, and the notes that everybody sees."""

import re

import pytest

from adjudicator.platform import wakeups
from adjudicator.service.matches import masters
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.phases import closing
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.web.site import Site, Visitor, page_text


def watcher(site: Site) -> Visitor:
    """Return the browser of a host, who is master of every match and plays in none."""
    visitor = site.visitor(MALLORY)
    masters.appoint_master(site.harness.database, address(MALLORY), now=site.harness.now)
    return visitor


def shown(page: str) -> dict[str, str]:
    """Return the hidden fields of the form that moves a deadline by hours."""
    form = page.partition(' name="hours"')[0].rpartition("<form")[2]
    return {
        name: value
        for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)
        if name != "csrf_token"
    }


def test_the_master_alone_has_the_box_and_everybody_reads_the_notes(site: Site) -> None:
    uid = site.begin_match()
    master, other = site.visitor(ALICE), site.visitor(BOB)
    assert "Run this match" in page_text(master.get(f"/matches/{uid}/about"))
    assert (
        master.post(f"/matches/{uid}/pause", follow=True).status_code == 200
        and (wakeups.POST,) in site.recorder.sent
    )
    for page in (other.get(f"/matches/{uid}/about"), site.visitor().get(f"/matches/{uid}/history")):
        assert "Alice paused the match in Round 1." in page_text(
            page
        ) and "Run this match" not in page_text(page)


def test_every_page_says_paused_instead_of_a_clock(small_site: Site) -> None:
    uid = small_site.begin_match()
    bob, stranger = small_site.visitor(BOB), small_site.visitor()
    before = stranger.get(f"/matches/{uid}").text
    assert "in 2 days" in before and "in 2 days" in bob.get(f"/matches/{uid}").text
    masters.pause_match(small_site.harness.database, uid, None, now=small_site.harness.now)
    for visitor in (bob, stranger):
        for path in ("", "/about", "/history", "/receipts", "/phases/1"):
            page = visitor.get(f"/matches/{uid}{path}")
            assert "paused" in page_text(page) and "in 2 days" not in page.text, path
    assert "Paused in Round 1. You owe orders once it goes on." in page_text(bob.get("/"))
    known = re.search(r'data-mark="([^"]+)', before)
    assert (
        known is not None
        and stranger.get(f"/matches/{uid}/news?since={known[1]}").get_json()["words"]
        == "The match is paused"
    )
    answer = bob.post(f"/matches/{uid}/orders", {"phase": "1", "slot-piece": "B3", "says": ""})
    assert "Sealed: Round 1" in page_text(answer) and "until its new deadline" in page_text(answer)


def test_a_deadline_is_moved_by_hours_or_to_a_moment_of_the_masters_zone(small_site: Site) -> None:
    uid = small_site.begin_match()
    alice = small_site.visitor(ALICE)
    accounts.change_account(
        small_site.harness.database,
        small_site.harness.people[ALICE],
        AccountChanges("Alice", "Europe/Paris", receipts=True, letters=True),
    )
    assert 'value="2026-11-04T13:00"' in alice.get(f"/matches/{uid}/about").text
    by_hours = shown(alice.get(f"/matches/{uid}/about").text) | {"hours": "24"}
    for _ in range(2):
        assert "Thu 5 Nov 13:00 (Paris)" in page_text(
            alice.post(f"/matches/{uid}/deadline", by_hours, follow=True)
        ), "a click more changes nothing"
    page = page_text(
        alice.post(
            f"/matches/{uid}/deadline", {"phase": "1", "deadline": "2026-11-10T20:30"}, follow=True
        )
    )
    assert "is open until Tue 10 Nov 20:30 (Paris)" in page
    assert (
        "moved the deadline of Round 1 from Thu 5 Nov 2026 12:00 (UTC) to Tue 10 Nov 2026 19:30"
        " (UTC)." in page
    )
    assert len(small_site.harness.page(uid).notes) == 2


def test_a_form_of_a_closed_phase_changes_nothing_of_the_next(small_site: Site) -> None:
    uid = small_site.begin_match()
    master = watcher(small_site)
    form = shown(master.get(f"/matches/{uid}/about").text)
    small_site.harness.round(uid, [(name, "B3") for name in (ALICE, BOB, CHARLIE)])
    for act in ("deadline", "close"):
        answer = master.post(f"/matches/{uid}/{act}", form | {"hours": "24"})
        assert answer.status_code == 409 and "nothing was changed; Round 2 is open" in page_text(
            answer
        )
    assert small_site.harness.page(uid).notes == ()


def test_a_master_who_plays_among_people_is_offered_no_haste_and_told_why(small_site: Site) -> None:
    uid = small_site.begin_match()
    alice = small_site.visitor(ALICE)
    page = alice.get(f"/matches/{uid}/about")
    assert (
        "Yes, close it now" not in page.text
        and "an early close and the end of the match need the consent of all" in page_text(page)
    )
    for act, form in (("close", {}), ("deadline", {"hours": "-2"})):
        answer = alice.post(f"/matches/{uid}/{act}", shown(page.text) | form)
        assert answer.status_code == 303, "it is put to the vote"
    told = page_text(alice.get(f"/matches/{uid}"))
    assert (
        "a player proposes to close Round 1 now" in told
        and "a player proposes less time: Round 1 until" in told
    )
    assert small_site.harness.page(uid).notes == ()
    assert f"/matches/{uid}/close" in watcher(small_site).get(f"/matches/{uid}/about").text


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"hours": "-480"}, "That moment is past."),
        ({"hours": "1440"}, "60 days ahead at most"),
        ({"hours": "²"}, "does not read as a deadline"),
        ({"deadline": "soon"}, "“soon” does not read as a deadline"),
        ({}, "does not read as a deadline"),
        ({"hours": "9999", "from": "9999-12-31T23:00"}, "does not say from when on"),
        ({"hours": "-9999", "from": "0001-01-01T00:00"}, "does not say from when on"),
    ],
)
def test_a_deadline_that_cannot_be_is_refused_with_a_sentence(
    small_site: Site, form: dict[str, str], sentence: str
) -> None:
    uid = small_site.begin_match()
    master = watcher(small_site)
    answer = master.post(
        f"/matches/{uid}/deadline", shown(master.get(f"/matches/{uid}/about").text) | form
    )
    assert answer.status_code == 400 and sentence in page_text(answer)


def test_closed_by_the_master_the_pages_say_so(small_site: Site) -> None:
    uid = small_site.begin_match()
    alice = small_site.visitor(ALICE)
    assert (
        watcher(small_site).post(f"/matches/{uid}/close", {"phase": "1"}).status_code == 303
        and (wakeups.CLOSE, uid) in small_site.recorder.sent
    )
    assert small_site.harness.close(uid)
    assert "Round 1 was closed by the master before its deadline." in page_text(
        alice.get(f"/matches/{uid}")
    )
    assert "closed by the master" in page_text(alice.get(f"/matches/{uid}/history"))
    assert "closed by the master" in page_text(alice.get(f"/matches/{uid}/phases/1"))


def test_a_stuck_match_is_set_going_from_the_box(small_site: Site) -> None:
    uid = small_site.begin_match()
    closing.mark_stuck(small_site.harness.database, uid, "a fault", now=small_site.harness.now)
    alice = small_site.visitor(ALICE)
    assert "a fault" in page_text(alice.get(f"/matches/{uid}/about"))
    page = page_text(alice.post(f"/matches/{uid}/resume", follow=True))
    assert "set the match going again, which had stood still" in page


def test_after_the_deadline_no_page_says_open_until(small_site: Site) -> None:
    uid = small_site.begin_match()
    small_site.harness.later(hours=48, minutes=5)
    for visitor, path in (
        (small_site.visitor(ALICE), "/about"),
        (small_site.visitor(), "/history"),
        (small_site.visitor(), ""),
    ):
        page = page_text(visitor.get(f"/matches/{uid}{path}"))
        assert "past its deadline, Wed 4 Nov 12:00 (UTC)" in page and "until Wed" not in page


@pytest.mark.parametrize("act", ["pause", "resume", "deadline", "close"])
def test_nobody_else_may_run_a_match(small_site: Site, act: str) -> None:
    uid = small_site.begin_match()
    bob = small_site.visitor(BOB)
    for visitor in (small_site.visitor(), bob, small_site.visitor(MALLORY)):
        plays = visitor is bob and act in ("pause", "resume")  # a player's pause is put to the vote
        answer = visitor.post(
            f"/matches/{uid}/{act}", {"phase": "1", "deadline": "2026-11-05T20:30"}
        )
        assert answer.status_code == ((303 if act == "pause" else 409) if plays else 403)
        assert (
            visitor.client.post(f"/matches/{uid}/{act}", data={"hours": "5"}).status_code == 400
        ), "a form of another site"
    assert small_site.harness.page(uid).notes == ()


def test_a_master_of_all_matches_has_the_box_too(small_site: Site) -> None:
    uid = small_site.begin_match()
    visitor = small_site.visitor(MALLORY)
    masters.appoint_master(
        small_site.harness.database, address(MALLORY), now=small_site.harness.now
    )
    assert "Run this match" in page_text(visitor.get(f"/matches/{uid}/about"))
    assert "Mallory paused the match" in page_text(
        visitor.post(f"/matches/{uid}/pause", follow=True)
    )
