"""Letters out by real workers: over few connections, again after a fault, and erased when their time is over."""

from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.platform import clock
from adjudicator.platform.config import read_settings
from adjudicator.service.base.tables import Letter
from tests.mail.server import Postmaster, mail_server
from tests.worker.crew import Crew
from worker import context
from worker.conf import beat_schedule
from worker.tasks import tidy


def test_a_worker_posts_over_a_kept_connection_and_takes_leave(postgres_crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    postmaster = Postmaster()
    postmaster.data.append("451 4.3.0 later")
    with mail_server(postmaster) as place:
        monkeypatch.setenv("SMTP_URL", f"smtp://{place}")
        monkeypatch.setenv("INBOX_URL", "lmtp://127.0.0.1:24")
        postgres_crew.start(processes=1)
        for _ in range(4):
            postgres_crew.make_match("Alice")
        postgres_crew.until("the letters to have gone out", lambda: len(postmaster.taken) >= 3 and postgres_crew.unsent() <= 1)
        postgres_crew.leases_over()
        postgres_crew.until(
            "the letter that was refused to have gone out", lambda: len(postmaster.taken) >= 4 and not postgres_crew.unsent()
        )
    assert {letter["Message-ID"].strip("<>").partition("@")[0] for letter in postmaster.taken} == postgres_crew.uids("report")
    assert len(postmaster.taken) == 4
    assert postmaster.connections < 5, "five times a letter was offered"
    assert postmaster.senders == [f"orders+b-{letter['Message-ID'].strip('<>').partition('@')[0]}@localhost" for letter in postmaster.taken]


def test_letters_are_erased_once_a_day_when_their_time_is_over(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (beat_schedule["tidy"]["task"], beat_schedule["tidy"]["schedule"]) == (tidy.name, 86400)
    with crew.database.writing() as session:
        for days, state in ((31, "sent"), (29, "sent"), (31, "waiting")):
            at = clock.now() - timedelta(days=days)
            session.add(Letter(uid=f"{state}{days}", kind="report", address="a@example.org", state=state, next_try=at, made_at=at))
    monkeypatch.setattr(context, "_open", None)
    context.open_for(read_settings(database_url=crew.url, data_dir=crew.folder, key_file=crew.folder / "worker.key", letter_days=30))
    tidy()
    context.here().database.engine.dispose()
    with crew.database.reading() as session:
        assert set(session.exec(select(Letter.uid))) == {"sent29", "waiting31"}
