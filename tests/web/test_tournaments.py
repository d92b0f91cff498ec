"""The pages of tournaments: the list, a new one, entering and leaving, what directors do, and the
file that replays it.
"""

import json
import re
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.commands import replay
from adjudicator.platform import wakeups
from adjudicator.play.tournaments.formats import KnockOut, RoundRobin, Swiss
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.service.test_archive import archive_all
from tests.service.tournament_play import (
    DIRECTOR,
    advance,
    begun,
    decide_round,
    entered,
    made,
    matches,
    play_match,
    play_round,
    row,
    show,
    tables,
)
from tests.web.live import Live
from tests.web.schema import faults
from tests.web.site import Site, Visitor, page_text

FOUR = (ALICE, BOB, CHARLIE, MALLORY)
SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "web" / "static" / "tournament-1.json").read_text()
)
FORM = {
    "game": "genesis",
    "name": "Winter",
    "format": "round robin",
    "rounds": "3",
    "cycles": "1",
    "sizes": "2",
    "scoring": "wins",
    "legs": "2",
    "tie_breaks": "beaten",
    "stalled": "wait",
    "late": "no",
    "round_days": "30",
    "closes_at": "2026-11-20T20:00",
    "option-turn_limit": "3",
    "every_hours": "24",
    "grace_minutes": "10",
    "timetable": "",
    "sitting_out": "1",
    "seeds": "entry",
}


def record(visitor: Visitor, uid: str) -> dict[str, Any]:
    """Return a tournament's file, checked against its schema."""
    plain: dict[str, Any] = json.loads(visitor.get(f"/tournaments/{uid}.json").data)
    assert faults(SCHEMA, plain) == []
    return plain


def replayed(plain: dict[str, Any], folder: Path, *options: str) -> tuple[int, str]:
    """Return the exit code and all output of `sealed replay` for a file."""
    path = folder / "tournament.json"
    path.write_text(json.dumps(plain))
    result = CliRunner().invoke(replay.command, [str(path), *options])
    return result.exit_code, result.output


# --- making, entering, leaving


def test_R16_the_page_of_a_tournament_of_phoenix_asks_for_colours(small_site: Site) -> None:
    uid = entered(small_site.harness, matches=Wish("phoenix", "", {}))
    alice = small_site.visitor(ALICE)
    assert alice.get(f"/tournaments/{uid}").text.count('<select name="wish"') == 4
    alice.post(f"/tournaments/{uid}/enter", {"wish": ["Green", "", "Pink", ""]})
    assert '<option value="Green" selected>' in alice.get(f"/tournaments/{uid}").text
    alice.post(f"/tournaments/{uid}/enter", {"wish": ["", "", "", ""]})
    assert "selected>" not in alice.get(f"/tournaments/{uid}").text


def test_a_tournament_is_made_with_the_form_and_waits_for_its_chance(site: Site) -> None:
    dora = site.visitor(DIRECTOR)
    assert "Make a tournament" in page_text(dora.get("/tournaments/new?game=genesis"))
    answer = dora.post("/tournaments/new", FORM)
    uid = answer.headers["Location"].rpartition("/")[2]
    assert (wakeups.ADVANCE, (uid,)) in [
        (task, tuple(arguments)) for task, *arguments in map(_flat, site.recorder.sent)
    ]
    made = row(site.harness, uid)
    assert (made.format, made.legs, made.tie_breaks, made.round_days, made.wish["every_hours"]) == (
        "round robin",
        2,
        ["beaten"],
        30,
        24,
    )
    assert "It is being set up" in page_text(site.visitor().get(f"/tournaments/{uid}"))
    advance(site.harness, uid)
    told = page_text(site.visitor().get(f"/tournaments/{uid}"))
    assert (
        "everybody meets everybody" in told
        and (row(site.harness, uid).anchors or {})["public"] in told
    )
    assert "fixed, and this anchor of it published, before anybody could enter" in told
    listed = site.visitor().get("/tournaments")
    assert "Winter" in page_text(listed) and '<ul class="cards-list">' in listed.text, (
        "cards in a list have the width of cards"
    )


def _flat(sent: Any) -> list[Any]:
    task, *rest = sent
    return [task, *(rest[0] if rest and isinstance(rest[0], tuple) else rest)]


