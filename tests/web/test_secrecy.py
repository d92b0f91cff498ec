"""Secrecy of pages: no byte changes when another seat submits orders."""

import re

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
    "/matches/{uid}/receipts/1/1.json",
    "/matches/{uid}/phases/0",
    "/matches/{uid}/phases/1",
    "/matches/{uid}/transcript.json",
    "/matches/{uid}.json",
    "/changes?of={uid}",
    "/changes/stream?of={uid}",
)

_OWN = re.compile(
    r'\b[0-9a-f]{64}\b|(Submission |/receipts/1/|name="seq"'
    r' value="|data-mark="running(?:\.\d+){4}\.)\d+'
)


def whole(answer: TestResponse) -> tuple[int, list[tuple[str, str]], str]:
    """Return a whole response: status, headers and bytes, without the mask of a CSRF token."""
    return (
        answer.status_code,
        sorted(answer.headers),
        without_tokens(answer.get_data().decode("latin-1")),
    )


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


def apart_from_own(answer: TestResponse) -> tuple[int, list[tuple[str, str]], str]:
    """Return a whole response without the numbers and the seals of the visitor's own
    submissions.
    """
    status, headers, text = whole(answer)
    return status, headers, _OWN.sub(r"\1own", text)


def test_answers_to_others_do_not_tell_who_handed_in(site: Site) -> None:
    with time_machine.travel(site.harness.now, tick=False):
        uid, bob = site.begin_match(), site.visitor(BOB)
        bob.get("/")

        def refused() -> tuple[int, list[tuple[str, str]], str]:
            return apart_from_own(
                bob.post(f"/matches/{uid}/orders", {"phase": "1", "text": "nonsense"}, htmx=True)
            )

        before = refused()
        site.harness.order(uid, ALICE, "B3")
        assert refused() == before
