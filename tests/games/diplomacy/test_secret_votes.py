"""R12, option `votes`: with secret votes only which draws are proposed is told, and later that one
passed.
"""

from typing import Any

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import may_read
from adjudicator.core.options import complete_options
from adjudicator.games.diplomacy.model.events import Proposed, Voted
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.rules import DIPLOMACY
from tests.harness import Harness

SEATS = ("ENGLAND", "FRANCE", "RUSSIA")


def begin(**options: Any) -> State:
    return DIPLOMACY.start(
        SEATS, complete_options(DIPLOMACY.about, options, players=3), ScriptedChance([])
    )


def play(state: State, **texts: str) -> Any:
    orders = {seat: DIPLOMACY.parse(state, seat, texts.get(seat, "")).orders for seat in SEATS}
    return DIPLOMACY.adjudicate(state, orders, ScriptedChance([]))


def test_R12_only_that_a_draw_is_proposed_is_told() -> None:
    done = play(begin(votes="secret"), FRANCE="draw")
    for reader in (None, "ENGLAND", "RUSSIA"):
        events = [event for event in done.events if may_read(event, reader)]
        assert not any(isinstance(event, Voted) for event in events)
        assert [event.draws for event in events if isinstance(event, Proposed)] == [((),)]
        view = DIPLOMACY.view(done.state, reader)
        assert view.voted == () and view.proposed == ((),)
        told = (*DIPLOMACY.story(view, events), DIPLOMACY.text_board(view))
        assert "Proposed now: a draw of all survivors." in told and not any(
            "agree" in line for line in told
        )
    own, others = (DIPLOMACY.view(done.state, seat) for seat in ("FRANCE", "RUSSIA"))
    assert own.voted == ("FRANCE",)
    assert DIPLOMACY.letter_view(own) == DIPLOMACY.letter_view(others), "letters share a picture"
    assert DIPLOMACY.view(done.state, None, reveal=True).voted == ("FRANCE",), (
        "the end opens everything"
    )


def test_R12_it_is_the_same_whoever_proposed_it() -> None:
    def told(proposer: str) -> Any:
        done = play(begin(votes="secret"), **{proposer: "draw"})
        events = [event for event in done.events if may_read(event, "RUSSIA")]
        return DIPLOMACY.view(done.state, "RUSSIA"), events, DIPLOMACY.slots(done.state, "RUSSIA")

    assert told("ENGLAND") == told("FRANCE")


def test_R12_a_second_vote_for_the_same_draw_tells_nothing() -> None:
    first = play(begin(votes="secret"), FRANCE="draw").state
    second = play(first, ENGLAND="draw")
    assert not any(
        isinstance(event, Proposed) for event in second.events
    ) and second.state.voted == ("ENGLAND", "FRANCE")
    taken_back = play(play(begin(votes="secret"), FRANCE="draw").state, FRANCE="no draw")
    assert [event.draws for event in taken_back.events if isinstance(event, Proposed)] == [()]


def test_R12_named_draws_are_offered_without_their_proposer() -> None:
    done = play(begin(votes="secret", draws="named"), FRANCE="draw France Russia")
    offered = next(slot for slot in DIPLOMACY.slots(done.state, "ENGLAND") if slot.aside)
    assert (
        "DRAW FRANCE RUSSIA" in [choice.text for choice in offered.choices]
        and "Votes are secret" in offered.hint
    )


def test_R12_all_agree_in_secret_and_it_passes() -> None:
    done = play(begin(votes="secret"), ENGLAND="draw", FRANCE="draw", RUSSIA="draw")
    assert done.state.end is not None and done.state.end.how == "draw"


def test_R12_open_votes_are_told_as_before() -> None:
    done = play(begin(), FRANCE="draw")
    assert not any(isinstance(event, Proposed) for event in done.events)
    assert DIPLOMACY.view(done.state, None).voted == ("FRANCE",)


def test_R12_the_orders_with_the_votes_stay_closed_until_the_end(sqlite_url: str) -> None:
    from adjudicator.service.matches.creation import Wish

    with Harness(sqlite_url) as harness:
        names = ("Alice", "Bob", "Charlie")
        uid = harness.match(
            *names, wish=Wish("diplomacy", "Secret", {"votes": "secret"}, players=3)
        )
        for name in names:
            harness.order(uid, name, "draw\nready" if name == "Bob" else "ready")
        assert harness.close(uid)
        mine = harness.page(uid, "Bob").seat
        opened = {
            each.seat: (each.lines, each.opening) for each in harness.story(uid, 1, "Alice").orders
        }
        assert opened[mine] == (None, "")
        assert "DRAW" in (
            next(each.lines for each in harness.story(uid, 1, "Bob").orders if each.seat == mine)
            or ()
        )
