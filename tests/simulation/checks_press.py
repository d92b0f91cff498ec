"""Press is stored once and sent once to each reader and nobody else; muted seats are not sent, and
an anonymous writer stays unnamed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from sqlmodel import Session, select

from adjudicator.platform.words import MASTER
from adjudicator.service.base import press_rules
from adjudicator.service.base.tables import Match, Player, PressNote, PressReport, Seat
from tests.simulation.checks_secrecy import plain_body
from tests.simulation.ledger import Whisper
from tests.simulation.scene import Check, Scene


def press_is_kept_once(session: Session, scene: Scene) -> Iterator[str]:
    kept = Counter(note.text for note in session.exec(select(PressNote)))
    for whisper in scene.ledger.whispers:
        if kept[whisper.text] > 1 or (whisper.told and not kept[whisper.text]):
            yield f"{whisper.text} of {whisper.uid} is kept {kept[whisper.text]} times"
    notes = {note.text: note for note in session.exec(select(PressNote))}
    for whisper in scene.ledger.whispers:
        note = notes.get(whisper.text)
        # its writer may have got that seat meanwhile
        if note is not None and set(note.readers) != set(whisper.to) - {note.seat}:
            yield (
                f"{whisper.text} of {whisper.uid} was written to {whisper.to} and is kept for"
                f" {note.readers}"
            )


def press_is_told_to_its_readers_alone(session: Session, scene: Scene) -> Iterator[str]:
    """Each text goes once to each of its readers who did not mute its writer before; to some it may
    have gone before they did.
    """
    people = {player.id: player for player in session.exec(select(Player))}
    whispers = {whisper.text: whisper for whisper in scene.ledger.whispers}
    for match in scene.matches.values():
        surely: Counter[str | None] = Counter()
        perhaps: Counter[str | None] = Counter()
        readers: dict[str, set[str | None]] = {}
        for note in session.exec(select(PressNote).where(PressNote.match_id == match.id)):
            sure, maybe = _readers(scene, match, note, whispers.get(note.text), people)
            surely.update(people[each].address for each in sure)
            perhaps.update(people[each].address for each in maybe)
            readers[note.text] = {people[each].address for each in sure + maybe}
            if note.seat == MASTER:  # the answer to a master's letter repeats what was sent
                readers[note.text] |= {
                    people[each.player].address for each in scene.ledger.directed
                }
        written = Counter(
            each.address
            for each in scene.letters
            if each.kind == "press" and each.match_id == match.id
        )
        for address in {*surely, *perhaps, *written} - {None}:
            if not surely[address] <= written[address] <= surely[address] + perhaps[address]:  # type: ignore[index]
                yield f"of the press of {match.uid} {written[address]} letters went to {address}, not {surely[address]}"  # type: ignore[index]
        yield from _told_others(scene, match, readers)


def _told_others(
    scene: Scene, match: Match, readers: Mapping[str, set[str | None]]
) -> Iterator[str]:
    for taken in scene.sink.taken:
        content = taken.content.decode("latin-1")
        told = (text for text, to in readers.items() if text in content and taken.to not in to)
        reported = {each.text for each in scene.ledger.complained if each.reason in content}
        yield from (
            f"{text} of {match.uid} was told to {taken.to}" for text in told if text not in reported
        )


def _readers(
    scene: Scene,
    match: Match,
    note: PressNote,
    whisper: Whisper | None,
    people: Mapping[int | None, Player],
) -> tuple[list[int | None], list[int | None]]:
    """Return the players whom a text surely goes to, and those who muted its writer at about its
    time.
    """
    sure: list[int | None] = []
    maybe: list[int | None] = []
    for seat in scene.seats:
        # a letter to who left since is erased if it was not sent
        if seat.match_id == match.id and match.uid in scene.changing:
            maybe += [each for each in scene.sitters(match.id, seat.name) if _reads(note, seat)]
        elif (
            seat.match_id == match.id
            and _reads(note, seat)
            and people[seat.player_id].address is not None
        ):
            muted = [
                each
                for each in scene.ledger.muted
                if (each.uid, each.player, each.seat) == (match.uid, seat.player_id, note.seat)
            ]
            if not muted:
                sure.append(seat.player_id)
            elif whisper is None or not any(
                each.until is not None and each.until < whisper.since for each in muted
            ):
                maybe.append(seat.player_id)
    if MASTER in note.readers or (match.press_overseen and note.seat != MASTER):
        sure.append(match.master_id)
    return sure, maybe


def _reads(note: PressNote, seat: Seat) -> bool:
    return seat.name != note.seat and (not note.readers or seat.name in note.readers)


def hidden_writers_stay_hidden(_: Session, scene: Scene) -> Iterator[str]:
    """No seat is told who wrote anonymous press; texts of the master and those to the master are no
    such press.
    """
    hiding = {match.id for match in scene.matches.values() if press_rules.hides_writers(match)}
    letters = {
        letter.uid: letter
        for letter in scene.letters
        if letter.kind == "press" and letter.match_id in hiding and letter.seat
    }
    for taken in scene.sink.taken:
        body = plain_body(taken) if taken.uid in letters else None
        if body is not None and body["writer"] != MASTER and (body["writer"] or body["others"]):
            yield f"the press {taken.uid} tells that {body['writer']} wrote it"


def press_rests_in_short_phases_where_it_does(session: Session, scene: Scene) -> Iterator[str]:
    for match in scene.matches.values():
        short = {
            phase.number
            for phase in scene.of_match[match.uid]
            if "retreats" in phase.name or "builds" in phase.name
        }
        for note in (
            session.exec(select(PressNote).where(PressNote.match_id == match.id))
            if match.press_rulebook
            else ()
        ):
            if note.phase_number in short and MASTER not in (note.seat, *note.readers):
                yield (
                    f"{note.text} was written in phase {note.phase_number} of {match.uid}, in which"
                    " press rests"
                )


def a_report_is_kept_once_and_told_once(session: Session, scene: Scene) -> Iterator[str]:
    """Each report has one row, and one letter to each person who looks at it, none of them the
    writer.
    """
    kept = Counter(row.reason for row in session.exec(select(PressReport)))
    people = {player.address: player.id for player in session.exec(select(Player))}
    for each in scene.ledger.complained:
        if kept[each.reason] > 1 or (each.told and not kept[each.reason]):
            yield f"{each.reason} of {each.uid} is kept {kept[each.reason]} times"
        told = [taken.to for taken in scene.sink.taken if each.reason.encode() in taken.content]
        writer = next(
            (whisper.player for whisper in scene.ledger.whispers if whisper.text == each.text), None
        )
        if writer in [people.get(to) for to in told]:
            yield f"{each.reason} of {each.uid} was told to the writer of {each.text}"
        if each.told and not any(letter.kind == "reported" for letter in scene.letters):
            yield f"{each.reason} of {each.uid} was told to nobody"


CHECKS: tuple[Check, ...] = (
    press_is_kept_once,
    press_is_told_to_its_readers_alone,
    hidden_writers_stay_hidden,
    press_rests_in_short_phases_where_it_does,
    a_report_is_kept_once_and_told_once,
)
