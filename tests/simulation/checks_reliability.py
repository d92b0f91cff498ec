"""Reliability: who played which phase is noted as it closes, and anonymous matches that still run
change no figure.
"""

from collections import defaultdict
from collections.abc import Iterator

from sqlmodel import Session, select

from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import Attendance, Due, Match, PhaseRow, Player
from adjudicator.service.people import reliability
from tests.simulation.checks_overtime import handed_in, persons
from tests.simulation.scene import Check, Scene
from tests.simulation.upgrades import UPGRADED

_FADING, _ASSUMED = 0.5 ** (1 / 20), (0.9,) * 5  # of docs/reliability.md


def every_phase_counts_as_it_was_played(session: Session, scene: Scene) -> Iterator[str]:
    """Each person whose seat was due has one row for a phase that waited: what was handed in, or
    any word, counts as played.
    """
    if scene.world.fired[UPGRADED]:  # the last release noted nobody
        return
    for match in (each for each in scene.matches.values() if each.uid not in scene.changing):
        rows = defaultdict(list)
        for row in session.exec(select(Attendance).where(Attendance.match_id == match.id)):
            rows[row.phase_number].append(row)
        for phase in scene.of_match[match.uid]:
            found = {row.seat: row.played for row in rows[phase.number]}
            wanted = _played(session, scene, match, phase)
            if wanted is not None and found != wanted:
                yield (
                    f"phase {phase.number} of {match.uid} counts as played by {found} and not by"
                    f" {wanted}"
                )
            if len(found) < len(rows[phase.number]):
                yield f"phase {phase.number} of {match.uid} counts twice"
        sits = {seat.name: seat.player_id for seat in scene.seats if seat.match_id == match.id}
        for row in (row for each in rows.values() for row in each):
            if sits[row.seat] != row.player_id or row.hidden != bool(match.options.get(ANONYMOUS)):
                yield (
                    f"phase {row.phase_number} of {match.uid} counts for player {row.player_id},"
                    f" hidden: {row.hidden}"
                )


def _played(
    session: Session, scene: Scene, match: Match, phase: PhaseRow
) -> dict[str, bool] | None:
    """Return what has to be noted for a phase: who played it, {} for nobody; None if that is not
    known for certain.
    """
    if (
        phase.closed_at is None
        or not phase.number
        or phase.why in ("forced", "master", "stopped")
        or phase.stuck
    ):
        return {}
    out = {seat for seat, after in match.conceded or () if after < phase.number}
    due = (set(phase.due) & persons(session, scene, match)) - out
    if phase.public_key is None:  # it closed with the one before it, by plans
        return dict.fromkeys(due, True) if phase.why == "ready" else {}
    signs = handed_in(session, scene, phase, 1 << 60) | {
        each.seat
        for each in session.exec(select(Due).where(Due.phase_id == phase.id))
        if each.says is not None
    }
    return {seat: seat in signs for seat in due}


def figures_tell_nothing_of_hidden_matches(session: Session, scene: Scene) -> Iterator[str]:
    """A player's figure follows from the phases that may show, the newest first of all."""
    for player in session.exec(select(Player)).all():
        if player.id is None or player.house:
            continue
        rows = [
            row
            for row in session.exec(select(Attendance).where(Attendance.player_id == player.id))
            if _may_show(scene, row)
        ]
        rows.sort(key=lambda row: (row.at, row.id or 0), reverse=True)
        own, wanted = (
            reliability.of_player(session, player.id),
            _figure([row.played for row in rows]),
        )
        if (own.percent, own.phases) != (wanted, min(len(rows), 100)):
            yield (
                f"player {player.id} plays {own.percent} % of {own.phases} phases, and {wanted} %"
                f" of {len(rows)} may show"
            )


def _may_show(scene: Scene, row: Attendance) -> bool:
    match = scene.matches[row.match_id]
    return not match.options.get(ANONYMOUS) or match.status == "ended"


def _figure(played: list[bool]) -> int:
    """Return the percentage of phases, the newest first, after five that are assumed."""
    shares = [*map(float, played[:100]), *_ASSUMED][:100]
    weights = [_FADING**age for age in range(len(shares))]
    return int(
        round(
            100
            * sum(share * weight for share, weight in zip(shares, weights, strict=True))
            / sum(weights),
            6,
        )
    )


CHECKS: tuple[Check, ...] = (
    every_phase_counts_as_it_was_played,
    figures_tell_nothing_of_hidden_matches,
)
