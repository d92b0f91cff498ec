"""Matches made, joined, left, filled and looked at."""

import pytest

from adjudicator.platform import wakeups
from adjudicator.service.base import rows
from adjudicator.service.base.tables import Match
from adjudicator.service.phases import closing
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.web.site import Site, page_text

TICKED = {"play": "1", "open": "1", "bots": "1"}
FORM = {
    "game": "pyramid",
    "name": "The Long Table",
    "every_hours": "48",
    "grace_minutes": "10",
    "house": "0",
    **TICKED,
}


def made(answer_location: str) -> str:
    return answer_location.rpartition("/")[2]


# --- making


def test_alice_makes_a_match_with_every_choice_of_the_form(site: Site) -> None:
    form = FORM | {
        "option-take": "all",
        "option-red": "True",
        "invited": f"{address(BOB)}, {address(CHARLIE)}",
        "every_hours": "12",
    }
    answer = site.visitor(ALICE).post("/matches/new", form)
    uid = made(answer.headers["Location"])
    assert answer.status_code == 303 and site.recorder.sent == [(wakeups.PREPARE, uid)]
    with site.harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        assert (match.name, match.every_seconds, match.grace_seconds) == (
            "The Long Table",
            12 * 3600,
            600,
        )
        assert match.options == {"take": "all", "red": True}


@pytest.mark.parametrize(
    ("preset", "hours", "free"), [("calm", 48, 2), ("daily", 24, 2), ("fast", 1, 0)]
)
def test_a_preset_is_one_click(small_site: Site, preset: str, hours: int, free: int) -> None:
    answer = small_site.visitor(ALICE).post("/matches/new", {"game": "pyramid", "preset": preset})
    page = small_site.harness.page(made(answer.headers["Location"]), ALICE)
    assert page.card.every_seconds == hours * 3600
    assert sum(1 for seat in page.card.seats if not seat.player) == free


@pytest.mark.parametrize(
    ("field", "typed", "where", "sentence"),
    [
        ("every_hours", "soon", "every_hours", "Write a whole number of hours"),
        ("every_hours", "²", "every_hours", "Write a whole number of hours"),
        ("grace_minutes", "-1", "grace_minutes", "Write a whole number of minutes"),
        ("house", "many", "house", "Write a whole number of house bots"),
        ("invited", "bob@", "invited", "does not read as an e-mail address"),
        ("every_hours", "100000", "", "1 to 720 hours"),
        ("name", "x" * 90, "", "60 letters at most"),
        ("house", "7", "house", "8 players for 3 seats"),
        ("players", "5", "players", "is played by 3, not by 5"),
        ("players", "all", "players", "Choose how many play Rock Paper Pyramid."),
        ("option-take", "nothing", "option-take", "“nothing” is not possible"),
    ],
)
def test_a_fault_is_told_by_its_field_and_the_form_is_kept(
    small_site: Site, field: str, typed: str, where: str, sentence: str
) -> None:
    answer = small_site.visitor(ALICE).post("/matches/new", FORM | {field: typed})
    assert answer.status_code == 400 and sentence in page_text(answer)
    assert f'value="{typed if field == "name" else "The Long Table"}"' in answer.text
    assert not where or f'id="{where}-error"' in answer.text
    assert not small_site.recorder.sent


def test_a_game_that_is_not_there_is_not_found(small_site: Site) -> None:
    assert small_site.visitor(ALICE).get("/matches/new?game=chess").status_code == 404
    assert (
        small_site.visitor(ALICE).post("/matches/new", FORM | {"game": "chess"}).status_code == 404
    )


def test_who_is_not_signed_in_is_led_to_the_sign_in_and_back(small_site: Site) -> None:
    assert (
        small_site.visitor().get("/matches/new").headers["Location"] == "/sign-in?next=/matches/new"
    )
    sent = small_site.visitor().post("/matches/new", FORM)
    # where the form is shown as it was sent
    assert sent.headers["Location"] == "/sign-in?next=/matches/new?kept%3D1"


# --- seats


def test_the_page_of_a_gathering_match_says_who_sits_where(site: Site) -> None:
    uid = site.make_open_match()
    master, stranger = (
        page_text(site.visitor(name).get(f"/matches/{uid}")) for name in (ALICE, MALLORY)
    )
    assert (
        f"kept for {address(BOB)}" in master
        and "Let house bots take the free seats" in master
        and "Give my seat back" in master
    )
    assert (
        address(BOB) not in stranger
        and "kept for somebody invited" in stranger
        and "Take a seat" in stranger
    )
    site.visitor(CHARLIE).post(f"/matches/{uid}/seat")
    bob, stranger = site.visitor(BOB), page_text(site.visitor(MALLORY).get(f"/matches/{uid}"))
    assert "A seat is kept for you." not in stranger and "Wait for a seat" in stranger
    invited = page_text(bob.get(f"/matches/{uid}"))
    assert "A seat is kept for you." in invited and "Wait for a seat" not in invited
    assert "you have seat 2" in page_text(bob.post(f"/matches/{uid}/seat", follow=True))


def test_charlie_takes_the_open_seat_and_gives_it_back(site: Site) -> None:
    uid, charlie = site.make_open_match(), site.visitor(CHARLIE)
    assert "You have seat 3" in page_text(charlie.post(f"/matches/{uid}/seat", follow=True))
    assert not site.recorder.sent, "a seat is free still"
    assert "Take a seat" in page_text(charlie.post(f"/matches/{uid}/leave", follow=True))


def test_a_seat_is_not_for_somebody_who_is_not_signed_in(small_site: Site) -> None:
    uid = small_site.make_open_match()
    assert (
        small_site.visitor().post(f"/matches/{uid}/seat").headers["Location"]
        == f"/sign-in?next=/matches/{uid}"
    )


