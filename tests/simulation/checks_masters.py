"""Acts of masters: each is noted once for everybody and reported to every seat, and only they close
phases early.
"""

from collections import Counter
from collections.abc import Iterator

from sqlmodel import Session, col, select

from adjudicator.service.base.tables import LogEntry, MasterNote, Player
from adjudicator.service.matches import clock
from adjudicator.service.matches.notes import PLAYERS, SERVICE
from tests.simulation.masters import CLOSED, MOVED, PAUSED, RESUMED, WROTE
from tests.simulation.scene import Check, Scene

# beginnings of the notes
_BEGINNINGS = {"paused": PAUSED, "set": RESUMED, "moved": MOVED, "closed": CLOSED, "wrote": WROTE}
# in the note of a deadline that moved as its phase opened: no other was announced
_PAST = ", past "


def what_a_master_did_is_noted(session: Session, scene: Scene) -> Iterator[str]:
    noted, in_all = (
        _noted(session, scene, besides=(PLAYERS, SERVICE)),
        _noted(session, scene, besides=(SERVICE,)),
    )
    asked = Counter((act.uid, act.what) for act in scene.ledger.acts)
    done = Counter((act.uid, act.what) for act in scene.ledger.acts if act.done)
    for act in noted.keys() | done.keys():
        # a master's act may have been the last vote that was needed
        if done[act] > in_all[act] or noted[act] > asked[act]:
            yield (
                f"{act[0]}: {act[1]} was asked for {asked[act]} times, done {done[act]} times at"
                f" least, and noted {noted[act]} times"
            )


def who_plays_takes_no_time_from_others(session: Session, scene: Scene) -> Iterator[str]:
    """No player of a match with several people closed one of its phases by hand."""
    people = {player.id: player.name for player in session.exec(select(Player)) if not player.house}
    for note in session.exec(select(MasterNote).where(col(MasterNote.what).startswith("closed"))):
        playing = [
            people[seat.player_id]
            for seat in scene.seats
            if seat.match_id == note.match_id and seat.player_id in people
        ]
        if len(playing) > 1 and note.who in playing:
            yield (
                f"{note.who} {note.what} of {scene.matches[note.match_id].uid} and plays there with"
                f" {len(playing) - 1} others"
            )


def every_seat_is_told_of_it(session: Session, scene: Scene) -> Iterator[str]:
    """Every seat gets a letter of each change; of what the service moved only if the service was
    down.

    There are more letters than notes where a change was put back, or its note was dropped, as not
    all decided it who have a vote: somebody forged that others' seats look for players.
    """
    noted, put_back = _noted(session, scene), set[int]()
    for entry in session.exec(select(LogEntry).where(LogEntry.type == "tampering")):
        kinds = (
            {"deadline", "act"}
            if scene.matches[entry.match_id].uid in scene.ledger.usurped
            else {"deadline"}
        )
        if entry.body["kind"] in kinds:
            put_back.add(entry.match_id)
    people = {player.id for player in session.exec(select(Player)) if not player.house}
    # of those, checks_tenure tells
    for match in (each for each in scene.matches.values() if each.uid not in scene.changing):
        told = sum(noted[match.uid, what] for what in (PAUSED, RESUMED, MOVED))
        written = Counter(
            letter.seat
            for letter in scene.letters
            if letter.kind == "notice" and letter.match_id == match.id
        )
        for seat in scene.seats:
            if (
                seat.match_id != match.id
                or seat.player_id not in people
                or written[seat.name] == told
            ):
                continue
            if written[seat.name] < told or match.id not in put_back:
                yield (
                    f"seat {seat.name} of {match.uid} was told {written[seat.name]} times of {told}"
                    " changes"
                )


def a_phase_is_closed_by_hand_where_its_master_did(session: Session, scene: Scene) -> Iterator[str]:
    noted = _noted(session, scene)
    for uid, phases in scene.of_match.items():
        by_hand = [phase.number for phase in phases if phase.why == "master"]
        if len(by_hand) != noted[uid, CLOSED]:
            yield (
                f"the phases {by_hand} of {uid} were closed by hand, and {noted[uid, CLOSED]}"
                " closings are noted"
            )


def a_match_that_goes_on_has_its_time(session: Session, scene: Scene) -> Iterator[str]:
    """An open phase has a closing time unless its match is paused, at least an hour away after a
    resume without a cap.
    """
    notes = list(session.exec(select(MasterNote).order_by(col(MasterNote.id))))
    for phase in scene.phases:
        match = scene.matches[phase.match_id]
        if (
            phase.closed_at is None
            and match.status == "running"
            and (phase.closes_at is None) != (match.paused_at is not None)
        ):
            yield (
                f"phase {phase.number} of {match.uid} is closed at {phase.closes_at}, and the match"
                f" was paused at {match.paused_at}"
            )
        here = [
            each
            for each in notes
            if each.match_id == match.id
            and phase.opened_at < each.at < (phase.closed_at or scene.world.now())
        ]
        if (
            not here
            or not here[-1].what.startswith("set")
            or phase.deadline is None
            or scene.world.fired["step"]
        ):
            continue
        if phase.deadline < here[-1].at + clock.BREATH and not phase.pause_capped:
            yield (
                f"phase {phase.number} of {match.uid} was set going at {here[-1].at} and ends at"
                f" {phase.deadline}"
            )


def _noted(
    session: Session, scene: Scene, *, besides: tuple[str, ...] = ()
) -> Counter[tuple[str, str]]:
    """Count the notes of changes of the clock, without those of somebody in `besides`, and those of
    absences.
    """
    notes = [
        note
        for note in session.exec(select(MasterNote))
        if note.who not in besides and _PAST not in note.what
    ]
    named = [(note, _BEGINNINGS.get(note.what.partition(" ")[0])) for note in notes]
    return Counter(
        (scene.matches[note.match_id].uid, what) for note, what in named if what is not None
    )


CHECKS: tuple[Check, ...] = (
    what_a_master_did_is_noted,
    who_plays_takes_no_time_from_others,
    every_seat_is_told_of_it,
    a_phase_is_closed_by_hand_where_its_master_did,
    a_match_that_goes_on_has_its_time,
)
