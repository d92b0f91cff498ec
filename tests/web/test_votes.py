"""Proposals, votes and concessions on the page of a match, without a script."""

import re

import pytest

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, page_text


def fields(html: str) -> dict[str, str]:
    """Return the proposal that the page shows first, and the phase of its forms."""
    found = re.search(r'name="proposal" value="(\d+)"', html)
    return {"phase": "1", "proposal": found[1] if found else ""}


def test_more_time_is_asked_for_and_voted_with_forms(small_site: Site) -> None:
    uid = small_site.begin_match()
    alice, bob = small_site.visitor(ALICE), small_site.visitor(BOB)
    page = alice.get(f"/matches/{uid}").text
    until = re.search(r'name="deadline" type="datetime-local" value="([^"]+)"', page)
    assert until is not None, "it offers as much time as a vote can give"
    form = {"kind": "extend", "phase": "1", "deadline": until[1]}
    for _ in range(2):
        assert alice.post(f"/matches/{uid}/proposals", form).status_code == 303
    told = bob.get(f"/matches/{uid}").text
    assert told.count('name="proposal"') == 1 and "1 of 3 agrees; 2 have to." in told
    deadline = small_site.harness.page(uid).card.deadline
    small_site.recorder.sent.clear()
    for _ in range(2):
        assert bob.post(f"/matches/{uid}/votes", fields(told) | {"vote": "yes"}).status_code == 303
    now = small_site.harness.page(uid)
    assert (
        now.card.deadline != deadline
        and len(now.notes) == 1
        and ("sealed.post",) in small_site.recorder.sent
    )
    assert "The players moved the deadline of Round 1" in page_text(
        bob.get(f"/matches/{uid}/about")
    )


def test_who_may_not_vote_sees_the_proposal_without_a_button(small_site: Site) -> None:
    uid = small_site.begin_match()
    small_site.visitor(ALICE).post(f"/matches/{uid}/proposals", {"kind": "pause", "phase": "1"})
    for visitor in (small_site.visitor(), small_site.visitor(MALLORY)):
        page = visitor.get(f"/matches/{uid}").text
        assert (
            "a player proposes to pause the match" in page
            and 'name="vote"' not in page
            and "I concede" not in page
        )
        assert (
            visitor.post(
                f"/matches/{uid}/votes",
                fields(small_site.visitor(BOB).get(f"/matches/{uid}").text) | {"vote": "yes"},
            ).status_code
            == 403
        )
        assert (
            visitor.post(f"/matches/{uid}/proposals", {"kind": "end", "phase": "1"}).status_code
            == 403
        )


def test_a_reason_is_shown_as_text(small_site: Site) -> None:
    uid = small_site.begin_match()
    small_site.visitor(ALICE).post(
        f"/matches/{uid}/proposals", {"kind": "end", "phase": "1", "reason": "<b>dull</b>"}
    )
    assert "&lt;b&gt;dull&lt;/b&gt;" in small_site.visitor(BOB).get(f"/matches/{uid}").text


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("proposals", {"kind": "close"}, 400),
        ("proposals", {}, 400),
        ("proposals", {"kind": "extend", "deadline": "+24h"}, 400),
        ("proposals", {"kind": "pause", "phase": "7"}, 409),
        ("votes", {"proposal": "x", "vote": "yes"}, 400),
        ("proposals", {"kind": "end"}, 400),
        ("votes", {"proposal": "999999", "vote": "yes", "phase": "1"}, 404),
        ("concession", {}, 400),
    ],
)
def test_a_form_that_is_wrong_is_refused(
    small_site: Site, path: str, form: dict[str, str], status: int
) -> None:
    uid = small_site.begin_match()
    assert small_site.visitor(ALICE).post(f"/matches/{uid}/{path}", form).status_code == status
    assert small_site.harness.page(uid).notes == ()


def test_a_concession_is_confirmed_with_a_box_and_ends_a_match_of_two(small_site: Site) -> None:
    uid = small_site.harness.match(ALICE, BOB, wish=Wish("redeux", "Cards", {}))
    alice = small_site.visitor(ALICE)
    assert "the other seat wins. This cannot be taken back." in page_text(
        alice.get(f"/matches/{uid}")
    )
    assert (
        alice.post(f"/matches/{uid}/concession", {"sure": "yes", "phase": "1"}).status_code == 303
    )
    assert ("sealed.close", uid) in small_site.recorder.sent
    small_site.harness.close(uid)
    told = page_text(small_site.visitor(CHARLIE).get(f"/matches/{uid}"))
    assert "because all others conceded. Seat 1 conceded and comes last." in told


def test_the_host_of_a_watched_match_ends_it_with_a_reason(small_site: Site) -> None:
    uid = small_site.harness.match(
        MALLORY, ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Watched", {}, play=False)
    )
    master = small_site.visitor(MALLORY)
    assert "Yes, end it now" in master.get(f"/matches/{uid}/about").text
    assert master.post(f"/matches/{uid}/end", {"reason": ""}).status_code == 400
    assert master.post(f"/matches/{uid}/end", {"reason": "The term is over"}).status_code == 303
    small_site.harness.close(uid)
    told = page_text(small_site.visitor().get(f"/matches/{uid}/history"))
    assert (
        "The match was stopped in its first phase, because whoever runs it ended it." in told
        and "ended the match in Round 1: The term is over." in told
    )


def test_a_refusal_says_once_that_nothing_was_changed_and_leads_back_to_the_match(
    small_site: Site,
) -> None:
    uid = small_site.begin_match()
    bob = small_site.visitor(BOB)
    for form in ({"phase": "1"}, {"phase": "7", "sure": "yes"}):
        answer = bob.post(f"/matches/{uid}/concession", form)
        assert (
            page_text(answer).lower().count("nothing was changed") == 1
            and f'href="/matches/{uid}"' in answer.text
        ), form


@pytest.mark.parametrize("number", ["9" * 25, "-" + "9" * 25])
def test_a_number_that_no_database_holds_is_no_fault(small_site: Site, number: str) -> None:
    uid = small_site.begin_match()
    assert (
        small_site.visitor(BOB)
        .post(f"/matches/{uid}/votes", {"proposal": number, "vote": "yes"})
        .status_code
        == 400
    )
