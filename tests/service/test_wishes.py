"""Seats by preference: wishes, the draw among the best assignments, and what follows the player."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.core import chance
from adjudicator.core.chance import Setting
from adjudicator.play import replay, seat_allocation
from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.log.entries import list_entries
from adjudicator.service.matches import creation, preferences, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders
from adjudicator.service.press import press_by_letter
from adjudicator.service.views import match_page, transcripts
from tests.harness import Harness

THREE = ("Alice", "Bob", "Charlie")


def gathering(harness: Harness, *others: str, **wish: object) -> str:
    """An open match for three by preference, made by Alice, with `others` seated; it has not
    started.
    """
    asked = Wish(**({"game": "diplomacy", "name": "Table", "options": {}, "players": 3} | wish))  # type: ignore[arg-type]
    return harness.prepare_match(asked, "Alice", *others)


def seat_of(harness: Harness, uid: str, name: str) -> str:
    return next(row.name for row in harness.seats(uid) if row.player_id == harness.people[name])


def test_nobody_has_a_power_before_the_match_begins(harness: Harness) -> None:
    uid = gathering(harness, "Bob")
    assert [row.name for row in harness.seats(uid)] == ["1", "2", "3"]
    page = harness.page(uid, "Bob")
    assert page.card.unsettled and page.wishes is not None and page.wishes.mine == ()
    assert page.wishes.titles == (
        "England (with Germany and Austria)",
        "France (with Turkey)",
        "Russia (with Italy)",
    )


def test_wishes_that_do_not_meet_are_all_granted(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie")
    for name, wish in zip(THREE, ("russia", "england", "france"), strict=True):
        preferences.save_wishes(harness.database, uid, harness.people[name], [wish])
    assert harness.start_match(uid)
    assert [seat_of(harness, uid, name) for name in THREE] == ["RUSSIA", "ENGLAND", "FRANCE"]
    assert [row.name for row in harness.seats(uid)] == ["ENGLAND", "FRANCE", "RUSSIA"]
    assert harness.page(uid).wishes is None and not harness.page(uid).card.unsettled


def test_the_log_names_the_seats_in_their_own_order(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie")
    preferences.save_wishes(harness.database, uid, harness.people["Alice"], ["russia"])
    assert harness.start_match(uid)
    with harness.database.read_tx() as session:
        opened = next(
            each for each in list_entries(session, rows.by_uid(session, uid)) if each.type == "open"
        )
    assert (
        opened.body["seats"]
        == ["ENGLAND", "FRANCE", "RUSSIA"]
        == [each["seat"] for each in opened.body["tenures"]]
    )


def test_the_draw_can_be_done_again_from_the_chains_that_were_fixed_before(
    harness: Harness,
) -> None:
    uid = gathering(harness, "Bob", "Charlie")
    preferences.save_wishes(harness.database, uid, harness.people["Bob"], ["france", "england"])
    preferences.save_wishes(harness.database, uid, harness.people["Charlie"], ["france", "england"])
    assert harness.start_match(uid)
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
    firsts = MatchChains.recall(harness.keyring, match).firsts
    lots = preferences.drawn(match)
    again = seat_allocation.draw_seats(
        [lot.wishes for lot in lots],
        ("ENGLAND", "FRANCE", "RUSSIA"),
        chance.of_phase(firsts, Setting(uid, 0)).public,
    )
    assert again == lots and [lot.seat for lot in lots] == [
        seat_of(harness, uid, name) for name in THREE
    ]
    assert lots[0].seat == "RUSSIA" and {lots[1].seat, lots[2].seat} == {"FRANCE", "ENGLAND"}


def test_the_address_of_a_seat_stays_with_its_player(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie")
    preferences.save_wishes(harness.database, uid, harness.people["Alice"], ["russia"])
    before = {
        row.player_id: (row.id, harness.address_token(uid, row.position))
        for row in harness.seats(uid)
    }
    assert harness.start_match(uid)
    assert {
        row.player_id: (row.id, harness.address_token(uid, row.position))
        for row in harness.seats(uid)
    } == before
    assert harness.order(uid, "Alice", "A MOS H").seat == "RUSSIA"


def test_who_leaves_takes_the_wishes_along(harness: Harness) -> None:
    uid = gathering(harness, "Bob")
    preferences.save_wishes(harness.database, uid, harness.people["Bob"], ["france"])
    seats.leave_seat(harness.database, uid, harness.people["Bob"], now=harness.now)
    assert [row.wishes for row in harness.seats(uid)] == [[], [], []]


def test_wishes_are_kept_from_the_others_until_the_match_begins(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie")
    preferences.save_wishes(harness.database, uid, harness.people["Bob"], ["russia"])
    assert harness.page(uid, "Bob").wishes == match_page.SeatPreferences(
        ("ENGLAND", "FRANCE", "RUSSIA"),
        harness.page(uid).wishes.titles,
        ("RUSSIA",),  # type: ignore[union-attr]
    )
    assert harness.page(uid, "Charlie").wishes.mine == () and harness.page(uid).lots == ()  # type: ignore[union-attr]
    assert harness.start_match(uid)
    assert harness.page(uid).lots[1].wishes == ("RUSSIA",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("spain", "“spain” is not played in this match; wish for England, France or Russia."),
        ("france fra", "“fra” stands twice among your wishes; name each once, the dearest first."),
    ],
)
def test_a_wish_that_cannot_be_is_refused_with_what_can(
    harness: Harness, text: str, sentence: str
) -> None:
    uid = gathering(harness)
    with pytest.raises(Refused, match=sentence):
        preferences.save_wishes(harness.database, uid, harness.people["Alice"], text.split())
    with pytest.raises(Refused, match=sentence):
        seats.take_seat(
            harness.database, uid, harness.player("Bob"), now=harness.now, wishes=text.split()
        )
    assert harness.seats(uid)[1].player_id is None


def test_wishes_are_for_those_at_the_table_and_before_it_begins(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie")
    with pytest.raises(NotAllowed):
        preferences.save_wishes(harness.database, uid, harness.player("Dora"), ["france"])
    assert harness.start_match(uid)
    with pytest.raises(NotNow):
        preferences.save_wishes(harness.database, uid, harness.people["Bob"], ["france"])


def test_in_the_order_of_joining_nothing_is_wished_or_drawn(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie", seating="order")
    assert [row.name for row in harness.seats(uid)] == ["ENGLAND", "FRANCE", "RUSSIA"]
    with pytest.raises(Refused, match="in the order of joining"):
        preferences.save_wishes(harness.database, uid, harness.people["Bob"], ["russia"])
    assert harness.start_match(uid)
    assert seat_of(harness, uid, "Bob") == "FRANCE" and harness.page(uid).lots == ()


def test_a_game_whose_seats_are_alike_takes_no_wishes(harness: Harness) -> None:
    with pytest.raises(Refused, match="none can be wished for"):
        creation.make_match(
            harness.database,
            harness.player("Alice"),
            Wish("pyramid", "", {}, wishes=("1",)),
            now=harness.now,
        )
    with pytest.raises(Refused, match="none can be wished for"):
        creation.make_match(
            harness.database,
            harness.player("Alice"),
            Wish("pyramid", "", {}, seating="preference"),
            now=harness.now,
        )


def test_the_maker_against_the_house_gets_the_dearest_wish(harness: Harness) -> None:
    uid = gathering(harness, house=2, wishes=("rus", "fra"))
    assert harness.start_match(uid)
    assert seat_of(harness, uid, "Alice") == "RUSSIA"
    with harness.database.read_tx() as session:
        assert [turn.player_id for turn in bot_orders.house_turns(session, uid)] == [
            row.player_id for row in harness.seats(uid) if row.player_id != harness.people["Alice"]
        ]


def test_an_invitation_that_was_taken_is_given_a_seat_like_everybody(harness: Harness) -> None:
    uid = gathering(harness, invited=("bob@example.org", "charlie@example.org"))
    with harness.database.write_tx() as session:
        kept = [
            row.id or 0 for row in session.exec(select(Seat).where(col(Seat.kept_for).is_not(None)))
        ]
        sentence, _ = seats.accept_in(session, kept[0], now=harness.now, wishes=["england"])
        seats.accept_in(session, kept[1], now=harness.now)
    assert "You have a seat in Table." in sentence and "You wished for England." in sentence
    assert harness.start_match(uid)
    assert (
        next(row.name for row in harness.seats(uid) if row.kept_for == "bob@example.org")
        == "ENGLAND"
    )


def test_the_lots_stand_in_the_transcript_and_leave_the_draws_alone(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie")
    assert harness.start_match(uid)
    with harness.database.write_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        assert session.exec(select(Match.lots)).one() == [
            {"wishes": [], "seat": lot.seat} for lot in preferences.drawn(match)
        ]
    for name in THREE:
        harness.order(uid, name, "concede\nready")
    harness.close(uid)
    with harness.database.read_tx() as session:
        written = transcripts.export_transcript(session, uid)
    assert written["lots"] == [
        {"wishes": [], "seat": seat_of(harness, uid, name)} for name in THREE
    ]
    assert replay.replay_transcript(replay.read_transcript(written)).differences == ()
    written["lots"][0]["wishes"] = [written["lots"][1]["seat"]]
    assert replay.replay_transcript(replay.read_transcript(written)).differences == (
        "Start: the seats were not given as the wishes and the chance of this file give them.",
    )
    assert (
        written["seats"] == ["ENGLAND", "FRANCE", "RUSSIA"]
        and written["claims"]["start"]["draws"] == []
    )


def test_short_phases_have_a_deadline_of_their_own(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie", every_hours=48, short_hours=12, seating="order")
    assert harness.start_match(uid)
    assert (
        harness.page(uid).card.rhythm == "2 days for each phase, 12 hours for retreats and builds"
    )
    assert harness.page(uid).card.deadline == harness.now + timedelta(hours=48)
    for name, text in (
        ("Alice", "F LON - NTH\nready"),
        ("Bob", "A PAR H\nready"),
        ("Charlie", "A MOS H\nready"),
    ):
        harness.order(uid, name, text)
    assert harness.close(uid)
    for name, text in (
        ("Alice", "F NTH - NWY\nready"),
        ("Bob", "A PAR H\nready"),
        ("Charlie", "A MOS H\nready"),
    ):
        harness.order(uid, name, text)
    assert harness.close(uid)
    assert harness.page(uid).card.phase == "Winter 1901 builds"
    assert harness.page(uid).card.deadline == harness.now + timedelta(hours=12)


def test_short_phases_last_as_long_as_the_others_where_nothing_else_was_asked(
    harness: Harness,
) -> None:
    uid = gathering(harness)
    assert harness.page(uid).card.rhythm == "2 days for each phase"
    with pytest.raises(
        Refused, match="Retreats and builds may last from 1 to 720 hours; 0 is outside"
    ):
        gathering(harness, short_hours=0)


def test_a_game_without_short_phases_has_one_deadline(harness: Harness) -> None:
    uid = creation.make_match(
        harness.database,
        harness.player("Alice"),
        Wish("pyramid", "", {}, short_hours=12),
        now=harness.now,
    )
    with harness.database.read_tx() as session:
        assert rows.by_uid(session, uid).short_seconds is None


def test_in_an_anonymous_match_nothing_tells_which_place_was_given_what(harness: Harness) -> None:
    uid = gathering(harness, "Bob", "Charlie", options={"anonymous": True})
    assert harness.start_match(uid)
    assert harness.page(uid, "Alice").lots == ()
    for name in THREE:
        harness.order(uid, name, "concede\nready")
    harness.close(uid)
    assert len(harness.page(uid).lots) == 3


def test_the_order_of_joining_gives_no_seats_in_an_anonymous_match(harness: Harness) -> None:
    with pytest.raises(Refused, match="Where players are anonymous"):
        gathering(harness, options={"anonymous": True}, seating="order")


# --- Phoenix (phoenix R16)


def test_R16_seats_of_a_new_phoenix_go_by_preference_as_it_begins(harness: Harness) -> None:
    uid = gathering(harness, game="phoenix", players=2, wishes=("Blue",))
    seats.take_seat(harness.database, uid, harness.player("Bob"), now=harness.now, wishes=("Red",))
    assert harness.start_match(uid)
    assert (seat_of(harness, uid, "Alice"), seat_of(harness, uid, "Bob")) == ("Blue", "Red")


def test_R16_partners_find_each_other_by_wishing(harness: Harness) -> None:
    uid = gathering(
        harness, game="phoenix", players=4, options={"team": True}, wishes=("Red", "Pink")
    )
    for name, wanted in (
        ("Bob", ("Blue", "Green")),
        ("Charlie", ("Pink", "Red")),
        ("Dave", ("Green", "Blue")),
    ):
        seats.take_seat(harness.database, uid, harness.player(name), now=harness.now, wishes=wanted)
    assert harness.start_match(uid)
    assert [seat_of(harness, uid, name) for name in ("Alice", "Charlie", "Bob", "Dave")] == [
        "Red",
        "Pink",
        "Blue",
        "Green",
    ]


def test_R16_a_phoenix_may_seat_people_as_they_come(harness: Harness) -> None:
    uid = gathering(harness, "Bob", game="phoenix", players=2, seating="order")
    assert [row.name for row in harness.seats(uid)] == ["Red", "Blue"]
    assert harness.start_match(uid)
    assert (seat_of(harness, uid, "Alice"), seat_of(harness, uid, "Bob")) == ("Red", "Blue")


def test_R16_a_phoenix_from_before_keeps_its_order_of_joining(harness: Harness) -> None:
    """An existing match keeps the default that the column had, whatever the game's default is
    now.
    """
    uid = gathering(harness, game="phoenix", players=2, seating="order")
    with harness.database.read_tx() as session:
        assert rows.by_uid(session, uid).seating == "order"
        assert (
            preferences.of_match(session, rows.by_uid(session, uid), harness.people["Alice"])
            is None
        )
    seats.take_seat(harness.database, uid, harness.player("Bob"), now=harness.now)
    assert harness.start_match(uid)
    assert seat_of(harness, uid, "Bob") == "Blue"


def test_R16_the_transcript_of_a_phoenix_by_preference_draws_its_seats_again(
    harness: Harness,
) -> None:
    uid = gathering(harness, "Bob", game="phoenix", players=2, options={"turn_limit": 1})
    assert harness.start_match(uid)
    while harness.page(uid).card.status == "running":
        harness.later(hours=49)
        harness.close(uid)
    with harness.database.read_tx() as session:
        done = replay.replay_transcript(
            replay.read_transcript(transcripts.export_transcript(session, uid))
        )
    assert done.differences == ()


def test_R16_two_players_have_any_of_the_four_colours(harness: Harness) -> None:
    """Phoenix: the seats keep the clockwise order, and the transcript draws them again."""
    uid = gathering(
        harness, "Bob", game="phoenix", players=2, wishes=("green",), options={"turn_limit": 1}
    )
    wishes = harness.page(uid, "Bob").wishes
    assert wishes is not None and (wishes.seats, wishes.titles) == (
        ("Red", "Blue", "Pink", "Green"),
        ("2 of Red, Blue, Pink and Green",),
    )
    with harness.database.write_tx() as session:
        told = preferences.save_wishes(session, uid, harness.people["Bob"], ["pink"])
    assert (
        "2 of Red, Blue, Pink and Green are given as it begins" in told
        and "You wished for Pink." in told
    )
    assert harness.start_match(uid)
    assert [(row.name, row.position) for row in harness.seats(uid)] == [("Pink", 0), ("Green", 1)]
    assert (
        seat_of(harness, uid, "Bob") == "Pink"
        and harness.page(uid, "Bob").card.seats[0].name == "Pink"
    )
    for name in ("Alice", "Bob", "Alice", "Bob"):
        if harness.page(uid).card.status == "running" and harness.page(uid, name).owed:
            harness.order(uid, name, "place rock")
            harness.close(uid)
    with harness.database.read_tx() as session:
        assert set(press_by_letter.press_names(session, rows.by_uid(session, uid))) >= {
            "pink",
            "green",
        }
        written = transcripts.export_transcript(session, uid) | {"claims": None}
    assert (written["seats"], written["rules_version"]) == (["Pink", "Green"], 2)
    assert replay.replay_transcript(replay.read_transcript(written)).differences == ()
    with pytest.raises(
        replay.TranscriptError,
        match="is played by the seats Red, Blue or Red, Blue, Pink or Red, Blue, Pink, Green",
    ):
        replay.replay_transcript(replay.read_transcript(written | {"rules_version": 1}))
    with pytest.raises(
        replay.TranscriptError,
        match="is played by 2, 3 or 4 of the seats Red, Blue, Pink, Green, in this order",
    ):
        replay.replay_transcript(replay.read_transcript(written | {"seats": ["Green", "Pink"]}))
