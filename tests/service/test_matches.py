"""Making a match, inviting, taking and giving back seats."""

from collections.abc import Mapping

import pytest

from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.phases import opening
from adjudicator.service.views import match_list
from tests.harness import Harness
from tests.service.test_accounts import links


def make(desk: Harness, **wish: object) -> str:
    return desk.prepare_match(Wish(**({"game": "pyramid", "name": "", "options": {}} | wish)), "Alice")  # type: ignore[arg-type]


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
        ({"invited": ("bob@example.org",), "open_seats": False}, "1 of the 3 seats would stay empty"),
        ({"name": "x" * 61}, "60 letters"),
    ],
)
def test_a_match_that_cannot_be_is_told_and_not_made(desk: Harness, wish: Mapping[str, object], says: str) -> None:
    with pytest.raises(Refused, match=says):
        make(desk, **wish)
    with desk.database.read_tx() as session:
        assert opening.to_prepare(session) == []


def test_nobody_takes_a_seat_before_the_chance_is_fixed(desk: Harness) -> None:
    uid = creation.make_match(desk.database, desk.player("Alice"), Wish("pyramid", "", {}), now=desk.now)
    with pytest.raises(NotNow, match="being set up"):
        seats.take_seat(desk.database, uid, desk.player("Bob"), now=desk.now)
    opening.prepare_match(desk.database, desk.keyring, uid, now=desk.now)
    seats.take_seat(desk.database, uid, desk.player("Bob"), now=desk.now)
    assert set(desk.page(uid).anchors) == {"public", "hidden"}


def test_a_match_is_founded_once(desk: Harness) -> None:
    uid = make(desk)
    anchors = desk.page(uid).anchors
    assert not opening.prepare_match(desk.database, desk.keyring, uid, now=desk.now)
    assert desk.page(uid).anchors == anchors


def test_the_invited_take_their_seats_from_the_letter_and_the_match_begins(desk: Harness) -> None:
    uid = make(desk, invited=("bob@example.org", "charlie@example.org"), open_seats=False)
    bob, charlie = links(desk, "invitation")
    with desk.database.read_tx() as session:
        assert seats.invitation(session, bob).address == "bob@example.org"
    entry, found = seats.accept_invitation(desk.database, bob, zone="Europe/Rome", now=desk.now)
    assert found == uid and entry is not None and entry.person.address == "bob@example.org"
    assert not desk.start_match(uid)
    seats.accept_invitation(desk.database, charlie, zone="UTC", now=desk.now)
    assert desk.start_match(uid) and not desk.start_match(uid)
    assert desk.page(uid).card.phase == "Round 1"


def test_an_invitation_is_good_once(desk: Harness) -> None:
    make(desk, invited=("bob@example.org",))
    (token,) = links(desk, "invitation")
    seats.accept_invitation(desk.database, token, zone="UTC", now=desk.now)
    with pytest.raises(NotFound):
        seats.accept_invitation(desk.database, token, zone="UTC", now=desk.now)


@pytest.mark.parametrize("zone", ["", "Nowhere/At-All", "../../etc/passwd"])
def test_who_takes_a_seat_without_telling_a_zone_reads_times_in_utc(desk: Harness, zone: str) -> None:
    make(desk, invited=("new@example.org",))
    entry, _ = seats.accept_invitation(desk.database, links(desk, "invitation")[0], zone=zone, now=desk.now)
    assert entry is not None and entry.person.zone == "UTC"


def test_a_seat_that_is_kept_is_taken_by_nobody_else(desk: Harness) -> None:
    uid = make(desk, invited=("bob@example.org",), house=1)
    with pytest.raises(NotNow, match="taken or kept"):
        seats.take_seat(desk.database, uid, desk.player("Mallory"), now=desk.now)
    seats.take_seat(desk.database, uid, desk.player("Bob"), now=desk.now)


def test_an_invitation_opens_no_account_that_is_there_already(desk: Harness) -> None:
    bob = desk.player("Bob")
    uid = make(desk, invited=("bob@example.org",))
    entry, _ = seats.accept_invitation(desk.database, links(desk, "invitation")[0], zone="UTC", now=desk.now)
    assert entry is None and desk.page(uid, "Bob").seat == "2"
    assert sessions.use_link(desk.database, links(desk)[-1], now=desk.now).person.id == bob


def test_who_is_signed_in_gets_no_other_link_for_a_seat(desk: Harness) -> None:
    bob = desk.player("Bob")
    make(desk, invited=("bob@example.org",))
    seats.accept_invitation(desk.database, links(desk, "invitation")[0], zone="UTC", now=desk.now, viewer_id=bob)
    assert links(desk) == []


