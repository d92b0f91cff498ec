"""The archive's pages: searches by form fields alone, a random classic, and no private match in any
of them.
"""

import re
from itertools import product

from sqlmodel import select

from adjudicator.service.archive import entries, guests
from adjudicator.service.base.tables import ArchiveOpening, all_tables
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, address
from tests.service.test_archive import ORDERS, archive_all, diplomacy, old_guest_match
from tests.service.test_importing import lines as record_lines
from tests.service.test_importing import put
from tests.web.site import Site, page_text
from tests.web.test_players import end
from tests.web.test_security import show_profile
from web.site import archive

TABLES = all_tables().tables
FIELDS = (
    "game",
    "player",
    "tournament",
    "opening",
    "least",
    "most",
    "result",
    "winner",
    "with",
    "order",
    "after",
)


def found(site: Site, **fields: str) -> list[str]:
    """Return the matches that a stranger's search lists, in order."""
    answer = site.visitor().get("/archive", query_string=fields)
    assert answer.status_code == 200, page_text(answer)
    return re.findall(r'class="card-name" href="/matches/([a-z0-9]+)"', answer.text)


def filled(site: Site) -> tuple[str, str]:
    """Return a played match of Pyramid and a stopped one of Diplomacy, both in the archive."""
    played = site.play_to_end()
    site.harness.later(hours=1)
    stopped = diplomacy(site.harness)
    archive_all(site.harness)
    return played, stopped


def test_a_search_finds_matches_by_each_of_its_fields(site: Site) -> None:
    played, stopped = filled(site)
    assert found(site) == [stopped, played] and found(site, order="oldest") == [played, stopped]
    assert found(site, order="longest") == [played, stopped] and found(site, order="shortest") == [
        stopped,
        played,
    ]
    assert found(site, game="pyramid") == [played] and found(site, game="genesis") == []
    assert (
        found(site, least="9") == [played]
        and found(site, most="8") == [stopped]
        and found(site, least="3", most="8") == []
    )
    assert (
        found(site, result="shared") == [played]
        and found(site, result="stopped") == [stopped]
        and found(site, result="won") == []
    )
    assert found(site, winner="France") == [] and found(site, **{"with": "people"}) == [
        stopped,
        played,
    ]
    assert found(site, tournament="The Cup") == []


def test_the_pages_of_an_erased_match_of_guests_say_that_it_is_gone(small_site: Site) -> None:
    uid = old_guest_match(small_site.harness)
    assert small_site.visitor().get(f"/matches/{uid}").status_code == 200
    guests.erase_matches(small_site.harness.database, small_site.harness.now)
    for path in (
        f"/matches/{uid}",
        f"/matches/{uid}/history",
        f"/matches/{uid}.json",
        f"/matches/{uid}/phases/1",
    ):
        answer = small_site.visitor().get(path)
        assert answer.status_code == 410 and "those stay for 90 days after their end" in page_text(
            answer
        ), path


def test_an_opening_is_found_in_any_spelling_and_by_its_key(small_site: Site) -> None:
    _, stopped = filled(small_site)
    seats = {
        seat.name
        for seat in small_site.harness.seats(stopped)
        if seat.player_id in small_site.harness.people.values()
    }
    seat = min(seats)
    assert found(small_site, game="diplomacy", opening=ORDERS[seat]) == [stopped]
    assert found(small_site, game="diplomacy", opening=ORDERS[seat].upper().replace(", ", ";")) == [
        stopped
    ]
    assert found(small_site, game="diplomacy", opening="A Lvp - Wal") == []


def test_a_player_is_found_and_named_only_while_showing_a_page(small_site: Site) -> None:
    played, stopped = filled(small_site)
    page = small_site.visitor().get("/archive")
    assert found(small_site, player=ALICE) == [] and not re.search(
        "Alice|Bob|Charlie", page_text(page)
    )
    show_profile(small_site, ALICE)
    assert (
        found(small_site, player="alice")
        == found(small_site, player=" Alice ")
        == [stopped, played]
    )
    assert (
        "Alice" in page_text(small_site.visitor().get("/archive"))
        and found(small_site, player=BOB) == []
    )
    assert found(small_site, player="Alice", game="pyramid", result="shared") == [played]


