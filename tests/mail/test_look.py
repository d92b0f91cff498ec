"""Letters in a real browser: they fit a phone, show their picture, and follow the light or dark
scheme.
"""

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page

from adjudicator.mail.composing import compose
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.letters.outbox import LetterToSend
from tests.browser import WAIT_MILLISECONDS
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness

PAPER = {"light": "rgb(250, 247, 240)", "dark": "rgb(21, 24, 29)"}
_FAINTEST = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/\\d+/g).map(Number).map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (!colour.endsWith(', 0)')) return colour;
    }
  };
  const ratios = [...document.querySelectorAll('p, h1, h2, a, span, td')].filter((each) => each.innerText.trim()).map((each) => {
    const [one, other] = [light(getComputedStyle(each).color), light(behind(each))].sort((a, b) => b - a);
    return (one + 0.05) / (other + 0.05);
  });
  return Math.min(...ratios);
}"""


@pytest.fixture
def claimed(post_harness: MailHarness) -> list[LetterToSend]:
    """A report and a receipt with all their parts."""
    post_harness.begin(ALICE, BOB, CHARLIE)
    post_harness.order(post_harness.uid, ALICE, "B3\nthe orange one\nTHEN\nB3")
    receipt = post_harness.claim("receipt")
    post_harness.play_round("", "W3", "")
    return [receipt, post_harness.claim("report", ALICE)]


def posted(post_harness: MailHarness, claimed: LetterToSend) -> Posted:
    post_harness.mailbox.post(compose.compose_letter(post_harness.settings, claimed))
    letter = post_harness.mailbox.letter(claimed.uid)
    assert letter is not None
    return letter


def opened(browser: Browser, letter: Posted, *, width: int, scheme: str) -> Page:
    page = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme
    ).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.set_content(letter.html)
    return page


@pytest.mark.parametrize("scheme", PAPER)
@pytest.mark.parametrize("width", [320, 390, 700])
def test_a_letter_fits_and_can_be_read(
    post_harness: MailHarness,
    claimed: list[LetterToSend],
    browser: Browser,
    width: int,
    scheme: str,
) -> None:
    for letter in claimed:
        page = opened(browser, posted(post_harness, letter), width=width, scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER[scheme]
        assert page.evaluate(_FAINTEST) >= 4.5
        page.context.close()


def test_the_picture_is_shown_sharp(
    post_harness: MailHarness, claimed: list[LetterToSend], browser: Browser
) -> None:
    page = opened(browser, posted(post_harness, claimed[1]), width=700, scheme="light")
    page.wait_for_function("document.images[0].complete")
    assert page.evaluate("[document.images[0].naturalWidth, document.images[0].width]") == [
        900,
        600,
    ]
    page.context.close()


@pytest.mark.parametrize("name", ["W" * 60, "<h1 onclick=alert(1)>" * 3, "م" * 60])
def test_a_name_never_breaks_the_page(
    post_harness: MailHarness, claimed: list[LetterToSend], browser: Browser, name: str
) -> None:
    report = claimed[1]
    hostile = replace(
        report, context=report.context | {"match": name, "names": {"1": name, "2": name, "3": name}}
    )
    page = opened(browser, posted(post_harness, hostile), width=390, scheme="light")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("h1").count() == 1
    assert page.locator(".match").inner_text() == name
    page.context.close()