def test_what_is_wrong_is_named_and_what_was_filled_in_stays(small_site: Site) -> None:
    dora = small_site.visitor(DIRECTOR)
    for changes, said in (
        ({"name": ""}, "Give the tournament a name"),
        ({"legs": "x"}, "Write a whole number"),
        ({"closes_at": "soon"}, "Write a day and a time"),
        ({"format": "swiss", "sizes": "5"}, "choose of these"),
        ({"format": "ladder"}, "Choose a format"),
        ({"stalled": "flog"}, "who stalls is"),
        ({"format": "swiss", "sitting_out": "1/0"}, "write them like 1, 0.5, ½ or 1/3"),
        ({"format": "swiss", "sitting_out": "-1"}, "Sitting out gives 0 to 9,999 points"),
        ({"late": "zero"}, "Only in a Swiss or a mixer"),
        ({"wait_hours": "337"}, "waits 0 to 336 hours"),
    ):
        answer = dora.post("/tournaments/new", FORM | changes)
        assert answer.status_code == 400 and said in page_text(answer), changes
        assert 'value="24"' in answer.text
    assert (
        small_site.visitor()
        .post("/tournaments/new", FORM)
        .headers["Location"]
        .startswith("/sign-in")
    )


def test_players_enter_and_leave_on_its_page(site: Site) -> None:
    uid, alice = entered(site.harness, BOB), site.visitor(ALICE)
    assert "/sign-in" in site.visitor().post(f"/tournaments/{uid}/enter", {}).headers["Location"]
    assert "You take part" in page_text(alice.post(f"/tournaments/{uid}/enter", {}, follow=True))
    assert "You take part" not in page_text(
        alice.post(f"/tournaments/{uid}/leave", {}, follow=True)
    )
    assert alice.post(f"/tournaments/{uid}/leave", {}).status_code == 303, (
        "leaving again changes nothing"
    )


def test_players_enter_between_rounds_where_the_director_chose_so(small_site: Site) -> None:
    dora, alice = small_site.visitor(DIRECTOR), small_site.visitor(ALICE)
    answer = dora.post("/tournaments/new", FORM | {"format": "swiss", "late": "bye"})
    uid = answer.headers["Location"].rpartition("/")[2]
    advance(small_site.harness, uid)
    for who in (BOB, CHARLIE):
        small_site.visitor(who).post(f"/tournaments/{uid}/enter", {})
    dora.post(f"/tournaments/{uid}/acts/begin", {})
    advance(small_site.harness, uid)
    assert "Players enter between rounds, with the points for sitting out" in page_text(
        alice.get(f"/tournaments/{uid}")
    )
    told = page_text(alice.post(f"/tournaments/{uid}/enter", {}, follow=True))
    assert "You take part" in told and "to be paired from round 2 on" in told


@pytest.mark.nightly
def test_a_league_is_made_played_and_followed_by_its_next_season(
    small_site: Site, tmp_path: Path
) -> None:
    harness, dora = small_site.harness, small_site.visitor(DIRECTOR)
    league = FORM | {"format": "league", "division": "2", "moving": "1", "legs": "1"}
    assert "A division has 3 to 30 entrants" in page_text(dora.post("/tournaments/new", league))
    uid = (
        dora.post("/tournaments/new", league | {"division": "3"})
        .headers["Location"]
        .rpartition("/")[2]
    )
    advance(harness, uid)
    for who in (*FOUR, "Emil", "Fay"):
        small_site.visitor(who).post(f"/tournaments/{uid}/enter", {})
    dora.post(f"/tournaments/{uid}/acts/begin", {})
    advance(harness, uid)
    told = page_text(dora.get(f"/tournaments/{uid}"))
    assert (
        "divisions of 3 by the order of entry" in told
        and "Division" in told
        and "The next season" not in told
    )
    while row(harness, uid).status == "running":
        play_round(harness, uid)
    assert replayed(record(small_site.visitor(), uid), tmp_path)[0] == 0
    dora = small_site.visitor(DIRECTOR)  # whose session has ended meanwhile
    told = page_text(dora.get(f"/tournaments/{uid}"))
    assert "goes up" in told and "goes down" in told and "Make the next season" in told
    assert (
        small_site.visitor(ALICE).post(f"/tournaments/{uid}/season", {"days": "14"}).status_code
        == 403
    )
    following = (
        dora.post(f"/tournaments/{uid}/season", {"days": "14"})
        .headers["Location"]
        .rpartition("/")[2]
    )
    advance(harness, following)
    told = page_text(small_site.visitor(ALICE).get(f"/tournaments/{following}"))
    assert "Winter, season 2" in told and "You take part" in told and "The season before" in told
    assert f"/tournaments/{following}" in small_site.visitor().get(f"/tournaments/{uid}").text
    assert record(small_site.visitor(), following)["previous"] == uid


