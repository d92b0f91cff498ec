"""Private matches: to outsiders they do not exist, on any page; who opened a link sees one as an
observer does.
"""

import re
from datetime import timedelta

import pytest
import time_machine
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow
from adjudicator.service.base.tables import Player
from adjudicator.service.handover import leaving, substitutes, sweeping, takeovers
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.starting import links, privacy
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.sampling import sample
from tests.web.site import Site, Visitor, page_text, without_tokens

UNKNOWN = "nqwhere22"  # as long as every public name
PIECES = ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2")


def hidden_wish(**changes: object) -> Wish:
    return Wish("pyramid", "Hidden Table", {}, private=True, **changes)  # type: ignore[arg-type]  # as its test wants it


def begin(site: Site, *, rounds: int = 0) -> str:
    """Begin a private match of Alice, Bob and Charlie, and play so many rounds."""
    wish = hidden_wish(invited=(address(BOB), address(CHARLIE)))
    uid = site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    for piece in PIECES[:rounds]:
        site.harness.round(uid, [(name, piece) for name in (ALICE, BOB, CHARLIE)])
    return uid


def rules(site: Site) -> list[Rule]:
    """Return every address below that of a match."""
    found = [rule for rule in site.app.url_map.iter_rules() if "uid" in rule.arguments]
    assert len(found) > 20
    return found


def path(rule: Rule, uid: str) -> str:
    return re.sub(r"<int:\w+>", "1", str(rule).replace("<uid>", uid))


def ask(
    visitor: Visitor, rule: Rule, method: str, uid: str
) -> tuple[int, list[tuple[str, str]], str]:
    """Return a whole response, with the match's name and tokens masked."""
    data = {"csrf_token": visitor.token()} if method == "POST" else None
    answer: TestResponse = visitor.client.open(
        path(rule, uid), method=method, data=data, buffered=True
    )
    return (
        answer.status_code,
        sorted(answer.headers),
        without_tokens(answer.text).replace(uid, "UID"),
    )


@pytest.mark.parametrize("rounds", sample([1, 8, 0], 1))
def test_every_page_of_a_private_match_answers_an_outsider_as_if_there_was_none(
    site: Site, rounds: int
) -> None:
    with time_machine.travel(site.harness.now, tick=False):
        uid = begin(site, rounds=rounds)
        for name in (MALLORY, None):
            outsider = site.visitor(name)
            outsider.get("/")
            for rule in rules(site):
                for method in sorted(rule.methods or ()):
                    there, nowhere = (
                        ask(outsider, rule, method, uid),
                        ask(outsider, rule, method, UNKNOWN),
                    )
                    assert there == nowhere and there[0] == 404, (rule, method, name)


def test_its_people_see_every_page(site: Site) -> None:
    uid = begin(site)
    masters.appoint_master(site.harness.database, "runs-all@example.org", now=site.harness.now)
    site.harness.people["Runs"] = site.harness.player("runs-all@example.org")
    for name in (ALICE, BOB, CHARLIE, "Runs"):
        visitor = site.visitor(name)
        for rule in rules(site):
            if "GET" in (rule.methods or ()) and rule.endpoint not in (
                "history.transcript",
                "history.saved_game",
                "trials.of_phase",
                "boards.board",
                "matches.receipt_file",  # not found by those who have no such receipt
            ):
                assert visitor.get(path(rule, uid)).status_code in (200, 303, 304), rule


def test_it_is_listed_nowhere(site: Site) -> None:
    for rounds in (0, 1, 8):
        site.harness.later(days=2)
        uid = begin(site, rounds=rounds)
        site.make_open_match(private=True, name="Hidden and open", open_seats=True)
        for name in (MALLORY, None):
            for page in ("/", "/metrics", "/rules", "/robots.txt", "/matches/new"):
                seen = site.visitor(name).get(page).text
                assert "Hidden" not in seen and uid not in seen, page
    assert "Hidden Table" in site.visitor(BOB).get("/").text


