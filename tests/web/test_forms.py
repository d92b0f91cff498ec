"""Forms that are sent from an older page, or twice: what they do, and what the page says."""

import re
from html import unescape

import pytest
from sqlmodel import func, select
from werkzeug.test import TestResponse

from adjudicator import catalogue
from adjudicator.service.base.tables import Match, Player, PressNote, Tournament
from adjudicator.service.matches import votes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import Ask
from adjudicator.service.views.duties import Owed
from tests.cast import ALICE, BOB, CHARLIE
from tests.seat_forms import OF_SEAT, hidden_fields
from tests.web.site import Site, Visitor, page_text
from web.matches import new_match
from web.tournaments import new_tournament

_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
_ACTION = re.compile(r'action="([^"]+)"')
MADE_FOR = {"phase", "tenure", "seq"}
MATCH = {"game": "pyramid", **new_match.usual_fields()}
CUP = {
    **new_match.usual_fields(),
    **new_tournament.USUAL,
    "game": "genesis",
    "name": "Cup",
    "format": "round robin",
}


def forms_of(page: str) -> dict[str, set[str]]:
    """Return which of MADE_FOR each form of a seat on a page has, by its address."""
    found = [(_ACTION.search(each), each) for each in _FORM.findall(page)]
    named = [
        (action[1], set(hidden_fields(action[1], form)))
        for action, form in found
        if action is not None
    ]
    return {action: fields for action, fields in named if action.endswith(OF_SEAT)}


def count(site: Site, table: type[Match | Player | PressNote | Tournament]) -> int:
    with site.harness.database.read_tx() as session:
        return session.exec(select(func.count()).select_from(table)).one()


def begin_diplomacy(site: Site) -> str:
    return site.harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish("diplomacy", "War", {"press": "private"}, players=3, seating="order"),
    )


def test_every_form_of_a_seat_says_what_it_was_made_for(small_site: Site) -> None:
    war, cards = begin_diplomacy(small_site), small_site.begin_match()
    votes.propose(
        small_site.harness.database,
        war,
        small_site.harness.player(BOB),
        Ask("end"),
        now=small_site.harness.now,
    )
    alice = small_site.visitor(ALICE)
    pages = [
        alice.get(f"/matches/{war}"),
        alice.get(f"/matches/{war}/press?to=FRANCE"),
        alice.get(f"/matches/{cards}"),
    ]
    # with a remedy
    pages.append(alice.post(f"/matches/{cards}/orders", {"text": "B3\nblck small"}))
    found = [(action, fields) for page in pages for action, fields in forms_of(page.text).items()]
    assert {action.rpartition("/")[2] for action, _ in found} == {
        each.strip("/") for each in OF_SEAT
    }
    assert [action for action, fields in found if fields != MADE_FOR] == []


# --- an older tab


def tabs(site: Site, uid: str) -> tuple[Visitor, Visitor]:
    """Return two tabs of Alice's browser that show the same page."""
    both = Visitor(site), Visitor(site)
    for tab in both:
        site.enter(tab, site.harness.enter(ALICE))
        tab.get(f"/matches/{uid}")
    return both


def asked(site: Site) -> tuple[str, Visitor, TestResponse]:
    """Have the older of two tabs seal other orders than the newer one did; return its match, the
    tab, and what it is answered.
    """
    uid = site.begin_match()
    newer, older = tabs(site, uid)
    assert (
        newer.post(f"/matches/{uid}/orders", {"slot-pick": "B3", "says": "wait"}).status_code == 200
    )
    return (
        uid,
        older,
        older.post(f"/matches/{uid}/orders", {"slot-pick": "B1", "plan": "W2", "says": "wait"}),
    )


def test_an_older_tab_is_asked_which_orders_count_with_both_and_the_deadline(
    small_site: Site,
) -> None:
    uid, _, answer = asked(small_site)
    told = page_text(answer)
    assert answer.status_code == 409 and "Which orders shall count?" in told
    assert (
        "You sealed other orders for Round 1 after this page was made, so nothing was changed."
        in told
    )
    assert (
        "What is sealed counts until you choose. You can choose until Wed 4 Nov 12:00 (UTC)" in told
    )
    assert (
        told.index("These are sealed")
        < told.index("B3")
        < told.index("Keep these")
        < told.index("B1")
        < told.index("Replace them")
    )
    assert "W2" in told and f'href="/matches/{uid}">Keep these<' in answer.text
    assert 'id="choices"' not in answer.text, "one question at a time"


