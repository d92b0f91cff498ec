"""Lighthouse: at least 95 for accessibility, best practices, search engines on the main pages;
EVERY_CASE=1 prints their speed, too.
"""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click
import pytest

from tests.browser import FLAGS, find_chromium
from tests.cast import ALICE
from tests.lighthouse import find_lighthouse
from tests.sampling import EVERY_CASE
from tests.waiting import LIMIT, wait_for_end, wait_until
from tests.web.live import Live

pytestmark = pytest.mark.nightly

LEAST = 95
_ALWAYS = ["accessibility", "best-practices", *(["performance"] if EVERY_CASE else [])]
_AUDIT = Path(__file__).with_name("audit.mjs")


@contextmanager
def listening_chromium() -> Iterator[int]:
    """Run a Chromium that answers Lighthouse; gives its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        told = [
            f"--remote-debugging-port={port}",
            f"--user-data-dir={profile}",
            "--headless=new",
            "about:blank",
        ]
        chromium = subprocess.Popen(
            [str(find_chromium()), *FLAGS, *told],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: _listens(port), "Chromium to listen")
            yield port
        finally:
            chromium.terminate()
            wait_for_end(chromium, "Chromium to stop")


def _listens(port: int) -> bool:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), LIMIT).close()
        return True
    return False


def test_the_main_pages_reach_95(live: Live) -> None:
    entry = find_lighthouse()
    if entry is None:
        why = (
            "There is no Lighthouse here: script/test installs it where Node can be had"
            " (tests/lighthouse.py)."
        )
        pytest.fail(why, pytrace=False) if os.environ.get("EVERY_TOOL") else pytest.skip(why)
    site, base = live.site, f"http://localhost:{live.port}"
    uid = site.begin_match()
    live.close_round(uid)
    token = site.harness.enter(ALICE)
    others = ("/watch", "/play", f"/matches/{uid}/about") if EVERY_CASE else ()
    asked = [(path, "") for path in ("/", "/rules/pyramid", f"/matches/{uid}", *others)]
    pages = []
    for path, cookie in [*asked, (f"/matches/{uid}", f"sealed={token}")]:
        searched = [] if cookie else ["seo"]  # search engines are not signed in
        pages.append({"url": base + path, "cookie": cookie, "categories": [*_ALWAYS, *searched]})
    with listening_chromium() as port:
        command = [str(shutil.which("node")), str(_AUDIT), str(entry), str(port), json.dumps(pages)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == len(pages)
    for page, result in zip(pages, results, strict=True):
        viewer = "a player" if page["cookie"] else "anybody"
        click.echo(f"{result['url'].removeprefix(base)} for {viewer}: {result['scores']}")
    poor = [result for result in results if result["fault"] or _worst(result["scores"]) < LEAST]
    assert not poor, "\n".join(
        f"{each['url']} {each['scores']} {each['fault']}\n  " + "\n  ".join(each["lost"])
        for each in poor
    )


def _worst(scores: dict[str, int | None]) -> int:
    return min(score or 0 for name, score in scores.items() if name != "performance")
