"""A real Firefox for the tests, driven over WebDriver BiDi, which it speaks itself (W3C,
webdriver-bidi): no other program is between.
"""

import base64
import json
import os
import queue
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
from websockets.sync.client import ClientConnection, connect

from tests.browser import install
from tests.waiting import LIMIT, wait_for_end, wait_until

_NAMES = ("firefox-esr", "firefox")
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "browser.aboutwelcome.enabled": False,
}
_DARK = {"layout.css.prefers-color-scheme.content-override": 0}
_VISIBLE = """(text, of) =>
    [...document.querySelectorAll(of)].filter((each) => each.checkVisibility() && each.textContent.includes(text))"""


class FirefoxMissing(Exception):
    """There is no Firefox; the message says why and what would help."""


def find_firefox() -> Path | None:
    """Return the machine's Firefox ESR, else its Firefox, else None."""
    return next((Path(path) for name in _NAMES if (path := shutil.which(name))), None)


def install_firefox() -> Path:
    """Install Debian's Firefox ESR, as root. Raises FirefoxMissing."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise FirefoxMissing("There is no Firefox here: put firefox-esr or firefox on the PATH.")
    click.echo(
        "Firefox: installing Debian's ESR with apt-get; this takes about a minute ...", err=True
    )
    said = install("apt-get", "update", "-qq") or install(
        "apt-get", "install", "-y", "-qq", "--no-install-recommends", "firefox-esr"
    )
    if found := find_firefox():
        return found
    raise FirefoxMissing(f"Firefox cannot be installed: {said}")


class FirefoxPage:
    """The only tab of a Firefox, of a new visitor; what is looked for may take LIMIT to come."""

    def __init__(self, socket: ClientConnection, base: str) -> None:
        self._socket, self._base, self._number = socket, base, 0
        self.send("session.new", capabilities={})
        self._context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters: Any) -> Any:
        """Send a BiDi command; return its result. Raises AssertionError with what Firefox says
        against it.
        """
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv(timeout=LIMIT))).get("id") != self._number:
            pass  # an event
        assert answer["type"] == "success", (method, answer)
        return answer["result"]

    def size(self, width: int, height: int) -> None:
        """Give the window's inner size in CSS pixels."""
        self.send(
            "browsingContext.setViewport",
            context=self._context,
            viewport={"width": width, "height": height},
        )

    def goto(self, path: str) -> None:
        """Open a page and wait until it is loaded."""
        self.send(
            "browsingContext.navigate",
            context=self._context,
            url=self._base + path,
            wait="complete",
        )

    def run(self, function: str, *arguments: str | int) -> Any:
        """Call a function of JavaScript with texts and numbers; return its result, a plain
        value.
        """
        given = [
            {"type": "string" if isinstance(each, str) else "number", "value": each}
            for each in arguments
        ]
        # evaluated as the browser's own, which CSP permits
        called = f"(...given) => JSON.stringify(({function})(...given) ?? null)"
        target = {"context": self._context}
        answer = self.send(
            "script.callFunction",
            functionDeclaration=called,
            arguments=given,
            target=target,
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def wait_for(self, function: str, *arguments: str | int) -> Any:
        """Wait until a function of JavaScript returns something; the page may be left meanwhile."""

        def found() -> Any:
            with suppress(AssertionError):  # the page that was asked is no more
                return self.run(function, *arguments)

        return wait_until(
            found,
            f"{function} of {arguments}",
            said=lambda: str(self.run("() => document.body.innerText")),
        )

    def see(self, text: str, of: str = "body") -> None:
        """Wait until a visible element that `of` selects has this text."""
        self.wait_for(f"(...given) => ({_VISIBLE})(...given).length", text, of)

    def click(self, of: str, text: str = "") -> None:
        """Click the first visible element that `of` selects and that has this text, as a mouse
        does: at its middle, or as `spot` says.
        """
        point = (
            f"(text, of) => {{ const [found] = ({_VISIBLE})(text, of); found?.scrollIntoView({{"
            " block: 'center' });"
        )
        self.press_at(
            self.wait_for(
                f"{point} const box = found?.getBoundingClientRect();"
                " return box && [box.x + box.width / 2, box.y + box.height / 2]; }",
                text,
                of,
            )
        )

    def press_at(self, point: list[float]) -> None:
        """Click at a point of the window."""
        x, y = (round(each) for each in point)
        moves = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": moves})

    def press(self, keys: str) -> None:
        """Press keys one after another, as text or as code points of WebDriver's table."""
        self._act(
            {
                "type": "key",
                "id": "keys",
                "actions": [
                    {"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")
                ],
            }
        )

    def _act(self, source: dict[str, Any]) -> None:
        self.send("input.performActions", context=self._context, actions=[source])

    def picture(self) -> bytes:
        """Return the window as PNG."""
        return base64.b64decode(
            self.send("browsingContext.captureScreenshot", context=self._context)["data"]
        )


@contextmanager
def running_firefox(base: str, *, dark: bool = False) -> Iterator[FirefoxPage]:
    """Run a Firefox with a new profile for the block, without a window; paths of its page are below
    `base`.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        preferences = _PREFERENCES | (_DARK if dark else {})
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in preferences.items()
        ]
        (Path(profile) / "user.js").write_text("\n".join(lines))
        command = [
            str(find_firefox()),
            "--headless",
            "--no-remote",
            "--profile",
            profile,
            "--remote-debugging-port=0",
            "about:blank",
        ]
        # a container may forbid the sandbox
        environ = {**os.environ, "HOME": profile, "MOZ_DISABLE_CONTENT_SANDBOX": "1"}
        firefox = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environ
        )
        found: queue.Queue[str] = queue.Queue()
        listener = threading.Thread(target=_listen, args=(firefox, found), daemon=True)
        listener.start()
        try:
            with connect(
                f"{found.get(timeout=LIMIT)}/session", max_size=None, compression=None
            ) as socket:
                yield FirefoxPage(socket, base)
        finally:
            firefox.terminate()
            wait_for_end(firefox, "Firefox to stop")
            listener.join()


def _listen(firefox: "subprocess.Popen[str]", found: "queue.Queue[str]") -> None:
    """Read all that a Firefox says, and hand on the address at which it listens."""
    assert firefox.stderr is not None
    with firefox.stderr:
        for line in firefox.stderr:
            if match := _LISTENS.search(line):
                found.put(match[1])