def test_strangers_see_numbers_for_the_names_of_those_without_a_page(site: Site) -> None:
    uid = begun(site.harness, *FOUR)
    show(site.harness, ALICE)
    stranger, bob = (
        page_text(site.visitor().get(f"/tournaments/{uid}")),
        page_text(site.visitor(BOB).get(f"/tournaments/{uid}")),
    )
    assert ALICE in stranger and BOB not in stranger and "Entrant 2" in stranger
    assert CHARLIE in bob and "Entrant" not in bob
    names = [each["name"] for each in record(site.visitor(BOB), uid)["entrants"]]
    assert names == [ALICE, None, None, None], "the file is the same for everybody"
    table = site.visitor().get(f"/matches/{matches(site.harness, uid)[1, 1].uid}.json").get_json()
    assert table["tournament"] == {"name": row(site.harness, uid).name, "id": uid}


def test_who_is_made_a_director_is_named_to_strangers_no_more_than_before(small_site: Site) -> None:
    uid, dora = begun(small_site.harness, *FOUR), small_site.visitor(DIRECTOR)
    dora.post(f"/tournaments/{uid}/acts/appoint", {"entry": "1"})
    small_site.visitor(ALICE).post(f"/tournaments/{uid}/acts/wait", {"hours": "3"})
    told = page_text(small_site.visitor().get(f"/tournaments/{uid}"))
    assert (
        "Directed by Dora and Entrant 1" in told
        and "Entrant 1 set pairings to wait 3 hours" in told
        and ALICE not in told
    )
    assert "Directed by Dora and Alice" in page_text(
        small_site.visitor(BOB).get(f"/tournaments/{uid}")
    )


# --- directing


def test_a_director_begins_decides_and_corrects_with_public_notes(site: Site) -> None:
    uid, dora, stranger = entered(site.harness, *FOUR), site.visitor(DIRECTOR), site.visitor(ALICE)
    assert stranger.post(f"/tournaments/{uid}/acts/begin", {}).status_code == 403
    assert dora.post(f"/tournaments/{uid}/acts/begin", {}).status_code == 303
    advance(site.harness, uid)
    form = {"round": "1", "table": "1", "points": ["1", "0"], "reason": "both agreed", "seen": ""}
    assert "Only a director" in page_text(stranger.post(f"/tournaments/{uid}/decide", form))
    told = page_text(dora.post(f"/tournaments/{uid}/decide", form, follow=True))
    assert (
        "Dora adjudged 1 : 0 to table 1 of round 1: both agreed" in told
        and "decided: both agreed" in told
    )
    other = dora.post(f"/tournaments/{uid}/decide", form | {"points": ["0", "1"]})
    assert other.status_code == 409 and "Another director has just decided" in page_text(other), (
        "who saw no result corrects none"
    )
    told = page_text(
        dora.post(
            f"/tournaments/{uid}/decide",
            form | {"points": ["0", "1"], "seen": "1 : 0"},
            follow=True,
        )
    )
    assert "corrected 1 : 0 to 0 : 1" in told
    assert dora.post(f"/tournaments/{uid}/decide", form | {"round": "x"}).status_code == 400


