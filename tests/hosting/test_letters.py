"""`sealed letters` on the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.commands import letters, matches
from adjudicator.seal import crypto
from adjudicator.service.letters import outbox
from tests.databases import new_sqlite
from tests.harness import Harness
from tests.hosting.test_check import sealed
from tests.letters_out import claim_letter
from tests.service.test_bounces import return_it, rows, send


@pytest.mark.nightly
def test_the_host_sees_what_went_wrong_and_sends_it_again(
    tmp_path: Path, settings_of: Callable[..., None]
) -> None:
    url = new_sqlite(tmp_path / "sealed.sqlite3")
    harness = Harness(url, crypto.ensure_key_file(tmp_path / "keys" / "worker.key"))
    nothing = sealed("letters", DATA_DIR=str(tmp_path))
    assert nothing.returncode == 0 and "Every letter was sent" in nothing.stdout
    uid = harness.match("Alice", "Bob", "Charlie")
    lost, held = rows(harness, "report")[1:]
    send(harness, lost)
    return_it(harness, lost)
    assert held.id is not None
    claimed = claim_letter(harness.database, harness.keyring, held.id, harness.now)
    assert claimed is not None
    outbox.mark_failed(
        harness.database,
        claimed,
        harness.now,
        "the mail server refused the letter: 554 no",
        for_good=True,
    )
    settings_of(DATA_DIR=str(tmp_path))
    told = CliRunner().invoke(letters.command).output
    assert (
        f"report {uid} seat 2  bounced: it came back: 5.1.1 the address: 550 no such person" in told
    )
    assert (
        f"{held.uid}  2026-11-02 12:00 UTC  report {uid} seat 3  held: the mail server refused the"
        " letter: 554 no" in told
    )
    assert "@" not in told
    shown = CliRunner().invoke(matches.command, ["show", uid]).output
    assert (
        "! Letters to seat 2 come back." in shown
        and "! A report letter to seat 3 is held: the mail server refused the letter: 554 no."
        in shown
    )
    assert (
        CliRunner().invoke(letters.command, ["resend", held.uid]).output == "The letter goes out.\n"
    )
    again = sealed("letters", "resend", held.uid, DATA_DIR=str(tmp_path))
    assert again.returncode == 1 and "it is waiting" in again.stderr
    assert rows(harness, "report")[2].state == "waiting"
    harness.dispose()
