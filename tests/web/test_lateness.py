"""Overtime and reminders on the site: the form for a match, the account, and what each viewer sees
while overtime runs.
"""

import pytest

from adjudicator.service.base import rows
from adjudicator.service.base.tables import Match, Player
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE
from tests.web.site import Site, page_text

FORM = {
    "game": "pyramid",
    "name": "Late",
    "every_hours": "48",
    "grace_minutes": "10",
    "house": "2",
    "play": "1",
    "open": "1",
    "bots": "1",
}


def made(site: Site, form: dict[str, str]) -> Match:
    answer = site.visitor(ALICE).post("/matches/new", form)
    assert answer.status_code == 303, page_text(answer)
    with site.harness.database.read_tx() as session:
        found = rows.by_uid(session, answer.headers["Location"].rpartition("/")[2])
        session.expunge(found)
    return found


def test_the_form_sets_overtime_and_reminders(small_site: Site) -> None:
    match = made(small_site, FORM | {"overtime": "90 min", "reminders": "12 h and 45 min"})
    assert (match.overtime_seconds, match.reminders) == (5400, [720, 45])
    assert (made(small_site, FORM).overtime_seconds, made(small_site, FORM).reminders) == (
        0,
        [1440, 180],
    )
    assert made(small_site, FORM | {"reminders": ""}).reminders == []


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("overtime", "a while", "“a while” does not read as a time."),
        ("overtime", "25", "at most half as long as a phase, here 24 hours."),
        ("reminders", "1 min", "A reminder comes from 5 minutes to 14 days before the deadline."),
    ],
)
def test_what_cannot_be_is_told_beside_its_field(
    small_site: Site, field: str, typed: str, told: str
) -> None:
    answer = small_site.visitor(ALICE).post("/matches/new", FORM | {field: typed})
    assert (
        answer.status_code == 400
        and told in page_text(answer)
        and f'id="{field}-error"' in answer.text
    )
    assert f'value="{typed}"' in answer.text, "what was typed stays"


def test_the_account_turns_reminders_off(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    assert 'name="reminders" value="1" checked' in alice.get("/account").text
    alice.post("/account", {"name": "Alice", "zone": "UTC", "letters": "1", "receipts": "1"})
    assert 'name="reminders" value="1">' in alice.get("/account").text
    with small_site.harness.database.read_tx() as session:
        assert not session.get_one(Player, small_site.harness.people[ALICE]).reminders


def test_everybody_sees_the_overtime_and_only_a_master_without_a_seat_who_is_late(
    small_site: Site,
) -> None:
    harness = small_site.harness
    harness.player("Dora")
    uid = harness.prepare_match(
        Wish("pyramid", "Late", {}, overtime_minutes=360, play=False), "Dora", ALICE, BOB, CHARLIE
    )
    assert harness.start_match(uid)
    harness.order(uid, ALICE, "B3")
    harness.later(hours=48, minutes=10)
    assert not harness.close(uid)
    seen = {
        who: page_text(small_site.visitor(who).get(f"/matches/{uid}"))
        for who in (ALICE, BOB, "Dora", None)
    }
    about = {
        who: page_text(small_site.visitor(who).get(f"/matches/{uid}/about"))
        for who in (ALICE, BOB, "Dora", None)
    }
    assert all("overtime until" in text for text in seen.values())
    assert (
        "You were in time, and can still change your orders; they are then told as late."
        in seen[ALICE]
    )
    assert "You handed in nothing before the deadline. What comes now counts" in seen[BOB]
    assert "Wait for the" not in seen[ALICE], "it would wait for nobody who was in time"
    assert "Late: seats 2 and 3." in about["Dora"] and not any(
        "Late: " in about[who] for who in (ALICE, BOB, None)
    )
    assert all("granted Round 1 overtime until" in text for text in about.values())
    assert (
        "6 hours, at most half of a phase" in about[None]
        and "24 hours and 3 hours before a deadline" in about[None]
    )
    assert "in overtime until" in page_text(small_site.visitor(BOB).get("/"))
