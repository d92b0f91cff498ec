"""Making a match of any game: players, options, presets and house bots; every error is shown beside
its field.
"""

import io
import re
from datetime import timedelta
from unittest.mock import Mock

import pytest
from playwright.sync_api import expect
from sqlmodel import delete
from werkzeug.datastructures import MultiDict

from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import Match, SignedIn
from adjudicator.service.calendars.calendars import ReaderBusy
from adjudicator.service.matches import timetables
from adjudicator.service.phases import beginning
from adjudicator.service.views import game_info
from tests.cast import ALICE, address
from tests.sampling import sample
from tests.web.live import Live
from tests.web.site import Site, page_text
from web.matches import new_match

USUAL = {
    "every_hours": "48",
    "grace_minutes": "10",
    "house": "0",
    "skill": "sensible",
    "play": "1",
    "open": "1",
    "bots": "1",
}
PHOENIX = {
    "game": "phoenix",
    "players": "3",
    "option-escalation": "27",
    "option-turn_limit": "60",
    "option-team": "False",
    **USUAL,
}


def match_of(site: Site, location: str) -> Match:
    """Return the match that a redirect leads to."""
    with site.harness.database.read_tx() as session:
        found = rows.by_uid(session, location.rpartition("/")[2])
        session.expunge(found)
    return found


def seats(site: Site, location: str) -> list[str]:
    """Return its seats' players, "" for a free seat."""
    return [
        seat.player or ""
        for seat in site.harness.page(location.rpartition("/")[2], ALICE).card.seats
    ]


