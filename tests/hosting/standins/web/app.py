"""A site of three pages: one answers, one takes a minute, one gives the worker a task of a minute."""

import os
import time

from flask import Flask

from adjudicator.platform.config import Settings

MINUTE = 60


def create_app(settings: Settings) -> Flask:
    """Create the site; STANDIN_BROKEN breaks its page, or all of it."""
    if _broken("site"):
        raise RuntimeError("a fault in the program")
    app = Flask("standin")
    app.add_url_rule("/", "home", lambda: (f"process {os.getpid()}", 500 if _broken("page") else 200))
    app.add_url_rule("/slow", "slow", lambda: time.sleep(MINUTE) or "done")
    app.add_url_rule("/busy", "busy", _give_work)
    return app


def _broken(what: str) -> bool:
    return os.environ.get("STANDIN_BROKEN") == what


def _give_work() -> str:
    from worker.app import busy

    busy.delay()
    return "given"
