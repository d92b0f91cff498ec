"""Protection of the site: forgery, rate limits, headers and cookies; a GET changes nothing."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
import time_machine
from flask import request

from adjudicator.platform.config import read_settings
from adjudicator.service.base.tables import all_tables
from adjudicator.service.handover import substitutes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.starting import links
from tests.asked import asking, queries_of
from tests.cast import ALICE, BOB, address
from tests.harness import Harness
from tests.service.tournament_play import begun
from tests.web.site import Site, Visitor, page_text
from tests.web.test_pages import post
from web.app import create_app
from web.http.page_rules import rules_of

# every page by its endpoint; {uid} is a running match, {done} an ended one, {free} one with free
# seats
GETS = {
    "home.home": ["/"],
    "finding.watch": [
        "/watch",
        "/watch?game=pyramid&ended=1",
        "/watch?after=1.5",
        "/watch?game=%00&after=x",
    ],
    "finding.play": [
        "/play",
        "/play?game=pyramid&pace=daily&rated=yes&asks=nothing",
        "/play?pace=never",
    ],
    "finding.search": ["/search", "/search?q=the", "/search?q=a", "/search?q=%00%ff"],
    "boards.board": [
        "/matches/{uid}/boards/0.svg",
        "/matches/{done}/boards/9.svg?v=x",
        "/matches/{free}/boards/99999999999.svg",
    ],
    "boards.game": ["/games/diplomacy/picture.svg", "/games/chess/picture.svg"],
    "accounts.sign_in": ["/sign-in", "/sign-in?next=/account"],
    "accounts.link": ["/sign-in/{link}", "/sign-in/guess"],
    "accounts.account": ["/account"],
    "accounts.back": [
        "/account/theme",
        "/account/sessions",
        "/account/address",
        "/account/letters",
    ],
    "accounts.data": ["/account/data.json"],
    "accounts.ask_to_erase": ["/account/erase"],
    "accounts.erased": ["/erased"],
    "absences.absences": ["/account/absences", "/account/absences?saved=1"],
    "making.new": ["/matches/new"],
    "making.deadlines": [
        "/matches/new/deadlines?game=pyramid&timetable=20:00",
        "/matches/new/deadlines?timetable=%00;not+2026-02-31",
    ],
    "matches.match": ["/matches/{uid}", "/matches/{done}", "/matches/{free}"],
    "matches.news": ["/matches/{uid}/news", "/matches/{uid}/news?since=running.2.3"],
    "live.changes": ["/changes?of={uid}~{done}", "/changes", "/changes?of=%00~guess"],
    "live.stream": ["/changes/stream?of={uid}"],
    "live.no_stream": ["/live", "/live?ticket=guess"],
    "matches.back": ["/matches/{uid}/orders", "/matches/{uid}/say", "/matches/{uid}/sealed"],
    "matches.about": ["/matches/{uid}/about", "/matches/{free}/about"],
    "matches.salt_again": ["/matches/{uid}/salt"],
    "matches.receipts": ["/matches/{uid}/receipts"],
    "matches.signature": ["/matches/{uid}/receipts/1/1"],
    "matches.receipt_file": ["/matches/{uid}/receipts/1/1.json"],
    "history.history": ["/matches/{uid}/history", "/matches/{free}/history"],
    "history.find": ["/matches/{uid}/phases?number=0", "/matches/{uid}/phases"],
    "history.phase": [
        "/matches/{uid}/phases/0",
        "/matches/{uid}/phases/1",
        "/matches/{done}/phases/9",
    ],
    "history.animation": [
        "/matches/{uid}/moving.svg",
        "/matches/{done}/moving.svg",
        "/matches/{free}/moving.svg",
    ],
    "history.log": ["/matches/{uid}/log.json", "/matches/{done}/log.json"],
    "history.transcript": ["/matches/{done}/transcript.json", "/matches/{uid}/transcript.json"],
    "history.saved_game": ["/matches/{tried}/saved.json", "/matches/{uid}/saved.json"],
    "results.record": [
        "/matches/{uid}.json",
        "/matches/{done}.json",
        "/matches/{free}.json",
        "/matches/{tried}.json",
    ],
    "results.schema": ["/schemas/match-1.json"],
    "press.press": [
        "/matches/{tried}/press",
        "/matches/{tried}/press?to=FRANCE&to=nobody",
        "/matches/{uid}/press",
    ],
    "press.text": ["/matches/{tried}/press/1.0"],
    "press.back": [
        "/matches/{uid}/press/read",
        "/matches/{uid}/press/as-master",
        "/matches/{uid}/press/mute",
        "/matches/{uid}/press/report",
    ],
    "trials.of_phase": [
        "/matches/{uid}/phases/1/try",
        "/matches/{tried}/phases/0/try",
        "/matches/{tried}/phases/1/try",
    ],
    "trials.of_game": [
        "/games/diplomacy/try?position=units+F1901R%0AFRANCE:+A+MUN%0Adislodged%0AGERMANY:+A+MUN+from+BUR%0AITALY:+x&orders=A+MUN+-+KIE%0Ax",
        "/games/diplomacy/try",
        "/games/pyramid/try",
        "/games/rsp-diplomacy/try?position=%00&orders=%ff",
    ],
    "links.watch": ["/watch/{watch}", "/watch/guess"],
    "links.seat": ["/seats/{seat}", "/seats/guess"],
    "tenure.seat": [
        "/matches/{uid}/your-seat",
        "/matches/{done}/your-seat",
        "/matches/{free}/your-seat",
    ],
    "offered_seats.page": [
        "/invitations/{invitation}",
        "/invitations/guess",
        "/offers/{offer}",
        "/offers/guess",
    ],
    "pushes.manifest": ["/manifest.webmanifest"],
    "pushes.service_worker": ["/service-worker.js"],
    "standby.list": ["/standby"],
    "players.player": ["/players/{profile}", "/players/guess"],
    "ladders.ladders": ["/ladder"],
    "ladders.ladder": [
        "/ladder/pyramid",
        "/ladder/pyramid?page=2",
        "/ladder/chess",
        "/ladder/pyramid?page=%00",
    ],
    "tournaments.list": ["/tournaments"],
    "tournaments.page": [
        "/tournaments/{tournament}",
        "/tournaments/{tournament}?round=1",
        "/tournaments/guess",
    ],
    "making_tournaments.new": ["/tournaments/new", "/tournaments/new?game=diplomacy"],
    "tournament_results.record": ["/tournaments/{tournament}.json"],
    "tournament_results.schema": ["/schemas/tournament-1.json"],
    "letters.ask": [
        "/letters/stop/{stop}",
        "/letters/stop/guess",
        "/letters/never/{never}",
        "/letters/never/guess",
    ],
    "sealing.sealing": ["/sealing"],
    "rules.games": ["/rules"],
    "rules.rules": ["/rules/pyramid"],
    "rules.orders": [
        "/rules/pyramid/orders",
        "/rules/diplomacy/orders?text=A+PAR+H%0Anonsense&seat=FRANCE&part=1",
    ],
    "archive.archive": [
        "/archive",
        "/archive?game=pyramid&order=longest&player=alice&with=people",
        "/archive?after=-1&least=many",
    ],
    "archive.random": [
        "/archive/random",
        "/archive/random?game=pyramid",
        "/archive/random?game=chess",
    ],
    "archive.statistics": [
        "/archive/statistics/pyramid",
        "/archive/statistics/diplomacy",
        "/archive/statistics/chess",
    ],
    "archive.openings": [
        "/archive/statistics/diplomacy/openings/FRANCE",
        "/archive/statistics/pyramid/openings/1/a%00b",
    ],
    "mailbox.mailbox": ["/mailbox", "/mailbox?to=bob"],
    "mailbox.letter": ["/mailbox/one"],
    "mailbox.html": ["/mailbox/one/html"],
    "mailbox.picture": ["/mailbox/one/picture.png"],
    "public_log.checkpoint": ["/log/checkpoint", "/log/2/checkpoint"],
    "public_log.tiles": [
        "/log/tile/0/000.p/1",
        "/log/tile/entries/000",
        "/log/tile/guess",
        "/log/2/tile/0/000",
    ],
    "plain.keys_file": ["/.well-known/sealed-keys.json"],
    "plain.verifier": ["/verify_match.py"],
    "watching.healthz": ["/healthz"],
    "watching.metrics": ["/metrics"],
    "plain.robots": ["/robots.txt"],
    "plain.favicon": ["/favicon.ico"],
    "static": ["/static/site.js", "/static/base.css", "/static/seal.svg"],
}


def show_profile(site: Site, name: str) -> str:
    """Have a player show a page of their matches; return the last part of its address."""
    person, wishes = (
        site.harness.player(name),
        AccountChanges(name, "UTC", receipts=True, letters=True, shown="page"),
    )
    accounts.change_account(site.harness.database, person, wishes)
    with site.harness.database.read_tx() as session:
        return accounts.of_id(session, person).profile


def one_of_everything(site: Site) -> dict[str, str]:
    """Make a site with one of everything; return what fills the addresses of GETS."""
    uid, done, free = site.begin_match(), site.play_to_end(), site.make_open_match()
    site.harness.order(uid, ALICE, "B3 THEN C2")
    site.visitor().post("/sign-in", {"address": address(ALICE)})
    link, invitation = (site.letters(kind)[0]["token"] for kind in ("signin", "invitation"))
    stop, never = (
        site.letters("report")[0]["stop_token"],
        site.letters("invitation")[0]["never_token"],
    )
    post(site, address(BOB), "For Bob", "one")
    tried = site.harness.match(
        ALICE, BOB, wish=Wish("diplomacy", "The Map", {"press": "private"}, players=2)
    )
    until = site.harness.now + timedelta(days=3)
    substitutes.ask_substitute(
        site.harness.database,
        uid,
        site.harness.player(ALICE),
        address("Dave"),
        until,
        now=site.harness.now,
    )
    offer = site.letters("offer")[0]["token"]
    there = {
        "uid": uid,
        "done": done,
        "tried": tried,
        "free": free,
        "link": link,
        "invitation": invitation,
        "stop": stop,
        "never": never,
    }
    hidden = site.make_open_match(private=True)
    for kind in links.KINDS:
        links.change_link(
            site.harness.database,
            hidden,
            site.harness.people[ALICE],
            kind,
            off=False,
            now=site.harness.now,
        )
    with site.harness.database.read_tx() as session:
        made = links.links_for(session, hidden, site.harness.people[ALICE])
    there |= {"watch": made.watch or "", "seat": made.join or ""}
    there["offer"] = offer
    there["tournament"] = begun(site.harness, ALICE, BOB)
    there["profile"] = show_profile(site, ALICE)
    return there


def walk(site: Site) -> list[str]:
    """Return the address of every page, on a site with one of everything."""
    assert {
        rule.endpoint for rule in site.app.url_map.iter_rules() if "GET" in (rule.methods or ())
    } == set(GETS)
    there = one_of_everything(site)
    return [path.format(**there) for paths in GETS.values() for path in paths]


def dump(harness: Harness) -> str:
    """Return the whole content of the database."""
    with harness.database.engine.connect() as connection:
        return "\n".join(
            repr(tuple(row))
            for table in all_tables().sorted_tables
            for row in connection.execute(table.select())
        )


@pytest.mark.nightly
def test_looking_changes_nothing(site: Site) -> None:
    paths, visitors = walk(site), [site.visitor(name) for name in (ALICE, BOB, None)]
    before = dump(site.harness)
    site.recorder.sent.clear()
    for visitor in visitors:
        for path in paths:
            assert visitor.get(path).status_code < 500, path
            assert visitor.client.head(path, buffered=True).status_code < 500, path
    assert dump(site.harness) == before and not site.recorder.sent


# --- forgery


def test_no_form_is_taken_without_its_token(small_site: Site) -> None:
    uid, before = small_site.begin_match(), None
    visitor = small_site.visitor(ALICE)
    visitor.get("/")
    before = dump(small_site.harness)
    posts = [
        rule
        for rule in small_site.app.url_map.iter_rules()
        if "POST" in (rule.methods or ())
        and not rules_of(small_site.app.view_functions[rule.endpoint]).no_token
    ]
    assert len(posts) > 10
    for rule in posts:
        path = (
            str(rule)
            .replace("<uid>", uid)
            .replace("<token>", "guess")
            .replace("<int:number>", "1")
            .replace("<key>", "diplomacy")
            .replace("<any(invitations, offers):kind>", "offers")
        )
        for data in ({}, {"csrf_token": "forged"}):
            answer = visitor.client.post(path, data=data)
            assert answer.status_code == 400 and "The form was too old" in page_text(answer), path
    assert dump(small_site.harness) == before


def test_orders_sent_with_a_lapsed_form_are_shown_so_that_they_are_not_lost(
    small_site: Site,
) -> None:
    visitor = small_site.visitor(ALICE)
    answer = visitor.client.post(
        f"/matches/{small_site.begin_match()}/orders", data={"text": "B3 and my reasons"}
    )
    assert answer.status_code == 400 and "B3 and my reasons" in answer.text


def test_orders_clicked_in_a_lapsed_form_are_shown_too(small_site: Site) -> None:
    visitor = small_site.visitor(ALICE)
    answer = visitor.client.post(
        f"/matches/{small_site.begin_match()}/orders",
        data={"phase": "1", "slot-pick": "C2", "plan": "W1 & more"},
    )
    assert answer.status_code == 400 and ">C2\nTHEN\nW1 &amp; more<" in answer.text


def test_a_form_may_be_thought_about_for_days(small_site: Site) -> None:
    uid, alice = small_site.begin_match(), small_site.visitor(ALICE)
    with time_machine.travel(small_site.harness.now, tick=False) as clock:
        alice.get(f"/matches/{uid}")
        clock.move_to(small_site.harness.later(hours=40))
        assert "Sealed: Round 1" in page_text(
            alice.post(f"/matches/{uid}/orders", {"phase": "1", "slot-pick": "B3"})
        )


# --- limits


@pytest.mark.parametrize(
    ("path", "data", "often"),
    [("/play", {}, 20), ("/sign-in", {"address": "dora@example.org"}, 20)],
)
def test_what_is_asked_for_too_often_waits(
    small_site: Site, path: str, data: dict[str, str], often: int
) -> None:
    statuses = [small_site.visitor().post(path, data).status_code for _ in range(often + 1)]
    assert 429 not in statuses[:often] and statuses[often] == 429


def test_pictures_of_boards_are_drawn_so_often_for_one_visitor(small_site: Site) -> None:
    path, visitor = f"/matches/{small_site.begin_match()}/boards/0.svg", small_site.visitor()
    statuses = [visitor.get(path).status_code for _ in range(301)]
    assert 429 not in statuses[:300] and statuses[300] == 429


@pytest.mark.parametrize(
    ("stranger", "neighbour", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"),
        ("::ffff:198.51.100.7", "198.51.100.7", "198.51.100.8"),
    ],
)
def test_a_network_is_one_visitor_and_another_network_another(
    small_site: Site, stranger: str, neighbour: str, other: str
) -> None:
    def play(asking: str) -> int:
        visitor = small_site.visitor()
        token = visitor.token()
        return visitor.client.post(
            "/play", data={"csrf_token": token}, environ_overrides={"REMOTE_ADDR": asking}
        ).status_code

    assert {play(stranger) for _ in range(20)} == {303}
    assert (play(neighbour), play(other)) == (429, 303)


def test_orders_are_limited_by_person_not_by_address(small_site: Site) -> None:
    uid, alice, bob = small_site.begin_match(), small_site.visitor(ALICE), small_site.visitor(BOB)
    for _ in range(60):
        assert alice.post(f"/matches/{uid}/say", {"phase": "1", "word": "ready"}).status_code == 303
    waits = alice.post(f"/matches/{uid}/say", {"phase": "1", "word": "ready"})
    assert waits.status_code == 429 and "One moment" in page_text(waits)
    assert bob.post(f"/matches/{uid}/say", {"phase": "1", "word": "ready"}).status_code == 303


def test_limits_are_kept_in_redis_and_go_on_without_it(
    sqlite_url: str, tmp_path: Path, redis_url: str
) -> None:
    harness = Harness(sqlite_url)
    first, second = (Site.create(harness, tmp_path / "data", redis_url=redis_url) for _ in range(2))
    for number in range(20):
        (first, second)[number % 2].visitor().post("/play")
    assert second.visitor().post("/play").status_code == 429
    away = Site.create(harness, tmp_path / "data", redis_url="redis://127.0.0.1:1/0")
    statuses = [away.visitor().post("/play").status_code for _ in range(21)]
    assert statuses[0] == 303 and statuses[-1] == 429
    harness.dispose()


# --- headers, cookies and the content of pages


class Eye(HTMLParser):
    """Collects what a policy without `unsafe-inline` forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check one tag."""
        names = dict(attrs)
        if (tag == "script" and "src" not in names) or tag == "style":
            self.found.append(tag)
        self.found += [
            f"{tag} {name}" for name in names if name == "style" or re.fullmatch(r"on[a-z]+", name)
        ]
        if names.get("property") == "og:image":  # an address for link previews; no browser loads it
            return
        # the text of a field leads nowhere
        read = {**names, "value": None} if tag == "input" else names
        self.found += [
            f"{tag} {value}"
            for value in read.values()
            if value and value.startswith(("javascript:", "http://", "https://"))
        ]


def pages(site: Site) -> Iterator[tuple[str, Visitor]]:
    for path in walk(site):
        for name in (ALICE, None):
            yield path, site.visitor(name)


def test_every_page_keeps_to_its_policy(small_site: Site) -> None:
    for path, visitor in pages(small_site):
        answer = visitor.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe-eval" not in policy, path
        assert (
            answer.headers["X-Content-Type-Options"] == "nosniff"
            and answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        )
        if answer.mimetype == "text/html" and not path.startswith("/mailbox/one"):
            assert "unsafe-inline" not in policy and "frame-ancestors 'none'" in policy, path
            eye = Eye()
            eye.feed(answer.text.replace('xmlns="http://www.w3.org/2000/svg"', ""))
            assert not eye.found, (path, eye.found)


def test_pages_of_people_are_kept_out_of_caches_and_static_files_in_them(small_site: Site) -> None:
    assert small_site.visitor(ALICE).get("/").headers["Cache-Control"] == "private, no-store"
    assert small_site.visitor().get("/").headers["Cache-Control"] == "private, no-cache"
    assert (
        "max-age=31536000" in small_site.visitor().get("/static/site.js").headers["Cache-Control"]
    )
    assert (
        small_site.visitor(ALICE)
        .get(f"/matches/{small_site.begin_match()}")
        .headers["Cache-Control"]
        == "private, no-store"
    )


def test_an_address_that_is_a_secret_is_told_to_nobody(small_site: Site) -> None:
    for path in ("/sign-in/guess", "/invitations/guess", "/offers/guess"):
        headers = small_site.visitor().get(path).headers
        assert (headers["Referrer-Policy"], headers["Cache-Control"]) == (
            "no-referrer",
            "private, no-store",
        )
    assert small_site.visitor().get("/").headers["Referrer-Policy"] == "same-origin"


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(small_site: Site) -> None:
    cookies = small_site.visitor().post("/play").headers.getlist("Set-Cookie")
    assert any(each.startswith("sealed=") for each in cookies)
    assert all(
        "HttpOnly" in each and "SameSite=Lax" in each and "Path=/" in each for each in cookies
    )


def test_over_https_cookies_and_the_site_itself_stay_there(sqlite_url: str, tmp_path: Path) -> None:
    harness = Harness(sqlite_url)
    site = Site.create(harness, tmp_path, site_url="https://orders.example.org")
    answer = site.visitor().client.get("/", base_url="https://orders.example.org")
    token = re.search(r'"X-CSRFToken": "([^"]+)"', answer.text)
    client = site.app.test_client()
    client.get("/", base_url="https://orders.example.org")
    assert token is not None and answer.headers["Strict-Transport-Security"].startswith("max-age=")
    cookies = answer.headers.getlist("Set-Cookie")
    assert cookies and all(each.startswith("__Host-") and "Secure" in each for each in cookies)
    harness.dispose()


def test_the_site_answers_to_its_own_names_only(sqlite_url: str, tmp_path: Path) -> None:
    told = read_settings(
        database_url=sqlite_url, data_dir=tmp_path, site_url="https://orders.example.org"
    )
    visitor = create_app(told).test_client()
    assert visitor.get("/healthz", headers={"Host": "orders.example.org"}).status_code == 200
    for own in ("127.0.0.1:8000", "localhost", "[::1]", "[::1]:8000", "orders.example.org:443"):
        assert visitor.get("/healthz", headers={"Host": own}).status_code == 200, own
    for name in (
        "[::2]",
        "[::1",
        "::1",
        "[::1].example",
        "evil.example:80",
        "localhost:99999",
        "localhost@evil.example",
        "local host",
        "",
    ):
        assert visitor.get("/healthz", headers={"Host": name}).status_code == 400, name
    other = visitor.get("/", headers={"Host": "evil.example"})
    assert other.status_code == 400 and "https://orders.example.org only" in other.text


def test_a_request_to_another_name_costs_no_query(site: Site) -> None:
    browser = site.app.test_client()
    browser.set_cookie("sealed", site.harness.enter(ALICE), domain="evil.example")
    with asking(site.app.extensions["database"]) as asked:
        assert browser.get("/account", base_url="http://evil.example").status_code == 400
    assert queries_of(asked) == []


@pytest.mark.parametrize(("proxies", "counted"), [(0, "127.0.0.1"), (1, "203.0.113.9")])
def test_a_visitors_address_is_believed_from_ones_own_proxies_only(
    sqlite_url: str, tmp_path: Path, proxies: int, counted: str
) -> None:
    app = create_app(
        read_settings(database_url=sqlite_url, data_dir=tmp_path, trusted_proxies=proxies)
    )
    seen: list[str | None] = []
    app.before_request(lambda: seen.append(request.remote_addr))
    app.test_client().get("/healthz", headers={"X-Forwarded-For": "198.51.100.7, 203.0.113.9"})
    assert seen == [counted]


def test_a_site_at_an_ipv6_address_answers_to_it(sqlite_url: str, tmp_path: Path) -> None:
    visitor = create_app(
        read_settings(
            database_url=sqlite_url, data_dir=tmp_path, site_url="http://[2001:db8::7]:8000"
        )
    ).test_client()
    asked = {
        name: visitor.get("/healthz", headers={"Host": name}).status_code
        for name in ("[2001:db8::7]:8000", "[2001:db8::8]:8000")
    }
    assert list(asked.values()) == [200, 400]


def test_a_public_site_shows_no_mailbox_for_sign_in_links_are_in_it(
    sqlite_url: str, tmp_path: Path
) -> None:
    told = read_settings(
        database_url=sqlite_url, data_dir=tmp_path, site_url="https://orders.example.org"
    )
    assert (
        create_app(told)
        .test_client()
        .get("/mailbox", headers={"Host": "orders.example.org"})
        .status_code
        == 404
    )


def test_the_cookie_of_forms_is_renewed_every_hour_and_not_by_each_page(small_site: Site) -> None:
    visitor, harness = small_site.visitor(), small_site.harness
    renewed = []
    for minutes in (0, 0, 30, 31, 1):
        with time_machine.travel(harness.later(minutes=minutes), tick=False):
            renewed.append("Set-Cookie" in visitor.get("/").headers)
    assert renewed == [True, False, False, True, False]