def test_a_closed_match_stays_closed_when_a_seat_comes_free_and_its_master_invites_another(desk: Harness) -> None:
    uid = make(desk, invited=("bob@example.org",), house=1, open_seats=False)
    seats.decline_invitation(desk.database, links(desk, "invitation")[0])
    with pytest.raises(NotNow, match="taken or kept"):
        seats.take_seat(desk.database, uid, desk.player("Mallory"), now=desk.now)
    with pytest.raises(NotAllowed):
        seats.invite_another(desk.database, uid, desk.people["Mallory"], "mallory@example.org", now=desk.now)
    seats.invite_another(desk.database, uid, desk.people["Alice"], "Charlie@example.org", now=desk.now)
    with pytest.raises(Refused, match="already"):
        seats.invite_another(desk.database, uid, desk.people["Alice"], "charlie@example.org", now=desk.now)
    seats.accept_invitation(desk.database, links(desk, "invitation")[-1], zone="UTC", now=desk.now)
    assert [seat.player for seat in desk.page(uid).card.seats] == ["Alice", "House A", "charlie"]


def test_who_declines_frees_the_seat(desk: Harness) -> None:
    uid = make(desk, invited=("bob@example.org",), house=1)
    seats.decline_invitation(desk.database, links(desk, "invitation")[0])
    seats.take_seat(desk.database, uid, desk.player("Charlie"), now=desk.now)
    assert [seat.player for seat in desk.page(uid).card.seats] == ["Alice", "House A", "Charlie"]


def test_only_the_master_sees_whom_a_seat_is_kept_for(desk: Harness) -> None:
    uid = make(desk, invited=("bob@example.org",))
    desk.player("Mallory")
    assert [seat.kept_for for seat in desk.page(uid, "Alice").card.seats] == ["", "bob@example.org", ""]
    for name in ("Mallory", None):
        assert not any(seat.kept_for for seat in desk.page(uid, name).card.seats)


def test_a_player_has_one_seat_and_may_give_it_back_before_the_start(desk: Harness) -> None:
    uid = make(desk)
    bob = desk.player("Bob")
    seats.take_seat(desk.database, uid, bob, now=desk.now)
    with pytest.raises(Refused, match="a seat in this match already"):
        seats.take_seat(desk.database, uid, bob, now=desk.now)
    seats.leave_seat(desk.database, uid, bob)
    with pytest.raises(NotAllowed):
        seats.leave_seat(desk.database, uid, bob)
    seats.take_seat(desk.database, uid, bob, now=desk.now)
    seats.take_seat(desk.database, uid, desk.player("Charlie"), now=desk.now)
    desk.start_match(uid)
    with pytest.raises(NotNow, match="has begun"):
        seats.leave_seat(desk.database, uid, bob)


def test_the_master_fills_the_empty_seats_with_house_bots(desk: Harness) -> None:
    uid = make(desk, house=1)
    with pytest.raises(NotAllowed):
        seats.fill_with_bots(desk.database, uid, desk.player("Mallory"), now=desk.now)
    seats.fill_with_bots(desk.database, uid, desk.people["Alice"], now=desk.now)
    assert desk.start_match(uid)
    assert [seat.player for seat in desk.page(uid).card.seats] == ["Alice", "House A", "House B"]


def test_house_bots_play_as_was_asked_for(desk: Harness) -> None:
    uid = make(desk, house=2, skill="random")
    assert desk.start_match(uid)
    assert [seat.player for seat in desk.page(uid).card.seats] == ["Alice", "Random A", "Random B"]
    sensible = make(desk, house=2)
    assert [seat.player for seat in desk.page(sensible).card.seats] == ["Alice", "House A", "House B"]


def test_no_house_bot_sits_in_a_match_that_forbids_them(desk: Harness) -> None:
    with pytest.raises(Refused, match="House bots shall take no seats") as refused:
        make(desk, house=1, bots=False)
    assert refused.value.field == "house"
    uid = make(desk, bots=False)
    with pytest.raises(NotNow, match="for people only"):
        seats.fill_with_bots(desk.database, uid, desk.people["Alice"], now=desk.now)
    assert [seat.player for seat in desk.page(uid).card.seats] == ["Alice", "", ""]
    assert desk.page(uid).bots is False


def test_a_game_is_played_by_as_many_as_it_can_be(desk: Harness) -> None:
    with pytest.raises(Refused, match="is played by 3, not by 4") as refused:
        make(desk, players=4)
    assert refused.value.field == "players"
    assert len(desk.page(make(desk, players=3)).card.seats) == 3


def test_chance_fixed_at_the_founding_deals_the_red_pieces(desk: Harness) -> None:
    uid = make(desk, options={"red": True}, house=2)
    desk.start_match(uid)
    owed = desk.page(uid, "Alice").owed
    assert owed is not None and len(owed.slots[0].choices) == 10


def test_matches_without_a_seat_for_the_viewer_hide_no_others(desk: Harness) -> None:
    for _ in range(3):
        make(desk, invited=("bob@example.org", "dave@example.org"))
    mine, free = (make(desk, house=1) for _ in range(2))
    charlie = desk.player("Charlie")
    seats.take_seat(desk.database, mine, charlie, now=desk.now)
    another = make(desk)
    with desk.database.read_tx() as session:
        assert [each.uid for each in match_list.open_matches(session, charlie, most=2)] == [free, another]
        assert [each.uid for each in match_list.open_matches(session, None, most=2)] == [free, another]
