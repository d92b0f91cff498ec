"""Private matches by letter: an outsider's commands are answered as for a match that does not
exist; its people's are carried out.
"""

import re
from collections.abc import Iterator

import pytest

from adjudicator.mail.commands.recognition import COMMANDS, MASTERS
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.service.base.tables import Match
from adjudicator.service.matches.creation import Wish
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.sampling import sample

UNKNOWN = "nqwhere22"
OUTSIDER = "mallory@example.org"


def hidden(harness: MailHarness) -> str:
    return harness.prepare_match(
        Wish("pyramid", "Hidden Table", {}, private=True, invited=(BOB,)), ALICE
    )


def seat_address(harness: MailHarness) -> str:
    """Return the address of the outsider's seat in another match: a letter to it needs no
    confirmation.
    """
    harness.match(OUTSIDER)
    return harness.reply_to(harness.newest(OUTSIDER, "report"))


def told(harness: MailHarness, to: str, uid: str, *lines: str) -> str:
    """Return what an outsider is answered, without what differs in every letter."""
    harness.write(OUTSIDER, to, *lines)
    answer = harness.newest(OUTSIDER).text.replace(uid, "UID")
    return re.sub(r"orders\+\w+@|ubmission \d+|\b[0-9a-f]{32,}\b|sealed at .*", "", answer)


@pytest.fixture(scope="module")
def outside(
    shared_sqlite_url: str, tmp_path_factory: pytest.TempPathFactory, reader: LetterReader
) -> Iterator[tuple[MailHarness, str, str]]:
    """A private match, by its uid, and the address of an outsider's seat; no command of the
    outsider's may change the match.
    """
    with MailHarness(shared_sqlite_url, tmp_path_factory.mktemp("data"), reader) as made:
        yield made, hidden(made), seat_address(made)


@pytest.mark.parametrize("word", sample([command.word for command in (*COMMANDS, *MASTERS)], 20))
def test_an_outsiders_command_is_answered_as_for_a_match_that_does_not_exist(
    outside: tuple[MailHarness, str, str], word: str
) -> None:
    harness, uid, to = outside
    harness.later(minutes=10)  # an hour's letters are limited
    there, nowhere = (
        told(
            harness,
            to,
            each,
            *(
                f"{word} {each}{more}"
                for more in (
                    "",
                    " new",
                    " off",
                    " 1",
                    " yes",
                    " +24h",
                    " dora@example.org",
                    " 1: late",
                )
            ),
        )
        for each in (uid, UNKNOWN)
    )
    assert there == nowhere and "Hidden" not in there
    assert [seat.player_id is None for seat in harness.seats(uid)] == [False, True, True]


@pytest.mark.parametrize("line", ["status {uid}", "history {uid}", "join {uid}", "leave {uid}"])
def test_so_is_a_letter_of_somebody_unknown(harness: MailHarness, line: str) -> None:
    uid = hidden(harness)
    assert told(harness, SERVICE, uid, line.format(uid=uid)) == told(
        harness, SERVICE, UNKNOWN, line.format(uid=UNKNOWN)
    )


def test_nobody_is_seated_in_a_private_match_by_a_games_name(harness: MailHarness) -> None:
    uid, to = hidden(harness), seat_address(harness)
    harness.write(OUTSIDER, to, "join pyramid")
    assert "A new table" in harness.newest(OUTSIDER).text
    assert harness.seats(uid)[2].player_id is None


def test_its_master_gets_the_links_and_their_bearer_a_seat(harness: MailHarness) -> None:
    uid = hidden(harness)
    to, mine = seat_address(harness), seat_of(harness, uid)
    harness.write(ALICE, mine, "seat link")
    assert f"`seat link {uid} new` makes one" in flat(harness, ALICE)
    harness.write(ALICE, mine, "seat link new")
    found = re.search(r"/seats/(\w{26})", harness.newest(ALICE).text)
    assert found is not None and f"join {found[1]}" in flat(harness, ALICE)
    harness.write(OUTSIDER, to, f"seat link {uid}")
    assert "There is no such match" in flat(harness, OUTSIDER)
    harness.write(OUTSIDER, to, f"join {found[1]}")
    assert "Hidden Table" in flat(harness, OUTSIDER)
    assert harness.seats(uid)[2].player_id == harness.people[OUTSIDER]
    harness.write(OUTSIDER, to, f"leave {uid}")
    assert "You gave your seat in Hidden Table back" in flat(harness, OUTSIDER)
    harness.write(OUTSIDER, to, f"status {uid}")
    assert "There is no such match" in flat(harness, OUTSIDER)
    harness.write(ALICE, mine, "seat link off", "watch link new")
    harness.write(OUTSIDER, to, f"join {found[1]}")
    assert "neither a game nor a match" in flat(harness, OUTSIDER)


def seat_of(harness: MailHarness, uid: str) -> str:
    """Return the address of Alice's seat, which no letter has told yet."""
    return f"orders+{harness.address_token(uid, 0)}@example.org"


def test_a_substitute_who_is_new_here_accepts_by_letter_and_one_who_declines_knows_nothing_more(
    harness: MailHarness,
) -> None:
    uid = harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish("pyramid", "Hidden Table", {}, private=True, invited=(BOB, CHARLIE)),
    )
    day = f"{harness.later(minutes=1):%Y}-12-20"
    for who, asked in ((CHARLIE, OUTSIDER), (BOB, "dora@example.org")):
        harness.answer(harness.newest(who, "report"), f"substitute {asked} until {day}")
    harness.answer(harness.newest(OUTSIDER, "offer"), "take", f"status {uid}")
    assert "You play seat 3 in Hidden Table" in flat(
        harness, OUTSIDER
    ) and "How Hidden Table stands" in flat(harness, OUTSIDER)
    offer = harness.newest("dora@example.org", "offer")
    harness.answer(offer, "decline")
    harness.later(minutes=1)
    harness.answer(offer, f"history {uid}", f"standby {uid}")
    assert flat(harness, "dora@example.org").count("There is no such match") == 2


def flat(harness: MailHarness, to: str) -> str:
    return " ".join(harness.newest(to).text.split())


def test_a_private_match_is_made_by_letter(harness: MailHarness) -> None:
    harness.write(OUTSIDER, seat_address(harness), "join pyramid private")
    assert "A new private table" in flat(harness, OUTSIDER)
    with harness.database.read_tx() as session:
        made = session.get(Match, 2)
        assert made is not None and made.private and not made.open_seats


def test_it_is_opened_by_letter_once_all_agree(harness: MailHarness) -> None:
    uid = harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish("pyramid", "Hidden Table", {}, private=True, invited=(BOB, CHARLIE)),
    )
    for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2"):
        harness.round(uid, [(who, piece) for who in (ALICE, BOB, CHARLIE)])
    for who, said in (
        (ALICE, "stays private"),
        (BOB, "stays private"),
        (CHARLIE, "Everybody can see Hidden Table"),
    ):
        harness.answer(harness.newest(who, "report"), "publish")
        assert said in flat(harness, who)
    assert "Hidden Table" in told(harness, seat_address(harness), uid, f"history {uid}")
