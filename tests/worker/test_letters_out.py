"""Letters out by real workers: few connections, retries after faults, and erasure after their
time.
"""

from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.platform import clock
from adjudicator.platform.config import read_settings
from adjudicator.seal.tokens import LENGTH
from adjudicator.service.base.tables import Letter
from tests.mail_sink import MailSink
from tests.worker.crew import Crew
from worker import context
from worker.conf import beat_schedule
from worker.tasks import erase_old_letters


@pytest.mark.nightly
def test_a_worker_posts_over_a_kept_connection_and_takes_leave(
    postgres_crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    with MailSink(dot=["451 4.3.0 later"]) as sink:
        monkeypatch.setenv("SMTP_URL", sink.url)
        monkeypatch.setenv("INBOX_URL", "lmtp://127.0.0.1:24")
        postgres_crew.start(processes=1)
        for _ in range(4):
            postgres_crew.make_match("Alice")
        postgres_crew.until(
            "the letters to have gone out",
            lambda: len(sink.taken) >= 3 and postgres_crew.unsent() <= 1,
        )
        postgres_crew.leases_over()
        postgres_crew.until(
            "the letter that was refused to have gone out",
            lambda: len(sink.taken) >= 4 and not postgres_crew.unsent(),
        )
    uids = [
        str(letter.message["Message-ID"]).strip("<>").partition("@")[0] for letter in sink.taken
    ]
    assert len(uids) == 4 and set(uids) == postgres_crew.uids("report")
    returns = {
        letter.sender.partition("+b-")[2].removesuffix("@localhost") for letter in sink.taken
    }
    assert len(returns) == 4 and min(map(len, returns)) == LENGTH


def test_letters_are_erased_once_a_day_when_their_time_is_over(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (beat_schedule["tidy"]["task"], beat_schedule["tidy"]["schedule"]) == (
        erase_old_letters.name,
        86400,
    )
    with crew.database.write_tx() as session:
        for days, state in ((31, "sent"), (29, "sent"), (31, "waiting")):
            at = clock.now() - timedelta(days=days)
            session.add(
                Letter(
                    uid=f"{state}{days}",
                    kind="report",
                    address="a@example.org",
                    state=state,
                    next_try=at,
                    made_at=at,
                )
            )
    monkeypatch.setattr(context, "_open", None)
    context.open_context(
        read_settings(
            database_url=crew.url,
            data_dir=crew.folder,
            key_file=crew.folder / "worker.key",
            letter_days=30,
        )
    )
    erase_old_letters()
    context.current_context().database.engine.dispose()
    with crew.database.read_tx() as session:
        assert set(session.exec(select(Letter.uid))) == {"sent29", "waiting31"}