def test_only_the_master_fills_a_match_with_bots(site: Site) -> None:
    uid = site.make_open_match(invited=())
    assert site.visitor(MALLORY).post(f"/matches/{uid}/fill").status_code == 403
    assert "Every seat is taken" in page_text(
        site.visitor(ALICE).post(f"/matches/{uid}/fill", follow=True)
    )
    assert (wakeups.START, uid) in site.recorder.sent


def test_what_cannot_be_done_is_a_sentence_and_changes_nothing(site: Site) -> None:
    uid, mallory = site.begin_match(), site.visitor(MALLORY)
    taken, left, stranger = (
        mallory.post(f"/matches/{uid}/seat"),
        site.visitor(ALICE).post(f"/matches/{uid}/leave"),
        mallory.post(f"/matches/{uid}/leave"),
    )
    assert [each.status_code for each in (taken, left, stranger)] == [409, 409, 403]
    assert "This match has begun" in page_text(left) and "Nothing was changed." in page_text(left)


# --- invitations


def test_bob_takes_his_seat_from_the_letter_and_is_signed_in(site: Site) -> None:
    site.make_open_match()
    bob = site.visitor()
    token = site.letters("invitation")[0]["token"]
    for _ in range(2):
        page = page_text(bob.get(f"/invitations/{token}"))
    assert (
        "Alice keeps a seat for you" in page and "Take the seat" in page and "No, thank you" in page
    )
    taken = bob.post(f"/invitations/{token}/accept", {"zone": "Europe/Berlin"}, follow=True)
    assert "You have seat 2" in page_text(taken)
    assert site.visitor().post(f"/invitations/{token}/accept").status_code == 404


def test_a_guest_who_takes_the_seat_of_a_letter_is_told_what_comes_along(site: Site) -> None:
    site.make_open_match()
    guest, token = site.visitor(), site.letters("invitation")[0]["token"]
    uid = made(guest.post("/play").headers["Location"])
    assert f"takes along what you play to the account of {address(BOB)}" in page_text(
        guest.get(f"/invitations/{token}")
    )
    assert "You have seat 2" in page_text(guest.post(f"/invitations/{token}/accept", follow=True))
    assert uid in guest.get("/").text and address(BOB) in page_text(guest.get("/account"))


def test_bob_may_decline_and_the_seat_is_open_to_all(site: Site) -> None:
    uid = site.make_open_match()
    token = site.letters("invitation")[0]["token"]
    assert "The seat is free again" in page_text(
        site.visitor().post(f"/invitations/{token}/decline")
    )
    assert site.harness.page(uid, ALICE).card.free == 2


def test_an_invitation_that_never_was_is_not_found(small_site: Site) -> None:
    for answer in (
        small_site.visitor().get("/invitations/guess"),
        small_site.visitor().post("/invitations/guess/accept"),
    ):
        assert answer.status_code == 404 and answer.headers["Referrer-Policy"] == "no-referrer"


# --- the page of a match


def test_an_observer_sees_the_board_and_no_form(site: Site) -> None:
    page = site.visitor().get(f"/matches/{site.begin_match()}")
    assert (
        'class="board pyramid"' in page.text
        and "You look on." in page_text(page)
        and "<textarea" not in page.text
    )


def test_the_story_of_the_last_report_stands_beside_the_board(site: Site) -> None:
    uid = site.begin_match()
    site.harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    page = page_text(site.visitor(ALICE).get(f"/matches/{uid}"))
    assert (
        "Round 1 was a full sweep: you showed black large" in page
        and "You took black medium and white medium: 4 pips." in page
    )


def test_who_handed_in_nothing_is_told_with_the_default(site: Site) -> None:
    uid = site.begin_match()
    site.harness.order(uid, ALICE, "B3")
    site.harness.later(hours=49)
    assert closing.close_phase(
        site.harness.database, site.harness.keyring, uid, now=site.harness.now
    )
    assert "2 (Bob) handed in no orders in time" in page_text(
        site.visitor(ALICE).get(f"/matches/{uid}")
    )


def test_an_ended_match_shows_the_standing(site: Site) -> None:
    page = page_text(site.visitor(BOB).get(f"/matches/{site.play_to_end()}"))
    assert "The match is over" in page and "Transcript" in page and "Bob (you)" in page


def test_a_stuck_match_says_that_nothing_was_lost_and_tells_the_fault_to_its_master_only(
    site: Site,
) -> None:
    uid = site.begin_match()
    with site.harness.database.write_tx() as session:
        row: Match = rows.by_uid(session, uid)
        row.status, row.trouble = "stuck", "KeyError in the fifth column"
    for name in (ALICE, BOB, None):
        page = page_text(site.visitor(name).get(f"/matches/{uid}"))
        assert "Nothing was lost" in page and ("fifth column" in page) == (name == ALICE)


def test_about_tells_the_options_and_the_anchors(small_site: Site) -> None:
    page = page_text(small_site.visitor().get(f"/matches/{small_site.begin_match()}/about"))
    assert (
        "the captured pieces" in page
        and "Anchor, hidden chance" in page
        and "2 days for each phase at most" in page
    )


def test_receipts_are_for_the_seat_itself(site: Site) -> None:
    uid = site.begin_match()
    answer = site.harness.order(uid, ALICE, "B3")
    assert answer.parts[0].commitment in site.visitor(ALICE).get(f"/matches/{uid}/receipts").text
    for name in (BOB, MALLORY, None):
        assert (
            answer.parts[0].commitment
            not in site.visitor(name).get(f"/matches/{uid}/receipts").text
        )
