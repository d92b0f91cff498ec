"""Letters to masters: each is read once, for its match and never for a seat, and none counts once
its master is dismissed.
"""

from collections.abc import Iterator

from sqlmodel import Session, select

from adjudicator.platform.words import MASTER
from adjudicator.service.base.tables import MasterAddress, MasterNote, Player, PressNote
from tests.simulation.directors import HELPER
from tests.simulation.scene import Check, Scene


def a_letter_to_a_master_has_one_effect(session: Session, scene: Scene) -> Iterator[str]:
    """Of the copies of one letter at most one was carried out; each is bound to its match, and to
    no seat.
    """
    rows = {row.uid: row for row in scene.incoming}
    for letter in scene.ledger.directed:
        copies = [rows[uid] for uid in letter.taken if uid in rows]
        if len(copies) != len(letter.taken):
            yield f"a letter to a master of {letter.uid} was taken with 250 and is not stored"
        done = [row for row in copies if row.disposition not in (None, "repeated", "discarded")]
        if len(done) > 1:
            yield f"{letter.line} of {letter.uid} was carried out {len(done)} times"
        for row in copies:
            if (
                row.kind != "master"
                or row.seat_id is not None
                or scene.matches[row.match_id].uid != letter.uid
            ):
                yield (
                    f"a letter to a master of {letter.uid} is stored as {row.kind} of seat"
                    f" {row.seat_id}"
                )
    texts = [note.text for note in session.exec(select(PressNote).where(PressNote.seat == MASTER))]
    yield from (
        f"{text} is kept {texts.count(text)} times"
        for text in sorted(set(texts))
        if texts.count(text) > 1
    )


def each_text_of_a_master_is_noted(session: Session, scene: Scene) -> Iterator[str]:
    for match in scene.matches.values():
        texts = session.exec(
            select(PressNote.id).where(PressNote.match_id == match.id, PressNote.seat == MASTER)
        ).all()
        notes = [
            note.what
            for note in session.exec(select(MasterNote).where(MasterNote.match_id == match.id))
        ]
        told = [what for what in notes if what.startswith("wrote")]
        if len(told) != len(texts):
            yield (
                f"the master of {match.uid} wrote {len(texts)} times, and {len(told)} notes tell it"
            )


def a_dismissed_master_does_nothing(_: Session, scene: Scene) -> Iterator[str]:
    """A letter that was stored after the dismissal, or waited for it, is discarded."""
    rows = {row.uid: row for row in scene.incoming}
    for letter in scene.ledger.directed:
        for uid in letter.taken:
            late = (
                letter.dismissed is not None and scene.ledger.stored.get(uid, 0) > letter.dismissed
            )
            if late and rows[uid].disposition not in ("discarded", "repeated"):
                yield (
                    f"{letter.line} of {letter.uid} came after its master was dismissed and was"
                    f" {rows[uid].disposition}"
                )


def a_dismissed_master_has_no_address(session: Session, scene: Scene) -> Iterator[str]:
    if scene.ledger.directed and any(
        letter.dismissed is not None for letter in scene.ledger.directed
    ):
        helper = session.exec(select(Player).where(Player.address == HELPER)).one()
        left = session.exec(
            select(MasterAddress.id).where(MasterAddress.player_id == helper.id)
        ).all()
        if left and not helper.master:
            yield f"a dismissed master still has {len(left)} addresses"


CHECKS: tuple[Check, ...] = (
    a_letter_to_a_master_has_one_effect,
    each_text_of_a_master_is_noted,
    a_dismissed_master_does_nothing,
    a_dismissed_master_has_no_address,
)
