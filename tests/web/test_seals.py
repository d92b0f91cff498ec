"""The seals of a match for people: phases, receipts, how the sealing works, and the check in a
browser.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from adjudicator import catalogue
from adjudicator.core.jcs import H
from adjudicator.service.base.rows import by_uid
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.sampling import sample
from tests.web.live import Live
from tests.web.site import Site, page_text

PIECES = {ALICE: "B3", BOB: "B2", CHARLIE: "W2"}


def play_round(harness: Harness, uid: str) -> None:
    harness.round(uid, list(PIECES.items()))


def export(harness: Harness, uid: str) -> dict[str, Any]:
    with harness.database.read_tx() as session:
        return export_bundle(session, uid)


# --- phases


def test_each_order_of_a_closed_phase_says_how_it_was_sealed(small_site: Site) -> None:
    site, uid = small_site, small_site.begin_match()
    site.harness.order(uid, ALICE, "B3")
    site.harness.order(uid, BOB, "B2")
    site.harness.later(hours=80)
    assert site.harness.close(uid)
    told = page_text(site.visitor().get(f"/matches/{uid}/phases/1"))
    assert (
        "Alice: sealed, opened unchanged" in told
        and "Charlie: nothing was sealed; the game’s default" in told
    )
    assert "You sealed them" not in told and "Check the seals" in told


def test_only_its_own_seat_sees_when_its_orders_were_sealed(small_site: Site) -> None:
    uid = small_site.begin_match()
    play_round(small_site.harness, uid)
    own, others = (
        page_text(small_site.visitor(name).get(f"/matches/{uid}/phases/1"))
        for name in (ALICE, None)
    )
    assert own.count("You sealed them") == 1 and "You sealed them" not in others


def test_hidden_orders_say_that_their_seals_open_at_the_end(small_site: Site) -> None:
    wish = Wish("rsp-diplomacy", "Table", {}, players=2, seating="order")
    uid = small_site.harness.match(ALICE, BOB, wish=wish)
    owed = small_site.harness.page(uid, ALICE).owed
    assert owed is not None
    lines = [slot.choices[0].text for slot in owed.slots if not slot.optional]
    assert small_site.harness.order(uid, ALICE, "\n".join(lines)).disposition == "accepted"
    small_site.harness.later(hours=80)
    assert small_site.harness.close(uid)
    assert "sealed; its seal opens when the match ends" in page_text(
        small_site.visitor().get(f"/matches/{uid}/phases/1")
    )


def test_a_match_without_a_log_says_so_and_has_no_check(small_site: Site) -> None:
    uid = small_site.begin_match()
    play_round(small_site.harness, uid)
    with small_site.harness.database.write_tx() as session:
        match = by_uid(session, uid)
        match.sealing, match.log_hash = 0, None
    page = small_site.visitor().get(f"/matches/{uid}/phases/1")
    assert "This match has no log" in page_text(page) and "Alice: handed in sealed" in page_text(
        page
    )
    assert "data-check" not in page.text


# --- receipts


def test_receipts_tell_what_counted_what_was_replaced_and_what_was_refused(
    small_site: Site,
) -> None:
    site, uid = small_site, small_site.begin_match()
    for text in ("B1", "nonsense", "B3 THEN C2"):
        site.harness.order(uid, ALICE, text)
    site.harness.round(uid, [(BOB, "B2"), (CHARLIE, "W2")])
    site.harness.order(uid, ALICE, "W1")
    told = page_text(site.visitor(ALICE).get(f"/matches/{uid}/receipts"))
    assert (
        "Round 1, submission 1: replaced by a later one" in told
        and "Round 1, submission 2: refused" in told
    )
    assert (
        "Round 1, submission 3: counted" in told
        and "Round 2, submission 1: sealed until the phase closes" in told
    )
    assert " B3 " in told and " W1 " not in told, "orders of an open phase are not on this page"


def test_a_receipt_can_be_downloaded_by_its_seat_alone(small_site: Site) -> None:
    site, uid = small_site, small_site.begin_match()
    site.harness.order(uid, ALICE, "B3")
    path = f"/matches/{uid}/receipts/1/1.json"
    assert site.visitor(ALICE).get(path).status_code == 404, "it is not signed yet"
    receipts.sign_receipts(site.harness.database, site.harness.keyring)
    told = json.loads(site.visitor(ALICE).get(path).data)
    assert (
        set(told) == {"receipt", "signature", "keys"}
        and told["keys"] == site.harness.keyring.public.fingerprint
    )
    assert (
        H("receipt", told["receipt"]).hex()
        in site.visitor(ALICE).get(f"/matches/{uid}/receipts").text
    )
    assert [site.visitor(name).get(path).status_code for name in (BOB, None)] == [404, 404]


def test_every_match_and_the_home_page_lead_to_how_the_sealing_works(small_site: Site) -> None:
    uid = small_site.begin_match()
    for path in ("/", f"/matches/{uid}", f"/matches/{uid}/about"):
        assert 'href="/sealing"' in small_site.visitor().get(path).text, path
    told = page_text(small_site.visitor().get("/sealing"))
    assert "What is not proven" in told and "verify_match.py" in told and "sealed replay" in told


# --- the check in a browser


def press(page: Page) -> None:
    """Press the button by keyboard."""
    button = page.get_by_role("button", name="Check in this browser")
    button.focus()
    button.press("Enter")


def check_file(page: Page, tmp_path: Path, bundle: object, *own: object) -> None:
    """Check a log as a file, with receipts as files."""
    paths = [tmp_path / f"{number}.json" for number in range(len(own) + 1)]
    for path, value in zip(paths, (bundle, *own), strict=True):
        path.write_text(json.dumps(value), "utf-8")
    page.get_by_label("The match’s log, as downloaded").set_input_files(paths[0])
    page.get_by_label("Your receipts, if you have some").set_input_files(paths[1:])
    press(page)


def said(page: Page) -> Any:
    return page.locator(".check-said")


HOLDS = "Everything that this button checks holds."


def test_a_phase_is_checked_in_the_browser(live: Live) -> None:
    uid = live.site.begin_match()
    play_round(live.site.harness, uid)
    page = live.page(f"/matches/{uid}/phases/1")
    assert not any("seals.js" in path for _, path in live.asked), (
        "what checks is loaded once it is asked for"
    )
    press(page)
    expect(said(page)).to_have_text(HOLDS)
    held = page.locator(".held").inner_text()
    assert (
        "3 orders were opened as they were sealed." in held
        and "have the signature of the service’s key" in held
    )
    assert "No receipts of yours were compared" in page.locator(".unchecked").inner_text()
    assert not Axe().run(page).response["violations"]


@pytest.mark.nightly
def test_the_check_works_after_walking_to_another_phase(live: Live) -> None:
    uid = live.site.begin_match()
    play_round(live.site.harness, uid)
    page = live.page(f"/matches/{uid}/phases/0")
    page.get_by_role("link", name="Round 1 →").click()
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    press(page)
    expect(said(page)).to_have_text(HOLDS)


@pytest.mark.parametrize("key", sample([each.about.key for each in catalogue.every_game()], 1))
def test_a_downloaded_log_of_each_game_holds(live: Live, tmp_path: Path, key: str) -> None:
    harness, fewest = live.site.harness, min(catalogue.game(key).about.seats)
    wish = Wish(key, "Table", {}, players=max(fewest, 2), house=max(fewest - 2, 0), seating="order")
    uid = harness.match(ALICE, BOB, wish=wish)
    page = live.page("/sealing")
    for number in range(3):
        owed = harness.page(uid, ALICE).owed
        if owed is not None:
            harness.order(
                uid,
                ALICE,
                "\n".join(
                    slot.choices[number % len(slot.choices)].text
                    for slot in owed.slots
                    if not slot.optional
                ),
            )
        harness.later(hours=80)
        assert harness.close(uid)
        check_file(page, tmp_path, export(harness, uid))
        expect(said(page)).to_have_text(HOLDS)
        page.reload()
    masters.end_match(harness.database, uid, None, "It is late", now=harness.now)
    assert harness.close(uid)
    check_file(page, tmp_path, export(harness, uid))
    expect(said(page)).to_have_text(HOLDS)
    expect(page.locator(".held")).to_contain_text(
        "The match has ended: every seal and all hidden chance are open"
    )


def alter_order(bundle: dict[str, Any]) -> None:
    last(bundle, "result")["openings"][0]["orders"] = "B1"


def rewrite_order(bundle: dict[str, Any]) -> None:
    """Alter an order and compute every later hash anew."""
    alter_order(bundle)
    before = "0" * 64
    for entry in bundle["entries"]:
        entry["prev"] = before
        entry["hash"] = before = H(
            "entry", {name: entry[name] for name in ("index", "prev", "type", "body")}
        ).hex()


def swap_entries(bundle: dict[str, Any]) -> None:
    bundle["entries"][4], bundle["entries"][5] = bundle["entries"][5], bundle["entries"][4]


def drop_body(bundle: dict[str, Any]) -> None:
    del bundle["entries"][5]["body"]


def last(bundle: dict[str, Any], kind: str) -> dict[str, Any]:
    body: dict[str, Any] = [entry["body"] for entry in bundle["entries"] if entry["type"] == kind][
        -1
    ]
    return body


@pytest.mark.parametrize(
    ("alter", "told"),
    sample(
        [
            (alter_order, "Phase 1: An entry of the log was altered."),
            (rewrite_order, "Phase 1: An entry of the log does not have the service’s signature."),
            (swap_entries, "An entry of the log is missing or stands in another place."),
            (drop_body, "A part of the file is missing or has another form than a match’s log."),
        ],
        1,
    ),
)
def test_an_altered_log_is_found_out(
    live: Live, tmp_path: Path, alter: Callable[[dict[str, Any]], None], told: str
) -> None:
    uid = live.site.begin_match()
    play_round(live.site.harness, uid)
    bundle = export(live.site.harness, uid)
    alter(bundle)
    page = live.page("/sealing")
    check_file(page, tmp_path, bundle)
    expect(said(page)).to_contain_text("not hold")
    expect(page.locator(".broken")).to_contain_text(told)


def resign(harness: Harness, bundle: dict[str, Any]) -> None:
    """Sign a changed log anew, as a host with the key could."""
    before = "0" * 64
    for entry in bundle["entries"]:
        entry["prev"] = before
        digest = H("entry", {name: entry[name] for name in ("index", "prev", "type", "body")})
        entry["hash"] = before = digest.hex()
        entry["sig"] = harness.keyring.sign(digest).hex()


def other_chance(bundle: dict[str, Any]) -> None:
    last(bundle, "result")["public"] = "ab" * 32


def other_leaf(bundle: dict[str, Any]) -> None:
    last(bundle, "close")["leaves"][0]["commitment"] = "ab" * 32


def other_state(bundle: dict[str, Any]) -> None:
    last(bundle, "audit")["states"][0]["nonce"] = "ab" * 32


def other_chains(bundle: dict[str, Any]) -> None:
    last(bundle, "audit")["chains"]["hidden"] = "ab" * 32


def other_transcript(bundle: dict[str, Any]) -> None:
    bundle["transcript"]["phases"][0]["orders"]["1"] = "B1"


@pytest.mark.parametrize(
    ("alter", "told"),
    sample(
        [
            (alter_order, "Phase 1: The orders of seat 1 are not those that were sealed."),
            (
                other_chance,
                "Phase 1: The chance is not the one that was fixed before the match began.",
            ),
            (
                other_leaf,
                "Phase 1: What the seats had handed in is not what the phase’s seal covers.",
            ),
            (
                other_state,
                "Phase 1: The position is not the one that was fixed before the orders arrived.",
            ),
            (other_chains, "The chance is not the one that was fixed before the match began."),
            (other_transcript, "Phase 1: The transcript tells other orders than the log."),
        ],
        2,
    ),
)
def test_a_log_that_its_host_signed_anew_is_found_out(
    live: Live, tmp_path: Path, alter: Callable[[dict[str, Any]], None], told: str
) -> None:
    harness, uid = live.site.harness, live.site.begin_match()
    play_round(harness, uid)
    masters.end_match(harness.database, uid, None, "It is late", now=harness.now)
    assert harness.close(uid)
    bundle = export(harness, uid)
    alter(bundle)
    resign(live.site.harness, bundle)
    page = live.page("/sealing")
    check_file(page, tmp_path, bundle)
    expect(page.locator(".broken")).to_contain_text(told)


def own_receipts(live: Live, uid: str, *numbers: int) -> list[dict[str, Any]]:
    """Download receipts of Alice for the first phase."""
    visitor = live.site.visitor(ALICE)
    return [
        json.loads(visitor.get(f"/matches/{uid}/receipts/1/{number}.json").data)
        for number in numbers
    ]


@pytest.mark.nightly
def test_receipts_are_held_against_the_log(live: Live, tmp_path: Path) -> None:
    harness, uid = live.site.harness, live.site.begin_match()
    harness.order(uid, ALICE, "B1")
    play_round(harness, uid)
    first, second = own_receipts(live, uid, 1, 2)
    bundle, page = export(harness, uid), live.page("/sealing")
    check_file(page, tmp_path, bundle, first, second)
    expect(page.locator(".held")).to_contain_text("2 receipts of yours agree with the log.")
    expect(said(page)).to_have_text(HOLDS)
    page.reload()
    forged = {**second, "receipt": {**second["receipt"], "disposition": "late"}}
    check_file(page, tmp_path, bundle, forged)
    expect(page.locator(".broken")).to_contain_text("Phase 1: A receipt of seat 1 is not signed")


def test_a_host_who_counts_older_orders_is_found_out_by_a_receipt(
    live: Live, tmp_path: Path
) -> None:
    harness, uid = live.site.harness, live.site.begin_match()
    harness.order(uid, ALICE, "B1")
    play_round(harness, uid)
    first, second = own_receipts(live, uid, 1, 2)
    bundle, page = export(harness, uid), live.page("/sealing")
    leaf, opening = last(bundle, "close")["leaves"][0], last(bundle, "result")["openings"][0]
    leaf |= {"seq": 1, "commitment": first["receipt"]["parts"][0]["commitment"]}
    opening["seq"] = 1
    resign(harness, bundle)
    check_file(page, tmp_path, bundle, second)
    expect(page.locator(".broken")).to_contain_text(
        "Phase 1: Older orders of seat 1 counted than those of your newest receipt."
    )


def test_without_webcrypto_the_button_says_so_and_names_the_program(live: Live) -> None:
    uid = live.site.begin_match()
    play_round(live.site.harness, uid)
    context = live.context()
    context.add_init_script(
        "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });"
    )
    page = context.new_page()
    page.goto(f"/matches/{uid}/phases/1")
    press(page)
    expect(said(page)).to_contain_text("only on a page of https or of this machine")
    expect(said(page)).to_contain_text("verify_match.py")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download verify_match.py").click()
    assert download.value.suggested_filename == "verify_match.py"
    assert (
        Path(download.value.path()).read_bytes()
        == (Path(__file__).parents[2] / "verify_match.py").read_bytes()
    )


@pytest.mark.nightly
def test_without_ed25519_it_says_that_signatures_were_not_checked(live: Live) -> None:
    uid = live.site.begin_match()
    play_round(live.site.harness, uid)
    context = live.context()
    context.add_init_script(
        "SubtleCrypto.prototype.generateKey = async () => { throw new DOMException('no',"
        " 'NotSupportedError'); };"
    )
    page = context.new_page()
    page.goto(f"/matches/{uid}/phases/1")
    press(page)
    expect(said(page)).to_have_text(HOLDS)
    expect(page.locator(".unchecked")).to_contain_text("this browser has no Ed25519")
    assert "signature of the service’s key" not in page.locator(".held").inner_text()


def test_a_file_that_is_no_log_changes_nothing_and_says_so(live: Live, tmp_path: Path) -> None:
    page = live.page("/sealing")
    press(page)
    expect(said(page)).to_have_text("Choose the file of a match’s log first.")
    (tmp_path / "x").write_text("no JSON")
    page.get_by_label("The match’s log, as downloaded").set_input_files(tmp_path / "x")
    press(page)
    expect(said(page)).to_contain_text("could not be read")
