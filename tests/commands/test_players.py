"""`sealed players`, `sealed letters test` and `sealed letters announce`."""

import json
from collections.abc import Callable
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlmodel import select

from adjudicator.cli import sealed
from adjudicator.commands import letters as letters_command
from adjudicator.commands import players as command
from adjudicator.platform import config
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.people import own_data
from tests.mail.mail_harness import ALICE, BOB, MailHarness
from tests.mail_sink import MailSink

Run = Callable[..., Result]


@pytest.fixture
def harness(sqlite_url: str, tmp_path: Path) -> MailHarness:
    made = MailHarness(sqlite_url, tmp_path)
    made.match(ALICE, BOB)
    return made


@pytest.fixture
def run(harness: MailHarness, monkeypatch: pytest.MonkeyPatch) -> Run:
    """What runs a command on the harness's database."""
    for module in (command, letters_command):
        monkeypatch.setattr(module, "open_database", lambda **_: harness.database)
    monkeypatch.setattr(config, "current_settings", lambda: harness.settings)

    def invoke(*arguments: str, input: str = "") -> Result:
        return CliRunner().invoke(sealed, arguments, input=input)

    return invoke


def test_a_host_finds_shows_and_exports_a_player(
    harness: MailHarness, run: Run, tmp_path: Path
) -> None:
    assert (
        ALICE in run("players", "list").output and ALICE not in run("players", "list", "bob").output
    )
    assert "There are more" in run("players", "list", "--limit", "1").output
    shown = run("players", "show", ALICE).output
    assert "Alice" in shown and "running" in shown and "0 matches have ended." in shown
    assert "There is no player" in run("players", "show", "nobody").output
    with harness.database.read_tx() as session:
        kept = own_data.own_data(session, harness.people[ALICE])
    assert json.loads(run("players", "export", ALICE).output) == json.loads(json.dumps(kept))
    file = tmp_path / "alice.json"
    assert run("players", "export", "Alice", "--to", str(file)).exit_code == 0
    assert (
        json.loads(file.read_text())["account"]["address"] == ALICE
        and file.stat().st_mode & 0o777 == 0o600
    )
    again = run("players", "export", "Bob", "--to", str(file))
    assert (
        again.exit_code == 1
        and "is there already" in again.output
        and json.loads(file.read_text())["account"]["address"] == ALICE
    )
    for nowhere in (tmp_path / "none" / "bob.json", file / "bob.json"):
        lost = run("players", "export", "Bob", "--to", str(nowhere))
        assert lost.exit_code == 1 and f"{nowhere} cannot be made (" in lost.output, nowhere


def test_a_player_is_erased_only_after_a_yes(harness: MailHarness, run: Run) -> None:
    def names() -> set[str]:
        with harness.database.read_tx() as session:
            return set(session.exec(select(Player.name).where(Player.house == False)))  # noqa: E712 SQL

    assert run("players", "erase", ALICE, input="n\n").exit_code == 1 and "Alice" in names()
    assert run("players", "erase", ALICE, input="y\n").exit_code == 0 and "Alice" not in names()
    assert run("players", "erase", BOB, "--yes").exit_code == 0 and "Bob" not in names()
    assert run("players", "erase", ALICE, "--yes").exit_code == 1


def test_a_test_letter_goes_out_at_once_or_says_why_not(
    harness: MailHarness, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = run("letters", "test", "host@example.org")
    assert here.exit_code == 0 and "as SMTP_URL is not set" in here.output
    with MailSink() as sink:
        told = harness.settings.model_copy(
            update={"smtp_url": config.SecretStr(sink.url), "inbox_url": "smtp://127.0.0.1:2525"}
        )
        monkeypatch.setattr(config, "current_settings", lambda: told)
        sent = run("letters", "test", "Host@Example.org")
        assert sent.exit_code == 0 and "The mail server took it." in sent.output
        (letter,) = sink.taken
        message = message_from_bytes(letter.content, policy=default)
        assert (letter.recipients, letter.sender) == (["host@example.org"], "orders@example.org")
        assert str(message["Message-ID"]) in sent.output and "test letter" in str(
            message["Subject"]
        )
        sink.script["RCPT"] = ["550 5.1.1 no such user"]
        refused = run("letters", "test", "host@example.org")
        assert (
            refused.exit_code == 1
            and "The letter was not sent: " in refused.output
            and "no such user" in refused.output
        )
    assert run("letters", "test", "nobody").exit_code == 1
    with harness.database.read_tx() as session:
        assert not session.exec(select(Letter).where(Letter.kind == "probe")).all(), (
            "it is stored nowhere"
        )


def test_an_announcement_is_asked_about_and_sent_once(
    harness: MailHarness, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "text").write_text("On Saturday.\n")
    asked = ("letters", "announce", str(tmp_path / "text"), "--subject", "We move")
    assert run(*asked, input="n\n").exit_code == 1 and not harness.letters("announcement")
    assert (
        "Send it to 2 players?" in (told := run(*asked, input="y\n")).output
        and "2 letters wait to be sent." in told.output
    )
    assert "Everybody who wants letters has it." in run(*asked, "--yes").output
    piped = ("letters", "announce", "-", "--subject", "We move again")
    assert "say --yes" in run(*piped, input="On Sunday.").output
    assert (
        "2 letters wait to be sent." in run(*piped, "--running", "--yes", input="On Sunday.").output
    )
    harness.now = harness.database.now()
    harness.post_all()
    assert [(each.to, each.subject) for each in harness.letters("announcement", ALICE)] == [
        (ALICE, "We move"),
        (ALICE, "We move again"),
    ]
    assert "To stop these letters" in harness.letters("announcement", ALICE)[0].text
