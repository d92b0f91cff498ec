"""A database that is down, locked or full: every page answers 503, and a sent form can be sent
again unchanged.
"""

import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import expect
from werkzeug.routing import Rule

from adjudicator.platform import db
from adjudicator.platform.db import DatabaseBusy
from tests.cast import ALICE, CHARLIE
from tests.databases import migrate_with_roles
from tests.harness import Harness
from tests.sampling import sample
from tests.servers import start_again, start_postgres, stop_server
from tests.waiting import wait_for_end, wait_until
from tests.web.live import Live
from tests.web.site import Site, Visitor, page_text

VALUES = {
    "key": "pyramid",
    "game": "pyramid",
    "seat": "2",
    "opening": "1",
    "tournament": "abcdefghj",
    "language": "en",
    "name": "one",
    "token": "abc",
    "number": 1,
    "tile": "0/000.p/1",
    "phase": 1,
    "seq": 1,
    "ref": "1.0",
    "filename": "base.css",
    "word": "undo",
}
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
AREA = re.compile(r'<textarea id="again-\d+" name="([^"]+)"[^>]*>([^<]*)</textarea>')


def addresses(site: Site, uid: str) -> Iterator[tuple[str, str]]:
    """Return every address of the site with each method."""
    urls = site.app.url_map.bind("localhost")
    for rule in site.app.url_map.iter_rules():
        path = urls.build(rule.endpoint, _values(rule, uid), force_external=False)
        yield from (
            (method, path) for method in sorted(rule.methods or ()) if method in ("GET", "POST")
        )


def _values(rule: Rule, uid: str) -> dict[str, object]:
    kind = "stop" if rule.endpoint.startswith("letters.") else "offers"
    values = VALUES | {"uid": uid, "kind": kind}
    return {name: values[name] for name in rule.arguments}


def all_say_so(site: Site, visitor: Visitor, uid: str) -> int:
    """Expect no address to answer 500; returns how many answer 503."""
    away = 0
    token = visitor.token()
    for method, path in addresses(site, uid):
        form = {
            "csrf_token": token,
            "text": "B3",
            "phase": "1",
            "game": "pyramid",
            "address": "bob@example.org",
            "word": "ready",
        }
        answer = visitor.client.open(
            path, method=method, data=form if method == "POST" else None, buffered=True
        )
        assert answer.status_code < 500 or answer.status_code == 503, (method, path)
        if answer.status_code == 503 and answer.mimetype == "text/html":
            assert "Not just now" in answer.text and answer.headers["Retry-After"] == "10", path
            away += 1
    return away


def press_again(visitor: Visitor, page: str) -> str:
    """Send a form that was offered again; returns the response."""
    form = page.partition('class="sheet form"')[2].partition("</form>")[0]
    action = page[: page.index('class="sheet form"')].rpartition('action="')[2].partition('"')[0]
    fields = [(name, unescape(value)) for name, value in FIELD.findall(form) + AREA.findall(form)]
    return visitor.client.post(action, data=dict(fields)).text


def back(visitor: Visitor, page: str) -> str:
    """Send a form again; return the response, "" while the database is away."""
    again = press_again(visitor, page)
    return "" if "Not just now" in again else again


def test_with_a_stopped_postgresql_every_page_says_so_and_orders_go_out_when_it_is_back(
    tmp_path: Path,
) -> None:
    with tempfile.TemporaryDirectory() as folder:  # one that PostgreSQL's own user may enter
        stopped_and_started(Path(folder) / "postgres", tmp_path)


