"""R12: a draw of all survivors, or of those that a proposal names; votes are order lines."""

import pytest

from adjudicator.core import codec
from adjudicator.games.diplomacy.drawing.text_board import text_board
from adjudicator.games.diplomacy.model.events import Voted
from adjudicator.games.diplomacy.model.orders import Vote
from adjudicator.games.diplomacy.model.state import End, State
from adjudicator.games.diplomacy.ordering.choices import slots
from adjudicator.games.diplomacy.phases import ending
from adjudicator.games.diplomacy.phases.view import look
from adjudicator.games.diplomacy.rules import DIPLOMACY
from adjudicator.games.diplomacy.story.narration import tell_story
from tests.games.diplomacy.sheets import good, read, refused
from tests.games.diplomacy.table import of_kind, opened, play, position

SEATS = ("ENGLAND", "FRANCE", "GERMANY")
EF, FG = ("ENGLAND", "FRANCE"), ("FRANCE", "GERMANY")
UNITS = "ENGLAND F LON / FRANCE A PAR / GERMANY A MUN"


def named(units: str = UNITS, phase: str = "S1903M") -> State:
    return position(
        phase,
        units,
        "ENGLAND LON / FRANCE PAR / GERMANY MUN",
        seats=SEATS,
        draws="named",
        powers="one",
        unplayed="absent",
    )


def votes(state: State, **orders: Vote) -> State:
    return ending.apply_declarations(state, {seat: (vote,) for seat, vote in orders.items()})[0]


def of(*seats: str) -> Vote:
    return Vote(True, seats)


# --- spelling


@pytest.mark.parametrize(
    "text",
    [
        "draw england france",
        "DRAW: France, England",
        "Vote draw England, France",
        "Draw France England England",
    ],
)
def test_R12_a_proposal_names_who_shares_in_any_order(text: str) -> None:
    assert good(text, named()) == "DRAW ENGLAND FRANCE"


def test_R12_a_comma_behind_a_draw_begins_no_other_order_unless_one_follows() -> None:
    assert good("draw england, france; A Par H", named()) == "DRAW ENGLAND FRANCE, A PAR H"
    assert good("A Par H, draw", named()) == "A PAR H, DRAW"


def test_R12_a_proposal_of_all_survivors_names_nobody() -> None:
    assert good("draw germany england france", named()) == good("draw", named()) == "DRAW"


def test_R12_nobody_is_named_where_all_share() -> None:
    refusal = refused("draw england france", opened())
    assert refusal.reason == "In this match all survivors share a draw; nobody is named."
    assert refusal.remedies == ("DRAW",)


def test_R12_only_survivors_are_named() -> None:
    reason = refused("draw france turkey", named()).reason
    assert reason == "Turkey cannot share a draw: those who can are England, France or Germany."


def test_R12_of_two_votes_the_later_counts() -> None:
    assert [str(order) for order in read("draw england france\ndraw", named()).orders] == ["DRAW"]


# --- results


def test_R12_a_draw_of_some_takes_everybody_who_has_a_unit() -> None:
    two = votes(named(), ENGLAND=of(*EF), FRANCE=of(*EF))
    assert (two.end, two.voted) == (None, EF)
    agreed = votes(two, GERMANY=of(*EF))
    assert agreed.end == End("draw", EF)
    result = DIPLOMACY.result(agreed)
    assert result and {seat: standing.outcome for seat, standing in result.items()} == {
        "ENGLAND": "drew",
        "FRANCE": "drew",
        "GERMANY": "lost",
    }


def test_R12_votes_for_different_draws_agree_to_none() -> None:
    state = votes(named(), ENGLAND=of(*EF), FRANCE=of(*FG), GERMANY=Vote(True))
    assert state.end is None
    assert votes(state, ENGLAND=Vote(True), FRANCE=Vote(True)).end == End("draw", SEATS)


def test_R12_a_vote_stands_until_it_is_replaced_or_taken_back() -> None:
    state = votes(named(), ENGLAND=of(*EF))
    assert votes(state).among == {"ENGLAND": EF}
    assert votes(state, ENGLAND=Vote(True)).among == {}
    assert votes(state, ENGLAND=Vote(False)).voted == ()


def test_R12_a_proposal_lapses_with_one_whom_it_names() -> None:
    state = votes(named(), ENGLAND=of(*FG), GERMANY=of(*EF))
    after = play(state, FRANCE="CONCEDE").state
    assert (after.voted, dict(after.among), after.end) == ((), {}, None)


# --- texts


def test_R12_the_slot_offers_what_was_proposed() -> None:
    state = votes(named(), ENGLAND=of(*EF))
    (slot,) = (slot for slot in slots(state, "FRANCE") if slot.name == "draw")
    assert [choice.text for choice in slot.choices] == ["DRAW", "DRAW ENGLAND FRANCE", "NO DRAW"]
    assert slot.choices[1].label == "Yes, England and France share the match"
    assert "DRAW and who shares" in slot.hint


def test_R12_who_wants_which_draw_is_told_and_stands_on_the_board() -> None:
    done = play(named(), ENGLAND="F LON H", FRANCE="A PAR H")
    assert not of_kind(done, Voted)
    state, events = ending.apply_declarations(
        named(), {"ENGLAND": (of(*EF),), "GERMANY": (Vote(True),)}
    )
    told = (
        "England agrees to a draw of England and France; Germany agrees to a draw of all survivors;"
        " it also takes France."
    )
    assert tell_story(look(state, None), events) == (told,)
    assert "For a draw: England (of England and France) and Germany." in text_board(
        look(state, None)
    )


def test_R12_a_state_from_before_has_draws_of_all() -> None:
    stored = codec.dump(State, opened())
    del stored["among"], stored["setup"]["draws"]
    assert codec.load(State, stored).setup.draws == "all"
