"""Chance is the same in each run: what a test's own process draws depends on the test's name alone,
and so do Hypothesis' examples.

So no run fails, or passes, by luck. EVERY_CASE=1 draws anew, and so do the processes that tests
start.
"""

from collections.abc import Generator
from random import Random
from types import SimpleNamespace
from unittest import mock

import hypothesis
import pytest

from adjudicator.platform import entropy
from tests.sampling import EVERY_CASE, examples

# no deadline, since the machine may be busy
hypothesis.settings.register_profile(
    "ours", deadline=None, max_examples=examples(40, 100), derandomize=not EVERY_CASE
)
hypothesis.settings.load_profile("ours")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    """Have the service's randomness drawn from the name of the running test."""
    if EVERY_CASE:
        return (yield)
    with mock.patch.object(
        entropy, "secrets", SimpleNamespace(token_bytes=Random(item.nodeid).randbytes)
    ):
        return (yield)
