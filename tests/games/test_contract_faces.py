"""The pictures, boards and stories of every game of the catalogue are in good form and disclose no
secret.
"""

import random
from collections.abc import Iterable
from typing import Any

from adjudicator import catalogue
from adjudicator.core.game import AnyGame, Event, Seat, may_read
from tests.games.contract import (
    TERMS,
    Case,
    as_json,
    cases,
    each_of,
    every_game,
    every_match,
    faults_of_picture,
    from_json,
    from_store,
    marks,
    played,
    readers,
    some_matches,
)


@some_matches
def test_the_picture_is_clean_svg_with_the_ids_it_promises(case: Case) -> None:
    for state in played(case).glimpses:
        known = marks(case, state)
        for reader in readers(case):
            svg = case.game.draw(case.game.view(state, reader))
            assert list(faults_of_picture(case.game, svg, known)) == []


@every_game
def test_every_mark_of_a_slot_is_in_its_seats_picture(case: Case) -> None:
    for state in played(case).glimpses:
        for seat in case.seats:
            svg = case.game.draw(case.game.view(state, seat))
            promised = {
                mark
                for slot in case.game.slots(state, seat)
                for choice in slot.choices
                for mark in choice.marks
            }
            assert [mark for mark in sorted(promised) if f'id="{mark}"' not in svg] == []


@every_match
def test_the_board_fits_72_columns(case: Case) -> None:
    for state in played(case).glimpses:
        for reader in readers(case):
            lines = case.game.text_board(case.game.view(state, reader)).split("\n")
            assert all(len(line) <= 72 and line == line.rstrip() for line in lines)


@every_match
def test_the_opening_is_told_in_sentences_and_reads_back_from_json(case: Case) -> None:
    kind, start = case.game.kinds.event, played(case).start
    events = case.game.opened(start)
    assert tuple(from_json(kind, as_json(kind, event)) for event in events) == events
    for reader in readers(case):
        told = case.game.story(
            case.game.view(start, reader), [event for event in events if may_read(event, reader)]
        )
        assert all(line.endswith(".") and line.isprintable() for line in told)


@every_match
def test_the_story_is_told_in_sentences(case: Case) -> None:
    for step in played(case).steps:
        for reader in readers(case):
            events = [event for event in step.done.events if may_read(event, reader)]
            for line in case.game.story(case.game.view(step.done.state, reader), events):
                assert line.endswith(".") and line.isprintable() and "!" not in line
                assert line[0] == line[0].upper()


@every_match
def test_a_view_from_json_looks_the_same(case: Case) -> None:
    kind, state = case.game.kinds.view, played(case).states[-1]
    for reader in readers(case):
        view = case.game.view(state, reader)
        again = from_json(kind, as_json(kind, view))
        assert case.game.draw(again) == case.game.draw(view)
        assert case.game.text_board(again) == case.game.text_board(view)


@every_game
def test_a_store_that_orders_keys_anew_changes_nothing_that_is_seen(case: Case) -> None:
    done = played(case).steps[-1].done
    state = from_store(case.game.kinds.state, done.state)
    for reader in readers(case):
        view, again = case.game.view(done.state, reader), case.game.view(state, reader)
        assert (case.game.draw(again), case.game.text_board(again)) == (
            case.game.draw(view),
            case.game.text_board(view),
        )


@every_game
def test_a_store_that_orders_keys_anew_changes_no_story_result_or_choice(case: Case) -> None:
    game = case.game
    for step in played(case).steps:
        state = from_store(game.kinds.state, step.done.state)
        events = tuple(from_store(game.kinds.event, event) for event in step.done.events)
        assert [game.slots(state, seat) for seat in case.seats] == [
            game.slots(step.done.state, seat) for seat in case.seats
        ]
        for reader in readers(case):
            assert _told(game, state, events, reader) == _told(
                game, step.done.state, step.done.events, reader
            )


def _told(
    game: AnyGame, state: Any, events: Iterable[Event], reader: Seat | None
) -> tuple[tuple[str, ...], ...]:
    view, known = game.view(state, reader), [event for event in events if may_read(event, reader)]
    return game.story(view, known), game.results(view, known) if game.results else ()


# --- secrets (ruling G4)


def test_every_game_declares_whether_it_has_secrets() -> None:
    assert {game.about.key for game in catalogue.every_game()} <= set(TERMS)


@each_of(case for case in cases() if case.is_open)
def test_in_an_open_game_all_see_the_same(case: Case) -> None:
    for step in played(case).steps:
        views = [_without_reader(case, step.done.state, reader) for reader in readers(case)]
        assert all(view == views[0] for view in views)
        assert all(event.readers is None for event in step.done.events)


