"""Newcomers: a predecessor's orders count until they hand in, nobody is shown them, and they begin
with nothing and a whole phase.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from sqlmodel import Session, col, select

from adjudicator.play.submission import parse_submission, understand_all
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Envelope, PhaseRow, Player, Receipt
from tests.simulation.checks_dealings import open_contents
from tests.simulation.checks_people import SEALED
from tests.simulation.checks_tenure import histories
from tests.simulation.ledger import Peek, Sat
from tests.simulation.scene import Check, Scene

# what a page shows of somebody who handed in and said nothing
_BLANK = ((None,), (None, "", False, False))


def a_page_shows_nothing_of_a_predecessor(_: Session, scene: Scene) -> Iterator[str]:
    """A newcomer's page shows what this player handed in, and of the predecessor only that sealed
    orders count, where they do.
    """
    for peek in scene.ledger.peeks:
        place = f"seat {peek.seat} of {peek.uid} in tenure {peek.tenure}"
        if peek.told:
            yield f"{place} was shown {peek.told[0]!r}, which another player wrote"
        if peek.receipts != peek.own:
            yield f"{place} was shown the receipts {peek.receipts}, and has {peek.own}"
        is_new = (
            peek.fresh and peek.tenure > 1 and not any(phase == peek.phase for phase, _ in peek.own)
        )
        if is_new and peek.shown not in _BLANK and not _said_something(scene, peek):
            yield f"{place} handed in nothing, and is shown {peek.shown}"
        if peek.inherited and (not peek.sealed or max(peek.sealed) >= peek.tenure):
            yield (
                f"{place} is told of a predecessor’s orders, and tenures {peek.sealed} sealed some"
            )


def _said_something(scene: Scene, peek: Peek) -> bool:
    """Whether a player may have said `ready` or `wait` since the phase was opened that a page
    shows.
    """
    opened = scene.ledger.openings.get((peek.uid, peek.phase or 0), 0)
    said = (
        each.until
        for each in scene.ledger.said
        if (each.uid, each.player) == (peek.uid, peek.player)
    )
    own = (
        each for each in scene.ledger.posted if (each.uid, each.player) == (peek.uid, peek.player)
    )
    letters = [
        [scene.ledger.stored.get(copy) for copy in each.taken] or [None]
        for each in own
        if each.text.strip() in ("ready", "wait")
    ]
    return any(
        commit is None or commit >= opened for commits in ([*said], *letters) for commit in commits
    )


def a_letter_tells_nothing_of_a_predecessor(session: Session, scene: Scene) -> Iterator[str]:
    """What only one player wrote occurs in no other's letter; `status` shows sealed orders to the
    tenure that sealed some.
    """
    address = {player.id: player.address for player in session.exec(select(Player))}
    letters = {letter.uid: letter for letter in scene.letters if letter.match_id is not None}
    changing = {match.id for match in scene.matches.values() if match.uid in scene.changing}
    markers = {marker.encode(): address[player] for marker, player in scene.ledger.markers.items()}
    for taken in scene.sink.taken if changing else ():
        for marker, owner in markers.items():
            if owner != taken.to and marker in taken.content:
                yield (
                    f"the letter {taken.uid} to {taken.to} tells {marker.decode()!r}, which {owner}"
                    " wrote"
                )
        letter = letters.get(taken.uid)
        if (
            letter is None
            or letter.match_id not in changing
            or SEALED not in taken.content
            or letter.seat is None
        ):
            continue
        sealed = select(Envelope.id).join(
            PhaseRow, onclause=col(Envelope.phase_id) == col(PhaseRow.id)
        )
        own = sealed.where(
            PhaseRow.match_id == letter.match_id,
            Envelope.seat == letter.seat,
            Envelope.tenure == letter.tenure,
        )
        if session.exec(own).first() is None:
            yield (
                f"the letter {taken.uid} shows tenure {letter.tenure} of seat {letter.seat} sealed"
                " orders, and it has none"
            )


def a_first_submission_starts_from_nothing(session: Session, scene: Scene) -> Iterator[str]:
    """The first orders of a tenure in a phase are what its player wrote, read by the game without
    anything before it.
    """
    texts = {
        (each.uid, each.answer.phase, each.seat, each.answer.seq): each.text
        for each in scene.ledger.told
    }
    texts |= _texts_of_letters(scene)
    for match in (each for each in scene.matches.values() if each.uid in scene.changing):
        for phase in scene.of_match[match.uid]:
            envelopes = list(
                session.exec(
                    select(Envelope).where(Envelope.phase_id == phase.id).order_by(col(Envelope.id))
                )
            )
            for first in {(each.seat, each.tenure): each for each in reversed(envelopes)}.values():
                text = texts.get((match.uid, phase.number, first.seat, first.seq))
                if first.tenure == 1 or first.seq == 0 or text is None:
                    continue
                game, state = game_of(match), load_state(game_of(match), phase.before)
                wanted = understand_all(game, state, first.seat, parse_submission(text)).texts
                sealed = tuple(part.orders for part in open_contents(scene, phase, first).parts)
                if sealed != tuple(wanted):
                    yield (
                        f"tenure {first.tenure} of seat {first.seat} of {match.uid} wrote {wanted},"
                        f" and {sealed} was sealed"
                    )


def _texts_of_letters(scene: Scene) -> dict[tuple[str, int, str, int], str]:
    """Return the texts of letters of orders, by the receipts that they got."""
    came = {row.uid: row for row in scene.incoming}
    found = {}
    for letter in scene.ledger.posted:
        for row in (
            came[uid] for uid in letter.taken if uid in came and came[uid].disposition == "orders"
        ):
            same = [
                r
                for r in scene.receipts
                if (r.channel, r.seat, r.at) == ("letter", letter.seat, row.received_at)
            ]
            found |= {
                (letter.uid, r.phase_number, r.seat, r.seq): letter.text
                for r in same
                if len(same) == 1
            }
    return found


def plans_end_with_their_tenure(session: Session, scene: Scene) -> Iterator[str]:
    """A plan that was carried into a phase is of the tenure that the seat was in as the phase
    opened, and that planned it.
    """
    for match, seat, history in histories(scene):
        for before, phase in pairwise(scene.of_match[match.uid]):
            adopted = select(Envelope).where(
                Envelope.phase_id == phase.id, Envelope.seat == seat, Envelope.seq == 0
            )
            plan = session.exec(adopted).first()
            if plan is None:
                continue
            planned = select(Envelope.tenure).where(
                Envelope.phase_id == before.id, Envelope.seat == seat
            )
            newest = session.exec(planned.order_by(col(Envelope.tenure).desc())).first()
            opened = scene.ledger.openings[match.uid, phase.number]
            sat = [each for each in history if each.commit < opened]
            if newest is not None and sat and not newest == plan.tenure == sat[-1].tenure:
                yield (
                    f"a plan of tenure {newest} of seat {seat} of {match.uid} was carried to tenure"
                    f" {plan.tenure} in phase {phase.number}"
                )


def a_newcomer_has_a_whole_phase(_: Session, scene: Scene) -> Iterator[str]:
    """Who takes a seat over has as much time as in a phase that opens then, where the seat owes
    orders and the phase is not over.
    """
    for match, seat, history in histories(scene):
        for before, after in pairwise(history):
            if (
                after.player in (None, before.player)
                or before.owner is not None
                or after.owner is not None
                or after.taken_at is None
            ):
                continue
            phase = scene.phase(match.uid, after.phase) if after.phase is not None else None
            if (
                phase is None
                or phase.deadline is None
                or seat not in phase.due
                or after.taken_at < phase.opened_at
            ):
                continue
            earlier = [
                sat
                for sat in history
                if sat.commit < after.commit
                and sat.tenure < after.tenure
                and sat.taken_at is not None
            ]
            if any(sat.taken_at is not None and sat.taken_at > phase.opened_at for sat in earlier):
                continue  # a seat gives a phase such time once
            over = phase.deadline + timedelta(seconds=phase.grace_seconds) <= after.taken_at
            if not over and phase.deadline < after.taken_at + timedelta(
                seconds=match.every_seconds
            ):
                yield (
                    f"seat {seat} of {match.uid} was taken at {after.taken_at}, and phase"
                    f" {phase.number} ends at {phase.deadline}"
                )


def a_newcomer_is_not_hurried(session: Session, scene: Scene) -> Iterator[str]:
    """A phase that closed as all were ready waited for the word or the orders of who had the seat
    then, not of a predecessor.
    """
    for match, seat, history in histories(scene):
        for phase in scene.of_match[match.uid]:
            closed = scene.ledger.closings.get((match.uid, phase.number))
            sat = [each for each in history if closed is not None and each.commit < closed]
            if (
                phase.why != "ready"
                or seat not in phase.due
                or phase.public_key is None
                or not sat
                or sat[-1].player is None
            ):
                continue
            if not _was_ready(session, scene, phase, sat[-1]):
                yield (
                    f"phase {phase.number} of {match.uid} did not wait for tenure {sat[-1].tenure}"
                    f" of seat {seat}"
                )


def _was_ready(session: Session, scene: Scene, phase: PhaseRow, sat: Sat) -> bool:
    sealed = select(Envelope.id).where(
        Envelope.phase_id == phase.id, Envelope.seat == sat.seat, Envelope.tenure == sat.tenure
    )
    said = [
        each
        for each in scene.ledger.said
        if (each.uid, each.player, each.word) == (sat.uid, sat.player, "ready")
    ]
    said_by_letter = any(
        each.player == sat.player and each.text.strip() == "ready" for each in scene.ledger.posted
    )
    return session.exec(sealed).first() is not None or bool(said) or said_by_letter


def a_predecessors_orders_count(session: Session, scene: Scene) -> Iterator[str]:
    """Where no later tenure handed in, the newest orders of an earlier one were played, and no
    receipt of it is listed elsewhere.
    """
    for match, seat, _ in histories(scene):
        for phase in scene.of_match[match.uid]:
            if (
                phase.closed_at is None
                or seat not in phase.due
                or phase.why in ("forced", "stopped")
            ):
                continue
            accepted = select(Receipt).where(
                Receipt.match_id == match.id, Receipt.seat == seat, Receipt.disposition != "refused"
            )
            found = session.exec(
                accepted.where(Receipt.phase_number == phase.number).order_by(
                    col(Receipt.tenure), col(Receipt.id)
                )
            ).all()
            taken, found = (
                (phase.taken or {}).get(seat, {}),
                [each for each in found if each.commitments],
            )
            if (
                found
                and taken.get("how") == "sealed"
                and taken.get("commitment") != found[-1].commitments[0][1]
            ):
                yield (
                    f"phase {phase.number} of {match.uid} was not played with the newest orders of"
                    f" seat {seat}"
                )


CHECKS: tuple[Check, ...] = (
    a_page_shows_nothing_of_a_predecessor,
    a_letter_tells_nothing_of_a_predecessor,
    a_first_submission_starts_from_nothing,
    plans_end_with_their_tenure,
    a_newcomer_has_a_whole_phase,
    a_newcomer_is_not_hurried,
    a_predecessors_orders_count,
)
