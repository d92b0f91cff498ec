"""Names of players and matches: nothing that a mail program turns into a link, because invitations
show them to strangers.
"""

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import link_in, unlinked
from adjudicator.service.base.tables import Match, Player
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.phases import beginning
from tests.cast import ALICE, BOB, address
from tests.harness import Harness
from tests.service.test_accounts import ask
from tests.service.test_invitations import opened

LINKS = (
    "http://evil.example",
    "see evil.example/x",
    "HTTPS:evil",
    "www.evil",
    "evil.com",
    "me@evil.com",
    "evil。com",
    "evil．com",
    "//evil",
    "ev\u200bil.com",
    "\\\\evil\\share",
    "mailto:me",
    "почта.рф",
    "10.0.0.1",
    "Win now: x-.io!",
    "(evil.com)",
)
NO_LINKS = (
    "Dr. No",
    "J.R.R. Tolkien",
    "Table no.5",
    "3.5 to 4",
    "Anna, Bob & Carol",
    "Who? Me!",
    "1. e4 e5",
    "The www",
    "A/B",
    "Ann: first",
)


@pytest.mark.parametrize("name", LINKS)
def test_a_name_that_reads_as_a_web_address_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(Refused, match="may hold no web address"):
        accounts.clean_name(name)


@pytest.mark.parametrize("name", NO_LINKS)
def test_other_names_are_taken_as_they_are(name: str) -> None:
    assert accounts.clean_name(name) == name


@pytest.mark.parametrize("name", LINKS)
def test_a_name_from_before_is_written_so_that_it_is_no_link(name: str) -> None:
    assert link_in(unlinked(name)) == ""


def test_a_match_is_not_named_after_a_web_address(harness: Harness) -> None:
    with pytest.raises(Refused, match="may hold no web address") as refused:
        creation.make_match(
            harness.database,
            harness.player(ALICE),
            Wish("pyramid", "Go to evil.com", {}, house=2),
            now=harness.now,
        )
    assert refused.value.field == "name"


def test_a_player_begins_with_a_name_that_is_no_link(harness: Harness) -> None:
    entered = [
        sessions.use_link(harness.database, ask(harness, each), now=harness.now).person.name
        for each in ("evil.com@x.example", "a.b@x.example")
    ]
    assert entered == ["evil com", "a.b"]


def test_a_name_from_before_stays_while_its_player_changes_other_things(harness: Harness) -> None:
    player = harness.player(ALICE)
    with harness.database.write_tx() as session:
        session.get_one(Player, player).name = "ann.smith"
    accounts.change_account(
        harness.database,
        player,
        AccountChanges("ann.smith", "Europe/Paris", receipts=True, letters=True),
    )
    with harness.database.read_tx() as session:
        kept = session.get_one(Player, player)
    assert (kept.name, kept.zone) == ("ann.smith", "Europe/Paris")
    with pytest.raises(Refused):
        accounts.change_account(
            harness.database,
            player,
            AccountChanges("bob.smith", "UTC", receipts=True, letters=True),
        )


def test_an_invitation_by_names_from_before_holds_no_link(harness: Harness) -> None:
    uid = creation.make_match(
        harness.database,
        harness.player(ALICE),
        Wish("pyramid", "Table", {}, invited=(address(BOB),)),
        now=harness.now,
    )
    with harness.database.write_tx() as session:
        session.get_one(Player, harness.people[ALICE]).name = "evil.com"
        session.exec(select(Match).where(Match.uid == uid)).one().name = "www.evil.com"
    beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)
    (letter,) = opened(harness, "invitation")
    assert (letter.context["master"], letter.context["match"]) == ("evil com", "www evil com")
