"""Stopping letters by link, and the notices to players whose letters bounce."""

import pytest
from sqlmodel import select

from adjudicator.platform import wakeups
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.letters import bounces
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.tokens.references import Reference
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.web.site import Site, page_text


def wants_letters(site: Site, name: str) -> bool:
    with site.harness.database.read_tx() as session:
        return session.get_one(Player, site.harness.people[name]).letters


def stop_link(site: Site, name: str) -> str:
    site.begin_match()
    return f"/letters/stop/{site.harness.token(Reference('stop', str(site.harness.people[name])))}"


def test_the_link_asks_and_its_button_stops_the_letters(site: Site) -> None:
    link, stranger = stop_link(site, BOB), site.visitor()
    page = stranger.get(link)
    assert "Stop the letters?" in page_text(page) and wants_letters(site, BOB)
    assert (
        page.headers["Referrer-Policy"] == "no-referrer"
        and page.headers["Cache-Control"] == "private, no-store"
    )
    done = stranger.post(link)
    assert "No more letters" in page_text(done) and "tick “Letters about my matches”" in page_text(
        done
    )
    assert (wants_letters(site, BOB), wants_letters(site, ALICE)) == (False, True)


def test_a_mail_programs_one_click_needs_no_form_and_may_come_twice(small_site: Site) -> None:
    link = stop_link(small_site, BOB)
    for _ in range(2):
        answer = small_site.app.test_client().post(link, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200 and not wants_letters(small_site, BOB)
        assert "Set-Cookie" not in answer.headers or "sealed=" not in answer.headers["Set-Cookie"]


@pytest.mark.parametrize("token", ["guess", "x" * 26, "None", "%00", "a" * 5000])
def test_an_unknown_link_says_so_and_stops_nothing(site: Site, token: str) -> None:
    stop_link(site, BOB)
    for answer in (
        site.visitor().get(f"/letters/stop/{token}"),
        site.visitor().client.post(f"/letters/stop/{token}"),
    ):
        assert answer.status_code == 404 and "Nobody’s letters" in page_text(answer)
    assert wants_letters(site, BOB)


def test_the_link_opens_nothing_else(small_site: Site) -> None:
    link, stranger = stop_link(small_site, BOB), small_site.visitor()
    for page in (stranger.get(link), stranger.post(link)):
        assert not [word for word in (BOB, address(BOB), "The Long Table") if word in page.text]
    assert stranger.get("/account").status_code == 303


def come_back(site: Site, name: str = BOB) -> str:
    """Have Bob's first report bounce; returns his match."""
    uid = site.begin_match()
    with site.harness.database.write_tx() as session:
        row = session.exec(select(Letter).where(Letter.address == address(name))).one()
        bounces.bounced(
            session,
            Returned(True, "550 no such person", "5.1.1"),
            now=site.harness.now,
            letter_uid=row.uid,
        )
    return uid


def test_every_page_tells_a_player_whose_letters_come_back(site: Site) -> None:
    uid = come_back(site)
    account = page_text(site.visitor(BOB).get("/account"))
    assert (
        "Letters to bob@example.org come back since" in account
        and "The mail server said: 5.1.1 550 no such person" in account
    )
    for path in ("/", f"/matches/{uid}", "/rules"):
        assert "Letters to your address come back since" in page_text(
            site.visitor(BOB).get(path)
        ), path
        assert "come back" not in page_text(site.visitor(CHARLIE).get(path)), path
    assert "Letters to seat 2 come back" in page_text(site.visitor(ALICE).get(f"/matches/{uid}"))


def test_the_button_lets_letters_go_out_again(site: Site) -> None:
    uid, bob = come_back(site), site.visitor(BOB)
    site.harness.round(uid, [(name, "B3") for name in (ALICE, BOB, CHARLIE)])
    assert site.letters("report") and not [
        each for each in site.posted if each.address == address(BOB)
    ]
    site.recorder.sent.clear()
    told = page_text(bob.post("/account/letters", follow=True))
    assert "Letters go out to your address again" in told and "come back" not in told
    assert site.recorder.sent == [(wakeups.POST,)]
    assert {
        each.kind for each in site.letters("report") and site.posted if each.address == address(BOB)
    } >= {"report"}


def test_another_address_can_be_given_in_its_place(site: Site) -> None:
    uid, bob = come_back(site), site.visitor(BOB)
    page = bob.get("/account")
    assert 'value="bob@example.org"' in page.text
    bad = bob.post("/account/address", {"address": "bob@@"})
    assert bad.status_code == 400 and 'id="address-error"' in bad.text
    assert "on its way" in page_text(bob.post("/account/address", {"address": "bob@example.net"}))
    token = next(each for each in reversed(site.letters("signin")))["token"]
    bob.post(f"/sign-in/{token}")
    told = page_text(bob.get("/account"))
    assert "Letters go to bob@example.net" in told and "come back" not in told
    assert "You owe orders" in page_text(bob.get("/")) and uid in bob.page


def test_an_address_that_works_is_changed_by_nobody(small_site: Site) -> None:
    small_site.begin_match()
    charlie = small_site.visitor(CHARLIE)
    charlie.post("/account/address", {"address": "charlie@example.net"})
    charlie.post(f"/sign-in/{small_site.letters('signin')[-1]['token']}")
    with small_site.harness.database.read_tx() as session:
        assert session.get_one(Player, small_site.harness.people[CHARLIE]).address == address(
            CHARLIE
        )
