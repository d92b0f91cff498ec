"""Lists to watch and to join, and the search: what they show to whom, page by page, at a constant
cost.
"""

import re

import pytest

from adjudicator import catalogue
from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.views.finding import search, thumbnails, watching
from adjudicator.service.views.finding.search import SearchResults
from adjudicator.service.views.finding.watching import Listing, Status, read_wanted
from tests.asked import asking, queries_of
from tests.harness import Harness


def watch(
    harness: Harness, status: Status = "running", *, most: int = 12, **wanted: str
) -> Listing:
    with harness.database.read_tx() as session:
        return watching.watch_matches(
            session, status, read_wanted(wanted), now=harness.now, most=most
        )


def seats(harness: Harness, who: str | None = None, **wanted: str) -> list[str]:
    """Return the names of the matches that somebody is offered a seat of."""
    with harness.database.read_tx() as session:
        found = watching.open_seats(
            session, harness.player(who) if who else None, read_wanted(wanted), now=harness.now
        )
    return [card.name for card in found.cards]


def find(harness: Harness, words: str) -> SearchResults:
    with harness.database.read_tx() as session:
        return search.find_all(session, words, now=harness.now)


def table(harness: Harness, name: str, *people: str, **wish: object) -> str:
    """Begin a match of Pyramid with house bots in the other seats."""
    return harness.match(*people, wish=Wish("pyramid", name, {}, house=3 - len(people), **wish))  # type: ignore[arg-type]  # fields of Wish


# --- watching


