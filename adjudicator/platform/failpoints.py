"""Named points at which a test may kill this process, to prove that nothing is lost there."""

import os
import signal
from pathlib import Path

TEST_SETTING = "SEALED_CRASH_AT"


def kill_here(point: str) -> None:
    """Kill this process with SIGKILL if the test setting names `point`.

    `close.after_commit` kills at the first pass; `close.after_commit@/tmp/flag` kills while that
    file exists, and removes it. Several are separated by commas.
    """
    for wanted in os.environ.get(TEST_SETTING, "").split(","):
        name, _, flag = wanted.partition("@")
        if name == point and (not flag or _was_there(Path(flag))):
            os.kill(os.getpid(), signal.SIGKILL)


def _was_there(flag: Path) -> bool:
    try:
        flag.unlink()
    except FileNotFoundError:
        return False
    return True
