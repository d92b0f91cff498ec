"""More golden letters: seats that change hands, absences, votes and warnings, tournaments."""

from collections.abc import Callable
from datetime import date, timedelta
from itertools import count
from types import SimpleNamespace
from unittest import mock

from sqlmodel import select

from adjudicator.service.base.tables import Offer
from adjudicator.service.handover import offers, standbys, substitutes, sweeping, takeovers
from adjudicator.service.matches import creation, votes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import Ask
from adjudicator.service.people import absence_calendar
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.tournaments import making
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, fixed_match
from tests.service.tournament_play import begun, play_round, row

DORA, EVE, FAY = "dora@example.org", "eve@example.org", "fay@example.org"
Tell = Callable[[MailHarness, str, str], str]  # the newest letter of a kind to somebody


def handing_over(harness: MailHarness, tell: Tell) -> dict[str, str]:
    """Have Charlie fall silent, Dora take the seat, and Alice lend hers to Bob and have it back."""
    database, wish = (
        harness.database,
        Wish(
            "diplomacy",
            "Long Diplomacy",
            {"press": "private"},
            players=3,
            misses=1,
            seating="order",
        ),
    )
    with fixed_match("hands2222"):
        uid = harness.match(ALICE, EVE, CHARLIE, wish=wish)
    third = harness.seats(uid)[2].name
    messages.write_press(
        database,
        uid,
        harness.player(ALICE),
        PressDraft((third,), "Will you answer?"),
        now=harness.now,
    )
    with database.write_tx() as session:
        standbys.stand_by(session, harness.player(DORA), now=harness.now, game="diplomacy")
    for who in (ALICE, EVE):
        harness.order(uid, who, "ready")
    harness.later(hours=48, minutes=10)
    assert harness.close(uid)
    told = {
        "seat-silent": tell(harness, "seat", CHARLIE),
        "seat-opened-master": tell(harness, "seat", ALICE),
    }
    assert sweeping.tend_seats(database, uid, now=harness.now)
    told["offer"] = tell(harness, "offer", DORA)
    harness.later(hours=1)
    takeovers.take_seat(database, uid, harness.player(DORA), now=harness.now)
    told |= {
        "seat-taken": tell(harness, "seat", CHARLIE),
        "report-newcomer": tell(harness, "report", DORA),
        "notice-newcomer": tell(harness, "notice", EVE),
    }
    harness.later(hours=1)
    until = harness.now + timedelta(days=10)
    substitutes.ask_substitute(database, uid, harness.player(ALICE), BOB, until, now=harness.now)
    told["offer-substitute"] = tell(harness, "offer", BOB)
    with database.write_tx() as session:
        offer = session.exec(select(Offer).where(Offer.address == BOB)).one()
        offers.accept_in(session, offer.id or 0, zone="UTC", now=harness.now)
    told |= {
        "seat-lent": tell(harness, "seat", EVE),
        "seat-lent-owner": tell(harness, "seat", ALICE),
    }
    harness.later(days=10)
    assert sweeping.tend_seats(database, uid, now=harness.now)
    return told | {"seat-returned": tell(harness, "seat", BOB)}


def absence_and_votes(harness: MailHarness, tell: Tell) -> dict[str, str]:
    """Have a deadline move past an absence, an extension agreed to and an end refused, and Fay
    warned.
    """
    database, people = harness.database, (ALICE, CHARLIE, FAY)
    with fixed_match("away22222"):
        uid = harness.match(*people, wish=Wish("pyramid", "Away Pyramid", {}, absence_days=21))
    first = harness.now.date() + timedelta(days=2)
    absence_calendar.add_absence(
        database, harness.player(FAY), first, first + timedelta(days=5), now=harness.now
    )
    for who in people:
        harness.order(uid, who, "B3")
    assert harness.close(uid)
    told = {"report-absence": tell(harness, "report", ALICE)}
    deadline = harness.page(uid).card.deadline
    assert deadline is not None and isinstance(first, date)
    votes.propose(
        database,
        uid,
        harness.player(CHARLIE),
        Ask("extend", deadline + timedelta(hours=24)),
        now=harness.now,
    )
    votes.propose(
        database,
        uid,
        harness.player(FAY),
        Ask("extend", deadline + timedelta(hours=24)),
        now=harness.now,
    )
    told["notice-voted"] = tell(harness, "notice", ALICE)
    votes.propose(database, uid, harness.player(CHARLIE), Ask("end"), now=harness.now)
    told["proposal-end"] = tell(harness, "proposal", ALICE)
    messages.warn_seat(
        database, uid, harness.player(ALICE), "3", "Please answer your letters.", now=harness.now
    )
    told["warning"] = tell(harness, "press", FAY)
    for who in (ALICE, FAY):
        votes.propose(database, uid, harness.player(who), Ask("end"), now=harness.now)
    assert harness.close(uid)
    return told | {"report-ended-by-vote": tell(harness, "report", ALICE)}


def playing_a_tournament(harness: MailHarness, tell: Tell) -> dict[str, str]:
    """Have Alice play a round robin of three with Charlie and Eve, from its beginning to its
    end.
    """
    names, fixed = (f"autumn{number:03}" for number in count()), SimpleNamespace(token_bytes=bytes)
    with (
        mock.patch.object(making, "new_uid", lambda: "autumn222"),
        mock.patch.object(making, "entropy", fixed),
        mock.patch.object(creation, "new_uid", lambda: next(names)),
    ):
        return _rounds(harness, tell)


def _rounds(harness: MailHarness, tell: Tell) -> dict[str, str]:
    uid = begun(harness, ALICE, CHARLIE, EVE, tie_breaks=("beaten",))
    told = {"tournament-begun": tell(harness, "tournament", ALICE)}
    play_round(harness, uid)
    told["tournament-round"] = tell(harness, "tournament", ALICE)
    while row(harness, uid).status == "running":
        play_round(harness, uid)
    return told | {"tournament-over": tell(harness, "tournament", ALICE)}