def test_what_clubs_do_between_rounds_is_done_on_the_page(small_site: Site) -> None:
    harness, dora, alice = (
        small_site.harness,
        small_site.visitor(DIRECTOR),
        small_site.visitor(ALICE),
    )
    ties = {"tie_breaks": ["wins", "opponents", "wins", ""]}
    uid = (
        dora.post(
            "/tournaments/new",
            FORM | {"format": "swiss", "best": "2", "top": "2", "sitting_out": "1,5"} | ties,
        )
        .headers["Location"]
        .rpartition("/")[2]
    )
    advance(harness, uid)
    assert row(harness, uid).tie_breaks == ["wins", "opponents"], "in the order that was chosen"
    assert row(harness, uid).policies["sitting_out"] == "3/2"
    for who in FOUR:
        small_site.visitor(who).post(f"/tournaments/{uid}/enter", {})
    dora.post(f"/tournaments/{uid}/acts/begin", {})
    advance(harness, uid)
    acts = f"/tournaments/{uid}/acts"
    told = page_text(
        dora.post(
            f"{acts}/pair",
            {"round": "2", "file": (BytesIO("1 2\n4,3\n".encode("utf-16")), "tables.csv")},
            follow=True,
        )
    )
    assert (
        "set the tables of round 2 by hand: 1-2 and 4-3" in told
        and "The best 2 rounds of each count." in told
    )
    long = {"round": "2", "file": (BytesIO(b"1 2\n" * 5_001), "tables.csv")}
    assert "at most 20,000 bytes" in page_text(dora.post(f"{acts}/pair", long))
    assert "You sit out round 2" in page_text(alice.post(f"{acts}/sit out", {}, follow=True))
    assert "is not there to be paired" in page_text(
        dora.post(f"{acts}/pair", {"round": "2", "tables": "1 2"})
    )
    assert "takes entrant 3 in for round 2, with 1 point more" in page_text(
        dora.post(f"{acts}/admit", {"entry": "3", "points": "1", "reason": "a bye"}, follow=True)
    )
    assert "took back round 1" in page_text(
        dora.post(f"{acts}/undo", {"round": "1", "reason": "a no-show"}, follow=True)
    )
    advance(harness, uid)
    assert "its first round is to be paired" in page_text(dora.get(f"/tournaments/{uid}"))
    assert (
        dora.post(f"{acts}/dance", {}).status_code == 404
        and record(dora, uid)["entrants"][2]["given"] == "1"
    )


def test_a_director_is_asked_about_points_that_the_scoring_cannot_give(site: Site) -> None:
    uid, dora = begun(site.harness, *FOUR), site.visitor(DIRECTOR)
    form = {"round": "1", "table": "1", "points": ["10", "0"], "reason": "a <slip>", "seen": ""}
    asked = dora.post(f"/tournaments/{uid}/decide", form)
    assert (
        asked.status_code == 400
        and "Points of 10 : 0 were not expected" in page_text(asked)
        and 'value="a &lt;slip&gt;"' in asked.text
    )
    assert (
        'name="sure" value="10 : 0"' in asked.text and tables(site.harness, uid)[0].points is None
    )
    told = page_text(
        dora.post(f"/tournaments/{uid}/decide", form | {"sure": "10 : 0"}, follow=True)
    )
    assert "Dora adjudged 10 : 0 to table 1 of round 1" in told


def test_the_page_says_that_a_round_waits_and_that_the_end_is_provisional(site: Site) -> None:
    uid, dora, alice = (
        begun(site.harness, ALICE, BOB, wait_hours=24),
        site.visitor(DIRECTOR),
        site.visitor(ALICE),
    )
    dora.post(
        f"/tournaments/{uid}/decide",
        {"round": "1", "table": "1", "points": ["1", "0"], "reason": "agreed", "seen": ""},
    )
    waits, said = (
        alice.get(f"/tournaments/{uid}"),
        "A director typed a result or took a round back, so the next round is not paired before",
    )
    assert said in page_text(waits) and "/acts/go" not in waits.text
    assert dora.post(f"/tournaments/{uid}/acts/wait", {"hours": "999"}).status_code == 400
    assert "set pairings to wait 12 hours" in page_text(
        dora.post(f"/tournaments/{uid}/acts/wait", {"hours": "12"}, follow=True)
    )
    assert alice.post(f"/tournaments/{uid}/acts/go on", {}).status_code == 403
    seen = re.search(
        r'name="seen" value="([^"]+)"><button class="button">Go on',
        dora.get(f"/tournaments/{uid}").text,
    )
    assert seen and said not in page_text(
        dora.post(f"/tournaments/{uid}/acts/go on", {"seen": seen[1]}, follow=True)
    )
    advance(site.harness, uid)
    over = dora.get(f"/tournaments/{uid}")
    assert (
        "its results are provisional until" in page_text(over)
        and "Correct table 1" in over.text
        and "/acts/end" not in over.text
    )
    assert "Correct table 1" not in alice.get(f"/tournaments/{uid}").text


