"""Seats that change hands: one player at a time, in tenures that follow each other, with notes and
statistics of their own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby, pairwise

from sqlmodel import Session, col, select

from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.tables import (
    Attendance,
    FormerTenure,
    MasterNote,
    Match,
    PhaseRow,
    Receipt,
)
from adjudicator.service.matches.notes import SERVICE
from tests.simulation.checks_delays import excused_spans, uncovered_seconds
from tests.simulation.handovers import ACCEPTED, BACK, RESIGNED, TOOK
from tests.simulation.ledger import Sat
from tests.simulation.scene import Check, Scene

_LOOKS = "Your seat looks for a new player"
_SLOW = 90.0  # seconds


def histories(scene: Scene) -> Iterator[tuple[Match, str, list[Sat]]]:
    """Yield the history of each seat that may change hands."""
    found = defaultdict(list)
    for sat in scene.ledger.sat:
        found[sat.uid, sat.seat].append(sat)
    by_uid = {match.uid: match for match in scene.matches.values()}
    for (uid, seat), history in found.items():
        yield by_uid[uid], seat, history


# --- who sits there


def a_seat_has_one_player_at_a_time(session: Session, scene: Scene) -> Iterator[str]:
    """Tenures count up by one, each with one player and an address of its own, and the rows of
    former ones say so.
    """
    for match, seat, history in histories(scene):
        for before, after in pairwise(history):
            begun = before.tenure + 1 == after.tenure
            if not begun and before.tenure != after.tenure:
                yield (
                    f"seat {seat} of {match.uid} went from tenure {before.tenure} to {after.tenure}"
                )
            if not begun and before.player is not None and before.player != after.player:
                yield (
                    f"tenure {after.tenure} of seat {seat} of {match.uid} went from player"
                    f" {before.player} to {after.player}"
                )
            given = (
                before.open_since is not None or before.owner is not None or after.owner is not None
            )
            if begun and after.player is not None and not given:
                yield (
                    f"seat {seat} of {match.uid} looked for nobody and went from player"
                    f" {before.player} to {after.player}"
                )
            if begun and before.address == after.address:
                yield (
                    f"tenure {after.tenure} of seat {seat} of {match.uid} kept the address of its"
                    " predecessor"
                )
            if begun and after.misses:
                yield (
                    f"tenure {after.tenure} of seat {seat} of {match.uid} began with {after.misses}"
                    " misses"
                )
        ended = [
            (before.tenure, before.player)
            for before, after in pairwise(history)
            if before.tenure < after.tenure
        ]
        rows = (
            select(FormerTenure)
            .where(FormerTenure.match_id == match.id, FormerTenure.seat == seat)
            .order_by(col(FormerTenure.number))
        )
        kept = [(row.number, row.player_id) for row in session.exec(rows)]
        if kept != [each for each in ended if each[1] is not None]:
            yield f"seat {seat} of {match.uid} had the tenures {ended}, and {kept} are kept"
    for uid in scene.changing:
        at_once: dict[str, int | None] = {}
        for commit, sats in groupby(
            (each for each in scene.ledger.sat if each.uid == uid), key=lambda sat: sat.commit
        ):
            at_once |= {sat.seat: sat.player for sat in sats}
            twice = [
                player
                for player, times in Counter(at_once.values()).items()
                if player is not None and times > 1
            ]
            yield from (
                f"player {player} had two seats of {uid} after commit {commit}" for player in twice
            )


def who_was_told_of_a_seat_has_it(_: Session, scene: Scene) -> Iterator[str]:
    """Whoever a page told that they took, left or have back a seat did so, and of several takers at
    once one.
    """
    for handed in (each for each in scene.ledger.handed if each.done):
        steps = [sat for sat in scene.ledger.sat if sat.uid == handed.uid]
        if handed.what in (TOOK, ACCEPTED, BACK) and not any(
            sat.player == handed.player for sat in steps
        ):
            yield f"player {handed.player} was told: {handed.what}, and never sat in {handed.uid}"
        pairs = [
            (b, a)
            for _, seat, history in histories(scene)
            for b, a in pairwise(history)
            if b.uid == handed.uid
        ]
        left = [
            a
            for b, a in pairs
            if b.player == handed.player and a.player != handed.player and a.commit > handed.since
        ]
        if handed.what == RESIGNED and not left:
            yield f"player {handed.player} was told: {handed.what}, and kept the seat"


def a_lent_seat_is_returned_once(session: Session, scene: Scene) -> Iterator[str]:
    """A substitute's seat goes back to who lent it, at the end of the span, or before where one of
    the two said so or was silent.
    """
    for match, seat, history in histories(scene):
        rows = select(FormerTenure).where(
            FormerTenure.match_id == match.id, FormerTenure.seat == seat
        )
        why = Counter(row.why for row in session.exec(rows))
        if why["lent"] - why["returned"] != (history[-1].owner is not None):
            yield (
                f"seat {seat} of {match.uid} was lent {why['lent']} times and returned"
                f" {why['returned']} times"
            )
        for before, after in pairwise(history):
            if (
                before.owner is None
                and after.owner is not None
                and (after.owner != before.player or after.returns_at is None)
            ):
                yield (
                    f"seat {seat} of {match.uid} was lent by {before.player}, and is player"
                    f" {after.owner}’s"
                )
            if before.owner is None or after.owner is not None:
                continue
            if after.player != before.owner:
                yield (
                    f"seat {seat} of {match.uid} was lent by {before.owner} and returned to"
                    f" {after.player}"
                )
            wished = {
                each.player
                for each in scene.ledger.handed
                if each.what in (BACK, RESIGNED) and each.since <= after.commit
            }
            over = before.returns_at is not None and after.at >= before.returns_at
            if (
                not over
                and not wished & {before.owner, before.player}
                and not scene.world.fired["step"]
            ):
                yield (
                    f"seat {seat} of {match.uid} was returned at {after.at}, lent until"
                    f" {before.returns_at}"
                )


def nothing_of_a_seat_is_overdue(_: Session, scene: Scene) -> Iterator[str]:
    """A substitute's span that is over was noticed, and so were the standbys of an open seat."""
    now = scene.world.settled or scene.world.now()
    for seat in scene.seats:
        running = scene.matches[seat.match_id].status == "running"
        for what, at in (("returned", seat.returns_at), ("offered", seat.next_ask_at)):
            if running and at is not None and at < now - timedelta(seconds=_SLOW):
                yield f"seat {seat.name} of match {seat.match_id} should have been {what} at {at}"


