"""The next match of the same people, and rule sheets."""

import pytest
from sqlmodel import select

from adjudicator.play import rule_sheets
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import Match, Player
from adjudicator.service.erasure import erasing
from adjudicator.service.letters import bounces
from adjudicator.service.matches import creation, masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.terms import reading
from adjudicator.service.people import accounts
from adjudicator.service.starting import again, privacy
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, PLAYERS, address
from tests.harness import Harness
from tests.service import changing_hands

PIECES = ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2")
COPIED = {"name", "ready_rule", *reading.copied_columns()}
# The other columns of a match: how far it is, or who may do what in it.
STATE = {
    "id",
    "uid",
    "game",
    "rules_version",
    "options",
    "status",
    "trouble",
    "paused_at",
    "version",
    "sealing",
    "master_id",
    "private",
    "watch_token",
    "join_token",
    "published_by",
    "again_uid",
    "muster_until",
    "expires_at",
    "with_people",
    "lots",
    "days_off",
    "next_days_at",
    "wrapped_chains",
    "opened_chains",
    "anchors",
    "result",
    "stopped_after",
    "stopped_why",
    "made_at",
    "started_at",
    "ended_at",
    "shown",
    "deserted",
    "stop_note",
    "unread_calendars",
    "conceded",
    "all_taken",
    "press_overseen",
    "table_id",
    "counted_at",
    "rate_after",
    "log_size",
    "log_hash",
    "log_key",
    "restored_in",
    "seq_from",
    "former_chains",
    "archived",
    "imported",
    "named_after",
}


def row(harness: Harness, uid: str) -> Match:
    with harness.database.read_tx() as session:
        return session.exec(select(Match).where(Match.uid == uid)).one()


def played(harness: Harness, *people: str, **changes: object) -> str:
    """Play a match of these people to its end."""
    uid = harness.match(
        *people, wish=Wish("pyramid", "Table", {}, house=3 - len(people), **changes)
    )  # type: ignore[arg-type]
    for piece in PIECES:
        for name in people:
            harness.order(uid, name, piece)
        harness.later(hours=49)
        assert harness.close(uid)
    return uid


def make(harness: Harness, uid: str, who: str) -> str:
    return again.make_again(harness.database, uid, harness.player(who), now=harness.now)


def test_every_column_of_a_match_is_copied_or_is_no_option() -> None:
    assert not COPIED & STATE and set(Match.model_fields) == COPIED | STATE


def test_the_next_match_has_the_same_options_and_invites_the_same_people(harness: Harness) -> None:
    uid = played(
        harness,
        *PLAYERS,
        every_hours=24,
        grace_minutes=3,
        expire_days=9,
        timetable="every 24 hours; not on weekends",
    )
    harness.claim_waiting()
    following = make(harness, uid, BOB)
    assert make(harness, uid, ALICE) == following == make(harness, uid, BOB), "one for each match"
    old, new = row(harness, uid), row(harness, following)
    assert {name: getattr(old, name) for name in (*COPIED, "game", "options")} == {
        name: getattr(new, name) for name in (*COPIED, "game", "options")
    }
    assert new.status == "making" and new.master_id == harness.people[BOB]
    kept = [
        (seat.player_id, seat.kept_for, seat.kept_secretly) for seat in harness.seats(following)
    ]
    assert kept == [
        (harness.people[BOB], None, False),
        (None, address(ALICE), True),
        (None, address(CHARLIE), True),
    ]
    assert not any("@" in seat.kept_for for seat in harness.page(following, BOB).card.seats), (
        "the addresses stay unknown"
    )
    assert (
        harness.page(uid, ALICE).again.uid == following
        and not harness.page(uid, ALICE).again.can_make
    )


def test_where_seats_go_by_the_order_of_joining_they_do_so_again(harness: Harness) -> None:
    harness.player(ALICE)
    uid = harness.prepare_match(Wish("diplomacy", "Table", {}, seating="order"), ALICE)
    with harness.database.write_tx() as session:
        by_uid(session, uid).status = "ended"
    following = make(harness, uid, ALICE)
    named = [[seat.name for seat in harness.seats(each)] for each in (uid, following)]
    assert row(harness, following).seating == "order" and named[0] == named[1]