@each_of(case for case in cases() if not case.is_open)
def test_a_view_does_not_change_when_the_secrets_of_others_do(case: Case) -> None:
    dice, game, changed, scramble = random.Random(case.seed), case.game, False, case.terms.scramble
    assert scramble is not None
    for state in played(case).states:
        for reader in readers(case):
            other = scramble(state, reader, dice)
            changed = changed or other != state
            view, again = game.view(state, reader), game.view(other, reader)
            assert (view, game.draw(view), game.text_board(view)) == (
                again,
                game.draw(again),
                game.text_board(again),
            )
    assert changed, "the scramble changed nothing in any state"


@some_matches
def test_once_the_match_has_ended_every_state_of_it_is_shown_to_everybody(case: Case) -> None:
    game, match = case.game, played(case)
    for state in match.glimpses:
        open_already, known = case.is_open or game.result(state) is not None, marks(case, state)
        for reader in readers(case):
            view = game.view(state, reader, reveal=True)
            assert not open_already or view == game.view(state, reader)
            assert from_json(game.kinds.view, as_json(game.kinds.view, view)) == view
            assert list(faults_of_picture(game, game.draw(view), known)) == []
            assert all(len(line) <= 72 for line in game.text_board(view).split("\n"))
    for step in match.steps:
        for reader in readers(case):
            told = game.story(game.view(step.done.state, reader, reveal=True), step.done.events)
            assert all(line.endswith(".") and line[0] == line[0].upper() for line in told)


@each_of(case for case in cases() if not case.is_open and dict(case.options) == case.terms.hiding)
def test_once_the_match_has_ended_the_secrets_of_its_states_are_seen_and_drawn(case: Case) -> None:
    dice, game, seen, scramble = random.Random(case.seed), case.game, 0, case.terms.scramble
    assert scramble is not None
    for state in played(case).glimpses:
        other = scramble(state, None, dice)
        view, again = game.view(state, None, reveal=True), game.view(other, None, reveal=True)
        seen += (game.draw(view), game.text_board(view)) != (
            game.draw(again),
            game.text_board(again),
        )
    assert seen > len(played(case).glimpses) / 3


def _without_reader(case: Case, state: Any, reader: str | None) -> dict[str, Any]:
    view = vars(case.game.view(state, reader))
    return {name: value for name, value in view.items() if name != "seat"}


@every_game
def test_a_trial_of_any_text_is_told_drawn_and_read_back_and_changes_no_view(case: Case) -> None:
    if case.game.trial is None:
        return
    dice = random.Random(7)
    for state in played(case).glimpses:
        known = marks(case, state)
        choices = [
            choice.text
            for seat in case.seats
            for slot in case.game.slots(state, seat)
            for choice in slot.choices
        ]
        for reader in readers(case):
            view = case.game.view(state, reader)
            before = as_json(case.game.kinds.view, view)
            trial = case.game.trial(
                view, "\n".join([*dice.sample(choices, min(9, len(choices))), "no order at all"])
            )
            assert as_json(case.game.kinds.view, view) == before
            assert (
                from_json(case.game.kinds.view, as_json(case.game.kinds.view, trial.view))
                == trial.view
            )
            assert all(may_read(event, reader) for event in trial.events)
            assert list(faults_of_picture(case.game, case.game.draw(trial.view), known)) == []
            assert all(line.endswith(".") for line in case.game.story(trial.view, trial.events))
            assert any(refusal.line == "no order at all" for refusal in trial.refusals)


@every_game
def test_a_board_for_trials_is_written_and_laid_again_with_the_choices_of_every_seat(
    case: Case,
) -> None:
    game = case.game
    if game.lay is None:
        return
    assert game.trial is not None
    opening = game.view(played(case).start, None)
    for state in played(case).glimpses[::4]:
        for reader in (case.seats[0], None):
            view = game.view(state, reader)
            before, laid = as_json(game.kinds.view, view), game.lay(view, "no order at all")
            drawn = game.draw(laid.view)
            seen = {mark for slot in laid.slots for choice in slot.choices for mark in choice.marks}
            assert [mark for mark in sorted(seen) if f'id="{mark}"' not in drawn] == []
            assert len({slot.name for slot in laid.slots}) == len(laid.slots) and not any(
                slot.aside for slot in laid.slots
            )
            assert (laid.refusals, laid.orders, laid.given) == ((), "no order at all", ())
            if not game.phase(state).due:
                continue
            again = game.lay(opening, laid.position)
            assert (again.refusals, again.orders, again.position) == ((), "", laid.position)
            assert [slot.choices for slot in again.slots] == [slot.choices for slot in laid.slots]
            firsts = [slot.choices[0].text for slot in laid.slots]
            assert game.trial(again.view, "\n".join(firsts)).refusals == ()
            assert {order for _, order in game.lay(view, "\n".join(firsts)).given} == set(firsts)
            assert as_json(game.kinds.view, view) == before