def a_lent_seat_is_returned_in_time(_: Session, scene: Scene) -> Iterator[str]:
    """A substitute's span ends at its moment, but for the time in which nobody could notice; nobody
    else has to say so.
    """
    if scene.world.fired["step"]:
        return
    spans = excused_spans(scene.world.troubled, scene.world.out)
    for match, seat, history in histories(scene):
        for before, after in pairwise(history):
            if before.owner is None or before.returns_at is None:
                continue
            over = before.second + (before.returns_at - before.at).total_seconds()
            waited = uncovered_seconds(over, after.second, spans) if over < after.second else 0.0
            if waited > _SLOW:
                yield (
                    f"seat {seat} of {match.uid} was lent until {before.returns_at}, and for"
                    f" {waited:.0f} s longer, faults set aside"
                )


# --- silence


def a_seat_opens_after_silence_alone(session: Session, scene: Scene) -> Iterator[str]:
    """A silent player's seat opens where nothing was handed in and nothing said for as many phases
    as the match names, and then once.
    """
    for match, seat, history in histories(scene):
        opened = [
            (b, a)
            for b, a in pairwise(history)
            if b.open_since is None and a.open_since is not None and a.player is not None
        ]
        notes = session.exec(
            select(MasterNote).where(MasterNote.match_id == match.id, MasterNote.who == SERVICE)
        )
        told = sum(
            each.what.startswith(f"opened {seat_phrase(seat)} to a new player") for each in notes
        )
        if told != len(opened):
            yield (
                f"seat {seat} of {match.uid} opened {len(opened)} times after silence, and {told}"
                " notes tell it"
            )
        letters = [
            put
            for uid, put in scene.world.put.items()
            if uid in scene.ledger.written and put.title == _LOOKS
        ]
        own = [put for put in letters if (put.match_id, put.seat) == (match.id, seat)]
        if len(own) != len(opened):
            yield (
                f"seat {seat} of {match.uid} opened {len(opened)} times after silence, and"
                f" {len(own)} letters tell it to its player"
            )
        for _, after in opened:
            needed = 1 if match.first_miss else match.misses
            row = _silent_in_a_row(session, scene, match, after)
            if row < needed or (row < match.misses and _ever_came(session, match, after)):
                yield (
                    f"seat {seat} of {match.uid} opened as phase {after.phase} began, and was"
                    f" silent for {row} phases only"
                )