def stopped_and_started(home: Path, tmp_path: Path) -> None:
    server = start_postgres(home)
    try:
        migrate_with_roles(server.url)
        harness = Harness(server.url)
        harness.now = harness.database.now()  # the real one: requests ask the database for the time
        site = Site.create(harness, tmp_path / "data")
        uid, alice = site.begin_match(), site.visitor(ALICE)
        alice.get(f"/matches/{uid}")
        stop_server(server)
        assert all_say_so(site, alice, uid) > 50
        assert site.visitor().get("/robots.txt").status_code == 200
        answer = alice.post(
            f"/matches/{uid}/orders",
            {"phase": "1", "slot-pick": "B3", "plan": "W1 OR <W2>", "says": "wait"},
        )
        assert answer.status_code == 503 and "press the button in a moment" in page_text(answer)
        assert "Your orders: B3" in page_text(answer)
        server = start_again(server, home)
        page = wait_until(lambda: back(alice, answer.text), "PostgreSQL to be back")
        assert "Sealed: Round 1" in page and "B3" in page and "&lt;W2&gt;" in page
        site.app.extensions["database"].engine.dispose()
        site.harness.dispose()
    finally:
        stop_server(server)


HOLD = """import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()"""


def test_a_sqlite_file_that_another_process_holds(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "WAIT_SECONDS", 0.05)
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    file = small_site.harness.database.engine.url.database
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert (
        holder.stdout is not None
        and holder.stdin is not None
        and holder.stdout.readline() == b"held\n"
    )
    try:
        all_say_so(small_site, alice, uid)
        answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "text": "B3 with thought"})
        assert answer.status_code == 503
    finally:
        holder.stdin.close()
        wait_for_end(holder)
        holder.stdout.close()
    assert "Sealed: Round 1" in press_again(alice, answer.text.replace("B3 with thought", "B3"))


@contextmanager
def no_room(file: Path) -> Iterator[None]:
    """Limit files of this process to this file's size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_without_room(small_site: Site) -> None:
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    with no_room(Path(f"{small_site.harness.database.engine.url.database}-wal")):
        answer = alice.post(f"/matches/{uid}/orders", {"phase": "1", "text": "B3"})
        assert answer.status_code == 503 and answer.headers["Retry-After"]
        assert alice.get(f"/matches/{uid}").status_code == 200
        all_say_so(small_site, alice, uid)
    assert "Sealed: Round 1" in press_again(alice, answer.text)


def test_a_form_that_another_site_sent_is_not_given_back(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise DatabaseBusy

    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    alice.token()
    monkeypatch.setattr("web.http.request_context.sessions.use_of", busy)
    answer = alice.client.post(
        f"/matches/{uid}/orders", data={"phase": "1", "text": "B3", "csrf_token": "forged"}
    )
    assert answer.status_code == 503 and "Send it again" not in answer.text and "B3" in answer.text


def test_a_fault_that_is_ours_is_no_outage(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_file(*_: object, **__: object) -> None:
        raise FileNotFoundError(2, "no such file")

    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    monkeypatch.setattr("web.matches.match_page.match_page.match_page", no_file)
    assert alice.get(f"/matches/{uid}").status_code == 500


@pytest.mark.parametrize("javascript", sample([True, False], 1))
def test_in_a_browser_a_second_press_sends_what_was_chosen(
    live: Live, monkeypatch: pytest.MonkeyPatch, javascript: bool
) -> None:
    from adjudicator.service.orders import submitting

    submit, tries = submitting.submit_orders, []

    def once_busy(*arguments: object) -> object:
        tries.append(arguments)
        if len(tries) == 1:
            raise DatabaseBusy
        return submit(*arguments)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr("web.matches.orders.submitting.submit_orders", once_busy)
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", CHARLIE, java_script_enabled=javascript)
    page.locator("label.pick:has(input[value=C2])").click()
    page.locator("#choices").get_by_role("button", name="Seal and say ready").click()
    expect(page.get_by_role("heading", name="Not just now")).to_be_visible()
    if javascript:
        expect(page.locator("input[value=C2]")).to_be_checked()
        page.locator("#choices").get_by_role("button", name="Seal and say ready").click()
    else:
        page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    expect(page.get_by_role("heading", name="Not just now")).to_have_count(0)
    assert len(tries) == 2
