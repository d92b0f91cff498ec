"""The Press tab between seats and master: writing, warning, muting, reporting, and who reads all
press.
"""

import re

import pytest

from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import AccountChanges
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, page_text

DORA = "Dora"  # runs matches without playing


def begun(site: Site, kind: str = "private", **rules: bool) -> str:
    """Begin a match of Alice (England), Bob (France) and Charlie (Russia), run by Dora; return its
    address.
    """
    wish = Wish(
        "diplomacy",
        "The Long Table",
        {"press": kind},
        players=3,
        seating="order",
        play=False,
        press=PressWish(**rules),
    )
    uid = site.harness.prepare_match(wish, DORA, ALICE, BOB, CHARLIE)
    assert site.harness.start_match(uid)
    return f"/matches/{uid}"


def test_a_seat_writes_to_the_master_who_answers_as_master(site: Site) -> None:
    match, bob, dora = begun(site), site.visitor(BOB), site.visitor(DORA)
    assert "It goes to the master alone." in page_text(bob.get(f"{match}/press?to=master"))
    assert bob.post(f"{match}/press", {"to": "master", "text": "May I ask?"}).status_code == 303
    assert (
        "France to the master" in page_text(dora.get(f"{match}/press"))
        and "May I ask?" not in site.visitor(ALICE).get(f"{match}/press").text
    )
    assert (
        f'href="{match}/press?to=FRANCE&amp;as=master#as-master"' in dora.get(f"{match}/press").text
    )
    assert (
        'type="hidden" name="to" value="FRANCE"'
        in dora.get(f"{match}/press?to=FRANCE&as=master").text
    )
    assert (
        dora.post(f"{match}/press/as-master", {"to": "FRANCE", "text": "You may."}).status_code
        == 303
    )
    assert "The master to you" in page_text(bob.get(f"{match}/press"))
    assert "Dora wrote to France." in page_text(site.visitor().get(f"{match}/about"))


def test_a_master_without_a_seat_is_not_told_that_only_seats_write(small_site: Site) -> None:
    told = page_text(small_site.visitor(DORA).get(f"{begun(small_site)}/press"))
    assert (
        "Its players write to each other." in told
        and "Only who has a seat" not in told
        and "Write as the master" in told
    )


@pytest.mark.parametrize(
    "form", [{"to": "master", "text": " "}, {"to": ["master", "FRANCE"], "text": "Both of you"}]
)
def test_a_refused_text_to_the_master_stays_in_its_form(
    small_site: Site, form: dict[str, object]
) -> None:
    match, alice = begun(small_site), small_site.visitor(ALICE)
    answer = alice.post(f"{match}/press", form)
    assert (
        answer.status_code == 400
        and str(form["text"]) in answer.text
        and 'role="alert"' in answer.text
    )


def test_a_refused_text_of_the_master_stays_in_its_form_too(small_site: Site) -> None:
    match, dora = begun(small_site), small_site.visitor(DORA)
    answer = dora.post(f"{match}/press/as-master", {"text": "To whom?"})
    assert (
        answer.status_code == 400
        and "Choose whom to write to" in page_text(answer)
        and ">To whom?</textarea>" in answer.text
    )


@pytest.mark.parametrize("name", [ALICE, MALLORY, None])
def test_nobody_else_writes_as_master_or_warns(small_site: Site, name: str | None) -> None:
    match, visitor = begun(small_site), small_site.visitor(name)
    assert (
        visitor.post(
            f"{match}/press/as-master", {"to": "everybody", "text": "I am the master."}
        ).status_code
        == 403
    )
    assert visitor.post(f"{match}/warn", {"seat": "FRANCE", "reason": "why not"}).status_code == 403
    assert "Changes to this match" not in page_text(visitor.get(f"{match}/about"))
    assert "Write as the master" not in page_text(visitor.get(f"{match}/press"))


def test_the_master_warns_a_seat_with_a_reason_that_everybody_reads(site: Site) -> None:
    match, dora = begun(site), site.visitor(DORA)
    assert 'name="reason"' in dora.get(f"{match}/about").text
    assert (
        dora.post(f"{match}/warn", {"seat": "FRANCE", "reason": "Two phases missed."}).status_code
        == 303
    )
    assert dora.post(f"{match}/warn", {"seat": "FRANCE", "reason": " "}).status_code == 400
    assert "Dora warned France: Two phases missed." in page_text(
        site.visitor().get(f"{match}/about")
    )
    assert "Warning: Two phases missed." in page_text(site.visitor(BOB).get(f"{match}/press"))


def test_a_muted_seat_is_hidden_until_it_is_read_again(site: Site) -> None:
    match, alice, bob = begun(site), site.visitor(ALICE), site.visitor(BOB)
    alice.post(f"{match}/press", {"to": "FRANCE", "text": "Listen!"})
    assert "Mute or report" in page_text(bob.get(f"{match}/press"))
    before = page_text(alice.get(f"{match}/press"))
    assert bob.post(f"{match}/press/mute", {"seat": "ENGLAND", "mute": "1"}).status_code == 303
    assert "Listen!" not in bob.get(f"{match}/press").text and "You muted England." in page_text(
        bob.get(f"{match}/press")
    )
    assert page_text(alice.get(f"{match}/press")) == before
    bob.post(f"{match}/press/mute", {"seat": "ENGLAND"})
    assert "Listen!" in bob.get(f"{match}/press").text
    assert bob.post(f"{match}/press/mute", {"seat": "FRANCE", "mute": "1"}).status_code == 400


