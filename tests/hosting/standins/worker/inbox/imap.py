"""A fetcher that fetches nothing."""

import signal
from collections.abc import Callable

from adjudicator.platform.config import Settings


def run_fetcher(_settings: Settings, ready: Callable[[], None]) -> None:
    """Run until SIGTERM."""
    ready()
    signal.pause()