def test_the_question_is_answered_by_replacing_or_by_leaving_it(small_site: Site) -> None:
    for replaces in (False, True):
        uid, older, answer = asked(small_site)
        if replaces:
            form = next(each for each in _FORM.findall(answer.text) if "Replace them" in each)
            fields = {
                unescape(name): unescape(value)
                for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', form)
            }
            assert "Sealed: Round 1" in page_text(older.post(f"/matches/{uid}/orders", fields))
        small_site.harness.later(hours=49)
        assert small_site.harness.close(uid)
        counted = next(
            order.lines for order in small_site.harness.story(uid, 1).orders if order.seat == "1"
        )
        assert counted == ("B1" if replaces else "B3",)


def test_the_question_is_asked_although_what_is_sealed_cannot_be_shown(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.matches.orders.READING_SECONDS", 0.1)
    small_site.recorder.answers = False
    _, _, answer = asked(small_site)
    told = page_text(answer)
    assert (
        "Which orders shall count?" in told
        and "they cannot be shown just now" in told
        and "B1" in told
    )


def test_a_ready_of_an_older_tab_is_refused_and_says_why(small_site: Site) -> None:
    uid = small_site.begin_match()
    newer, older = tabs(small_site, uid)
    newer.post(f"/matches/{uid}/orders", {"slot-pick": "B3", "says": "wait"})
    answer = older.post(f"/matches/{uid}/say", {"word": "ready"})
    assert (
        answer.status_code == 409
        and "after this page was made, so nothing was changed" in page_text(answer)
    )
    small_site.harness.round(uid, [(name, "B3") for name in (ALICE, BOB, CHARLIE)])
    newer.get(f"/matches/{uid}")
    for word in ("ready", "wait"):
        answer = older.post(f"/matches/{uid}/say", {"word": word, "phase": "1", "seq": "9"})
        assert answer.status_code == 409 and "nothing was changed; Round 2 is open" in page_text(
            answer
        )
    assert (
        newer.client.post(
            f"/matches/{uid}/say", data={"word": "ready", "csrf_token": newer.token()}
        ).status_code
        == 400
    )


def test_numbers_that_no_column_holds_are_answered_like_any_other(small_site: Site) -> None:
    uid, huge = small_site.begin_match(), "9" * 30
    alice = small_site.visitor(ALICE)
    page = alice.get(f"/matches/{uid}")
    assert page.status_code == 200
    for field in ("phase", "tenure", "seq"):
        for number in (huge, f"-{huge}"):
            answer = alice.post(
                f"/matches/{uid}/orders", {"slot-pick": "B3", "says": "wait", field: number}
            )
            assert answer.status_code < 500, (field, number)
    assert alice.get(f"/matches/{uid}/receipts/1/{huge}.json").status_code == 404


# --- a form that is sent twice


def sent_twice(
    visitor: Visitor, path: str, form: dict[str, str], *, page: str
) -> list[TestResponse]:
    """Send the form of a page twice, as a browser without scripts does on a double click; return
    both answers.
    """
    visitor.get(page)
    data = hidden_fields(path, visitor.page) | form | {"csrf_token": visitor.token()}
    return [visitor.client.post(path, data=data) for _ in range(2)]


def test_a_form_that_is_sent_twice_makes_one_thing_and_leads_there_twice(small_site: Site) -> None:
    war = begin_diplomacy(small_site)
    press = f"/matches/{war}/press"
    for path, form, page, table in (
        ("/play", {"game": "pyramid"}, "/", Match),
        ("/matches/new", MATCH, "/matches/new", Match),
        ("/tournaments/new", CUP, "/tournaments/new", Tournament),
        (press, {"to": "FRANCE", "text": "Hello"}, f"{press}?to=FRANCE", PressNote),
    ):
        before, alice = count(small_site, table), small_site.visitor(ALICE)
        first, second = sent_twice(alice, path, form, page=page)
        assert (first.status_code, second.status_code) == (
            303,
            303,
        ) and first.location == second.location, path
        assert count(small_site, table) == before + 1, path
        changed = form | {"name": "Another"} | ({"text": "Bye"} if "text" in form else {})
        sent_twice(alice, path, changed, page=page)
        assert count(small_site, table) == before + 2, path


def test_another_person_with_the_same_form_makes_another_match(small_site: Site) -> None:
    one, other = (
        sent_twice(small_site.visitor(name), "/matches/new", MATCH, page="/matches/new")[0]
        for name in (ALICE, BOB)
    )
    assert one.location != other.location


def test_a_visitor_who_plays_by_a_double_click_is_one_guest_with_one_match(site: Site) -> None:
    visitor, before = site.visitor(), count(site, Player)
    visitor.get("/")
    data, entered = {"game": "pyramid", "csrf_token": visitor.token()}, []
    for _ in range(2):  # the second click comes before the first answer, which gives the cookie
        browser = site.app.test_client()
        browser.set_cookie("sealed-forms", visitor.client.get_cookie("sealed-forms").value)  # type: ignore[union-attr]  # it was set
        answer = browser.post("/play", data=data)
        entered.append((answer.location, browser.get_cookie("sealed").value))  # type: ignore[union-attr]  # signed in
    assert (
        entered[0] == entered[1] and count(site, Match) == 1 and count(site, Player) == before + 3
    ), "a guest and two bots"


def test_orders_that_are_sent_twice_are_sealed_once(small_site: Site) -> None:
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    form = {"slot-pick": "B3", "says": "wait"}
    first, second = sent_twice(alice, f"/matches/{uid}/orders", form, page=f"/matches/{uid}")
    assert "Sealed: Round 1" in page_text(first) and (second.status_code, second.location) == (
        303,
        f"/matches/{uid}",
    )
    assert page_text(alice.get(f"/matches/{uid}/receipts")).count("Round 1, submission") == 1


# --- one word for sealing, one for being ready

READY, ONLY = ("ready", "Seal and say ready"), ("wait", "Seal only")
TEXT = [("ready", "Seal this text and say ready"), ("wait", "Seal this text only")]
BEHIND = "You have ordered everything, but you do not count as ready: {phase} waits for you until"


def buttons(page: str, begin: str, end: str) -> list[tuple[str, str]]:
    """Return value and words of the buttons that seal orders in a part of a page."""
    part = page[page.index(begin) :]
    return re.findall(
        r'<button[^>]* name="says" value="(\w*)"[^>]*>([^<]+)<', part[: part.index(end)]
    )


def choose_all(owed: Owed) -> dict[str, str]:
    """Return the fields of a form in which everything is ordered."""
    asked = [slot for slot in owed.slots if not slot.optional] or [
        slot for slot in owed.slots if not slot.aside
    ]
    return {f"slot-{slot.name}": slot.choices[0].text for slot in asked}


def test_the_same_words_seal_and_say_ready_in_every_game(small_site: Site) -> None:
    for key in (about.key for about in catalogue.ABOUTS):
        people = max(2, min(catalogue.game(key).about.seats))
        uid = small_site.harness.match(
            *(ALICE, BOB, CHARLIE)[:people], wish=Wish(key, "Table", {}, players=people)
        )
        name = next(
            each
            for each in (ALICE, BOB, CHARLIE)
            if small_site.harness.page(uid, each).owed is not None
        )
        visitor, owed = small_site.visitor(name), small_site.harness.page(uid, name).owed
        assert owed is not None
        page = visitor.get(f"/matches/{uid}").text
        assert buttons(page, '<form id="choices"', "</form>") == [READY, ONLY], key
        assert buttons(page, '<form id="written"', "</form>") == TEXT, key
        assert buttons(page, '<div class="board-bar"', "</div>") == [READY], key
        sealed = page_text(
            visitor.post(f"/matches/{uid}/orders", choose_all(owed) | {"says": "wait"})
        )
        assert BEHIND.format(phase=owed.phase) in sealed and "You are not ready:" in sealed, key
        for tab in ("/history", "/about"):
            assert BEHIND.format(phase=owed.phase) in page_text(
                visitor.get(f"/matches/{uid}{tab}")
            ), (key, tab)
        visitor.get(f"/matches/{uid}")
        ready = page_text(
            visitor.post(f"/matches/{uid}/orders", choose_all(owed) | {"says": "ready"})
        )
        assert "not count as ready" not in ready and (
            "You are ready." in ready or "Everybody is ready." in ready
        ), key


def test_who_waits_for_nobody_in_an_overtime_just_seals(small_site: Site) -> None:
    wish = Wish("pyramid", "Late", {}, grace_minutes=0, overtime_minutes=60)
    uid = small_site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    alice = small_site.visitor(ALICE)
    alice.get(f"/matches/{uid}")
    alice.post(f"/matches/{uid}/orders", {"slot-pick": "B3", "says": "wait"})
    small_site.harness.later(hours=48, minutes=1)
    assert not small_site.harness.close(uid)
    page = alice.get(f"/matches/{uid}")
    assert buttons(page.text, '<form id="choices"', "</form>") == [
        ("", "Seal")
    ] and "not count as ready" not in page_text(page)
    late = small_site.visitor(BOB).get(f"/matches/{uid}").text
    assert buttons(late, '<form id="choices"', "</form>") == [READY, ONLY]
