"""Works that meet in a database: one holds its locks until the others have got as far as they can,
however slow the machine is.
"""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from adjudicator.platform import clock
from adjudicator.platform.db import Database
from tests.service.test_races import at_once
from tests.waiting import wait_until

_WAIT_FOR_LOCKS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type ="
    " 'Lock'"
)
Work = Callable[[], Any]


class Meeting:
    """Runs works in threads of this process, one time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._begun = threading.Event()
        self._works = 0
        self._held = set[int]()  # threads in `hold`
        self._done = set[int]()
        self._looking = set[int]()  # threads that looked for SQLite's lock in vain

    def run(self, first: Work, *others: Work) -> list[Any]:
        """Run the first work, the others as soon as it holds; return their results. Raises the
        first exception of any.
        """
        return self.run_all(first, *(self._later(each) for each in others))

    def run_all(self, *works: Work) -> list[Any]:
        """Run all works at once; return their results. Raises the first exception of any."""
        self._works = len(works)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clock, "sleep", self._look(clock.sleep))
            return at_once(*(self._noted(each) for each in works))

    def hold(self) -> None:
        """Hold what this work has locked until each other one waits for a lock, holds, or is
        done.
        """
        self._looking.clear()
        self._held.add(threading.get_ident())
        self._begun.set()
        wait_until(
            lambda: self._resting() >= self._works,
            "the other works to wait for a lock or to be done",
        )
        self._held.discard(threading.get_ident())

    def _resting(self) -> int:
        if self._database.engine.dialect.name == "sqlite":
            return len(self._held | self._done | self._looking)
        with self._database.read_tx() as session:
            return len(self._held | self._done) + int(
                session.connection().execute(_WAIT_FOR_LOCKS).scalar_one()
            )

    def _later(self, work: Work) -> Work:
        def begin() -> Any:
            wait_until(self._begun.is_set, "the first work to hold")
            return work()

        return begin

    def _noted(self, work: Work) -> Work:
        def note() -> Any:
            try:
                return work()
            finally:
                self._done.add(threading.get_ident())

        return note

    def _look(self, sleep: Callable[[float], None]) -> Callable[[float], None]:
        def looked(seconds: float) -> None:
            self._looking.add(threading.get_ident())
            sleep(seconds)

        return looked