def test_who_leaves_knows_nothing_of_it_any_more(site: Site) -> None:
    uid = site.make_open_match(private=True)
    give(site, uid, "join")
    mallory = site.visitor(MALLORY)
    mallory.client.set_cookie("sealed", site.harness.enter(MALLORY))
    links.join_by_link(
        site.harness.database,
        token(site, uid, "join"),
        site.harness.people[MALLORY],
        now=site.harness.now,
    )
    assert mallory.get(f"/matches/{uid}").status_code == 200
    mallory.post(f"/matches/{uid}/leave")
    assert mallory.get(f"/matches/{uid}").status_code == 404


# --- its link


def give(site: Site, uid: str, kind: links.Kind, *, off: bool = False) -> None:
    links.change_link(
        site.harness.database, uid, site.harness.people[ALICE], kind, off=off, now=site.harness.now
    )


def token(site: Site, uid: str, kind: links.Kind) -> str:
    with site.harness.database.read_tx() as session:
        made = links.links_for(session, uid, site.harness.people[ALICE])
    found = made.watch if kind == "watch" else made.join
    assert found is not None
    return found


@pytest.mark.parametrize("name", [MALLORY, None])
def test_the_bearer_of_the_link_observes_without_the_secret_in_any_address(
    site: Site, name: str | None
) -> None:
    uid, guest = begin(site, rounds=1), site.visitor(name)
    give(site, uid, "watch")
    answer = guest.get(f"/watch/{token(site, uid, 'watch')}")
    assert answer.status_code == 303 and answer.location == f"/matches/{uid}"
    assert (
        answer.headers["Referrer-Policy"] == "no-referrer"
        and "no-store" in answer.headers["Cache-Control"]
    )
    for page in ("", "/about", "/history", "/phases/1", "/news"):
        seen = guest.get(f"/matches/{uid}{page}")
        assert seen.status_code == 200 and token(site, uid, "watch") not in seen.text
    assert (
        "Receipts" not in guest.get(f"/matches/{uid}").text
        and "Secret links" not in guest.get(f"/matches/{uid}/about").text
    )
    assert site.visitor().get(f"/matches/{uid}").status_code == 404, (
        "another browser knows nothing of it"
    )


def test_a_renewed_link_shuts_out_the_bearers_of_the_old_one(site: Site) -> None:
    uid, guest = begin(site), site.visitor()
    give(site, uid, "watch")
    old = token(site, uid, "watch")
    guest.get(f"/watch/{old}")
    give(site, uid, "watch")
    assert (
        guest.get(f"/matches/{uid}").status_code == 404
        and guest.get(f"/watch/{old}").status_code == 404
    )
    guest.get(f"/watch/{token(site, uid, 'watch')}")
    assert guest.get(f"/matches/{uid}").status_code == 200
    give(site, uid, "watch", off=True)
    assert guest.get(f"/matches/{uid}").status_code == 404
    assert [note.what for note in site.harness.page(uid).notes] == [
        "switched off the link that shows the match",
        "renewed the link that shows the match",
        "made a link that shows the match",
    ]


def test_the_link_stays_when_its_bearer_signs_in(site: Site) -> None:
    uid, guest = begin(site), site.visitor()
    give(site, uid, "watch")
    guest.get(f"/watch/{token(site, uid, 'watch')}")
    guest.post("/sign-in", {"address": address(MALLORY)})
    link = site.letters("signin")[0]["token"]
    guest.get(f"/sign-in/{link}")
    guest.post(f"/sign-in/{link}")
    assert (
        "Sign in" not in page_text(guest.get("/account"))
        and guest.get(f"/matches/{uid}").status_code == 200
    )


