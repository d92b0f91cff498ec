"""Letters get a share of every worker: their turn comes after a while of closings."""

from worker.context import PLAY_SECONDS, Turns


def test_letters_have_their_turn_after_a_while_of_play_and_then_it_is_counted_anew() -> None:
    turns, part = Turns(), PLAY_SECONDS / 4
    assert [turns.count_played(part) for _ in range(8)] == [False, False, False, True] * 2
