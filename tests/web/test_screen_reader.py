"""A phase of each game, played with the keyboard and by the names that a screen reader says
(docs/screen-reader.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from adjudicator import catalogue
from adjudicator.core.game import Seat
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views.duties import Owed
from tests import clocks
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.sampling import sample
from tests.web.live import Live, listening
from tests.web.site import Site
from web import spoken

PEOPLE = (ALICE, BOB, CHARLIE, "Dora", "Eve", "Frank", "Grace")
MOST_STEPS = 90  # presses of Tab to what is looked for
HEARD = """() => {
    window.heard = [];
    const note = (words) => { if (words && window.heard.at(-1) !== words) window.heard.push(words); };
    const around = (node) => (node.closest ? node : node.parentElement)?.closest("[role=status], [role=alert], [aria-live]");
    const look = (changes) => changes.forEach(({ target }) => note(around(target)?.textContent.trim()));
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}"""
CHOSEN = "(list) => list.selectedOptions[0].textContent"
FOCUSED = "(element) => element === document.activeElement"


@pytest.fixture(scope="module")
def live(
    shared_sqlite_url: str, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """One listening site for this file."""
    with pytest.MonkeyPatch.context() as patch, Harness(shared_sqlite_url) as harness:
        clocks.set_clocks(patch, lambda: harness.now)
        site = Site.create(harness, tmp_path_factory.mktemp("site") / "data")
        with listening(site, browser) as live:
            yield live
        site.app.extensions["database"].engine.dispose()


@dataclass(frozen=True)
class Listener:
    """Somebody who hears a page, and has a keyboard."""

    page: Page

    def reach(self, thing: Locator) -> Locator:
        """Walk to a control with Tab."""
        for _ in range(MOST_STEPS):
            if thing.evaluate(FOCUSED):
                return thing
            self.page.keyboard.press("Tab")
        pytest.fail(f"{thing} cannot be reached with Tab")

    def press(self, role: str, name: str, key: str = "Enter") -> None:
        """Walk to what has a role and a name, and press a key on it."""
        self.reach(self.page.get_by_role(role, name=name, exact=True)).press(key)  # type: ignore[arg-type]  # a role of ARIA

    def choose(self, name: str, words: str) -> None:
        """Walk to a list of this name and type the beginning of a choice."""
        box = self.reach(self.page.get_by_role("combobox", name=name, exact=True))
        self.page.keyboard.type(words)
        assert box.evaluate(CHOSEN).startswith(words)

    def hears(self, words: str) -> None:
        """Wait until a live region says these words."""
        expect(self.page.get_by_role("status").filter(has_text=words)).to_have_count(1)

    def heard(self) -> list[str]:
        """Return everything that live regions have said on this page."""
        return list(self.page.evaluate("window.heard"))


def begin(live: Live, key: str) -> tuple[str, str, Seat]:
    """Begin a match of people; return its uid, a player who owes orders in its first phase, and
    that player's seat.
    """
    seats = catalogue.game(key).about.seats
    number = 7 if 7 in seats else min(seats)
    uid = live.site.harness.match(
        *PEOPLE[:number], wish=Wish(key, "The Table", {}, players=number, seating="order")
    )
    pages = {name: live.site.harness.page(uid, name) for name in PEOPLE[:number]}
    return next((uid, name, page.seat) for name, page in pages.items() if page.owed is not None)


def open_page(live: Live, uid: str, name: str) -> Listener:
    """Open a match in the browser of a player who hears it."""
    context = live.context(name)
    context.add_init_script(f"({HEARD})()")
    page = context.new_page()
    page.goto(f"/matches/{uid}")
    return Listener(page)


def owed_by(live: Live, uid: str, name: str) -> Owed:
    """Return what a player owes."""
    owed = live.site.harness.page(uid, name).owed
    assert owed is not None
    return owed


def order_as_others(live: Live, uid: str, but: str) -> None:
    """Hand in the first choice of each slot as everybody else."""
    harness = live.site.harness
    for name in set(harness.people) - {but}:
        owed = harness.page(uid, name).owed
        if owed is not None:
            lines = [slot.choices[0].text for slot in owed.slots if not slot.optional]
            assert harness.order(uid, name, "\n".join([*lines, "ready"])).disposition == "accepted"


def read_where_it_stands(live: Live, listener: Listener, uid: str, name: str, seat: Seat) -> None:
    """Check that names alone tell the match, the phase, the position, who plays and what is
    owed.
    """
    page, owed = listener.page, owed_by(live, uid, name)
    expect(page.get_by_role("heading", name="The Table", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name=f"You owe orders for {owed.phase}")).to_be_visible()
    picture = page.get_by_role("figure").get_by_role("img").first
    assert len(picture.get_attribute("aria-label") or "") > 30, "the board in words"
    expect(
        page.get_by_role("region", name="Who plays")
        .get_by_role("listitem")
        .filter(has_text=f"{name} (you)")
    ).to_have_count(1)
    listener.reach(page.get_by_text("The position as text")).press("Enter")
    position = page.get_by_role("region", name="The position as text")
    expect(position).to_be_visible()
    assert len(position.inner_text()) > 40
    page.keyboard.press("Tab")
    expect(position).to_be_focused()
    page.get_by_role("link", name="To the content").focus()


def choose_cards(listener: Listener, owed: Owed) -> str:
    """Choose the second card of the first question with an arrow key; return what it says."""
    (slot,) = [slot for slot in owed.slots if not slot.optional]
    group = listener.page.get_by_role("group", name=slot.title)
    listener.reach(group.get_by_role("radio").first).press("ArrowDown")
    second = group.get_by_role("radio", name=slot.choices[1].label)
    expect(second).to_be_checked()
    expect(second).to_be_focused()
    return slot.choices[1].label


def close(live: Live, listener: Listener, uid: str, phase: str) -> None:
    """Close the phase; the page of who waits goes on by itself, says so, and tells what
    happened.
    """
    assert live.site.harness.close(uid)
    listener.hears(f"{phase} is over; ")
    told = listener.page.get_by_role("region", name="What happened")
    expect(told.get_by_role("heading", name=phase, exact=True)).to_be_visible()


def check_what_was_heard(listener: Listener, *wanted: str) -> None:
    """Check that live regions said these sentences in this order, and nothing long: no form is read
    out.
    """
    heard = listener.heard()
    assert [each for each in heard if each in wanted] == list(wanted)
    assert all(len(each) <= spoken.LONGEST and "\n" not in each for each in heard), heard


# --- the games


@pytest.mark.parametrize("key", sample(["pyramid", "redeux", "phoenix"], 1))
def test_a_card_is_chosen_and_sealed_by_name(live: Live, key: str) -> None:
    uid, name, seat = begin(live, key)
    order_as_others(live, uid, name)
    listener, owed = open_page(live, uid, name), owed_by(live, uid, name)
    read_where_it_stands(live, listener, uid, name, seat)
    chosen = choose_cards(listener, owed)
    listener.press("button", "Seal and say ready")
    sealed = (
        f"Sealed for {owed.phase}: {chosen}; everybody is ready, and the phase is being opened now."
    )
    listener.hears(sealed)
    expect(listener.page.get_by_role("heading", name=f"Sealed: {owed.phase}")).to_be_visible()
    close(live, listener, uid, owed.phase)
    check_what_was_heard(listener, sealed)


@pytest.mark.nightly
def test_no_choice_of_cards_says_its_words_twice(live: Live) -> None:
    uid, name, _ = begin(live, "redeux")
    cards = open_page(live, uid, name).page.get_by_role(
        "group", name=owed_by(live, uid, name).slots[0].title
    )
    for card in ("Rock", "Paper", "Scissors"):
        expect(cards.get_by_role("radio", name=card, exact=True)).to_have_count(1)


@pytest.mark.nightly
def test_gods_are_born_by_name(live: Live) -> None:
    uid, name, seat = begin(live, "genesis")
    listener, owed = open_page(live, uid, name), owed_by(live, uid, name)
    read_where_it_stands(live, listener, uid, name, seat)
    listener.choose(owed.slots[0].title, "Anubis on d2, Bastet on b4")
    listener.press("button", "Seal and say ready")
    sealed = (
        f"Sealed for {owed.phase}: Anubis on d2, Bastet on b4; everybody is ready, and the phase is"
        " being opened now."
    )
    listener.hears(sealed)
    close(live, listener, uid, owed.phase)
    check_what_was_heard(listener, sealed)
    expect(listener.page.get_by_role("region", name="What happened")).to_contain_text("b4")


def play_a_movement(
    live: Live, key: str, orders: Sequence[tuple[str, str]], *, natures: bool = False
) -> None:
    """Play the first movement phase as Austria: each unit by its name, each order by its words."""
    uid, name, seat = begin(live, key)
    order_as_others(live, uid, name)
    listener = open_page(live, uid, name)
    read_where_it_stands(live, listener, uid, name, seat)
    for unit, order in orders:
        listener.choose(unit, order)
        if natures:
            listener.choose(f"{unit}: its characteristic", "Paper")
    listener.press("button", "Seal and say ready")
    number = len(orders) * (2 if natures else 1)
    sealed = (
        f"Sealed for Spring 1901: {number} orders; everybody is ready, and the phase is being"
        " opened now."
    )
    listener.hears(sealed)
    receipt = listener.page.get_by_role("region", name="Your orders").get_by_role("listitem")
    expect(receipt.filter(has_text=orders[0][1])).to_have_count(1)
    close(live, listener, uid, "Spring 1901")
    expect(listener.page.get_by_role("region", name="What happened")).to_contain_text("Galicia")
    owed = "Spring 1901 is over; you owe orders for Fall 1901."
    check_what_was_heard(listener, sealed, owed)
    expect(listener.page.get_by_role("combobox", name="Army Galicia", exact=True)).to_have_count(1)


def test_a_movement_phase_of_diplomacy_is_played_by_name(live: Live) -> None:
    play_a_movement(
        live,
        "diplomacy",
        [
            ("Army Budapest", "supports Vienna to Galicia"),
            ("Army Vienna", "to Galicia"),
            ("Fleet Trieste", "to Albania"),
        ],
    )


@pytest.mark.nightly
def test_a_movement_phase_of_rsp_diplomacy_is_played_by_name(live: Live) -> None:
    orders = [
        ("Army Budapest", "to Serbia"),
        ("Army Vienna", "to Galicia"),
        ("Fleet Trieste", "holds"),
    ]
    play_a_movement(live, "rsp-diplomacy", orders, natures=True)


def drive_out_of_galicia(live: Live, uid: str) -> str:
    """Let Austria dislodge Russia's army in Galicia in Fall 1901; return who plays Russia."""
    harness = live.site.harness
    by_seat = {harness.page(uid, name).seat: name for name in PEOPLE}
    for austria, russia in (
        ("A VIE H", "A WAR - GAL"),
        ("A VIE - GAL\nA BUD S A VIE - GAL", "A GAL H"),
    ):
        for seat, lines in (("AUSTRIA", austria), ("RUSSIA", russia)):
            assert harness.order(uid, by_seat[seat], lines).disposition == "accepted"
        harness.later(hours=60)
        assert harness.close(uid)
    return by_seat["RUSSIA"]