def test_an_invited_person_sees_it_by_the_invitation(site: Site) -> None:
    site.make_open_match(private=True, name="Hidden Table")
    uid, guest = site.harness.page(_only(site)).card.uid, site.visitor()
    guest.get(f"/invitations/{site.letters('invitation')[0]['token']}")
    assert guest.get(f"/matches/{uid}").status_code == 200
    assert site.visitor(BOB).get(f"/matches/{uid}").status_code == 200, (
        "the seat is kept for this address"
    )
    guest.post(f"/invitations/{site.posted[0].context['token']}/decline")
    assert (
        guest.get(f"/matches/{uid}").status_code == 404
        and site.visitor(BOB).get(f"/matches/{uid}").status_code == 404
    )


def _only(site: Site) -> str:
    with site.harness.database.read_tx() as session:
        return str(session.connection().exec_driver_sql("SELECT uid FROM match").scalar_one())


def test_a_watcher_takes_no_seat_and_only_masters_change_links(site: Site) -> None:
    uid, guest = site.make_open_match(private=True), site.visitor(MALLORY)
    give(site, uid, "watch")
    guest.get(f"/watch/{token(site, uid, 'watch')}")
    assert guest.post(f"/matches/{uid}/seat").status_code == 409
    assert guest.post(f"/matches/{uid}/links", {"link": "watch"}).status_code == 403
    assert site.visitor(ALICE).post(f"/matches/{uid}/links", {"link": "join"}).status_code == 303


# --- a link to a free seat


def test_a_link_gives_each_bearer_a_free_seat_until_none_is_left(site: Site) -> None:
    uid = site.make_open_match(open_seats=False, private=True)
    give(site, uid, "join")
    path = f"/seats/{token(site, uid, 'join')}"
    charlie, mallory = site.visitor(CHARLIE), site.visitor(MALLORY)
    assert "1 seat is free" in page_text(charlie.get(path))
    for _ in range(2):
        charlie.post(path)
    assert [seat.player_id for seat in site.harness.seats(uid)] == [
        site.harness.people[ALICE],
        None,
        site.harness.people[CHARLIE],
    ]
    assert "taken or kept" in page_text(mallory.get(path)) and mallory.post(path).status_code == 409
    assert "You have a seat" in page_text(charlie.get(path))


def test_a_visitor_signs_in_before_taking_a_seat_and_comes_back(site: Site) -> None:
    uid, guest = site.make_open_match(), site.visitor()
    give(site, uid, "join")
    path = f"/seats/{token(site, uid, 'join')}"
    answer = guest.post(path)
    assert (
        answer.status_code == 303
        and "sign-in" in answer.location
        and path in answer.location.replace("%2F", "/")
    )


def test_a_link_to_a_seat_ends_with_its_renewal_and_with_the_beginning(site: Site) -> None:
    uid, guest = site.make_open_match(private=True), site.visitor(MALLORY)
    give(site, uid, "join")
    first = token(site, uid, "join")
    guest.get(f"/seats/{first}")
    assert guest.get(f"/matches/{uid}").status_code == 200
    give(site, uid, "join")
    assert (
        guest.get(f"/seats/{first}").status_code == 404
        and guest.get(f"/matches/{uid}").status_code == 404
    )
    guest.get(f"/seats/{token(site, uid, 'join')}")
    second = token(site, uid, "join")
    links.join_by_link(
        site.harness.database, second, site.harness.player(CHARLIE), now=site.harness.now
    )
    site.visitor(BOB).post(f"/invitations/{site.letters('invitation')[0]['token']}/accept")
    assert site.harness.start_match(uid)
    assert (
        guest.get(f"/seats/{second}").status_code == 404
        and guest.get(f"/matches/{uid}").status_code == 404
    )
    with pytest.raises(NotNow):
        give(site, uid, "join")


# --- offers of its seats


def offer_substitute(site: Site, uid: str, who: str = MALLORY) -> str:
    """Have Charlie ask somebody to play for him; return the secret of the offer's link."""
    until = site.harness.now + timedelta(days=5)
    substitutes.ask_substitute(
        site.harness.database,
        uid,
        site.harness.player(CHARLIE),
        address(who),
        until,
        now=site.harness.now,
    )
    return str(site.letters("offer")[-1]["token"])


