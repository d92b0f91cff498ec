"""The contract that every game of the catalogue meets."""

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator import catalogue
from adjudicator.core.game import Parsed, Slot
from adjudicator.core.jcs import jcs
from adjudicator.core.options import complete_options
from adjudicator.mail.reading.orderlike import Shapes
from adjudicator.play import bots
from tests.games.contract import (
    Case,
    as_json,
    cases,
    each_of,
    every_game,
    every_match,
    from_json,
    play,
    played,
    readers,
)
from tests.sampling import EVERY_CASE, examples

quick = settings(derandomize=True, max_examples=examples(50, 150))


# --- descriptions


@every_game
def test_every_seat_plays_itself_first_and_nobody_plays_what_another_does(case: Case) -> None:
    about = case.game.about
    for players, seats in about.seats.items():
        plays = about.plays(seats, complete_options(about, {}, players=players))
        assert [own[0] for own in plays.values()] == list(plays) == list(seats)
        everything = [each for own in plays.values() for each in own]
        assert len(everything) == len(set(everything))


@every_game
def test_seats_that_go_by_preference_are_few_enough_to_try_every_order(case: Case) -> None:
    assert case.game.about.seating == "order" or max(case.game.about.seats) <= 8


# --- flow


@every_match
def test_only_a_game_that_names_its_short_phases_has_some(case: Case) -> None:
    paces = {step.phase.pace for step in played(case).steps}
    assert "main" in paces and ("short" not in paces or case.game.about.short_phases)


@every_match
def test_a_match_ends_within_its_limit_or_goes_on_with_somebody_due(case: Case) -> None:
    last = played(case).states[-1]
    assert played(case).steps
    assert len(played(case).steps) <= case.terms.most_phases
    assert (case.game.result(last) is None) == bool(case.game.phase(last).due)


@every_match
def test_somebody_is_due_exactly_while_there_is_no_result(case: Case) -> None:
    for state in played(case).states:
        due = case.game.phase(state).due
        assert bool(due) == (case.game.result(state) is None)
        assert list(due) == [seat for seat in case.seats if seat in due]


@every_match
def test_playing_the_same_match_again_gives_the_same_bytes(case: Case) -> None:
    again = play(case)
    assert _bytes(case, again.states) == _bytes(case, played(case).states)
    assert [step.done.events for step in again.steps] == [
        step.done.events for step in played(case).steps
    ]


@every_match
def test_a_state_from_json_goes_on_as_the_first_did(case: Case) -> None:
    kinds = case.game.kinds
    for number, step in enumerate(played(case).steps, start=1):
        state = from_json(kinds.state, as_json(kinds.state, step.before))
        orders = {
            seat: tuple(
                from_json(kinds.order, as_json(kinds.order, order)) for order in step.orders[seat]
            )
            for seat in step.orders
        }
        assert case.game.adjudicate(state, orders, case.chance(number)) == step.done


@every_match
def test_the_result_names_every_seat_and_places_follow_the_score(case: Case) -> None:
    result = case.game.result(played(case).states[-1])
    if result is None:
        return
    assert sorted(result) == sorted(case.seats)
    assert min(standing.place for standing in result.values()) == 1
    assert {standing.outcome for standing in result.values()} <= {"won", "shared", "drew", "lost"}


@every_match
def test_every_state_has_a_standing_and_at_the_end_it_is_the_result(case: Case) -> None:
    for state in played(case).states:
        standing = case.game.standing(state)
        assert sorted(standing) == sorted(case.seats)
        assert min(each.place for each in standing.values()) == 1
        assert {each.outcome for each in standing.values()} <= {"won", "shared", "drew", "lost"}
        assert case.game.result(state) in (None, standing)


@every_match
def test_every_match_finishes_for_every_seat_as_its_result_says(case: Case) -> None:
    states = played(case).states
    result = case.game.standing(states[-1])
    finishes = case.game.finishes(states, result)
    assert {seat: (each.place, each.score) for seat, each in finishes.items()} == {
        seat: (standing.place, standing.score) for seat, standing in result.items()
    }
    assert case.game.about.centres == any(each.centres for each in finishes.values())
    assert sum(each.solo for each in finishes.values()) <= 1
    assert not any(each.drew for each in finishes.values()) or not any(
        each.solo for each in finishes.values()
    )


@every_match
def test_a_seat_that_is_out_stays_out(case: Case) -> None:
    left = set(case.seats)
    for step in played(case).steps:
        remaining = case.game.remaining(step.before, step.done.state)
        if remaining is not None:
            assert set(remaining) <= left
            left = set(remaining)


