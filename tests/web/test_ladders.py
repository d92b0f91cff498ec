"""Ladders: players who show a page of themselves, in pages of 50, and nothing that a running match
would change.
"""

from sqlmodel import select

from adjudicator.service.base.tables import Player, PlayerRating
from adjudicator.service.matches.creation import Wish
from adjudicator.service.ratings import counting
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS, address
from tests.web.site import Site, page_text, without_tokens
from tests.web.test_players import end
from tests.web.test_security import show_profile


def rank(site: Site, number: int, points: int, *, matches: int = 10, shown: bool = True) -> None:
    """Add a player with a rating in Redeux."""
    with site.harness.database.write_tx() as session:
        player = Player(
            name=f"Player {number}",
            made_at=site.harness.now,
            profile=f"page{number}" if shown else None,
        )
        session.add(player)
        session.flush()
        session.add(
            PlayerRating(
                player_id=player.id or 0,
                game="redeux",
                mu=25,
                sigma=5,
                matches=matches,
                points=points,
            )
        )


def count(site: Site) -> None:
    counting.count_waiting(site.harness.database, now=site.harness.now)


def test_a_ladder_lists_players_by_points_in_pages_of_fifty(small_site: Site) -> None:
    for number in range(53):
        rank(small_site, number, 2000 - 10 * min(number, 50))
    rank(small_site, 99, 3000, shown=False)
    rank(small_site, 100, 2500, matches=9)
    visitor = small_site.visitor()
    first, second = (
        page_text(visitor.get("/ladder/redeux")),
        page_text(visitor.get("/ladder/redeux?page=2")),
    )
    assert (
        "1 Player 0 2000 10" in first
        and "50 Player 49 1510" in first
        and "Player 50" not in first
        and "Page 1 of 2" in first
    )
    assert (
        all(f"51 Player {number} 1500" in second for number in (50, 51, 52))
        and "Player 49" not in second
    ), "equal points share a place"
    assert "Player 99" not in first + second
    assert (
        "1 Player 100 2500 9" in first.partition("Provisional ratings")[2]
        and "Player 100" not in second
    )
    assert (
        visitor.get("/ladder/redeux?page=3").status_code
        == visitor.get("/ladder/redeux?page=x").status_code
        == 404
    )
    assert visitor.get("/ladder/chess").status_code == 404


def test_a_place_that_goes_on_from_the_page_before_is_shared(small_site: Site) -> None:
    for number in range(52):
        rank(small_site, number, 1800 if number < 48 else 1700)
    second = page_text(small_site.visitor().get("/ladder/redeux?page=2"))
    assert "49 Player 50 1700" in second and "49 Player 51 1700" in second


def test_an_empty_ladder_says_how_one_gets_on_it(small_site: Site) -> None:
    told = page_text(small_site.visitor().get("/ladder/genesis"))
    assert (
        "Nobody with ten rated matches" in told
        and "How it is computed" in told
        and "Bradley-Terry" in told
    )
    assert small_site.visitor().get("/ladder").headers["Location"] == "/ladder/pyramid"


def test_an_anonymous_match_changes_no_ladder_before_its_end(small_site: Site) -> None:
    show_profile(small_site, ALICE)
    empty = without_tokens(small_site.visitor().get("/ladder/rsp-diplomacy").text)
    wish = Wish("rsp-diplomacy", "The Masked Ball", {"anonymous": True}, players=3)
    uid = small_site.harness.match(*PLAYERS, wish=wish)
    small_site.harness.later(hours=60)
    assert small_site.harness.close(uid)
    count(small_site)
    assert without_tokens(small_site.visitor().get("/ladder/rsp-diplomacy").text) == empty
    end(small_site, uid)
    count(small_site)
    told = page_text(small_site.visitor().get("/ladder/rsp-diplomacy"))
    assert "Alice" in told and BOB not in told and CHARLIE not in told, "the others show no page"


def test_a_private_match_changes_no_rating(small_site: Site) -> None:
    wish = Wish("pyramid", "Hidden", {}, private=True, invited=(address(BOB), address(CHARLIE)))
    uid = small_site.harness.match(*PLAYERS, wish=wish)
    small_site.harness.later(hours=60)
    assert small_site.harness.close(uid)
    end(small_site, uid)
    count(small_site)
    with small_site.harness.database.read_tx() as session:
        assert session.exec(select(PlayerRating)).all() == []
