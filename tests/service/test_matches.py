"""Creating a match, inviting, and taking and giving back seats."""

from collections.abc import Mapping

import pytest

from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.phases import beginning
from tests.harness import Harness
from tests.service import listed
from tests.service.test_accounts import links


def make(harness: Harness, **wish: object) -> str:
    return harness.prepare_match(
        Wish(**({"game": "pyramid", "name": "", "options": {}} | wish)), "Alice"
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"game": "chess"}, "no game “chess”"),
        ({"options": {"take": "some"}}, "not possible for “take”"),
        ({"options": {"red": 1}}, "not possible for “red”"),
        ({"options": {"blue": True}}, "has no option “blue”"),
        ({"every_hours": 0}, "from 1 to 720 hours"),
        ({"every_hours": 10**6}, "from 1 to 720 hours"),
        ({"grace_minutes": -1}, "grace"),
        ({"house": 3}, "4 players for 3 seats"),
        ({"house": -1}, "players for 3 seats"),
        ({"invited": ("bob@example.org", "x")}, "does not read"),
        (
            {"invited": ("bob@example.org",), "open_seats": False},
            "1 of the 3 seats would stay empty",
        ),
        ({"name": "x" * 61}, "60 letters"),
    ],
)
def test_a_match_that_cannot_be_is_told_and_not_made(
    harness: Harness, wish: Mapping[str, object], says: str
) -> None:
    with pytest.raises(Refused, match=says):
        make(harness, **wish)
    with harness.database.read_tx() as session:
        assert beginning.to_prepare(session) == []


def test_nobody_takes_a_seat_before_the_chance_is_fixed(harness: Harness) -> None:
    uid = creation.make_match(
        harness.database, harness.player("Alice"), Wish("pyramid", "", {}), now=harness.now
    )
    with pytest.raises(NotNow, match="being set up"):
        seats.take_seat(harness.database, uid, harness.player("Bob"), now=harness.now)
    beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)
    seats.take_seat(harness.database, uid, harness.player("Bob"), now=harness.now)
    assert set(harness.page(uid).anchors) == {"public", "hidden"}


def test_a_match_is_founded_once(harness: Harness) -> None:
    uid = make(harness)
    anchors = harness.page(uid).anchors
    assert not beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)
    assert harness.page(uid).anchors == anchors


def test_the_invited_take_their_seats_from_the_letter_and_the_match_begins(
    harness: Harness,
) -> None:
    uid = make(harness, invited=("bob@example.org", "charlie@example.org"), open_seats=False)
    bob, charlie = links(harness, "invitation")
    with harness.database.read_tx() as session:
        assert seats.invitation(session, bob).address == "bob@example.org"
    accepted = seats.accept_invitation(harness.database, bob, zone="Europe/Rome", now=harness.now)
    entry, found = accepted.entry, accepted.uid
    assert found == uid and entry is not None and entry.person.address == "bob@example.org"
    assert not harness.start_match(uid)
    seats.accept_invitation(harness.database, charlie, zone="UTC", now=harness.now)
    assert harness.start_match(uid) and not harness.start_match(uid)
    assert harness.page(uid).card.phase == "Round 1"


def test_an_invitation_is_good_once(harness: Harness) -> None:
    make(harness, invited=("bob@example.org",))
    (token,) = links(harness, "invitation")
    seats.accept_invitation(harness.database, token, zone="UTC", now=harness.now)
    with pytest.raises(NotFound):
        seats.accept_invitation(harness.database, token, zone="UTC", now=harness.now)


@pytest.mark.parametrize("zone", ["", "Nowhere/At-All", "../../etc/passwd"])
def test_who_takes_a_seat_without_telling_a_zone_reads_times_in_utc(
    harness: Harness, zone: str
) -> None:
    make(harness, invited=("new@example.org",))
    entry = seats.accept_invitation(
        harness.database, links(harness, "invitation")[0], zone=zone, now=harness.now
    ).entry
    assert entry is not None and entry.person.zone == "UTC"


def test_a_seat_that_is_kept_is_taken_by_nobody_else(harness: Harness) -> None:
    uid = make(harness, invited=("bob@example.org",), house=1)
    with pytest.raises(NotNow, match="taken or kept"):
        seats.take_seat(harness.database, uid, harness.player("Mallory"), now=harness.now)
    seats.take_seat(harness.database, uid, harness.player("Bob"), now=harness.now)


def test_an_invitation_opens_no_account_that_is_there_already(harness: Harness) -> None:
    bob = harness.player("Bob")
    uid = make(harness, invited=("bob@example.org",))
    entry = seats.accept_invitation(
        harness.database, links(harness, "invitation")[0], zone="UTC", now=harness.now
    ).entry
    assert entry is None and harness.page(uid, "Bob").seat == "2"
    assert sessions.use_link(harness.database, links(harness)[-1], now=harness.now).person.id == bob


def test_who_is_signed_in_gets_no_other_link_for_a_seat(harness: Harness) -> None:
    bob = harness.player("Bob")
    make(harness, invited=("bob@example.org",))
    seats.accept_invitation(
        harness.database,
        links(harness, "invitation")[0],
        zone="UTC",
        now=harness.now,
        viewer_id=bob,
    )
    assert links(harness) == []


