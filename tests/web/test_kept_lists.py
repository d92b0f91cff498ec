"""The home page, *Watch* and *Play* of a visitor: kept until something on them changes, and no
longer; what is hidden changes nothing.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta

import pytest
from sqlmodel import col, select

from adjudicator.service.archive import entries
from adjudicator.service.base.tables import Attendance, Due, Match, PhaseRow, Player, Seat
from adjudicator.service.erasure import erasing
from adjudicator.service.handover import leaving, takeovers
from adjudicator.service.matches import masters, seats
from adjudicator.service.people import absence_calendar, block_list
from adjudicator.service.starting import expiry
from adjudicator.service.views.finding import list_basis
from adjudicator.service.views.finding.list_basis import Page
from tests.asked import asking, queries_of
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.sampling import sample
from tests.web.kept import begin, keeps, made, stored, tag_of
from tests.web.site import Site, without_tokens

PAGES = ("/", "/watch", "/play")
MOST_STATEMENTS = 1  # the basis


# --- what is kept


@pytest.mark.parametrize("path", PAGES)
def test_an_unchanged_list_is_made_once_for_all_visitors(
    site: Site, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    begin(site)
    site.make_open_match()
    keeps(site)
    found, one = made(site, monkeypatch), site.visitor()
    first = one.get(path)
    assert (
        without_tokens(first.text)
        == without_tokens(one.get(path).text)
        == without_tokens(site.visitor().get(path).text)
    )
    assert found == [path] and first.headers["ETag"] == f'W/"{tag_of(one, first)}"'
    again = one.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and not again.data


def test_a_kept_list_takes_two_statements_whatever_it_lists(site: Site) -> None:
    keeps(site)
    for number in range(8):
        site.make_open_match(name=f"Table {number}", invited=())
        begin(site)
    for path in PAGES:
        visitor = site.visitor()
        visitor.get(path)
        with asking(site.app.extensions["database"]) as asked:
            visitor.get(path)
        assert 0 < len(queries_of(asked)) <= MOST_STATEMENTS, asked


def test_lists_of_players_and_lists_with_a_query_are_not_kept(small_site: Site) -> None:
    kept = keeps(small_site)
    begin(small_site)
    for path in PAGES:
        small_site.visitor(ALICE).get(path)
        small_site.visitor().get(f"{path}?game=pyramid")
    assert not kept.pages.size


def test_nobody_gets_the_list_of_another(small_site: Site) -> None:
    keeps(small_site)
    begin(small_site)
    visitor, dark, alice = small_site.visitor(), small_site.visitor(), small_site.visitor(ALICE)
    dark.client.set_cookie("sealed-theme", "dark")
    for path in PAGES:
        for _ in range(2):
            assert "Sign in" in visitor.get(path).text and "data-theme" not in visitor.page
            assert 'data-theme="dark"' in dark.get(path).text
            assert f"<bdi>{ALICE}</bdi></a>" in alice.get(path).text and "Sign in" not in alice.page
    tag = visitor.get("/").headers["ETag"]
    assert alice.get("/", headers={"If-None-Match": tag}).status_code == 200


def test_a_kept_home_page_has_the_token_of_the_browser_that_asks(small_site: Site) -> None:
    kept = keeps(small_site)
    browsers = [small_site.visitor() for _ in range(2)]
    tokens = []
    for browser in browsers:
        browser.get("/")
        tokens += set(re.findall(r"m\.[A-Za-z0-9_=-]{80,}", browser.page))
    assert len(tokens) == 2 and not any(
        token.encode() in b"".join(page.parts) for page in stored(kept).values() for token in tokens
    )
    assert browsers[0].client.post("/play", data={"csrf_token": tokens[1]}).status_code == 400
    assert browsers[0].client.post("/play", data={"csrf_token": tokens[0]}).status_code == 303


# --- what shows


def _player(site: Site, who: str, **values: object) -> None:
    with site.harness.database.write_tx() as session:
        row = session.get_one(Player, site.harness.people[who])
        for field, value in values.items():
            setattr(row, field, value)


def _match(site: Site, uid: str, **values: object) -> None:
    with site.harness.database.write_tx() as session:
        row = session.exec(select(Match).where(Match.uid == uid)).one()
        for field, value in values.items():
            setattr(row, field, value)


class World:
    """A site with a running match of Alice, Bob and Charlie, and an open match that Alice has
    made.
    """

    def __init__(self, site: Site, **changes: object) -> None:
        self.site, self.harness = site, site.harness
        self.running = begin(site, **({"progress": "seats"} | changes))
        self.open = site.make_open_match(name="Come in")
        self.visitor = site.visitor()

    def id_of(self, name: str) -> int:
        return self.harness.player(name)

    def look(self) -> dict[str, str]:
        """Return what a visitor gets."""
        return {path: without_tokens(self.visitor.get(path).text) for path in PAGES}


def make(world: World) -> None:
    world.site.make_open_match(name="Another")


def take(world: World) -> None:
    seats.take_seat(world.harness.database, world.open, world.id_of(CHARLIE), now=world.harness.now)


def give_back(world: World) -> None:
    seats.leave_seat(
        world.harness.database, world.open, world.id_of(CHARLIE), now=world.harness.now
    )


def invite(world: World) -> None:
    seats.invite_another(
        world.harness.database,
        world.open,
        world.id_of(ALICE),
        address(MALLORY),
        now=world.harness.now,
    )


def fill(world: World) -> None:
    seats.fill_with_bots(
        world.harness.database, world.open, world.id_of(ALICE), now=world.harness.now
    )


def begin_it(world: World) -> None:
    for name in (CHARLIE, BOB):
        take(world) if name == CHARLIE else _accept(world)
    assert world.harness.start_match(world.open)


def _accept(world: World) -> None:
    token = world.site.letters("invitation")[-1]["token"]
    seats.accept_invitation(world.harness.database, token, zone="UTC", now=world.harness.now)


def expire(world: World) -> None:
    _match(world.site, world.open, expires_at=world.harness.now)
    assert expiry.expire_match(world.harness.database, world.open, now=world.harness.now)


def ask_for_more(world: World) -> None:
    _match(world.site, world.open, least_reliability=90)


def play_much(world: World) -> None:
    """Have Alice, who waits in the open match, no longer be new."""
    with world.harness.database.write_tx() as session:
        match = session.exec(select(Match).where(Match.uid == world.running)).one()
        for number in range(100, 130):
            told = {
                "match_id": match.id,
                "phase_number": number,
                "seat": "A",
                "played": True,
                "hidden": False,
                "at": world.harness.now,
            }
            session.add(Attendance(player_id=world.id_of(ALICE), **told))


def miss(world: World) -> None:
    with world.harness.database.write_tx() as session:
        for row in session.exec(select(Attendance).where(Attendance.phase_number >= 120)):
            row.played = False


def rename(world: World) -> None:
    _player(world.site, BOB, name="Robert")


def show_page(world: World) -> None:
    _player(world.site, BOB, profile="r0bert")


def hide_name(world: World) -> None:
    _player(world.site, BOB, name_hidden=True)


def erase(world: World) -> None:
    erasing.erase_player(world.harness.database, world.id_of(BOB), now=world.harness.now)


def rename_match(world: World) -> None:
    _match(world.site, world.running, name="The Short Table")


def order_and_minute(world: World) -> None:
    world.harness.order(world.running, BOB, "W3")
    world.look()
    world.harness.later(minutes=1)


def close(world: World) -> None:
    world.harness.round(world.running, [(name, "B2") for name in (ALICE, BOB, CHARLIE)])


def wait_a_minute(world: World) -> None:
    world.harness.later(minutes=1)


def wait_for_days(world: World) -> None:
    world.harness.later(days=3)


def pause(world: World) -> None:
    masters.pause_match(
        world.harness.database, world.running, world.id_of(ALICE), now=world.harness.now
    )


def resume(world: World) -> None:
    masters.resume_match(
        world.harness.database, world.running, world.id_of(ALICE), now=world.harness.now
    )


def move(world: World) -> None:
    later = world.harness.now + timedelta(days=9)
    masters.move_deadline(
        world.harness.database, world.running, world.id_of(ALICE), later, now=world.harness.now
    )


def resign(world: World) -> None:
    leaving.resign(
        world.harness.database, world.running, world.id_of(CHARLIE), now=world.harness.now
    )


def take_over(world: World) -> None:
    takeovers.take_seat(
        world.harness.database, world.running, world.id_of("Dave"), now=world.harness.now
    )


def concede(world: World) -> None:
    charlie = world.site.visitor(CHARLIE)
    assert (
        charlie.post(
            f"/matches/{world.running}/concession", {"sure": "yes", "phase": "2"}
        ).status_code
        == 303
    )


def end(world: World) -> None:
    for piece in ("B1", "W3", "W2", "W1", "C3", "C2"):
        world.harness.round(world.running, [(name, piece) for name in (ALICE, BOB, CHARLIE)])


def stop(world: World) -> None:
    masters.end_match(
        world.harness.database, world.running, world.id_of(ALICE), "No time.", now=world.harness.now
    )


def get_stuck(world: World) -> None:
    _match(world.site, world.running, status="stuck", trouble="a fault")


def hide_match(world: World) -> None:
    _match(world.site, world.running, private=True)


def hide_open_match(world: World) -> None:
    _match(world.site, world.open, private=True)


def archive_another(world: World) -> None:
    """End two matches, so that a visitor is shown one of them, then leave it as the only
    classic.
    """
    other = world.site.play_to_end()
    stop(world)
    world.look()
    assert entries.archive_match(world.harness.database, other)


Change = Callable[[World], object]
CHAINS: tuple[tuple[Change, ...], ...] = (
    (make, take, give_back, invite),
    (fill,),
    (begin_it, wait_a_minute),
    (expire,),
    (ask_for_more, hide_open_match),
    (play_much, miss),
    (rename, show_page, hide_name),
    (erase,),
    (rename_match, hide_match),
    (order_and_minute, close, wait_a_minute, wait_for_days),
    (pause, resume, get_stuck),
    (resign, move, take_over),
    (concede,),
    (close, end),
    (stop,),
    (archive_another,),
)


@pytest.mark.parametrize("changes", sample(CHAINS, 5), ids=lambda each: each[0].__name__)
def test_after_each_change_every_list_is_as_a_new_one(
    site: Site, changes: Sequence[Change]
) -> None:
    kept = keeps(site)
    world = World(site)
    before = world.look()
    for change in changes:
        change(world)
        after = world.look()
        assert after != before, f"{change.__name__} shows nowhere"
        keeps(site)
        assert world.look() == after, change.__name__
        site.app.extensions["kept_pages"] = kept
        before = after


# --- what does not


def say_wait(world: World) -> None:
    assert world.site.visitor(BOB).post(
        f"/matches/{world.running}/say", {"word": "wait", "phase": "2"}
    ).status_code in (200, 303)


def reserve_otherwise(world: World) -> None:
    """Change whom a seat is kept for, which the master alone sees."""
    with world.harness.database.write_tx() as session:
        match = session.exec(select(Match).where(Match.uid == world.open)).one()
        for seat in session.exec(
            select(Seat).where(Seat.match_id == match.id, col(Seat.kept_for).is_not(None))
        ):
            seat.kept_for = address(MALLORY)


def be_away(world: World) -> None:
    absence_calendar.add_absence(
        world.harness.database,
        world.id_of(BOB),
        date(2027, 1, 4),
        date(2027, 1, 8),
        now=world.harness.now,
    )


HIDDEN_ACTS: dict[str, Change] = {
    "orders": lambda world: world.harness.order(world.running, BOB, "W3"),
    "other orders": lambda world: world.harness.order(world.running, BOB, "C3"),
    "nonsense": lambda world: world.harness.order(world.running, BOB, "xyzzy"),
    "a wait": say_wait,
    "receipts": lambda world: world.site.visitor(BOB).get(f"/matches/{world.running}/receipts"),
    "another invitation": reserve_otherwise,
    "a private match": lambda world: world.site.make_open_match(name="Hidden", private=True),
    "an absence": be_away,
    "an address that bounces": lambda world: _player(
        world.site, BOB, bounced_at=world.harness.now, bounce="550"
    ),
    "a zone": lambda world: _player(world.site, BOB, zone="Asia/Tokyo"),
    "a blocked stranger": lambda world: block_list.block_address(
        world.harness.database, "mallory@evil.example", now=world.harness.now
    ),
    "a secret link": lambda world: _match(world.site, world.open, join_token="another"),
}


@pytest.mark.parametrize("progress", ["none", "count", "seats"])
def test_what_a_seat_hides_makes_no_list_anew(
    site: Site, monkeypatch: pytest.MonkeyPatch, progress: str
) -> None:
    keeps(site)
    world = World(site, progress=progress)
    world.look()
    found = made(site, monkeypatch)
    for name, act in HIDDEN_ACTS.items():
        act(world)
        found.clear()
        world.look()
        assert not found, f"{name}: a page that takes longer would tell it"


@pytest.mark.parametrize(("progress", "told"), [("none", 1), ("count", 2), ("seats", 4)])
def test_a_basis_knows_who_has_handed_in_only_as_far_as_the_match_shows_it(
    site: Site, progress: str, told: int
) -> None:
    uid, found = begin(site, progress=progress), set()
    for name in ("", "A", "B", "C"):
        with site.harness.database.write_tx() as session:
            for position, due in enumerate(
                session.exec(
                    select(Due)
                    .join(PhaseRow)
                    .where(col(PhaseRow.closed_at).is_(None))
                    .order_by(Due.seat)
                )
            ):
                due.known_at = site.harness.now if "ABC"[position] == name else None
        with site.harness.database.read_tx() as session:
            found.add(list_basis.read_basis(session, Page.WATCH, now=site.harness.now))
    assert uid and len(found) == told
