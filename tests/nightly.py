"""`@pytest.mark.nightly`: tests that `script/test --all` runs, and `script/test` does not.

They are dear and guard what a cheaper test also notices, or what rarely breaks; the nightly
workflow and each release run them. `--all` is EVERY_CASE=1, by which tests also run the cases of
which they otherwise take a sample (tests/sampling.py).
"""

import pytest

from tests.sampling import EVERY_CASE

MARK = "nightly: runs with script/test --all only"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark."""
    config.addinivalue_line("markers", MARK)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect nightly tests unless all are asked for."""
    if EVERY_CASE:
        return
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]
