"""A guest who proves the address of a player becomes that player: what is the guest's goes over to
the player, row by row.
"""

from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Session, col, delete, or_, select

from adjudicator.service.base.rows import left_matches, seated_matches
from adjudicator.service.base.tables import (
    Absence,
    AbsenceUse,
    ArchivedSeat,
    Attendance,
    Erasure,
    FormerTenure,
    Letter,
    Link,
    MasterAddress,
    MasterNote,
    Match,
    Mute,
    Offer,
    PlayerRating,
    PressRead,
    Proposal,
    PushBrowser,
    QueueEntry,
    RatedPlace,
    Salt,
    Seat,
    SignedIn,
    Standby,
    Tournament,
    TournamentDirector,
    TournamentEntry,
    TournamentNote,
    TournamentTable,
    Vote,
)

MOVED: tuple[Any, ...] = (  # columns that go over to the player, unless the row stays (`hand_over`)
    Absence.player_id,
    AbsenceUse.player_id,
    ArchivedSeat.player_id,
    Attendance.player_id,
    FormerTenure.player_id,
    Letter.player_id,
    MasterAddress.player_id,
    MasterNote.player_id,
    Match.master_id,
    Match.named_after,
    Mute.player_id,
    Offer.asker_id,
    PressRead.player_id,
    QueueEntry.player_id,
    Salt.player_id,
    Seat.owner_id,
    Seat.player_id,
    Standby.player_id,
    Tournament.adjudged_by,
    Tournament.named_after,
    TournamentDirector.player_id,
    TournamentEntry.player_id,
    TournamentNote.player_id,
    TournamentTable.corrected_by,
    Vote.player_id,
)
# and those that do not: sessions, links and browsers may be a stranger's, and matches of guests are
# not rated
LEFT: tuple[Any, ...] = (
    Erasure.player_id,
    Link.guest_id,
    PlayerRating.player_id,
    PushBrowser.player_id,
    RatedPlace.player_id,
    SignedIn.player_id,
)


def hand_over(session: Session, guest_id: int, owner_id: int) -> None:
    """Move what is a guest's to the player who owns the address.

    With the guest stay the rows of a match in which the player plays or played, but not that the
    guest is its master, with what a master has; whatever would let a player read all press of an
    own match or tournament; and rows of which the player has an equal one.
    """
    played = _played(session, owner_id)
    overseen = _overseen(session, guest_id, owner_id)
    held = _run(session, guest_id)
    barred, had = _overseen_tournaments(session, owner_id), _part(session, guest_id)
    only_run = (held - overseen) - _played(session, guest_id)
    for column in MOVED:
        for row in session.exec(select(column.class_).where(column == guest_id)).all():
            match = _match_of(session, row)
            masters = isinstance(row, Match) or (isinstance(row, MasterAddress) and match in held)
            masters = masters or (isinstance(row, MasterNote | PressRead) and match in only_run)
            stays = match in overseen or (match in played and not masters)
            if (
                not stays
                and getattr(row, "tournament_id", None) not in barred
                and not _has_equal(session, row, column.key, owner_id)
            ):
                setattr(row, column.key, owner_id)
    session.flush()
    sits = select(Seat.match_id).where(Seat.player_id == owner_id)
    session.exec(
        delete(QueueEntry).where(
            col(QueueEntry.player_id) == owner_id, col(QueueEntry.match_id).in_(sits)
        )
    )
    _agree_alike(session, guest_id, owner_id, had - _part(session, guest_id))


def _agree_alike(session: Session, guest_id: int, owner_id: int, match_ids: set[int]) -> None:
    """Let a guest's word that everybody may see a private match be the player's, in matches in
    which the guest has no part any more.
    """
    for match in session.exec(
        select(Match).where(col(Match.id).in_(match_ids), col(Match.published_by).is_not(None))
    ):
        match.published_by = list(
            dict.fromkeys(
                owner_id if each == guest_id else each for each in match.published_by or ()
            )
        )


def _run(session: Session, player_id: int) -> set[int]:
    """Return the matches whose own master a player is."""
    return set(session.exec(select(Match.id).where(Match.master_id == player_id)))


def _part(session: Session, player_id: int) -> set[int]:
    """Return the matches that a player runs, or has a seat in, also a lent one."""
    return {*session.exec(seated_matches(player_id)), *_run(session, player_id)}


def _played(session: Session, player_id: int) -> set[int]:
    """Return the matches in which a player has a seat, has lent one or had one."""
    return {*session.exec(seated_matches(player_id)), *session.exec(left_matches(player_id))}


def _overseen(session: Session, guest_id: int, owner_id: int) -> set[int]:
    """Return the matches whose master reads all press, where one of both is the master and the
    other plays or played.
    """
    found: set[int] = set()
    for master, other in ((guest_id, owner_id), (owner_id, guest_id)):
        run = select(Match.id).where(Match.master_id == master, col(Match.press_overseen).is_(True))
        found |= set(session.exec(run)) & _played(session, other)
    return found


def _overseen_tournaments(session: Session, player_id: int) -> set[int]:
    """Return the tournaments whose master reads all press that a player directs or has entered."""
    known = [
        select(table.tournament_id).where(table.player_id == player_id)
        for table in (TournamentDirector, TournamentEntry)
    ]
    rows = session.exec(
        select(Tournament).where(or_(*(col(Tournament.id).in_(each) for each in known)))
    )
    return {row.id for row in rows if row.wish["press"]["overseen"]}


def _match_of(session: Session, row: Any) -> int | None:
    if isinstance(row, Vote):
        return session.get_one(Proposal, row.proposal_id).match_id
    found: int | None = row.id if isinstance(row, Match) else getattr(row, "match_id", None)
    return found


def _has_equal(session: Session, row: Any, changed: str, owner_id: int) -> bool:
    """Whether the player has a row that the guest's would repeat."""
    table = type(row)
    for rule in table.__table__.constraints:
        columns = (
            [column.key for column in rule.columns] if isinstance(rule, UniqueConstraint) else []
        )
        values = {key: owner_id if key == changed else getattr(row, key) for key in columns}
        if changed in columns and None not in values.values():
            found = session.exec(
                select(table.id).where(
                    *(getattr(table, key) == value for key, value in values.items())
                )
            ).first()
            if found is not None:
                return True
    return False
