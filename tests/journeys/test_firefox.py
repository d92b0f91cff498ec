"""The main journeys in Firefox ESR: a guest makes a match, plays by clicking, writes press, goes
through the history by keys.

One likes it light, the other dark.
"""

import os
from collections.abc import Iterator

import pytest

from tests.firefox import FirefoxPage, find_firefox, running_firefox
from tests.hosting.service import Service
from tests.journeys.test_clicking import LONGEST
from tests.journeys.test_map import FIND, SPOT

pytestmark = pytest.mark.nightly

BACKWARD, FORWARD = "\ue012", "\ue014"  # the arrow keys in WebDriver's table
_SPOT = (
    "(id) => { document.querySelector('svg.board').scrollIntoView({ block: 'start' }); return"
    f" ({SPOT})(document.getElementById(id)); }}"
)


@pytest.fixture
def page(service: Service, request: pytest.FixtureRequest) -> Iterator[FirefoxPage]:
    """A page of a new visitor in a new Firefox, whose owner may like it "dark". Without Firefox the
    test is skipped.
    """
    if find_firefox() is None:
        why = "There is no Firefox here: script/test installs Debian's firefox-esr where it may."
        pytest.fail(why, pytrace=False) if os.environ.get("EVERY_TOOL") else pytest.skip(why)
    with running_firefox(
        f"http://localhost:{service.port}", dark=getattr(request, "param", "") == "dark"
    ) as page:
        page.size(1280, 900)
        yield page


def follow(page: FirefoxPage, heading: str) -> None:
    """Take what the bar offers until the page has a heading."""
    page.wait_for(
        """(heading) => {
            if ([...document.querySelectorAll("h1, h2")].some((each) => each.checkVisibility() && each.textContent.includes(heading))) {
                return true;
            }
            document.querySelector("#news button")?.click();
            return false;
        }""",
        heading,
    )


def click_marks(page: FirefoxPage, *marks: str) -> None:
    """Click places and pieces of the board."""
    for mark in marks:
        page.press_at(page.wait_for(_SPOT, mark))


def begin(page: FirefoxPage, game: str) -> None:
    """Begin a match against house bots."""
    page.goto("/")
    page.click(f"button[name=game][value={game}]")
    follow(page, "You owe orders")


def see_theme(page: FirefoxPage, *, dark: bool) -> None:
    """Expect the browser's theme, and a page that is no wider than a phone."""
    page.goto("/watch")
    red, green, blue = page.run(
        "() => getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0,"
        " 3).map(Number)"
    )
    assert (red + green + blue < 3 * 64) == dark
    page.size(390, 844)
    assert page.run("() => document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("page", ["light"], indirect=True)
def test_a_guest_plays_a_round_by_clicking_and_goes_through_the_history_by_keys(
    page: FirefoxPage,
) -> None:
    begin(page, "pyramid")
    wanted = page.run(LONGEST)
    click_marks(page, *wanted["marks"])
    page.click(".board-bar button", "Seal and say ready")
    follow(page, "You owe orders for Round 2")
    match = page.run("() => location.pathname")
    page.goto(f"{match}/phases/1")
    page.see("Round 1", "h1, h2")
    page.press(BACKWARD)
    page.wait_for("() => location.pathname.endsWith('/phases/0')")
    page.press(FORWARD)
    page.wait_for("() => location.pathname.endsWith('/phases/1')")
    see_theme(page, dark=False)


@pytest.mark.parametrize("page", ["dark"], indirect=True)
def test_a_guest_makes_a_match_by_hand_and_orders_and_writes_on_the_map(page: FirefoxPage) -> None:
    begin(page, "pyramid")  # now the guest is known
    page.goto("/matches/new?game=diplomacy")
    page.click("input[name=name]")
    page.press("By hand")
    page.click("button", "Next")
    page.click("input[name=house]")
    page.run("() => document.activeElement.select()")
    page.press("6")
    page.click("button", "Next")
    page.click("summary", "More rules")
    page.click("summary", "Options of Diplomacy")
    page.click("label:has([name=option-press][value=public])")
    page.click("aside button", "Make the match")
    follow(page, "You owe orders for Spring 1901")
    wanted = [page.run(FIND, heading) for heading in ("Move", "Hold")]
    for heading, each in zip(("Move", "Hold"), wanted, strict=True):
        first, *others = each["marks"]
        click_marks(page, first)
        page.click(".board-ways button", heading)
        click_marks(page, *(mark for mark in others if mark != first))
    page.click(".board-bar button", "Seal and say ready")
    page.see(wanted[0]["text"], "#receipt .orders code")
    page.see(wanted[1]["text"], "#receipt .orders code")
    page.goto(page.run("() => location.pathname") + "/press?to=everybody")
    page.click("#seat-text")
    page.press("Peace for all.")
    page.click("button", "Send")
    page.see("Peace for all.", "main p")
    see_theme(page, dark=True)