@every_game
def test_a_game_settles_its_options_once(case: Case) -> None:
    about, settle = case.game.about, case.game.settle
    for bot_seats in ((), case.seats[:1], case.seats):
        settled = settle(complete_options(about, {}, players=len(case.seats)), bot_seats)
        assert complete_options(about, settled, players=len(case.seats)) == settled
        assert settle(settled, ()) == settle(settled, case.seats) == settled


def _bytes(case: Case, states: tuple[Any, ...]) -> list[str]:
    return [as_json(case.game.kinds.state, state) for state in states]


# --- values


@every_match
def test_states_orders_events_and_views_read_back_from_json(case: Case) -> None:
    kinds, match = case.game.kinds, played(case)
    for step in match.steps:
        for kind, values in (
            (kinds.state, (step.done.state,)),
            (kinds.event, step.done.events),
            (kinds.order, sum(step.orders.values(), ())),
        ):
            assert tuple(from_json(kind, as_json(kind, value)) for value in values) == tuple(values)
        views = [case.game.view(step.done.state, reader) for reader in readers(case)]
        assert [from_json(kinds.view, as_json(kinds.view, view)) for view in views] == views


# --- orders


@every_match
def test_every_choice_of_every_slot_is_a_legal_order(case: Case) -> None:
    for state in played(case).glimpses if case.options and not EVERY_CASE else played(case).states:
        for seat in case.seats:
            for slot in case.game.slots(state, seat):
                texts = [choice.text for choice in slot.choices]
                assert texts and len(set(texts)) == len(texts)
                for text in _tried(case, slot):
                    read = case.game.parse(state, seat, text)
                    assert read.orders and not read.refusals, text


def _tried(case: Case, slot: Slot) -> list[str]:
    """Return the choices of a slot; where a match differs from another only by an option, the first
    and the last of each kind.
    """
    if EVERY_CASE or not case.options:
        return [choice.text for choice in slot.choices]
    first = {choice.group: choice.text for choice in reversed(slot.choices)}
    last = {choice.group: choice.text for choice in slot.choices}
    return sorted({*first.values(), *last.values()})


@every_match
def test_an_example_of_an_order_is_legal_where_it_is_told(case: Case) -> None:
    for state in played(case).states:
        for seat in case.seats:
            for slot in case.game.slots(state, seat):
                assert (
                    not slot.hint
                    or slot.hint.endswith(".")
                    or slot.hint in [choice.text for choice in slot.choices]
                )


@every_match
def test_a_text_tells_which_slots_it_leaves_open(case: Case) -> None:
    for step in played(case).steps:
        for seat in case.seats:
            slots = case.game.slots(step.before, seat)
            unanswered = case.game.parse(step.before, seat, "").open
            assert (
                {slot.name for slot in slots if not slot.optional}
                <= set(unanswered)
                <= {slot.name for slot in slots}
            )
        for seat, orders in step.orders.items():
            assert (
                case.game.parse(step.before, seat, "\n".join(str(order) for order in orders)).open
                == ()
            )


@every_match
def test_house_bots_fill_every_slot(case: Case) -> None:
    dice = random.Random(case.seed)
    steps = played(case).steps[:40]
    for number, step in list(enumerate(steps))[:: 4 if case.options and not EVERY_CASE else 1]:
        for at, seat in enumerate(step.phase.due):
            skill = bots.SKILLS[(number + at) % len(bots.SKILLS)]
            read = case.game.parse(
                step.before,
                seat,
                bots.choose_orders(case.game, step.before, seat, skill=skill, pick=dice.choice),
            )
            assert read.orders and (read.refusals, read.open) == ((), ())


@pytest.mark.parametrize("skill", bots.SKILLS)
@each_of(case for case in cases() if not case.is_open)
def test_house_bots_order_the_same_whatever_others_hide(case: Case, skill: bots.Skill) -> None:
    dice, scramble, changed = random.Random(case.seed), case.terms.scramble, 0
    assert scramble is not None
    for number, step in enumerate(played(case).steps[:40]):
        seat = step.phase.due[number % len(step.phase.due)]
        states = (step.before, scramble(step.before, seat, dice))
        texts = [
            bots.choose_orders(
                case.game, state, seat, skill=skill, pick=random.Random(number).choice
            )
            for state in states
        ]
        assert texts[0] == texts[1]
        changed += states[0] != states[1]
    assert changed


@every_match
def test_orders_are_written_in_one_spelling_that_can_be_sealed(case: Case) -> None:
    for step in played(case).steps:
        for orders in step.orders.values():
            written = "\n".join(str(order) for order in orders)
            assert jcs(written), "commitments are over NFC text"
            assert not any(word in written.upper().split() for word in ("THEN", "OR")), (
                "these words stand between orders"
            )


