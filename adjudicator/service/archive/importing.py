"""Puts matches that were played elsewhere into the archive: read only, adjudicated again, with what
differs noted on their pages.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from adjudicator import catalogue
from adjudicator.core.game import AnyGame
from adjudicator.platform.db import Database
from adjudicator.platform.words import display_seat
from adjudicator.play import loop
from adjudicator.play.endings import final_result
from adjudicator.play.loop import Closed
from adjudicator.service.archive.recorded import MatchRecord, PlayedRecord, replay_record
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import clean_chosen
from adjudicator.service.base.state import dump_events, dump_state
from adjudicator.service.base.tables import MasterNote, Match, PhaseRow, Player, Seat

LONGEST_NAME = 60
MOST_NOTED = 20  # differences on a match's page
_UID_BYTES = 10


@dataclass(frozen=True)
class ImportedMatch:
    """What came of a record."""

    uid: str
    new: bool  # False: it was imported before
    phases: int
    differences: tuple[str, ...]


def import_match(
    database: Database, record: MatchRecord, *, name: str, players: Mapping[str, str], now: datetime
) -> ImportedMatch:
    """Play a record again and keep it as an ended match; the same record a second time changes
    nothing.

    `name` ("" for one made of its key) and the names of players by seat are as the importer gives
    them; none is read from a record. No letter is written, and nobody has a seat, so it is rated
    for nobody. Raises Refused for a name that is not possible.
    """
    game = catalogue.game(record.game)
    uid = "x" + base64.b32encode(record.digest[:_UID_BYTES]).decode().lower()
    title = clean_chosen(name, longest=LONGEST_NAME) or f"A record of {game.about.title}"
    names = {seat: clean_chosen(players[seat], longest=LONGEST_NAME) for seat in players}
    if unknown := [seat for seat in names if seat not in record.seats]:
        raise Refused(
            f"There is no seat {unknown[0][:20]}; there are"
            f" {', '.join(map(display_seat, record.seats))}."
        )
    replayed = replay_record(game, record)
    with database.write_tx() as session:
        new = session.exec(select(Match.id).where(Match.uid == uid)).first() is None
        if new:
            match = _match(session, game, uid, title, replayed, now)
            _write(session, game, match, replayed, now)
            for position, seat in enumerate(record.seats):
                session.add(
                    Seat(
                        match_id=match.id or 0,
                        position=position,
                        name=seat,
                        taken_at=now,
                        named=names.get(seat) or None,
                    )
                )
    return ImportedMatch(uid, new, len(replayed.closed), replayed.differences)


def _match(
    session: Session, game: AnyGame, uid: str, name: str, replayed: PlayedRecord, now: datetime
) -> Match:
    result = final_result(
        game, replayed.state, stopped=None if replayed.over else "record", conceded=()
    )
    match = Match(
        uid=uid,
        name=name,
        game=game.about.key,
        rules_version=game.about.rules_version,
        options=replayed.options,
        status="ended",
        master_id=_keeper(session, now),
        every_seconds=86_400,
        grace_seconds=0,
        ready_rule="complete",
        open_seats=False,
        bots=False,
        with_people=False,
        all_taken=True,
        imported=True,
        result={seat: vars(each) for seat, each in (result or {}).items()},
        stopped_after=None if replayed.over else len(replayed.closed),
        stopped_why=None if replayed.over else "record",
        made_at=now,
        started_at=now,
        ended_at=now,
        shown=1,
    )
    session.add(match)
    session.flush()
    return match


def _keeper(session: Session, now: datetime) -> int:
    """Return the player who stands as the master of all imported matches: nobody can sign in as
    this one.
    """
    known = session.exec(
        select(Match.master_id).where(col(Match.imported).is_(True)).limit(1)
    ).first()
    if known is not None:
        return known
    keeper = Player(name="The archive", made_at=now)
    session.add(keeper)
    session.flush()
    assert keeper.id is not None  # noqa: S101 flushed
    return keeper.id


def _write(
    session: Session, game: AnyGame, match: Match, replayed: PlayedRecord, now: datetime
) -> None:
    start = Closed[Any](0, loop.START, None, replayed.start, {}, replayed.opened, (), "record")
    session.add_all(_phase(game, match, each, now) for each in (start, *replayed.closed))
    phases = [
        "put in a record that was kept elsewhere; it was adjudicated again",
        *replayed.differences[:MOST_NOTED],
    ]
    if len(replayed.differences) > MOST_NOTED:
        phases.append(
            f"differs from the record in {len(replayed.differences) - MOST_NOTED} more phases."
        )
    session.add_all(
        MasterNote(match_id=match.id or 0, at=now, who="The archive", what=each.removesuffix("."))
        for each in phases
    )


def _phase(game: AnyGame, match: Match, closed: Closed[Any], now: datetime) -> PhaseRow:
    taken = {seat: {"how": given.how, "orders": given.text} for seat, given in closed.given.items()}
    return PhaseRow(
        match_id=match.id or 0,
        number=closed.number,
        name=closed.phase.name,
        due=list(closed.phase.due),
        opened_at=now,
        closed_at=now,
        rules_version=game.about.rules_version,
        before=dump_state(game, closed.before) if closed.number else None,
        why=closed.why,
        after=dump_state(game, closed.after),
        events=dump_events(game, closed.events),
        draws=[],
        taken=taken,
    )
