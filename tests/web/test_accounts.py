"""Sign-in by link, and the account page."""

import pytest

from adjudicator.platform import wakeups
from adjudicator.service.base import rows
from adjudicator.service.base.tables import Player
from tests.cast import ALICE, BOB, MALLORY, address
from tests.web.site import Site, Visitor, page_text

LINK = "/sign-in/{}"


def ask(site: Site, visitor: Visitor, to: str, **fields: str) -> str:
    """Ask for a link and return the token in its letter."""
    assert "A letter is on its way" in page_text(
        visitor.post("/sign-in", {"address": to, "zone": "Europe/Paris", **fields})
    )
    return str(site.letters("signin")[-1]["token"])


def test_a_link_signs_in_once_and_only_by_its_button(site: Site) -> None:
    visitor = site.visitor()
    token = ask(site, visitor, "dora@example.org", next="/account")
    assert site.recorder.sent == [(wakeups.POST,)]
    for _ in range(2):
        assert "Press the button" in page_text(visitor.get(LINK.format(token)))
    entered = visitor.post(LINK.format(token), {"next": "/account"})
    assert entered.headers["Location"] == "/account" and "dora@example.org" in page_text(
        visitor.get("/account")
    )
    again = site.visitor().post(LINK.format(token))
    assert again.status_code == 409 and "was used already" in page_text(again)


def test_the_answer_is_the_same_whether_an_address_is_known_or_not(small_site: Site) -> None:
    small_site.harness.player(ALICE)
    pages = [
        page_text(small_site.visitor().post("/sign-in", {"address": to})).replace(to, "IT")
        for to in (address(ALICE), "new@example.org")
    ]
    assert pages[0] == pages[1]


def test_the_answer_is_the_same_however_often_one_asks_and_the_owner_gets_in(
    small_site: Site,
) -> None:
    def request(asking: str) -> str:
        visitor = small_site.visitor()
        form = {"address": address(ALICE), "csrf_token": visitor.token()}
        return page_text(
            visitor.client.post("/sign-in", data=form, environ_overrides={"REMOTE_ADDR": asking})
        )

    strangers = {request(f"198.51.100.{number}") for number in range(7)}
    assert len(strangers | {request("203.0.113.9")}) == 1 and len(small_site.letters("signin")) == 5
    small_site.harness.later(minutes=11)
    request("203.0.113.9")
    token = small_site.letters("signin")[-1]["token"]
    assert small_site.visitor().post(LINK.format(token)).status_code == 303


def test_a_page_to_go_on_to_is_no_room_for_somebodys_text(small_site: Site) -> None:
    small_site.visitor().post(
        "/sign-in", {"address": "dora@example.org", "next": "/" + "buy-this-" * 200}
    )
    assert small_site.letters("signin")[-1]["next"] == "/"


def test_what_is_no_address_is_said_beside_its_field_and_kept(small_site: Site) -> None:
    answer = small_site.visitor().post("/sign-in", {"address": "dora at example"})
    assert (
        answer.status_code == 400
        and "does not read as an e-mail address" in page_text(answer)
        and 'value="dora at example"' in answer.text
    )


@pytest.mark.parametrize(
    "next_page",
    [
        "https://elsewhere.example/",
        "//elsewhere.example",
        "/\\elsewhere.example",
        "javascript:alert(1)",
        "",
    ],
)
def test_sign_in_leads_nowhere_but_to_this_site(small_site: Site, next_page: str) -> None:
    visitor = small_site.visitor()
    token = ask(small_site, visitor, "dora@example.org", next=next_page)
    assert visitor.post(LINK.format(token), {"next": next_page}).headers["Location"] == "/"
    assert "elsewhere" not in small_site.visitor().get(f"/sign-in?next={next_page}").text


def test_a_guest_who_adds_an_address_keeps_the_match(site: Site) -> None:
    guest = site.visitor()
    uid = guest.post("/play").headers["Location"].rpartition("/")[2]
    assert "You play as a guest" in page_text(guest.get("/account"))
    assert "on its way" in page_text(
        guest.post("/account/address", {"address": "dora@example.org"})
    )
    token = site.letters("signin")[-1]["token"]
    elsewhere = site.visitor()
    assert "takes over that guest’s seats" in page_text(elsewhere.get(LINK.format(token)))
    assert "takes over" not in page_text(guest.get(LINK.format(token))), "who asked knows it"
    elsewhere.post(LINK.format(token))
    assert uid in elsewhere.get("/").text and "dora@example.org" in page_text(
        elsewhere.get("/account")
    )


