"""Lighthouse for the tests: a pinned version from npm, in a folder of its own, on the machine's
Node or Debian's.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import click

from tests.browser import install
from tests.waiting import LIMIT

VERSION = "12.8.2"  # the newest that runs on Debian's Node, too
_LEAST_NODE = (18, 16)
_FOLDER = Path(__file__).parent.parent / ".cache" / f"lighthouse-{VERSION}"


class LighthouseMissing(Exception):
    """There is no Lighthouse; the message says why and what would help."""


def find_lighthouse() -> Path | None:
    """Return Lighthouse's entry file, None if it is not installed or there is no Node for it."""
    entry = _FOLDER / "node_modules" / "lighthouse" / "core" / "index.js"
    return entry if find_node() and entry.exists() else None


def find_node() -> Path | None:
    """Return the machine's Node if it is new enough."""
    node = shutil.which("node")
    told = (
        subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=LIMIT, check=False
        ).stdout
        if node
        else ""
    )
    version = tuple(int(number) for number in re.findall(r"\d+", told)[:2])
    return Path(node) if node and version >= _LEAST_NODE else None


def install_lighthouse() -> Path:
    """Install Lighthouse, and before it, as root, Debian's Node where there is none. Raises
    LighthouseMissing.
    """
    if not (find_node() and shutil.which("npm")):
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            wanted = ".".join(map(str, _LEAST_NODE))
            raise LighthouseMissing(
                f"There is no Node {wanted} or newer with npm here: install both, and run"
                " script/test again."
            )
        click.echo("Node: installing Debian's with apt-get; this takes a minute ...", err=True)
        _run("apt-get", "update", "-qq")
        _run(
            "apt-get",
            "install",
            "-y",
            "-qq",
            "--no-install-recommends",
            "nodejs",
            *(() if shutil.which("npm") else ("npm",)),
        )
    click.echo(
        f"Lighthouse: installing {VERSION} with npm; this takes about a minute ...", err=True
    )
    draft = _FOLDER.with_name(f"{_FOLDER.name}.{os.getpid()}")  # renamed when it is whole
    shutil.rmtree(draft, ignore_errors=True)
    flags = (
        "--no-save",
        "--no-package-lock",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "--fetch-retries=1",
        "--fetch-timeout=30000",
    )
    draft.mkdir(parents=True)
    _run("npm", "install", "--prefix", str(draft), *flags, f"lighthouse@{VERSION}")
    shutil.rmtree(_FOLDER, ignore_errors=True)
    draft.rename(_FOLDER)
    if found := find_lighthouse():
        return found
    raise LighthouseMissing(
        "Lighthouse was installed but is not found: see whether `node --version` answers."
    )


def _run(*command: str) -> None:
    if said := install(*command):
        raise LighthouseMissing(f"Lighthouse cannot be installed: {said}")
