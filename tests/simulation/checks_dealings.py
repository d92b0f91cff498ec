"""Promises to players: no early closing, no refusal in time, plans are followed, receipts and
answers arrive.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.tables import Due, Envelope, Letter, Match, PhaseRow, Player, Receipt
from adjudicator.service.letters import incoming, outbox
from adjudicator.service.matches import timetables
from adjudicator.service.people import sessions
from tests.simulation.checks_secrecy import plain_body
from tests.simulation.scene import Check, Scene

_REFUSED = re.compile(r"\b5\d\d\b")
_FOLLOWING = 200  # commits after which a submission with unknown fate was either stored or lost
_WRITING = 30  # seconds from reading the time to the commit of a closing, including waits for locks
_HOUSE = 3  # submissions of a house bot in one phase, if workers look at the same moment

# --- matches


def matches_are_whole(_: Session, scene: Scene) -> Iterator[str]:
    for match in scene.matches.values():
        opened = [phase for phase in scene.of_match[match.uid] if phase.closed_at is None]
        never_played = match.status == "ended" and [phase.why for phase in opened] == ["stopped"]
        if len(opened) != (match.status == "running") and not never_played:
            yield f"{match.uid}, which is {match.status}, has {len(opened)} open phases"
        if any(
            phase.closes_at is not None
            for phase in scene.of_match[match.uid]
            if phase.closed_at is not None
        ):
            yield f"{match.uid} has a closed phase that is still to be closed"
        empty = [
            seat.name
            for seat in scene.seats
            if seat.match_id == match.id and seat.player_id is not None and seat.taken_at is None
        ]
        if match.status != "making" and empty:
            yield f"{match.uid} was founded, and the seats {empty} of its players are not taken"


# --- time


def a_phase_has_its_whole_time(_: Session, scene: Scene) -> Iterator[str]:
    """A phase is open for the agreed time, counted from the commit that opened it, even if a
    process was paused.
    """
    if scene.world.fired["step"]:
        return
    for match in (
        each for each in scene.matches.values() if each.uid not in scene.ledger.run_by_hand
    ):
        for phase in scene.of_match[match.uid]:
            at = scene.ledger.opened_at.get((match.uid, phase.number))
            if (
                phase.deadline is not None
                and at is not None
                and phase.deadline < _earliest(match, at)
            ):
                yield (
                    f"phase {phase.number} of {match.uid}, opened at {at}, ends at {phase.deadline}"
                )


def _earliest(match: Match, opened: datetime) -> datetime:
    """Return the earliest deadline that a phase may have whose opening was committed at this
    moment.
    """
    begun = opened - timedelta(seconds=_WRITING)
    return timetables.next_deadline(match, begun, short=False)


def fixed_hours_stay(_: Session, scene: Scene) -> Iterator[str]:
    """Every phase of a match with fixed hours ends at one of them, however early the phase before
    it closed, unless an outage moved it.
    """
    for match in (
        each
        for each in scene.matches.values()
        if each.timetable and each.uid not in scene.ledger.run_by_hand
    ):
        table = timetables.table_of(match)
        hours, zone = {each.at for each in table.usual.hours}, ZoneInfo(table.zone)
        for phase in (each for each in scene.of_match[match.uid] if not each.moved_for_outage):
            if phase.deadline is not None and phase.deadline.astimezone(zone).time() not in hours:
                yield (
                    f"phase {phase.number} of {match.uid} ends at {phase.deadline}, which is none"
                    f" of {table.usual}"
                )


def nothing_is_dated_ahead(_: Session, scene: Scene) -> Iterator[str]:
    """No phase's opening or closing time is later than its commit, because times come from the
    database's clock.
    """
    if scene.world.fired["step"]:
        return
    for uid, phases in scene.of_match.items():
        for phase in phases:
            at = scene.ledger.opened_at.get((uid, phase.number))
            if at is not None and phase.opened_at > at:
                yield (
                    f"phase {phase.number} of {uid} says that it was opened at {phase.opened_at},"
                    f" and was at {at}"
                )


# --- ready


def nobody_was_hurried(session: Session, scene: Scene) -> Iterator[str]:
    """A phase closed before its deadline has, from each seat that owed orders, orders sealed as
    ready or the word `ready`.

    In overtime those who were late are enough.
    """
    for phase in scene.phases:
        if phase.why != "ready" or phase.public_key is None:
            continue
        late = [
            due.seat
            for due in session.exec(select(Due).where(Due.phase_id == phase.id))
            if due.late
        ]
        for seat in (
            late
            if phase.overtime_until is not None and phase.overtime_after == phase.deadline
            else phase.due
        ):
            if not _is_ready(session, scene, phase, seat) and not _said_ready(scene, phase, seat):
                yield f"phase {phase.number} of match {phase.match_id} did not wait for seat {seat}"


def _is_ready(session: Session, scene: Scene, phase: PhaseRow, seat: str) -> bool:
    newest = select(Envelope).where(Envelope.phase_id == phase.id, Envelope.seat == seat)
    newest = newest.order_by(col(Envelope.tenure).desc(), col(Envelope.id).desc())
    envelope = session.exec(newest).first()
    if envelope is None:
        return False
    # a plan that was followed
    return envelope.seq == 0 or open_contents(scene, phase, envelope).parts[0].ready


def open_contents(scene: Scene, phase: PhaseRow, envelope: Envelope) -> Contents:
    """Return the contents of an envelope, opened with the worker's keys."""
    match = scene.matches[phase.match_id]
    private = recall_phase_key(scene.fixture_db.keyring, match, phase)
    place = Place(match.uid, phase.number, envelope.seat, envelope.seq)
    return commitments.open_contents(private, place, envelope.commitments, envelope.sealed)


