"""Some hundred of the damaged letters of which `script/fuzz` reads many thousand."""

import pytest

from tools.fuzz import LETTERS, Figures, damage_letter, fuzz_seeds


@pytest.mark.parametrize("first", range(0, 600, 150))
def test_a_damaged_letter_is_read_or_refused_within_the_limits(first: int) -> None:
    found = fuzz_seeds(range(first, first + 150))
    assert found.sound, found
    assert found.read > 100


def test_a_seed_makes_the_same_letter_again() -> None:
    corpus = [path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))]
    assert damage_letter(7, corpus) == damage_letter(7, corpus)
    assert len({damage_letter(seed, corpus) for seed in range(100)}) > 95


@pytest.mark.parametrize(
    "fault", [{"crashed": [1]}, {"stood_still": [1]}, {"unbounded": [1]}, {"memory": 256 * 1024}]
)
def test_a_run_with_a_fault_is_not_sound(fault: dict[str, object]) -> None:
    assert not Figures(**fault).sound  # type: ignore[arg-type]  # one of its fields each
