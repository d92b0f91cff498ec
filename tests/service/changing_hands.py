"""What tests of seats that change hands do: begin a match, let phases pass, leave, take and lend
seats, and read what is told.
"""

from datetime import timedelta

from sqlmodel import col, select

from adjudicator.service.base import rows
from adjudicator.service.base.tables import MasterNote, Offer, PhaseRow, Seat
from adjudicator.service.handover import leaving, substitutes, takeovers
from adjudicator.service.matches.creation import Wish
from tests.cast import PLAYERS
from tests.harness import Harness

DAVE, ERIN = "Dave", "Erin"


def begin(
    harness: Harness,
    *people: str,
    misses: int = 2,
    first_miss: bool = False,
    house: int = 0,
    **more: object,
) -> str:
    people = people or PLAYERS
    wish = Wish("pyramid", "Table", {}, house=house, misses=misses, first_miss=first_miss, **more)  # type: ignore[arg-type]
    return harness.match(*people, wish=wish)


def pass_round(harness: Harness, uid: str, *who: str, piece: str = "") -> None:
    """Have these people hand something in, and let the deadline close the phase."""
    for each in who:
        harness.order(uid, each, piece or any_piece(harness, uid, each))
    harness.later(hours=48, minutes=10)
    harness.close(uid)


def any_piece(harness: Harness, uid: str, who: str) -> str:
    """Return a piece that somebody still has; the default for a missed phase takes one at
    random.
    """
    owed = harness.page(uid, who).owed
    assert owed is not None
    return owed.slots[0].choices[0].text


def seat(harness: Harness, uid: str, name: str) -> Seat:
    return next(each for each in harness.seats(uid) if each.name == name)


def phase(harness: Harness, uid: str) -> PhaseRow:
    with harness.database.read_tx() as session:
        found = rows.open_phase(session, rows.by_uid(session, uid))
    assert found is not None
    return found


def notes(harness: Harness, uid: str) -> list[str]:
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        told = session.exec(
            select(MasterNote).where(MasterNote.match_id == match.id).order_by(col(MasterNote.id))
        )
        return [f"{note.who} {note.what}" for note in told]


def public_changes(harness: Harness, uid: str) -> int:
    with harness.database.read_tx() as session:
        return rows.by_uid(session, uid).shown


def titles(harness: Harness, who: str) -> list[str]:
    """Return the titles of the letters about seats that wait for somebody."""
    return [
        str(each.context["title"])
        for each in harness.claim_waiting()
        if each.kind == "seat" and each.address == f"{who.lower()}@example.org"
    ]


def take(harness: Harness, uid: str, who: str, name: str = "") -> takeovers.Taken:
    return takeovers.take_seat(harness.database, uid, harness.player(who), name, now=harness.now)


def resign(harness: Harness, uid: str, who: str) -> str:
    return leaving.resign(harness.database, uid, harness.player(who), now=harness.now)


def lend(harness: Harness, uid: str, owner: str, who: str, **span: float) -> None:
    until = harness.now + timedelta(**span)
    substitutes.ask_substitute(
        harness.database,
        uid,
        harness.player(owner),
        f"{who.lower()}@example.org",
        until,
        now=harness.now,
    )
    with harness.database.read_tx() as session:
        offer = session.exec(select(Offer).order_by(col(Offer.id).desc())).first()
    assert offer is not None
    from adjudicator.service.handover import offers

    with harness.database.write_tx() as session:
        offers.accept_in(session, offer.id or 0, zone="UTC", now=harness.now)
