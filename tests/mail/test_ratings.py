"""`rating`, `ladder` and `erase me` by letter."""

from sqlmodel import select

from adjudicator.service.base.tables import Player, PlayerRating
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat


def rate(harness: MailHarness, who: str, points: int, matches: int, *, shown: bool) -> None:
    """Give a player a rating in Pyramid."""
    with harness.database.write_tx() as session:
        player = session.exec(select(Player).where(Player.id == harness.people[who])).one()
        player.profile = f"page-of-{who.lower()}" if shown else None
        session.add(
            PlayerRating(
                player_id=player.id or 0,
                game="pyramid",
                mu=25,
                sigma=5,
                matches=matches,
                points=points,
            )
        )


def test_rating_tells_players_their_own_and_ladder_those_who_show_themselves(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "rating")
    assert "You have no rating yet" in flat(harness.newest(ALICE, "answer"))
    for who, points, matches in ((ALICE, 1300, 12), (BOB, 1200, 1), (CHARLIE, 1400, 30)):
        rate(harness, who, points, matches, shown=who != CHARLIE)
    harness.later(seconds=1)
    harness.answer(harness.newest(CHARLIE, "report"), "rating", "ladder pyr")
    told = flat(harness.newest(CHARLIE, "answer"))
    assert "Rock Paper Pyramid: 1400 points, after 30 rated matches." in told
    assert "1. Alice: 1300 points, after 12 rated matches." in told
    assert (
        "Provisional ratings" in told
        and "1. Bob: 1200 points, after 1 rated match." in told
        and "Charlie:" not in told
    )


def test_a_ladder_needs_a_game_and_strangers_get_its_address(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "ladder")
    assert "It needs a game: pyramid, redeux" in flat(harness.newest(ALICE, "answer"))
    harness.write("mallory@example.org", SERVICE, "ladder pyramid")
    answer = harness.newest("mallory@example.org", "answer")
    assert "/ladder/pyramid" in answer.text


def test_erase_me_says_what_it_does_and_does_it_for_good(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "erase me")
    assert "Nothing was erased" in flat(harness.newest(ALICE, "answer"))
    harness.later(seconds=1)
    harness.answer(harness.newest(ALICE, "report"), "erase me for good")
    assert "Your account is erased" in flat(harness.newest(ALICE, "answer"))
    with harness.database.read_tx() as session:
        player = session.get_one(Player, harness.people[ALICE])
        assert (player.name, player.address) == (
            "a former player",
            None,
        ) and player.erased_at is not None


def test_an_address_that_proves_nothing_erases_nobody_before_it_says_yes(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.write(ALICE, SERVICE, "erase me for good")
    with harness.database.read_tx() as session:
        assert session.get_one(Player, harness.people[ALICE]).erased_at is None
    harness.later(seconds=1)
    harness.answer(harness.newest(ALICE, "confirm"), "yes")
    with harness.database.read_tx() as session:
        assert session.get_one(Player, harness.people[ALICE]).erased_at is not None


def test_onlookers_see_what_a_player_lets_them_by_letter(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    for said, told in (
        ("onlookers seat", "Onlookers read your seat’s name from now on."),
        ("onlookers page", "Everybody may see a page of your public matches from now on"),
        ("onlookers Name", "The pages of your matches show your name from now on"),
        ("onlookers all", "It needs what they see of you"),
    ):
        harness.later(seconds=1)
        harness.answer(harness.newest(ALICE, "report"), said)
        assert told in flat(harness.newest(ALICE, "answer"))
        with harness.database.read_tx() as session:
            player = session.get_one(Player, harness.people[ALICE])
        assert (player.name_hidden, player.profile is not None) == (
            said == "onlookers seat",
            said == "onlookers page",
        )
