"""Posting: faults stay with the letter, two workers do not send twice, and a killed worker's letter goes out all the same."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import jinja2
import pytest
from sqlalchemy.exc import OperationalError

from adjudicator.mail.composing import rendering
from adjudicator.mail.sending import post as posting
from adjudicator.mail.sending.post import post_letter
from adjudicator.platform import clock
from adjudicator.platform.db import DatabaseBusy
from adjudicator.seal import keyfile
from adjudicator.service.base.tables import Letter, Match
from adjudicator.service.letters import outbox
from adjudicator.service.people import sessions
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, EVENING, MailHarness


@pytest.fixture
def waiting(desk: MailHarness) -> Letter:
    """A sign-in letter that waits."""
    sessions.ask_link(desk.database, ALICE, zone="UTC", now=desk.now)
    return desk.rows()[-1]


def post_one(desk: MailHarness, letter: Letter) -> bool:
    assert letter.id is not None
    return post_letter(desk.settings, desk.database, desk.keyring, letter.id, lambda: desk.now)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("{{ nobody }}", "'nobody' is undefined"),
        ("{% if %}", "TemplateSyntaxError"),
        ("{{ minutes.x.y }}", "UndefinedError"),
        ("{{ minutes / 0 }}", "ZeroDivisionError"),
        ("{{ '%q' | format(1) }}", "ValueError"),
        ("{{ minutes | wrap }}", "Error"),
    ],
)
def test_a_fault_in_a_template_delays_the_letter_only(table: MailHarness, monkeypatch: pytest.MonkeyPatch, source: str, told: str) -> None:
    sessions.ask_link(table.database, ALICE, zone="UTC", now=table.now)
    broken = jinja2.Environment(
        loader=jinja2.DictLoader({"mail/signin/body.txt": source}), undefined=jinja2.StrictUndefined, autoescape=True
    )
    whole = rendering._environment()
    broken.filters = whole.filters
    broken.loader = jinja2.ChoiceLoader([loader for loader in (broken.loader, whole.loader) if loader])
    monkeypatch.setattr(rendering, "_environment", lambda: broken)
    assert table.post_all() == 0
    row = table.rows()[-1]
    assert (row.state, row.tries) == ("waiting", 1)
    assert str(row.trouble).startswith("the letter could not be written: ")
    assert told in str(row.trouble)
    monkeypatch.setattr(rendering, "_environment", lambda: whole)
    table.later(seconds=11)
    assert table.post_all() == 1


def test_a_fault_of_a_letter_does_not_touch_its_match(desk: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.begin(ALICE, BOB, CHARLIE)
    with desk.database.read_tx() as session:
        before = session.get_one(Match, 1).model_dump()
    monkeypatch.setattr(posting, "compose", lambda *_, **__: (_ for _ in ()).throw(KeyError("owed")))
    assert desk.post_all() == 0
    with desk.database.read_tx() as session:
        assert session.get_one(Match, 1).model_dump() == before


def test_two_workers_do_not_send_a_letter_twice(desk: MailHarness, waiting: Letter) -> None:
    assert waiting.id is not None
    assert outbox.claim_letters(desk.database, desk.keyring, waiting.id, desk.now)
    assert not post_one(desk, waiting)
    assert desk.letters() == []


def test_a_letter_whose_worker_died_is_sent_when_its_lease_is_over(desk: MailHarness, waiting: Letter) -> None:
    assert waiting.id is not None
    outbox.claim_letters(desk.database, desk.keyring, waiting.id, desk.now)
    desk.later(seconds=121)
    assert post_one(desk, waiting)
    assert not post_one(desk, waiting)
    assert len(desk.letters()) == 1


def test_a_letter_at_which_every_worker_ends_is_held_at_last(desk: MailHarness) -> None:
    desk.begin(ALICE, house=2)
    (waiting,) = desk.rows()
    assert waiting.id is not None
    tries = 0
    while outbox.claim_letters(desk.database, desk.keyring, waiting.id, desk.now):
        tries += 1
        desk.later(minutes=2)
    (row,) = desk.rows()
    assert (tries, row.state, row.trouble) == (outbox.MOST_CUT_SHORT, "held", "every try to send it was cut short")


def test_a_letter_sealed_to_another_key_file_is_held_and_says_so(desk: MailHarness, waiting: Letter, tmp_path: Path) -> None:
    desk.keyring = keyfile.ensure(tmp_path / "other.key")
    assert not post_one(desk, waiting)
    row = desk.rows()[-1]
    assert (row.state, row.trouble) == ("held", "the letter was sealed to another key file")


def test_a_mailbox_without_room_is_waited_for(desk: MailHarness, waiting: Letter) -> None:
    desk.mailbox.folder.write_text("in the way")
    assert not post_one(desk, waiting)
    row = desk.rows()[-1]
    assert row.state == "waiting"
    assert "the local mailbox cannot be written" in str(row.trouble)


_WORKER = """
import sys
from datetime import datetime
from adjudicator.platform.config import read_settings
from adjudicator.platform.db import Database
from adjudicator.mail.sending.post import post_letter
from adjudicator.seal import keyfile
folder, url, letter, now = sys.argv[1:]
settings = read_settings(data_dir=folder, database_url=url, site_url="https://orders.example.org", mail_address="orders@example.org")
post_letter(settings, Database(url), keyfile.load(settings.key_file), int(letter), lambda: datetime.fromisoformat(now))
"""


@pytest.mark.parametrize(
    ("point", "posted", "state"),
    [("post.before_send", 0, "waiting"), ("post.after_send", 1, "waiting"), ("post.after_mark", 1, "sent")],
)
def test_a_worker_killed_anywhere_leaves_one_letter(table: MailHarness, point: str, posted: int, state: str) -> None:
    sessions.ask_link(table.database, ALICE, zone="UTC", now=EVENING)
    row = table.rows()[-1]
    command = [sys.executable, "-c", _WORKER, str(table.settings.data_dir), table.settings.database_url, str(row.id), EVENING.isoformat()]
    done = subprocess.run(command, env=os.environ | {"SEALED_CRASH_AT": point}, check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    files = [letter.name for letter in table.mailbox.letters()]
    assert (len(files), table.rows()[-1].state) == (posted, state)
    table.now = EVENING + timedelta(minutes=3)
    assert table.post_all() == (0 if state == "sent" else 1)
    assert [letter.name for letter in table.mailbox.letters()] == [row.uid]


@pytest.mark.parametrize("fault", [DatabaseBusy(), OperationalError("UPDATE", {}, Exception("server closed the connection"))])
def test_a_letter_that_was_taken_is_marked_once_the_database_answers_again(
    desk: MailHarness, waiting: Letter, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    mark, faults, waits = outbox.mark_sent, [fault] * 3, list[float]()

    def fails_at_first(*args: Any) -> None:
        if faults:
            raise faults.pop()
        mark(*args)

    monkeypatch.setattr(outbox, "mark_sent", fails_at_first)
    monkeypatch.setattr(clock, "sleep", waits.append)
    assert post_one(desk, waiting)
    assert desk.rows()[-1].state == "sent" and waits == [0.1, 0.2, 0.4]


def test_a_database_that_stays_away_leaves_a_letter_that_was_taken_to_its_lease(
    desk: MailHarness, waiting: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(clock, "sleep", lambda wait: seconds.__setitem__(0, seconds[0] + wait))

    def fails(*_: Any) -> None:
        raise DatabaseBusy

    monkeypatch.setattr(outbox, "mark_sent", fails)
    with pytest.raises(DatabaseBusy):
        post_one(desk, waiting)
    assert seconds[0] <= posting.MARK_SECONDS < outbox.LEASE.total_seconds()
    assert desk.rows()[-1].state == "waiting"


def test_a_worker_that_stood_still_since_it_took_a_letter_leaves_it_to_others(desk: MailHarness, waiting: Letter) -> None:
    assert waiting.id is not None
    moments = iter([desk.now, desk.now, desk.now + outbox.LEASE])
    assert not post_letter(desk.settings, desk.database, desk.keyring, waiting.id, lambda: next(moments))
    assert desk.rows()[-1].state == "waiting" and not desk.letters()
    desk.now += outbox.LEASE
    assert post_one(desk, waiting)
