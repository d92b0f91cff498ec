"""Matches that are stopped before their rules end them: nobody is left (diplomacy R11), or they
last too long (G9).
"""

import copy
import json
from dataclasses import replace
from typing import Any

import pytest

from adjudicator import catalogue
from adjudicator.commands.replay import for_people
from adjudicator.core.chance import ScriptedChance
from adjudicator.play import loop, replay
from adjudicator.play.bots import choose_at_random
from adjudicator.service.base import rows
from adjudicator.service.base.rows import open_phase
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders, submitting
from adjudicator.service.orders.submission import Submission
from adjudicator.service.views import transcripts
from tests.games.sample_game import STAIRS, Climb, offer
from tests.harness import Harness


def first(options: Any) -> Any:
    """Pick without chance."""
    return options[0]


def bots_play(harness: Harness, uid: str) -> None:
    """Hand in orders of the house bots, and close the phase if it is then due."""
    with harness.database.read_tx() as session:
        turns = bot_orders.house_turns(session, uid)
    for turn in turns:
        text = f"{choose_at_random(turn._game, turn._state, turn._seat, first)}\nready"
        submitting.submit_orders(
            harness.database,
            Submission(uid, turn.player_id, text, "house", harness.now, turn.phase),
        )
    harness.close(uid)


def names_of(harness: Harness, uid: str) -> list[str]:
    return [phase.name for phase in harness.page(uid).phases]


def transcript(harness: Harness, uid: str) -> dict[str, Any]:
    with harness.database.read_tx() as session:
        plain = json.loads(json.dumps(transcripts.export_transcript(session, uid)))
    assert isinstance(plain, dict)
    return plain


def diplomacy(harness: Harness, *people: str, **options: Any) -> str:
    """A match for three: these people, and house bots in the other seats."""
    return harness.match(
        *people, wish=Wish("diplomacy", "Left alone", options, players=3, house=3 - len(people))
    )


def concede(harness: Harness, uid: str, name: str) -> None:
    assert harness.order(uid, name, "concede\nready").disposition == "accepted"


def play_on(harness: Harness, uid: str, *, most: int = 30) -> None:
    for _ in range(most):
        if harness.page(uid).card.status == "ended":
            return
        bots_play(harness, uid)


# --- nobody left


def test_R11_bots_alone_stop_after_the_year_in_which_the_only_person_conceded(
    harness: Harness,
) -> None:
    uid = diplomacy(harness, "Ann")
    concede(harness, uid, "Ann")
    bots_play(harness, uid)
    assert harness.page(uid).card.status == "running", "the year goes on to its end"
    play_on(harness, uid)
    page = harness.page(uid)
    assert (page.card.status, {name[-4:] for name in names_of(harness, uid)[1:]}) == (
        "ended",
        {"1901"},
    )
    left = {row.seat: row.outcome for row in page.standing}
    assert left.pop(harness.page(uid, "Ann").seat) == "lost" and max(left.values()) != "lost"
    assert (
        page.stopped
        == f"The match was stopped after {names_of(harness, uid)[-1]}, because no person was left"
        " in it, only house bots."
    )


def test_R11_a_match_with_a_person_left_goes_on(harness: Harness) -> None:
    uid = diplomacy(harness, "Ann", "Ben")
    concede(harness, uid, "Ann")
    for _ in range(8):  # no year has more than five phases
        bots_play(harness, uid)
        harness.later(hours=49)
        harness.close(uid)
    assert harness.page(uid).card.status == "running" and "1901" not in names_of(harness, uid)[-1]


def test_R11_a_seat_that_waits_for_a_substitute_is_a_persons(harness: Harness) -> None:
    uid = diplomacy(harness, "Ann")
    with harness.database.write_tx() as session:
        match = rows.by_uid(session, uid)
        bot = next(
            seat
            for seat in rows.seats_of(session, match)
            if seat.player_id != harness.people["Ann"]
        )
        bot.player_id = None
    with harness.database.read_tx() as session:
        assert len(rows.persons(session, rows.by_uid(session, uid))) == 2


class Years:
    """A minimal game: its state after a phase is the seats that remain."""

    def remaining(self, before: Any, after: Any) -> Any:
        return after


