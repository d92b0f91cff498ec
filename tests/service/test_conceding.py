"""Ends that people decide: a master's end, an end or a draw by agreement, concessions; in
transcripts and their replay.
"""

from typing import Any

import pytest
from sqlmodel import col, update

from adjudicator.commands.replay import for_people
from adjudicator.play.replay import TranscriptError, read_transcript, replay_transcript
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.rows import by_uid, waiting_phase
from adjudicator.service.base.tables import Seat
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import VoteResult
from adjudicator.service.phases import concessions
from adjudicator.service.requests.made_for import MadeFor
from tests.harness import Harness
from tests.service.test_stopping import bots_play, transcript
from tests.service.test_votes import letters, notes, propose, vote

NAMES = ("Alice", "Bob", "Charlie")


@pytest.fixture
def uid(harness: Harness) -> str:
    """A Pyramid match of three people in Round 2."""
    uid = harness.match(*NAMES)
    harness.round(uid, [("Alice", "B3"), ("Bob", "W2"), ("Charlie", "C1")])
    return uid


def concede(harness: Harness, uid: str, who: str, **more: Any) -> VoteResult:
    return concessions.concede(harness.database, uid, harness.people[who], now=harness.now, **more)


def end(harness: Harness, uid: str, who: str | None, reason: str = "the club closes") -> VoteResult:
    return masters.end_match(
        harness.database, uid, harness.people[who] if who else None, reason, now=harness.now
    )


def outcomes(harness: Harness, uid: str) -> dict[str, tuple[int, str]]:
    return {row.seat: (row.place, row.outcome) for row in harness.page(uid).standing}


def replays(harness: Harness, uid: str) -> dict[str, Any]:
    """Replay the match's transcript, which has to agree; return the transcript."""
    plain = transcript(harness, uid)
    done = replay_transcript(read_transcript(plain))
    assert done.differences == () and done.output["result"] == plain["claims"]["result"]
    return plain


# --- a master's end


def test_the_host_ends_a_match_with_its_standing(harness: Harness, uid: str) -> None:
    harness.order(uid, "Alice", "B2")
    assert end(harness, uid, None).acted
    page = harness.page(uid, "Bob")
    assert page.owed is None and page.phases[-1].name == "Round 1", "no more orders are taken"
    with pytest.raises(NotNow, match="is over"):
        harness.order(uid, "Bob", "B3")
    assert harness.close(uid) and not harness.close(uid)
    page = harness.page(uid)
    assert (
        page.card.status == "ended"
        and page.stopped == "The match was stopped after Round 1, because whoever runs it ended it."
    )
    assert notes(harness, uid)[0] == ("the host", "ended the match in Round 2: the club closes")
    assert replays(harness, uid)["stopped"] == {"after": 1, "why": "master"}
    with harness.database.read_tx() as session:
        assert waiting_phase(session, by_uid(session, uid)) is None
    assert len(letters(harness, "report")) == 9, "the beginning, Round 1 and the end"


def test_an_end_needs_a_reason_and_a_running_match(harness: Harness, uid: str) -> None:
    for reason, sentence in (
        ("", "Say why"),
        ("see www.example.org", "no web address"),
        ("x" * 201, "200 letters"),
    ):
        with pytest.raises(Refused, match=sentence):
            end(harness, uid, None, reason)
    end(harness, uid, None)
    with pytest.raises(NotNow, match="is over"):
        end(harness, uid, None)
    harness.close(uid)
    with pytest.raises(NotNow, match="is over"):
        end(harness, uid, None)
    waiting = harness.prepare_match(Wish("pyramid", "Waiting", {}), "Alice")
    with pytest.raises(NotNow, match="has not begun"):
        end(harness, waiting, None)


