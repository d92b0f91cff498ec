"""A request's arrival: the time of its last byte, by the database's clock, not this machine's."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from sqlmodel import col, update

from adjudicator.platform import clock, db_clock
from adjudicator.platform.net.clients import CAME
from adjudicator.service.base.tables import Player
from tests.cast import ALICE
from tests.web.site import Site, page_text
from web.http.middleware import ArrivalMiddleware

EARLIER = clock.moment_of
LAST_CALL = timedelta(hours=48, minutes=10)


def hand_in(site: Site, uid: str) -> str:
    return page_text(
        site.visitor(ALICE).post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"})
    )


def test_orders_in_time_count_at_a_site_whose_clock_is_ahead(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = small_site.begin_match()
    monkeypatch.setattr(clock, "now", lambda: small_site.harness.now + timedelta(days=30))
    assert "Sealed: Round 1" in hand_in(small_site, uid)


def test_orders_that_come_late_do_not_count_at_a_site_whose_clock_is_behind(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = small_site.begin_match()
    monkeypatch.setattr(clock, "now", lambda: small_site.harness.now - timedelta(days=30))
    small_site.harness.now += LAST_CALL
    assert "Sealed: Round 1" not in hand_in(small_site, uid)


def test_time_that_the_service_takes_is_not_held_against_a_request(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid, harness, seconds = small_site.begin_match(), small_site.harness, [0.0]

    def slow(_: object) -> datetime:
        seconds[0] += 30
        return harness.now + timedelta(seconds=30)

    harness.now += LAST_CALL - timedelta(seconds=1)
    visitor = small_site.visitor(ALICE)
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(clock, "moment_of", EARLIER)
    monkeypatch.setattr(db_clock, "read_clock", slow)
    assert "Sealed, late: Round 1" in page_text(
        visitor.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"})
    )


class Dripping(BytesIO):
    """A body whose client sends slowly and may never send the rest."""

    def __init__(self, body: bytes, seconds: list[float], fault: OSError | None = None) -> None:
        super().__init__(body)
        self._seconds, self._fault = seconds, fault

    def read(self, size: int | None = -1, /) -> bytes:
        self._seconds[0] += 60
        if self._fault:
            raise self._fault
        return super().read(size)


@pytest.mark.parametrize(
    ("length", "fault", "body", "came"),
    [
        ("3", None, b"abc", 60),
        ("3", OSError("gone"), b"", 60),
        ("", None, b"abc", 0),  # which the site's pages take for none
        ("junk", None, b"abc", 0),
        ("9000000", None, b"abc", 0),
    ],
)
def test_a_request_came_when_its_last_byte_did(
    monkeypatch: pytest.MonkeyPatch, length: str, fault: OSError | None, body: bytes, came: float
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    seen: dict[str, Any] = {}

    def site(environ: dict[str, Any], _start: object) -> Iterable[bytes]:
        seen.update(environ)
        return []

    told = {
        "CONTENT_LENGTH": length,
        "wsgi.input": Dripping(b"abc", seconds, fault),
        "wsgi.input_terminated": True,
    }
    ArrivalMiddleware(site)(told, None)
    assert (seen[CAME], seen["wsgi.input"].read()) == (came, body)
    assert not seen["wsgi.input_terminated"], "what has no length would be read after its arrival"


def test_the_arrival_that_the_worker_has_noted_counts_and_no_header_does(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid, harness = small_site.begin_match(), small_site.harness
    visitor = small_site.visitor(ALICE)
    orders = {"phase": "1", "slot-pick": "B3", "csrf_token": visitor.token()}
    monkeypatch.setattr(clock, "moment_of", EARLIER)
    monkeypatch.setattr(clock, "monotonic", lambda: 100.0)
    harness.now += LAST_CALL + timedelta(seconds=9)
    headers = {
        "X-Request-Start": "t=0",
        "X-Request-Received": "0",
        "Date": "Mon, 02 Nov 2026 12:00:00 GMT",
    }
    for came, taken in (({}, False), ({CAME: 91.0}, False), ({CAME: 90.9}, True)):
        answer = visitor.client.post(
            f"/matches/{uid}/orders", data=orders, headers=headers, environ_overrides=came
        )
        assert ("Sealed, late: Round 1" in page_text(answer)) == taken, came


def test_orders_may_have_64_kilobytes(small_site: Site) -> None:
    uid, visitor = small_site.begin_match(), small_site.visitor(ALICE)
    orders = {"phase": "1", "slot-pick": "B3", "more": "x" * (63 * 1024)}
    assert "Sealed: Round 1" in page_text(visitor.post(f"/matches/{uid}/orders", orders))
    answer = visitor.post(f"/matches/{uid}/orders", orders | {"more": "x" * (65 * 1024)})
    assert answer.status_code == 413 and "Nothing was changed" in page_text(answer)


@pytest.mark.parametrize(
    ("begins", "zone", "told"),
    [
        (datetime(2026, 10, 24, 12, 0, tzinfo=UTC), "Europe/Paris", "Mon 26 Oct 13:00"),
        (datetime(2026, 3, 28, 12, 0, tzinfo=UTC), "Europe/Paris", "Mon 30 Mar 14:00"),
        (datetime(2026, 10, 31, 12, 0, tzinfo=UTC), "America/New_York", "Mon 2 Nov 07:00"),
    ],
)
def test_a_page_tells_a_deadline_beyond_a_change_of_the_clocks(
    small_site: Site, begins: datetime, zone: str, told: str
) -> None:
    small_site.harness.now = begins
    uid = small_site.begin_match()
    with small_site.harness.database.write_tx() as session:
        session.exec(
            update(Player)
            .where(col(Player.id) == small_site.harness.people[ALICE])
            .values(zone=zone)
        )
    assert told in page_text(small_site.visitor(ALICE).get(f"/matches/{uid}"))
