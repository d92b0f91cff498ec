"""The waiter, and that no other test waits for a time or measures one: what a test asserts depends
on no machine's speed.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import DUMPS, LIMIT, dump_stacks, wait_for_end, wait_until

TESTS = Path(__file__).parent
MAY = {  # why these files may wait for a time, or measure one
    "waiting.py": "it is the waiter",
    "times.py": "it measures, and asserts nothing",
    "try_readme.py": "a command that tells how long a first page took",
    "hostile_site.py": "a site as slow as a test wants",
    "mail_sink.py": "a server that says nothing for a while",
    "hosting/standins/": "programs that hang until they are stopped",
    "interference/command.py": "a command that tells how long it took",
    "chaos/": "a program that breaks a running service; its tests are held to the rule",
    "simulation/": "a world with a clock of its own; its tests are held to the rule",
}
TIMED = {  # modules whose functions wait for a time or measure one
    "time": {
        "sleep",
        "monotonic",
        "monotonic_ns",
        "perf_counter",
        "perf_counter_ns",
        "time",
        "time_ns",
    },
    "asyncio": {"sleep", "wait_for", "timeout"},
    "threading": {"Timer"},
    "select": {"select", "poll", "epoll"},
    "signal": {"alarm", "setitimer", "pause", "sigtimedwait"},
}
WORLDS = {"world", "_world"}  # whose `wait` is of simulated time
# whose first argument may be a time
BOUNDED = {"settimeout", "join", "result", "exception", "communicate"}


def held_to_the_rule() -> list[Path]:
    """Return the files of tests that may neither wait for a time nor measure one."""
    return [
        path
        for path in sorted(TESTS.rglob("*.py"))
        if path.name.startswith("test_") or not _may(path)
    ]


def _may(path: Path) -> bool:
    return path.relative_to(TESTS).as_posix().startswith(tuple(MAY))


def find_times(source: str) -> Iterator[str]:
    """Yield what in a source waits for a time or measures one, with its line."""
    tree = ast.parse(source)
    named = {}  # functions that were imported by name
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in TIMED:
            named |= {
                each.asname or each.name: f"{node.module}.{each.name}"
                for each in node.names
                if each.name in TIMED[node.module]
            }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (why := _why(node, named)):
            yield f"line {node.lineno}: {why}"


def _why(call: ast.Call, named: dict[str, str]) -> str:
    function, words = call.func, ast.unparse(call)[:80]
    if isinstance(function, ast.Name) and function.id in named:
        return f"{words} waits for a time or measures one"
    if any("timeout" in (each.arg or "") and _is_number(each.value) for each in call.keywords):
        return f"{words} has a limit of its own"
    if not isinstance(function, ast.Attribute):
        return ""
    owner = (
        function.value.id
        if isinstance(function.value, ast.Name)
        else getattr(function.value, "attr", "")
    )
    if function.attr in TIMED.get(owner, ()) or function.attr == "wait_for_timeout":
        return f"{words} waits for a time or measures one"
    if function.attr == "wait" and (call.args or call.keywords) and owner not in WORLDS:
        return f"{words} waits for a time"
    alone = len(call.args) == 1 and not call.keywords and _is_number(call.args[0])
    return f"{words} has a limit of its own" if function.attr in BOUNDED and alone else ""


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


def test_no_test_waits_for_a_time_or_measures_one() -> None:
    """Wait for a condition by `wait_until`; of something that must not happen, wait for what comes
    after it.
    """
    found = [
        f"{path.relative_to(TESTS)}, {what}"
        for path in held_to_the_rule()
        for what in find_times(path.read_text("utf-8"))
    ]
    assert found == []


def test_every_exception_is_needed() -> None:
    files = [
        path
        for path in sorted(TESTS.rglob("*.py"))
        if _may(path) and any(find_times(path.read_text("utf-8")))
    ]
    assert [
        name
        for name in MAY
        if not any(path.relative_to(TESTS).as_posix().startswith(name) for path in files)
    ] == []


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(1)",
        "from time import sleep as nap\nnap(1)",
        "page.wait_for_timeout(5)",
        "threading.Event().wait(1)",
        "event.wait(timeout=LIMIT)",
        "process.wait(120)",
        "await asyncio.sleep(1)",
        "begun = time.monotonic()",
        "select.select([], [], [], 1)",
        "from threading import Timer\nTimer(1, print)",
        "signal.setitimer(signal.ITIMER_REAL, 1)",
        "connect(where, timeout=4)",
        "sock.settimeout(4)",
        "thread.join(60)",
        "expect(button).to_be_visible(timeout=500)",
        "found.result(timeout=9)",
    ],
)
def test_each_way_to_wait_for_a_time_is_found(line: str) -> None:
    assert list(find_times(line))


def test_what_waits_for_a_condition_or_for_ever_is_not_found() -> None:
    assert not list(
        find_times(
            "barrier.wait()\nworld.wait(1.0)\nthread.join()\nconnect(where,"
            " timeout=LIMIT)\n','.join(names)\nclock.sleep(1)"
        )
    )


# --- the waiter


def test_it_returns_what_the_condition_has_found() -> None:
    looks = iter(["", "", "a letter"])
    assert wait_until(lambda: next(looks), "a letter") == "a letter"


HANGS = """
import sys, threading
def an_endless_wait(): threading.Event().wait()
print("begun", flush=True)
an_endless_wait()
"""


def test_a_wait_in_vain_names_its_condition_and_the_stacks_of_what_it_waited_for(
    tmp_path: Path,
) -> None:
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", HANGS], env={DUMPS: "1"}, stdout=log, stderr=log
        )
    said = lambda: (tmp_path / "log").read_text()  # noqa: E731 it is named once
    wait_until(lambda: "begun" in said(), "the process to begin", of=[process], said=said)
    with pytest.raises(AssertionError) as vain:
        wait_until(lambda: False, "the moon to be full", of=[process], said=said, limit=0)
    assert "in vain for the moon to be full" in str(vain.value) and "in an_endless_wait" in str(
        vain.value
    )
    process.wait()


def test_only_processes_that_say_their_stacks_are_ended(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], env={}, stdin=pipe
    )
    assert dump_stacks([process]) == "" and process.poll() is None
    process.communicate(timeout=LIMIT)
    assert wait_for_end(process) == 0