def test_the_page_shows_void_pairings_and_rounds_that_stand_after_a_correction(
    small_site: Site,
) -> None:
    harness, dora = small_site.harness, small_site.visitor(DIRECTOR)
    uid = begun(harness, *FOUR, format_=KnockOut())
    decide_round(harness, uid, 1)
    advance(harness, uid)
    correction = {
        "round": "1",
        "table": "1",
        "points": ["0", "1"],
        "reason": "misread",
        "seen": "1 : 0",
    }
    dora.post(f"/tournaments/{uid}/decide", correction)
    advance(harness, uid)
    told = page_text(dora.get(f"/tournaments/{uid}"))
    assert "An earlier pairing of this round, which is void" in told and "took back round 2" in told
    assert len(record(small_site.visitor(), uid)["voided"]) == 1
    dora.post(f"/tournaments/{uid}/decide", correction | {"round": "2", "seen": ""})
    dora.post(f"/tournaments/{uid}/decide", correction | {"points": ["1", "0"], "seen": "0 : 1"})
    advance(harness, uid)
    assert "It had begun, so it stands" in page_text(dora.get(f"/tournaments/{uid}?round=2"))


def test_a_director_names_another_closes_a_round_dismisses_and_ends_it(site: Site) -> None:
    uid, dora, alice = begun(site.harness, *FOUR), site.visitor(DIRECTOR), site.visitor(ALICE)
    assert "Alice became a director" in page_text(
        dora.post(f"/tournaments/{uid}/acts/appoint", {"entry": "1"}, follow=True)
    )
    assert dora.post(f"/tournaments/{uid}/acts/appoint", {"entry": "9"}).status_code == 400
    refused = alice.post(f"/tournaments/{uid}/acts/close", {"round": "1", "reason": "I lead"})
    assert refused.status_code == 403 and "another director has to close the round" in page_text(
        refused
    )
    told = page_text(
        dora.post(
            f"/tournaments/{uid}/acts/close", {"round": "1", "reason": "it is time"}, follow=True
        )
    )
    assert "Dora closed round 1 without a result of tables 1 and 2: it is time" in told
    offered = "Dismiss another director"
    assert offered in told and offered not in page_text(alice.get(f"/tournaments/{uid}"))
    dismissed = dora.post(f"/tournaments/{uid}/acts/dismiss", {"entry": "1"}, follow=True)
    assert "Alice directs the tournament no more" in page_text(dismissed)
    assert offered not in page_text(dismissed)
    assert alice.post(f"/tournaments/{uid}/acts/end", {"reason": "enough"}).status_code == 403
    assert "Dora ended the tournament: enough" in page_text(
        dora.post(f"/tournaments/{uid}/acts/end", {"reason": "enough"}, follow=True)
    )


def test_every_round_has_its_own_look_and_the_last_is_shown(site: Site) -> None:
    uid = begun(site.harness, *FOUR)
    play_round(site.harness, uid)
    page = site.visitor(ALICE).get(f"/tournaments/{uid}")
    assert (
        "Round 2 was drawn from" in page_text(page)
        and "Cross-table" in page_text(page)
        and "(you)" in page_text(page)
    )
    first = page_text(site.visitor(ALICE).get(f"/tournaments/{uid}?round=1"))
    assert "Round 1 was drawn from" in first and re.search(r"1 : 0|0 : 1|½ : ½", first)
    assert all(
        f"/matches/{match.uid}" in page.text
        for match in list(matches(site.harness, uid).values())[2:]
    )


# --- the file


