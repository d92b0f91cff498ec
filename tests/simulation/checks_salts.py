"""Salts: each that was given before a phase opened is in exactly one opening, and no opening has
another.
"""

from collections import Counter
from collections.abc import Iterator

from sqlmodel import Session, col, select

from adjudicator.core.jcs import H
from adjudicator.service.base.tables import LogEntry
from tests.simulation.ledger import Salted
from tests.simulation.scene import Check, Scene

Openings = dict[int, list[str]]
"""The salts in the openings of one match's log, by phase."""


def _openings(session: Session, scene: Scene, uid: str) -> Openings:
    match = next(match for match in scene.matches.values() if match.uid == uid)
    rows = session.exec(
        select(LogEntry)
        .where(LogEntry.match_id == match.id, LogEntry.type == "open")
        .order_by(col(LogEntry.index))
    )
    return {row.body["phase"]: row.body["salts"] for row in rows}


def every_salt_is_used_once_and_comes_from_a_player(
    session: Session, scene: Scene
) -> Iterator[str]:
    for uid in scene.of_match:
        given = {each.text for each in scene.ledger.salted if each.uid == uid}
        used = Counter(salt for found in _openings(session, scene, uid).values() for salt in found)
        yield from (
            f"{salt} is in {count} openings of {uid}" for salt, count in used.items() if count > 1
        )
        yield from (
            f"nobody gave {salt}, which is in an opening of {uid}" for salt in used.keys() - given
        )


def every_salt_given_before_an_opening_is_in_it(session: Session, scene: Scene) -> Iterator[str]:
    """Unless its player gave another one before that, or the match's seats change hands."""
    for salted in scene.ledger.salted:
        if salted.until is None or salted.uid in scene.changing:
            continue
        later = [
            number
            for (uid, number), commit in scene.ledger.openings.items()
            if uid == salted.uid and commit > salted.until
        ]
        openings = _openings(session, scene, salted.uid)
        first = min(later, default=None)
        if first is None or _replaced(scene, salted, scene.ledger.openings[salted.uid, first]):
            continue
        if not any(salted.text in found for number, found in openings.items() if number <= first):
            yield (
                f"{salted.text} was given before phase {first} of {salted.uid} opened, and is in no"
                " opening up to it"
            )


def _replaced(scene: Scene, salted: Salted, before: int) -> bool:
    """Whether the player may have given another salt between this one and a commit; letters are
    read at any time.
    """
    others = [
        each
        for each in scene.ledger.salted
        if (each.uid, each.player) == (salted.uid, salted.player) and each is not salted
    ]
    return any(
        each.since < before and (each.until is None or each.until >= salted.since)
        for each in others
    )


def chance_is_bound_to_sorted_salts(session: Session, scene: Scene) -> Iterator[str]:
    rows = session.exec(select(LogEntry).where(LogEntry.type == "open"))
    for row in rows:
        salts = row.body["salts"]
        wanted = H("salts", salts).hex() if salts else None
        if row.body["clients"] != wanted or salts != sorted(salts):
            yield (
                f"entry {row.index} of match {row.match_id} binds chance to other salts than it"
                " holds"
            )


CHECKS: tuple[Check, ...] = (
    every_salt_is_used_once_and_comes_from_a_player,
    every_salt_given_before_an_opening_is_in_it,
    chance_is_bound_to_sorted_salts,
)
