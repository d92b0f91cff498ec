"""The live stream: a real process on SQLite and PostgreSQL that tells listeners how far matches
are, and nothing else.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.platform.config import read_settings
from adjudicator.service.base import rows
from adjudicator.service.base.shown import read_steps
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from tests.browser import run_apart
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.live.stream_process import SECRET, StreamProcess
from tests.service.test_statements import count
from web.live import tickets
from web.live.hub import SILENT_SECONDS, Hub
from web.live.listeners import Limits, Listener
from web.live.server import LiveServer, StepReader
from web.live.tickets import Ticket


@pytest.fixture
def stream(database_url: str, tmp_path: Path) -> Iterator[StreamProcess]:
    """A live process on SQLite and on PostgreSQL."""
    with StreamProcess(database_url, tmp_path) as process:
        yield process


@pytest.fixture
def harness(sqlite_url: str) -> Iterator[Harness]:
    made = Harness(sqlite_url)
    yield made
    made.dispose()


@pytest.fixture
def small_stream(sqlite_url: str, tmp_path: Path) -> Iterator[StreamProcess]:
    """A live process on SQLite."""
    with StreamProcess(sqlite_url, tmp_path) as process:
        yield process


def begin(stream: StreamProcess, **options: object) -> str:
    return stream.harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("pyramid", "The Long Table", {}, **options)
    )  # type: ignore[arg-type]


def step(stream: StreamProcess, uid: str) -> str:
    with stream.harness.database.read_tx() as session:
        return read_steps(session, [uid], datetime.now(UTC))[uid]


def test_a_listener_hears_where_its_match_is_and_then_each_change_and_nothing_else(
    stream: StreamProcess,
) -> None:
    uid, other = begin(stream, progress="none"), begin(stream)
    with stream.listen(uid) as client:
        assert (
            client.read_head() == 200
            and "text/event-stream" in client.head
            and "X-Accel-Buffering: no" in client.head
        )
        assert client.steps() == {uid: step(stream, uid)}
        for name, text in ((ALICE, "B3"), (BOB, "W3")):
            stream.harness.order(uid, name, text)
        masters.pause_match(stream.harness.database, other, None, now=stream.harness.now)
        # neither what somebody sealed nor another match is heard: the next event is the closing
        stream.read_again()
        stream.harness.order(uid, CHARLIE, "C1")
        assert stream.harness.close(uid)
        assert client.steps() == {uid: step(stream, uid)}


def test_the_number_that_handed_in_is_heard_from_the_full_minute_on_and_only_where_the_match_tells_it(
    small_stream: StreamProcess,
) -> None:
    stream = small_stream
    stream.harness.now = datetime.now(UTC) - timedelta(minutes=5)
    kinds = {kind: begin(stream, progress=kind) for kind in ("none", "count", "seats")}
    hidden = begin(stream, progress="count")
    with stream.harness.database.write_tx() as session:
        match = rows.by_uid(session, hidden)
        match.options = {**match.options, "anonymous": True}
    for uid in (*kinds.values(), hidden):
        stream.harness.order(uid, ALICE, "B3")
    told = {uid: step(stream, uid).partition(".")[2] for uid in (*kinds.values(), hidden)}
    assert told == {kinds["none"]: "", kinds["count"]: "1", kinds["seats"]: "1", hidden: ""}
    with stream.harness.database.read_tx() as session:
        known_at = stream.harness.now.replace(second=0, microsecond=0) + timedelta(minutes=1)
        before, after = (
            read_steps(session, [kinds["count"]], known_at + timedelta(seconds=span))
            for span in (-1, 0)
        )
    assert (before[kinds["count"]].partition(".")[2], after[kinds["count"]].partition(".")[2]) == (
        "",
        "1",
    )
    with stream.listen(*kinds.values(), hidden) as client:
        client.read_head()
        assert client.steps() == {uid: step(stream, uid) for uid in (*kinds.values(), hidden)}


def test_without_a_ticket_of_the_site_nothing_tells_whether_a_match_exists(
    small_stream: StreamProcess,
) -> None:
    stream = small_stream
    uid = begin(stream)
    now = datetime.now(UTC)
    good = stream.ticket(uid)
    wrong = [
        "",
        "x",
        good[:-1],
        good.replace(uid, "guess"),
        f"{uid}.{good}",
        tickets.sign_ticket("another secret", [uid], now),
        tickets.sign_ticket(SECRET, [uid], now - tickets.LASTS),
        tickets.sign_ticket(SECRET, ["guess"], now - tickets.LASTS),
        tickets.sign_ticket(SECRET, [], now),
        "%C3%BC." + good,
    ]
    answers = set()
    for each in wrong:
        with stream.request(f"/live?ticket={each}") as client:
            client.read_head()
            answers.add((client.status, client.head, client.rest()))
    assert len(answers) == 1 and answers.pop()[0] == 403


def test_who_comes_back_hears_only_what_changed_meanwhile(small_stream: StreamProcess) -> None:
    stream = small_stream
    uid = begin(stream, progress="none")
    with stream.listen(uid) as client:
        client.read_head()
        last = client.event()["id"]
    with stream.listen(uid, Last_Event_ID=last) as client:
        client.read_head()
        stream.read_again()
        masters.pause_match(stream.harness.database, uid, None, now=stream.harness.now)
        assert client.steps() == {uid: step(stream, uid)}
    with stream.listen(uid, Last_Event_ID=last) as client:
        client.read_head()
        assert client.steps() == {uid: step(stream, uid)}


def test_one_statement_serves_all_listeners(harness: Harness, tmp_path: Path) -> None:
    uids = [harness.match(ALICE, BOB, CHARLIE) for _ in range(3)]
    reader = StepReader(harness.database)
    live, told = (
        LiveServer(read_settings(data_dir=tmp_path), reader, Limits()),
        list[Mapping[str, str]](),
    )
    reader.read(uids)  # asks for the database's time, too
    for number in range(9):
        live._hub.listeners.add(
            Listener(
                Ticket(tuple(uids[: number % 3 + 1]), datetime.now(UTC) + tickets.LASTS),
                "",
                told.append,
            )
        )
    alone = count(harness, lambda: reader.read(uids[:1]))
    assert count(harness, lambda: run_apart(live._read())) == alone
    assert sorted(map(len, told)) == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_the_health_check_and_the_metrics_are_for_this_machine(small_stream: StreamProcess) -> None:
    with small_stream.request("/healthz") as client:
        assert client.read_head() == 200 and client.rest() == b'{"status": "ok", "listeners": 0}'
    with small_stream.request("/metrics", X_Forwarded_For="192.0.2.1") as client:
        assert client.read_head() == 404
    assert small_stream.figure("sealed_live_listeners") == 0


def test_it_is_not_well_once_the_database_could_not_be_read_for_a_minute(tmp_path: Path) -> None:
    hub = Hub(read_settings(data_dir=tmp_path), Limits(), lambda: datetime.now(UTC))
    assert hub.health()[0] == 200
    hub.read_at -= SILENT_SECONDS + 1
    status, told = hub.health()
    assert status == 503 and b"could not read the database for 61 seconds" in told


def test_a_stop_ends_every_connection_and_the_process(small_stream: StreamProcess) -> None:
    uid = begin(small_stream)
    with small_stream.listen(uid) as client, small_stream.raw(b"GET /li") as silent:
        client.read_head()
        client.steps()
        assert small_stream.stop() == 0
        assert client.ended() and silent.ended()
    assert "Traceback" not in small_stream.said
