"""A site on a real port for a real browser. The app and the harness run in this process, so a test
can close phases between clicks.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.browser import WAIT_MILLISECONDS
from tests.cast import ALICE, BOB, CHARLIE
from tests.waiting import wait_until
from tests.web.site import Site

_PIECES = {ALICE: "B3", BOB: "W2", CHARLIE: "C1"}


class _Quiet(WSGIRequestHandler):
    """A handler without a log line for each request."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Print nothing."""


def wait_in(page: Page, expression: str) -> None:
    """Wait until a JavaScript expression holds; Playwright's own waiting evaluates text in the
    page, which the site forbids.
    """
    wait_until(lambda: page.evaluate(expression), expression)


@dataclass
class Live:
    """A listening site and its browsers."""

    site: Site
    browser: Browser
    port: int
    contexts: list[BrowserContext] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)  # method and path of every request
    # requests to these paths are answered once theirs returns
    gates: dict[str, Callable[[], object]] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)  # paths that are answered with 503

    def context(self, name: str | None = None, **settings: Any) -> BrowserContext:
        """Return a new browser context, signed in if a name is given."""
        base = f"http://localhost:{self.port}"
        made = self.browser.new_context(
            base_url=base, **({"viewport": {"width": 1280, "height": 900}} | settings)
        )
        made.set_default_timeout(WAIT_MILLISECONDS)
        self.contexts.append(made)
        if name is not None:
            harness = self.site.harness
            token = harness.enter(name)
            made.add_cookies([{"name": "sealed", "value": token, "url": base}])
        return made

    def page(self, path: str, name: str | None = None, **settings: Any) -> Page:
        """Open a page, signed in if a name is given."""
        page = self.context(name, **settings).new_page()
        page.goto(path)
        return page

    def close_round(self, uid: str, *but: str) -> None:
        """Have everybody but those in `but` submit orders, then close the phase."""
        for name, piece in _PIECES.items():
            if name not in but:
                self.site.harness.order(uid, name, piece)
        assert self.site.harness.close(uid)

    def posts(self) -> list[str]:
        """Return the paths of all POST requests."""
        return [path for method, path in self.asked if method == "POST"]


@contextmanager
def listening(site: Site, browser: Browser) -> Iterator[Live]:
    """Serve a site on a free loopback port within the block."""
    server = make_server("127.0.0.1", 0, site.app, threaded=True, request_handler=_Quiet)
    live = Live(site, browser, server.server_port)
    inner = site.app.wsgi_app

    def heard(environ: dict[str, Any], start_response: Any) -> Any:
        live.asked.append((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        if gate := live.gates.get(environ["PATH_INFO"]):
            gate()
        if environ["PATH_INFO"] in live.busy:
            start_response("503 Service Unavailable", [("Content-Type", "text/html")])
            return [b"<main>Busy</main>"]
        return inner(environ, start_response)

    site.app.wsgi_app = heard  # type: ignore[method-assign]  # as Flask documents it
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield live
    finally:
        for context in live.contexts:
            context.close()
        server.shutdown()
        thread.join()
        server.server_close()
