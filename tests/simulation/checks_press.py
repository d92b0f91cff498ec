"""Press is stored once and sent once to each reader and nobody else; an anonymous writer stays unnamed."""

from collections import Counter
from collections.abc import Iterator

from sqlmodel import Session, select

from adjudicator.service.base.tables import Player, PressNote, Seat
from adjudicator.service.press import messages
from tests.simulation.checks_secrecy import plain_body
from tests.simulation.scene import Check, Scene


def press_is_kept_once(session: Session, scene: Scene) -> Iterator[str]:
    kept = Counter(note.text for note in session.exec(select(PressNote)))
    for whisper in scene.ledger.whispers:
        if kept[whisper.text] > 1 or (whisper.told and not kept[whisper.text]):
            yield f"{whisper.text} of {whisper.uid} is kept {kept[whisper.text]} times"


def press_is_told_to_its_readers_alone(session: Session, scene: Scene) -> Iterator[str]:
    people = {player.id: player for player in session.exec(select(Player))}
    for match in scene.matches.values():
        seats = [seat for seat in scene.seats if seat.match_id == match.id]
        notes = list(session.exec(select(PressNote).where(PressNote.match_id == match.id)))
        reads = {note.text: {people[seat.player_id].address for seat in seats if _reads(note, seat)} for note in notes}
        wanted = Counter(address for addresses in reads.values() for address in addresses if address is not None)
        written = Counter(each.address for each in scene.letters if each.kind == "press" and each.match_id == match.id)
        if wanted != written:
            yield f"of the press of {match.uid} {dict(written)} letters were written, not {dict(wanted)}"
        for taken in scene.sink.taken:
            content = taken.content.decode("latin-1")
            told = (text for text, readers in reads.items() if text in content and taken.to not in readers)
            yield from (f"{text} of {match.uid} was told to {taken.to}" for text in told)


def _reads(note: PressNote, seat: Seat) -> bool:
    return seat.name != note.seat and (not note.readers or seat.name in note.readers)


def hidden_writers_stay_hidden(_: Session, scene: Scene) -> Iterator[str]:
    hiding = {match.id for match in scene.matches.values() if messages.hides_writers(match)}
    letters = {letter.uid: letter for letter in scene.letters if letter.kind == "press" and letter.match_id in hiding}
    for taken in scene.sink.taken:
        body = plain_body(taken) if taken.uid in letters else None
        if body is not None and (body["writer"] or body["others"]):
            yield f"the press {taken.uid} tells that {body['writer']} wrote it"


CHECKS: tuple[Check, ...] = (press_is_kept_once, press_is_told_to_its_readers_alone, hidden_writers_stay_hidden)
