"""The account page's colours, sessions and file of one's own data."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from adjudicator.service.base.tables import all_tables
from adjudicator.service.handover import substitutes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import own_data
from adjudicator.service.press import messages
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.web.live import Live
from tests.web.site import Site, page_text
from tests.web.test_push import publish

SECRETS = ("token", "hash", "sealed", "signature", "context", "key")


@pytest.mark.parametrize(("theme", "sheets"), [("dark", 1), ("light", 0)])
def test_a_browser_keeps_the_colours_that_were_chosen_on_every_page(
    small_site: Site, theme: str, sheets: int
) -> None:
    alice = small_site.visitor(ALICE)
    assert alice.post("/account/theme", {"theme": theme}).status_code == 303
    for path in ("/account", "/", "/rules/pyramid"):
        page = alice.get(path).text
        assert (
            f'<html lang="en-GB" data-theme="{theme}">' in page
            and page.count("dark.css") == sheets
            and "prefers-color-scheme" not in page
        )
    alice.post("/account/theme", {"theme": "purple"})
    assert "data-theme" not in alice.get("/account").text


def test_a_page_that_is_kept_for_all_visitors_is_kept_for_each_colour(small_site: Site) -> None:
    dark, other = small_site.visitor(), small_site.visitor()
    dark.client.set_cookie("sealed-theme", "dark")
    assert (
        'data-theme="dark"' in dark.get("/rules/pyramid").text
        and "data-theme" not in other.get("/rules/pyramid").text
    )


def test_other_sessions_are_listed_and_ended(site: Site) -> None:
    first, second, bob = site.visitor(ALICE), site.visitor(ALICE), site.visitor(BOB)
    assert "Another browser" in page_text(second.get("/account"))
    assert second.post("/account/sessions").status_code == 303
    assert "Another browser" not in page_text(
        second.get("/account")
    ) and "This browser" in page_text(second.get("/account"))
    assert first.get("/account").status_code == 303 and bob.get("/account").status_code == 200


def test_the_file_holds_what_is_kept_about_its_owner_and_nothing_of_others(
    small_site: Site,
) -> None:
    wish = Wish("diplomacy", "The Long Table", {"press": "private"}, players=2, seating="order")
    uid = small_site.harness.match(ALICE, BOB, wish=wish)
    alice, bob = small_site.visitor(ALICE), small_site.visitor(BOB)
    alice.post(f"/matches/{uid}/press", {"to": "everybody", "text": "Mine"})
    bob.post(f"/matches/{uid}/press", {"to": "everybody", "text": "His"})
    small_site.harness.order(uid, ALICE, "A PAR H")
    answer = alice.get("/account/data.json")
    told = answer.json
    assert told is not None and "attachment" in answer.headers["Content-Disposition"]
    assert told["account"]["address"] == address(ALICE) and [
        seat["match"] for seat in told["seats"]
    ] == [uid]
    assert [note["text"] for note in told["press_written"]] == ["Mine"] and len(
        told["receipts"]
    ) == 1
    assert "His" not in answer.text and address(BOB) not in answer.text
    assert small_site.visitor().get("/account/data.json").status_code == 303


def test_the_file_holds_what_its_owner_wrote_as_master_and_whom_they_asked_to_sit_in(
    small_site: Site,
) -> None:
    wish = Wish(
        "diplomacy", "The Long Table", {"press": "private"}, players=2, seating="order", play=False
    )
    harness = small_site.harness
    for who in (CHARLIE, MALLORY):
        harness.player(who)
    uid = harness.prepare_match(wish, CHARLIE, ALICE, BOB)
    assert harness.start_match(uid)
    messages.write_as_master(
        harness.database,
        uid,
        harness.people[CHARLIE],
        messages.PressDraft((), "A word from me"),
        now=harness.now,
    )
    substitutes.ask_substitute(
        harness.database,
        uid,
        harness.people[ALICE],
        address(MALLORY),
        harness.now + timedelta(days=3),
        now=harness.now,
    )
    files = {
        who: small_site.visitor(who).get("/account/data.json").json for who in (ALICE, CHARLIE)
    }
    assert [note["text"] for note in files[CHARLIE]["press_written"]] == [
        "A word from me"
    ] and files[ALICE]["press_written"] == []
    assert [(offer["match"], offer["address"]) for offer in files[ALICE]["offers_asked"]] == [
        (uid, address(MALLORY))
    ]
    assert files[CHARLIE]["offers_asked"] == []


def test_the_contents_of_the_account_page_name_each_of_its_parts(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    for pushes in (False, True):
        if pushes:
            publish(small_site)
        page = alice.get("/account").text
        parts = re.findall(r'<h2 id="(\w+)"', page)
        assert parts == re.findall(r'<li><a href="#(\w+)"', page) and ("here" in parts) == pushes


def test_every_table_with_a_players_rows_is_in_the_file_and_no_secret_column() -> None:
    told = {table.__tablename__ for table in own_data.SHOWN} | {"seat", "player"}
    # a secret alone; public as its match is; of nobody who is here
    kept_elsewhere = {"masteraddress", "archivedseat", "erasure"}
    assert {
        table.name for table in all_tables().sorted_tables if "player_id" in table.columns
    } <= told | kept_elsewhere
    assert [
        name
        for names in own_data.SHOWN.values()
        for name in names
        if any(secret in name for secret in SECRETS)
    ] == []


def test_the_colours_are_those_that_the_browser_shows(live: Live) -> None:
    page = live.page("/account#theme", ALICE, color_scheme="light")
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Use these colours").click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(21, 24, 29)")
