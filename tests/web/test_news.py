"""News of a match: what has changed for each viewer; it never reveals that another seat has sealed
orders.
"""

from datetime import timedelta

import pytest

from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.views.news import Mark
from tests.cast import ALICE, BOB, CHARLIE
from tests.web.site import Site, Visitor


def mark_of(visitor: Visitor, uid: str) -> str:
    """Return the mark of the page as rendered now."""
    return visitor.get(f"/matches/{uid}").text.partition('data-mark="')[2].partition('"')[0]


def words(visitor: Visitor, uid: str, since: str) -> str:
    """Return the words of the news, "" if there is none."""
    told = visitor.get(f"/matches/{uid}/news?since={since}").get_json()
    assert (told["mark"] == since) == (told["words"] == "")
    return str(told["words"])


def test_the_page_and_the_news_have_one_mark_and_no_news_has_no_body(site: Site) -> None:
    uid, charlie = site.begin_match(), site.visitor(CHARLIE)
    mark = mark_of(charlie, uid)
    answer = charlie.get(
        f"/matches/{uid}/news?since={mark}", headers={"If-None-Match": f'"{mark}"'}
    )
    assert (answer.status_code, answer.data) == (304, b"")
    assert Mark.read(mark) is not None and len(charlie.get(f"/matches/{uid}/news").data) < 200


def test_what_others_seal_is_no_news_to_anybody_until_the_phase_closes(site: Site) -> None:
    uid = site.begin_match()
    watching = {
        visitor: mark_of(visitor, uid) for visitor in (site.visitor(CHARLIE), site.visitor())
    }
    for name, text in ((ALICE, "B3\nwait"), (BOB, "W3"), (ALICE, "B2\nready")):
        site.harness.order(uid, name, text)
        assert [words(visitor, uid, mark) for visitor, mark in watching.items()] == ["", ""]
    site.harness.order(uid, CHARLIE, "C1")
    stranger = [*watching][1]
    # all are ready; only the closing reveals it
    assert words(stranger, uid, watching[stranger]) == ""
    site.harness.close(uid)
    assert [words(visitor, uid, mark) for visitor, mark in watching.items()] == [
        "Round 2 is open",
        "Round 2 is open",
    ]


def test_ones_own_orders_from_elsewhere_are_news_to_oneself_alone(site: Site) -> None:
    uid, charlie, bob = site.begin_match(), site.visitor(CHARLIE), site.visitor(BOB)
    marks = mark_of(charlie, uid), mark_of(bob, uid)
    site.harness.order(uid, CHARLIE, "C1")
    assert (words(charlie, uid, marks[0]), words(bob, uid, marks[1])) == (
        "You sealed or said something elsewhere",
        "",
    )


def test_a_pause_a_moved_deadline_and_the_end_are_told_in_words(site: Site) -> None:
    uid, bob = site.begin_match(), site.visitor(BOB)
    harness, mark = site.harness, mark_of(bob, uid)
    masters.move_deadline(
        harness.database, uid, None, harness.now + timedelta(hours=5), now=harness.now
    )
    assert words(bob, uid, mark) == "The deadline is another one"
    masters.pause_match(harness.database, uid, None, now=harness.now)
    assert words(bob, uid, mark) == "The match is paused"
    assert words(bob, uid, "nonsense") == "There is news"


def test_the_end_is_told(small_site: Site) -> None:
    bob = small_site.visitor(BOB)
    uid = small_site.begin_match()
    mark = mark_of(bob, uid)
    for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2"):
        small_site.harness.round(uid, [(name, piece) for name in (ALICE, BOB, CHARLIE)])
    assert (
        words(bob, uid, mark) == "The match is over"
        and "data-news" not in bob.get(f"/matches/{uid}").text
    )


def test_who_is_signed_out_meanwhile_is_told_so(small_site: Site) -> None:
    uid, bob = small_site.begin_match(), small_site.visitor(BOB)
    mark = mark_of(bob, uid)
    assert words(small_site.visitor(), uid, mark) == "You are not signed in any more"


@pytest.mark.parametrize(
    ("to", "told"),
    [
        (("FRANCE",), ["There is new press", "", "", ""]),
        ((), ["There is new press"] * 2 + ["", "There is new press"]),
    ],
)
def test_press_is_news_to_those_who_may_read_it_and_did_not_write_it(
    site: Site, to: tuple[str, ...], told: list[str]
) -> None:
    wish = Wish("diplomacy", "Press", {"press": "private"}, players=3, seating="order")
    uid = site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    names = {seat.name: seat.player for seat in site.harness.page(uid).card.seats}
    france, writer = names["FRANCE"], next(name for seat, name in names.items() if seat != "FRANCE")
    third = next(name for name in names.values() if name not in (france, writer))
    viewers = [site.visitor(france), site.visitor(third), site.visitor(writer), site.visitor()]
    marks = [mark_of(viewer, uid) for viewer in viewers]
    messages.write_press(
        site.harness.database,
        uid,
        site.harness.people[writer],
        PressDraft(to, "Meet me in the Channel"),
        now=site.harness.now,
    )
    assert [words(viewer, uid, mark) for viewer, mark in zip(viewers, marks, strict=True)] == told


def test_press_is_offered_beside_the_page_only_where_nothing_else_is_new(small_site: Site) -> None:
    wish = Wish("diplomacy", "Press", {"press": "public"}, players=3, seating="order")
    harness, bob = small_site.harness, small_site.visitor(BOB)
    uid = harness.match(ALICE, BOB, CHARLIE, wish=wish)
    since = mark_of(bob, uid)

    def offered() -> str:
        return str(bob.get(f"/matches/{uid}/news?since={since}").get_json()["press"])

    messages.write_press(
        harness.database,
        uid,
        harness.people[ALICE],
        PressDraft((), "Meet me in the Channel"),
        now=harness.now,
    )
    assert offered() == f"/matches/{uid}/press"
    masters.move_deadline(
        harness.database, uid, None, harness.now + timedelta(hours=5), now=harness.now
    )
    assert offered() == ""


def test_the_address_of_an_answer_leads_back_to_the_match(small_site: Site) -> None:
    uid, bob = small_site.begin_match(), small_site.visitor(BOB)
    for path in ("orders", "say", "sealed"):
        answer = bob.get(f"/matches/{uid}/{path}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/matches/{uid}")
