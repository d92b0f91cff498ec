"""Posting: faults stay with the letter, two workers do not send twice, and a killed worker's letter
goes out all the same.
"""

import os
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import jinja2
import pytest
from sqlalchemy.exc import OperationalError

from adjudicator.mail.composing import rendering
from adjudicator.mail.sending import post as posting
from adjudicator.platform import clock
from adjudicator.platform.db import DatabaseBusy
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Letter, Match
from adjudicator.service.letters import outbox
from adjudicator.service.people import sessions
from tests.letters_out import claim_letter, post_letter
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, EVENING, MailHarness
from tests.waiting import LIMIT


@pytest.fixture
def waiting(post_harness: MailHarness) -> Letter:
    """A sign-in letter that waits."""
    sessions.ask_link(post_harness.database, ALICE, zone="UTC", now=post_harness.now)
    return post_harness.rows()[-1]


def post_one(post_harness: MailHarness, letter: Letter) -> bool:
    assert letter.id is not None
    return post_letter(
        post_harness.settings,
        post_harness.database,
        post_harness.keyring,
        letter.id,
        lambda: post_harness.now,
    )


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
def test_a_fault_in_a_template_delays_the_letter_only(
    post_harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch, source: str, told: str
) -> None:
    sessions.ask_link(
        post_harness_on_both.database, ALICE, zone="UTC", now=post_harness_on_both.now
    )
    broken = jinja2.Environment(
        loader=jinja2.DictLoader({"mail/signin/body.txt": source}),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
    )
    whole = rendering._environment()
    broken.filters = whole.filters
    broken.loader = jinja2.ChoiceLoader(
        [loader for loader in (broken.loader, whole.loader) if loader]
    )
    monkeypatch.setattr(rendering, "_environment", lambda: broken)
    assert post_harness_on_both.post_all() == 0
    row = post_harness_on_both.rows()[-1]
    assert (row.state, row.tries) == ("waiting", 1)
    assert str(row.trouble).startswith("the letter could not be written: ")
    assert told in str(row.trouble)
    monkeypatch.setattr(rendering, "_environment", lambda: whole)
    post_harness_on_both.later(seconds=11)
    assert post_harness_on_both.post_all() == 1


