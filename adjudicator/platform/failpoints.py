"""Named points at which a test may kill this process, to prove that nothing is lost there."""

import os
import signal
from pathlib import Path

TEST_SETTING = "SEALED_CRASH_AT"


def kill_here(point: str) -> None:
    """Kill this process with SIGKILL if the test setting names `point`.

    `close.after_commit` kills at the first pass; `close.after_commit@/tmp/flag` kills while that file exists, and removes it.
    """
    wanted = os.environ.get(TEST_SETTING)
    if wanted is None:
        return
    name, _, flag = wanted.partition("@")
    if name != point:
        return
    if flag:
        try:
            Path(flag).unlink()
        except FileNotFoundError:
            return
    os.kill(os.getpid(), signal.SIGKILL)
