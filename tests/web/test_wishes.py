"""Preferences on the site: the form and its page before a match by preference begins, and the names
of seats after.
"""

import pytest

from adjudicator.service.base import rows
from adjudicator.service.base.tables import Match
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.web.site import Site, page_text

FORM = {
    "game": "diplomacy",
    "name": "Europe",
    "players": "3",
    "every_hours": "48",
    "short_hours": "24",
    "grace_minutes": "10",
}
USUAL = {
    "house": "0",
    "skill": "sensible",
    "play": "1",
    "open": "1",
    "bots": "1",
    "seating": "preference",
}


def gathering(site: Site) -> str:
    """Alice's match for three, without any preferences yet."""
    return site.make_open_match(game="diplomacy", name="Europe", invited=(), players=3)


def made(site: Site, location: str) -> Match:
    with site.harness.database.read_tx() as session:
        return rows.by_uid(session, location.rpartition("/")[2])


def test_the_form_asks_for_wishes_and_for_the_hours_of_retreats_and_builds(
    small_site: Site,
) -> None:
    alice = small_site.visitor(ALICE)
    page = alice.get("/matches/new?game=diplomacy").text
    assert (
        'name="short_hours" type="number" inputmode="numeric" min="1" max="720" value=""'
        ' placeholder="24"' in page
    )
    assert (
        page.count('<select name="wish"') == 7 and '<option value="FRANCE">France</option>' in page
    )
    pyramid = alice.get("/matches/new?game=pyramid").text
    assert (
        "short_hours" not in pyramid
        and 'name="wish"' not in pyramid
        and 'name="seating"' not in pyramid
    )


def test_what_the_form_says_becomes_the_match_s(site: Site) -> None:
    answer = site.visitor(ALICE).post(
        "/matches/new", FORM | USUAL | {"wish": ["", "RUSSIA", "FRANCE"]}
    )
    match = made(site, answer.headers["Location"])
    assert (match.seating, match.every_seconds, match.short_seconds) == (
        "preference",
        48 * 3600,
        24 * 3600,
    )
    assert site.harness.seats(match.uid)[0].wishes == ["RUSSIA", "FRANCE"]


def test_R16_the_form_of_phoenix_offers_every_colour_to_two(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    assert "2 players, of Red, Blue, Pink and Green" in alice.get("/matches/new?game=phoenix").text
    answer = alice.post(
        "/matches/new",
        FORM | USUAL | {"game": "phoenix", "players": "2", "wish": ["Green", "Pink"]},
    )
    assert small_site.harness.seats(made(small_site, answer.headers["Location"]).uid)[0].wishes == [
        "Green",
        "Pink",
    ]


@pytest.mark.parametrize(("hours", "short"), [("48", 24), ("24", None), ("8", None)])
def test_left_empty_retreats_and_builds_are_a_day_and_never_longer_than_moves(
    small_site: Site, hours: str, short: int | None
) -> None:
    answer = small_site.visitor(ALICE).post(
        "/matches/new", FORM | USUAL | {"every_hours": hours, "short_hours": " "}
    )
    match = made(small_site, answer.headers["Location"])
    assert match.short_seconds == (short and short * 3600)


@pytest.mark.parametrize("game", ["diplomacy", "rsp-diplomacy"])
def test_a_new_match_has_private_press_and_one_against_the_house_has_none(
    small_site: Site, game: str
) -> None:
    alice = small_site.visitor(ALICE)
    answer = alice.post("/matches/new", FORM | USUAL | {"game": game})
    quick = alice.post("/play", {"game": game})
    assert [
        made(small_site, each.headers["Location"]).options["press"] for each in (answer, quick)
    ] == ["private", "none"]


def test_a_preset_has_shorter_retreats_and_builds_too(small_site: Site) -> None:
    answer = small_site.visitor(ALICE).post(
        "/matches/new", {"game": "diplomacy", "preset": "daily"}
    )
    match = made(small_site, answer.headers["Location"])
    assert (match.every_seconds, match.short_seconds) == (24 * 3600, 12 * 3600)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"wish": ["ITALY"]},
            "“ITALY” is not played in this match; wish for England, France or Russia.",
        ),
        ({"wish": ["FRANCE", "FRANCE"]}, "“FRANCE” stands twice among your wishes"),
        (
            {"wish": ["FRANCE"], "seating": "order"},
            "taken in the order of joining, so none can be wished for",
        ),
        ({"short_hours": "soon"}, "Write a whole number of hours, such as 24."),
        ({"short_hours": "999"}, "Retreats and builds may last from 1 to 720 hours"),
    ],
)
def test_a_fault_is_told_beside_its_field_and_the_wishes_are_kept(
    small_site: Site, changes: dict[str, object], sentence: str
) -> None:
    answer = small_site.visitor(ALICE).post(
        "/matches/new", FORM | USUAL | {"wish": ["FRANCE"]} | changes
    )
    assert answer.status_code == 400 and sentence in page_text(answer)
    assert "selected>" in answer.text.partition('name="wish"')[2]