def test_a_private_match_is_in_no_search_and_no_random_choice(small_site: Site) -> None:
    wish = Wish("pyramid", "Hidden Table", {}, house=1, private=True, invited=(address(BOB),))
    uid = small_site.harness.match(ALICE, BOB, wish=wish)
    show_profile(small_site, ALICE)
    small_site.harness.later(hours=60)
    assert small_site.harness.close(uid)
    end(small_site, uid)
    archive_all(small_site.harness)
    assert not entries.archive_match(small_site.harness.database, uid)
    for name in (None, ALICE, BOB):
        for fields in (
            {},
            {"player": ALICE},
            {"game": "pyramid"},
            {"result": "stopped"},
            {"least": "1"},
        ):
            answer = small_site.visitor(name).get("/archive", query_string=fields)
            assert "Hidden" not in answer.text and uid not in answer.text
        assert small_site.visitor(name).get("/archive/random").status_code == 200


def test_a_list_has_pages_that_follow_each_other(small_site: Site) -> None:
    harness = small_site.harness
    uid = small_site.play_to_end()
    archive_all(harness)
    with harness.database.write_tx() as session:
        match, entry = (
            dict(session.execute(TABLES[name].select()).mappings().one())
            for name in ("match", "archivedmatch")
        )
        for number in range(2, 46):
            session.execute(
                TABLES["match"].insert(), {**match, "id": number, "uid": f"copy{number}"}
            )
            session.execute(
                TABLES["archivedmatch"].insert(), {**entry, "match_id": number, "lot": number}
            )
    seen: list[str] = []
    visitor, path = small_site.visitor(), "/archive?order=oldest&game=pyramid"
    for _ in range(3):
        page = visitor.get(path)
        seen += re.findall(r'class="card-name" href="/matches/([a-z0-9]+)"', page.text)
        path = (re.search(r'rel="next" href="([^"]+)"', page.text) or [""])[
            1 if 'rel="next"' in page.text else 0
        ].replace("&amp;", "&")
    assert path == "" and seen == [uid, *(f"copy{number}" for number in range(2, 46))]
    assert "First page" in visitor.get("/archive?after=5.5&order=longest").text


def test_a_random_classic_is_one_that_people_brought_to_a_result(site: Site) -> None:
    visitor = site.visitor()
    answer = visitor.get("/archive/random")
    assert (
        answer.status_code == 200
        and archive.NO_CLASSIC in answer.text
        and "A random classic" not in answer.text
    )
    played, _ = filled(site)
    for path in ("/archive/random", "/archive/random?game=pyramid"):
        answer = visitor.get(path)
        assert answer.status_code == 302 and answer.location.endswith(f"/matches/{played}")
    assert archive.NO_CLASSIC in visitor.get("/archive/random?game=diplomacy").text, (
        "that one was stopped"
    )
    assert visitor.get("/archive/random?game=chess").status_code == 404
    for game, offered in (("", True), ("pyramid", True), ("diplomacy", False)):
        assert ("A random classic" in visitor.get(f"/archive?game={game}").text) == offered, game
    assert "no-store" in visitor.get("/archive/random").headers["Cache-Control"]


ODD = (
    "\0",
    "-1",
    "-1.-1",
    "99999999999999999.999999999",
    "1e9",
    "٣",
    "%",
    "'; DROP TABLE match; --",
    "x" * 5000,
    "\ud7ff\U0001f600",
    "5.5\n",
    "a" * 16,
)


def test_a_search_takes_any_bytes(small_site: Site) -> None:
    visitor = small_site.visitor()
    for field, value, game in product(FIELDS, ODD, ("", "diplomacy")):
        answer = visitor.get("/archive", query_string={"game": game} | {field: value})
        assert answer.status_code in (200, 400) and "The archive" in answer.text, (field, value)
        assert answer.status_code == 200 or 'class="error"' in answer.text, (field, value)


def test_a_search_takes_bytes_that_are_no_text_and_repeated_fields(small_site: Site) -> None:
    for query in (
        "player=%ff%fe",
        "player=a&player=b&game[]=x",
        "=&&&=",
        "after=%00.%00",
        "least=%2d0&most=1.5",
    ):
        assert small_site.visitor().get(f"/archive?{query}").status_code in (200, 400)


