"""Sign-in links are single-use and expire after ten minutes; guests and sessions give no access to
another's account.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.platform import entropy
from adjudicator.platform.db import Database
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.tables import Letter, Link, Player, SignedIn
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from adjudicator.service.people.accounts import AccountChanges
from adjudicator.service.requests.confirming import Evidence
from adjudicator.service.tokens.references import Reference, find_opened
from tests.harness import Harness


def links(harness: Harness, kind: str = "signin") -> list[str]:
    """Return the tokens in all letters of a kind whose rows are there, as the worker writes
    them.
    """
    with harness.database.read_tx() as session:
        letters = session.exec(select(Letter).where(Letter.kind == kind).order_by(Letter.id)).all()  # type: ignore[arg-type]
    opened = [
        json.loads(
            harness.keyring.unwrap(each.context or b"", bound_to=f"letter:{each.uid}".encode())
        )
        for each in letters
    ]
    wanted = [Reference(**each["token"]) for each in opened]
    with harness.database.read_tx() as session:
        there = [each for each in wanted if find_opened(session, each) is not None]
    return [harness.token(each) for each in there]


def ask(harness: Harness, address: str, **more: object) -> str:
    sessions.ask_link(harness.database, address, zone="Europe/Paris", now=harness.now, **more)  # type: ignore[arg-type]
    return links(harness)[-1]


def test_a_link_signs_in_once(harness: Harness) -> None:
    token = ask(harness, " Alice@Example.ORG ")
    entry = sessions.use_link(harness.database, token, now=harness.now)
    assert (entry.person.address, entry.person.zone, entry.person.name) == (
        "alice@example.org",
        "Europe/Paris",
        "alice",
    )
    with pytest.raises(NotNow, match="used already"):
        sessions.use_link(harness.database, token, now=harness.now)


def test_a_link_is_good_for_ten_minutes(harness: Harness) -> None:
    token = ask(harness, "alice@example.org")
    harness.later(minutes=10)
    with pytest.raises(NotNow):
        sessions.use_link(harness.database, token, now=harness.now)


def test_the_same_address_is_the_same_player(harness: Harness) -> None:
    first, second = (
        sessions.use_link(harness.database, ask(harness, "alice@example.org"), now=harness.now)
        for _ in range(2)
    )
    assert first.person == second.person and first.token != second.token


def test_neither_links_nor_sessions_are_stored_as_they_are(harness: Harness) -> None:
    token = ask(harness, "alice@example.org")
    entry = sessions.use_link(harness.database, token, now=harness.now)
    with harness.database.read_tx() as session:
        stored = [link.token_hash for link in session.exec(select(Link))] + [
            row.token_hash for row in session.exec(select(SignedIn))
        ]
    assert token not in stored and entry.token not in stored


def test_an_address_gets_five_links_an_hour(harness: Harness) -> None:
    for _ in range(8):
        sessions.ask_link(harness.database, "alice@example.org", zone="UTC", now=harness.now)
    assert len(links(harness)) == 5
    harness.later(hours=1, seconds=1)
    ask(harness, "alice@example.org")
    assert len(links(harness)) == 6


@pytest.mark.parametrize(
    "address",
    [
        "",
        "alice",
        "a@b",
        "a b@example.org",
        "alice@example.org\nBcc: x@example.org",
        "x" * 300 + "@example.org",
    ],
)
def test_what_is_no_address_is_told(harness: Harness, address: str) -> None:
    with pytest.raises(Refused, match="does not read as an e-mail address"):
        sessions.ask_link(harness.database, address, zone="UTC", now=harness.now)


def test_a_guest_keeps_everything_when_an_address_is_added(harness: Harness) -> None:
    guest = sessions.enter_guest(harness.database, zone="Mars/Olympus", now=harness.now)
    uid = creation.make_match(
        harness.database, guest.person.id, Wish("pyramid", "", {}, house=2), now=harness.now
    )
    token = ask(harness, "alice@example.org", guest_id=guest.person.id)
    entry = sessions.use_link(harness.database, token, now=harness.now)
    assert entry.person.id == guest.person.id and (entry.person.address, entry.person.name) == (
        "alice@example.org",
        "alice",
    )
    harness.people["alice"] = entry.person.id
    assert harness.page(uid, "alice").seat == "1"


def test_a_guest_whose_address_is_known_becomes_that_player_with_the_seats(
    harness: Harness,
) -> None:
    known = harness.player("Alice")
    guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
    uid = creation.make_match(
        harness.database, guest.person.id, Wish("pyramid", "", {}, house=2), now=harness.now
    )
    entry = sessions.use_link(
        harness.database,
        ask(harness, "alice@example.org", guest_id=guest.person.id),
        now=harness.now,
    )
    assert (
        entry.person.id == known
        and harness.page(uid, "Alice").is_master
        and harness.page(uid, "Alice").seat == "1"
    )


def test_a_link_that_a_stranger_asked_for_leaves_the_stranger_signed_out(harness: Harness) -> None:
    mallory = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
    sessions.use_link(
        harness.database,
        ask(harness, "alice@example.org", guest_id=mallory.person.id),
        now=harness.now,
    )
    with harness.database.read_tx() as session:
        assert sessions.signed_in_player(session, mallory.token, now=harness.now) is None


def test_a_session_ends_at_the_sign_in_that_replaces_it_in_its_browser(harness: Harness) -> None:
    def enter_by_link(database: Database) -> None:
        sessions.use_link(database, ask(harness, "alice@example.org"), now=harness.now)

    def enter_as_guest(database: Database) -> None:
        sessions.enter_guest(database, zone="UTC", now=harness.now)

    def enter_by_letter(database: Database) -> None:
        sessions.sign_in(database, harness.player("Bob"), Evidence("invitation"), now=harness.now)

    for enter in (enter_by_link, enter_as_guest, enter_by_letter):
        before, elsewhere = (
            sessions.enter_guest(harness.database, zone="UTC", now=harness.now) for _ in range(2)
        )
        enter(harness.database.knowing(**{sessions.BROWSER: before.token}))
        with harness.database.read_tx() as session:
            left = [
                sessions.signed_in_player(session, each.token, now=harness.now)
                for each in (before, elsewhere)
            ]
        assert left == [None, elsewhere.person], enter.__name__


def test_a_guest_who_comes_in_by_the_same_form_again_is_the_same_guest(harness: Harness) -> None:
    token = entropy.token_urlsafe(32)
    first, again = (
        sessions.enter_guest(harness.database, zone="UTC", now=harness.now, token=token)
        for _ in range(2)
    )
    assert first == again and first.token == token
    sessions.sign_out(harness.database, token, now=harness.now)
    other = sessions.enter_guest(harness.database, zone="UTC", now=harness.now, token=token)
    assert other.person.id != first.person.id and other.token != token, (
        "a session that has ended stays so"
    )


def test_a_link_says_who_asked_for_it_to_all_others(harness: Harness) -> None:
    guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now).person.id
    token, plain = (
        ask(harness, "alice@example.org", guest_id=guest),
        ask(harness, "bob@example.org"),
    )
    with harness.database.read_tx() as session:
        asked = [
            sessions.who_asked(session, each, viewer)
            for each, viewer in ((token, None), (token, guest), (plain, None), ("x", None))
        ]
    assert asked == ["guest", "", "", ""]
    sessions.use_link(harness.database, token, now=harness.now)
    moving = ask(harness, "carol@example.org", guest_id=guest)
    with harness.database.read_tx() as session:
        assert sessions.who_asked(session, moving, None) == "player", "it has an address now"


def test_links_and_sessions_that_are_over_are_not_kept(harness: Harness) -> None:
    sessions.use_link(harness.database, ask(harness, "alice@example.org"), now=harness.now)
    harness.later(days=61)
    sessions.use_link(harness.database, ask(harness, "alice@example.org"), now=harness.now)
    with harness.database.read_tx() as session:
        assert (
            [row.made_at for row in session.exec(select(Link))]
            == [row.made_at for row in session.exec(select(SignedIn))]
            == [harness.now]
        )


def test_a_guest_s_other_links_are_nothing_to_whoever_the_guest_became(harness: Harness) -> None:
    mallory = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
    token = ask(harness, "alice@example.org", guest_id=mallory.person.id)
    other = ask(harness, "mallory@example.org", guest_id=mallory.person.id)
    alice = sessions.use_link(harness.database, token, now=harness.now)
    elsewhere = sessions.use_link(harness.database, other, now=harness.now)
    assert elsewhere.person.id != alice.person.id
    with harness.database.read_tx() as session:
        assert sessions.signed_in_player(session, alice.token, now=harness.now) is not None


def test_a_session_ends_when_signed_out_and_after_its_time(harness: Harness) -> None:
    one, other = (
        sessions.use_link(
            harness.database, ask(harness, "alice@example.org"), now=harness.now
        ).token
        for _ in range(2)
    )
    sessions.sign_out(harness.database, one, now=harness.now)
    with harness.database.read_tx() as session:
        assert sessions.signed_in_player(session, one, now=harness.now) is None
        assert sessions.signed_in_player(session, other, now=harness.now) is not None
        assert (
            sessions.signed_in_player(session, other, now=harness.now + timedelta(days=60)) is None
        )


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "x" * 41},
        {"name": "\x00\n"},
        {"zone": "Paris"},
        {"zone": "../etc/passwd"},
    ],
)
def test_a_wrong_wish_changes_nothing(harness: Harness, change: dict[str, str]) -> None:
    player = harness.player("Alice")
    with pytest.raises(Refused):
        accounts.change_account(
            harness.database,
            player,
            AccountChanges(
                **({"name": "A", "zone": "UTC", "receipts": False, "letters": False} | change)
            ),
        )  # type: ignore[arg-type]
    with harness.database.read_tx() as session:
        kept = session.get_one(Player, player)
    assert (kept.name, kept.zone, kept.letters) == ("Alice", "UTC", True)


def test_a_name_that_nobody_can_see_is_refused() -> None:
    with pytest.raises(Refused):
        accounts.clean_name("\u3164\u2800 \u202e")


def test_whoever_asks_for_anothers_links_leaves_some_to_the_owner(harness: Harness) -> None:
    for _ in range(9):
        sessions.ask_link(
            harness.database,
            "alice@example.org",
            zone="UTC",
            now=harness.now,
            requester="198.51.100.7",
        )
    assert len(links(harness)) == 3
    for _ in range(9):
        sessions.ask_link(
            harness.database,
            "alice@example.org",
            zone="UTC",
            now=harness.now,
            requester="203.0.113.9",
        )
    assert len(links(harness)) == 5


def test_a_further_request_sends_nothing_and_prolongs_the_newest_link(harness: Harness) -> None:
    for requester in ("a", "b", "c", "d", "e"):
        token = ask(harness, "alice@example.org", requester=requester)
        harness.later(minutes=1)
    harness.later(minutes=8, seconds=30)
    assert ask(harness, "alice@example.org", requester="owner") == token
    harness.later(minutes=9)
    assert (
        sessions.use_link(harness.database, token, now=harness.now).person.address
        == "alice@example.org"
    )


def test_a_link_that_is_over_is_good_again_where_no_other_may_be_sent(harness: Harness) -> None:
    tokens = [ask(harness, "alice@example.org") for _ in range(4)]
    harness.later(minutes=1)
    newest = ask(harness, "alice@example.org")
    harness.later(minutes=30)
    ask(harness, "alice@example.org", requester="owner")
    with pytest.raises(NotNow):
        sessions.use_link(harness.database, tokens[0], now=harness.now)
    assert (
        sessions.use_link(harness.database, newest, now=harness.now).person.address
        == "alice@example.org"
    )


def test_of_the_links_that_nobody_used_the_newest_is_prolonged(harness: Harness) -> None:
    tokens = []
    for requester in ("a", "b", "c", "d", "e"):
        tokens.append(ask(harness, "alice@example.org", requester=requester))
        harness.later(minutes=1)
    sessions.use_link(harness.database, tokens[-1], now=harness.now)
    harness.later(minutes=8)
    ask(harness, "alice@example.org", requester="owner")
    harness.later(minutes=9)
    assert (
        sessions.use_link(harness.database, tokens[-2], now=harness.now).person.address
        == "alice@example.org"
    )


def test_what_one_network_asked_for_other_addresses_is_not_counted(harness: Harness) -> None:
    for number in range(6):
        ask(harness, f"player{number}@example.org", requester="a school")
    assert len(links(harness)) == 6


def test_a_used_link_is_never_good_again(harness: Harness) -> None:
    tokens = [ask(harness, "alice@example.org") for _ in range(5)]
    for token in tokens:
        sessions.use_link(harness.database, token, now=harness.now)
    ask(harness, "alice@example.org")
    for token in tokens:
        with pytest.raises(NotNow):
            sessions.use_link(harness.database, token, now=harness.now)


def test_who_has_used_all_links_asked_for_gets_another(harness: Harness) -> None:
    for _ in range(3):
        sessions.use_link(
            harness.database, ask(harness, "alice@example.org", requester="home"), now=harness.now
        )
    ask(harness, "alice@example.org", requester="home")
    assert len(links(harness)) == 4


def test_requests_at_the_same_moment_send_five_letters_all_the_same(harness: Harness) -> None:
    def request(number: int) -> None:
        sessions.ask_link(
            harness.database,
            "alice@example.org",
            zone="UTC",
            now=harness.now,
            requester=str(number),
        )

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(request, range(12)))
    assert len(links(harness)) == 5