def test_who_takes_a_seat_says_what_they_would_like(site: Site) -> None:
    uid = gathering(site)
    bob = site.visitor(BOB)
    page = page_text(bob.get(f"/matches/{uid}"))
    assert (
        "England (with Germany and Austria), France (with Turkey) and Russia (with Italy) are given"
        " as the match begins" in page
    )
    bob.post(f"/matches/{uid}/seat", {"wish": ["FRANCE", "", ""]})
    assert site.harness.seats(uid)[1].wishes == ["FRANCE"]
    page = page_text(bob.get(f"/matches/{uid}"))
    assert "; you have a seat." in page and "You have a seat. The match begins" in page


def test_wishes_can_be_changed_until_the_match_begins_and_only_their_player_sees_them(
    site: Site,
) -> None:
    uid = gathering(site)
    alice, bob = site.visitor(ALICE), site.visitor(BOB)
    alice.post(f"/matches/{uid}/wishes", {"wish": ["RUSSIA"]})
    assert '<option value="RUSSIA" selected>' in alice.get(f"/matches/{uid}").text
    assert "selected" not in bob.get(f"/matches/{uid}").text
    alice.post(f"/matches/{uid}/wishes", {"wish": [""]})
    assert site.harness.seats(uid)[0].wishes == []
    assert alice.post(f"/matches/{uid}/wishes", {"wish": ["SPAIN"]}).status_code == 400
    assert bob.post(f"/matches/{uid}/wishes", {"wish": ["FRANCE"]}).status_code == 403


def test_once_begun_the_pages_call_powers_by_their_names_and_tell_how_they_were_given(
    site: Site,
) -> None:
    uid = gathering(site)
    alice = site.visitor(ALICE)
    alice.post(f"/matches/{uid}/wishes", {"wish": ["RUSSIA", "ENGLAND"]})
    for name in (BOB, CHARLIE):
        site.visitor(name).post(f"/matches/{uid}/seat")
    assert site.harness.start_match(uid)
    page = page_text(alice.get(f"/matches/{uid}"))
    assert "; you play Russia." in page and "RUSSIA" not in page
    about = page_text(alice.get(f"/matches/{uid}/about"))
    assert (
        "wished, the dearest first, for Russia and England; plays Russia wished for nothing; plays"
        in about
    )
    assert (
        "England (with Germany and Austria), France (with Turkey) and Russia (with Italy) play"
        " here." in about
    )
    assert alice.post(f"/matches/{uid}/wishes", {"wish": ["FRANCE"]}).status_code == 409


def test_about_says_what_a_bare_number_means(small_site: Site) -> None:
    uid = gathering(small_site)
    about = page_text(small_site.visitor().get(f"/matches/{uid}/about"))
    assert "Supply centres that win 18 After a Fall, and more than anybody else has." in about
    assert (
        "The last year 1925 where a house bot plays, else no limit" in about
        and "equal ones share" not in about
    )


def test_an_invitation_to_a_match_by_preference_promises_no_power(small_site: Site) -> None:
    small_site.make_open_match(game="diplomacy", name="Europe", players=3, invited=(address(BOB),))
    (told,) = small_site.letters("invitation")
    page = page_text(small_site.visitor().get(f"/invitations/{told['token']}"))
    assert (
        "A seat in Europe , a match of Diplomacy" in page
        and "Russia (with Italy) are given as it begins" in page
    )
