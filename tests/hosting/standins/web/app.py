"""A site of three pages: one answers, one takes an hour, one gives the worker a task of an hour."""

import os
import time

from flask import Flask

from adjudicator.platform.config import Settings

HOUR = 3600


def create_app(settings: Settings) -> Flask:
    """Create the site; STANDIN_BROKEN breaks its page, or all of it."""
    if _broken("site"):
        raise RuntimeError("a fault in the program")
    app = Flask("standin")
    app.add_url_rule(
        "/", "home", lambda: (f"process {os.getpid()}", 500 if _broken("page") else 200)
    )
    app.add_url_rule("/slow", "slow", lambda: _take_an_hour(settings))
    app.add_url_rule("/busy", "busy", _give_work)
    return app


def _broken(what: str) -> bool:
    return os.environ.get("STANDIN_BROKEN") == what


def _take_an_hour(settings: Settings) -> str:
    (settings.data_dir / "slow").touch()
    time.sleep(HOUR)
    return "done"


def _give_work() -> str:
    from worker.app import busy

    busy.delay()
    return "given"
