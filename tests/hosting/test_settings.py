"""Settings: derived values, and the one-sentence error for a wrong one."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.hosting.health import storage_checks
from adjudicator.platform.config import Settings, SettingsError, kept_secret, read_settings


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "eighty", "PORT (the port the site listens on) must be a whole number."),
        ("PORT", "70000", "PORT (the port the site listens on) must be at most 65535."),
        ("WORKER_CONCURRENCY", "0", "WORKER_CONCURRENCY (worker processes) must be at least 1."),
        (
            "LOG_LEVEL",
            "loud",
            "LOG_LEVEL (what is logged) must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'.",
        ),
        ("DATABASE_URL", "mysql://u:hush@h/d", "must begin with sqlite:/// or postgresql://."),
        ("REDIS_URL", "http://:hush@h", "must begin with redis://, rediss:// or unix://."),
        (
            "SMTP_URL",
            "smtp://u:hush@h:port",
            "must read smtp://host:port or smtps://user:password@host:port.",
        ),
        (
            "SITE_URL",
            "orders.example.org",
            "must be a web address such as https://orders.example.org.",
        ),
        (
            "MAIL_ADDRESS",
            "orders",
            (
                "must be one plain address such as orders@example.org, without a +, or"
                " *@play.example.org."
            ),
        ),
        (
            "MAIL_ADDRESS",
            "a*@example.org",
            (
                "must be one plain address such as orders@example.org, without a +, or"
                " *@play.example.org."
            ),
        ),
        ("INBOX_URL", "http://127.0.0.1:25", "must read smtp://HOST:PORT or lmtp://HOST:PORT."),
        (
            "IMAP_URL",
            "imaps://mail.example.org/INBOX",
            "must read imaps://user:password@host/INBOX.",
        ),
        ("SWEEP_SECONDS", "often", "must be a number of seconds such as 2 or 0.5."),
    ],
)
def test_a_wrong_setting_is_named_with_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as fault:
        read_settings()
    words = str(fault.value)
    assert words.startswith(f"{name} (") and words.endswith(sentence)
    assert "hush" not in words and "\n" not in words


def test_everything_is_kept_in_data_dir_where_nothing_else_is_said(tmp_path: Path) -> None:
    told = read_settings(data_dir=tmp_path)
    assert told.database_url == f"sqlite:///{tmp_path}/sealed.sqlite3"
    assert told.key_file == tmp_path / "keys" / "worker.key"
    assert told.embedded_broker and told.local_mailbox and told.on_sqlite


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_postgres_address_gets_its_driver(scheme: str) -> None:
    assert (
        read_settings(database_url=f"{scheme}://u:p@h/d").database_url
        == "postgresql+psycopg://u:p@h/d"
    )


def test_the_site_is_where_it_listens_unless_said_otherwise() -> None:
    assert read_settings(port=8123).site_url == "http://localhost:8123"
    assert read_settings(host="192.0.2.7", port=80).site_url == "http://192.0.2.7:80"
    assert (
        read_settings(site_url="https://orders.example.org/").site_url
        == "https://orders.example.org"
    )


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    assert read_settings().port == 8000


def test_secrets_are_not_shown_in_a_representation() -> None:
    told = read_settings(
        database_url="postgres://u:hush@h/d",
        redis_url="redis://:hush@h",
        smtp_url="smtp://u:hush@h:25",
        secret_key="hush",
    )
    assert "hush" not in f"{told!r} {told}"


@pytest.mark.parametrize("name", ["SEALED_CLOCK_AHEAD", "SEALED_CRASH_AT"])
def test_a_setting_for_tests_is_refused_at_a_public_address(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "3600")
    assert read_settings().site_url == "http://localhost:8000"
    with pytest.raises(
        SettingsError,
        match=(
            f"^{name} is for tests, but SITE_URL https://orders.example.org is not an address of"
            " this machine"
        ),
    ):
        read_settings(site_url="https://orders.example.org")


def test_a_kept_secret_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    first = read_settings(data_dir=tmp_path / "new").session_secret()
    assert first == read_settings(data_dir=tmp_path / "new").session_secret()
    assert (tmp_path / "new" / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_kept_secret_that_cannot_serve_is_refused_and_told_by_the_check(tmp_path: Path) -> None:
    file = tmp_path / "secret_key"
    settings = read_settings(data_dir=tmp_path)
    cases: dict[str, Callable[[], object]] = {
        "": lambda: None,
        "can be read by others: chmod 600": lambda: file.chmod(0o644),
        "is empty: remove it": lambda: (file.write_text(""), file.chmod(0o600)),
        "cannot be read (Is a directory)": lambda: (file.unlink(), file.mkdir(0o700)),
    }
    kept_secret(file)
    for sentence, change in cases.items():
        change()
        told = [
            each.text for each in storage_checks.check_storage(settings) if str(file) in each.text
        ]
        assert len(told) == bool(sentence) and sentence in "".join(told), (sentence, told)
        if sentence:
            with pytest.raises(SettingsError, match=re.escape(sentence)):
                kept_secret(file)


def test_the_docs_name_every_setting() -> None:
    told = (Path(__file__).parent.parent.parent / "docs" / "settings.md").read_text()
    assert [name for name in Settings.model_fields if f"`{name.upper()}`" not in told] == []