@pytest.mark.parametrize(
    ("persons", "remaining", "why"),
    [
        (("FRANCE",), ("ENGLAND",), "nobody left"),
        (("FRANCE",), (), "nobody left"),
        (("FRANCE", "ENGLAND"), ("ENGLAND",), None),
        (("FRANCE",), None, None),
        ((), ("ENGLAND",), None),
    ],
    ids=[
        "the last person is out",
        "nobody at all is left",
        "another person is in",
        "no year ended",
        "there never was a person",
    ],
)
def test_R11_nobody_is_left_once_every_person_is_out_at_a_years_end(
    persons: Any, remaining: Any, why: str | None
) -> None:
    game: Any = Years()
    assert loop.stopping_rule(game, persons)(9, None, remaining) == why


def decades(before: Climb, after: Climb) -> tuple[str, ...] | None:
    """Return who remains in Stairs after a year of ten turns, None within a year; A is out from the
    second year on.
    """
    return ("B",) if after.turn // 10 > before.turn // 10 > 0 else None


def test_R11_a_year_that_ends_among_forced_phases_stops_the_match_there() -> None:
    game = replace(STAIRS, remaining=decades)
    closed, opening = loop.advance_match(
        game,
        Climb(4, 40, (0, 0)),
        number=5,
        plans={},
        chance_of=lambda number: ScriptedChance([]),
        before=Climb(3, 41, (0, 0)),
        stops=loop.stopping_rule(game, ("A",)),
    )
    assert ([each.number for each in closed], opening.stop, opening.phase.due) == (
        list(range(5, 21)),
        loop.Stop(20, "nobody left"),
        (),
    )


# --- too long