def test_a_fault_of_a_letter_does_not_touch_its_match(
    post_harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    post_harness.begin(ALICE, BOB, CHARLIE)
    with post_harness.database.read_tx() as session:
        before = session.get_one(Match, 1).model_dump()
    monkeypatch.setattr(
        posting, "compose_letter", lambda *_, **__: (_ for _ in ()).throw(KeyError("owed"))
    )
    assert post_harness.post_all() == 0
    with post_harness.database.read_tx() as session:
        assert session.get_one(Match, 1).model_dump() == before


def test_two_workers_do_not_send_a_letter_twice(post_harness: MailHarness, waiting: Letter) -> None:
    assert waiting.id is not None
    assert claim_letter(post_harness.database, post_harness.keyring, waiting.id, post_harness.now)
    assert not post_one(post_harness, waiting)
    assert post_harness.letters() == []


def test_a_letter_whose_worker_died_is_sent_when_its_lease_is_over(
    post_harness: MailHarness, waiting: Letter
) -> None:
    assert waiting.id is not None
    claim_letter(post_harness.database, post_harness.keyring, waiting.id, post_harness.now)
    post_harness.later(seconds=121)
    assert post_one(post_harness, waiting)
    assert not post_one(post_harness, waiting)
    assert len(post_harness.letters()) == 1


def test_a_letter_at_which_every_worker_ends_is_held_at_last(post_harness: MailHarness) -> None:
    post_harness.begin(ALICE, house=2)
    (waiting,) = post_harness.rows()
    assert waiting.id is not None
    tries = 0
    while claim_letter(post_harness.database, post_harness.keyring, waiting.id, post_harness.now):
        tries += 1
        post_harness.later(minutes=2)
    (row,) = post_harness.rows()
    assert (tries, row.state, row.trouble) == (
        outbox.MOST_CUT_SHORT,
        "held",
        "every try to send it was cut short",
    )


def test_a_letter_sealed_to_another_key_file_is_held_and_says_so(
    post_harness: MailHarness, waiting: Letter, tmp_path: Path
) -> None:
    other = crypto.ensure_key_file(tmp_path / "other.key")
    with post_harness.database.write_tx() as session:
        session.get_one(Letter, waiting.id).context = other.wrap(
            b"{}", bound_to=f"letter:{waiting.uid}".encode()
        )
    assert not post_one(post_harness, waiting)
    row = post_harness.rows()[-1]
    assert (row.state, row.trouble) == ("held", "the letter was sealed to another key file")


def test_a_mailbox_without_room_is_waited_for(post_harness: MailHarness, waiting: Letter) -> None:
    post_harness.mailbox.folder.write_text("in the way")
    assert not post_one(post_harness, waiting)
    row = post_harness.rows()[-1]
    assert row.state == "waiting"
    assert "the local mailbox cannot be written" in str(row.trouble)


_WORKER = """
import sys
from datetime import datetime
from adjudicator.platform.config import read_settings
from adjudicator.platform.db import Database
from tests.letters_out import post_letter
from adjudicator.seal import crypto
folder, url, letter, now = sys.argv[1:]
settings = read_settings(data_dir=folder, database_url=url, site_url="http://127.0.0.1:8000", mail_address="orders@example.org")
post_letter(settings, Database(url), crypto.load_key_file(settings.key_file), int(letter), lambda: datetime.fromisoformat(now))
"""


@pytest.mark.parametrize(
    ("point", "posted", "state"),
    [
        ("post.before_send", 0, "waiting"),
        ("post.after_send", 1, "waiting"),
        ("post.after_mark", 1, "sent"),
    ],
)
def test_a_worker_killed_anywhere_leaves_one_letter(
    post_harness_on_both: MailHarness, point: str, posted: int, state: str
) -> None:
    sessions.ask_link(post_harness_on_both.database, ALICE, zone="UTC", now=EVENING)
    row = post_harness_on_both.rows()[-1]
    command = [
        sys.executable,
        "-c",
        _WORKER,
        str(post_harness_on_both.settings.data_dir),
        post_harness_on_both.settings.database_url,
        str(row.id),
        EVENING.isoformat(),
    ]
    done = subprocess.run(
        command, env=os.environ | {"SEALED_CRASH_AT": point}, check=False, timeout=LIMIT
    )
    assert done.returncode == -signal.SIGKILL
    files = [letter.name for letter in post_harness_on_both.mailbox.letters()]
    assert (len(files), post_harness_on_both.rows()[-1].state) == (posted, state)
    post_harness_on_both.now = EVENING + timedelta(minutes=3)
    assert post_harness_on_both.post_all() == (0 if state == "sent" else 1)
    assert [letter.name for letter in post_harness_on_both.mailbox.letters()] == [row.uid]


@pytest.mark.parametrize(
    "fault",
    [DatabaseBusy(), OperationalError("UPDATE", {}, Exception("server closed the connection"))],
)
def test_a_letter_that_was_taken_is_marked_once_the_database_answers_again(
    post_harness: MailHarness, waiting: Letter, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    mark, faults, waits = outbox.mark_sent, [fault] * 3, list[float]()

    def fails_at_first(*args: Any) -> None:
        if faults:
            raise faults.pop()
        mark(*args)

    monkeypatch.setattr(outbox, "mark_sent", fails_at_first)
    monkeypatch.setattr(clock, "sleep", waits.append)
    assert post_one(post_harness, waiting)
    assert post_harness.rows()[-1].state == "sent" and waits == [0.1, 0.2, 0.4]


def test_a_database_that_stays_away_leaves_a_letter_that_was_taken_to_its_lease(
    post_harness: MailHarness, waiting: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(clock, "sleep", lambda wait: seconds.__setitem__(0, seconds[0] + wait))

    def fails(*_: Any) -> None:
        raise DatabaseBusy

    monkeypatch.setattr(outbox, "mark_sent", fails)
    with pytest.raises(DatabaseBusy):
        post_one(post_harness, waiting)
    assert seconds[0] <= posting.MARK_SECONDS < outbox.LEASE.total_seconds()
    assert post_harness.rows()[-1].state == "waiting"


def test_a_worker_that_stood_still_since_it_took_a_letter_leaves_it_to_others(
    post_harness: MailHarness, waiting: Letter
) -> None:
    assert waiting.id is not None
    moments = iter([post_harness.now, post_harness.now + outbox.LEASE])
    assert not post_letter(
        post_harness.settings,
        post_harness.database,
        post_harness.keyring,
        waiting.id,
        lambda: next(moments),
    )
    assert post_harness.rows()[-1].state == "waiting" and not post_harness.letters()
    post_harness.now += outbox.LEASE
    assert post_one(post_harness, waiting)


def test_a_letter_that_was_taken_is_marked_although_the_database_fails_before_the_next(
    post_harness: MailHarness, waiting: Letter
) -> None:
    sessions.ask_link(post_harness.database, BOB, zone="UTC", now=post_harness.now)
    ids = [row.id or 0 for row in post_harness.rows()[-2:]]
    asked = 0

    def now() -> datetime:
        nonlocal asked
        asked += 1
        if asked == 3:  # the first letter was claimed and sent, and the second is about to be
            raise DatabaseBusy
        return post_harness.now

    room = posting.PostRoom(
        post_harness.settings,
        post_harness.database,
        post_harness.keyring,
        posting.Carrier(post_harness.settings),
        now,
    )
    with pytest.raises(DatabaseBusy):
        posting.post_letters(room, ids)
    assert [row.state for row in post_harness.rows()[-2:]] == ["sent", "waiting"]
    assert [letter.name for letter in post_harness.mailbox.letters()] == [waiting.uid]