def test_matches_of_guests_come_last_and_private_ones_not_at_all(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    guests = table(harness, "Guests", "Guest")
    first, second = table(harness, "First", "Alice"), table(harness, "Second", "Bob")
    table(harness, "Hidden", "Alice", private=True)
    harness.prepare_match(Wish("pyramid", "Not begun", {}), "Alice")
    assert [card.uid for card in watch(harness).cards] == [second, first, guests]
    assert watch(harness, "ended").cards == () and watch(harness, game="phoenix").cards == ()


def test_pages_go_on_where_the_one_before_ended_through_both_kinds(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    made = [
        table(harness, f"{number}", who)
        for number, who in enumerate(("Guest", "Guest", "Alice", "Bob", "Guest", "Charlie"))
    ]
    seen, after = [], ""
    for _ in range(3):
        page = watch(harness, most=2, after=after)
        seen += [card.uid for card in page.cards]
        after = page.following
    assert seen == [made[number] for number in (5, 3, 2, 4, 1, 0)] and after == ""


def test_a_board_is_that_of_the_newest_closed_phase(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie", wish=Wish("pyramid", "Table", {}))
    begun = harness.now
    assert (watch(harness).boards[uid].number, watch(harness).boards[uid].moved_at) == (0, begun)
    harness.later(minutes=3)
    before = watch(harness)
    harness.order(uid, "Alice", "B3")
    assert watch(harness) == before, "sealed orders show nowhere"
    harness.order(uid, "Bob", "B2")
    harness.order(uid, "Charlie", "B1")
    assert harness.close(uid)
    assert (watch(harness).boards[uid].number, watch(harness).boards[uid].moved_at) == (
        1,
        harness.now,
    )


# --- open seats


def test_seats_are_filtered_by_game_pace_rating_and_what_they_ask(harness: Harness) -> None:
    wishes = (
        Wish("pyramid", "Hourly", {}, every_hours=1),
        Wish("pyramid", "Daily", {}, every_hours=24, rated=False),
        Wish("phoenix", "Slow birds", {}, every_hours=72, least_reliability=90),
    )
    for wish in wishes:
        harness.prepare_match(wish, "Alice")
    assert seats(harness) == ["Slow birds", "Daily", "Hourly"]
    assert seats(harness, game="pyramid") == ["Daily", "Hourly"] and seats(
        harness, pace="live"
    ) == ["Hourly"]
    assert seats(harness, pace="daily") == ["Daily"] and seats(harness, pace="slow") == [
        "Slow birds"
    ]
    assert seats(harness, rated="no") == ["Daily"] and seats(harness, asks="something") == [
        "Slow birds"
    ]
    assert seats(harness, "Alice") == [] and seats(harness, "Bob", rated="yes", asks="nothing") == [
        "Hourly"
    ]


@pytest.mark.parametrize(
    ("field", "typed"),
    [("game", "chess"), ("pace", "never"), ("rated", "1"), ("asks", "x"), ("after", "2.1")],
)
def test_what_no_list_offers_is_refused_with_its_field(field: str, typed: str) -> None:
    with pytest.raises(Refused) as refused:
        read_wanted({field: typed})
    assert refused.value.field == field


# --- searching


def test_names_are_found_by_how_they_begin_in_any_capitals(harness: Harness) -> None:
    uid = table(harness, "The Long Table", "Alice")
    for words in ("The", "the long", "THE LONG TABLE"):
        assert [card.uid for card in find(harness, words).matches] == [uid]
    assert [card.uid for card in find(harness, uid).matches] == [uid]
    assert not find(harness, "Long") and not find(harness, "The%") and not find(harness, "Th_")


def test_nobody_finds_private_matches_or_players_who_show_no_page(harness: Harness) -> None:
    uid = table(harness, "Hidden Table", "Alice", private=True)
    harness.player("Alina")
    assert (
        not find(harness, "Hidden")
        and not find(harness, uid)
        and not find(harness, "Al")
        and not find(harness, "House")
    )
    wishes = AccountChanges("Alice", "UTC", receipts=True, letters=True, shown="page")
    accounts.change_account(harness.database, harness.player("Alice"), wishes)
    found = find(harness, "al")
    assert (
        [each.name for each in found.players] == ["Alice"]
        and found.players[0].profile
        and not found.matches
    )


def test_a_name_of_one_letter_is_too_short_to_search() -> None:
    assert search.read_query("  ") == "" and search.read_query(" the\0 ") == "the"
    for words in ("a", "a" * 81):
        with pytest.raises(Refused):
            search.read_query(words)


# --- the cost


def test_lists_and_search_cost_as_many_statements_with_many_matches_as_with_few(
    harness: Harness,
) -> None:
    def count() -> list[int]:
        counts = []
        for ask in (
            lambda: watch(harness),
            lambda: seats(harness, "Bob"),
            lambda: find(harness, "ta"),
        ):
            with asking(harness.database) as asked:
                ask()
            counts.append(len(queries_of(asked)))
        return counts

    def one_of_each() -> None:
        table(harness, "Table", "Alice")
        harness.prepare_match(Wish("pyramid", "Table", {}), "Alice")

    harness.player("Bob")
    one_of_each()
    few = count()
    for _ in range(6):
        one_of_each()
    assert count() == few and max(few) <= 10


def test_the_search_reads_indexes_alone(harness: Harness) -> None:
    """With statistics of few rows PostgreSQL would scan; so it is told not to."""
    with asking(harness.database) as asked:
        find(harness, "the long")
    named = re.compile(r'FROM (?:player|match|"match") \nWHERE \W*(?:player|match)\W*name')
    wanted = [(statement, values) for statement, values in asked if named.search(statement)]
    assert len(wanted) == 2
    with harness.database.engine.connect() as connection:
        on_sqlite = connection.dialect.name == "sqlite"
        if not on_sqlite:
            connection.exec_driver_sql("SET enable_seqscan = off")
        for statement, values in wanted:
            plan = str(
                connection.exec_driver_sql(
                    ("EXPLAIN QUERY PLAN " if on_sqlite else "EXPLAIN ") + statement, values
                ).fetchall()
            )
            assert "_begins" in plan and not re.search(r"SCAN (?:match|player)|Seq Scan", plan), (
                plan
            )


# --- pictures


def test_only_closed_phases_have_a_board(harness: Harness) -> None:
    uid = table(harness, "Table", "Alice")
    with harness.database.read_tx() as session:
        assert thumbnails.board_picture(session, uid, 0)[0].startswith("<svg ")
        for number in (1, 7, 2**40):
            with pytest.raises(NotFound):
                thumbnails.board_picture(session, uid, number)


def test_a_board_shows_nothing_that_an_observer_may_not_see(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", wish=Wish("redeux", "Cards", {}, players=2))
    with harness.database.read_tx() as session:
        shown, ended, _ = thumbnails.board_picture(session, uid, 0)
        assert not ended and rows.by_uid(session, uid).status == "running"
    assert (
        shown
        == thumbnails.simplify(harness.page(uid).picture)
        != thumbnails.simplify(harness.page(uid, "Alice").picture)
    )


@pytest.mark.parametrize("game", catalogue.every_game(), ids=lambda game: game.about.key)
def test_small_pictures_are_light_and_keep_their_shape(game: catalogue.AnyGame) -> None:
    for svg in game.pictures().values():
        small = thumbnails.simplify(svg)
        assert (
            len(small) < min(len(svg), 64_000) and 'viewBox="' in small and "<title>" not in small
        )
        assert small.count("<path") == svg.count("<path") and not re.search(r' id="', small)


def test_neighbouring_lands_still_meet_after_rounding() -> None:
    left = "M10.2 10.4l20.3 0 0 20.4-20.3 0 0-20.4z"
    right = "M30.5 30.8l0-20.4 0.4 0.2 20.1 0 0 20.2-20.5 0z"
    rounded = thumbnails.simplify(f'<path d="{left}{right}"/>')
    assert rounded == '<path d="M12 12l20 0 0 20-20 0 0-20zM32 32l0-20 20 0 0 20-20 0z"/>'