@pytest.mark.nightly
def test_a_retreat_of_diplomacy_is_ordered_by_name(live: Live) -> None:
    uid, _, _ = begin(live, "diplomacy")
    name = drive_out_of_galicia(live, uid)
    owed = owed_by(live, uid, name)
    listener = open_page(live, uid, name)
    read_where_it_stands(live, listener, uid, name, "RUSSIA")
    places = listener.page.get_by_role("group", name="Army Galicia").get_by_role("radio")
    first = listener.reach(places.first)
    first.press("Space")
    while not places.and_(listener.page.get_by_role("radio", name="to Silesia")).is_checked():
        listener.page.keyboard.press("ArrowDown")
    listener.press("button", "Seal and say ready")
    sealed = (
        f"Sealed for {owed.phase}: to Silesia; everybody is ready, and the phase is being opened"
        " now."
    )
    listener.hears(sealed)
    close(live, listener, uid, owed.phase)
    check_what_was_heard(listener, sealed)
    expect(listener.page.get_by_role("region", name="What happened")).to_contain_text("Silesia")


# --- what is said instead of being read out


@pytest.mark.nightly
def test_a_refused_line_and_a_trial_are_said_in_one_sentence(live: Live) -> None:
    uid, name, _ = begin(live, "diplomacy")
    listener = open_page(live, uid, name)
    listener.choose("Army Vienna", "to Galicia")
    listener.press("button", "Try these orders")
    listener.hears("Only tried, nothing was sealed: ")
    listener.reach(listener.page.get_by_text("Write them instead")).press("Enter")
    listener.reach(
        listener.page.get_by_role("textbox", name="Your orders, as a letter would carry them")
    )
    listener.page.keyboard.type("A VIE - GAL\nA BUD - ROM")
    listener.press("button", "Seal this text and say ready")
    said = "Sealed for Spring 1901, and 1 line was not taken. You are not ready."
    listener.hears(said)
    check_what_was_heard(listener, said)


