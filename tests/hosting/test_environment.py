"""script/environment: its messages on a machine that lacks something, and that a warm start does no
work.
"""

import os
import platform
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosting.service import ROOT

TOOLS = ["bash", "cat", "cksum", "dirname", "flock", "grep", "mkdir", "mv", "rm", "sed", "tail"]
ECHO = "import os, sys; print(sys.argv[1:], os.getcwd(), os.environ['DATA_DIR'])\n"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of the scripts in a folder with a space in its name; its command line prints its
    arguments.
    """
    root = tmp_path / "sealed orders"
    shutil.copytree(ROOT / "script", root / "script")
    (root / "requirements.txt").write_text("click==8.1.8 --hash=sha256:" + "0" * 64)
    (root / "adjudicator").mkdir()
    (root / "adjudicator" / "__main__.py").write_text(ECHO)
    return root


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A folder as the whole PATH: the usual tools, and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        if found := shutil.which(tool):
            (folder / tool).symlink_to(found)
    return folder


def sealed(
    clone: Path, path: Path, *arguments: str, script: str = "sealed", **environ: str
) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [clone / "script" / script, *arguments]
    known = {"PATH": str(path), "HOME": str(clone.parent), **environ}
    return subprocess.run(
        command, env=known, cwd=clone.parent, capture_output=True, text=True, check=False
    )


def put_python(path: Path, name: str, body: str) -> None:
    """Put a fake interpreter on the PATH."""
    (path / name).write_text(f"#!/usr/bin/env bash\n{body}\n")
    (path / name).chmod(stat.S_IRWXU)


def make_warm(clone: Path, kind: str, python: str = sys.executable) -> None:
    """Give the clone an environment with a current stamp."""
    requirements = clone / ("requirements.txt" if kind == "runtime" else f"requirements-{kind}.txt")
    requirements.touch()
    count = (
        subprocess.run(["cksum"], input=requirements.read_bytes(), capture_output=True, check=True)
        .stdout.decode()
        .split()
    )
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to(python)
    (clone / ".venv" / ".stamp").write_text(
        f"{kind} {platform.python_version()} {count[0]}-{count[1]}"
    )


def test_without_python_it_says_what_to_install(clone: Path, path: Path) -> None:
    told = sealed(clone, path)
    assert told.returncode == 1
    assert told.stderr.splitlines()[-1].startswith(
        "There is no python3 here: install Python 3.11 or newer with its venv module"
    )


def test_an_old_python_is_named_with_what_is_needed(clone: Path, path: Path) -> None:
    put_python(path, "python3", 'if [ "$1" = -V ]; then echo Python 3.9.18; else exit 1; fi')
    told = sealed(clone, path)
    assert told.returncode == 1
    assert f"{path}/python3 is Python 3.9.18, and Python 3.11 or newer is needed" in told.stderr


def test_without_venv_it_says_in_one_sentence_what_to_install(clone: Path, path: Path) -> None:
    put_python(
        path, "python3", f'case "$*" in *ensurepip*) exit 1 ;; esac; exec "{sys.executable}" "$@"'
    )
    told = sealed(clone, path)
    assert told.returncode == 1
    remedy = (
        "install its venv module (Debian, Ubuntu: apt install python3-venv) and run this again."
    )
    assert told.stderr.splitlines()[1:] == [
        f"{path}/python3 cannot make virtual environments: {remedy}"
    ]


def test_a_newer_python_beside_an_old_one_is_taken(clone: Path, path: Path) -> None:
    put_python(path, "python3", 'if [ "$1" = -V ]; then echo Python 3.9.18; else exit 1; fi')
    put_python(
        path,
        "python3.12",
        f'case "$*" in *"-m venv"*) echo taken >&2; exit 1 ;; esac; exec "{sys.executable}" "$@"',
    )
    assert f"with {path}/python3.12" in sealed(clone, path).stderr


@pytest.mark.nightly
def test_without_a_network_it_says_so_and_leaves_no_half_made_environment(
    clone: Path, path: Path
) -> None:
    put_python(path, "python3", f'exec "{sys._base_executable}" "$@"')  # type: ignore[attr-defined]  # typeshed lacks it
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_CACHE_DIR": "1",
        "PIP_RETRIES": "0",
    }
    told = sealed(clone, path, **nowhere)
    assert told.returncode == 1
    assert told.stderr.splitlines()[-1].startswith(
        "uv could not be fetched: this machine has no way to the package index"
    )
    assert not (clone / ".boot").exists() and list((clone / ".cache").glob("boot.[0-9]*")) == []


@pytest.mark.parametrize("kind", ["runtime", "dev"])
def test_a_warm_start_needs_nothing_and_works_from_anywhere(
    clone: Path, path: Path, kind: str
) -> None:
    make_warm(clone, kind)
    told = sealed(clone, path, "replay", "a file")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.strip() == f"['replay', 'a file'] {clone.parent} {clone}/var"


def test_serve_is_a_command_of_the_same_line(clone: Path, path: Path) -> None:
    make_warm(clone, "runtime")
    assert sealed(clone, path, "--demo", script="serve", DATA_DIR="/elsewhere").stdout.startswith(
        "['serve', '--demo']"
    )
    assert sealed(clone, path, script="serve", DATA_DIR="/elsewhere").stdout.endswith(
        "/elsewhere\n"
    )


def test_other_requirements_make_the_environment_anew(clone: Path, path: Path) -> None:
    make_warm(clone, "runtime")
    (clone / "requirements.txt").write_text("click==8.1.7")
    assert "Making the environment" in sealed(clone, path).stderr


def test_the_tests_need_more_than_the_service(clone: Path, path: Path) -> None:
    make_warm(clone, "runtime")
    (clone / "requirements-dev.txt").write_text("pytest")
    assert "Making the environment" in sealed(clone, path, script="test").stderr


def test_the_requirements_are_pinned_by_hash_and_name_no_address() -> None:
    for name in ("requirements.txt", "requirements-dev.txt", "script/uv.txt"):
        text = (ROOT / name).read_text()
        pins = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
        assert pins and all("==" in line for line in pins)
        assert text.count("--hash=sha256:") >= len(pins)
        assert "://" not in text and "--index" not in text and "--find-links" not in text


def test_the_service_needs_nothing_that_the_tests_do_not_have() -> None:
    def pins(name: str) -> set[str]:
        return {
            line.split(" ")[0] for line in (ROOT / name).read_text().splitlines() if "==" in line
        }

    assert pins("requirements.txt") < pins("requirements-dev.txt")
    assert os.access(ROOT / "script" / "serve", os.X_OK)
