"""A hostile visitor cannot choose what is sent, to whom, or where a redirect leads."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adjudicator.service.letters import bounces
from adjudicator.service.people import block_list
from tests.cast import ALICE, BOB, MALLORY, address
from tests.harness import Harness
from tests.waiting import wait_until
from tests.web.site import Site, page_text
from web.http import security
from web.matches import history

VICTIM = "victim@example.net"
DEEDS = (
    ("invite", {"invited": VICTIM}),
    ("seat", {"wish": VICTIM}),
    ("wishes", {"wish": VICTIM}),
    ("press", {"text": VICTIM, "to": "1"}),
    ("fill", {}),
    ("leave", {}),
)


def sent(site: Site) -> list[str]:
    """Return the addresses of all waiting letters."""
    site.letters("")
    return [letter.address for letter in site.posted]


def test_a_guest_makes_the_service_write_to_nobody_by_any_form(small_site: Site) -> None:
    guest, uid = small_site.visitor(), small_site.make_open_match(invited=())
    guest.post("/play")
    own = guest.post(
        "/matches/new",
        {
            "game": "pyramid",
            "name": "M",
            "every_hours": "1",
            "grace_minutes": "0",
            "open": "1",
            "play": "1",
        },
    )
    for path in (uid, own.headers["Location"].rpartition("/")[2]):
        for deed, form in DEEDS:
            guest.post(f"/matches/{path}/{deed}", form)
    guest.post("/account", {"name": VICTIM, "zone": "UTC", "letters": "1"})
    assert VICTIM not in sent(small_site)


@pytest.mark.parametrize(
    "form",
    [
        {"address": f"{VICTIM}\r\nBcc: x@example.net"},
        {"address": f"{VICTIM},x@example.net"},
        {"address": f"x <{VICTIM}>"},
    ],
)
def test_no_address_is_more_than_one(small_site: Site, form: dict[str, str]) -> None:
    assert small_site.visitor().post("/sign-in", form).status_code == 400 and sent(small_site) == []


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "/\\evil.example",
        "https:evil.example",
        "/\tevil",
        "/\r\nSet-Cookie: a=b",
        "\\\\evil",
        "///evil",
    ],
)
def test_sign_in_leads_to_this_site_by_every_way(small_site: Site, path: str) -> None:
    visitor = small_site.visitor()
    visitor.post("/sign-in", {"address": "dora@example.org", "next": path})
    token = small_site.letters("signin")[-1]["token"]
    assert small_site.letters("signin")[-1]["next"] == "/"
    entered = visitor.post(f"/sign-in/{token}", {"next": path})
    assert entered.headers["Location"] == "/" and "evil" not in str(entered.headers)


@pytest.mark.parametrize("proxies", [0, 1])
def test_another_hosts_name_gets_no_page_and_into_no_letter(
    sqlite_url: str, tmp_path: Path, proxies: int
) -> None:
    harness = Harness(sqlite_url)
    site = Site.create(
        harness, tmp_path, site_url="https://orders.example.org", trusted_proxies=proxies
    )
    client = site.app.test_client()
    headers = (
        {"Host": "evil.example"}
        if not proxies
        else {"Host": "orders.example.org", "X-Forwarded-Host": "evil.example"}
    )
    answer = client.post("/sign-in", data={"address": VICTIM}, headers=headers)
    assert answer.status_code == 400 and sent(site) == []
    harness.dispose()


def test_another_site_can_send_no_form_of_somebody_signed_in(small_site: Site) -> None:
    alice, mallory = small_site.visitor(ALICE), small_site.visitor(MALLORY)
    uid = small_site.make_open_match(invited=())
    mallory.get("/")
    forged = {"csrf_token": mallory.token(), "invited": VICTIM}
    alice.get("/")
    answer = alice.client.post(
        f"/matches/{uid}/invite", data=forged, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 400 and VICTIM not in sent(small_site)


def test_sign_in_tells_nobody_who_is_blocked_or_wants_no_letters(small_site: Site) -> None:
    small_site.make_open_match()
    bounces.never_by_token(
        small_site.harness.database,
        small_site.letters("invitation")[-1]["never_token"],
        now=small_site.harness.now,
    )
    block_list.block_address(
        small_site.harness.database, "blocked@example.net", now=small_site.harness.now
    )
    pages = [
        page_text(small_site.visitor().post("/sign-in", {"address": to})).replace(to, "IT")
        for to in ("blocked@example.net", address(BOB), address(ALICE), "new@example.net")
    ]
    assert len(set(pages)) == 1


@pytest.mark.parametrize(
    "path",
    [
        "/sign-in/{}",
        "/invitations/{}/accept",
        "/invitations/{}/decline",
        "/letters/stop/{}",
        "/letters/never/{}",
    ],
)
def test_a_guessed_secret_opens_nothing(small_site: Site, path: str) -> None:
    small_site.make_open_match()
    for guess in ("0" * 26, "a" * 43, "None", "%00", "1"):
        assert small_site.visitor().post(path.format(guess)).status_code in (404, 405, 409)


def test_few_threads_work_on_files_that_take_long(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid, begun, go_on = small_site.begin_match(), list[str](), threading.Event()

    def make(*_: object) -> dict[str, str]:
        begun.append("one")
        go_on.wait()
        return {}

    monkeypatch.setattr(history.log_bundle, "export_bundle", make)
    with ThreadPoolExecutor() as pool:
        # of eight threads
        busy = [pool.submit(small_site.visitor().get, f"/matches/{uid}/log.json") for _ in range(2)]
        try:
            wait_until(lambda: len(begun) == 2, "two files to be made")
            for path in ("log.json", "transcript.json", "saved.json", "moving.svg"):
                answer = small_site.visitor().get(f"/matches/{uid}/{path}")
                assert answer.status_code == 503 and "Try again in a few seconds" in page_text(
                    answer
                ), path
                assert answer.headers["Retry-After"] == "10"
            assert small_site.visitor().get(f"/matches/{uid}").status_code == 200, (
                "all else is answered"
            )
        finally:
            go_on.set()
        assert [each.result().status_code for each in busy] == [200, 200]
    assert small_site.visitor().get(f"/matches/{uid}/log.json").status_code == 200, (
        "their places are free again"
    )
    rates = security.rates_of(small_site.app)
    assert rates["tournament_results.record"].heavy and rates["accounts.data"].heavy


def test_every_form_has_a_rate(small_site: Site) -> None:
    rates = security.rates_of(small_site.app)
    forms = {
        rule.endpoint
        for rule in small_site.app.url_map.iter_rules()
        if "POST" in (rule.methods or ())
    }
    assert forms - set(rates) == {"letters.stop"}
    for endpoint in (
        "masters.warn",
        "masters.replace",
        "votes.vote",
        "tenure.resign",
        "directing.act",
        "press.write",
        "accounts.end_sessions",
    ):
        assert rates[endpoint].by_person, endpoint


def test_a_form_that_is_sent_too_often_waits(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    for path, times in (("warn", 30), ("replace", 30)):
        form = {"seat": "7", "csrf_token": alice.token()}
        codes = [
            alice.client.post(f"/matches/{uid}/{path}", data=form).status_code
            for _ in range(times + 1)
        ]
        assert 429 not in codes[:times] and codes[times] == 429, path