# --- targets

# Targets below 24 by 24 pixels which are neither links in a sentence nor so far from others that a
# circle of 24 around each is its own (WCAG 2.5.8). A label belongs to the box of its field, and a
# field without a size of its own has that of its label.
SMALL = """() => {
    const KINDS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length;
    const targets = [...document.querySelectorAll(KINDS)].filter(shown);
    const box = (each) => {
        const label = each.matches("input[type=checkbox], input[type=radio]") && each.closest("label");
        const parts = [each, label].filter(Boolean).map((part) => part.getBoundingClientRect());
        const [left, top] = ["left", "top"].map((side) => Math.min(...parts.map((part) => part[side])));
        const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...parts.map((part) => part[side])));
        const small = right - left < 23.9 || bottom - top < 23.9;
        return { each, left, top, right, bottom, x: (left + right) / 2, y: (top + bottom) / 2, small };
    };
    const longer = (each) => each.parentElement.textContent.trim().length > each.textContent.trim().length + 8;
    const inSentence = (each) => getComputedStyle(each).display === "inline" && longer(each);
    const gap = (at, from, to) => Math.max(from - at, 0, at - to);
    const beyond = (one, other) => Math.hypot(gap(one.x, other.left, other.right), gap(one.y, other.top, other.bottom)) >= 12;
    const apart = (one, other) => (other.small ? Math.hypot(one.x - other.x, one.y - other.y) >= 24 : beyond(one, other));
    const related = (one, other) => one.each.contains(other.each) || other.each.contains(one.each);
    const boxes = targets.map(box);
    const met = (one) => !one.small || inSentence(one.each) || boxes.every((other) => related(one, other) || apart(one, other));
    const size = ({ left, top, right, bottom }) => `${Math.round(right - left)}x${Math.round(bottom - top)}`;
    return boxes.filter((one) => !met(one)).map((one) => `${one.each.outerHTML.slice(0, 90)} ${size(one)}`);
}"""