def _said_ready(scene: Scene, phase: PhaseRow, seat: str) -> bool:
    """Whether a seat may have said `ready` during the phase: on the site, or in a letter without
    orders.
    """
    match, ledger = scene.matches[phase.match_id], scene.ledger
    sitters = scene.sitters(match.id, seat)
    opened, closed = (
        ledger.openings.get((match.uid, phase.number), 0),
        ledger.closings.get((match.uid, phase.number), scene.world.commits),
    )
    for said in ledger.said:
        until = said.since + _FOLLOWING if said.until is None else said.until
        if (
            said.uid == match.uid
            and said.player in sitters
            and said.word == "ready"
            and said.since <= closed
            and until >= opened
        ):
            return True
    letters = (letter for letter in ledger.posted if (letter.uid, letter.seat) == (match.uid, seat))
    return any(letter.text.strip() == "ready" for letter in letters)


# --- orders


def nobody_in_time_was_turned_away(_: Session, scene: Scene) -> Iterator[str]:
    for told in scene.ledger.told:
        phase = scene.phase(told.uid, told.answer.phase)
        if phase is None or phase.deadline is None or scene.moves_by_itself(phase):
            continue
        if not told.answer.reason.startswith("The deadline"):
            continue
        if told.answer.at < phase.deadline + timedelta(seconds=phase.grace_seconds):
            yield (
                f"seat {told.seat} of {told.uid} was told at {told.answer.at} that phase"
                f" {phase.number} was over"
            )


def orders_count_for_the_phase_they_were_written_for(_: Session, scene: Scene) -> Iterator[str]:
    for told in scene.ledger.told:
        if told.answer.disposition != "refused" and told.answer.phase != told.phase:
            yield (
                f"orders of seat {told.seat} of {told.uid} for phase {told.phase} were taken for"
                f" {told.answer.phase}"
            )
    for receipt in scene.receipts:
        phase = scene.phase(scene.matches[receipt.match_id].uid, receipt.phase_number)
        if (
            receipt.channel == "letter"
            and receipt.disposition != "refused"
            and phase is not None
            and receipt.at < phase.opened_at
        ):
            yield (
                f"a letter of seat {receipt.seat} that came at {receipt.at} counts for phase"
                f" {phase.number}, opened at {phase.opened_at}"
            )


def plans_are_followed(_: Session, scene: Scene) -> Iterator[str]:
    """The plan after THEN is played in the next phase, unless its seat submitted something else or
    was told that it is impossible.
    """
    newest: dict[tuple[int, int, str], Receipt] = {}
    for receipt in scene.receipts:
        if receipt.disposition != "refused":
            newest[receipt.match_id, receipt.phase_number, receipt.seat] = receipt
    for (match_id, number, seat), receipt in newest.items():
        phases = scene.of_match[scene.matches[match_id].uid]
        later = next((phase for phase in phases[number + 1 :] if seat in phase.due), None)
        if (
            scene.matches[match_id].uid in scene.changing
            or len(receipt.commitments) < 2
            or seat not in phases[number].due
            or phases[number].closed_at is None
            or later is None
        ):
            continue
        if (
            later.closed_at is None
            or later.why == "forced"
            or any((match_id, each, seat) in newest for each in range(number + 1, later.number + 1))
        ):
            continue
        taken = (later.taken or {})[seat]
        if taken.get("commitment") != receipt.commitments[1][1] and seat not in later.dropped:
            yield (
                f"the plan of seat {seat} of match {match_id} for phase {later.number} was"
                " forgotten"
            )


def submissions_are_numbered(_: Session, scene: Scene) -> Iterator[str]:
    """A seat's submissions in a phase are numbered from 1 in the order of their answers, refused
    ones included.
    """
    numbers: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for receipt in scene.submissions:
        numbers[receipt.match_id, receipt.phase_number, receipt.seat].append(receipt.seq)
    yield from (
        f"the submissions of {place} are numbered {of}"
        for place, of in numbers.items()
        if of != list(range(1, len(of) + 1))
    )


def house_bots_order_once(_: Session, scene: Scene) -> Iterator[str]:
    taken = [
        each for each in scene.receipts if each.channel == "house" and each.disposition != "refused"
    ]
    times = Counter((each.match_id, each.phase_number, each.seat) for each in taken)
    yield from (
        f"the house bot of {place} handed in orders {count} times"
        for place, count in times.items()
        if count > _HOUSE
    )


# --- letters


