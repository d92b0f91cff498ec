"""Nobody gets a page that was kept for another, and what a seat hides makes no page of others anew:
its time would tell.
"""

import pytest
from sqlmodel import select

from adjudicator.service.base.tables import Match, Player
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.kept import VIEWERS, begin, keeps, made, stored
from tests.web.site import Site, page_text


def test_nobody_gets_the_page_of_another(site: Site) -> None:
    keeps(site)
    uid = begin(site)
    visitors = {name: site.visitor(name) for name in VIEWERS}
    for _ in range(2):
        for name, visitor in visitors.items():
            page = visitor.get(f"/matches/{uid}").text
            assert ("You owe orders" in page) == (name in (ALICE, BOB, CHARLIE))
            assert (
                f"<bdi>{name}</bdi></a>\n  </nav>" in page.replace("    </nav>", "  </nav>")
            ) or name is None
            assert ("/account" in page) == (name is not None)


def test_an_ended_session_gets_a_visitors_page(site: Site) -> None:
    keeps(site)
    uid, alice = begin(site), site.visitor(ALICE)
    tag = alice.get(f"/matches/{uid}").headers["ETag"]
    assert alice.post("/sign-out").status_code == 303
    alice.client.set_cookie("sealed", site.harness.enter(BOB))
    assert "You owe orders" in alice.get(f"/matches/{uid}").text
    alice.client.delete_cookie("sealed")
    answer = alice.get(f"/matches/{uid}", headers={"If-None-Match": tag})
    assert (
        answer.status_code == 200
        and "You owe orders" not in answer.text
        and "Sign in" in answer.text
    )


def set_private(site: Site, uid: str, *, private: bool) -> None:
    with site.harness.database.write_tx() as session:
        session.exec(select(Match).where(Match.uid == uid)).one().private = private


def test_a_private_match_stays_hidden_while_its_pages_are_kept(site: Site) -> None:
    keeps(site)
    uid, bob = begin(site), site.visitor(BOB)
    pages = (f"/matches/{uid}", f"/matches/{uid}/phases/1")
    for private in (False, True, False, True):
        set_private(site, uid, private=private)
        tags = [bob.get(path).headers["ETag"] for path in pages]
        for name in (None, MALLORY):
            visitor = site.visitor(name)
            for path, tag in zip(pages, tags, strict=True):
                assert (
                    visitor.get(path, headers={"If-None-Match": tag}).status_code
                    == visitor.get(path).status_code
                    == (404 if private else 200)
                )


def test_an_anonymous_match_keeps_no_name_until_it_has_ended(site: Site) -> None:
    kept, harness = keeps(site), site.harness
    wish = Wish("diplomacy", "Masks", {"anonymous": True, "year_limit": 1901}, players=3)
    uid = harness.match(ALICE, BOB, CHARLIE, wish=wish)
    harness.later(hours=1)
    visitors = {name: site.visitor(name) for name in VIEWERS}
    for visitor in visitors.values():
        for path in ("", "/phases/0"):
            visitor.get(f"/matches/{uid}{path}")
    viewers = {harness.people.get(name or ""): name for name in VIEWERS}
    assert len(kept.pages) == 2 * len(VIEWERS)
    for (viewer, _), page in stored(kept).items():
        others = {BOB, CHARLIE} - {viewers[viewer[0]]}
        assert not any(name.encode() in b"".join(page.parts) for name in others)
    while harness.page(uid).card.status != "ended":
        harness.later(hours=60)
        assert harness.close(uid)
    assert all(BOB in page_text(visitor.get(f"/matches/{uid}")) for visitor in visitors.values())


def test_a_new_name_in_an_anonymous_match_makes_no_other_page_anew(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps(site)
    uid = site.harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("diplomacy", "Masks", {"anonymous": True}, players=3)
    )
    site.harness.later(hours=1)
    found, visitors = (
        made(site, monkeypatch),
        [site.visitor(name) for name in (None, MALLORY, CHARLIE)],
    )
    for name in (BOB, "Robert"):
        with site.harness.database.write_tx() as session:
            session.get_one(Player, site.harness.people[BOB]).name = name
        for visitor in visitors:
            visitor.get(f"/matches/{uid}")
    assert len(found) == len(visitors)


# --- what is known to one seat alone


def test_what_a_seat_hides_makes_no_other_page_anew(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps(site)
    uid, found = begin(site), made(site, monkeypatch)
    others = {name: site.visitor(name) for name in (None, MALLORY, ALICE, CHARLIE)}
    for visitor in others.values():
        visitor.get(f"/matches/{uid}")
    found.clear()
    hide = (
        lambda: site.harness.order(uid, BOB, "W3"),
        lambda: site.harness.order(uid, BOB, "C3"),
        lambda: site.harness.order(uid, BOB, "nonsense"),
        lambda: site.visitor(BOB).post(f"/matches/{uid}/say", {"says": "wait", "phase": "2"}),
        lambda: site.visitor(BOB).get(f"/matches/{uid}/receipts"),
    )
    for act in hide:
        act()
        bob = len(found)
        for visitor in others.values():
            visitor.get(f"/matches/{uid}")
        assert len(found) == bob, "a page that takes longer would tell it"


def test_private_press_makes_only_its_readers_pages_anew(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps(site)
    wish = Wish("diplomacy", "Europe", {"press": "private"}, players=3)
    uid = site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    site.harness.later(hours=1)
    found, visitors = made(site, monkeypatch), {name: site.visitor(name) for name in VIEWERS}
    for visitor in visitors.values():
        visitor.get(f"/matches/{uid}")
    seats = {seat.player: seat.name for seat in site.harness.page(uid, ALICE).card.seats}
    draft = PressDraft((seats[CHARLIE],), "Between us.")
    messages.write_press(
        site.harness.database, uid, site.harness.people[BOB], draft, now=site.harness.now
    )
    anew = []
    for name, visitor in visitors.items():
        found.clear()
        visitor.get(f"/matches/{uid}")
        anew += [name] * len(found)
    assert set(anew) <= {BOB, CHARLIE} and CHARLIE in anew
    assert "not read" in visitors[CHARLIE].get(f"/matches/{uid}").text