def test_the_link_of_an_offer_shows_the_match_until_the_offer_is_answered(site: Site) -> None:
    uid, guest = begin(site), site.visitor()
    offer = offer_substitute(site, uid)
    guest.get(f"/offers/{offer}")
    assert guest.get(f"/matches/{uid}").status_code == 200, (
        "whoever decides about a seat may look at its match"
    )
    guest.post(f"/offers/{offer}/decline")
    for page in (f"/matches/{uid}", f"/offers/{offer}"):
        assert guest.get(page).status_code == 404, page
    assert guest.post(f"/offers/{offer}/accept", {"zone": "UTC"}).status_code == 409, (
        "who declined is expected no more"
    )
    assert site.harness.seats(uid)[2].player_id == site.harness.people[CHARLIE]


def test_an_offer_that_nobody_answered_shows_nothing_once_somebody_has_the_seat(site: Site) -> None:
    uid, mallory, now = begin(site), site.visitor(MALLORY), site.harness.now
    give(site, uid, "watch")
    mallory.get(f"/watch/{token(site, uid, 'watch')}")
    mallory.post("/standby", {"match": uid})
    leaving.resign(site.harness.database, uid, site.harness.people[CHARLIE], now=now)
    sweeping.tend_seats(site.harness.database, uid, now=now)
    offer = site.letters("offer")[-1]["token"]
    assert mallory.get(f"/offers/{offer}").status_code == 200
    takeovers.take_seat(site.harness.database, uid, site.harness.player("Dave"), now=now)
    assert mallory.get(f"/offers/{offer}").status_code == 404
    give(site, uid, "watch", off=True)
    assert (
        mallory.get(f"/matches/{uid}").status_code == 404
        and mallory.get(f"/offers/{offer}").status_code == 404
    )


def test_a_form_that_names_a_match_finds_a_private_one_no_more_than_a_page(site: Site) -> None:
    uid, mallory = begin(site), site.visitor(MALLORY)
    there, nowhere = (mallory.post("/standby", {"match": each}) for each in (uid, UNKNOWN))
    assert (there.status_code, without_tokens(there.text)) == (404, without_tokens(nowhere.text))
    assert "Hidden" not in mallory.get("/standby").text


# --- after the end


def test_it_is_opened_once_all_who_took_part_agree(site: Site) -> None:
    uid, mallory = begin(site, rounds=8), site.visitor(MALLORY)
    people, now = site.harness.people, site.harness.now
    with pytest.raises(NotAllowed):
        privacy.publish_match(site.harness.database, uid, people[MALLORY], now=now)
    for name in (ALICE, ALICE, BOB):
        assert not privacy.publish_match(site.harness.database, uid, people[name], now=now)
    assert mallory.get(f"/matches/{uid}").status_code == 404
    assert "You agreed; 1 has not yet" in page_text(site.visitor(BOB).get(f"/matches/{uid}/about"))
    assert site.visitor(CHARLIE).post(f"/matches/{uid}/publish").status_code == 303
    assert (
        mallory.get(f"/matches/{uid}").status_code == 200
        and "Hidden Table" in mallory.get("/").text
    )
    assert [note.who for note in site.harness.page(uid).notes] == [CHARLIE, BOB, ALICE]
    assert privacy.publish_match(site.harness.database, uid, people[ALICE], now=now)


def test_it_is_not_opened_before_its_end(site: Site) -> None:
    uid = begin(site, rounds=1)
    for name in (ALICE, BOB, CHARLIE):
        with pytest.raises(NotNow, match="once it is over"):
            privacy.publish_match(
                site.harness.database, uid, site.harness.people[name], now=site.harness.now
            )


def test_nul_in_an_address_or_a_link_is_no_fault(site: Site) -> None:
    with site.harness.database.read_tx() as session:
        for ask in (
            lambda: privacy.require_sight(session, "a\0", None),
            lambda: links.watched(session, "a\0"),
        ):
            with pytest.raises(NotFound):
                ask()
        assert session.get(Player, 0) is None
