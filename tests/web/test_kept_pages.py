"""Kept pages: whatever a page shows changes it at once, nobody gets the page of another, and no
token is kept.
"""

import gzip
import re
from itertools import product

import pytest

from adjudicator.service.matches import masters
from tests.asked import asking, queries_of
from tests.cast import ALICE, BOB
from tests.web.kept import VIEWERS, begin, keeps, made, stored, tag_of
from tests.web.site import Site, without_tokens

MOST_ANEW = 6
MOST_STATEMENTS = 2  # the session, and the basis


# --- what is kept


@pytest.mark.parametrize("name", VIEWERS)
def test_an_unchanged_page_is_made_once(
    small_site: Site, monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    keeps(small_site)
    uid, visitor, found = begin(small_site), small_site.visitor(name), made(small_site, monkeypatch)
    for path in (f"/matches/{uid}", f"/matches/{uid}/phases/1", f"/matches/{uid}/phases/2"):
        first, again = visitor.get(path), visitor.get(path)
        assert found == [path] and without_tokens(first.text) == without_tokens(again.text)
        assert first.status_code == again.status_code == 200
        found.clear()


def test_visitors_share_a_page_and_players_do_not(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps(small_site)
    uid, found = begin(small_site), made(small_site, monkeypatch)
    one, other = small_site.visitor(), small_site.visitor()
    assert without_tokens(one.get(f"/matches/{uid}").text) == without_tokens(
        other.get(f"/matches/{uid}").text
    )
    assert len(found) == 1
    for name in VIEWERS[1:]:
        small_site.visitor(name).get(f"/matches/{uid}")
    assert len(found) == len(VIEWERS)


def test_a_phase_of_an_ended_match_stays_for_months(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps(small_site)
    uid = small_site.play_to_end()
    found, visitor = made(small_site, monkeypatch), small_site.visitor()
    for _ in range(3):
        visitor.get(f"/matches/{uid}/phases/2")
        small_site.harness.later(days=10)
    assert len(found) == 1


def test_a_page_makes_few_statements_and_a_kept_one_hardly_any(small_site: Site) -> None:
    keeps(small_site)
    uid, database = begin(small_site), small_site.app.extensions["database"]
    for name, path in product(VIEWERS, (f"/matches/{uid}", f"/matches/{uid}/phases/1")):
        visitor = small_site.visitor(name)
        for most in (MOST_ANEW, MOST_STATEMENTS):
            with asking(database) as asked:
                visitor.get(path)
            assert 0 < len(queries_of(asked)) <= most, (name, path, asked)


def test_pages_with_a_query_before_the_beginning_and_answers_to_forms_are_not_kept(
    small_site: Site,
) -> None:
    kept = keeps(small_site)
    uid, alice = begin(small_site), small_site.visitor(ALICE)
    gathering = small_site.make_open_match()
    alice.get(f"/matches/{uid}?said=1")
    alice.get(f"/matches/{gathering}")
    alice.get("/")
    assert (
        alice.post(
            f"/matches/{uid}/orders", {"phase": "2", "slot-piece": "W3", "says": ""}
        ).status_code
        == 200
    )
    assert kept.pages.size == 0


def test_a_page_that_was_kept_for_head_is_that_of_get(small_site: Site) -> None:
    keeps(small_site)
    path, visitor = f"/matches/{begin(small_site)}/phases/1", small_site.visitor()
    assert visitor.client.head(path, buffered=True).status_code == 200
    assert f"/sign-in?next={path}" in visitor.get(path).text


def test_no_more_is_kept_than_the_limit(small_site: Site) -> None:
    kept = keeps(small_site, most=100_000)
    uid = begin(small_site)
    for name in VIEWERS:
        visitor = small_site.visitor(name)
        for path in ("", "/phases/0", "/phases/1", "/phases/2"):
            visitor.get(f"/matches/{uid}{path}")
            assert 0 < kept.pages.size <= 100_000
    assert kept.pages.size == sum(page.size for page in stored(kept).values())
    assert (
        not keeps(small_site, most=10).pages.size
        and small_site.visitor().get(f"/matches/{uid}").status_code == 200
    )


# --- tokens


def test_a_kept_page_has_no_token_and_each_answer_its_own(small_site: Site) -> None:
    kept = keeps(small_site)
    uid, alice, seen = begin(small_site), small_site.visitor(ALICE), set()
    for _ in range(3):
        page = alice.get(f"/matches/{uid}").text
        tokens = set(re.findall(r"m\.[A-Za-z0-9_=-]{80,}", page))
        assert len(tokens) == 1 and page.count(*tokens) > 2
        seen |= tokens
        with alice.client.session_transaction() as cookie:
            secret = str(cookie["csrf_token"])
        for page_kept in stored(kept).values():
            whole = b"".join(page_kept.parts)
            assert (
                secret.encode() not in whole
                and not any(token.encode() in whole for token in tokens)
                and b"m." not in whole[:4000]
            )
    assert len(seen) == 3
    assert (
        alice.post(
            f"/matches/{uid}/orders", {"phase": "2", "slot-piece": "W3", "says": ""}
        ).status_code
        == 200
    )


def test_the_token_of_a_kept_page_is_of_the_browser_that_asks(small_site: Site) -> None:
    keeps(small_site)
    uid = begin(small_site)
    one, other = small_site.visitor(ALICE), small_site.visitor(ALICE)
    for browser in (one, other):
        browser.get(f"/matches/{uid}")
    form = {"phase": "2", "slot-piece": "W3", "says": "", "csrf_token": one.token()}
    assert other.client.post(f"/matches/{uid}/orders", data=form).status_code == 400, (
        "a token of another browser"
    )
    assert one.client.post(f"/matches/{uid}/orders", data=form).status_code == 200


def test_a_compressed_page_is_the_same_page(small_site: Site) -> None:
    keeps(small_site)
    uid = begin(small_site)
    for name in VIEWERS:
        visitor = small_site.visitor(name)
        for path in (f"/matches/{uid}", f"/matches/{uid}/phases/1"):
            plain = visitor.get(path)
            for _ in range(2):
                answer = visitor.client.get(path, headers={"Accept-Encoding": "gzip"})
                assert (
                    answer.headers["Content-Encoding"] == "gzip"
                    and "Accept-Encoding" in answer.headers["Vary"]
                )
                assert without_tokens(gzip.decompress(answer.data).decode()) == without_tokens(
                    plain.text
                )
                assert answer.content_length == len(answer.data) < len(plain.data) / 3
                assert set(
                    re.findall(r"m\.[A-Za-z0-9_=-]{80,}", gzip.decompress(answer.data).decode())
                ) != {visitor.token()}


# --- 304


def test_a_browser_with_the_page_gets_304_until_it_changes(site: Site) -> None:
    keeps(site)
    uid, bob = begin(site), site.visitor(BOB)
    for visitor in (site.visitor(), bob):
        first = visitor.get(f"/matches/{uid}")
        again = visitor.get(f"/matches/{uid}", headers={"If-None-Match": first.headers["ETag"]})
        assert (
            again.status_code == 304
            and not again.data
            and again.headers["ETag"] == first.headers["ETag"]
        )
        assert again.headers["Cache-Control"].startswith("private")
    site.harness.order(uid, BOB, "W3")
    asked = {"If-None-Match": first.headers["ETag"]}
    assert bob.get(f"/matches/{uid}", headers=asked).status_code == 200, "his orders are in"
    masters.pause_match(
        site.harness.database, uid, site.harness.people[ALICE], now=site.harness.now
    )
    assert visitor.get(f"/matches/{uid}", headers=asked).status_code == 200


def test_a_browser_that_lost_its_cookie_gets_the_page_with_a_new_token(small_site: Site) -> None:
    keeps(small_site)
    uid, visitor, alice = begin(small_site), small_site.visitor(), small_site.visitor(ALICE)
    tags = [
        each.get(f"/matches/{uid}").headers["ETag"]
        for each in (visitor, alice, small_site.visitor())
    ]
    assert len(set(tags)) == 3, "a tag says which browser's token a page has"
    visitor.client.delete_cookie("sealed-forms")
    assert visitor.get(f"/matches/{uid}", headers={"If-None-Match": tags[0]}).status_code == 200


def test_a_tag_tells_the_bytes_of_the_page_and_nothing_else(small_site: Site) -> None:
    keeps(small_site)
    uid = begin(small_site)
    for name in VIEWERS:
        visitor = small_site.visitor(name)
        for path in (f"/matches/{uid}", f"/matches/{uid}/phases/1"):
            answer = visitor.get(path)
            assert answer.headers["ETag"] == f'W/"{tag_of(visitor, answer)}"'


def test_a_new_release_of_the_templates_has_other_tags(small_site: Site) -> None:
    keeps(small_site)
    uid, visitor = begin(small_site), small_site.visitor()
    tag = visitor.get(f"/matches/{uid}").headers["ETag"]
    keeps(small_site)
    assert visitor.get(f"/matches/{uid}", headers={"If-None-Match": tag}).status_code == 304, (
        "a process that starts again"
    )
    keeps(small_site)
    small_site.app.jinja_env.globals["asset"] = lambda name: f"/static/{name}?v=newer"
    answer = visitor.get(f"/matches/{uid}", headers={"If-None-Match": tag})
    assert answer.status_code == 200 and "v=newer" in answer.text


def test_a_theme_is_another_page(small_site: Site) -> None:
    keeps(small_site)
    uid, visitor = begin(small_site), small_site.visitor()
    assert "data-theme" not in visitor.get(f"/matches/{uid}").text
    visitor.client.set_cookie("sealed-theme", "dark")
    assert 'data-theme="dark"' in visitor.get(f"/matches/{uid}").text
    assert "data-theme" not in small_site.visitor().get(f"/matches/{uid}").text
