"""Incoming letters get one disposition and count if they came in time; reports are written once,
sent once, and never too early.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session, select

from adjudicator.service.base.tables import Match, PhaseRow, Player, Seat
from tests.simulation.scene import Check, Scene
from tests.simulation.world import Put


def every_letter_in_has_one_disposition(_: Session, scene: Scene) -> Iterator[str]:
    ends: dict[str, list[str]] = defaultdict(list)
    for row in scene.incoming:
        # processing a bounce twice changes nothing more
        if row.disposition is not None and row.kind == "seat":
            ends[row.digest or row.uid].append(row.disposition)
    for digest, dispositions in ends.items():
        if set(dispositions) == {"forged"}:  # nothing of it was carried out, however often it came
            continue
        if len(dispositions) - dispositions.count("repeated") != 1:
            yield f"the letter {digest[:8]} was {' and '.join(dispositions)}"
    stored = {row.uid for row in scene.incoming}
    for letter in scene.ledger.posted:
        if not stored.issuperset(letter.taken):
            yield f"the letter {letter.message_id} was taken with 250 and is not stored"


def letters_that_came_in_time_count(_: Session, scene: Scene) -> Iterator[str]:
    """A letter that was stored while its phase was open, and complete before the last call, counts
    for that phase.
    """
    rows = {row.uid: row for row in scene.incoming}
    for letter in scene.ledger.posted:
        read = next((rows[uid] for uid in letter.taken if rows[uid].disposition == "orders"), None)
        number = (
            _open_at(scene, letter.uid, scene.ledger.stored[read.uid]) if read is not None else None
        )
        phase = scene.phase(letter.uid, number) if number is not None else None
        if (
            read is None
            or phase is None
            or phase.deadline is None
            or number != letter.phase
            or scene.moves_by_itself(phase)
        ):
            continue
        if (
            not phase.opened_at
            <= read.received_at
            < phase.deadline + timedelta(seconds=phase.grace_seconds)
        ):
            continue
        made = [
            r
            for r in scene.receipts
            if (r.channel, r.seat, r.at) == ("letter", letter.seat, read.received_at)
        ]
        if not any(r.phase_number == number and r.disposition != "refused" for r in made):
            told = (
                ", ".join(f"{r.disposition} in phase {r.phase_number}" for r in made)
                or "not handed in"
            )
            yield f"the letter {letter.message_id} came in time for phase {number} and was {told}"


def _open_at(scene: Scene, uid: str, commit: int) -> int | None:
    """Return the number of the phase that was open at a commit."""
    ledger = scene.ledger
    known = [n for (of, n), opened in ledger.openings.items() if of == uid and opened < commit]
    number = max(known, default=None)
    return (
        number
        if number is not None and ledger.closings.get((uid, number), commit + 1) > commit
        else None
    )


def every_report_was_written_once_and_sent(session: Session, scene: Scene) -> Iterator[str]:
    """Each seat has one report for each opening that concerns it; each report was accepted by the
    mail server, or is held and shown.
    """
    reports = [each for each in scene.letters if each.kind == "report"]
    written = Counter(
        (each.match_id, each.seat, each.tenure, each.phase_number) for each in reports
    )
    yield from (
        f"{count} reports to seat {seat} for phase {number}"
        for (_, seat, _, number), count in written.items()
        if count > 1
    )
    people = {player.id: player for player in session.exec(select(Player))}
    for match in scene.matches.values():
        taken_seats = [
            seat for seat in scene.seats if seat.match_id == match.id and seat.player_id is not None
        ]
        seats = (
            [seat for seat in taken_seats if not people[seat.player_id].house]
            if match.started_at
            else []
        )
        phases = scene.of_match[match.uid]
        for seat in seats:
            for number in _told_at(phases, match):
                concerned = number is None or number == 1 or _concerned(phases, number, seat.name)
                unclear = seat.tenure > 1 and scene.world.fired["step"] > 0
                here = number is None or (
                    _sat_there(scene, match.uid, seat, phases[number]) and not unclear
                )
                if concerned and here and not written[match.id, seat.name, seat.tenure, number]:
                    yield f"seat {seat.name} of {match.uid} has no report for phase {number}"
    taken = Counter(each.uid for each in scene.sink.taken)
    for letter in scene.letters:
        if letter.state == "waiting" and letter.made_at <= (
            scene.world.settled or scene.world.now()
        ):
            yield (
                f"the {letter.kind} {letter.uid} still waits after {letter.tries} tries:"
                f" {letter.trouble}"
            )
        if letter.state == "sent" and not taken[letter.uid]:
            yield (
                f"the {letter.kind} {letter.uid} is marked as sent, and the mail server never"
                " took it"
            )
        if letter.state == "held" and not letter.trouble:
            yield f"the {letter.kind} {letter.uid} is held and nothing says why"


def _sat_there(scene: Scene, uid: str, seat: Seat, phase: PhaseRow) -> bool:
    """Whether the present player had the seat as a phase was opened, or took it while it was open.

    The order of the commits tells, where the ledger has it: a request may take its time and then
    wait for the close.
    """
    if seat.tenure == 1 or seat.taken_at is None or phase.closed_at is None:
        return True
    present = (uid, seat.name, seat.tenure, seat.player_id)
    came = min(
        (
            sat.commit
            for sat in scene.ledger.sat
            if (sat.uid, sat.seat, sat.tenure, sat.player) == present
        ),
        default=None,
    )
    closed = scene.ledger.closings.get((uid, phase.number))
    return phase.closed_at > seat.taken_at if came is None or closed is None else closed > came


def _told_at(phases: list[PhaseRow], match: Match) -> list[int | None]:
    """Return the phases whose opening was reported: those that waited, and None for the end."""
    opened = [phase.number for phase in phases if phase.number and phase.public_key is not None]
    return [*opened, *([None] if match.status == "ended" else [])]


def _concerned(phases: list[PhaseRow], number: int, seat: str) -> bool:
    """Whether a seat is told of an opening at once: it owes orders, or acted in the phase that was
    closed.
    """
    before = [phase for phase in phases if phase.number < number]
    closed = []
    for phase in reversed(before):
        closed.append(phase)
        if phase.public_key is not None:
            break
    return seat in phases[number].due or any(seat in phase.due for phase in closed)


def letters_are_sent_twice_only_where_nobody_could_know(_: Session, scene: Scene) -> Iterator[str]:
    by_uid: dict[str, set[str]] = defaultdict(set)
    count: Counter[str] = Counter()
    known = {letter.uid: letter for letter in scene.letters}
    for each in scene.sink.taken:
        by_uid[each.uid].add(each.message_id)
        count[each.uid] += 1
        if each.uid not in known:
            # letters of a tenure are erased with its end, which may come while one is sent
            put = scene.world.put.get(each.uid)
            if put is None or put.seat is None or not _has_ended(scene, put):
                yield f"a letter {each.uid} went out that nobody wrote"
        elif known[each.uid].address != each.to:
            yield f"the {known[each.uid].kind} {each.uid} went to {each.to}"
    for uid, times in count.items():
        kind = known[uid].kind if uid in known else "erased letter"
        if times > 1 and uid not in scene.sink.ambiguous:
            yield f"the {kind} {uid} was sent {times} times without an ambiguous fault"
        if len(by_uid[uid]) > 1:
            yield f"the letter {uid} went out under several Message-IDs"


def _has_ended(scene: Scene, put: Put) -> bool:
    present = next(
        seat for seat in scene.seats if (seat.match_id, seat.name) == (put.match_id, put.seat)
    )
    return put.tenure < present.tenure


def no_letter_tells_of_what_did_not_happen(_: Session, scene: Scene) -> Iterator[str]:
    """A report is sent only after the commit that opened its phase."""
    known = {letter.uid: letter for letter in scene.letters if letter.kind == "report"}
    for each in scene.sink.taken:
        letter = known.get(each.uid)
        if letter is None or letter.phase_number is None or letter.match_id is None:
            continue
        opened = scene.ledger.openings.get(
            (scene.matches[letter.match_id].uid, letter.phase_number)
        )
        if opened is None or opened > each.commits:
            yield f"the report {each.uid} went out before phase {letter.phase_number} was committed"


def answers_come_from_nobody(_: Session, scene: Scene) -> Iterator[str]:
    """Answers to letters have the null sender, so that no program answers them; all other letters
    have their own bounce address.
    """
    known = {letter.uid: letter for letter in scene.letters}
    for each in scene.sink.taken:
        letter = known.get(each.uid)
        if letter is None:
            continue
        if letter.incoming_id is not None and each.sender:
            yield f"the {letter.kind} {each.uid} answers a letter and came from {each.sender}"
        if (
            letter.incoming_id is None
            and scene.sink.uid_of(each.sender.partition("+b-")[2].partition("@")[0]) != each.uid
        ):
            yield (
                f"the {letter.kind} {each.uid} came from “{each.sender}”, where it cannot come"
                " back to"
            )


CHECKS: tuple[Check, ...] = (
    every_letter_in_has_one_disposition,
    letters_that_came_in_time_count,
    every_report_was_written_once_and_sent,
    letters_are_sent_twice_only_where_nobody_could_know,
    no_letter_tells_of_what_did_not_happen,
    answers_come_from_nobody,
)
