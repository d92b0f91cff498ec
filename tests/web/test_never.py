"""“Never write to me again”: a link in every invitation, one click, and the refusals to guests who
invite.
"""

from pathlib import Path

import pytest

from adjudicator.service.letters import suppression
from adjudicator.service.phases import beginning
from tests import clocks
from tests.cast import ALICE, BOB, address
from tests.harness import Harness
from tests.web.site import Site, page_text


def link(site: Site) -> str:
    site.make_open_match()
    return f"/letters/never/{site.letters('invitation')[-1]['never_token']}"


def barred(site: Site, to: str) -> bool:
    with site.harness.database.read_tx() as session:
        return suppression.why_suppressed(session, to) == "reader"


def test_the_link_asks_and_its_button_ends_all_letters(site: Site) -> None:
    path, stranger = link(site), site.visitor()
    page = stranger.get(path)
    assert "Never write to you again?" in page_text(page) and not barred(site, address(BOB))
    assert (
        page.headers["Referrer-Policy"] == "no-referrer"
        and page.headers["Cache-Control"] == "private, no-store"
    )
    assert "Nothing goes to your address from here any more" in page_text(
        stranger.post(path)
    ) and barred(site, address(BOB))
    assert address(BOB) not in page.text


def test_a_mail_programs_one_click_needs_no_form_and_may_come_twice(small_site: Site) -> None:
    path = link(small_site)
    for _ in range(2):
        assert (
            small_site.app.test_client()
            .post(path, data={"List-Unsubscribe": "One-Click"})
            .status_code
            == 200
        )
        assert barred(small_site, address(BOB)) and not barred(small_site, address(ALICE))


@pytest.mark.parametrize("token", ["guess", "x" * 26, "%00", "a" * 5000])
def test_an_unknown_link_says_so_and_stops_nothing(site: Site, token: str) -> None:
    link(site)
    for answer in (
        site.visitor().get(f"/letters/never/{token}"),
        site.visitor().client.post(f"/letters/never/{token}"),
    ):
        assert answer.status_code == 404 and "Nobody’s address" in page_text(answer)
    assert not barred(site, address(BOB))


def test_a_guest_is_told_what_inviting_needs_and_loses_nothing_typed(small_site: Site) -> None:
    guest = small_site.visitor()
    guest.post("/play")
    assert "You play as a guest: add your address first" in page_text(guest.get("/matches/new"))
    form = {
        "game": "pyramid",
        "name": "Mine",
        "every_hours": "48",
        "grace_minutes": "10",
        "open": "1",
        "play": "1",
        "invited": address(BOB),
    }
    answer = guest.post("/matches/new", form)
    assert answer.status_code == 403 and "players with a confirmed address" in page_text(answer)
    assert address(BOB) in answer.text and small_site.letters("invitation") == []


def test_a_guest_who_runs_a_match_passes_its_address_on(small_site: Site) -> None:
    guest = small_site.visitor()
    guest.post("/play")
    made = guest.post(
        "/matches/new",
        {
            "game": "pyramid",
            "name": "",
            "every_hours": "48",
            "grace_minutes": "10",
            "open": "1",
            "play": "1",
        },
    )
    uid = made.headers["Location"].rpartition("/")[2]
    beginning.prepare_match(
        small_site.harness.database, small_site.harness.keyring, uid, now=small_site.harness.now
    )
    assert "pass the address of this page on" in page_text(guest.get(f"/matches/{uid}"))
    assert guest.post(f"/matches/{uid}/invite", {"invited": address(BOB)}).status_code == 403


def test_the_hosts_caps_are_settings(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = Harness(sqlite_url)
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    site = Site.create(harness, tmp_path, invites_a_day=0)
    uid = site.make_open_match(invited=())
    answer = site.visitor(ALICE).post(f"/matches/{uid}/invite", {"invited": address(BOB)})
    assert (
        answer.status_code == 409
        and "A player may send 0 invitations within a day" in page_text(answer)
    )
    harness.dispose()