def test_a_reported_text_is_listed_for_the_master_alone(site: Site) -> None:
    match, bob, dora = begun(site), site.visitor(BOB), site.visitor(DORA)
    site.visitor(ALICE).post(f"{match}/press", {"to": "FRANCE", "text": "You fool!"})
    (note,) = re.findall(r'name="note" value="([^"]+)"', bob.get(f"{match}/press").text)
    assert bob.post(f"{match}/press/report", {"note": note, "reason": "Rude"}).status_code == 303
    assert bob.post(f"{match}/press/report", {"note": note, "reason": "Rude"}).status_code == 409
    assert (
        "Reported to you" in page_text(dora.get(f"{match}/press"))
        and "You fool!" in dora.get(f"{match}/press").text
    )
    assert (
        "Reported to you" not in page_text(bob.get(f"{match}/press"))
        and "You fool!" not in site.visitor(CHARLIE).get(f"{match}/press").text
    )


def test_who_reads_all_press_is_named_to_no_onlooker_against_the_own_choice(
    small_site: Site,
) -> None:
    match = begun(small_site, overseen=True)
    wishes = AccountChanges(DORA, "UTC", receipts=True, letters=True, shown="seat")
    accounts.change_account(small_site.harness.database, small_site.harness.player(DORA), wishes)
    for path in (match, f"{match}/press", f"{match}/about"):
        outside, inside = (page_text(small_site.visitor(who).get(path)) for who in (None, ALICE))
        assert "A player, who runs this match" in outside and "Dora" not in outside, path
        assert "Dora, who runs this match" in inside, path


def test_every_page_says_who_reads_all_press(site: Site) -> None:
    match, told = (
        begun(site, overseen=True),
        "Dora, who runs this match and does not play, reads all of its press",
    )
    for visitor in (site.visitor(ALICE), site.visitor()):
        for path in ("", "/about", "/history", "/press", "/phases/0", "/receipts"):
            assert told in page_text(visitor.get(match + path)), path
    site.visitor(ALICE).post(f"{match}/press", {"to": "FRANCE", "text": "Our secret."})
    assert "Our secret." in site.visitor(DORA).get(f"{match}/press").text
    assert "Our secret." not in site.visitor(CHARLIE).get(f"{match}/press").text


def test_an_invitation_says_who_reads_all_press(small_site: Site) -> None:
    rules = PressWish(overseen=True)
    small_site.make_open_match(
        game="diplomacy",
        players=3,
        options={"press": "private"},
        play=False,
        press=rules,
        invited=("eve@example.org",),
    )
    (told,) = small_site.letters("invitation")
    sentence = (
        "Alice, who runs this match and does not play, reads all of its press, also what goes to"
        " single seats."
    )
    assert told["press"] == [sentence]
    assert sentence in page_text(small_site.visitor().get(f"/invitations/{told['token']}"))


@pytest.mark.parametrize("field", ["press_rulebook", "press_opened", "press_overseen"])
def test_a_match_is_made_with_rules_of_press(small_site: Site, field: str) -> None:
    dora = small_site.visitor(DORA)
    assert (
        f'name="{field}"' in dora.get("/matches/new?game=diplomacy").text
        and field not in dora.get("/matches/new?game=pyramid").text
    )
    form = {
        "game": "diplomacy",
        "every_hours": "48",
        "grace_minutes": "10",
        "house": "0",
        "open": "1",
        "players": "3",
        field: "1",
    }
    made = dora.post("/matches/new", form)
    assert made.status_code == 303 and "Rules of press" in page_text(
        dora.get(f"{made.headers['Location']}/about")
    )


def test_a_reader_of_all_press_who_wants_to_play_is_told_why_not_and_keeps_the_form(
    small_site: Site,
) -> None:
    form = {
        "game": "diplomacy",
        "every_hours": "48",
        "grace_minutes": "10",
        "house": "0",
        "open": "1",
        "play": "1",
        "press_overseen": "1",
    }
    answer = small_site.visitor(DORA).post("/matches/new", form)
    assert answer.status_code == 400 and "Who reads all press cannot play" in page_text(answer)
    assert re.search(r'name="press_overseen" value="1" checked', answer.text)


def test_a_master_who_looks_on_finds_the_tools_and_each_label_its_field(small_site: Site) -> None:
    match, dora = begun(small_site), small_site.visitor(DORA)
    page = dora.get(match)
    assert (
        f'You <a href="{match}/about#run">run this match</a>.' in page.text
        and "You look on." not in page_text(page)
    )
    assert "You look on." in page_text(small_site.visitor().get(match))
    ids = re.findall(r' id="([^"]+)"', dora.get(f"{match}/about").text)
    assert "run" in ids and len(ids) == len(set(ids))
