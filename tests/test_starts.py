"""What a role or a command imports before it does anything: what it may need later comes with the
first work that needs it.
"""

import json
import os
import subprocess
import sys
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import Table

from adjudicator.service.base import tables
from tests.waiting import LIMIT

ROOT = Path(__file__).parent.parent
# Packages and modules, each with all below it.
RULES = (
    "adjudicator.games.*.rules",
    "adjudicator.games.*.bot",
    "adjudicator.games.*.draw*",
    "adjudicator.games.*.exchange",
)
SELDOM = (
    "PIL",
    "alembic",
    "css_inline",
    "email_validator",
    "flufl",
    "holidays",
    "icalendar",
    "inscriptis",
    "openskill",
    "psycopg",
    "recurring_ical_events",
    "resvg_py",
    "valkey",
)
SITE = ("babel", "flask", "flask_limiter", "flask_wtf", "gunicorn", "jinja2", "werkzeug", "web")
TASKS = (
    "billiard",
    "celery",
    "kombu",
    "worker.context",
    "worker.tasks",
    "worker.letters",
    "worker.sweep",
)
MAIL_SERVERS = ("aiosmtpd", "imap_tools", "worker.inbox")
LETTERS = (
    "adjudicator.mail.composing.compose",
    "adjudicator.mail.commands",
    "adjudicator.mail.drawing",
    "adjudicator.mail.reading",
)
TABLES = "adjudicator.service.base.tables"
BESIDE = tuple(f"{TABLES}.{name}" for name in ("archive", "public_log", "ratings", "tournaments"))
GAMES = ("adjudicator.catalogue", "adjudicator.games", "adjudicator.play")
MUST_NOT: dict[str, tuple[str, ...]] = {
    "web": (*RULES, *SELDOM, *TASKS, *MAIL_SERVERS, *LETTERS, "worker"),
    "live": (
        *RULES,
        *SELDOM,
        *TASKS,
        *MAIL_SERVERS,
        *(each for each in SITE if each != "web"),
        "redis",
        "worker",
        "adjudicator.mail",
    ),
    "worker": (
        *RULES,
        *SELDOM,
        *MAIL_SERVERS,
        "babel",
        "flask",
        "gunicorn",
        "prometheus_client",
        "web",
    ),
    "beat": (
        *GAMES,
        *SELDOM,
        *SITE,
        *MAIL_SERVERS,
        "worker.context",
        "adjudicator.service",
        "adjudicator.mail",
    ),
    "letters": (
        *GAMES,
        *SELDOM,
        *SITE,
        *TASKS,
        *LETTERS,
        "cryptography",
        "imap_tools",
        "prometheus_client",
        "redis",
        "adjudicator.service.base.rows",
        *BESIDE,
        f"{TABLES}.phases",
    ),
    "sealed --help": ("cryptography", "pydantic", "redis", "sqlalchemy", "structlog"),
    "sealed migrate": (
        *GAMES,
        *SELDOM,
        *SITE,
        *TASKS,
        *MAIL_SERVERS,
        "cryptography",
        "redis",
        "adjudicator.mail",
        *BESIDE,
        f"{TABLES}.people",
    ),
    "sealed block --list": (
        *RULES,
        *SELDOM,
        *SITE,
        *TASKS,
        *MAIL_SERVERS,
        "redis",
        "adjudicator.mail",
        *BESIDE,
        f"{TABLES}.matches",
    ),
}
ROLE = """
from adjudicator.hosting import serve
from adjudicator.hosting.starting import startup
from adjudicator.hosting.messages import Steps
startup.import_rooms(Steps(total=1), **{sys.argv[1]: True})
"""
COMMAND = """
from adjudicator.cli import sealed
sealed(sys.argv[1].split()[1:], prog_name="sealed", standalone_mode=False)
"""
TELL = """
import contextlib, io, json, sys
with contextlib.redirect_stdout(io.StringIO()):
    exec({program!r})
json.dump(sorted(sys.modules), sys.stdout)
"""


def imported(what: str, url: str) -> list[str]:
    """Return the modules that a role or command has imported, in a process of its own."""
    program = TELL.format(program=COMMAND if what.startswith("sealed ") else ROLE)
    settings = {
        "DATABASE_URL": url,
        "INBOX_URL": "smtp://127.0.0.1:2525",
        "PYTHONPATH": str(ROOT),
        "PATH": os.environ["PATH"],
    }
    command = [sys.executable, "-P", "-c", program, what]
    return list(
        json.loads(
            subprocess.run(
                command, env=settings, capture_output=True, check=True, timeout=LIMIT
            ).stdout
        )
    )


@pytest.mark.parametrize("what", MUST_NOT)
def test_a_start_imports_no_more_than_it_needs(what: str, sqlite_url: str) -> None:
    modules = imported(what, sqlite_url)
    assert "adjudicator.hosting.loading" in modules
    found = {
        name: next(
            (each for each in modules if fnmatch(each, name) or fnmatch(each, f"{name}.*")), None
        )
        for name in MUST_NOT[what]
    }
    assert {name: each for name, each in found.items() if each} == {}, (
        f"{what} imports what it needs later, if ever"
    )


def made_with(module: str) -> set[Table]:
    """Return the tables that a module makes as it is imported."""
    found = vars(import_module(f"{tables.__name__}.{module}"))
    own = {
        each.__table__
        for each in found.values()
        if isinstance(each, type(tables.Match)) and hasattr(each, "__table__")
    }
    others = (made_with(name) for name in tables._TABLES if name in found)
    return own.union(*others)


def test_a_table_is_made_with_those_that_it_refers_to() -> None:
    """Otherwise SQLAlchemy finds them only where another module happens to have made them."""
    for module, names in tables._TABLES.items():
        made = made_with(module)
        assert all(getattr(tables, name).__table__ in made for name in names.split()), module
        for table in made:
            for key in table.foreign_keys:
                assert key.column.table in made, f"{module} does not import what {key} refers to"
    assert set(tables.all_tables().tables.values()) == set().union(*map(made_with, tables._TABLES))
