"""A wrong setting ends a start with one sentence and an exit status of its own, before any process
is forked.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from adjudicator.hosting import process
from adjudicator.hosting.starting import preflight
from adjudicator.platform.config import read_settings
from adjudicator.platform.db import Database
from adjudicator.platform.errors import WrongSetting
from adjudicator.seal import crypto
from adjudicator.service.base import public_keys
from tests.databases import new_sqlite
from tests.harness import BEGIN
from tests.hosting.conftest import SealedHere
from tests.servers import free_port

ALONE = ("web", "live", "worker", "beat", "inbox")


class ForkedError(AssertionError):
    """A process was forked all the same."""


@pytest.fixture(autouse=True)
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a process is to be forked."""

    class Never:
        def Process(self, **_: object) -> None:
            raise ForkedError

    monkeypatch.setattr(process, "_fork", Never())


def refused(sealed_here: SealedHere, command: str, words: str, **given: str) -> None:
    """Start a command with these settings, and look at how it ends."""
    told = sealed_here(command, **given)
    said = told.stdout + told.stderr
    case = f"{command} with {given}: {said}"
    assert told.returncode == WrongSetting.exit_code, case
    assert (
        told.stderr.count("\n") == 1
        and words in told.stderr
        and told.stderr.endswith(".\n")
        and not told.stderr.endswith("..\n")
        and "hush" not in said
    ), case


def of_each_role(folder: Path, redis: str, **given: str) -> Mapping[str, str]:
    """Return what a role needs to start alone on a migrated database."""
    return {
        "DATA_DIR": str(folder),
        "DATABASE_URL": new_sqlite(folder / "x.sqlite3"),
        "REDIS_URL": redis,
        "PORT": str(free_port()),
        "INBOX_URL": "smtp://127.0.0.1:2525",
        "LIVE_PORT": str(free_port()),
        "SECRET_KEY": "of all",
        **given,
    }


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("must be a whole number", {"PORT": "eighty"}),
        (
            "must be a host alone, without a path or a user",
            {"SITE_URL": "https://orders.example.org/play"},
        ),
        (
            "must be a host alone, without a path or a user",
            {"SITE_URL": "https://ann:hush@orders.example.org"},
        ),
        (
            "must be a host alone, without a path or a user",
            {"SITE_URL": "https://orders.example.org?page=1"},
        ),
        *(
            ("must be a web address", {"SITE_URL": f"https://{host}"})
            for host in ("orders example.org", "orders.example.org;x", "'orders.example.org'")
        ),
        *(
            ("must have letters from a to z", {"MAIL_ADDRESS": address})
            for address in ("'orders'@example.org", "örders@example.org", "orders@example..org")
        ),
        ("must be one plain address", {"MAIL_ADDRESS": "mailto:orders@example.org"}),
        ("at most 35 letters before the @", {"MAIL_ADDRESS": f"{'o' * 36}@example.org"}),
        ("must read smtp://host:port", {"SMTP_URL": "smtp://u:hush@mail..example.org"}),
        ("must read postgresql://", {"DATABASE_URL": "postgresql://u:hush@a..b/d"}),
        *(
            ("must read redis://:password@host:port/0", {"REDIS_URL": f"redis://:hush@h/{rest}"})
            for rest in ("first", "0?nonsense=1", "0?ssl_cert_reqs=perhaps")
        ),
        (
            "must read postgresql://user:password@host:port/name",
            {"DATABASE_URL": "postgresql://u:hush@h:abc/d"},
        ),
        ("must name a file", {"DATABASE_URL": "sqlite:///"}),
        ("must name a file", {"DATABASE_URL": "sqlite:///:memory:"}),
        ("must read redis://:password@host:port/0", {"REDIS_URL": "redis://:hush@h:abc"}),
        ("must read redis://:password@host:port/0", {"REDIS_URL": "redis://:hush@[::1"}),
        ("must read imaps://user:password@host/INBOX", {"IMAP_URL": "imaps://u:hush@[::1"}),
        ("must match ^[A-Za-z0-9]", {"DKIM_SELECTOR": "two words"}),
        ("DATABASE_ROLES needs PostgreSQL", {"DATABASE_ROLES": "web=w:hush"}),
        ("must read web=LOGIN:PASSWORD inbox=LOGIN:PASSWORD", {"DATABASE_ROLES": "web="}),
        ("WITNESSES must read ADDRESS KEY", {"WITNESSES": "x"}),
        (
            "DKIM_KEY_FILE /nowhere/dkim.pem cannot be read: No such file or directory.",
            {"DKIM_KEY_FILE": "/nowhere/dkim.pem"},
        ),
    ],
)
def test_a_setting_that_is_wrong_by_itself(
    tmp_path: Path, sealed_here: SealedHere, words: str, given: dict[str, str]
) -> None:
    refused(sealed_here, "serve", words, **{"DATA_DIR": str(tmp_path / "new"), **given})


