"""The archive: every ended public match is in it once and counted once, and no private match
anywhere in it.
"""

from collections import Counter
from collections.abc import Iterator

from sqlmodel import Session, select

from adjudicator.service.base.tables import ArchivedMatch, ArchivedSeat, ArchiveTally, Match, Player
from tests.simulation.scene import Check, Scene

_RESULTS = (None, "draw", "conceded")  # reasons of a stop after which the result counts


def every_ended_public_match_is_in_the_archive(session: Session, scene: Scene) -> Iterator[str]:
    """A match that counts has a row and its seats; private matches, and those that still run, have
    none.
    """
    rows = {row.match_id: row for row in session.exec(select(ArchivedMatch))}
    seats = Counter(row.match_id for row in session.exec(select(ArchivedSeat)))
    for match_id, match in scene.matches.items():
        played = sum(
            phase.closed_at is not None and phase.number > 0 for phase in scene.of_match[match.uid]
        )
        if _counts(match, played):
            row = rows.get(match_id or 0)
            if row is None:
                yield f"{match.uid} ended at {match.ended_at} and is not in the archive"
            elif (row.phases, row.ended_at, seats[match_id or 0]) != (
                played,
                match.ended_at,
                len(match.result or {}),
            ):
                yield (
                    f"{match.uid} is in the archive with {row.phases} phases of {played}, and"
                    f" {seats[match_id or 0]} seats"
                )
        elif match_id in rows:
            yield (
                f"{match.uid} is in the archive; it is"
                f" {match.status}{', and private' if match.private else ''}"
            )


def figures_count_each_match_of_people_once(session: Session, scene: Scene) -> Iterator[str]:
    """The numbers of results of a game add up to its ended public matches in which somebody with an
    address has a seat.
    """
    wanted, won = Counter[str](), Counter[tuple[str, str]]()
    for match in scene.matches.values():
        played = sum(
            phase.closed_at is not None and phase.number > 0 for phase in scene.of_match[match.uid]
        )
        if _counts(match, played) and _has_people(session, scene, match):
            wanted[match.game] += 1
            results = (match.result or {}).items() if match.stopped_why in _RESULTS else ()
            won.update((match.game, seat) for seat, each in results if each["outcome"] == "won")
    tallied = list(session.exec(select(ArchiveTally)))
    for kind in ("result", "length"):
        found = Counter[str]()
        for row in tallied:
            found[row.game] += row.matches if row.kind == kind else 0
        if +found != +wanted:
            yield (
                f"the figures of the kind {kind} count {dict(found)}, and {dict(wanted)} matches of"
                " people have ended"
            )
    counted = Counter({(row.game, row.label): row.won for row in tallied if row.kind == "seat"})
    if +counted != +won:
        yield f"the figures count {dict(+counted)} as won, and {dict(won)} were"


def _counts(match: Match, played: int) -> bool:
    """Whether an ended public match counts: of those that ended before their first close only those
    with a result do.
    """
    return (
        match.status == "ended"
        and not match.private
        and (played > 0 or match.stopped_why in _RESULTS)
    )


def _has_people(session: Session, scene: Scene, match: Match) -> bool:
    sitting = (
        session.get(Player, seat.player_id)
        for seat in scene.seats
        if seat.match_id == match.id and seat.player_id is not None
    )
    known = (player for player in sitting if player is not None and not player.house)
    return any(player.address is not None or player.erased_at is not None for player in known)


CHECKS: tuple[Check, ...] = (
    every_ended_public_match_is_in_the_archive,
    figures_count_each_match_of_people_once,
)