def test_matches_lead_to_their_tournament_from_their_pages_and_the_archive(site: Site) -> None:
    uid, link = (
        begun(site.harness, ALICE, BOB),
        'tournament <a href="/tournaments/{}"><bdi>Autumn</bdi></a>',
    )
    match, other = matches(site.harness, uid)[1, 1].uid, site.begin_match()
    for tail in ("", "/about", "/history"):
        assert f"of the {link.format(uid)}" in site.visitor().get(f"/matches/{match}{tail}").text
        assert "tournament <a" not in site.visitor().get(f"/matches/{other}{tail}").text
    play_match(site.harness, match)
    archive_all(site.harness)
    assert link.format(uid) in site.visitor().get("/archive").text


@pytest.mark.nightly
def test_every_format_replays_from_its_file_while_it_runs_and_at_its_end(
    small_site: Site, tmp_path: Path
) -> None:
    for format_ in (RoundRobin(), Swiss(2), KnockOut("draw")):
        uid = begun(small_site.harness, *FOUR, "Emil", format_=format_)
        assert replayed(record(small_site.visitor(), uid), tmp_path)[0] == 0
        while row(small_site.harness, uid).status == "running":
            play_round(small_site.harness, uid)
        plain = record(small_site.visitor(), uid)
        assert plain["chance"]["opened"] and len(plain["rounds"]) > 1
        code, said = replayed(plain, tmp_path, "--text")
        assert code == 0 and "Round 2: drawn again alike" in said


def test_a_corrected_result_changes_standings_and_the_rounds_still_replay(
    small_site: Site, tmp_path: Path
) -> None:
    uid, dora = begun(small_site.harness, *FOUR, format_=Swiss(3)), small_site.visitor(DIRECTOR)
    play_round(small_site.harness, uid)
    points = next(table.points for table in tables(small_site.harness, uid)) or []
    seen, turned = (
        " : ".join(points),
        (list(reversed(points)) if points[0] != points[1] else ["1", "0"]),
    )
    form = {"round": "1", "table": "1", "points": turned, "reason": "misread", "seen": seen}
    assert dora.post(f"/tournaments/{uid}/decide", form).status_code == 303
    assert replayed(record(small_site.visitor(), uid), tmp_path)[0] == 0


def test_a_changed_file_is_found_out(small_site: Site, tmp_path: Path) -> None:
    uid = begun(small_site.harness, *FOUR)
    play_match(small_site.harness, matches(small_site.harness, uid)[1, 1].uid)
    advance(small_site.harness, uid)
    visitor = small_site.visitor()
    for change, said in (
        (lambda plain: plain["rounds"][0]["tables"][0]["entrants"].reverse(), "table 1 seats"),
        (lambda plain: plain["rounds"][0].update(element="00" * 32), "does not lead to the anchor"),
        (lambda plain: plain["standings"].pop(), "standings are not those"),
        (lambda plain: plain["rounds"][0].update(entrants=None), "cannot be drawn again"),
        (lambda plain: plain["rounds"][0].update(changes=None), "cannot be drawn again"),
        (
            lambda plain: plain["rounds"][0].update(
                sitting_out=plain["rounds"][0]["tables"].pop()["entrants"]
            ),
            "others sit out",
        ),
    ):
        plain = record(visitor, uid)
        change(plain)
        code, told = replayed(plain, tmp_path)
        assert code == 1 and said in told, said
    for change, said in (
        (lambda plain: plain.update(format="ladder"), "no format"),
        (lambda plain: plain["rounds"][0].update(sitting_out=[9]), "whom the file does not list"),
        (lambda plain: plain.update(rounds=3), "no tournament"),
        (lambda plain: plain["rounds"][0].update(number=2), "not numbered"),
        (
            lambda plain: plain["rounds"][0].update(
                changes=[{"round": 1, "table": 1, "points": ["1", "0"]}]
            ),
            "was not played by then",
        ),
        (lambda plain: plain["rounds"][0]["tables"][0].update(points=["x", "y"]), "no numbers"),
    ):
        plain = record(visitor, uid)
        change(plain)
        code, told = replayed(plain, tmp_path)
        assert code == 2 and said in told, said