@pytest.mark.parametrize("command", ALONE)
def test_what_a_role_lacks(
    tmp_path: Path, redis_url: str, sealed_here: SealedHere, command: str
) -> None:
    needs = {
        "REDIS_URL": "REDIS_URL is not set",
        "LIVE_PORT": "LIVE_PORT is not set",
        "SECRET_KEY": "SECRET_KEY is not set",
    }
    needs |= {"INBOX_URL": "Neither INBOX_URL nor IMAP_URL is set"}
    lacking = {"live": ("LIVE_PORT", "SECRET_KEY"), "inbox": ("INBOX_URL", "REDIS_URL")}.get(
        command, ("REDIS_URL",)
    )
    for name in lacking:
        refused(
            sealed_here, command, needs[name], **of_each_role(tmp_path, redis_url, **{name: ""})
        )


def test_a_redis_that_refuses_its_url_is_told_by_all_who_use_it(
    tmp_path: Path, redis_url: str, sealed_here: SealedHere
) -> None:
    for wrong in ({"username": "nobody", "password": "hush"}, {"database": "99999"}):
        url = make_url(redis_url).set(**wrong).render_as_string(hide_password=False)  # type: ignore[arg-type]  # each is a part of a URL
        for command in ("serve", "web", "worker", "beat", "inbox"):
            refused(sealed_here, command, "cannot be used", **of_each_role(tmp_path, url))


def test_a_database_of_a_newer_release_is_told_by_all(
    tmp_path: Path, redis_url: str, sealed_here: SealedHere
) -> None:
    given = of_each_role(tmp_path, redis_url)
    with (engine := create_engine(given["DATABASE_URL"])).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    for command in ("serve", "migrate", *ALONE, "letters"):
        refused(
            sealed_here,
            command,
            "is at revision 9999, which this release does not know",
            **given | {"DATABASE_URL": given["DATABASE_URL"]},
        )
    checked = sealed_here("check", **given)
    assert (
        checked.returncode == 1
        and "which this release does not know: a newer release migrated it" in checked.stdout
    )


def test_a_login_that_postgresql_does_not_take(
    tmp_path: Path, postgres_url: str, redis_url: str, sealed_here: SealedHere
) -> None:
    for wrong in ({"username": "nobody"}, {"database": "nothing"}, {"query": {"nonsense": "1"}}):
        url = make_url(postgres_url).set(**wrong).render_as_string(hide_password=False)  # type: ignore[arg-type]  # each is a part of a URL
        for command in ("serve", "web"):
            refused(
                sealed_here,
                command,
                "cannot be used",
                **of_each_role(tmp_path, redis_url) | {"DATABASE_URL": url},
            )


def test_keys_that_do_not_fit_the_database(
    tmp_path: Path, redis_url: str, sealed_here: SealedHere
) -> None:
    given, keys = of_each_role(tmp_path, redis_url), tmp_path / "keys" / "worker.key"
    database = Database(given["DATABASE_URL"])
    public_keys.open_keyring(database, keys, now=BEGIN)
    database.engine.dispose()
    for command in ("web", "inbox"):
        refused(
            sealed_here,
            command,
            "KEY_FINGERPRINT is not of the keys in the database",
            **given | {"KEY_FINGERPRINT": "ab" * 32},
        )
    keys.unlink()
    crypto.ensure_key_file(keys)
    for command in ("serve", "worker"):
        refused(sealed_here, command, "is not the one this database was sealed to", **given)
    keys.write_text("{}")
    for command in ("serve", "worker"):
        refused(sealed_here, command, "is damaged", **given)


def test_a_secret_that_others_can_read(
    tmp_path: Path, redis_url: str, sealed_here: SealedHere
) -> None:
    (tmp_path / "secret_key").write_text("of all")
    (tmp_path / "secret_key").chmod(0o644)
    for command in ("serve", "web", "live"):
        refused(
            sealed_here,
            command,
            "can be read by others: chmod 600 it",
            **of_each_role(tmp_path, redis_url, SECRET_KEY=""),
        )


def test_names_with_other_letters_are_spelled_as_in_the_dns() -> None:
    told = read_settings(
        site_url="HTTPS://spiele.münchen.example:8443", mail_address="a@öl.example"
    )
    assert told.site_url == "https://spiele.xn--mnchen-3ya.example:8443"
    assert told.mail_address == "a@xn--l-0ga.example"


def test_what_may_be_well_in_a_moment_is_no_wrong_setting(
    tmp_path: Path, redis_url: str, sealed_here: SealedHere
) -> None:
    away = f"postgresql://sealed:hush@127.0.0.1:{free_port()}/sealed"
    for command in ("serve", *ALONE):
        told = sealed_here(command, **of_each_role(tmp_path, redis_url) | {"DATABASE_URL": away})
        assert (
            told.returncode == 1
            and "connection failed" in told.stderr
            and "hush" not in told.stderr
        ), command


def test_a_redis_that_is_away_is_waited_for(
    tmp_path: Path, settings_of: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    settings_of(**of_each_role(tmp_path, f"redis://:hush@127.0.0.1:{free_port()}"))
    for command in ("web", "worker", "beat", "inbox"):
        preflight.require_settings(command)  # type: ignore[arg-type]  # each is one
        said = capsys.readouterr().out
        assert "does not answer" in said and "waits for it" in said and "hush" not in said, command