def _ever_came(session: Session, match: Match, sat: Sat) -> bool:
    own = select(Receipt.id).where(
        Receipt.match_id == match.id, Receipt.seat == sat.seat, Receipt.tenure == sat.tenure
    )
    return session.exec(own.where(Receipt.phase_number < (sat.phase or 0))).first() is not None


def _silent_in_a_row(session: Session, scene: Scene, match: Match, sat: Sat) -> int:
    """Return for how many due phases before its opening a tenure surely was silent."""
    row = 0
    for phase in reversed(scene.of_match[match.uid][: sat.phase]):
        if sat.seat not in phase.due or phase.public_key is None:
            continue
        if _gave_sign(session, scene, phase, sat):
            break
        row += 1
    return row


def _gave_sign(session: Session, scene: Scene, phase: PhaseRow, sat: Sat) -> bool:
    own = select(Receipt).where(
        Receipt.match_id == phase.match_id,
        Receipt.phase_number == phase.number,
        Receipt.seat == sat.seat,
    )
    accepted = session.exec(
        own.where(Receipt.tenure <= sat.tenure, Receipt.disposition != "refused")
    )
    # a predecessor's orders count, not a bare word
    signs = any(each.commitments or each.tenure == sat.tenure for each in accepted)
    return signs or (phase.taken or {}).get(sat.seat, {}).get("how") in ("plan", "sealed")


def attendance_is_the_players_own(session: Session, scene: Scene) -> Iterator[str]:
    """A phase counts for whoever had the seat as it closed, and for nobody where a predecessor's
    orders were played.
    """
    for match, seat, history in histories(scene):
        rows = session.exec(
            select(Attendance).where(Attendance.match_id == match.id, Attendance.seat == seat)
        )
        for row in rows:
            closed = scene.ledger.closings.get((match.uid, row.phase_number))
            sat = [each for each in history if closed is not None and each.commit < closed]
            if not sat or sat[-1].player is None:
                continue
            phase = scene.phase(match.uid, row.phase_number)
            own = select(Receipt.id).where(
                Receipt.match_id == match.id,
                Receipt.seat == seat,
                Receipt.phase_number == row.phase_number,
            )
            came = select(Receipt.tenure).where(
                col(Receipt.id).in_(own), Receipt.disposition != "refused"
            )  # type: ignore[union-attr]
            came = came.where(col(Receipt.complete).is_not(None))  # orders, no bare words
            tenures = set(session.exec(came))
            if row.player_id != sat[-1].player:
                yield (
                    f"phase {row.phase_number} of seat {seat} of {match.uid} counts for player"
                    f" {row.player_id}, not {sat[-1].player}"
                )
            if tenures and max(tenures) < sat[-1].tenure:
                yield (
                    f"phase {row.phase_number} of seat {seat} of {match.uid} counts, and a"
                    " predecessor’s orders were played"
                )
            if sat[-1].tenure in tenures and not row.played and phase is not None:
                yield (
                    f"player {row.player_id} handed in for phase {row.phase_number} of {match.uid},"
                    " and it counts as missed"
                )


CHECKS: tuple[Check, ...] = (
    a_seat_has_one_player_at_a_time,
    who_was_told_of_a_seat_has_it,
    a_lent_seat_is_returned_once,
    a_lent_seat_is_returned_in_time,
    nothing_of_a_seat_is_overdue,
    a_seat_opens_after_silence_alone,
    attendance_is_the_players_own,
)
