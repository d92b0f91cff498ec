"""Fetching a calendar of the outside: bounded, and never from inside the host's network."""

import ipaddress
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from adjudicator.platform.net.outside import (
    CannotFetch,
    Outside,
    check_address,
    fetch_page,
    is_public,
)
from adjudicator.service.calendars import calendars
from adjudicator.service.calendars.calendars import DaysOff, answer_parent, days_from_child
from adjudicator.service.calendars.days_off import read_days_off
from tests.mail_sink import self_signed
from tests.waiting import wait_until

LOOPBACK = ipaddress.ip_address("127.0.0.1")


@dataclass
class Site:
    """An https server on loopback that answers as a test says."""

    port: int = 0
    pages: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)  # the path /slow waits for it

    def outside(
        self, public: Callable[[object], bool] = lambda _: True, resolve: object = None
    ) -> Outside:
        def trusted() -> ssl.SSLContext:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return context

        return Outside(resolve or (lambda host, port: (LOOPBACK,)), public, trusted, self.port)  # type: ignore[arg-type]


@contextmanager
def site(folder: Path) -> Iterator[Site]:
    running = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            running.asked.append(f"{self.headers['Host']} {self.path}")
            if self.path == "/slow":
                running.over.wait()
                return
            status, headers, body = running.pages[self.path]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that hangs up is part of some tests."""

    server = Server(("127.0.0.1", 0), Handler)
    server.socket = self_signed(folder).wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    running.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield running
    finally:
        running.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path) as running:
        yield running


def refusal(url: str, outside: Outside, **limits: float) -> str:
    with pytest.raises(CannotFetch) as caught:
        fetch_page(url, outside=outside, **limits)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_page_is_fetched_from_the_host_that_the_address_names(pages: Site) -> None:
    pages.pages["/days.ics?key=1"] = (200, {}, b"BEGIN:VCALENDAR")
    assert (
        fetch_page("https://club.example/days.ics?key=1", outside=pages.outside())
        == b"BEGIN:VCALENDAR"
    )
    assert pages.asked == ["club.example /days.ics?key=1"]


def test_a_redirect_is_followed_and_its_host_resolved_and_checked_anew(pages: Site) -> None:
    pages.pages["/old"] = (302, {"Location": "https://inner.example/new"}, b"")
    pages.pages["/new"] = (200, {}, b"days")
    assert fetch_page("https://club.example/old", outside=pages.outside()) == b"days"
    inner = ipaddress.ip_address("10.0.0.7")
    outside = pages.outside(
        lambda each: each == LOOPBACK,
        lambda host, port: (inner,) if host == "inner.example" else (LOOPBACK,),
    )
    assert (
        refusal("https://club.example/old", outside)
        == "inner.example is not on the public internet."
    )


@pytest.mark.parametrize(
    "target",
    [
        "http://club.example/",
        "https://club.example:8443/",
        "file:///etc/passwd",
        "https://me:pw@club.example/",
    ],
)
def test_a_redirect_leads_to_no_other_kind_of_address(pages: Site, target: str) -> None:
    pages.pages["/old"] = (301, {"Location": target}, b"")
    assert "address" in refusal("https://club.example/old", pages.outside())
    assert len(pages.asked) == 1


def test_redirects_come_to_an_end(pages: Site) -> None:
    pages.pages["/round"] = (302, {"Location": "/round"}, b"")
    assert (
        refusal("https://club.example/round", pages.outside())
        == "That address leads on to another too often."
    )
    assert len(pages.asked) == 4


def test_one_inner_address_among_several_refuses_the_host(pages: Site) -> None:
    outside = pages.outside(
        is_public, lambda host, port: (ipaddress.ip_address("9.9.9.9"), LOOPBACK)
    )
    assert (
        refusal("https://club.example/", outside) == "club.example is not on the public internet."
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "[::1]"])
def test_a_number_inside_the_hosts_network_is_refused_at_once(host: str) -> None:
    with pytest.raises(CannotFetch, match="is not on the public internet"):
        check_address(f"https://{host}/days.ics")
    assert check_address("webcal://9.9.9.9/days.ics") == "https://9.9.9.9/days.ics"


def test_a_large_page_a_missing_one_and_a_slow_one_are_refused(pages: Site) -> None:
    pages.pages["/large"] = (200, {}, b"x" * 5000)
    pages.pages["/gone"] = (404, {}, b"")
    assert (
        refusal("https://club.example/large", pages.outside(), most=4096)
        == "That page is larger than 4 kilobytes."
    )
    assert (
        refusal("https://club.example/gone", pages.outside())
        == "club.example answered 404 instead of the page."
    )
    assert (
        refusal("https://club.example/slow", pages.outside(), seconds=0.5)
        == "club.example took too long to answer."
    )


def test_a_certificate_that_nobody_signed_is_refused(pages: Site) -> None:
    outside = Outside(
        lambda host, port: (LOOPBACK,), lambda _: True, ssl.create_default_context, pages.port
    )
    assert (
        refusal("https://club.example/", outside)
        == "club.example has no certificate that can be trusted."
    )
    assert pages.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::a00:1",
        "fec0::2",
        "::7f00:1",
        "::ffff:0:7f00:1",
        "64:ff9b:1::7f00:1",
        "5f00::1",
        "3fff::1",
        "2001:db8::1",
        "192.88.99.1",
    ],
)
def test_inner_addresses_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "64:ff9b::909:909"])
def test_outer_addresses_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "club.example/days.ics",
        "ftp://club.example/",
        "https:///x",
        "https://x y/",
        "https://a/b\r\nHost: c",
        "https://a:99999/",
    ],
)
def test_what_is_no_address_of_a_page_is_refused(url: str, pages: Site) -> None:
    assert refusal(url, pages.outside())
    assert pages.asked == []


# --- calendars


FIRST = date(2026, 12, 1)


def calendar(*events: str) -> bytes:
    body = "\r\n".join(
        f"BEGIN:VEVENT\r\nUID:{number}\r\n{event}\r\nEND:VEVENT"
        for number, event in enumerate(events)
    )
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n{body}\r\nEND:VCALENDAR\r\n".encode()


def days(*events: str) -> list[str]:
    return sorted(
        day.isoformat() for day in read_days_off(calendar(*events), FIRST, calendars.DAYS).days
    )


def test_whole_days_count_and_the_end_is_not_one_of_them() -> None:
    assert days("DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261226") == [
        "2026-12-24",
        "2026-12-25",
    ]
    assert days("DTSTART;VALUE=DATE:20261224") == ["2026-12-24"]


def test_of_events_with_hours_the_days_wholly_inside_count() -> None:
    assert days("DTSTART:20261223T180000\r\nDTEND:20261226T090000") == ["2026-12-24", "2026-12-25"]
    assert days("DTSTART:20261223T090000\r\nDTEND:20261223T170000") == []


def test_repeated_events_count_each_time_within_the_days_read() -> None:
    found = days("DTSTART;VALUE=DATE:20200106\r\nRRULE:FREQ=WEEKLY\r\nEXDATE;VALUE=DATE:20261214")
    assert found[:3] == ["2026-12-07", "2026-12-21", "2026-12-28"]
    assert found[-1] < "2028-01-06"


def test_cancelled_and_odd_events_do_not_count_and_spoil_nothing() -> None:
    good = "DTSTART;VALUE=DATE:20261224"
    odd = (
        "DTSTART;VALUE=DATE:20261220\r\nDTEND;VALUE=DATE:20270115\r\nSTATUS:CANCELLED",
        "DTSTART:never",
    )
    assert days(good, *odd) == ["2026-12-24"]


def test_an_event_without_end_is_refused() -> None:
    for end in ("20991231", "99991231"):
        with pytest.raises(CannotFetch, match=r"more than 366 days|thousands of years"):
            days(f"DTSTART;VALUE=DATE:20261220\r\nDTEND;VALUE=DATE:{end}")


def test_a_calendar_without_a_day_left_is_refused() -> None:
    with pytest.raises(CannotFetch, match="more than 366 days"):
        days("DTSTART;VALUE=DATE:20260106\r\nRRULE:FREQ=DAILY")


def test_a_calendar_is_read_in_a_child_that_ends() -> None:
    with pytest.raises(CannotFetch, match="begin with https"):
        calendars.fetch_days_off("http://club.example/", date(2026, 12, 1))


def test_the_child_tells_its_parent_the_days_or_why_there_are_none() -> None:
    one, endless = (
        calendar(f"DTSTART;VALUE=DATE:20261224{rule}") for rule in ("", "\r\nRRULE:FREQ=DAILY")
    )
    told, refused = (
        answer_parent("https://club.example/", date(2026, 12, 1), lambda _, found=found: found)
        for found in (one, endless)
    )
    assert days_from_child(told).days == {date(2026, 12, 24)}
    with pytest.raises(CannotFetch, match="more than 366 days"):
        days_from_child(refused)
    with pytest.raises(CannotFetch, match="could not be read"):
        days_from_child(b"")


def test_what_is_no_calendar_is_refused() -> None:
    with pytest.raises(ValueError, match=r"calendar|component|parse|Content"):
        read_days_off(b"<html>", FIRST, calendars.DAYS)


def test_a_file_is_read_in_a_child_that_ends() -> None:
    told = calendar(
        "DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261226",
        "DTSTART;VALUE=DATE:20250501\r\nRRULE:FREQ=YEARLY",
    )
    assert calendars.read_file(told, date(2026, 12, 1)).days == {
        date(2026, 12, 24),
        date(2026, 12, 25),
        date(2027, 5, 1),
    }
    for text, why in (
        (b"<html>", "could not be read"),
        (b"x" * (calendars.MOST_SENT + 1), "larger than 384 kilobytes"),
    ):
        with pytest.raises(CannotFetch, match=why):
            calendars.read_file(text, date(2026, 12, 1))


def test_a_calendar_that_takes_too_much_cpu_is_refused_and_a_busy_machine_makes_none_unreadable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    often = calendar(*["DTSTART;VALUE=DATE:20200101\r\nRRULE:FREQ=YEARLY"] * 2000)
    with pytest.raises(CannotFetch, match="too long"):
        calendars.read_file(often, date(2026, 12, 1), seconds=0.05)
    limits, run = [], subprocess.run
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda *args, **named: limits.append(named["timeout"]) or run(*args, **named),
    )
    assert calendars.read_file(
        calendar("DTSTART;VALUE=DATE:20261224"), date(2026, 12, 1), seconds=2.0
    ).days == {date(2026, 12, 24)}
    assert limits == [calendars.LONGEST], "of the clock, whatever the limit of CPU is"
    monkeypatch.setattr(calendars, "LONGEST", 0.0)
    with pytest.raises(CannotFetch, match="too long"):
        calendars.read_file(often, date(2026, 12, 1))


def test_one_file_is_read_at_a_time_and_others_are_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def read(*_: object) -> DaysOff:
        begun.set()
        go_on.wait()
        return DaysOff(frozenset())

    monkeypatch.setattr(calendars, "_ask_child", read)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(calendars.read_file, b"", date(2026, 12, 1))
        try:
            wait_until(begun.is_set, "the first file to be read")
            with pytest.raises(calendars.ReaderBusy, match="Try again"):
                calendars.read_file(b"", date(2026, 12, 1))
        finally:
            go_on.set()
        assert (
            first.result() == calendars.read_file(b"", date(2026, 12, 1)) == DaysOff(frozenset())
        ), "its place is free again"


# --- calendars of real programs


def in_file(*calendars_: str) -> bytes:
    return "".join(
        f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{each}\r\nEND:VCALENDAR\r\n" for each in calendars_
    ).encode()


def event(*lines: str, title: str = "Trip", kind: str = "VEVENT") -> str:
    return "\r\n".join((f"BEGIN:{kind}", f"UID:{title}", f"SUMMARY:{title}", *lines, f"END:{kind}"))


def span(start: str, end: str, *lines: str, zone: str = "") -> str:
    named = f";TZID={zone}" if zone else ""
    return event(f"DTSTART{named}:{start}", f"DTEND{named}:{end}", *lines)


EVE = event("DTSTART;VALUE=DATE:20261224")
MARK = "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"
WINTER = event("DTSTART:19701025T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", kind="STANDARD")
CLUB = "\r\n".join(
    (
        "BEGIN:VTIMEZONE\r\nTZID:Club\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000",
        "TZOFFSETFROM:-0500\r\nTZOFFSETTO:-0500\r\nEND:STANDARD\r\nEND:VTIMEZONE",
    )
)
BERLIN = event("TZID:Europe/Berlin", WINTER, kind="VTIMEZONE")
SERIES = ("RRULE:FREQ=WEEKLY;UNTIL=20270113T230000Z", "EXDATE:20261230T230000Z", MARK)
READ: dict[str, tuple[bytes, str]] = {
    "two calendars": (in_file(EVE, event("DTSTART;VALUE=DATE:20261231")), "2026-12-24 2026-12-31"),
    "two calendars with the same event": (in_file(EVE, EVE), "2026-12-24"),
    "text around the calendar": (b"Dear all\r\n\r\n" + in_file(EVE) + b"\r\nBob\r\n", "2026-12-24"),
    "a mark of UTF-8": (b"\xef\xbb\xbf" + in_file(EVE), "2026-12-24"),
    "UTF-16": (in_file(EVE).decode().encode("utf-16"), "2026-12-24"),
    "Latin-1": (
        in_file(event("DTSTART;VALUE=DATE:20261224", title="Weihnachtsgruß"))
        .decode()
        .encode("latin-1"),
        "2026-12-24",
    ),
    "a date that does not say so": (in_file(event("DTSTART:20261224")), "2026-12-24"),
    "a length": (
        in_file(event("DTSTART;VALUE=DATE:20261224", "DURATION:P2D")),
        "2026-12-24 2026-12-25",
    ),
    "instants with Exchange's mark, east": (
        in_file(span("20261223T230000Z", "20261224T230000Z", MARK)),
        "2026-12-24",
    ),
    "instants with Exchange's mark, west": (
        in_file(span("20261224T050000Z", "20261225T050000Z", MARK)),
        "2026-12-24",
    ),
    "the mark in New Zealand": (
        in_file(span("20261223T110000Z", "20261224T110000Z", MARK)),
        "2026-12-24",
    ),
    "the mark in Hawaii": (
        in_file(span("20261224T100000Z", "20261225T100000Z", MARK)),
        "2026-12-24",
    ),
    "the mark in London": (
        in_file(span("20261224T000000Z", "20261225T000000Z", MARK)),
        "2026-12-24",
    ),
    "the mark in a zone": (
        in_file(f"{BERLIN}\r\n{span('20270629T220000Z', '20270630T220000Z', MARK)}"),
        "2027-06-30",
    ),
    "the mark in a zone for all": (
        in_file(
            f"X-WR-TIMEZONE:Asia/Tokyo\r\n{span('20261223T150000Z', '20261224T150000Z', MARK)}"
        ),
        "2026-12-24",
    ),
    "another mark": (
        in_file(
            span("20261223T230000Z", "20261225T230000Z", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE")
        ),
        "2026-12-24 2026-12-25",
    ),
    "the mark as summer time begins": (
        in_file(span("20270326T230000Z", "20270328T220000Z", MARK)),
        "2027-03-27 2027-03-28",
    ),
    "the mark and the last minute": (
        in_file(span("20261223T230000Z", "20261224T225900Z", MARK)),
        "2026-12-24",
    ),
    "a mark and no end": (
        in_file(event("DTSTART:20261223T230000Z", "X-FUNAMBOL-ALLDAY:1")),
        "2026-12-24",
    ),
    "a mark and a length": (
        in_file(event("DTSTART:20261223T230000Z", "DURATION:P2D", MARK)),
        "2026-12-24 2026-12-25",
    ),
    "a mark that says no": (
        in_file(span("20261224T080000Z", "20261224T170000Z", "X-MICROSOFT-CDO-ALLDAYEVENT:FALSE")),
        "",
    ),
    "a marked series": (
        in_file(span("20261223T230000Z", "20261224T230000Z", *SERIES)),
        "2026-12-24 2027-01-07 2027-01-14",
    ),
    "dates with a zone": (
        in_file(
            event(
                "DTSTART;VALUE=DATE;TZID=Europe/Berlin:20261224",
                "DTEND;VALUE=DATE;TZID=Europe/Berlin:20261226",
            )
        ),
        "2026-12-24 2026-12-25",
    ),
    "line ends of an old Macintosh": (in_file(EVE).replace(b"\r\n", b"\r"), "2026-12-24"),
    "hours in a zone": (
        in_file(span("20261224T000000", "20261226T000000", zone="Europe/Berlin")),
        "2026-12-24 2026-12-25",
    ),
    "hours in a zone far from UTC": (
        in_file(span("20261224T000000", "20261225T000000", zone="Asia/Tokyo")),
        "2026-12-24",
    ),
    "a series in a zone": (
        in_file(
            span(
                "20261224T000000",
                "20261225T000000",
                "RRULE:FREQ=MONTHLY;COUNT=2",
                zone="America/New_York",
            )
        ),
        "2026-12-24 2027-01-24",
    ),
    "a zone that the calendar defines": (
        in_file(f"{CLUB}\r\n{span('20261224T000000', '20261225T000000', zone='Club')}"),
        "2026-12-24",
    ),
    "a zone's name of Windows": (
        in_file(span("20261224T000000", "20261225T000000", zone="W. Europe Standard Time")),
        "2026-12-24",
    ),
    "a zone for all": (
        in_file(f"X-WR-TIMEZONE:Europe/Berlin\r\n{span('20261223T230000Z', '20261224T230000Z')}"),
        "2026-12-24",
    ),
    "an end at the last minute": (
        in_file(span("20261224T000000", "20261224T235900")),
        "2026-12-24",
    ),
    "an end at the last second": (
        in_file(span("20261224T000000", "20261225T235959")),
        "2026-12-24 2026-12-25",
    ),
    "an event of hours": (in_file(span("20261224T080000", "20261224T170000")), ""),
    "a long event before the days that are read": (
        in_file(span("20261129T120000", "20261201T110000")),
        "",
    ),
}
UNKNOWN: dict[str, tuple[str, str]] = {
    "a task": (event("DUE:20261231", title="Pay", kind="VTODO"), "“Pay” (only events"),
    "a diary": (event("DTSTART:20261231", title="Diary", kind="VJOURNAL"), "“Diary” (only events"),
    "a title with signs that nobody sees": (
        event("DUE:20261231", title="\u202ePay\u200b\x07", kind="VTODO"),
        "“Pay” (only events",
    ),
    "busy hours without a title": (
        "BEGIN:VFREEBUSY\r\nUID:1\r\nEND:VFREEBUSY",
        "“VFREEBUSY” (only events",
    ),
    "no date": (event(title="When"), "“When” (its dates"),
    "a date that is none": (event("DTSTART:never", title="Never"), "“Never” (its dates"),
    "a length that is none": (
        event("DTSTART:20261231", "DURATION:long", title="Long"),
        "“Long” (its dates",
    ),
    "a rule that is none": (
        event("DTSTART:20261231", "RRULE:FREQ=OFTEN", title="Often"),
        "“Often” (how it",
    ),
    "a rule by the second": (
        event("DTSTART:00010101T000000Z", "RRULE:FREQ=SECONDLY", title="Pill"),
        "“Pill” (it repeats more",
    ),
    "a rule by the hour": (
        event("DTSTART;VALUE=DATE:20261231", "RRULE:FREQ=HOURLY;COUNT=1", title="Pill"),
        "“Pill” (it repeats more",
    ),
    "a second rule": (
        event("DTSTART:20261231", "RRULE:FREQ=DAILY", "RRULE:FREQ=MINUTELY", title="Pill"),
        "“Pill” (it repeats more",
    ),
    "a rule by two hours": (
        event("DTSTART:20261231", "RRULE:FREQ=DAILY;BYHOUR=1,2", title="Pill"),
        "“Pill” (it repeats more",
    ),
    "an exception by the second": (
        event("DTSTART:20261231", "EXRULE:FREQ=SECONDLY", title="Pill"),
        "“Pill” (it repeats more",
    ),
    "a zone by the second": (
        BERLIN.replace("END:ST", "RRULE:FREQ=SECONDLY;COUNT=1\r\nEND:ST"),
        "“Trip” (it repeats more",
    ),
    "an end before the beginning": (
        event("DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20261229", title="Back"),
        "“Back” (its dates",
    ),
    "a rule of an old calendar": (
        event("DTSTART:20261231T000000", "DTEND:20270101T000000", "RRULE:D1 #3", title="Old rule"),
        "“Old rule” (how it",
    ),
    "another calendar's rule": (
        event("DTSTART:20270206", "RRULE:RSCALE=CHINESE;FREQ=YEARLY", title="新年"),
        "“新年” (how it",
    ),
    "an old exception": (
        event("DTSTART:20261231", "EXRULE:FREQ=DAILY", title="Old"),
        "“Old” (how it",
    ),
    "a day that nobody can place": (
        span("20261229T230000Z", "20261230T230000Z"),
        "“Trip” (it lasts a day",
    ),
}


def found(text: bytes) -> tuple[str, tuple[str, ...]]:
    read = read_days_off(text, FIRST, calendars.DAYS)
    return " ".join(sorted(day.isoformat() for day in read.days)), read.unread


def test_calendars_of_real_programs_are_read() -> None:
    for name, (text, days_) in READ.items():
        assert found(text) == (days_, ()), name


def test_what_is_not_understood_of_a_calendar_is_listed_with_its_title_and_the_rest_is_read() -> (
    None
):
    eve = EVE.replace("Trip", "Eve")
    for name, (entry, left) in UNKNOWN.items():
        days_, unread = found(in_file(f"{eve}\r\n{entry}"))
        assert days_ == "2026-12-24" and len(unread) == 1 and unread[0].startswith(left), (
            name,
            days_,
            unread,
        )
    todos = [event(title=f"{'x' * 200}{number}", kind="VTODO") for number in range(2)]
    many = found(
        in_file(
            "\r\n".join(todos), *(event(title=str(number), kind="VTODO") for number in range(50))
        )
    )[1]
    assert len(many) == 20 and max(map(len, many)) < 120


@pytest.mark.parametrize(
    ("other", "left"),
    [
        (
            in_file(f"CALSCALE:HEBREW\r\nX-WR-CALNAME:Feasts\r\n{EVE}"),
            "“Feasts” (its days are not those of the Gregorian calendar)",
        ),
        (in_file("this is no line"), "“VCALENDAR” (it is no calendar that can be read)"),
        (
            in_file(event("DTSTART:20261231"))[:60],
            "“VCALENDAR” (it is no calendar that can be read)",
        ),
    ],
)
def test_a_calendar_that_cannot_be_read_costs_no_other_of_its_file(other: bytes, left: str) -> None:
    assert found(in_file(EVE) + other) == ("2026-12-24", (left,))
