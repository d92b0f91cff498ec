"""The Press tab: press is read by its recipients only, and typed text is never lost."""

from typing import Any

import pytest
import time_machine

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.web.site import Site, page_text, without_tokens

TOLD = "Shall <b>Burgundy</b> stay empty?\r\n\r\nYours, E."


def match(site: Site, kind: str = "private") -> str:
    """Begin a match of Alice (England), Bob (France) and Charlie (Russia); returns the address of
    its press.
    """
    wish = Wish("diplomacy", "The Long Table", {"press": kind}, players=3, seating="order")
    return f"/matches/{site.harness.match(ALICE, BOB, CHARLIE, wish=wish)}/press"


def test_what_is_written_to_a_seat_is_shown_to_that_seat_as_it_was_typed(site: Site) -> None:
    press, alice, bob = match(site), site.visitor(ALICE), site.visitor(BOB)
    assert alice.post(press, {"to": "FRANCE", "text": TOLD}).status_code == 303
    page = bob.get(press)
    assert "England to you" in page_text(page) and "You to France" in page_text(alice.get(press))
    assert "Shall &lt;b&gt;Burgundy&lt;/b&gt; stay empty?<br><br>Yours, E." in page.text
    assert ("sealed.post",) in site.recorder.sent


@pytest.mark.parametrize("name", [CHARLIE, MALLORY, None])
def test_a_page_does_not_change_by_a_byte_when_others_write_to_each_other(
    small_site: Site, name: str | None
) -> None:
    with time_machine.travel(small_site.harness.now, tick=False):
        press, visitor = match(small_site), small_site.visitor(name)
        visitor.get(press)
        pages = [
            press,
            press.removesuffix("/press"),
            press.replace("/press", "/about"),
            press.replace("/press", "/news"),
        ]
        before = [without_tokens(visitor.get(path).text) for path in pages]
        small_site.visitor(ALICE).post(press, {"to": "FRANCE", "text": TOLD})
        assert [without_tokens(visitor.get(path).text) for path in pages] == before


def test_press_to_everybody_is_shown_to_observers(small_site: Site) -> None:
    press = match(small_site)
    small_site.visitor(ALICE).post(press, {"to": "everybody", "text": "Peace for all."})
    assert "England to everybody" in page_text(small_site.visitor().get(press))


def test_an_answer_has_the_seat_chosen_already(small_site: Site) -> None:
    press, bob = match(small_site), small_site.visitor(BOB)
    small_site.visitor(ALICE).post(press, {"to": "FRANCE", "text": TOLD})
    assert f'href="{press}?to=ENGLAND#write"' in bob.get(press).text
    page = bob.get(f"{press}?to=ENGLAND")
    assert (
        'type="hidden" name="to" value="ENGLAND"' in page.text
        and '<h2 id="talk-title">England</h2>' in page.text
    )


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"text": "Hello there"}, "Choose whom to write to"),
        (
            {"to": ["FRANCE", "everybody"], "text": "Hello there"},
            "either single seats or everybody",
        ),
        ({"to": "FRANCE", "text": " "}, "Write something first"),
        ({"to": "TURKEY", "text": "Hello there"}, "“TURKEY” has no seat"),
        ({"to": "ENGLAND", "text": "Hello there"}, "your own seat"),
        ({"to": "FRANCE", "text": "Hello there" + "x" * 8_000}, "8,000 are sent at once"),
    ],
)
def test_what_is_refused_is_told_and_stays_in_the_form(
    small_site: Site, form: dict[str, Any], sentence: str
) -> None:
    press, alice = match(small_site), small_site.visitor(ALICE)
    page = alice.post(press, form)
    assert page.status_code == 400 and sentence in page_text(page) and form["text"] in page.text
    assert "You to" not in page_text(alice.get(press))


def test_anonymous_press_names_nobody_to_its_reader(small_site: Site) -> None:
    press, bob = match(small_site, "anonymous-private"), small_site.visitor(BOB)
    small_site.visitor(ALICE).post(press, {"to": ["FRANCE", "RUSSIA"], "text": "Beware."})
    page = bob.get(press)
    assert (
        "Somebody to you" in page_text(page)
        and "England to" not in page_text(page)
        and "Answer" not in page_text(page)
    )
    assert "You to France and Russia" in page_text(small_site.visitor(ALICE).get(press))


def test_public_press_offers_no_seats(small_site: Site) -> None:
    # Alice runs it, and writes to seats as master
    press, bob = match(small_site, "public"), small_site.visitor(BOB)
    assert 'type="checkbox"' not in bob.get(press).text
    assert bob.post(press, {"to": "everybody", "text": "Peace."}).status_code == 303
    assert bob.post(press, {"to": "RUSSIA", "text": "Peace."}).status_code == 400


@pytest.mark.parametrize("name", [MALLORY, None])
def test_who_has_no_seat_cannot_write(small_site: Site, name: str | None) -> None:
    press, visitor = match(small_site), small_site.visitor(name)
    assert "<textarea" not in visitor.get(press).text
    answer = visitor.post(press, {"to": "everybody", "text": "Let me in."})
    assert answer.status_code == 403 and "Only who has a seat" in page_text(answer)
    assert "Let me in." not in page_text(small_site.visitor(ALICE).get(press))


def test_a_match_without_press_takes_none_and_has_the_tab_for_seats_and_master_alone(
    small_site: Site,
) -> None:
    press, alice = match(small_site, "none"), small_site.visitor(ALICE)
    assert press in alice.get(press.removesuffix("/press")).text
    assert press not in small_site.visitor(MALLORY).get(press.removesuffix("/press")).text
    assert "played without press" in page_text(alice.get(press))
    assert alice.post(press, {"to": "FRANCE", "text": TOLD}).status_code == 409
    other = match(small_site)
    assert other in alice.get(other.removesuffix("/press")).text


def test_a_match_that_is_not_there_has_no_press(small_site: Site) -> None:
    assert small_site.visitor(ALICE).get("/matches/nowhere22/press").status_code == 404
    assert (
        small_site.visitor(ALICE)
        .post("/matches/nowhere22/press", {"to": "1", "text": "x"})
        .status_code
        == 404
    )
