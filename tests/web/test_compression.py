"""Compression of text, and the cache of pages that are the same for all. No secret is compressed
beside other people's text.
"""

import gc
import gzip
import re
import socket
from typing import Any

import pytest

from adjudicator.service.views import game_info
from tests.cast import ALICE, BOB
from tests.web.site import Site, page_text, without_tokens
from web.http import compression
from web.http.middleware import DropClosed
from web.site import rules

ZIP = {"Accept-Encoding": "gzip, br"}


def packed(site: Site, path: str, name: str | None = None) -> bool:
    """Whether a page is sent compressed; asserts that it decompresses to the same page."""
    visitor = site.visitor(name)
    plain, answer = (
        visitor.client.get(path, buffered=True),
        visitor.client.get(path, headers=ZIP, buffered=True),
    )
    if answer.headers.get("Content-Encoding") != "gzip":
        assert "Content-Encoding" not in answer.headers
        return False
    opened = gzip.decompress(answer.data)
    assert without_tokens(opened.decode()) == without_tokens(plain.text) and len(answer.data) < len(
        plain.data
    )
    assert answer.content_length == len(answer.data) and "Accept-Encoding" in answer.headers["Vary"]
    return True


@pytest.mark.parametrize(
    "path",
    [
        "/static/base.css?v=1",
        "/static/htmx-4.0.1.min.js",
        "/static/seal.svg",
        "/rules",
        "/rules/pyramid",
        "/",
        "/matches/{uid}",
    ],
)
def test_text_is_compressed(small_site: Site, path: str) -> None:
    assert packed(small_site, path.format(uid=small_site.begin_match()), ALICE)


@pytest.mark.parametrize(
    "path",
    [
        "/matches/{uid}/press",
        "/sign-in?next=/rules",
        "/mailbox",
        "/mailbox?to=bob",
        "/sign-in/abc",
        "/robots.txt",
    ],
)
def test_secrets_beside_the_words_of_others_are_not(small_site: Site, path: str) -> None:
    assert not packed(small_site, path.format(uid=small_site.begin_match()), ALICE)


def test_an_answer_to_a_form_is_compressed_and_one_to_a_forged_form_is_not(
    small_site: Site,
) -> None:
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    path = f"/matches/{uid}/orders"
    form = {"phase": "1", "slot-pick": "B3", "csrf_token": alice.token()}
    assert alice.client.post(path, data=form, headers=ZIP).headers["Content-Encoding"] == "gzip"
    assert (
        "Content-Encoding"
        not in alice.client.post(path, data=form | {"csrf_token": "m.forged"}, headers=ZIP).headers
    )


def test_a_token_looks_different_in_every_answer_and_is_taken_all_the_same(
    small_site: Site,
) -> None:
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    tokens = []
    for _ in range(2):
        page = alice.get(f"/matches/{uid}").text
        tokens.append(alice.token())
        assert len(set(re.findall(r"m\.[A-Za-z0-9_-]{80,}=*", page))) == 1
    assert tokens[0] != tokens[1] and not set(re.findall(".{12}", tokens[0])) & set(
        re.findall(".{12}", tokens[1])
    )
    for token in (*tokens, "m.", "m.%%%", "m.AAAA"):
        answer = alice.client.post(
            f"/matches/{uid}/say", data={"csrf_token": token, "word": "wait", "phase": "1"}
        )
        assert (answer.status_code == 400) == (token not in tokens), token


def test_pages_for_all_are_laid_once_and_need_not_be_sent_twice(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules._pictures.cache_clear()
    drawn: list[str] = []
    draw = game_info.pictures
    monkeypatch.setattr(game_info, "pictures", lambda key: drawn.append(key) or draw(key))
    first, again = (small_site.visitor().get("/rules") for _ in range(2))
    assert first.data == again.data and len(drawn) == len(game_info.games())
    assert (
        "max-age=300" in first.headers["Cache-Control"]
        and "Set-Cookie" not in first.headers
        and "Cookie" in first.headers["Vary"]
    )
    known = small_site.visitor().get("/rules", headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.data) == (304, b"")
    assert (
        small_site.visitor().get("/rules/genesis").data
        != small_site.visitor().get("/rules/genesis/ru").data
    )
    assert len(drawn) == len(game_info.games())


def test_a_file_that_the_browser_has_already_is_closed_unread(small_site: Site) -> None:
    tag = small_site.visitor().get("/static/seal.svg").headers["ETag"]
    answer = small_site.visitor().client.get(
        "/static/seal.svg", headers={"If-None-Match": tag} | ZIP
    )
    assert answer.status_code == 304
    del answer  # a file left open would raise a warning here
    gc.collect()


def test_the_boards_of_many_phases_displace_no_file(small_site: Site) -> None:
    compression._kept.cache_clear()
    path, visitor = f"/matches/{small_site.begin_match()}/boards/0.svg", small_site.visitor()
    for address in ("/static/base.css", path, "/games/pyramid/picture.svg"):
        assert (
            visitor.client.get(address, headers=ZIP, buffered=True).headers["Content-Encoding"]
            == "gzip"
        )
    assert (
        compression._kept.cache_info().currsize,
        compression._kept_picture.cache_info().currsize > 0,
    ) == (1, True)


def test_a_player_sees_their_own_head_over_them_and_no_proxy_keeps_it(small_site: Site) -> None:
    small_site.visitor().get("/rules")
    page = small_site.visitor(BOB).get("/rules")
    assert (
        "Bob" in page_text(page)
        and page.headers["Cache-Control"] == "private, no-store"
        and "Bob" not in page_text(small_site.visitor().get("/rules"))
    )


def test_a_page_for_all_holds_no_token(small_site: Site) -> None:
    assert "m." not in re.findall(r'value="(m\.)', small_site.visitor().get("/rules").text)
    assert "X-CSRFToken" not in small_site.visitor().get("/rules").text


@pytest.mark.parametrize(
    ("method", "open_", "reached"),
    [("GET", True, True), ("GET", False, False), ("POST", False, True)],
)
def test_what_nobody_waits_for_is_not_read_but_what_was_sent_is_carried_out(
    method: str, open_: bool, reached: bool
) -> None:
    calls: list[str] = []

    def site(environ: dict[str, Any], _start: Any) -> list[bytes]:
        calls.append(environ["REQUEST_METHOD"])
        return [b"done"]

    ours, theirs = socket.socketpair()
    if not open_:
        theirs.close()
    DropClosed(site)({"REQUEST_METHOD": method, "gunicorn.socket": ours}, lambda *_: None)
    assert bool(calls) == reached
    ours.close()
    theirs.close()


def test_a_request_that_follows_at_once_is_no_farewell() -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(b"GET / HTTP/1.1\r\n")
    answered = DropClosed(lambda *_: [b"done"])(
        {"REQUEST_METHOD": "GET", "gunicorn.socket": ours}, lambda *_: None
    )
    assert answered == [b"done"] and ours.recv(3) == b"GET"
    ours.close()
    theirs.close()