def test_a_guests_session_and_forms_end_at_the_sign_in_that_replaces_them(site: Site) -> None:
    guest = site.visitor()
    guest.post("/play")
    guest.get("/account")
    cookies = {name: guest.client.get_cookie(name).value for name in ("sealed", "sealed-forms")}  # type: ignore[union-attr]  # they are set
    token = guest.token()
    guest.post("/account/address", {"address": "dora@example.org"})
    link = site.letters("signin")[-1]["token"]
    assert guest.post(f"/sign-in/{link}").status_code == 303
    assert (
        guest.get("/account").status_code == 200
        and guest.client.get_cookie("sealed").value != cookies["sealed"]
    )  # type: ignore[union-attr]
    changed = {"name": "Mallory", "zone": "UTC", "csrf_token": token}
    assert guest.client.post("/account", data=changed).status_code == 400, (
        "a form from before the sign-in"
    )
    guest.client.set_cookie("sealed-forms", cookies["sealed-forms"])
    assert guest.client.post("/account", data=changed).status_code == 400, (
        "nor with the secret from before"
    )
    thief = site.visitor()
    for name, value in cookies.items():
        thief.client.set_cookie(name, value)
    assert thief.get("/account").status_code == 303, "the token of the guest opens nothing"


def test_a_guests_wrong_address_is_told_beside_its_field(small_site: Site) -> None:
    guest = small_site.visitor()
    guest.post("/play")
    answer = guest.post("/account/address", {"address": "dora@@"})
    assert (
        answer.status_code == 400
        and 'id="address-error"' in answer.text
        and 'value="dora@@"' in answer.text
    )


def test_a_player_changes_name_zone_and_letters(site: Site) -> None:
    alice = site.visitor(ALICE)
    page = alice.post(
        "/account",
        {"name": "Alice the Elder", "zone": "America/New_York", "receipts": "1"},
        follow=True,
    )
    assert "Saved." in page_text(page) and "Alice the Elder" in page_text(page)
    with site.harness.database.read_tx() as session:
        row = session.get_one(Player, site.harness.people[ALICE])
        assert (row.zone, row.receipts, row.letters) == ("America/New_York", True, False)


def test_the_account_says_in_which_language_and_how_numbers_are_written(small_site: Site) -> None:
    told = page_text(small_site.visitor(ALICE).get("/account", headers={"Accept-Language": "de"}))
    assert "Pages and letters are in English" in told and "12,345 points, " in told


def test_each_fault_stands_beside_its_field_and_nothing_typed_is_lost(small_site: Site) -> None:
    answer = small_site.visitor(ALICE).post(
        "/account", {"name": " ", "zone": "Paris in spring", "letters": "1"}
    )
    assert (
        answer.status_code == 400
        and 'id="name-error"' in answer.text
        and 'id="zone-error"' in answer.text
    )
    assert (
        'value="Paris in spring"' in answer.text
        and 'name="letters" value="1" checked' in answer.text
    )
    assert 'name="receipts" value="1" checked' not in answer.text


def test_times_are_told_in_the_readers_zone(small_site: Site) -> None:
    uid = small_site.begin_match()
    alice = small_site.visitor(ALICE)
    assert "Wed 4 Nov 12:00 (UTC)" in page_text(small_site.visitor().get(f"/matches/{uid}"))
    alice.post("/account", {"name": ALICE, "zone": "Asia/Tokyo"})
    assert "Wed 4 Nov 21:00 (Tokyo)" in page_text(alice.get(f"/matches/{uid}"))


def test_sign_out_ends_the_session_itself(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    cookie = alice.client.get_cookie("sealed")
    assert cookie is not None
    answer = alice.post("/sign-out")
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"', (
        "the next person at this browser finds no page and no draft"
    )
    thief = small_site.visitor()
    small_site.enter(thief, cookie.value)
    assert thief.get("/account").status_code == 303 and alice.client.get_cookie("sealed") is None


def test_the_account_asks_who_you_are_and_leads_back(small_site: Site) -> None:
    assert small_site.visitor().get("/account").headers["Location"] == "/sign-in?next=/account"


def test_a_session_token_of_somebody_else_cannot_be_guessed_from_its_hash(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    cookie = alice.client.get_cookie("sealed")
    assert cookie is not None
    mallory = small_site.visitor(MALLORY)
    small_site.enter(mallory, rows.token_hash(cookie.value))
    assert mallory.get("/account").status_code == 303


def test_letters_to_bob_do_not_sign_alice_out(small_site: Site) -> None:
    alice, bob = small_site.visitor(ALICE), small_site.visitor()
    token = ask(small_site, bob, address(BOB))
    bob.post(LINK.format(token))
    assert address(ALICE) in page_text(alice.get("/account"))


def test_sign_in_leads_back_to_where_one_was(small_site: Site) -> None:
    uid = small_site.begin_match()
    assert (
        f'href="/sign-in?next=/matches/{uid}/about"'
        in small_site.visitor().get(f"/matches/{uid}/about").text
    )
    assert (
        f'href="/sign-in?next=/matches/{uid}"'
        in small_site.visitor().post(f"/matches/{uid}/orders", {"text": "B3"}).text
    )
    assert 'href="/sign-in"' in small_site.visitor().get("/nothing").text
