"""Answers without Flask: an equal request gets what Flask would answer, anything else goes through
Flask.
"""

import gzip
import re
from itertools import product
from threading import Event, Thread

import pytest
import time_machine
from sqlmodel import select
from werkzeug.test import TestResponse

from adjudicator.service.base.tables import SignedIn
from tests.cast import ALICE, MALLORY
from tests.waiting import wait_until
from tests.web.kept import begin, keeps, made
from tests.web.site import Site, without_tokens
from web.http import kept_pages
from web.http.kept_pages import Key


@pytest.fixture
def by_flask(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the address of each kept page that Flask sends."""
    found: list[str] = []
    real = kept_pages._respond

    def respond(page: kept_pages.KeptPage) -> object:
        found.append(kept_pages.request.path)
        return real(page)

    monkeypatch.setattr(kept_pages, "_respond", respond)
    return found


def told(answer: TestResponse) -> object:
    """Return all that an answer says, but for its tokens, and the secret and the date of its
    cookie.
    """
    packed = answer.headers.get("Content-Encoding") == "gzip"
    text = (gzip.decompress(answer.data) if packed else answer.data).decode()
    headers = {
        name: re.sub(r"(sealed-forms|Expires)=[^;]+", r"\1", value)
        for name, value in answer.headers.items()
        if name != "ETag"
    }
    return answer.status, sorted(headers.items()), without_tokens(text)


def test_an_equal_request_is_answered_as_by_flask(small_site: Site, by_flask: list[str]) -> None:
    keeps(small_site)
    uid = begin(small_site)
    pages = (f"/matches/{uid}", f"/matches/{uid}/phases/1", "/watch")
    asked: list[tuple[str | None, str]] = [(None, path) for path in pages]
    asked += [(name, path) for name in (MALLORY, ALICE) for path in pages[:2]]
    for (name, path), takes in product(asked, ("identity", "gzip, br")):
        case, headers = (name, path, takes), {"Accept-Encoding": takes}
        visitor = small_site.visitor(name)
        first = visitor.client.get(path, headers=headers)
        assert by_flask, case
        by_flask.clear()
        again = visitor.client.get(path, headers=headers | {"User-Agent": "another"})
        without_cookie = small_site.visitor(name)
        if name is not None:  # in another session, which is another request
            without_cookie.client.set_cookie("sealed", visitor.client.get_cookie("sealed").value)  # type: ignore[union-attr]
        new = without_cookie.client.get(path, headers=headers)
        assert not by_flask, case
        assert told(new) == told(first) and again.headers["ETag"] == first.headers["ETag"], case
        assert again.headers.get("Set-Cookie") is None, case
        assert new.headers["ETag"] != first.headers["ETag"], (case, "another secret")


def test_what_is_not_equal_goes_through_flask(small_site: Site, by_flask: list[str]) -> None:
    keeps(small_site)
    path, alice = f"/matches/{begin(small_site)}", small_site.visitor(ALICE)
    tag = alice.get(path).headers["ETag"]
    alice.get(path)
    assert len(by_flask) == 1
    for other in (
        {"query_string": "said=1"},
        {"headers": {"If-None-Match": tag}},
        {"headers": {"HX-Request": "true"}},
        {"headers": {"X-Forwarded-For": "203.0.113.9"}},
        {"headers": {"X-New": "unknown"}},
        {"headers": {"If-None-Match": "*"}},
        {"environ_overrides": {"REMOTE_ADDR": "203.0.113.9"}},
    ):
        by_flask.clear()
        assert alice.get(path, **other).status_code in (200, 304)
        assert bool(by_flask) == ("query_string" not in other), other
    assert alice.get(path, base_url="http://elsewhere.example").status_code == 400
    visitor = small_site.visitor()
    visitor.get("/watch", environ_overrides={"SCRIPT_NAME": "/elsewhere"})
    assert "/elsewhere" not in visitor.get("/watch").text
    stray = {"Cookie": "x=\xff"}
    other_client = small_site.app.test_client(use_cookies=False)
    assert other_client.get("/watch", headers=stray).status_code == 200
    alice.client.set_cookie("sealed-theme", "dark")
    assert 'data-theme="dark"' in alice.get(path).text


def test_a_session_is_looked_up_each_time(small_site: Site, by_flask: list[str]) -> None:
    keeps(small_site)
    path, alice = f"/matches/{begin(small_site)}", small_site.visitor(ALICE)
    for _ in range(2):
        assert "You owe orders" in alice.get(path).text
    assert len(by_flask) == 1
    with small_site.harness.database.write_tx() as session:
        for row in session.exec(select(SignedIn)):
            row.ended_at = small_site.harness.now
    assert "You owe orders" not in alice.get(path).text


def test_a_cookie_without_flask_has_a_token_that_works_and_is_renewed(
    small_site: Site, by_flask: list[str]
) -> None:
    keeps(small_site)
    uid, alice = begin(small_site), small_site.visitor(ALICE)
    alice.get(f"/matches/{uid}")
    alice.client.delete_cookie("sealed-forms")
    assert "Set-Cookie" in alice.get(f"/matches/{uid}").headers and len(by_flask) == 1
    form = {"phase": "2", "slot-piece": "W3", "says": ""}
    assert alice.post(f"/matches/{uid}/orders", form).status_code == 200
    renewed = []
    for minutes in (0, 0, 30, 31, 1):
        with time_machine.travel(small_site.harness.later(minutes=minutes), tick=False):
            if not renewed:
                alice.client.delete_cookie("sealed-forms")
            renewed.append("Set-Cookie" in alice.get(f"/matches/{uid}").headers)
    assert renewed == [True, False, False, True, False]


def test_an_answer_without_flask_is_counted(small_site: Site, by_flask: list[str]) -> None:
    keeps(small_site)
    path, visitor = f"/matches/{begin(small_site)}", small_site.visitor()
    for _ in range(3):
        visitor.get(path)
    labels = {"method": "GET", "endpoint": "matches.match", "status": "200"}
    registry = small_site.app.extensions["figures"]
    assert len(by_flask) == 1
    assert registry.get_sample_value("sealed_http_requests_total", labels) == 3


def test_of_two_who_ask_at_once_one_makes_the_page(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, found, waits = keeps(small_site), made(small_site, monkeypatch), Event()
    path, real_making, real = f"/matches/{begin(small_site)}", kept.making, kept_pages._render
    pages: list[str] = []
    other = Thread(target=lambda: pages.append(small_site.visitor().get(path).text))

    def making(key: Key) -> object:
        if other.is_alive():
            waits.set()
        return real_making(key)

    def render(*given: object) -> object:
        if not other.ident:
            other.start()
            wait_until(waits.is_set, "the other to wait")
        return real(*given)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(kept, "making", making)
    monkeypatch.setattr(kept_pages, "_render", render)
    pages.append(small_site.visitor().get(path).text)
    other.join()
    assert len(found) == 1 and without_tokens(pages[0]) == without_tokens(pages[1])
