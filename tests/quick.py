"""`script/test --quick`: the tests to run before a commit; they start no server and no browser, and
end no process but one that they forked, by itself.

PATHS lists them. Tests in these paths that need a server or a browser run only with `script/test`.
"""

import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

PATHS = (
    "tests/commands",
    "tests/games",
    "tests/mail/test_headers.py",
    "tests/mail/test_meant.py",
    "tests/platform",
    "tests/play",
    "tests/seal",
    "tests/service/test_accounts.py",
    "tests/service/test_gathering.py",
    "tests/service/test_handover_kills.py",
    "tests/service/test_handover_limits.py",
    "tests/service/test_importing.py",
    "tests/service/test_keys.py",
    "tests/service/test_log.py",
    "tests/service/test_loop.py",
    "tests/service/test_masters.py",
    "tests/service/test_matches.py",
    "tests/service/test_names.py",
    "tests/service/test_press.py",
    "tests/service/test_salts.py",
    "tests/service/test_secrecy.py",
    "tests/service/test_sent_forms.py",
    "tests/service/test_statements.py",
    "tests/service/test_storing.py",
    "tests/service/test_tenures.py",
    "tests/service/test_timetables.py",
    "tests/service/test_tokens.py",
    "tests/service/test_votes.py",
    "tests/test_architecture.py",
    "tests/test_public_files.py",
    "tests/test_quick.py",
    "tests/test_releases.py",
    "tests/test_rooms.py",
    "tests/test_sentences.py",
    "tests/verifier/test_good.py",
    "tests/web/test_matches.py",
    "tests/web/test_orders.py",
    "tests/web/test_pages.py",
)
SLOW = (  # in these paths, but too long
    "tests/games/diplomacy/test_art.py",
    "tests/games/diplomacy/test_oracle_rsp.py",
    "tests/games/genesis/test_properties.py",
    "tests/games/test_contract.py",
    "tests/games/test_contract_faces.py",
    "tests/games/test_new_game.py",
)
SERVERS = frozenset({"postgres_server", "redis_server", "browser"})
_running = pytest.StashKey[bool]()


class ForbiddenInQuickTest(AssertionError):
    """A quick test did what only the whole run may do."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick`."""
    parser.addoption(
        "--quick",
        action="store_true",
        help="run the tests to run before a commit, in under a minute",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Select the paths, unless the command line names some, and audit signals."""
    if not config.option.quick:
        return
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(config.rootpath / path) for path in PATHS]
    config.stash[_running] = False
    sys.addaudithook(
        lambda event, arguments: (
            refuse_signals(event, arguments) if config.stash[_running] else None
        )
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the slow files, even if their folder is named."""
    if config.option.quick and any(collection_path == config.rootpath / path for path in SLOW):
        return True
    return None


def refuse_signals(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise ForbiddenInQuickTest if another process is sent a signal other than 0.

    A child that a test forked may end itself, at a point where a kill is simulated.
    """
    itself = event == "os.kill" and arguments[0] == os.getpid()
    if event in ("os.kill", "os.killpg") and arguments[1] and not itself:
        raise ForbiddenInQuickTest(
            f"a quick test sent signal {arguments[1]}: take its file out of tests/quick.py"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    """Audit signals during a test of a quick run and its fixtures."""
    if _running not in item.config.stash:
        return (yield)
    item.config.stash[_running] = True
    try:
        return (yield)
    finally:
        item.config.stash[_running] = False


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that need a server or a browser."""
    if not config.option.quick:
        return
    left_out = [item for item in items if needs_server(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


def needs_server(item: pytest.Item) -> bool:
    """Whether a test requests a server by a fixture or a parameter."""
    parameters = (
        item.callspec.params
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
        else {}
    )
    return (
        bool(SERVERS & set(getattr(item, "fixturenames", ())))
        or parameters.get("database_url") == "postgres"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> None:
    """Refuse a server that a test requests while it runs."""
    if request.config.option.quick and fixturedef.argname in SERVERS:
        raise ForbiddenInQuickTest(
            f"a quick test asked for {fixturedef.argname}: take its file out of tests/quick.py"
        )
