"""The record of a match for other programs: its schema, its secrecy, and how it is cached and read
from other sites.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import time_machine

from adjudicator import catalogue
from adjudicator.service.base.tables import Player
from adjudicator.service.matches import masters, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.web.schema import faults
from tests.web.site import Site, Visitor

GAMES = {game.about.key: game for game in catalogue.every_game()}
SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "web" / "static" / "match-1.json").read_text()
)


def record(visitor: Visitor, uid: str) -> dict[str, Any]:
    """Return the record of a match, checked against its schema."""
    answer = visitor.get(f"/matches/{uid}.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    plain: dict[str, Any] = json.loads(answer.data)
    assert faults(SCHEMA, plain) == []
    return plain


def end(site: Site, uid: str) -> None:
    """End a match as it stands, as the host does."""
    masters.end_match(site.harness.database, uid, None, "It is late", now=site.harness.now)
    assert site.harness.close(uid)


# --- its form


@pytest.mark.parametrize("key", GAMES)
def test_every_game_gives_a_record_before_the_start_while_it_runs_and_at_the_end(
    small_site: Site, key: str
) -> None:
    game, harness, visitor = GAMES[key], small_site.harness, small_site.visitor()
    fewest = min(game.about.seats)
    uid = harness.prepare_match(
        Wish(key, "The Long Table", {}, players=fewest, house=fewest - 2), ALICE
    )
    gathering = record(visitor, uid)
    assert (gathering["rated"], gathering["tournament"]) == (fewest == 2, None)
    assert gathering["phases"] == 0 and {each["place"] for each in gathering["seats"]} == {None}
    assert (gathering["status"], gathering["phase"], gathering["centres"], gathering["end"]) == (
        "open",
        None,
        None,
        None,
    )
    seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    assert harness.start_match(uid)
    harness.later(hours=60)
    assert harness.close(uid)
    running, page = record(visitor, uid), harness.page(uid)
    assert running["phase"]["name"] == page.card.phase and running["phases"] == len(page.phases) - 2
    assert {
        each["seat"]: each["score"] for each in running["seats"] if each["score"] is not None
    } == dict(page.scores)
    assert [each["player"] for each in running["seats"]] == [
        each.player for each in page.card.seats
    ]
    end(small_site, uid)
    ended = record(visitor, uid)
    assert (
        ended["end"] == {"why": "master", "sentence": harness.page(uid).stopped}
        and ended["phase"] is None
    )
    standing = {
        each.seat: (each.place, each.score, each.outcome) for each in harness.page(uid).standing
    }
    assert {
        each["seat"]: (each["place"], each["score"], each["outcome"]) for each in ended["seats"]
    } == standing
    for address_ in filter(None, (ended["schema"], *ended["links"].values())):
        assert visitor.get(address_).status_code == 200, address_
    assert (ended["centres"] is None) == (not game.about.centres)


def test_a_match_that_its_rules_ended_says_so_and_gives_the_result_of_its_transcript(
    small_site: Site,
) -> None:
    uid, visitor = small_site.play_to_end(), small_site.visitor()
    plain = record(visitor, uid)
    assert plain["end"] == {"why": "rules", "sentence": ""} and plain["ended_at"] is not None
    result = visitor.get(plain["links"]["transcript"]).get_json()["claims"]["result"]
    assert {
        each["seat"]: {name: each[name] for name in ("place", "score", "outcome")}
        for each in plain["seats"]
    } == result


def test_centres_are_given_by_year_once_a_year_is_over(small_site: Site) -> None:
    harness, visitor = small_site.harness, small_site.visitor()
    uid = harness.match(ALICE, BOB, wish=Wish("diplomacy", "The Map", {}, house=5))
    while harness.page(uid).card.phase[-4:] != "1903":
        before = record(visitor, uid)["centres"]
        assert len(before["by_year"]) == (harness.page(uid).card.phase[-4:] == "1902")
        harness.later(hours=60)
        assert harness.close(uid)
    plain = record(visitor, uid)
    owned, years = plain["centres"]["owned"], plain["centres"]["by_year"]
    assert [each["year"] for each in years] == [1901, 1902]
    assert years[1]["counts"] == {power: len(owned.get(power, ())) for power in years[1]["counts"]}
    assert {each["seat"]: each["score"] for each in plain["seats"]} == years[1]["counts"] and len(
        years[1]["counts"]
    ) == 7


def test_a_seat_with_several_powers_names_them(small_site: Site) -> None:
    uid = small_site.harness.match(ALICE, BOB, wish=Wish("diplomacy", "The Map", {}, players=2))
    plain = record(small_site.visitor(), uid)
    played = [power for each in plain["seats"] for power in each["plays"]]
    assert len(played) == len({*played}) == 6 and {*plain["centres"]["owned"]} - {*played} == {
        "ITALY"
    }, "nobody plays Italy"
    assert all(each["plays"][0] == each["seat"] for each in plain["seats"])


def test_the_schema_refuses_what_no_record_is(small_site: Site) -> None:
    plain = record(small_site.visitor(), small_site.play_to_end())
    for path, value in (
        (("status",), "over"),
        (("phases",), -1),
        (("seats", 0, "place"), True),
        (("made_at",), "today"),
        (("new",), 1),
    ):
        wrong: Any = deepcopy(plain)
        *way, last = path
        within = wrong
        for step in way:
            within = within[step]
        within[last] = value
        assert len(faults(SCHEMA, wrong)) == 1, path
    assert faults(SCHEMA, {name: value for name, value in plain.items() if name != "seats"}) == [
        "$: seats is missing"
    ]


# --- secrecy


@pytest.mark.parametrize("key", GAMES)
def test_no_byte_changes_when_somebody_seals_orders(small_site: Site, key: str) -> None:
    with time_machine.travel(small_site.harness.now, tick=False):
        harness, visitor = small_site.harness, small_site.visitor()
        fewest = min(GAMES[key].about.seats)
        wish = Wish(key, "The Long Table", {}, players=fewest, house=fewest - 2, progress="seats")
        uid = harness.match(ALICE, BOB, wish=wish)
        before = visitor.get(f"/matches/{uid}.json")
        sealed = 0
        for name in (ALICE, BOB):
            owed = harness.page(uid, name).owed
            if owed is not None:
                harness.order(
                    uid,
                    name,
                    "\n".join(slot.choices[0].text for slot in owed.slots if not slot.optional),
                )
                sealed += 1
        assert sealed
        after = visitor.get(f"/matches/{uid}.json")
        assert (after.data, sorted(after.headers)) == (before.data, sorted(before.headers))


def test_an_anonymous_match_names_nobody_before_its_end(small_site: Site) -> None:
    harness = small_site.harness
    uid = harness.match(
        ALICE, BOB, wish=Wish("diplomacy", "The Masked Ball", {"anonymous": True}, house=5)
    )
    for visitor in (small_site.visitor(), small_site.visitor(ALICE)):
        plain = record(visitor, uid)
        assert {(each["player"], each["hidden"], each["house"]) for each in plain["seats"]} == {
            (None, True, False)
        }
    before = small_site.visitor().get(f"/matches/{uid}.json").headers["ETag"]
    with harness.database.write_tx() as session:
        session.get_one(Player, harness.people[ALICE]).name = "Somebody Else"
    assert small_site.visitor().get(f"/matches/{uid}.json").headers["ETag"] == before
    end(small_site, uid)
    told = {
        each["player"] for each in record(small_site.visitor(), uid)["seats"] if not each["house"]
    }
    assert told == {"Somebody Else", BOB}


def test_a_private_match_has_a_record_for_its_people_alone_and_for_no_other_site(
    small_site: Site,
) -> None:
    uid = small_site.harness.match(
        ALICE,
        BOB,
        wish=Wish("pyramid", "Hidden", {}, house=1, private=True, invited=(address(BOB),)),
    )
    for stranger in (small_site.visitor(), small_site.visitor(MALLORY)):
        there, nowhere = (stranger.get(f"/matches/{each}.json") for each in (uid, "nqwhere22"))
        assert (
            (there.status_code, there.headers.get("ETag"))
            == (nowhere.status_code, None)
            == (404, None)
        )
    answer = small_site.visitor(ALICE).get(f"/matches/{uid}.json")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "private, no-cache")
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_everybody_gets_the_same_record(small_site: Site) -> None:
    uid = small_site.begin_match()
    small_site.harness.order(uid, ALICE, "B3")
    assert (
        len(
            {
                small_site.visitor(name).get(f"/matches/{uid}.json").data
                for name in (ALICE, CHARLIE, MALLORY, None)
            }
        )
        == 1
    )


# --- caches and other sites


def test_a_record_that_has_not_changed_is_not_sent_again(site: Site) -> None:
    uid, visitor = site.begin_match(), site.visitor()
    path = f"/matches/{uid}.json"
    first = visitor.get(path)
    tag = first.headers["ETag"]
    for sent in (tag, f"W/{tag}"):
        again = visitor.get(path, headers={"If-None-Match": sent})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
        assert (
            again.headers["Access-Control-Allow-Origin"] == "*"
            and again.headers["Cache-Control"] == "public, no-cache"
        )
    for name in (ALICE, BOB, CHARLIE):
        site.harness.order(uid, name, "B3")
    assert visitor.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert site.harness.close(uid)
    changed = visitor.get(path, headers={"If-None-Match": tag})
    assert changed.status_code == 200 and changed.headers["ETag"] != tag


@pytest.mark.parametrize("what", ["press", "pause", "name"])
def test_the_tag_changes_with_everything_that_the_record_tells(small_site: Site, what: str) -> None:
    harness, visitor = small_site.harness, small_site.visitor()
    uid = harness.match(ALICE, BOB, wish=Wish("diplomacy", "Press", {"press": "public"}, house=5))
    before = visitor.get(f"/matches/{uid}.json")
    if what == "pause":
        masters.pause_match(harness.database, uid, harness.people[ALICE], now=harness.now)
    elif what == "name":
        with harness.database.write_tx() as session:
            session.get_one(Player, harness.people[ALICE]).name = "Alice the Second"
    else:
        messages.write_press(
            harness.database, uid, harness.people[ALICE], PressDraft((), "Hello."), now=harness.now
        )
    after = visitor.get(f"/matches/{uid}.json")
    assert after.headers["ETag"] != before.headers["ETag"] and (after.data == before.data) == (
        what == "press"
    )


def test_other_sites_may_read_the_record_and_its_schema_and_nothing_else(small_site: Site) -> None:
    uid = small_site.play_to_end()
    for path in (f"/matches/{uid}.json", "/schemas/match-1.json"):
        visitor = small_site.visitor()
        for answer in (
            visitor.get(path, headers={"Origin": "https://elsewhere.example"}),
            visitor.client.head(path, buffered=True),
        ):
            assert answer.status_code == 200 and "Set-Cookie" not in answer.headers
            assert (
                answer.headers["Access-Control-Allow-Origin"] == "*"
                and answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
            )
            assert "Access-Control-Allow-Credentials" not in answer.headers and answer.headers[
                "Cache-Control"
            ].startswith("public")
        assert visitor.client.head(path, buffered=True).data == b""
        assert visitor.client.post(path).status_code in (400, 405)
    assert json.loads(visitor.get("/schemas/match-1.json").data) == SCHEMA
    for path in ("/", f"/matches/{uid}", f"/matches/{uid}/transcript.json", "/static/match-1.json"):
        assert "Access-Control-Allow-Origin" not in visitor.get(path).headers


def test_what_a_signed_in_browser_gets_is_for_it_alone(small_site: Site) -> None:
    alice, uid = small_site.visitor(ALICE), small_site.begin_match()
    for path in (f"/matches/{uid}.json", "/schemas/match-1.json"):
        assert alice.get(path).headers["Cache-Control"].startswith("private, ")
