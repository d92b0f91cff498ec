"""Invitations: who may send them, how many, and that nobody who refused letters gets one."""

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
from adjudicator.service.phases import beginning
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness


def opened(harness: Harness, kind: str) -> list[LetterToSend]:
    """Claim all waiting letters and return those of a kind."""
    return [each for each in harness.claim_waiting() if each.kind == kind]


# --- who may invite, and how often


def make(
    harness: Harness, name: str = ALICE, *, invited: Iterable[str] = (), caps: Caps = USUAL
) -> str:
    """Create a match by `name`, with a seat kept for each invited address; return its public
    name.
    """
    wish = Wish("diplomacy", "Table", {}, invited=tuple(invited))
    return creation.make_match(
        harness.database, harness.player(name), wish, now=harness.now, caps=caps
    )


def found(harness: Harness, uid: str) -> None:
    beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)


def test_a_guest_invites_nobody(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    with pytest.raises(NotAllowed, match="confirmed address"):
        make(harness, "Guest", invited=["victim@example.net"])
    uid = make(harness, "Guest")
    found(harness, uid)
    with pytest.raises(NotAllowed, match="confirmed address"):
        seats.invite_another(
            harness.database, uid, harness.people["Guest"], "victim@example.net", now=harness.now
        )
    assert opened(harness, "invitation") == []


def test_a_player_invites_so_many_a_day(harness: Harness) -> None:
    caps = Caps(a_day=3, in_all=100)
    uid = make(harness, invited=["a@example.net", "b@example.net"], caps=caps)
    # the match is not prepared yet, so its letters are not written
    with pytest.raises(NotNow, match="you sent 2"):
        make(harness, invited=["c@example.net", "d@example.net"], caps=caps)
    found(harness, uid)
    with pytest.raises(NotNow, match="3 invitations within a day, and you sent 2"):
        make(harness, invited=["c@example.net", "d@example.net"], caps=caps)
    seats.invite_another(
        harness.database, uid, harness.people[ALICE], "c@example.net", now=harness.now, caps=caps
    )
    with pytest.raises(NotNow, match="you sent 3"):
        seats.invite_another(
            harness.database,
            uid,
            harness.people[ALICE],
            "d@example.net",
            now=harness.now,
            caps=caps,
        )
    make(harness, BOB, invited=["d@example.net"], caps=caps)
    harness.later(hours=24, seconds=1)
    make(harness, invited=["e@example.net", "f@example.net", "g@example.net"], caps=caps)


def test_requests_at_the_same_moment_invite_no_more(harness: Harness) -> None:
    harness.player(ALICE)

    def invite(number: int) -> bool:
        try:
            make(harness, invited=[f"friend{number}@example.net"], caps=Caps(a_day=3, in_all=100))
        except NotNow:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(invite, range(8))) == 3


def test_all_players_together_invite_so_many_a_day(harness: Harness) -> None:
    caps = Caps(a_day=3, in_all=4)
    found(harness, make(harness, ALICE, invited=["a@example.net", "b@example.net"], caps=caps))
    make(harness, BOB, invited=["c@example.net"], caps=caps)
    with pytest.raises(NotNow, match="no more do"):
        make(harness, CHARLIE, invited=["d@example.net", "e@example.net"], caps=caps)
    make(harness, CHARLIE, invited=["d@example.net"], caps=caps)


def test_an_address_is_invited_three_times_a_day_whoever_invites(harness: Harness) -> None:
    for name in (ALICE, BOB, CHARLIE):
        found(harness, make(harness, name, invited=["victim@example.net"]))
    with pytest.raises(Refused, match=r"No invitation goes to victim@example\.net now") as refused:
        make(harness, "Dora", invited=["victim@example.net"])
    assert refused.value.field == "invited"
    harness.later(hours=24, seconds=1)
    make(harness, "Dora", invited=["victim@example.net"])


def test_a_refused_invitation_leaves_no_match_behind(harness: Harness) -> None:
    with pytest.raises(NotNow):
        make(harness, invited=["a@example.net"], caps=Caps(a_day=0))
    with harness.database.read_tx() as session:
        assert session.exec(select(Match)).all() == []


# --- "never write to me again"

VICTIM = "victim@example.net"


def never(harness: Harness) -> str:
    """Invite the victim, stop all letters there with the letter's secret, and return the secret."""
    found(harness, make(harness, invited=[VICTIM]))
    token = str(opened(harness, "invitation")[-1].context["never_token"])
    assert bounces.never_by_token(harness.database, token, now=harness.now)
    return token


def test_who_wants_no_letters_again_is_not_invited_again(harness: Harness) -> None:
    token = never(harness)
    harness.later(days=400)
    for spelling in (VICTIM, "Victim@Example.NET", "victim+games@example.net"):
        with pytest.raises(Refused, match="No invitation goes to"):
            make(harness, BOB, invited=[spelling])
    assert bounces.never_by_token(harness.database, token, now=harness.now)


def test_an_invitation_that_waits_goes_nowhere_once_its_reader_wants_none(harness: Harness) -> None:
    first, second = make(harness, invited=[VICTIM]), make(harness, BOB, invited=[VICTIM])
    found(harness, first)
    token = str(opened(harness, "invitation")[-1].context["never_token"])
    found(harness, second)
    bounces.never_by_token(harness.database, token, now=harness.now)
    assert opened(harness, "invitation") == []
    with harness.database.read_tx() as session:
        assert len(session.exec(select(Letter).where(Letter.address == VICTIM)).all()) == 1


def test_only_a_hash_of_the_address_is_kept(harness: Harness) -> None:
    never(harness)
    with harness.database.read_tx() as session:
        (row,) = session.exec(select(Stranger))
    assert "victim" not in repr(row) and row.never_at == harness.now


def test_sign_in_links_still_go_there_and_letters_once_their_reader_wants_them(
    harness: Harness,
) -> None:
    never(harness)
    sessions.ask_link(harness.database, VICTIM, zone="UTC", now=harness.now)
    (link,) = opened(harness, "signin")
    player = sessions.use_link(harness.database, str(link.context["token"]), now=harness.now).person
    assert not player.letters
    accounts.change_account(
        harness.database, player.id, AccountChanges("Victim", "UTC", receipts=True, letters=True)
    )
    found(harness, make(harness, BOB, invited=[VICTIM]))
    assert [letter.address for letter in opened(harness, "invitation")] == [VICTIM]


def test_whoever_starts_letters_again_is_written_to_again(harness: Harness) -> None:
    never(harness)
    with harness.database.write_tx() as session:
        player = accounts.for_address(session, VICTIM, zone="UTC", now=harness.now)
        accounts.start_letters(session, player.id or 0)
        assert suppression.why_suppressed(session, VICTIM) == ""


def test_a_player_who_wants_no_letters_again_gets_none_of_any_match(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    opened(harness, "report")
    found(harness, make(harness, ALICE, invited=[address(BOB)]))
    bounces.never_by_token(
        harness.database,
        str(opened(harness, "invitation")[-1].context["never_token"]),
        now=harness.now,
    )
    harness.later(hours=49)
    for uid in uids(harness):
        harness.close(uid)
    assert {letter.address for letter in opened(harness, "report")} == {
        address(ALICE),
        address(CHARLIE),
    }


def uids(harness: Harness) -> list[str]:
    with harness.database.read_tx() as session:
        return list(session.exec(select(Match.uid).where(Match.status == "running")))
