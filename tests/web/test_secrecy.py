"""Secrecy of pages: no byte changes when another seat submits orders."""

import pytest
import time_machine
from werkzeug.test import TestResponse

from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, without_tokens

PAGES = (
    "/",
    "/matches/{uid}",
    "/matches/{uid}/news",
    "/matches/{uid}/news?since=nothing",
    "/matches/{uid}/history",
    "/matches/{uid}/about",
    "/matches/{uid}/receipts",
    "/matches/{uid}/receipts/1/1",
    "/matches/{uid}/phases/0",
    "/matches/{uid}/phases/1",
    "/matches/{uid}/transcript.json",
    "/matches/{uid}.json",
)


def whole(answer: TestResponse) -> tuple[int, list[tuple[str, str]], str]:
    """Return a whole response: status, headers and bytes, without the mask of a CSRF token."""
    return answer.status_code, sorted(answer.headers), without_tokens(answer.text)


@pytest.mark.parametrize("name", [BOB, CHARLIE, MALLORY, None])
def test_a_page_does_not_change_by_a_byte_when_alice_hands_in(site: Site, name: str | None) -> None:
    with time_machine.travel(site.harness.now, tick=False):
        uid = site.begin_match()
        visitor = site.visitor(name)
        visitor.get("/")

        def seen() -> list[tuple[int, list[tuple[str, str]], str]]:
            return [whole(visitor.get(path.format(uid=uid))) for path in PAGES]

        first = seen()
        for text in ("B3", "W1\nTHEN\nC1", "nonsense", "B2\nwait", "ready"):
            site.harness.order(uid, ALICE, text)
            assert seen() == first, text


@pytest.mark.parametrize("name", [BOB, None])
def test_alices_receipt_on_the_site_changes_no_page_of_others(site: Site, name: str | None) -> None:
    with time_machine.travel(site.harness.now, tick=False):
        uid, alice, other = site.begin_match(), site.visitor(ALICE), site.visitor(name)
        other.get("/")
        before = [whole(other.get(path.format(uid=uid))) for path in PAGES]
        alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3", "says": "wait"})
        alice.post(f"/matches/{uid}/sealed")
        alice.post(f"/matches/{uid}/say", {"word": "ready"})
        assert [whole(other.get(path.format(uid=uid))) for path in PAGES] == before


def test_answers_to_others_do_not_tell_who_handed_in(site: Site) -> None:
    with time_machine.travel(site.harness.now, tick=False):
        uid, bob = site.begin_match(), site.visitor(BOB)
        bob.get("/")
        refused = whole(bob.post(f"/matches/{uid}/orders", {"phase": "1", "text": "nonsense"}, htmx=True))
        site.harness.order(uid, ALICE, "B3")
        again = bob.post(f"/matches/{uid}/orders", {"phase": "1", "text": "nonsense"}, htmx=True)
        assert (refused[0], len(refused[2])) == (again.status_code, len(without_tokens(again.text)))