def test_house_bots_play_again_and_guests_find_the_way_themselves(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    uid = played(harness, ALICE, "Guest")
    following = make(harness, uid, ALICE)
    people = [seat.player_id for seat in harness.seats(following)]
    assert (
        people[0] == harness.people[ALICE]
        and people[1] not in {None, harness.people["Guest"]}
        and people[2] is None
    )
    assert harness.page(uid, "Guest").again.uid == following


def test_who_wants_no_letters_gets_none(harness: Harness) -> None:
    uid = played(harness, *PLAYERS)
    with harness.database.write_tx() as session:
        bounces.stop_letters(session, harness.people[CHARLIE])
        bounces.never_to(session, address(BOB), now=harness.now)
    assert [seat.kept_for for seat in harness.seats(make(harness, uid, ALICE))] == [
        None,
        None,
        None,
    ]


def test_only_participants_make_it_and_only_after_the_end(harness: Harness) -> None:
    uid = harness.match(*PLAYERS)
    with pytest.raises(NotNow, match="once this one is over"):
        make(harness, uid, ALICE)
    ended = played(harness, *PLAYERS)
    with pytest.raises(NotAllowed):
        make(harness, ended, MALLORY)
    assert (
        not harness.page(ended, MALLORY).again.can_make
        and harness.page(ended, CHARLIE).again.can_make
    )


def test_the_next_match_of_a_private_one_is_private_and_unknown_to_others(harness: Harness) -> None:
    uid = played(harness, *PLAYERS, private=True, invited=(address(BOB), address(CHARLIE)))
    following = make(harness, uid, CHARLIE)
    assert row(harness, following).private and harness.page(uid, ALICE).again.uid == following
    assert harness.page(uid, MALLORY).again.uid == "" and harness.page(uid).again.uid == ""


# --- names


def hide(harness: Harness, who: str) -> None:
    with harness.database.write_tx() as session:
        accounts.set_shown(session, harness.people[who], "seat")


def name_it(harness: Harness, uid: str, name: str) -> None:
    with harness.database.write_tx() as session:
        by_uid(session, uid).name = name


def test_a_usual_name_is_that_of_who_asks_again_and_a_chosen_one_stays(harness: Harness) -> None:
    uids = [played(harness, *PLAYERS) for _ in range(3)]
    for uid, name in zip(uids, ("Alice’s table", "Alice’s table", "Friday"), strict=True):
        name_it(harness, uid, name)
    assert row(harness, make(harness, uids[0], BOB)).name == "Bob’s table"
    hide(harness, CHARLIE)
    assert row(harness, make(harness, uids[1], CHARLIE)).name == "Rock Paper Pyramid"
    assert row(harness, make(harness, uids[2], CHARLIE)).name == "Friday"


def rename(harness: Harness, who: str, name: str) -> None:
    with harness.database.write_tx() as session:
        accounts.set_name(session, harness.people[who], name)


def test_a_chosen_name_that_ends_like_a_usual_one_stays(harness: Harness) -> None:
    uid = played(harness, *PLAYERS)
    name_it(harness, uid, "King Arthur’s table")
    assert row(harness, make(harness, uid, BOB)).name == "King Arthur’s table"


def test_who_hides_the_own_name_is_in_the_usual_name_of_no_table_any_more(harness: Harness) -> None:
    for who in (ALICE, BOB):
        harness.player(who)
    names = ("Alice’s table", "King Arthur’s table", "Friday")
    made = [harness.prepare_match(Wish("pyramid", name, {}), ALICE) for name in names]
    copied = harness.prepare_match(Wish("pyramid", "Alice’s table", {}), BOB, ALICE)
    others = harness.prepare_match(Wish("pyramid", "Bob’s table", {}), BOB, ALICE)
    before = row(harness, made[0]).shown
    hide(harness, ALICE)
    assert [row(harness, uid).name for uid in made] == [
        "Somebody’s table",
        "King Arthur’s table",
        "Friday",
    ]
    assert [row(harness, uid).name for uid in (copied, others)] == [
        "Somebody’s table",
        "Bob’s table",
    ]
    assert row(harness, made[0]).shown == before + 1
    erasing.erase_player(harness.database, harness.people[BOB], now=harness.now)
    assert row(harness, others).name == "Somebody’s table"


def test_a_usual_name_goes_with_the_name_of_its_maker(harness: Harness) -> None:
    harness.player(ALICE)
    uids = [
        harness.prepare_match(Wish("pyramid", name, {}), ALICE)
        for name in ("Alice’s table", "King Arthur’s table")
    ]
    before = row(harness, uids[0]).shown
    rename(harness, ALICE, "Eliza")
    assert [row(harness, uid).name for uid in uids] == ["Eliza’s table", "King Arthur’s table"]
    assert row(harness, uids[0]).shown == before + 1
    hide(harness, ALICE)
    assert [row(harness, uid).name for uid in uids] == ["Somebody’s table", "King Arthur’s table"]


def test_who_left_a_match_and_hides_the_own_name_is_not_in_its_usual_name(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    name_it(harness, uid, "Bob’s table")
    changing_hands.resign(harness, uid, BOB)
    changing_hands.take(harness, uid, MALLORY)
    hide(harness, BOB)
    assert row(harness, uid).name == "Somebody’s table"


def test_a_namesakes_table_keeps_its_name(harness: Harness) -> None:
    namesake = harness.player("Other")
    uid = harness.prepare_match(Wish("pyramid", "Alice’s table", {}), "Other", ALICE)
    with harness.database.write_tx() as session:
        # as releases allowed that told no names apart
        session.get_one(Player, namesake).name = ALICE
    hide(harness, ALICE)
    assert row(harness, uid).name == "Alice’s table"


# --- rule sheets


@pytest.mark.parametrize("sheet", rule_sheets.SHEETS, ids=lambda sheet: sheet.key)
@pytest.mark.parametrize("game", ["pyramid", "diplomacy"])
def test_a_sheet_names_its_match_until_an_option_is_changed(
    harness: Harness, sheet: rule_sheets.RuleSheet, game: str
) -> None:
    def name(**changes: object) -> str | None:
        wish = Wish(
            **{
                "game": game,
                "name": "",
                "options": {},
                **sheet.options,
                "sheet": sheet.key,
                **changes,
            }
        )  # type: ignore[arg-type]
        return row(
            harness,
            creation.make_match(harness.database, harness.player(ALICE), wish, now=harness.now),
        ).sheet

    assert name() == sheet.key and name(house=1, name="Another", private=True) == sheet.key
    for changed in (
        {"grace_minutes": 7},
        {"expire_days": 3},
        {"muster_minutes": 77},
        {"timetable": "every 5 days"},
    ):
        assert name(**changed) is None, changed
    assert name(sheet="nonsense") is None and name(sheet="") is None


def test_a_match_tells_its_sheet(harness: Harness) -> None:
    club = rule_sheets.find_sheet("club")
    assert club is not None
    uid = harness.prepare_match(Wish("pyramid", "", {}, sheet="club", **club.options), ALICE)  # type: ignore[arg-type]
    assert "club Monday and Thursday" in harness.terms(uid)[-1].told[0]


def test_a_lent_seat_stands_for_its_player_and_not_for_the_substitute(harness: Harness) -> None:
    uid = changing_hands.begin(harness, private=True, invited=(address(BOB), address(CHARLIE)))
    changing_hands.lend(harness, uid, CHARLIE, changing_hands.DAVE, days=30)
    masters.end_match(harness.database, uid, None, "the club closes", now=harness.now)
    harness.close(uid)
    with harness.database.read_tx() as session:
        assert privacy.participants(session, by_uid(session, uid)) == {
            harness.people[name] for name in PLAYERS
        }
    following = make(harness, uid, CHARLIE)
    assert [seat.kept_for for seat in harness.seats(following)] == [
        None,
        address(ALICE),
        address(BOB),
    ]


def test_who_left_a_private_match_is_not_asked_whether_everybody_may_see_it(
    harness: Harness,
) -> None:
    uid = changing_hands.begin(harness, private=True, invited=(address(BOB), address(CHARLIE)))
    changing_hands.resign(harness, uid, CHARLIE)
    masters.end_match(harness.database, uid, None, "the club closes", now=harness.now)
    harness.close(uid)
    told = [
        privacy.publish_match(harness.database, uid, harness.people[name], now=harness.now)
        for name in (ALICE, BOB)
    ]
    assert told == [False, True]


@pytest.mark.parametrize(("who", "reads"), [(MALLORY, True), (ALICE, False)])
def test_the_next_match_is_read_by_its_master_only_if_the_same_master_makes_it(
    harness: Harness, who: str, *, reads: bool
) -> None:
    harness.player(MALLORY)
    wish = Wish("diplomacy", "Lesson", {}, players=3, play=False, press=PressWish(overseen=True))
    uid = harness.prepare_match(wish, MALLORY, *PLAYERS)
    harness.start_match(uid)
    masters.end_match(harness.database, uid, None, "the lesson is over", now=harness.now)
    harness.close(uid)
    following = row(harness, make(harness, uid, who))
    assert following.press_overseen is reads and following.master_id == harness.people[who]