def test_each_game_has_a_form_of_its_own(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    phoenix, pyramid = (
        alice.get("/matches/new?game=phoenix").text,
        alice.get("/matches/new?game=pyramid").text,
    )
    assert (
        'href="/matches/new?game=pyramid"' in phoenix
        and 'href="/matches/new?game=phoenix" aria-current="true"' in phoenix
    )
    assert (
        'name="option-escalation" type="number" inputmode="numeric" min="1" max="200" step="1"'
        ' required value="27"' in phoenix
    )
    assert (
        "0 is “no limit”" in phoenix
        and "Only for 4 players." in phoenix
        and '<select id="players"' in phoenix
    )
    assert '<select id="players"' not in pyramid and "option-escalation" not in pyramid


def test_a_number_that_may_be_left_open_is_typed_as_a_word_too(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    page = alice.get("/matches/new?game=diplomacy").text
    assert (
        'name="option-year_limit" type="text" autocapitalize="none" spellcheck="false" required'
        ' value="auto"' in page
    )
    assert "auto is “1925 where a house bot plays, else no limit”; 0 is “no limit”." in page
    form = {
        "game": "diplomacy",
        "every_hours": "24",
        "grace_minutes": "0",
        "play": "on",
        "players": "2",
        "open": "on",
    }
    years = {}
    for typed in (" Auto", "1910", "0"):
        answer = alice.post(
            "/matches/new", form | {"name": f"until {typed}", "option-year_limit": typed}
        )
        years[typed] = match_of(small_site, answer.headers["Location"]).options["year_limit"]
    assert years == {" Auto": "auto", "1910": 1910, "0": 0}
    wrong = alice.post("/matches/new", form | {"name": "soon", "option-year_limit": "1899"}).text
    assert "choose auto, a number from 1901 to 1950, or 0" in wrong


def test_the_form_s_choices_become_the_match_s(site: Site) -> None:
    form = PHOENIX | {
        "players": "2",
        "option-turn_limit": " 0 ",
        "option-casino": "True",
        "house": "1",
        "skill": "random",
    }
    answer = site.visitor(ALICE).post("/matches/new", form)
    made = match_of(site, answer.headers["Location"])
    assert (made.game, made.bots) == ("phoenix", True)
    assert made.options == {
        "escalation": 27,
        "turn_limit": 0,
        "team": False,
        "give-away": False,
        "casino": True,
    }
    assert seats(site, answer.headers["Location"]) == ["Alice", "Random A"]


def test_a_set_of_options_fills_the_form_and_goes_with_one_click(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    page = alice.get("/matches/new?game=phoenix&set=short").text
    assert (
        'name="option-escalation" type="number" inputmode="numeric" min="1" max="200" step="1"'
        ' required value="9"' in page
    )
    assert 'name="set" value="short"' in page
    answer = alice.post("/matches/new", {"game": "phoenix", "set": "short", "preset": "fast"})
    made = match_of(small_site, answer.headers["Location"])
    assert (made.options["escalation"], made.options["turn_limit"], made.every_seconds) == (
        9,
        30,
        3600,
    )
    assert seats(small_site, answer.headers["Location"]) == [
        "Alice",
        "House A",
        "House B",
        "House C",
    ]


def test_a_set_that_is_not_there_changes_nothing(small_site: Site) -> None:
    assert (
        'required value="27"'
        in small_site.visitor(ALICE).get("/matches/new?game=phoenix&set=endless").text
    )


@pytest.mark.parametrize(
    ("field", "typed", "where", "sentence"),
    [
        ("option-escalation", "1000", "option-escalation", "choose a number from 1 to 200"),
        ("option-escalation", "soon", "option-escalation", "“soon” is not possible"),
        ("option-team", "True", "option-team", "“team” is only for 4 players; this match has 3"),
        ("players", "9", "players", "RPS Phoenix is played by 2, 3 or 4, not by 9"),
        ("house", "4", "house", "5 players for 3 seats"),
    ],
)
def test_a_fault_is_told_beside_its_field(
    small_site: Site, field: str, typed: str, where: str, sentence: str
) -> None:
    answer = small_site.visitor(ALICE).post(
        "/matches/new", PHOENIX | {field: typed, "name": "Kept"}
    )
    assert (
        answer.status_code == 400
        and f'id="{where}-error"' in answer.text
        and sentence in page_text(answer)
    )
    assert 'value="Kept"' in answer.text and not small_site.recorder.sent


def test_without_bots_none_can_be_given_a_seat(small_site: Site) -> None:
    form = {name: value for name, value in PHOENIX.items() if name != "bots"}
    answer = small_site.visitor(ALICE).post("/matches/new", form | {"house": "1"})
    assert (
        answer.status_code == 400
        and "House bots shall take no seats in this match" in page_text(answer)
    )


def test_a_match_for_people_only_is_never_filled_with_bots(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    form = {name: value for name, value in PHOENIX.items() if name != "bots"}
    where = alice.post("/matches/new", form).headers["Location"]
    beginning.prepare_match(
        small_site.harness.database,
        small_site.harness.keyring,
        where.rpartition("/")[2],
        now=small_site.harness.now,
    )
    page = page_text(alice.get(where))
    assert "Waiting for players" in page and "Let house bots take the free seats" not in page
    refused = alice.post(f"{where}/fill")
    assert refused.status_code == 409 and "This match was made for people only" in page_text(
        refused
    )


def test_what_is_wrong_is_told_at_the_top_too_and_leads_to_its_field(small_site: Site) -> None:
    form = PHOENIX | {
        "option-escalation": "1000",
        "grace_minutes": "soon",
        "option-team": "True",
        "name": "Kept",
        "skill": "random",
    }
    page = small_site.visitor(ALICE).post("/matches/new", form).text
    top = page[: page.index("<form")]
    assert (
        'role="alert"' in top
        and "What you filled in is kept below." in top
        and "<title>Not made yet: " in top
    )
    for field in ("option-escalation", "grace_minutes", "option-team"):
        assert (
            f'<a href="#{field}">' in top
            and f'id="{field}"' in page
            and f'aria-describedby="{field}-error"' in page
        )
    assert 'value="Kept"' in page and '<option value="random" selected>' in page


def test_too_many_matches_at_once_lose_nothing_that_was_filled_in(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_now(*_: object, **__: object) -> None:
        raise NotNow("That was your hundredth match today.")

    monkeypatch.setattr("web.matches.new_match.creation.make_match", not_now)
    answer = small_site.visitor(ALICE).post("/matches/new", PHOENIX | {"name": "Kept"})
    assert answer.status_code == 409 and 'value="Kept"' in answer.text
    assert "hundredth match today" in page_text(answer) and "errors-title" in answer.text


def test_a_form_sent_after_the_session_ended_is_filled_in_again_after_signing_in(
    small_site: Site,
) -> None:
    alice = small_site.visitor(ALICE)
    alice.get("/matches/new?game=phoenix")
    with small_site.harness.database.write_tx() as session:
        session.exec(delete(SignedIn))
    sent = alice.post(
        "/matches/new",
        PHOENIX | {"name": "Zürich", "invited": "bob@example.org", "option-turn_limit": "77"},
    )
    assert sent.headers["Location"] == "/sign-in?next=/matches/new?kept%3D1"
    alice.post("/sign-in", {"address": address(ALICE), "next": "/matches/new?kept=1"})
    link = small_site.letters("signin")[-1]
    form = alice.post(f"/sign-in/{link['token']}", {"next": link["next"]}, follow=True)
    assert "You were signed out" in page_text(
        form
    ) and "What you filled in is kept below." in page_text(form)
    assert (
        'value="Zürich"' in form.text
        and 'value="77"' in form.text
        and "bob@example.org</textarea>" in form.text
    )
    made = alice.post("/matches/new", PHOENIX | {"name": "Zürich"})
    assert match_of(small_site, made.headers["Location"]).name == "Zürich"
    assert "Zürich" not in alice.get("/matches/new?kept=1").text


def test_a_form_too_long_for_a_cookie_leads_to_the_sign_in_too(small_site: Site) -> None:
    sent = small_site.visitor().post(
        "/matches/new", PHOENIX | {"invited": "bob@example.org " * 1000}
    )
    assert sent.status_code == 303
    assert sum(len(each) for each in sent.headers.getlist("Set-Cookie")) < 1000


@pytest.mark.parametrize("javascript", sample([True, False], 1))
def test_a_fault_has_the_focus_and_its_link_leads_to_the_field(
    live: Live, javascript: bool
) -> None:
    page = live.page("/matches/new?game=phoenix", ALICE, java_script_enabled=javascript)
    page.get_by_label("Name of the match").fill("Kept")
    if javascript:
        page.get_by_role("button", name="Who plays").click()
    page.get_by_label("House bots", exact=True).fill("4")
    page.get_by_role("button", name="Make the match").click()
    box = page.get_by_role("alert", name="The match was not made yet")
    expect(box).to_be_focused()
    expect(page.get_by_label("Name of the match")).to_have_value("Kept")
    box.get_by_role("link").click()
    expect(page.locator("#house")).to_be_in_viewport()
    expect(page.locator("#house")).to_have_accessible_description(
        page.locator("#house-error").inner_text()
    )


# --- timetables


def test_the_next_deadlines_are_shown_before_a_timetable_is_saved(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    shown = page_text(
        alice.get(
            "/matches/new/deadlines?game=pyramid&timetable=20:00+Europe/Paris;+not+on+weekends"
        )
    )
    assert "the next deadlines would be" in shown and shown.count("19:00 (UTC)") == 5
    assert "“soon” does not read" in page_text(
        alice.get("/matches/new/deadlines?game=pyramid&timetable=soon")
    )
    answer = alice.post(
        "/matches/new",
        PHOENIX | {"timetable": "20:00 Europe/Paris", "preview": "1", "name": "Kept"},
    )
    assert (
        answer.status_code == 200
        and "the next deadlines would be" in answer.text
        and 'value="Kept"' in answer.text
    )
    assert not small_site.recorder.sent


def test_a_match_is_made_with_a_timetable(small_site: Site) -> None:
    answer = small_site.visitor(ALICE).post(
        "/matches/new", PHOENIX | {"timetable": "Mon, Thu 20:00 Europe/Paris"}
    )
    made = match_of(small_site, answer.headers["Location"])
    assert made.timetable == "Mon Thu 20:00 Europe/Paris"
    about = page_text(small_site.visitor(ALICE).get(f"{answer.headers['Location']}/about"))
    assert "the time to the next deadline, Mon Thu 20:00 Europe/Paris at most" in about


def test_a_calendar_file_adds_its_days_off_to_the_timetable(small_site: Site) -> None:
    ahead = f"{small_site.harness.now.date() + timedelta(days=30)}"
    event = f"BEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:{ahead.replace('-', '')}\r\nEND:VEVENT"
    file = f"BEGIN:VCALENDAR\r\n{event}\r\nEND:VCALENDAR\r\n".encode()
    form, visitor = PHOENIX | {"timetable": "20:00 Europe/Paris"}, small_site.visitor(ALICE)
    shown = visitor.post(
        "/matches/new", form | {"preview": "1", "calendar_file": (io.BytesIO(file), "club.ics")}
    )
    assert shown.status_code == 200 and f'value="20:00 Europe/Paris; not {ahead}"' in shown.text
    made = visitor.post("/matches/new", form | {"calendar_file": (io.BytesIO(file), "club.ics")})
    assert (
        match_of(small_site, made.headers["Location"]).timetable
        == f"20:00 Europe/Paris; not {ahead} to {ahead}"
    )
    bad = visitor.post(
        "/matches/new",
        form | {"name": "Kept", "calendar_file": (io.BytesIO(b"<html>"), "club.ics")},
    )
    assert (
        bad.status_code == 400
        and 'id="calendar_file-error"' in bad.text
        and 'value="Kept"' in bad.text
    )
    task = file.replace(
        b"END:VCALENDAR", b"BEGIN:VTODO\r\nUID:2\r\nSUMMARY:Pay\r\nEND:VTODO\r\nEND:VCALENDAR"
    )
    asked = visitor.post(
        "/matches/new", form | {"name": "Asked", "calendar_file": (io.BytesIO(task), "club.ics")}
    )
    assert (
        asked.status_code == 400
        and "“Pay” (only events have days off)" in asked.text
        and f'value="20:00 Europe/Paris; not {ahead}"' in asked.text
    )
    none = visitor.post("/matches/new", form | {"calendar_file": (io.BytesIO(b""), "")})
    assert match_of(small_site, none.headers["Location"]).timetable == "20:00 Europe/Paris", (
        "no file was chosen"
    )


def test_a_calendar_is_not_taken_from_a_guest_nor_while_another_is_read(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    form, read = (
        PHOENIX | {"timetable": "20:00 Europe/Paris", "name": "Kept"},
        Mock(side_effect=ReaderBusy("Try again in a few seconds.")),
    )
    monkeypatch.setattr(timetables, "read_file", read)
    guest = small_site.visitor()
    small_site.enter(
        guest, small_site.harness.sign_in(small_site.harness.player("Gus", guest=True)).token
    )
    for visitor, sent, status, told in (
        (
            guest,
            {"calendar": "https://club.example/days.ics"},
            403,
            "A guest cannot give a calendar",
        ),
        (guest, {"calendar_file": True}, 403, "A guest cannot give a calendar"),
        (guest, {"calendar_file": True, "preview": "1"}, 403, "A guest cannot give a calendar"),
        (small_site.visitor(ALICE), {"calendar_file": True}, 503, "Try again in a few seconds."),
        (
            small_site.visitor(ALICE),
            {"calendar_file": True, "preview": "1"},
            503,
            "Try again in a few seconds.",
        ),
    ):
        reads, file = (
            read.call_count,
            (
                {"calendar_file": (io.BytesIO(b"BEGIN:VCALENDAR"), "club.ics")}
                if "calendar_file" in sent
                else {}
            ),
        )
        answer = visitor.post("/matches/new", form | sent | file)
        assert (
            answer.status_code == status
            and told in page_text(answer)
            and 'value="Kept"' in answer.text
        ), (sent, status)
        assert read.call_count - reads == (status == 503), "nothing is read for a guest"
    assert not small_site.recorder.sent


def test_a_timetable_that_is_none_is_told_beside_its_field(small_site: Site) -> None:
    form = PHOENIX | {"timetable": "sometimes", "calendar": "http://inner/"}
    answer = small_site.visitor(ALICE).post("/matches/new", form)
    assert (
        answer.status_code == 400
        and 'id="timetable-error"' in answer.text
        and 'value="sometimes"' in answer.text
    )
    both = small_site.visitor(ALICE).post(
        "/matches/new", form | {"every_hours": "x", "name": "Kept"}
    )
    assert (
        both.status_code == 400
        and 'value="Kept"' in both.text
        and 'id="every_hours-error"' in both.text
    )
    assert (
        small_site.visitor(ALICE).post("/matches/new", PHOENIX | {"timetable": "  "}).status_code
        == 303
    )


@pytest.mark.parametrize(
    ("preset", "timetable"),
    [
        ("club", "Mon Thu 20:00 UTC"),
        ("school", "every 24 hours; not on Saturday and Sunday; between 08:00 and 16:00"),
        ("zine", "every 14 days"),
        ("live", "every 15 minutes"),
    ],
)
def test_presets_name_themselves_and_bring_a_timetable(
    small_site: Site, preset: str, timetable: str
) -> None:
    answer = small_site.visitor(ALICE).post("/matches/new", {"game": "phoenix", "preset": preset})
    made = match_of(small_site, answer.headers["Location"])
    assert (made.timetable, made.sheet) == (timetable, preset)


def test_the_form_says_where_bots_that_think_ahead_are_no_stronger(small_site: Site) -> None:
    for key in ("genesis", "pyramid"):
        said = "are no stronger than those that take the most" in page_text(
            small_site.visitor(ALICE).get(f"/matches/new?game={key}")
        )
        assert said == (key == "genesis"), key


def test_the_form_begins_with_a_rule_sheet(small_site: Site) -> None:
    page = small_site.visitor(ALICE).get("/matches/new?game=phoenix&sheet=live").text
    assert 'value="every 15 minutes"' in page and '<option value="10" selected>' in page
    assert (
        'name="grace_minutes" type="number" inputmode="numeric" min="0" max="1440" required'
        ' value="0"' in page
    )
    assert 'name="sheet" value="live"' in page


def test_the_next_deadlines_follow_what_is_written(live: Live) -> None:
    page = live.page("/matches/new?game=pyramid", ALICE)
    page.get_by_role("button", name="Pace").click()
    page.get_by_text("More rules").click()
    page.get_by_text("Fixed hours, weekends, holidays").click()
    field = page.get_by_label("Timetable, instead of the hours above")
    button = page.get_by_role("button", name="Show the next deadlines")
    field.fill("20:00 Europe/Paris; not on weekends")
    place = button.bounding_box()
    field.blur()
    expect(page.locator("#deadlines li")).to_have_count(5)
    assert button.bounding_box() == place, (
        "it would go from under the pointer that leaves the field"
    )
    field.fill("20 past never")
    field.blur()
    expect(page.locator("#deadlines")).to_contain_text(
        "“20 past never” does not read as a part of a timetable"
    )
    field.fill("20:00 Europe/Paris")
    button.click()
    expect(page).to_have_url(re.compile("#deadlines$"))
    expect(page.locator("#deadlines")).to_be_in_viewport()


# --- groups of options


def groups(page: str) -> dict[str, tuple[bool, set[str]]]:
    """Return whether each group of options is open, and its fields."""
    found = re.findall(
        r'<details class="group" id="group-(\w+)"( open)?>(.*?)</details>', page, re.DOTALL
    )
    return {
        name: (bool(opened), {*re.findall(r' name="([^"]+)"', inside)} - {"preview"})
        for name, opened, inside in found
    }


@pytest.mark.parametrize("game", ["pyramid", "phoenix", "diplomacy"])
def test_each_option_is_folded_away_until_it_says_something_else(
    small_site: Site, game: str
) -> None:
    alice, about = small_site.visitor(ALICE), game_info.about(game)
    page = alice.get(f"/matches/new?game={game}").text
    folded = groups(page)
    assert not any(opened for opened, _ in folded.values())
    for name, (_, fields) in folded.items():
        known = (
            {f"option-{option.name}" for option in about.options}
            if name == "game"
            else new_match.group_fields()[name]
        )
        assert fields and fields <= {*known}, name
        for field in fields:
            draft = new_match.MatchForm(
                MultiDict({"game": game, **new_match.usual_fields(), field: "another"})
            )
            assert new_match.unfolded_groups(about, draft) == {name}, field
    shown = {*re.findall(r' name="([^"]+)"', re.sub("(?s)<details.*?</details>", "", page))}
    assert {"name", "every_hours", "play", "invited", "open", "house"} <= shown


def test_a_group_with_an_error_or_an_option_of_a_sheet_is_open(small_site: Site) -> None:
    alice = small_site.visitor(ALICE)
    live = groups(alice.get("/matches/new?game=diplomacy&sheet=live&set=quiet").text)
    assert {name for name, (opened, _) in live.items() if opened} == {
        "timetable",
        "lateness",
        "starting",
        "game",
    }
    wrong = alice.post(
        "/matches/new",
        {"game": "diplomacy", **new_match.usual_fields(), "players": "7", "misses": "many"},
    ).text
    assert {name for name, (opened, _) in groups(wrong).items() if opened} == {"absence"}


# --- three steps


@pytest.mark.parametrize("width", sample([390, 1280], 1))
def test_a_match_is_made_through_the_steps_by_keyboard(live: Live, width: int) -> None:
    page = live.page("/matches/new?game=phoenix", ALICE, viewport={"width": width, "height": 844})
    summary = page.get_by_role("complementary", name="Your match")
    page.get_by_label("Name of the match").focus()
    page.keyboard.type("By keyboard")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Who plays")).to_be_focused()
    expect(summary.locator("[data-sum=players]")).to_have_text("3")
    expect(page.get_by_label("Name of the match")).to_be_hidden()
    page.get_by_label("House bots", exact=True).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The pace")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Hours a phase may last")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("24")
    expect(summary).to_be_in_viewport()
    expect(summary.locator("dd")).to_have_text(
        ["RPS Phoenix", "3", "play", "1", "open to anybody", "24"]
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/matches/(?!new)"))
    made = match_of(live.site, page.url)
    assert (made.name, made.every_seconds) == ("By keyboard", 24 * 3600) and len(
        seats(live.site, page.url)
    ) == 3


def test_the_form_is_short_and_shows_what_applies(live: Live) -> None:
    page = live.page("/matches/new?game=phoenix", ALICE, viewport={"width": 390, "height": 844})
    for number in range(3):
        assert page.evaluate("document.documentElement.scrollHeight") < 1800
        if number < 2:
            page.get_by_role("button", name="Next").click()
    page.get_by_text("More rules").click()
    page.get_by_text("Options of RPS Phoenix").click()
    team = page.locator("#option-team")
    expect(team).to_be_visible()
    page.get_by_role("button", name="Game", exact=False).first.click()
    page.get_by_label("How many play").select_option("2")
    page.get_by_role("button", name="Pace").click()
    expect(team).to_be_hidden()


@pytest.mark.nightly
def test_a_field_in_a_step_that_is_not_shown_is_shown_if_it_is_wrong(live: Live) -> None:
    page = live.page("/matches/new?game=pyramid", ALICE)
    page.get_by_role("button", name="Pace").click()
    page.get_by_label("Hours a phase may last").fill("")
    page.get_by_role("button", name="Who plays").click()
    page.get_by_role("button", name="Make the match").click()
    expect(page.get_by_label("Hours a phase may last")).to_be_focused()
    assert live.posts() == []


def test_a_rule_sheet_fills_in_the_pace_and_leaves_the_rest(small_site: Site) -> None:
    form = PHOENIX | {"name": "Kept", "house": "1", "timetable": "20:00", "fill": "daily"}
    answer = small_site.visitor(ALICE).post("/matches/new", form)
    assert (
        answer.status_code == 200 and 'value="Kept"' in answer.text and 'data-at="2"' in answer.text
    )
    assert (
        'name="every_hours" type="number" inputmode="numeric" min="1" max="720" required value="24"'
        in answer.text
    )
    assert (
        'name="timetable" value=""' in answer.text
        and 'name="sheet" value="daily"' in answer.text
        and 'max="4" value="1"' in answer.text
    )


def test_without_scripts_the_form_is_made_in_one_go(live: Live) -> None:
    page = live.page("/matches/new?game=pyramid", ALICE, java_script_enabled=False)
    page.get_by_label("Name of the match").fill("Plain")
    page.get_by_label("Hours a phase may last").fill("12")
    page.get_by_label("Hours a phase may last").press("Enter")
    page.wait_for_url(re.compile(r"/matches/(?!new)"))
    assert match_of(live.site, page.url).every_seconds == 12 * 3600