def test_G9_a_match_lasts_two_thousand_phases_at_the_most() -> None:
    assert [loop.stop_at_limit(number, None, None) for number in (1999, 2000, 2500)] == [
        None,
        "phases",
        "phases",
    ]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no match last longer than nine phases."""
    monkeypatch.setattr(loop, "MOST_PHASES", 9)


def silent(harness: Harness, uid: str) -> None:
    harness.later(hours=49)
    assert harness.close(uid)


def test_G9_a_match_stops_after_its_last_phase_with_its_standing(
    harness: Harness, short: None
) -> None:
    uid = harness.match("Ann", "Ben", wish=Wish("genesis", "Long", {"turn_limit": 0}, players=2))
    for _ in range(9):
        assert harness.page(uid).card.status == "running"
        silent(harness, uid)
    page = harness.page(uid)
    assert (page.card.status, len(page.phases) - 1, {row.outcome for row in page.standing}) == (
        "ended",
        9,
        {"lost"},
    )
    assert "phases" in page.stopped and not harness.close(uid)


def test_G9_forced_phases_closed_in_one_go_stop_as_well(
    harness: Harness, short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch)
    uid = harness.match("Ann", "Ben", wish=Wish("stairs", "Stairs", {"forced": 120}, players=2))
    for name in ("Ann", "Ben", "Ann"):
        harness.round(uid, [(name, "up 3")])
    assert harness.page(uid).card.status == "running"
    harness.round(uid, [("Ben", "up 3")])
    page = harness.page(uid)
    assert (page.card.status, len(page.phases) - 1) == ("ended", 9)
    assert {row.seat: row.score for row in page.standing} == {"A": 9, "B": 8}
    assert (
        replay.replay_transcript(replay.read_transcript(transcript(harness, uid))).differences == ()
    )


def test_G9_a_match_that_is_past_its_last_phase_stops_at_its_next_closing(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = harness.match("Ann", "Ben", wish=Wish("genesis", "Long", {"turn_limit": 0}, players=2))
    for _ in range(5):
        silent(harness, uid)
    monkeypatch.setattr(loop, "MOST_PHASES", 3)
    silent(harness, uid)
    assert (harness.page(uid).card.status, transcript(harness, uid)["stopped"]) == (
        "ended",
        {"after": 6, "why": "phases"},
    )


def test_a_match_that_its_rules_end_in_its_last_phase_was_not_stopped(
    harness: Harness, short: None
) -> None:
    uid = harness.match("Ann", "Ben", "Cem")
    while harness.page(uid).card.status == "running":
        silent(harness, uid)
    page = harness.page(uid)
    assert (len(page.phases) - 1, page.stopped, "stopped" in transcript(harness, uid)) == (
        9,
        "",
        False,
    )


# --- what it leaves


@pytest.fixture
def stopped(harness: Harness) -> dict[str, Any]:
    """The transcript of a match that was stopped because nobody was left."""
    uid = diplomacy(harness, "Ann")
    concede(harness, uid, "Ann")
    play_on(harness, uid)
    return transcript(harness, uid)


def test_its_transcript_says_so_and_replays(stopped: dict[str, Any]) -> None:
    last = stopped["claims"]["phases"][-1]["name"]
    assert stopped["stopped"] == {"after": len(stopped["claims"]["phases"]), "why": "nobody left"}
    done = replay.replay_transcript(replay.read_transcript(stopped))
    assert (done.differences, done.output) == ((), stopped["claims"])
    assert (
        f"The match was stopped after {last}, because no person was left in it, only house bots."
        in for_people(done.output)
    )
    by_name = replay.replay_transcript(
        replay.read_transcript({**stopped, "stopped": {"after": last, "why": "nobody left"}})
    )
    assert by_name.output == stopped["claims"]


def differences(plain: dict[str, Any]) -> str:
    return " ".join(replay.replay_transcript(replay.read_transcript(plain)).differences)


def test_a_transcript_that_was_stopped_elsewhere_or_otherwise_is_found(
    stopped: dict[str, Any],
) -> None:
    last = len(stopped["claims"]["phases"])
    names = [phase["name"] for phase in stopped["claims"]["phases"]]
    bare = {key: value for key, value in stopped.items() if key != "claims"}
    early = differences({**bare, "stopped": {"after": 1, "why": "nobody left"}})
    assert early.startswith(f"{names[0]}: ") and "goes on with orders" in early
    assert differences({**bare, "stopped": {"after": last + 1, "why": "nobody left"}}).startswith(
        f"{names[-1]}: "
    )
    assert differences({**bare, "stopped": {"after": last, "why": "phases"}}).startswith(
        f"{names[-1]}: "
    )
    assert differences({**stopped, "stopped": {"after": last, "why": "agreed"}}).startswith(
        f"{names[-1]}: "
    )
    assert differences({key: value for key, value in stopped.items() if key != "stopped"}) != ""


def test_a_transcript_with_another_standing_names_the_phase_it_was_stopped_after(
    stopped: dict[str, Any],
) -> None:
    other = copy.deepcopy(stopped)
    winner = next(seat for seat, row in other["claims"]["result"].items() if row["place"] == 1)
    other["claims"]["result"][winner]["score"] += 1
    assert stopped["claims"]["phases"][-1]["name"] in differences(other)


@pytest.mark.parametrize("why", ["master", "agreed"])
def test_a_transcript_may_tell_of_other_reasons(stopped: dict[str, Any], why: str) -> None:
    plain = {key: value for key, value in stopped.items() if key != "claims"}
    plain["stopped"] = {
        "after": stopped["stopped"]["after"],
        "why": why,
        "among": stopped["seats"][:2],
    }
    assert differences(plain) == ""
    with pytest.raises(replay.TranscriptError):
        replay.replay_transcript(
            replay.read_transcript(
                {**plain, "stopped": {**plain["stopped"], "among": ["ATLANTIS"]}}
            )
        )


# --- options are made concrete as a match begins


def test_what_an_option_becomes_is_stored_as_the_match_begins(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:

    seen: list[list[str]] = []

    def settle(options: Any, bots: Any) -> Any:
        seen.append(sorted(bots))
        return {**options, "year_limit": 1925}

    real = catalogue.game("diplomacy")
    offer(monkeypatch, replace(real, settle=settle))
    uid = diplomacy(harness, "Ann", "Ben")
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        bot = {seat.name for seat in rows.seats_of(session, match)} - set(
            rows.persons(session, match)
        )
        assert (match.options["year_limit"], [set(bots) for bots in seen]) == (1925, [bot])
    assert any(term.told == ("1925",) for term in harness.terms(uid))


@pytest.mark.parametrize(("people", "year"), [(("Ann",), 1925), (("Ann", "Ben", "Cleo"), 0)])
def test_R11_the_last_year_is_settled_stored_and_told_in_the_transcript(
    harness: Harness, people: tuple[str, ...], year: int
) -> None:
    uid = diplomacy(harness, *people)
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        phase = open_phase(session, match)
        assert phase is not None
        state = load_state(game_of(match), phase.before)
        assert (match.options["year_limit"], state.setup.year_limit) == (
            year,
            year,
        ), "what is stored is what is played"
    for name in people:
        concede(harness, uid, name)
    play_on(harness, uid)
    assert transcript(harness, uid)["options"]["year_limit"] == year
