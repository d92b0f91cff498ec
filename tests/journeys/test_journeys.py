"""Journeys through the real service: play now, sign in, invite, submit orders, plan, read the
history.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from adjudicator.mail.sending.mailbox import LocalMailbox, Posted
from adjudicator.play.replay import read_transcript, replay_transcript
from tests.browser import reload_until
from tests.hosting.service import Service
from tests.journeys.conftest import Visitor
from tests.journeys.test_clicking import follow, open_orders


def seal_first_choice(page: Page) -> None:
    """Choose the first piece left and seal it."""
    page.locator("#choices label.pick").first.click()
    page.locator("#choices").get_by_role("button", name="Seal and say ready").click()


def newest(service: Service, folder: Path, to: str, subject: str) -> Posted:
    """Wait for a letter to `to` whose subject contains `subject`; returns the newest."""

    def found() -> list[Posted]:
        return [
            each
            for each in LocalMailbox(folder / "mailbox").letters()
            if to in each.to and subject.lower() in each.subject.lower()
        ]

    service.wait_for(lambda: bool(found()), f"a letter to {to} about {subject}")
    return found()[0]


def link(letter: Posted, kind: str) -> str:
    """Return the path of the link of this kind in a letter."""
    match = re.search(rf"http://localhost:\d+(/{kind}/\S+)", letter.text)
    assert match is not None, letter.text
    return match[1]


def sign_in(page: Page, service: Service, folder: Path, name: str) -> None:
    """Ask for a link, open the letter, press the button."""
    page.goto("/sign-in")
    page.get_by_label("Your e-mail address").fill(f"{name}@example.org")
    page.get_by_role("button", name="Send me a link").click()
    page.goto(link(newest(service, folder, f"{name}@example.org", "sign in"), "sign-in"))
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_play_now_needs_no_account_and_goes_to_the_standing(
    visitor: Visitor, tmp_path: Path
) -> None:
    page = visitor()
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    for number in range(1, 9):
        expect(
            page.get_by_role("heading", name=f"You owe orders for Round {number}")
        ).to_be_visible()
        seal_first_choice(page)
    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Transcript").first.click()
    download.value.save_as(tmp_path / "transcript.json")
    done = replay_transcript(
        read_transcript(json.loads((tmp_path / "transcript.json").read_text()))
    )
    assert done.differences == () and len(done.output["phases"]) == 9
    page.goto(page.url.split("?")[0] + "/phases/9")
    expect(page.get_by_text("left nobody a choice")).to_be_visible()


@pytest.mark.nightly
def test_play_now_without_javascript(visitor: Visitor) -> None:
    page = visitor(javascript=False)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    reload_until(page, page.locator("#choices"))
    seal_first_choice(page)
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    expect(page.get_by_text("the seal", exact=False).first).to_be_attached()


def test_three_people_play_by_invitation_and_read_their_letters(
    visitor: Visitor, service: Service, folder: Path
) -> None:
    alice, bob, charlie = visitor(), visitor(width=390), visitor(zone="America/New_York")
    sign_in(alice, service, folder, "alice")
    alice.goto("/matches/new")
    alice.get_by_label("Name of the match").fill("The Long Table")
    alice.get_by_role("button", name="Next").click()
    alice.get_by_label("Invite by e-mail").fill("bob@example.org, charlie@example.org")
    alice.get_by_role("button", name="Make the match").click()
    for page, name in ((bob, "bob"), (charlie, "charlie")):
        page.goto(link(newest(service, folder, f"{name}@example.org", "Long Table"), "invitations"))
        page.get_by_role("button", name="Take the seat").click()
    for page in (alice, bob, charlie):
        follow(page, page.get_by_role("heading", name="You owe orders for Round 1"))
    uid = alice.url.rpartition("/")[2]

    report = newest(service, folder, "charlie@example.org", "Round 1: you owe orders by")
    assert "(New York)" in report.subject and "B3  Black large" in report.text and report.picture

    alice.get_by_text("Write them instead").click()
    alice.get_by_label("Your orders, as a letter would carry them").fill(
        "B3\nblck small\nTHEN\nW2 OR W1"
    )
    alice.get_by_role("button", name="Seal this text and say ready").click()
    expect(alice.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    expect(alice.get_by_role("main").get_by_text("was not taken.")).to_be_visible()

    alice.goto(f"/matches/{uid}")
    expect(alice.locator("#sealed pre").first).to_have_text("B3")
    expect(alice.locator("#sealed pre").nth(1)).to_have_text("W2 OR W1")
    seen = [page.goto(f"/matches/{uid}").text() for page in (bob, charlie)]  # type: ignore[union-attr]
    assert not any("W2 OR W1" in text for text in seen)

    alice.get_by_role("button", name="I am ready").click()
    for page, piece in ((bob, "B2"), (charlie, "B1")):
        open_orders(page)
        page.locator(f"label.pick:has(input[value={piece}])").click()
        page.locator("#choices").get_by_role("button", name="Seal and say ready").click()
    follow(alice, alice.get_by_role("heading", name="Sealed for Round 2"))
    told = newest(service, folder, "bob@example.org", "Round 2: you owe orders by")
    assert "seat 1 showed black large" in told.text
    receipt = newest(service, folder, "bob@example.org", "Round 1: your orders are sealed")
    assert "B2" in receipt.text and "Sealed" in receipt.text


@pytest.mark.nightly
def test_a_guest_adds_an_address_and_keeps_the_match(
    visitor: Visitor, service: Service, folder: Path
) -> None:
    page = visitor()
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("heading", name="You owe orders for Round 1")).to_be_visible()
    match = page.url
    sign_in(page, service, folder, "dora")
    page.goto(match)
    seal_first_choice(page)
    assert newest(service, folder, "dora@example.org", "Round 2").picture


@pytest.mark.nightly
def test_the_service_goes_on_where_it_was(visitor: Visitor, service: Service) -> None:
    from tests.hosting.service import ROOT, run_service

    page = visitor(restarts=True)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    seal_first_choice(page)
    expect(page.get_by_role("heading", name="You owe orders for Round 2")).to_be_visible()
    assert service.stop() == 0
    with run_service(service.folder, "serve", PYTHONPATH=str(ROOT), PORT=str(service.port)):
        page.reload()
        expect(page.get_by_role("heading", name="You owe orders for Round 2")).to_be_visible()
        seal_first_choice(page)
        expect(page.get_by_role("heading", name="You owe orders for Round 3")).to_be_visible()