def test_statistics_are_plots_with_their_figures_in_tables_and_known_by_a_tag(
    small_site: Site,
) -> None:
    visitor, path = small_site.visitor(), "/archive/statistics/pyramid"
    before = visitor.get(path)
    assert (
        "No public match with people has ended yet" in page_text(before)
        and '<svg class="plot"' not in before.text
    )
    assert visitor.get(path, headers={"If-None-Match": before.headers["ETag"]}).status_code == 304
    filled(small_site)
    after = visitor.get(path, headers={"If-None-Match": before.headers["ETag"]})
    told = page_text(after)
    assert after.status_code == 200 and "Of 1 public match with people that has ended" in told
    plots = re.findall(
        r'<svg class="plot" viewBox="0 0 420 \d+" role="img" aria-label="([^"]+)"', after.text
    )
    assert (
        plots[0]
        == "Results by seat. 1: won 0%, shared 100%; 2: won 0%, shared 100%; 3: won 0%, shared"
        " 100%."
    )
    assert (
        plots[1] == "Matches by length in phases. 5: 1."
        and "5 or more 1" in told
        and "Ended in 2026" in told
    )
    assert "style=" not in after.text and "Set-Cookie" not in after.headers
    signed_in = small_site.visitor(ALICE).get(
        path, headers={"If-None-Match": after.headers["ETag"]}
    )
    assert signed_in.status_code == 200 and ALICE in page_text(signed_in), (
        "it shows the player's name"
    )


def test_openings_are_counted_with_what_followed_them(small_site: Site) -> None:
    uid = diplomacy(small_site.harness)
    diplomacy(small_site.harness)
    archive_all(small_site.harness)
    with small_site.harness.database.read_tx() as session:
        commonest = session.exec(select(ArchiveOpening).where(ArchiveOpening.parent == "")).first()
    assert commonest is not None
    path = f"/archive/statistics/diplomacy/openings/{commonest.seat}"
    page = small_site.visitor().get(path)
    assert commonest.orders.replace("\n", ", ") in page_text(page)
    further = small_site.visitor().get(f"{path}/{commonest.key}")
    assert "what followed" in page_text(further) and f"opening={commonest.key}" in further.text
    assert uid in found(small_site, opening=commonest.key)
    for wrong in (
        f"{path}/{'0' * 16}",
        f"{path}/a%00b",
        "/archive/statistics/diplomacy/openings/SPAIN",
        "/archive/statistics/genesis/openings/1",
    ):
        assert small_site.visitor().get(wrong).status_code == 404


def test_a_visitor_gets_no_cookie(small_site: Site) -> None:
    for path in ("/archive", "/archive?game=pyramid"):
        assert "Set-Cookie" not in small_site.visitor().get(path).headers


def test_an_imported_match_has_all_pages_of_a_match_and_is_found_by_the_names_it_was_given(
    small_site: Site,
) -> None:
    (done,) = put(
        small_site.harness, record_lines(), name="An old game", players={"FRANCE": "Ann Brown"}
    )
    archive_all(small_site.harness)
    visitor = small_site.visitor()
    for part in (
        "",
        "/about",
        "/history",
        "/phases/0",
        "/phases/1",
        "/phases/4",
        "/press",
        ".json",
    ):
        answer = visitor.get(f"/matches/{done.uid}{part}")
        assert answer.status_code == 200, part
    assert "as in the record" in page_text(visitor.get(f"/matches/{done.uid}/phases/1"))
    page = page_text(visitor.get(f"/matches/{done.uid}"))
    assert "Ann Brown" in page and "put in a record that was kept elsewhere" in page_text(
        visitor.get(f"/matches/{done.uid}/about")
    )
    told = visitor.get(f"/matches/{done.uid}.json").json
    assert told["end"]["why"] == "record" and told["links"]["transcript"] is None
    assert visitor.get(f"/matches/{done.uid}/transcript.json").status_code == 409
    assert (
        found(small_site, player="ann brown")
        == found(small_site, game="diplomacy", result="stopped")
        == [done.uid]
    )
    assert "1 of them imported" in page_text(visitor.get("/archive/statistics/diplomacy"))
