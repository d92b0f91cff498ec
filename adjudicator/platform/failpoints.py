"""Named points at which a test may kill this process, to prove that nothing is lost there."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlmodel import Session

    from adjudicator.platform.db import Database

TEST_SETTING = "SEALED_CRASH_AT"


def kill_here(point: str) -> None:
    """Kill this process with SIGKILL if the test setting names `point`.

    `close.after_commit` kills at the first pass; `close.after_commit@/tmp/flag` kills while that
    file exists, and removes it. Several are separated by commas.
    """
    if TEST_SETTING not in os.environ:
        return
    for wanted in os.environ[TEST_SETTING].split(","):
        name, _, flag = wanted.partition("@")
        if name == point and (not flag or _was_there(Path(flag))):
            os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def killable_tx(database: "Database", name: str) -> Iterator["Session"]:
    """Open a transaction that writes, as `Database.write_tx`. A test may kill this process at its
    end: at `NAME.before_commit`, or at `NAME.after_commit`.
    """
    with database.write_tx() as session:
        yield session
        kill_here(f"{name}.before_commit")
    kill_here(f"{name}.after_commit")


def _was_there(flag: Path) -> bool:
    try:
        flag.unlink()
    except FileNotFoundError:
        return False
    return True