@every_match
def test_only_due_seats_have_slots(case: Case) -> None:
    for state in played(case).states:
        due = case.game.phase(state).due
        for seat in case.seats:
            slots = case.game.slots(state, seat)
            assert seat in due or slots == ()
            assert len({slot.name for slot in slots}) == len(slots)


@every_match
def test_every_due_seat_has_a_choice_where_a_game_says_that_nothing_is_forced(case: Case) -> None:
    for step in played(case).steps:
        for seat in step.phase.due if not case.game.may_force(step.before) else ():
            slots = case.game.slots(step.before, seat)
            assert any(slot.optional or len(slot.choices) > 1 for slot in slots)


@every_match
def test_an_order_as_text_reads_back_as_the_same_order(case: Case) -> None:
    for step in played(case).steps:
        for seat, orders in step.orders.items():
            read = case.game.parse(step.before, seat, "\n".join(str(order) for order in orders))
            assert (read.orders, read.refusals) == (orders, ())


@every_match
def test_the_default_is_legal(case: Case) -> None:
    for number, step in enumerate(played(case).steps, start=1):
        chance = case.chance(number)
        for seat in step.phase.due:
            orders = case.game.default(step.before, seat, chance)
            assert not case.game.parse(
                step.before, seat, "\n".join(str(order) for order in orders)
            ).refusals


@every_game
@quick
@given(text=st.text(alphabet="§¶☂ж…\x00\x1b\t \n\u2028%$#@\ud800\U0001f980", max_size=80))
def test_rubbish_is_refused_and_never_raises(case: Case, text: str) -> None:
    for state in (played(case).start, played(case).states[-1]):
        read = case.game.parse(state, case.seats[0], text)
        assert read.orders == ()
        _check_refusals(case, state, read)


@every_game
@quick
@given(text=st.text(max_size=200), data=st.data())
def test_any_text_gives_legal_orders_or_refusals_with_a_way_out(
    case: Case, text: str, data: st.DataObject
) -> None:
    state = data.draw(st.sampled_from(played(case).states))
    words = data.draw(st.lists(st.sampled_from(_words(case)), max_size=5))
    for each in (text, " ".join(words), text.join(words), "\n".join(words)):
        read = case.game.parse(state, case.seats[0], each)
        _check_refusals(case, state, read)
        again = case.game.parse(
            state, case.seats[0], "\n".join(str(order) for order in read.orders)
        )
        assert again.orders == read.orders


@every_game
def test_a_huge_text_is_refused_in_few_words(case: Case) -> None:
    read = case.game.parse(played(case).start, case.seats[0], "x" * 100_000 + "\n" + "y " * 50_000)
    assert len(read.refusals) == 2
    assert all(len(refusal.piece) <= 60 and len(refusal.reason) <= 400 for refusal in read.refusals)


def _words(case: Case) -> list[str]:
    """Return words of the game's own orders, from which wrong orders are composed."""
    slots = [slot for seat in case.seats for slot in case.game.slots(played(case).start, seat)]
    return sorted(
        {
            word
            for slot in slots
            for choice in slot.choices
            for word in (*choice.text.split(), *choice.label.split())
        }
    )


def _check_refusals(case: Case, state: Any, read: Parsed[Any]) -> None:
    for refusal in read.refusals:
        assert refusal.kind in {"invalid", "illegal", "ambiguous"}
        assert (
            refusal.reason.endswith(".")
            and refusal.reason.isprintable()
            and "!" not in refusal.reason.replace(refusal.piece, "")
        )
        assert refusal.piece.isprintable() and len(refusal.piece) <= 60
        assert bool(refusal.understood) == (refusal.kind == "illegal")
        for example in re.findall("(?:as in|such as|like) “([^”]*)”", refusal.reason):
            assert not case.game.parse(state, case.seats[0], example).refusals, refusal.reason
        for remedy in refusal.remedies:
            assert not case.game.parse(state, case.seats[0], remedy).refusals, remedy


# --- what a game says of itself


def test_defaults_of_options_are_among_their_values() -> None:
    for game in catalogue.every_game():
        options = complete_options(game.about, {})
        for option in game.about.options:
            assert options[option.name] in option.values
            assert len(option.labels) == len(option.values)


@every_game
def test_every_choice_looks_like_an_order_to_those_who_know_the_game(case: Case) -> None:
    knowing, knows_none = Shapes((case.game.about.order_words,)), Shapes(())
    for step in played(case).steps:
        slots = [slot for seat in step.phase.due for slot in case.game.slots(step.before, seat)]
        lines = {
            line for slot in slots for choice in slot.choices for line in choice.text.splitlines()
        }
        assert [line for line in lines if not knowing.has(line) or knows_none.has(line)] == []
