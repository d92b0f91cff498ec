"""A stop at any moment of a worker's start prints nothing and leaves nothing."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hosting.stopping import MOMENTS
from tests.waiting import wait_for_end

# the moment at which Celery alone prints a traceback; the others are tried by night
OFTEN = "worker_ready"


@pytest.mark.parametrize(
    "moment",
    [pytest.param(each, marks=[pytest.mark.nightly] * (each != OFTEN)) for each in MOMENTS],
)
def test_a_stop_while_a_worker_starts_is_silent(
    tmp_path: Path, sqlite_url: str, redis_url: str, moment: str
) -> None:
    environ = os.environ | {
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": sqlite_url,
        "REDIS_URL": redis_url,
        "WORKER_CONCURRENCY": "1",
    }
    starting = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.hosting.stopping", moment],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        code = wait_for_end(starting, "the worker to stop")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(starting.pid, signal.SIGKILL)  # as the supervisor does
    assert (starting.communicate()[0], code in (0, -signal.SIGTERM)) == ("", True), code
