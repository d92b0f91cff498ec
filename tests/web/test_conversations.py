"""Press as conversations: who takes part, what was read, drafts that stay in the browser, and
links.
"""

import re

import pytest
from playwright.sync_api import expect

from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.mail.composed import compose_letter
from tests.web.live import Live, wait_in
from tests.web.site import Site, page_text, without_tokens
from web.words import link_addresses

DORA = "Dora"  # runs matches without playing


def begun(site: Site, kind: str = "private", **rules: bool) -> str:
    """Begin a match of Alice (England), Bob (France) and Charlie (Russia), run by Dora; return the
    address of its press.
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
    return f"/matches/{uid}/press"


def write(site: Site, press: str, name: str, to: str | list[str], text: str) -> None:
    """Write as a seat, a second after what was written before."""
    site.harness.later(seconds=1)
    assert site.visitor(name).post(press, {"to": to, "text": text}).status_code == 303


def texts(page: str) -> list[str]:
    """Return what stands in the conversation that a page shows, in its order."""
    return re.findall(r'<p class="said" lang="" dir="auto">(.*?)</p>', page)


def unread(page: str) -> list[str]:
    """Return the numbers of unread texts on a page, from the first to the last."""
    return re.findall(r'aria-label="(\d+) not read"', page)


def test_a_conversation_holds_the_texts_of_those_in_it_the_oldest_first(small_site: Site) -> None:
    press = begun(small_site)
    write(small_site, press, ALICE, "FRANCE", "one")
    write(small_site, press, BOB, "ENGLAND", "two")
    write(small_site, press, ALICE, ["FRANCE", "RUSSIA"], "three")
    write(small_site, press, BOB, "everybody", "four")
    bob = small_site.visitor(BOB)
    assert texts(bob.get(f"{press}?to=ENGLAND").text) == ["one", "two"]
    assert texts(bob.get(f"{press}?to=RUSSIA&to=ENGLAND").text) == ["three"]
    assert texts(bob.get(f"{press}?to=everybody").text) == ["four"]
    assert texts(bob.get(press).text) == ["four", "three", "two", "one"]


@pytest.mark.parametrize(
    "address",
    [
        "?to=nobody",
        "?between=ENGLAND&between=FRANCE",
        "?from=somebody",
        "?to=ENGLAND&to=ENGLAND",
        "?as=master&to=FRANCE",
    ],
)
def test_an_address_that_names_no_conversation_of_the_viewer_shows_all_press(
    small_site: Site, address: str
) -> None:
    press = begun(small_site)
    write(small_site, press, ALICE, "FRANCE", "Between us")
    for name in (CHARLIE, MALLORY, None):
        page = small_site.visitor(name).get(press + address)
        assert (
            page.status_code == 200
            and "talk-title" not in page.text
            and "Between us" not in page.text
        )


def test_what_is_new_is_counted_until_it_is_marked_as_read(site: Site) -> None:
    press = begun(site)
    write(site, press, ALICE, "FRANCE", "one")
    write(site, press, CHARLIE, "FRANCE", "two")
    bob = site.visitor(BOB)
    # the tab, all, England, Russia
    assert unread(bob.get(f"{press}?to=ENGLAND").text) == ["2", "2", "1", "1"]
    (newest,) = re.findall(r'data-read>.*?name="text" value="([^"]+)"', bob.page, re.DOTALL)
    write(site, press, ALICE, "FRANCE", "later")
    answer = bob.post(f"{press}/read", {"text": newest, "next": f"{press}?to=ENGLAND"})
    assert answer.headers["Location"] == f"{press}?to=ENGLAND"
    assert unread(bob.get(f"{press}?to=ENGLAND").text) == ["2", "2", "1", "1"] and bob.page.index(
        "Not read yet"
    ) > bob.page.index("one")
    assert bob.post(f"{press}/read", {"text": newest, "quiet": "1"}).status_code == 204
    (last,) = re.findall(
        r'data-read>.*?name="text" value="([^"]+)"', bob.get(f"{press}?to=ENGLAND").text, re.DOTALL
    )
    bob.post(f"{press}/read", {"text": last, "every": "1"})
    assert (
        unread(bob.get(press).text) == []
        and unread(bob.get(press.removesuffix("/press")).text) == []
    )


def test_nobody_else_notices_what_somebody_has_read(small_site: Site) -> None:
    press = begun(small_site)
    write(small_site, press, ALICE, "FRANCE", "Read me")
    bob, others = (
        small_site.visitor(BOB),
        [small_site.visitor(name) for name in (ALICE, DORA, None)],
    )
    paths = [
        press,
        f"{press}?to=FRANCE",
        press.removesuffix("/press"),
        press.replace("/press", "/news"),
    ]

    def seen() -> list[object]:
        answers = [visitor.get(path) for visitor in others for path in paths]
        return [
            (
                without_tokens(each.text),
                each.status_code,
                each.headers.get("ETag"),
                sorted(each.headers.keys()),
            )
            for each in answers
        ]

    seen()  # sets the cookies of forms
    before = seen()
    (newest,) = re.findall(
        r'data-read>.*?name="text" value="([^"]+)"', bob.get(f"{press}?to=ENGLAND").text, re.DOTALL
    )
    assert bob.post(f"{press}/read", {"text": newest, "quiet": "1"}).status_code == 204
    assert seen() == before


def test_who_does_not_play_marks_nothing(small_site: Site) -> None:
    press = begun(small_site)
    write(small_site, press, ALICE, "everybody", "Hello")
    (ref,) = re.findall(rf'href="{press}/([\d.]+)"', small_site.visitor(MALLORY).get(press).text)
    assert small_site.visitor(MALLORY).post(f"{press}/read", {"text": ref}).status_code == 403
    assert small_site.visitor(BOB).post(f"{press}/read", {"text": "1.0"}).status_code == 404


def test_a_text_has_an_address_that_leads_to_it_for_its_readers_alone(small_site: Site) -> None:
    press = begun(small_site)
    write(small_site, press, ALICE, "FRANCE", "Here")
    (ref,) = re.findall(r'id="t([\d.]+)"', small_site.visitor(BOB).get(f"{press}?to=ENGLAND").text)
    assert (
        small_site.visitor(BOB).get(f"{press}/{ref}").headers["Location"]
        == f"{press}?to=ENGLAND#t{ref}"
    )
    assert (
        small_site.visitor(ALICE).get(f"{press}/{ref}").headers["Location"]
        == f"{press}?to=FRANCE#t{ref}"
    )
    assert small_site.visitor(CHARLIE).get(f"{press}/{ref}").headers["Location"] == press


@pytest.mark.nightly
def test_a_letters_address_of_its_text_opens_it_on_the_site(live: Live) -> None:
    press = begun(live.site)
    for number in range(30):
        write(live.site, press, ALICE, "FRANCE", f"Letter {number}")
    (letter,) = [
        each
        for each in live.site.harness.claim_waiting()
        if each.kind == "press" and each.context["lines"] == ["Letter 7"]
    ]
    body = compose_letter(live.site.app.extensions["settings"], letter, lambda _: b"").get_body(
        ("plain",)
    )
    assert body is not None
    (address,) = re.findall(r"https?://[^/\s]+(/matches/\S+/press/\S+)", body.get_content())
    page = live.page(address, BOB)
    expect(page.locator(".said", has_text="Letter 7")).to_be_in_viewport()
    assert page.evaluate("document.querySelector(':target').textContent.includes('Letter 7')")


def test_the_badge_of_new_press_leads_to_the_oldest_unread_text_wherever_it_is(
    small_site: Site,
) -> None:
    press = begun(small_site)
    for to, text in (("everybody", "Hello, all"), ("FRANCE", "And you alone")):
        write(small_site, press, ALICE, to, text)
    bob = small_site.visitor(BOB)
    (badge,) = re.findall(
        r'class="new-press" href="([^"]+)"', bob.get(press.removesuffix("/press")).text
    )
    assert bob.get(badge).headers["Location"].startswith(f"{press}?to=everybody#t")


def test_hidden_writers_share_one_conversation_that_cannot_be_answered(small_site: Site) -> None:
    press = begun(small_site, "anonymous-private")
    write(small_site, press, ALICE, ["FRANCE", "RUSSIA"], "Beware")
    page = small_site.visitor(BOB).get(f"{press}?from=somebody")
    assert (
        texts(page.text) == ["Beware"]
        and "England</h3>" not in page.text
        and "<textarea" not in page.text
    )
    assert "cannot be answered" in page_text(page)


def test_an_overseer_reads_what_others_write_as_conversations_between_them(
    small_site: Site,
) -> None:
    press = begun(small_site, overseen=True)
    write(small_site, press, ALICE, "FRANCE", "Our secret")
    page = small_site.visitor(DORA).get(f"{press}?between=FRANCE&between=ENGLAND")
    assert (
        texts(page.text) == ["Our secret"]
        and "you take no part in it" in page_text(page)
        and unread(page.text)
    )


def test_the_address_after_sending_is_the_conversation(small_site: Site) -> None:
    press = begun(small_site)
    answer = small_site.visitor(ALICE).post(
        press, {"to": ["RUSSIA", "FRANCE"], "text": "Both of you"}
    )
    assert answer.headers["Location"] == f"{press}?to=RUSSIA&to=FRANCE&sent=1#newest"
    dora = small_site.visitor(DORA).post(f"{press}/as-master", {"to": "FRANCE", "text": "You may"})
    assert dora.headers["Location"] == f"{press}?to=FRANCE&as=master&sent=1#newest"


@pytest.mark.parametrize(
    ("line", "addresses"),
    [
        ("See https://example.org/a?b=1&c=2.", ["https://example.org/a?b=1&amp;c=2"]),
        (
            "(https://example.org/a_(b)), and HTTP://EXAMPLE.org!",
            ["https://example.org/a_(b)", "HTTP://EXAMPLE.org"],
        ),
        ('https://a.example/"onclick="x', ["https://a.example/"]),
        ("javascript:alert(1) data:text/html,x //example.org example.org https:// https://[x", []),
        ("<img src=https://a.example/x.png>", ["https://a.example/x.png"]),
    ],
)
def test_only_web_addresses_become_links_and_nothing_else_is_markup(
    line: str, addresses: list[str]
) -> None:
    said = str(link_addresses(line))
    assert (
        re.findall(r'<a href="([^"]*)" rel="nofollow ugc noopener noreferrer">\1</a>', said)
        == addresses
    )
    assert re.sub(r"</?a\b[^>]*>", "", said).count("<") == 0


# --- in a browser


@pytest.mark.nightly
def test_looking_at_a_conversation_marks_it_as_read(live: Live) -> None:
    press = begun(live.site)
    write(live.site, press, ALICE, "FRANCE", "Shall we?")
    page = live.page(f"{press}?to=ENGLAND", BOB)
    expect(page.locator(".unread-count")).to_have_count(0)
    page.reload()
    expect(page.locator(".talk-new, .unread-count")).to_have_count(0)


def test_a_draft_stays_in_the_browser_until_it_is_sent_or_its_writer_signs_out(live: Live) -> None:
    press = begun(live.site)
    page = live.page(f"{press}?to=FRANCE", ALICE)
    page.get_by_label("What you say").fill("Not yet")
    page.goto(f"{press}?to=RUSSIA")
    expect(page.get_by_label("What you say")).to_have_value("")
    page.goto(f"{press}?to=FRANCE")
    expect(page.get_by_label("What you say")).to_have_value("Not yet")
    assert live.posts() == []
    page.keyboard.press("Tab")
    page.get_by_label("What you say").press("Control+Enter")
    expect(page.locator("[data-sent]")).to_be_visible()
    expect(page.get_by_label("What you say")).to_have_value("")
    assert page.evaluate("localStorage.length") == 0
    page.get_by_label("What you say").fill("Another")
    assert page.evaluate("localStorage.length") == 1
    page.goto("/account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    wait_in(page, "localStorage.length === 0")


@pytest.mark.parametrize(("name", "form"), [(ALICE, "write=1"), (DORA, "as=master")])
@pytest.mark.nightly
def test_a_text_to_several_is_no_draft_once_it_was_sent(live: Live, name: str, form: str) -> None:
    press = begun(live.site)
    page = live.page(f"{press}?{form}", name)
    page.get_by_label("France").check()
    page.get_by_label("Russia").check()
    page.get_by_label("What you say").fill("To both of you")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-sent]")).to_be_visible()
    assert page.evaluate("localStorage.length") == 0
    page.goto(f"{press}?{form}")
    expect(page.get_by_label("What you say")).to_have_value("")


@pytest.mark.nightly
def test_the_same_words_for_somebody_else_stay_a_draft(live: Live) -> None:
    press = begun(live.site)
    page = live.page(f"{press}?to=FRANCE", ALICE)
    page.get_by_label("What you say").fill("Shall we talk?")
    page.goto(f"{press}?to=RUSSIA")
    page.get_by_label("What you say").fill("Shall we talk?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-sent]")).to_be_visible()
    expect(page.get_by_label("What you say")).to_have_value("")
    page.goto(f"{press}?to=FRANCE")
    expect(page.get_by_label("What you say")).to_have_value("Shall we talk?")


@pytest.mark.nightly
def test_the_list_is_walked_with_the_arrow_keys(live: Live) -> None:
    page = live.page(f"{begun(live.site)}?to=FRANCE", ALICE)
    page.get_by_label("What you say").press("Escape")
    expect(page.get_by_role("link", name="France")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="Russia")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Russia")).to_be_visible()


@pytest.mark.nightly
def test_a_phone_shows_the_list_first_and_then_the_conversation(live: Live) -> None:
    press = begun(live.site)
    page = live.page(press, ALICE, viewport={"width": 390, "height": 844})
    page.get_by_role("link", name="France").click()
    expect(page.get_by_role("heading", name="France")).to_be_visible()
    expect(page.get_by_role("navigation", name="Conversations")).to_be_hidden()
    page.get_by_role("link", name="All conversations").click()
    expect(page.get_by_role("navigation", name="Conversations")).to_be_visible()
