"""Salts on *About*: only a player of the match gives one, sees that it stands, and reads it in the
phase that it counted for.
"""

from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, page_text


def test_a_player_gives_a_salt_on_about_and_is_shown_that_it_stands(site: Site) -> None:
    uid = site.begin_match()
    alice, bob = site.visitor(ALICE), site.visitor(BOB)
    answer = alice.post(f"/matches/{uid}/salt", {"salt": " three  red cars "})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/matches/{uid}/about#salt")
    assert "Your salt stands for the next phase that opens." in page_text(
        alice.get(f"/matches/{uid}/about")
    )
    others = page_text(bob.get(f"/matches/{uid}/about"))
    assert "Your salt" in others and "stands for the next phase that opens." not in others
    site.harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    assert "stands for the next" not in page_text(alice.get(f"/matches/{uid}/about"))
    site.harness.round(uid, [(ALICE, "B1"), (BOB, "B1"), (CHARLIE, "W1")])
    told = page_text(site.visitor().get(f"/matches/{uid}/phases/2"))
    assert (
        "Its dice and draws depend on a salt that a player gave before it opened:" in told
        and "three red cars" in told
    )
    assert "three red cars" not in page_text(site.visitor().get(f"/matches/{uid}/phases/1"))


def test_who_has_no_seat_sees_no_form_and_is_refused(small_site: Site) -> None:
    uid = small_site.begin_match()
    mallory = small_site.visitor(MALLORY)
    assert f"/matches/{uid}/salt" not in mallory.get(f"/matches/{uid}/about").text
    assert mallory.post(f"/matches/{uid}/salt", {"salt": "mine"}).status_code == 403
    assert small_site.visitor().post(f"/matches/{uid}/salt", {"salt": "mine"}).status_code in (
        303,
        403,
    )


def test_a_salt_that_is_refused_stays_in_its_field_beside_the_reason(small_site: Site) -> None:
    uid = small_site.begin_match()
    answer = small_site.visitor(ALICE).post(f"/matches/{uid}/salt", {"salt": "<" * 65})
    assert answer.status_code == 400
    assert "A salt has at most 64 characters; this one has 65." in page_text(answer)
    assert (
        'value="' + "&lt;" * 65 + '"' in answer.text
        and 'aria-describedby="salt-error"' in answer.text
    )


def test_a_form_without_its_token_gives_no_salt(small_site: Site) -> None:
    uid = small_site.begin_match()
    alice = small_site.visitor(ALICE)
    assert alice.client.post(f"/matches/{uid}/salt", data={"salt": "mine"}).status_code == 400
    assert "stands for the next" not in page_text(alice.get(f"/matches/{uid}/about"))


def test_the_address_of_the_form_leads_to_about(small_site: Site) -> None:
    uid = small_site.begin_match()
    answer = small_site.visitor(ALICE).get(f"/matches/{uid}/salt")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/matches/{uid}/about#salt")


def test_a_match_that_is_over_has_no_form(small_site: Site) -> None:
    uid = small_site.play_to_end()
    alice = small_site.visitor(ALICE)
    assert "Your salt" not in page_text(alice.get(f"/matches/{uid}/about"))
    assert alice.post(f"/matches/{uid}/salt", {"salt": "late"}).status_code == 409
