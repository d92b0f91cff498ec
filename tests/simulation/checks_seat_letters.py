"""Letters about a seat that changes hands: they are its player's of that time, and who wrote to the
seat is told of another reader.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from sqlmodel import Session, select

from adjudicator.service.base.tables import Player, PressNote
from adjudicator.service.letters import outbox
from tests.simulation.checks_tenure import histories
from tests.simulation.ledger import Sat
from tests.simulation.scene import Check, Scene

_KEPT = ("receipt", "answer", "confirm")  # letters to a player who may have left the seat since
_READABLE = (" has a new player", " has its player back", " has a player again")


def letters_of_a_seat_are_written_for_its_player(session: Session, scene: Scene) -> Iterator[str]:
    """A letter of a tenure is written and sent while it lasts; receipts and answers follow the
    player who left.
    """
    address = {player.id: player.address for player in session.exec(select(Player))}
    kept = {letter.uid for letter in scene.letters}
    taken: dict[str, float] = {}
    for each in scene.sink.taken:
        taken.setdefault(each.uid, each.at)
    spans = {(match.id, seat): _spans(history) for match, seat, history in histories(scene)}
    for uid, put in scene.world.put.items():
        if (
            put.kind in _KEPT
            or uid not in scene.ledger.written
            or (put.match_id, put.seat) not in spans
        ):
            continue
        begun, ended, player = spans[put.match_id, put.seat or ""].get(
            put.tenure, (0.0, -1.0, None)
        )
        if not begun <= scene.ledger.written[uid] <= ended:
            yield (
                f"the {put.kind} {uid} for tenure {put.tenure} of seat {put.seat} was written when"
                " that did not last"
            )
        elif put.address != address.get(player):
            yield (
                f"the {put.kind} {uid} for tenure {put.tenure} of seat {put.seat} is for"
                f" {put.address}"
            )
        # else it was being sent then
        if uid in taken and taken[uid] > ended + (
            0 if uid in kept else outbox.LEASE.total_seconds()
        ):
            yield (
                f"the {put.kind} {uid} to {put.address} was sent {taken[uid] - ended:.0f} s after"
                " its tenure had ended"
            )


def _spans(history: list[Sat]) -> dict[int, tuple[float, float, int | None]]:
    """Return from which second until which each tenure had which player."""
    spans: dict[int, tuple[float, float, int | None]] = {}
    for sat, following in zip(history, [*history[1:], None], strict=True):
        if sat.player is not None:
            begun = spans[sat.tenure][0] if sat.tenure in spans else sat.second
            spans[sat.tenure] = (
                begun,
                following.second if following is not None else float("inf"),
                sat.player,
            )
    return spans


def letters_come_in_while_their_tenure_lasts(_: Session, scene: Scene) -> Iterator[str]:
    """A letter to an address of a seat is stored before that tenure ends."""
    ended = {
        (seat, before.tenure): after.commit
        for _, seat, history in histories(scene)
        for before, after in pairwise(history)
        if before.tenure < after.tenure
    }
    seats = {
        seat.id: seat for seat in scene.seats if scene.matches[seat.match_id].uid in scene.changing
    }
    for row in (each for each in scene.incoming if each.kind == "seat" and each.seat_id in seats):
        end = ended.get((seats[row.seat_id].name, row.tenure or 1))
        if end is not None and scene.ledger.stored.get(row.uid, 0) > end:
            yield (
                f"the letter in {row.uid} to seat {seats[row.seat_id].name} was stored after tenure"
                f" {row.tenure} had ended"
            )


def who_wrote_to_a_seat_is_told_of_its_reader(session: Session, scene: Scene) -> Iterator[str]:
    """As a seat gets another player, everybody who wrote privately to it and has a seat gets a
    letter in the same transaction.
    """
    address = {player.id: player.address for player in session.exec(select(Player))}
    titles: dict[float, set[tuple[str, str]]] = defaultdict(set)
    for uid, put in scene.world.put.items():
        if uid in scene.ledger.written:
            titles[scene.ledger.written[uid]].add((put.address, put.title))
    until = {
        whisper.text: whisper.until
        for whisper in scene.ledger.whispers
        if whisper.until is not None
    }
    for match, seat, history in histories(scene):
        notes = list(session.exec(select(PressNote).where(PressNote.match_id == match.id)))
        for before, after in pairwise(history):
            if after.player in (None, before.player):
                continue
            written = [note for note in notes if until.get(note.text, after.commit) < after.commit]
            writers = {note.seat for note in written if seat in note.readers and note.seat != seat}
            sits = {writer: _sitting(scene, match.uid, writer, after.commit) for writer in writers}
            lent = before.owner is None and after.owner is not None
            wanted = ("A substitute plays",) if lent else _READABLE
            told = {to for to, title in titles[after.second] if title.endswith(wanted)}
            for writer, player in sits.items():
                if player is not None and (address[player] or "") not in told:
                    yield (
                        f"seat {seat} of {match.uid} has another reader, and {writer} was not told"
                    )


def _sitting(scene: Scene, uid: str, seat: str, commit: int) -> int | None:
    known = [
        sat
        for sat in scene.ledger.sat
        if (sat.uid, sat.seat) == (uid, seat) and sat.commit <= commit
    ]
    return known[-1].player if known else None


CHECKS: tuple[Check, ...] = (
    letters_of_a_seat_are_written_for_its_player,
    letters_come_in_while_their_tenure_lasts,
    who_wrote_to_a_seat_is_told_of_its_reader,
)
