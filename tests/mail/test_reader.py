"""The reader's child process: its limits, its end, its replacement, and what it must not
inherit.
"""

import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.mail.reading import sandbox
from adjudicator.mail.reading.letter_text import LARGEST_LETTER, Unreadable
from adjudicator.mail.reading.sandbox import CutShort, LetterReader, NoReader
from adjudicator.platform import clock
from tests.mail.hostile import LETTERS as HOSTILE
from tests.mail.reading import ORDER_WORDS, reply
from tests.waiting import is_gone, wait_until

B3 = reply("B3\n")
ROOT = Path(__file__).parent.parent.parent
PARENT = """
import sys
from adjudicator.mail.reading.sandbox import LetterReader
reader = LetterReader(())
reader.read(b"B3")
print(reader.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def reader() -> Iterator[LetterReader]:
    with LetterReader(ORDER_WORDS) as made:
        yield made


def child(reader: LetterReader) -> int:
    """Return the number of the reader's child, which is there once it has read a letter."""
    assert reader.read(B3).lines == ("B3",)
    assert reader.pid is not None
    return reader.pid


def ends(pid: int) -> bool:
    """Wait until a process has ended."""
    return wait_until(lambda: is_gone(pid), f"process {pid} to end")


def test_nothing_is_started_before_the_first_letter() -> None:
    with LetterReader(ORDER_WORDS) as reader:
        assert reader.pid is None


def test_one_child_reads_many_letters(reader: LetterReader) -> None:
    first = child(reader)
    assert child(reader) == first


def test_the_child_has_256_megabytes_writes_no_file_and_leaves_no_core(
    reader: LetterReader,
) -> None:
    limits = Path(f"/proc/{child(reader)}/limits").read_text().splitlines()
    found = {line[:26].strip(): line[26:].split()[:2] for line in limits}
    assert found["Max address space"] == [str(256 * 1024 * 1024)] * 2
    assert found["Max file size"] == ["0", "0"]
    assert found["Max core file size"] == ["0", "0"]


def test_the_child_knows_nothing_of_its_parents_environment(
    reader: LetterReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "a very secret word")
    environment = Path(f"/proc/{child(reader)}/environ").read_bytes()
    names = {each.partition(b"=")[0] for each in environment.split(b"\0") if each}
    assert names == {b"PATH", b"PYTHONPATH", b"PYTHONUTF8", b"LC_ALL"}


def test_the_child_holds_no_open_file_of_its_parent(reader: LetterReader, tmp_path: Path) -> None:
    with (tmp_path / "keys").open("w") as keys:
        os.set_inheritable(keys.fileno(), True)
        held = [str(each.readlink()) for each in Path(f"/proc/{child(reader)}/fd").iterdir()]
    assert str(tmp_path / "keys") not in held


def test_a_child_that_was_killed_is_replaced(reader: LetterReader) -> None:
    first = child(reader)
    os.kill(first, signal.SIGKILL)
    assert ends(first)
    assert child(reader) != first


def test_a_letter_that_takes_too_much_cpu_is_refused_its_child_ends_and_the_next_letter_is_read() -> (
    None
):
    with LetterReader(ORDER_WORDS, seconds=0.001) as reader:
        with pytest.raises(Unreadable, match="It took too long to take apart"):
            reader.read(HOSTILE["html of a wide table"]())
        assert reader.pid is None
        reader._seconds = sandbox.SECONDS
        assert reader.read(B3).lines == ("B3",)


def test_a_letter_is_read_whose_child_stands_still_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on a busy machine, where seconds pass on the clock and none of the CPU; whoever waits is
    told that it is still read.
    """
    monkeypatch.setattr(sandbox, "RENEW", 0.01)
    told = list[int]()
    with LetterReader(ORDER_WORDS) as reader:
        first = child(reader)

        def still() -> None:
            told.append(first)
            if len(told) == 5:
                os.kill(first, signal.SIGCONT)

        os.kill(first, signal.SIGSTOP)
        assert reader.read(reply("x\n" * 100_000 + "W3\n"), still=still).lines[:2] == ("x", "x")
        assert len(told) >= 5 and reader.pid == first


def test_a_letter_is_read_however_much_time_passes_on_the_clock_below_the_outer_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with LetterReader(ORDER_WORDS) as reader:
        child(reader)
        clocks = itertools.chain([0.0], itertools.repeat(1000 * sandbox.SECONDS))
        monkeypatch.setattr(sandbox, "LONGEST", 2000 * sandbox.SECONDS)
        monkeypatch.setattr(clock, "monotonic", lambda: next(clocks))
        assert reader.read(B3).lines == ("B3",)


def test_a_child_that_does_not_move_is_killed_at_the_outer_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with LetterReader(ORDER_WORDS) as reader:
        first = child(reader)
        os.kill(first, signal.SIGSTOP)
        clocks = itertools.chain([0.0], itertools.repeat(sandbox.LONGEST))
        monkeypatch.setattr(clock, "monotonic", lambda: next(clocks))
        with pytest.raises(CutShort):
            # more than a pipe's buffer: the write must be given up, too
            reader.read(reply("x" * 5_000_000))
        assert ends(first) and reader.pid is None


def test_an_interruption_never_leaves_an_answer_for_the_next_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Interrupted(BaseException):
        pass

    def interrupt() -> None:
        raise Interrupted

    monkeypatch.setattr(sandbox, "RENEW", 0.01)
    with LetterReader(ORDER_WORDS) as reader:
        first = child(reader)
        os.kill(first, signal.SIGSTOP)
        with pytest.raises(Interrupted):
            reader.read(reply("W3\n"), still=interrupt)
        assert ends(first)
        assert reader.read(B3).lines == ("B3",)


def test_a_child_is_replaced_after_two_hundred_letters(reader: LetterReader) -> None:
    first = child(reader)
    for _ in range(sandbox.LETTERS - 1):
        reader.read(B3)
    assert ends(first)
    assert child(reader) != first


def test_what_is_larger_than_a_letter_may_be_never_reaches_the_child(reader: LetterReader) -> None:
    with pytest.raises(Unreadable, match="larger than a letter may be"):
        reader.read(b"x" * (LARGEST_LETTER + 1))
    assert reader.pid is None


def test_closing_ends_the_child(reader: LetterReader) -> None:
    pid = child(reader)
    reader.close()
    assert ends(pid)
    reader.close()


def test_the_child_dies_with_its_parent() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command, pipe = [sys.executable, "-c", PARENT], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, cwd=ROOT) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    assert ends(pid)


def test_a_daemonic_process_forked_from_one_that_reads_gets_a_child_of_its_own(
    reader: LetterReader,
) -> None:
    """As a prefork worker's processes are."""
    fork = multiprocessing.get_context("fork")
    ours = child(reader)
    told = fork.SimpleQueue()

    def read() -> None:
        forgotten = reader.pid
        told.put((forgotten, reader.read(reply("W3\n")).lines, reader.pid))
        reader.close()

    process = fork.Process(target=read, daemon=True)
    process.start()
    forgotten, lines, theirs = told.get()
    process.join()
    assert (forgotten, lines) == (None, ("W3",))
    assert theirs not in (None, ours)
    assert child(reader) == ours


def test_a_machine_that_cannot_start_the_child_is_no_fault_of_the_letter(
    reader: LetterReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(NoReader):
        reader.read(B3)


def test_a_child_that_ends_at_once_is_no_fault_of_the_letter(
    reader: LetterReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(NoReader):
        reader.read(B3)