def what_was_handed_in_is_answered_once(session: Session, scene: Scene) -> Iterator[str]:
    """Each receipt of the site has its letter if the player wants them; each incoming letter has at
    most one answer and one receipt.
    """
    people = {player.id: player for player in session.exec(select(Player))}
    written = Counter(
        letter.receipt_id for letter in scene.letters if letter.receipt_id is not None
    )
    for receipt in scene.receipts:
        player = people[scene.sitter(receipt.match_id, receipt.seat, receipt.tenure)]
        wanted = receipt.channel == "form" and player.receipts and player.address is not None
        if written[receipt.id] > 1 or (wanted and not written[receipt.id]):
            yield f"receipt {receipt.id} has {written[receipt.id]} letters"
    answers = Counter(
        letter.incoming_id for letter in scene.letters if letter.incoming_id is not None
    )
    yield from (
        f"letter in {number} was answered {count} times"
        for number, count in answers.items()
        if count > 1
    )
    came = Counter((row.match_id, row.received_at) for row in scene.incoming)
    receipts = Counter(
        (each.match_id, each.at) for each in scene.receipts if each.channel == "letter"
    )
    yield from (
        f"a letter that came at {at} has {count} receipts"
        for (of, at), count in receipts.items()
        if count > came[of, at]
    )


def letters_of_a_seat_are_read_in_order(_: Session, scene: Scene) -> Iterator[str]:
    seats = {seat.id: (seat.match_id, seat.name) for seat in scene.seats}
    came: dict[object, list[int]] = defaultdict(list)
    for row in scene.incoming:
        if row.seat_id is not None:
            came[*seats[row.seat_id], row.received_at].append(row.id or 0)
    last: dict[tuple[int, str], int] = {}
    for receipt in (each for each in scene.receipts if each.channel == "letter"):
        place, ids = (
            (receipt.match_id, receipt.seat),
            came[receipt.match_id, receipt.seat, receipt.at],
        )
        if len(ids) != 1:
            continue
        if ids[0] < last.get(place, 0):
            yield f"letter in {ids[0]} of seat {receipt.seat} was read after {last[place]}"
        last[place] = ids[0]


def no_letter_is_given_up(_: Session, scene: Scene) -> Iterator[str]:
    """An incoming letter can be read unless its readers were killed five times; an outgoing one is
    held only for a good reason.
    """
    if scene.world.cut_readings < incoming.MOST_TRIES:
        yield from (
            f"letter in {row.id} was called unreadable"
            for row in scene.incoming
            if row.disposition == "unreadable"
        )
    for letter in scene.letters:
        trouble = letter.trouble or ""
        all_tried = letter.tries > len(outbox.BACK_OFF)
        excused = (
            trouble == outbox.COMES_BACK
            or _REFUSED.search(trouble)
            or all_tried
            or _is_over(scene, letter)
        )
        if letter.state == "held" and not excused:
            yield f"the {letter.kind} {letter.uid} is held after {letter.tries} tries: {trouble}"
        if letter.state in ("waiting", "held") and letter.context is None:
            yield f"the {letter.kind} {letter.uid} is {letter.state}, and what it says was erased"
    # letters reach these seats again once they write
    wrote = {row.seat_id for row in scene.incoming}
    heard: set[tuple[int | None, str | None]] = {
        (seat.match_id, seat.name) for seat in scene.seats if seat.id in wrote
    }
    # so do masters, who have no seat
    heard |= {(row.match_id, None) for row in scene.incoming if row.kind == "master"}
    silent = [letter for letter in scene.letters if (letter.match_id, letter.seat) not in heard]
    refused = {letter.uid for letter in silent}
    again = [uid for uid in scene.sink.sent_all_the_same if uid in refused]
    yield from (f"the letter {uid} was refused for good, and sent all the same" for uid in again)


def _is_over(scene: Scene, letter: Letter) -> bool:
    """Whether a letter was held because its sign-in link had expired."""
    had_its_time = (
        scene.world.fired["step"] or letter.next_try >= letter.made_at + sessions.LINK_LASTS
    )
    return letter.kind == "signin" and letter.trouble == outbox.LINK_OVER and bool(had_its_time)


def receipts_go_out_signed(_: Session, scene: Scene) -> Iterator[str]:
    about = {letter.uid: letter for letter in scene.letters if letter.receipt_id is not None}
    for taken in scene.sink.taken:
        body = plain_body(taken) if taken.uid in about else None
        if body is not None and not body["signature"]:
            yield f"the receipt {taken.uid} went out unsigned"


CHECKS: tuple[Check, ...] = (
    matches_are_whole,
    a_phase_has_its_whole_time,
    fixed_hours_stay,
    nothing_is_dated_ahead,
    nobody_was_hurried,
    nobody_in_time_was_turned_away,
    orders_count_for_the_phase_they_were_written_for,
    plans_are_followed,
    submissions_are_numbered,
    house_bots_order_once,
    what_was_handed_in_is_answered_once,
    letters_of_a_seat_are_read_in_order,
    no_letter_is_given_up,
    receipts_go_out_signed,
)
