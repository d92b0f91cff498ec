"""The wheel: it has every tracked file, and its `sealed` command works in an environment of its
own.
"""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import adjudicator
from tests.hosting.service import ROOT, run_service
from tests.hosting.test_inbox import own_port, send

pytestmark = pytest.mark.nightly

PACKAGES = ("adjudicator", "web", "worker", "templates")


def run(*command: str | Path, **environ: str) -> str:
    """Return a command's output; fail if it fails."""
    ran = subprocess.run(
        command, cwd=ROOT, env=os.environ | environ, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `sealed` command in a new environment with the wheel and the dependencies installed
    here.
    """
    folder = tmp_path_factory.mktemp("installed")
    uv, python = ROOT / ".boot" / "bin" / "uv", folder / "bin" / "python"
    run(uv, "venv", "--offline", "--clear", "--python", sys.executable, folder)
    run(uv, "pip", "install", "--offline", "--no-deps", "--no-index", "--python", python, wheel)
    purelib = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(purelib) / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin" / "sealed"


def test_each_tracked_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = run("git", "ls-files", *PACKAGES).splitlines()
    assert len(tracked) > 400
    assert [name for name in tracked if f"sealed_orders/{name}" not in names] == []


def test_the_wheel_installs_one_package_only(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"sealed_orders", f"sealed_orders-{adjudicator.__version__}.dist-info"}


def test_generic_names_are_not_installed(installed: Path) -> None:
    program = (
        "import importlib.util as i; print([name for name in {'adjudicator', 'web', 'worker',"
        " 'templates'} if i.find_spec(name)])"
    )
    assert run(installed.with_name("python"), "-P", "-c", program, PYTHONPATH="").strip() == "[]"


def test_the_installed_command_helps_and_migrates(installed: Path, tmp_path: Path) -> None:
    bare = {"PYTHONPATH": "", "DATA_DIR": str(tmp_path)}
    assert (
        run(installed, "--version", **bare).strip()
        == f"Sealed Orders, version {adjudicator.__version__}"
    )
    assert "adjudicate" in run(installed, "--help", **bare)
    assert "is at revision" in run(installed, "migrate", **bare)


def test_the_installed_service_serves_pages_and_answers_letters(
    installed: Path, tmp_path: Path
) -> None:
    with run_service(
        tmp_path / "data", "serve", program=(installed,), new=True, PYTHONPATH=""
    ) as service:
        assert "<title>" in service.get() and "<title>" in service.get("/rules/diplomacy")
        assert service.get("/static/base.css")
        told = run(
            installed, "check", PYTHONPATH="", DATA_DIR=str(service.folder), PORT=str(service.port)
        )
        assert f"Sealed Orders {adjudicator.__version__} on Python" in told
        send(own_port(service))  # parsed in a child process, answered from a template
        service.wait_for(lambda: any((service.folder / "mailbox").rglob("*.eml")), "an answer")
        assert service.stop() == 0, service.said