def test_a_closed_match_stays_closed_when_a_seat_comes_free_and_its_master_invites_another(
    harness: Harness,
) -> None:
    uid = make(harness, invited=("bob@example.org",), house=1, open_seats=False)
    seats.decline_invitation(harness.database, links(harness, "invitation")[0], now=harness.now)
    with pytest.raises(NotNow, match="taken or kept"):
        seats.take_seat(harness.database, uid, harness.player("Mallory"), now=harness.now)
    with pytest.raises(NotAllowed):
        seats.invite_another(
            harness.database, uid, harness.people["Mallory"], "mallory@example.org", now=harness.now
        )
    seats.invite_another(
        harness.database, uid, harness.people["Alice"], "Charlie@example.org", now=harness.now
    )
    with pytest.raises(Refused, match="already"):
        seats.invite_another(
            harness.database, uid, harness.people["Alice"], "charlie@example.org", now=harness.now
        )
    seats.accept_invitation(
        harness.database, links(harness, "invitation")[-1], zone="UTC", now=harness.now
    )
    assert [seat.player for seat in harness.page(uid).card.seats] == ["Alice", "House A", "charlie"]


def test_who_declines_frees_the_seat_and_the_master_is_told(harness: Harness) -> None:
    uid = make(harness, invited=("bob@example.org",), house=1)
    seats.decline_invitation(harness.database, links(harness, "invitation")[0], now=harness.now)
    told = [
        each.context["lines"]
        for each in harness.claim_waiting()
        if each.kind == "seat" and each.address == "alice@example.org"
    ]
    assert told == [["bob@example.org declined seat 3.", "Anybody can take the seat now."]]
    seats.take_seat(harness.database, uid, harness.player("Charlie"), now=harness.now)
    assert [seat.player for seat in harness.page(uid).card.seats] == ["Alice", "House A", "Charlie"]


def test_only_the_master_sees_whom_a_seat_is_kept_for(harness: Harness) -> None:
    uid = make(harness, invited=("bob@example.org",))
    harness.player("Mallory")
    assert [seat.kept_for for seat in harness.page(uid, "Alice").card.seats] == [
        "",
        "bob@example.org",
        "",
    ]
    for name in ("Mallory", None):
        assert not any(seat.kept_for for seat in harness.page(uid, name).card.seats)


def test_a_player_has_one_seat_and_may_give_it_back_before_the_start(harness: Harness) -> None:
    uid = make(harness)
    bob = harness.player("Bob")
    seats.take_seat(harness.database, uid, bob, now=harness.now)
    with pytest.raises(Refused, match="a seat in this match already"):
        seats.take_seat(harness.database, uid, bob, now=harness.now)
    seats.leave_seat(harness.database, uid, bob, now=harness.now)
    with pytest.raises(NotAllowed):
        seats.leave_seat(harness.database, uid, bob, now=harness.now)
    seats.take_seat(harness.database, uid, bob, now=harness.now)
    seats.take_seat(harness.database, uid, harness.player("Charlie"), now=harness.now)
    harness.start_match(uid)
    with pytest.raises(NotNow, match="has begun"):
        seats.leave_seat(harness.database, uid, bob, now=harness.now)


def test_the_master_fills_the_empty_seats_with_house_bots(harness: Harness) -> None:
    uid = make(harness, house=1)
    with pytest.raises(NotAllowed):
        seats.fill_with_bots(harness.database, uid, harness.player("Mallory"), now=harness.now)
    seats.fill_with_bots(harness.database, uid, harness.people["Alice"], now=harness.now)
    assert harness.start_match(uid)
    assert [seat.player for seat in harness.page(uid).card.seats] == ["Alice", "House A", "House B"]


def test_house_bots_play_as_was_asked_for(harness: Harness) -> None:
    for skill, name in (("random", "Random"), ("greedy", "Greedy"), ("sensible", "House")):
        uid = make(harness, house=2, skill=skill)
        assert harness.start_match(uid)
        assert [seat.player for seat in harness.page(uid).card.seats] == [
            "Alice",
            f"{name} A",
            f"{name} B",
        ]


def test_no_house_bot_sits_in_a_match_that_forbids_them(harness: Harness) -> None:
    with pytest.raises(Refused, match="House bots shall take no seats") as refused:
        make(harness, house=1, bots=False)
    assert refused.value.field == "house"
    uid = make(harness, bots=False)
    with pytest.raises(NotNow, match="for people only"):
        seats.fill_with_bots(harness.database, uid, harness.people["Alice"], now=harness.now)
    assert [seat.player for seat in harness.page(uid).card.seats] == ["Alice", "", ""]
    assert harness.page(uid).made_with.bots is False


def test_a_game_is_played_by_as_many_as_it_can_be(harness: Harness) -> None:
    with pytest.raises(Refused, match="is played by 3, not by 4") as refused:
        make(harness, players=4)
    assert refused.value.field == "players"
    assert len(harness.page(make(harness, players=3)).card.seats) == 3


def test_chance_fixed_at_the_founding_deals_the_red_pieces(harness: Harness) -> None:
    uid = make(harness, options={"red": True}, house=2)
    harness.start_match(uid)
    owed = harness.page(uid, "Alice").owed
    assert owed is not None and len(owed.slots[0].choices) == 10


def test_matches_without_a_seat_for_the_viewer_hide_no_others(harness: Harness) -> None:
    for _ in range(3):
        make(harness, invited=("bob@example.org", "dave@example.org"))
    mine, free = (make(harness, house=1) for _ in range(2))
    charlie = harness.player("Charlie")
    seats.take_seat(harness.database, mine, charlie, now=harness.now)
    another = make(harness)
    with harness.database.read_tx() as session:
        assert [each.uid for each in listed.open_matches(session, charlie, most=2)] == [
            free,
            another,
        ]
        assert [each.uid for each in listed.open_matches(session, None, most=2)] == [
            free,
            another,
        ]
