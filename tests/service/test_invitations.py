"""Invitations: who may write to strangers, how often, and that nobody is written to who does not want it."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.tables import Letter, Match, Stranger
from adjudicator.service.letters import bounces, suppression
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.people.invitation_limits import USUAL, Caps
from adjudicator.service.phases import opening
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness


def opened(desk: Harness, kind: str) -> list[LetterToSend]:
    """Return the letters of a kind that wait, opened as the worker would."""
    return [each for each in desk.claim_waiting() if each.kind == kind]


# --- who may invite, and how often


def make(desk: Harness, name: str = ALICE, *, invited: Iterable[str] = (), caps: Caps = USUAL) -> str:
    """Have somebody make a match with a seat kept for each of these addresses."""
    wish = Wish("diplomacy", "Table", {}, invited=tuple(invited))
    return creation.make_match(desk.database, desk.player(name), wish, now=desk.now, caps=caps)


def found(desk: Harness, uid: str) -> None:
    opening.prepare_match(desk.database, desk.keyring, uid, now=desk.now)


def test_a_guest_invites_nobody(desk: Harness) -> None:
    desk.player("Guest", guest=True)
    with pytest.raises(NotAllowed, match="confirmed address"):
        make(desk, "Guest", invited=["victim@example.net"])
    uid = make(desk, "Guest")
    found(desk, uid)
    with pytest.raises(NotAllowed, match="confirmed address"):
        seats.invite_another(desk.database, uid, desk.people["Guest"], "victim@example.net", now=desk.now)
    assert opened(desk, "invitation") == []


def test_a_player_invites_so_many_a_day(desk: Harness) -> None:
    caps = Caps(a_day=3, in_all=100)
    uid = make(desk, invited=["a@example.net", "b@example.net"], caps=caps)
    with pytest.raises(NotNow, match="you sent 2"):  # the match is not founded yet, so its letters are not written
        make(desk, invited=["c@example.net", "d@example.net"], caps=caps)
    found(desk, uid)
    with pytest.raises(NotNow, match="3 invitations within a day, and you sent 2"):
        make(desk, invited=["c@example.net", "d@example.net"], caps=caps)
    seats.invite_another(desk.database, uid, desk.people[ALICE], "c@example.net", now=desk.now, caps=caps)
    with pytest.raises(NotNow, match="you sent 3"):
        seats.invite_another(desk.database, uid, desk.people[ALICE], "d@example.net", now=desk.now, caps=caps)
    make(desk, BOB, invited=["d@example.net"], caps=caps)
    desk.later(hours=24, seconds=1)
    make(desk, invited=["e@example.net", "f@example.net", "g@example.net"], caps=caps)


def test_requests_at_the_same_moment_invite_no_more(desk: Harness) -> None:
    desk.player(ALICE)

    def invite(number: int) -> bool:
        try:
            make(desk, invited=[f"friend{number}@example.net"], caps=Caps(a_day=3, in_all=100))
        except NotNow:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(invite, range(8))) == 3


def test_all_players_together_invite_so_many_a_day(desk: Harness) -> None:
    caps = Caps(a_day=3, in_all=4)
    found(desk, make(desk, ALICE, invited=["a@example.net", "b@example.net"], caps=caps))
    make(desk, BOB, invited=["c@example.net"], caps=caps)
    with pytest.raises(NotNow, match="no more do"):
        make(desk, CHARLIE, invited=["d@example.net", "e@example.net"], caps=caps)
    make(desk, CHARLIE, invited=["d@example.net"], caps=caps)


def test_an_address_is_invited_three_times_a_day_whoever_invites(desk: Harness) -> None:
    for name in (ALICE, BOB, CHARLIE):
        found(desk, make(desk, name, invited=["victim@example.net"]))
    with pytest.raises(Refused, match=r"No invitation goes to victim@example\.net now") as refused:
        make(desk, "Dora", invited=["victim@example.net"])
    assert refused.value.field == "invited"
    desk.later(hours=24, seconds=1)
    make(desk, "Dora", invited=["victim@example.net"])


def test_a_refused_invitation_leaves_no_match_behind(desk: Harness) -> None:
    with pytest.raises(NotNow):
        make(desk, invited=["a@example.net"], caps=Caps(a_day=0))
    with desk.database.read_tx() as session:
        assert session.exec(select(Match)).all() == []


# --- "never write to me again"

VICTIM = "victim@example.net"


def never(desk: Harness) -> str:
    """Invite the victim, who wants no letters again; returns the secret of that letter."""
    found(desk, make(desk, invited=[VICTIM]))
    token = str(opened(desk, "invitation")[-1].context["never_token"])
    assert bounces.never_by_token(desk.database, token, now=desk.now)
    return token


def test_who_wants_no_letters_again_is_not_invited_again(desk: Harness) -> None:
    token = never(desk)
    desk.later(days=400)
    for spelling in (VICTIM, "Victim@Example.NET", "victim+games@example.net"):
        with pytest.raises(Refused, match="No invitation goes to"):
            make(desk, BOB, invited=[spelling])
    assert bounces.never_by_token(desk.database, token, now=desk.now)


def test_an_invitation_that_waits_goes_nowhere_once_its_reader_wants_none(desk: Harness) -> None:
    first, second = make(desk, invited=[VICTIM]), make(desk, BOB, invited=[VICTIM])
    found(desk, first)
    token = str(opened(desk, "invitation")[-1].context["never_token"])
    found(desk, second)
    bounces.never_by_token(desk.database, token, now=desk.now)
    assert opened(desk, "invitation") == []
    with desk.database.read_tx() as session:
        assert len(session.exec(select(Letter).where(Letter.address == VICTIM)).all()) == 1


def test_only_a_hash_of_the_address_is_kept(desk: Harness) -> None:
    never(desk)
    with desk.database.read_tx() as session:
        (row,) = session.exec(select(Stranger))
    assert "victim" not in repr(row) and row.never_at == desk.now


def test_sign_in_links_still_go_there_and_letters_once_their_reader_wants_them(desk: Harness) -> None:
    never(desk)
    sessions.ask_link(desk.database, VICTIM, zone="UTC", now=desk.now)
    (link,) = opened(desk, "signin")
    player = sessions.use_link(desk.database, str(link.context["token"]), now=desk.now).person
    assert not player.letters
    accounts.change_account(desk.database, player.id, AccountChanges("Victim", "UTC", receipts=True, letters=True))
    found(desk, make(desk, BOB, invited=[VICTIM]))
    assert [letter.address for letter in opened(desk, "invitation")] == [VICTIM]


def test_whoever_starts_letters_again_is_written_to_again(desk: Harness) -> None:
    never(desk)
    with desk.database.write_tx() as session:
        player = accounts.for_address(session, VICTIM, zone="UTC", now=desk.now)
        accounts.start_letters(session, player.id or 0)
        assert suppression.why_suppressed(session, VICTIM) == ""


def test_a_player_who_wants_no_letters_again_gets_none_of_any_match(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    opened(desk, "report")
    found(desk, make(desk, ALICE, invited=[address(BOB)]))
    bounces.never_by_token(desk.database, str(opened(desk, "invitation")[-1].context["never_token"]), now=desk.now)
    desk.later(hours=49)
    for uid in uids(desk):
        desk.close(uid)
    assert {letter.address for letter in opened(desk, "report")} == {address(ALICE), address(CHARLIE)}


def uids(desk: Harness) -> list[str]:
    with desk.database.read_tx() as session:
        return list(session.exec(select(Match.uid).where(Match.status == "running")))
