"""A predecessor's sealed orders reach nobody: the newcomer is sent and shown the same whatever was
sealed, in every game.
"""

import re
from pathlib import Path

import pytest

from adjudicator import catalogue
from adjudicator.mail import addresses
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.handover import leaving, takeovers
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import Arrival
from adjudicator.service.orders import disclosure
from adjudicator.service.orders.receipts import receipts_of
from tests.databases import new_sqlite
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, fixed_match, part
from tests.sampling import sample
from tests.web.site import Site

DORA = "dora@example.org"
GAMES = tuple(game.about.key for game in catalogue.every_game())
PAGES = (
    "",
    "/about",
    "/receipts",
    "/history",
    "/press",
    "/your-seat",
    "/news",
    "/phases/1",
    "/phases/1/try",
    "/receipts/1/1",
    "/saved.json",
)
_RANDOM = re.compile(
    r"[0-9a-f]{24,}|[a-z2-7]{26}|(?<=X-CSRFToken\": \")[^\"]+|(?<=csrf_token\""
    r" value=\")[^\"]+|(?<=nonce-)[^'\" ]+"
    r"|(?<=nonce=\")[^\"]+|<\d+@mail|\bin \d+ minutes"
)


def masked(text: str) -> str:
    return _RANDOM.sub("RANDOM", text)


def world(folder: Path, reader: LetterReader, game: str, choice: int) -> dict[str, str]:
    """Have the due player seal one choice of each slot and leave; return all that the newcomer is
    sent and shown, by where.
    """
    folder.mkdir()
    url = new_sqlite(folder / "match.sqlite3")
    people = (ALICE, BOB, CHARLIE)[: min(catalogue.game(game).about.seats)]
    with MailHarness(url, folder / "data", reader) as harness, fixed_match("evening22"):
        site = Site.create(harness, folder / "site")
        uid = harness.begin(*people, game=game)
        leaver = next(each for each in people if harness.page(uid, each).owed is not None)
        _seal(harness, uid, leaver, choice)
        harness.later(minutes=5)
        leaving.resign(harness.database, uid, harness.player(leaver), now=harness.now)
        takeovers.take_seat(harness.database, uid, harness.player(DORA), now=harness.now)
        seen = _shown(site, uid) | _letters(harness, leaver) | _handing_in(harness, site, uid)
        return {where: masked(text) for where, text in seen.items()}


def _seal(harness: MailHarness, uid: str, who: str, choice: int) -> None:
    owed = harness.page(uid, who).owed
    assert owed is not None
    orders = [slot.choices[choice].text for slot in owed.slots if slot.choices]
    first = owed.slots[0].choices[choice].text
    answer = harness.order(uid, who, "\n".join([*orders, "wait", "THEN", first]))
    assert answer.disposition == "accepted" and any(part.orders for part in answer.parts)


def _shown(site: Site, uid: str) -> dict[str, str]:
    visitor = site.visitor(DORA)
    shown = {path: visitor.get(f"/matches/{uid}{path}").text for path in PAGES} | {
        "home": visitor.get("/").text
    }
    shown["sealed"] = visitor.post(f"/matches/{uid}/sealed").text
    assert "nothing sealed" in shown["sealed"]
    return shown


def _letters(harness: MailHarness, leaver: str) -> dict[str, str]:
    first = harness.newest(DORA, "report")
    told = {"first letter": _whole(harness, first.name)}
    for word in ("status", "help", "history", "preview", "status evening22"):
        harness.later(seconds=30)
        harness.answer(first, word)
        told[word] = _whole(harness, harness.newest(DORA).name)
    return told


def _handing_in(harness: MailHarness, site: Site, uid: str) -> dict[str, str]:
    """Have the newcomer order one slot alone by letter, where the letter would keep the rest, and
    look again.
    """
    owed = harness.page(uid, DORA).owed
    assert owed is not None and owed.inherited
    harness.later(minutes=1)
    harness.answer(harness.newest(DORA, "report"), owed.slots[0].choices[0].text, "wait")
    receipt = harness.newest(DORA, "receipt")
    own = harness.page(uid, DORA).owed
    assert own is not None and not own.inherited
    return {
        "receipt": _whole(harness, receipt.name),
        "sealed after": site.visitor(DORA).post(f"/matches/{uid}/sealed").text,
    }


def _whole(harness: MailHarness, name: str) -> str:
    message = harness.message(name)
    attached = [each.get_content() for each in message.iter_attachments()]
    return "\n".join(
        [
            str(message["Subject"]),
            part(message, "plain"),
            part(message, "html"),
            *map(str, attached),
        ]
    )


@pytest.mark.parametrize("game", sample(GAMES, 1))
def test_the_newcomer_is_shown_the_same_whatever_the_predecessor_sealed(
    game: str, tmp_path: Path, reader: LetterReader
) -> None:
    one, other = (
        world(tmp_path / name, reader, game, choice) for name, choice in (("one", 0), ("other", -1))
    )
    assert one.keys() == other.keys()
    for where in one:
        assert one[where] == other[where], where