def test_a_paused_match_and_one_in_its_first_round_end_too(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    end(harness, uid, None)
    assert harness.close(uid) and harness.page(uid).card.status == "ended"
    assert replays(harness, uid)["stopped"] == {"after": 0, "why": "master"}
    assert set(outcomes(harness, uid).values()) == {(1, "drew")}


def test_a_master_who_plays_ends_it_only_with_the_consent_of_all(
    harness: Harness, uid: str
) -> None:
    assert not end(harness, uid, "Alice").acted and not vote(harness, uid, "Bob").acted
    assert vote(harness, uid, "Charlie").acted and harness.close(uid)
    assert (
        harness.page(uid).stopped
        == "The match was stopped after Round 1, because its players agreed to stop."
    )
    assert replays(harness, uid)["stopped"] == {"after": 1, "why": "agreed"}


def test_orders_on_their_way_as_the_match_is_stopped_do_not_delay_its_end(
    harness: Harness, uid: str, monkeypatch: Any
) -> None:
    from adjudicator.service.orders import submitting

    understand = submitting._understand

    def stopped_meanwhile(*given: Any) -> Any:
        end(harness, uid, None)
        return understand(*given)

    monkeypatch.setattr(submitting, "_understand", stopped_meanwhile)
    answer = harness.order(uid, "Bob", "B3")
    assert answer.disposition == "refused" and "was stopped before" in answer.reason
    assert harness.close(uid) and harness.page(uid).card.status == "ended"


# --- draws


@pytest.mark.parametrize("game", ["genesis", "phoenix"])
def test_R12_all_agree_to_a_draw_in_genesis_and_phoenix(harness: Harness, game: str) -> None:
    uid = harness.match("Alice", "Bob", wish=Wish(game, "Even", {}, players=2))
    assert not propose(harness, uid, "Alice", "draw").acted and vote(harness, uid, "Bob").acted
    assert harness.close(uid) and set(outcomes(harness, uid).values()) == {(1, "drew")}
    assert replays(harness, uid)["stopped"]["why"] == "draw"


@pytest.mark.parametrize(
    ("game", "players", "sentence"),
    [("pyramid", 3, "no draws"), ("redeux", 2, "no draws"), ("diplomacy", 2, "is an order")],
)
def test_R12_the_other_games_have_no_draw_by_vote(
    harness: Harness, game: str, players: int, sentence: str
) -> None:
    uid = harness.match(*NAMES[:players], wish=Wish(game, "Uneven", {}, players=players))
    with pytest.raises(Refused, match=sentence):
        propose(harness, uid, "Alice", "draw")


def test_R12_a_house_bot_agrees_to_no_draw(harness: Harness) -> None:
    uid = harness.match("Alice", wish=Wish("genesis", "Alone", {}, house=1))
    assert not propose(harness, uid, "Alice", "draw").acted


def test_an_offer_of_a_draw_outlasts_the_phase_and_lapses_after_a_week(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", wish=Wish("genesis", "Even", {}))
    propose(harness, uid, "Alice", "draw")
    harness.later(days=3)
    assert harness.close(uid) and not vote(harness, uid, "Alice").acted
    harness.later(days=4)
    with pytest.raises(NotNow, match="is over already"):
        vote(harness, uid, "Bob")


# --- concessions


def test_G10_of_two_seats_the_other_wins(harness: Harness) -> None:
    for game in ("redeux", "genesis", "phoenix"):
        uid = harness.match("Alice", "Bob", wish=Wish(game, game, {}, players=2))
        loser = harness.page(uid, "Alice").seat
        assert concede(harness, uid, "Alice").acted and harness.close(uid)
        found = outcomes(harness, uid)
        assert found.pop(loser) == (2, "lost") and list(found.values()) == [(1, "won")]
        plain = replays(harness, uid)
        assert "stopped in its first phase" in for_people(
            replay_transcript(read_transcript(plain)).output
        )
        assert plain["conceded"] == [{"seat": loser, "after": 0}] and plain["stopped"] == {
            "after": 0,
            "why": "conceded",
        }
        assert harness.page(uid).stopped.startswith(
            "The match was stopped in its first phase, because all others conceded."
        )


def test_G10_of_three_seats_the_one_that_conceded_plays_its_default_and_comes_last(
    harness: Harness, uid: str
) -> None:
    harness.order(uid, "Alice", "W3")
    assert concede(harness, uid, "Alice").acted and concede(harness, uid, "Alice") == VoteResult(
        "You conceded this match already; nothing was changed."
    )
    assert (
        notes(harness, uid)[0] == ("Seat 1", "conceded in Round 2")
        and harness.page(uid, "Alice").owed is None
    )
    refused = harness.order(uid, "Alice", "W3")
    assert refused.disposition == "refused" and "order nothing any more" in refused.reason
    harness.round(uid, [("Bob", "B3"), ("Charlie", "C2")])
    story = harness.story(uid, 2)
    assert {each.seat: each.how for each in story.orders} == {
        "1": "conceded",
        "2": "sealed",
        "3": "sealed",
    }
    assert not any("handed in no orders" in line for line in story.lines)
    while harness.page(uid).card.status == "running":
        harness.later(days=3)
        harness.close(uid)
    assert (
        outcomes(harness, uid)["1"] == (3, "lost")
        and harness.page(uid).stopped == "Seat 1 conceded and comes last."
    )
    plain = replays(harness, uid)
    assert plain["conceded"] == [{"seat": "1", "after": 1}] and "stopped" not in plain


def test_G10_the_last_one_who_was_waited_for_concedes_and_the_phase_closes(
    harness: Harness, uid: str
) -> None:
    for who, piece in (("Bob", "B3"), ("Charlie", "C2")):
        harness.order(uid, who, piece)
    concede(harness, uid, "Alice")
    assert harness.close(uid) and harness.story(uid, 2).why == "ready"
    concede(harness, uid, "Bob")
    assert harness.close(uid)
    assert outcomes(harness, uid) == {"3": (1, "won"), "1": (2, "lost"), "2": (2, "lost")}
    assert replays(harness, uid)["stopped"] == {"after": 2, "why": "conceded"}


def test_G10_nobody_waits_for_the_turns_of_a_seat_that_conceded(harness: Harness) -> None:
    uid = harness.match(*NAMES, wish=Wish("phoenix", "Three", {"turn_limit": 4}, players=3))
    on_turn = next(name for name in NAMES if harness.page(uid, name).owed)
    concede(harness, uid, on_turn)
    assert harness.close(uid), "it was its turn, and its default is played at once"
    for _ in range(60):
        if harness.page(uid).card.status == "ended":
            break
        assert not harness.page(uid, on_turn).owed
        harness.later(days=3)
        harness.close(uid)
    assert outcomes(harness, uid)[harness.page(uid, on_turn).seat] == (3, "lost")
    replays(harness, uid)


def test_G10_where_only_house_bots_are_left_the_match_is_stopped(harness: Harness) -> None:
    uid = harness.match("Alice")
    concede(harness, uid, "Alice")
    assert harness.close(uid) and "because no person was left in it" in harness.page(uid).stopped
    assert outcomes(harness, uid)[harness.page(uid, "Alice").seat] == (3, "lost")
    assert replays(harness, uid)["stopped"] == {"after": 0, "why": "nobody left"}


def test_G10_in_diplomacy_the_concession_is_an_order(harness: Harness) -> None:
    uid = harness.match(*NAMES, wish=Wish("diplomacy", "Orders", {}, players=3))
    sentence = concede(harness, uid, "Alice").sentence
    assert "counts when Spring 1901 closes" in sentence and notes(harness, uid) == []
    seat = harness.page(uid, "Alice").seat
    for who in NAMES[1:]:
        harness.order(uid, who, "ready")
    assert harness.close(uid)
    assert next(each.lines for each in harness.story(uid, 1).orders if each.seat == seat) == (
        "CONCEDE",
    )
    assert any("conceded" in line for line in harness.story(uid, 1).lines)
    with pytest.raises(NotAllowed, match="out of this match"):
        propose(harness, uid, "Alice", "pause")


def test_a_concession_for_a_closed_phase_or_one_that_is_being_closed_is_refused(
    harness: Harness, uid: str
) -> None:
    with pytest.raises(NotNow, match="nothing was changed; Round 2 is open"):
        concede(harness, uid, "Alice", made_for=MadeFor(1))
    harness.later(hours=49)
    with pytest.raises(NotNow, match="being closed"):
        concede(harness, uid, "Alice")


def test_a_seat_that_conceded_votes_no_more(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "pause")
    concede(harness, uid, "Charlie")
    with pytest.raises(NotAllowed, match="votes no more"):
        vote(harness, uid, "Charlie")
    assert vote(harness, uid, "Bob").acted


def test_bots_play_on_beside_a_seat_that_conceded(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob")
    concede(harness, uid, "Alice")
    harness.order(uid, "Bob", "B3")
    bots_play(harness, uid)
    assert harness.page(uid).phases[-1].name == "Round 2"


# --- a file that claims another end


def test_a_transcript_that_claims_another_concession_or_stop_is_found_out(
    harness: Harness, uid: str
) -> None:
    concede(harness, uid, "Alice")
    harness.round(uid, [("Bob", "B3"), ("Charlie", "C2")])
    concede(harness, uid, "Bob")
    harness.close(uid)
    plain = transcript(harness, uid)

    def differences(**changed: Any) -> tuple[str, ...]:
        return replay_transcript(read_transcript(plain | changed)).differences

    assert differences() == ()
    assert differences(conceded=[{"seat": "1", "after": 1}]), "only one conceded: nobody was alone"
    assert differences(conceded=[{"seat": "1", "after": 2}, {"seat": "2", "after": 2}]), (
        "it conceded a round later"
    )
    assert differences(stopped={"after": 2, "why": "draw"}), "there are no draws in this game"
    with pytest.raises(TranscriptError, match="one seat at least is left"):
        differences(conceded=[{"seat": seat, "after": 1} for seat in "123"])


def test_R12_a_draw_needs_a_seat_that_looks_for_a_player_and_an_end_does_not(
    harness: Harness,
) -> None:
    uid = harness.match("Alice", "Bob", wish=Wish("genesis", "Even", {}))
    with harness.database.write_tx() as session:
        session.exec(
            update(Seat)
            .where(col(Seat.player_id) == harness.people["Bob"])
            .values(open_since=harness.now)
        )
    assert (
        not propose(harness, uid, "Alice", "draw").acted
        and propose(harness, uid, "Alice", "end").acted
    )
