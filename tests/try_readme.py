"""Runs the README's commands in a fresh clone: start, open, check, stop, restart;
`script/try-readme` calls it.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tests.hosting.service import ROOT, Service
from tests.waiting import LIMIT

FRESH_SECONDS = 600  # a slow network takes a while


def main() -> None:
    """Fail with an assertion and the output if anything differs from the README."""
    folder = Path(tempfile.mkdtemp(prefix="sealed-readme-"))
    try:
        clone = folder / "a fresh clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True, timeout=LIMIT)
        with started(clone, "a fresh clone") as service:
            check(clone, service)
        with started(clone, "again", "--demo"):
            pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def started(clone: Path, what: str, *arguments: str) -> Iterator[Service]:
    """Start the service with `script/serve` and open its first page; then stop it by Ctrl-C and
    check that nothing is left.
    """
    begun = time.monotonic()
    service = Service(
        clone / "var", *arguments, program=[clone / "script" / "serve"], **surroundings()
    )
    try:
        service.wait_until_ready(FRESH_SECONDS)
        address = f"http://localhost:{service.port}"
        assert address in service.said.splitlines(), service.said
        page = service.get()
        assert "<title>" in page, page[:500]
        click.echo(
            f"script/serve {' '.join(arguments)} ({what}): first page after"
            f" {time.monotonic() - begun:.1f} s at {address}"
        )
        yield service
        assert service.stop() == 0, service.said
        assert service.processes() == {}, service.processes()
        click.echo("  stopped by Ctrl-C; nothing is left of it")
    finally:
        service.end()


def check(clone: Path, service: Service) -> None:
    """`script/sealed check`, run from another folder, finds everything in order."""
    command: list[str | Path] = [clone / "script" / "sealed", "check"]
    environ = {**surroundings(), "PATH": os.environ["PATH"], "DATA_DIR": str(service.folder)}
    told = subprocess.run(
        command, cwd="/", env=environ, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    click.echo("  script/sealed check: everything is in order")


def surroundings() -> dict[str, str]:
    """Return the environment that a fresh installation needs: pip's configuration, certificates, a
    home folder.
    """
    names = ("HOME", "TMPDIR", "LANG")
    starts = (
        "PIP_",
        "UV_",
        "SSL_",
        "HTTP_",
        "HTTPS_",
        "http_",
        "https_",
        "ALL_PROXY",
        "NO_PROXY",
        "no_proxy",
    )
    return {
        name: value
        for name, value in os.environ.items()
        if name in names or name.startswith(starts)
    }


if __name__ == "__main__":
    main()