@pytest.mark.parametrize("key", ["pyramid", "genesis", "diplomacy"])
@pytest.mark.nightly
def test_every_control_on_a_phone_is_large_enough_to_be_met(live: Live, key: str) -> None:
    uid, name, _ = begin(live, key)
    page = live.page(
        f"/matches/{uid}", name, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page.get_by_role("button", name="You owe orders").press("Enter")
    assert page.evaluate(SMALL) == []


def test_units_of_a_map_on_a_phone_are_large_enough_once_it_is_larger_and_have_lists_besides(
    live: Live,
) -> None:
    uid, name, _ = begin(live, "diplomacy")
    page = live.page(
        f"/matches/{uid}", name, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page.get_by_role("button", name="Larger").press("Enter")
    units = [
        f"diplomacy-unit-{slot.name}"
        for slot in owed_by(live, uid, name).slots
        if not slot.optional
    ]
    boxes = [page.locator(f"[id='{unit}']").bounding_box() for unit in units]
    assert len(boxes) == 3 and all(
        box is not None and min(box["width"], box["height"]) >= 24 for box in boxes
    )
    page.get_by_role("button", name="You owe orders").press("Enter")
    lists = [
        page.get_by_role("combobox", name=slot.title, exact=True).bounding_box()
        for slot in owed_by(live, uid, name).slots[:3]
    ]
    assert all(box is not None and min(box["width"], box["height"]) >= 24 for box in lists)