def test_the_leaver_is_shown_nothing_either(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    harness.order(uid, CHARLIE, "W3 THEN W2")
    report, token = harness.newest(CHARLIE, "report"), harness.enter(CHARLIE)
    old = harness.reply_to(report)
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.later(minutes=1))
    assert not harness.deliver(old, b"Subject: x\r\n\r\nstatus\r\n"), (
        "letters to the old address are refused"
    )
    with pytest.raises(NotAllowed):
        disclosure.request_disclosure(harness.database, uid, token, now=harness.now)


def test_in_an_anonymous_match_nothing_names_those_whose_seat_changes_hands(
    harness: MailHarness, tmp_path: Path
) -> None:
    uid, site = (
        harness.begin(ALICE, BOB, CHARLIE, game="diplomacy", anonymous=True),
        Site.create(harness, tmp_path / "site"),
    )
    harness.answer(
        harness.newest(CHARLIE, "report"),
        f"substitute {DORA} until {harness.later(minutes=1):%Y}-12-20",
    )
    offer = harness.newest(DORA, "offer")
    harness.answer(offer, "take")
    leaving.come_back(harness.database, uid, harness.player(CHARLIE), now=harness.later(minutes=1))
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.later(minutes=1))
    takeovers.take_seat(
        harness.database, uid, harness.player("erin@example.org"), now=harness.later(minutes=1)
    )
    harness.post_all()
    others = [letter.text for who in (ALICE, BOB) for letter in harness.letters("", who)]
    told = [
        offer.text,
        *others,
        *(
            site.visitor(who).get(f"/matches/{uid}{path}").text
            for who in (BOB, None)
            for path in PAGES
        ),
    ]
    assert len(others) >= 5 and any("to a substitute until" in text for text in others)
    for name in ("Charlie", "Dora", "Erin"):
        assert not [text for text in told if re.search(rf"\b{name}\b", text, re.IGNORECASE)], name


def test_a_letter_from_before_the_change_counts_for_who_wrote_it_until_the_newcomer_hands_in(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(CHARLIE, "report")
    old = harness.reply_to(report)
    letters = [
        harness.letter(CHARLIE, old, line, answers=report).as_bytes() for line in ("W3", "W2")
    ]
    assert harness.deliver(old, letters[0])
    harness.later(minutes=1)
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    takeovers.take_seat(harness.database, uid, harness.player(DORA), now=harness.now)
    harness.read_all()
    receipt = harness.newest(CHARLIE, "receipt")
    assert "W3" in receipt.text and not harness.message(receipt.name)["Reply-To"]
    with harness.database.read_tx() as session:
        assert receipts_of(session, uid, harness.player(DORA)) == ("3", [])
    owed = harness.page(uid, DORA).owed
    assert owed is not None and owed.inherited and owed.handed_in_at is None
    for who, piece in ((ALICE, "B3"), (BOB, "C3")):
        harness.order(uid, who, piece)
    harness.later(days=3)
    assert harness.close(uid)
    assert next(each for each in harness.story(uid, 1).orders if each.seat == "3").lines == ("W3",)


def test_an_old_letter_that_is_read_after_the_newcomers_orders_does_not_count(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(CHARLIE, "report")
    assert harness.deliver(
        harness.reply_to(report),
        harness.letter(CHARLIE, harness.reply_to(report), "W3", answers=report).as_bytes(),
    )
    harness.later(minutes=1)
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    takeovers.take_seat(harness.database, uid, harness.player(DORA), now=harness.now)
    harness.order(uid, DORA, "W1")
    harness.read_all()
    assert "did not count" in harness.newest(CHARLIE, "receipt").text
    for who, piece in ((ALICE, "B3"), (BOB, "C3")):
        harness.order(uid, who, piece)
    assert harness.close(uid)
    assert next(each for each in harness.story(uid, 1).orders if each.seat == "3").lines == ("W1",)


def test_an_old_letter_that_says_ready_does_not_hurry_the_newcomer(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(CHARLIE, "report")
    old = harness.reply_to(report)
    assert harness.deliver(
        old, harness.letter(CHARLIE, old, "W3", "ready", answers=report).as_bytes()
    )
    harness.later(minutes=1)
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    takeovers.take_seat(harness.database, uid, harness.player(DORA), now=harness.now)
    harness.read_all()
    owed = harness.page(uid, DORA).owed
    assert owed is not None and (owed.inherited, owed.ready, owed.says) == (True, False, "")


def test_a_letter_whose_address_was_looked_up_before_the_change_is_not_stored_after_it(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    token = addresses.token_of(
        harness.settings, harness.reply_to(harness.newest(CHARLIE, "report"))
    )
    with harness.database.read_tx() as session:
        target = receiving.find_target(session, token or "")
    assert target is not None
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.later(minutes=1))
    with pytest.raises(receiving.HandedOver):
        receiving.store_letters(
            harness.database, [Arrival(target, b"Subject: x\r\n\r\nW3\r\n", harness.now, "smtp")]
        )
    assert harness.read_all() == []


def test_a_letter_that_was_stored_before_the_change_is_its_writers_whatever_the_clocks_say(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(CHARLIE, "report")
    old = harness.reply_to(report)
    asked = harness.now
    harness.later(seconds=2)
    assert harness.deliver(old, harness.letter(CHARLIE, old, "W3", answers=report).as_bytes())
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=asked)
    harness.read_all()
    assert "W3" in harness.newest(CHARLIE, "receipt").text