def test_a_file_of_an_older_release_is_drawn_again(small_site: Site, tmp_path: Path) -> None:
    uid = begun(small_site.harness, *FOUR, format_=Swiss(3))
    play_round(small_site.harness, uid)
    plain = record(small_site.visitor(), uid)
    results = [[table["points"] for table in plain["rounds"][0]["tables"]]]
    for each, known in zip(plain["rounds"], ([], results), strict=True):
        del each["changes"]
        each["results"] = known
    assert replayed(plain, tmp_path)[0] == 0


def test_the_etag_changes_with_whatever_the_file_says(small_site: Site) -> None:
    visitor, dora = small_site.visitor(), small_site.visitor(DIRECTOR)
    uid, seen = made(small_site.harness), dict[bytes, str]()
    harness = small_site.harness

    def look() -> None:
        answer = visitor.get(f"/tournaments/{uid}.json")
        assert seen.setdefault(answer.data, answer.headers["ETag"]) == answer.headers["ETag"]
        assert len(set(seen.values())) == len(seen), "another file has another tag"

    decision = {
        "round": "1",
        "table": "1",
        "points": ["1", "0"],
        "reason": "both agreed",
        "seen": "",
    }
    for step in (
        lambda: advance(harness, uid),
        *(partial(small_site.visitor(who).post, f"/tournaments/{uid}/enter", {}) for who in FOUR),
        lambda: show(harness, ALICE),
        lambda: small_site.visitor(MALLORY).post(f"/tournaments/{uid}/leave", {}),
        lambda: dora.post(f"/tournaments/{uid}/acts/begin", {}),
        lambda: advance(harness, uid),
        lambda: small_site.visitor(BOB).post(f"/tournaments/{uid}/leave", {}),
        lambda: dora.post(f"/tournaments/{uid}/decide", decision),
        lambda: dora.post(
            f"/tournaments/{uid}/decide", decision | {"reason": "they did", "seen": "1 : 0"}
        ),
        lambda: dora.post(
            f"/tournaments/{uid}/decide", decision | {"points": ["0", "1"], "seen": "1 : 0"}
        ),
        lambda: advance(harness, uid),
    ):
        look()
        before = len(seen)
        step()
        look()
        assert len(seen) == before + 1, "each of these changes the file"


def test_the_file_is_kept_and_read_by_other_sites(small_site: Site) -> None:
    uid, visitor = begun(small_site.harness, *FOUR), small_site.visitor()
    first = visitor.get(f"/tournaments/{uid}.json")
    assert (
        first.headers["Access-Control-Allow-Origin"] == "*"
        and "no-cache" in first.headers["Cache-Control"]
    )
    again = visitor.client.get(
        f"/tournaments/{uid}.json", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert again.status_code == 304
    for path in (f"/tournaments/{uid}.json", "/schemas/tournament-1.json"):
        answer = small_site.visitor().get(path)
        assert (
            answer.headers["Cache-Control"].startswith("public")
            and "Set-Cookie" not in answer.headers
        ), path
    assert visitor.get("/tournaments/guess.json").status_code == 404
    assert json.loads(visitor.get("/schemas/tournament-1.json").data)["title"].startswith(
        "A tournament"
    )


OF_FORMATS = {
    "swiss": {"sizes", "rounds", "best", "sitting_out", "top", "late"},
    "mixer": {"sizes", "rounds", "best", "late"},
    "round robin": {"cycles"},
    "knock-out": {"seeds"},
    "league": {"sizes", "rounds", "cycles", "division", "moving"},
}


def test_the_form_shows_what_applies_to_the_format_and_where_the_focus_is(live: Live) -> None:
    page = live.page("/tournaments/new", ALICE)
    page.locator("#rounds").fill("99")
    for format_, fields in OF_FORMATS.items():
        page.locator("#format").select_option(format_)
        shown = {
            each
            for each in set().union(*OF_FORMATS.values())
            if page.locator(f"#{each}").is_visible()
        }
        assert shown == fields, format_
    page.locator("#format").select_option("knock-out")
    assert page.locator("#rounds").input_value() == "5", "unseen, it would keep the form here"
    field = page.get_by_label("Entries close")
    field.focus()
    rings = []
    while page.evaluate("document.activeElement.name") == "closes_at":
        rings.append(field.evaluate("(each) => getComputedStyle(each).outlineStyle"))
        page.keyboard.press("Tab")
    assert len(rings) > 5 and set(rings) == {"solid"}
