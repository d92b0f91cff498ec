"""The page of a player's absences."""

import pytest

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, page_text

PAGE = "/account/absences"
CANCEL = "/account/absences/cancel"


def test_an_absence_is_added_listed_and_cancelled(site: Site) -> None:
    visitor = site.visitor(ALICE)
    for _ in range(2):
        assert (
            visitor.post(PAGE, {"first": "2026-12-20", "last": "2027-01-03"}).headers["Location"]
            == f"{PAGE}?saved=1"
        )
    shown = page_text(visitor.get(PAGE))
    assert shown.count("from Sun 20 Dec 2026 to Sun 3 Jan 2027") == 1
    assert visitor.post(CANCEL, {"first": "2026-12-20"}).status_code == 303
    assert "You have no absence ahead." in page_text(visitor.get(PAGE))
    again = visitor.post(CANCEL, {"first": "2026-12-20"})
    assert again.status_code == 400 and "You have no absence on 2026-12-20" in page_text(again)


def test_one_day_needs_no_last_day(site: Site) -> None:
    visitor = site.visitor(ALICE)
    visitor.post(PAGE, {"first": "2026-12-24"})
    assert "on Thu 24 Dec 2026" in page_text(visitor.get(PAGE))


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("", "", "is no day"),
        ("2026-12-20", "soon", "“soon” is no day"),
        ("2026-12-20", "2026-12-01", "before it begins"),
        ("2026-12-20", "2027-06-01", "at most 60 days"),
        ("9999-12-31", "", "two years ahead"),
        ("2026-12-20\0", "", "is no day"),
    ],
)
def test_what_cannot_be_an_absence_is_told_beside_its_field_and_kept(
    site: Site, first: str, last: str, sentence: str
) -> None:
    answer = site.visitor(ALICE).post(PAGE, {"first": first, "last": last})
    assert answer.status_code == 400 and sentence in page_text(answer)
    assert not last or f'value="{last}"' in answer.text


def test_nobody_sees_anothers_absences_and_visitors_sign_in_first(site: Site) -> None:
    site.visitor(ALICE).post(PAGE, {"first": "2026-12-20"})
    assert "20 Dec" not in site.visitor(MALLORY).get(PAGE).text
    assert site.visitor().get(PAGE).headers["Location"].startswith("/sign-in")
    assert (
        site.visitor()
        .post(PAGE, {"first": "2026-12-20"})
        .headers["Location"]
        .startswith("/sign-in")
    )


def test_the_page_tells_what_each_match_makes_of_absences_and_which_deadline_stays(
    site: Site,
) -> None:
    harness = site.harness
    harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Honours", {}, every_hours=24))
    harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Quick", {}, every_hours=1))
    visitor = site.visitor(ALICE)
    tomorrow = f"{harness.now.date():%Y-%m-%d}"
    visitor.post(PAGE, {"first": tomorrow, "last": "2026-11-20"})
    shown = page_text(visitor.get(PAGE))
    assert (
        "honours 21 days a year; left: 21 for 2026. The deadline of Round 1 lies in your absence"
        in shown
    )
    assert "moves no deadline past absences." in shown


def test_a_match_is_made_with_days_of_absence(site: Site) -> None:
    visitor = site.visitor(ALICE)
    form = {
        "game": "pyramid",
        "every_hours": "48",
        "grace_minutes": "10",
        "house": "2",
        "play": "1",
        "bots": "1",
    }
    made = visitor.post("/matches/new", {**form, "absence_days": "9"})
    assert "by at most 9 days a year for each player" in page_text(
        visitor.get(f"{made.headers['Location']}/about")
    )
    made = visitor.post("/matches/new", {**form, "absence_days": "0"})
    assert "move no deadline" in page_text(visitor.get(f"{made.headers['Location']}/about"))
    for wrong in ("61", "x"):
        answer = visitor.post("/matches/new", {**form, "absence_days": wrong})
        assert answer.status_code == 400 and f'value="{wrong}"' in answer.text
