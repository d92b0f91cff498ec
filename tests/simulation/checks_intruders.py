"""Promises about somebody who can write the database: what is forged there is not believed."""

from collections.abc import Iterator

from sqlmodel import Session, col, select

from adjudicator.service.base.tables import LogEntry, MasterNote, Seat, SeatRequest
from tests.simulation import intruders
from tests.simulation.scene import Check, Scene


def a_forged_address_is_nobodys(_: Session, scene: Scene) -> Iterator[str]:
    """No letter to an address that an intruder wrote into a seat's row is carried out."""
    rows = {row.uid: row for row in scene.incoming}
    for intruded in scene.ledger.intruded:
        for uid in intruded.taken:
            if rows[uid].disposition not in (None, "forged", "unreadable"):
                yield (
                    f"a letter to an intruder's address in {intruded.uid} became"
                    f" {rows[uid].disposition}"
                )


def a_forged_act_is_not_told(session: Session, scene: Scene) -> Iterator[str]:
    """No log of a match tells an act that an intruder noted, and its note is gone once the worker
    has looked at it.
    """
    for entry in session.exec(select(LogEntry).where(LogEntry.type == "master")):
        if intruders.CLAIMED in entry.body["what"]:
            yield f"the log of match {entry.match_id} tells a forged act at entry {entry.index}"
    for note in session.exec(
        select(MasterNote).where(
            MasterNote.what == intruders.CLAIMED, col(MasterNote.log_as).is_(None)
        )
    ):
        yield f"a forged act is noted in match {note.match_id}"


def a_seat_changes_hands_for_nobody_who_may_not_ask(
    session: Session, scene: Scene
) -> Iterator[str]:
    """No seat has another player, no log tells one, and no substitute is asked, where an intruder
    alone wanted it.
    """
    if scene.ledger.sat:  # others take seats in this world
        return
    for uid in scene.ledger.usurped:
        match = next(each for each in scene.matches.values() if each.uid == uid)
        told = select(LogEntry.index).where(
            LogEntry.match_id == match.id, LogEntry.type == "tenure"
        )
        if session.exec(told).first() is not None:
            yield f"the log of {uid} tells a tenure that nobody may have asked for"
        for seat in session.exec(select(Seat).where(Seat.match_id == match.id)):
            if seat.tenure != 1 or seat.player_id is None or seat.owner_id is not None:
                yield f"seat {seat.name} of {uid} changed hands"
        asks = select(SeatRequest).where(
            SeatRequest.match_id == match.id,
            SeatRequest.what == "ask",
            col(SeatRequest.who).is_not(None),
        )
        if session.exec(asks).first() is not None:
            yield f"a substitute was asked in {uid} by nobody who plays there"


CHECKS: tuple[Check, ...] = (
    a_forged_address_is_nobodys,
    a_forged_act_is_not_told,
    a_seat_changes_hands_for_nobody_who_may_not_ask,
)
