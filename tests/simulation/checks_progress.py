"""Progress: others learn of a seat's first orders with the next full minute, and of nothing else
that is sealed.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

from sqlmodel import Session, col, select

from adjudicator.service.base.tables import Envelope, PhaseRow
from tests.simulation.ledger import Watched
from tests.simulation.scene import Check, Scene
from tests.simulation.upgrades import UPGRADED

_MINUTE = timedelta(minutes=1)


def everybody_is_shown_what_the_match_shows(session: Session, scene: Scene) -> Iterator[str]:
    """A look at a match shows the seats whose first orders were stored before its minute, its own
    at once; or nothing.
    """
    stored = _Stored(session, scene)
    for look in scene.ledger.watched:
        phase = scene.phase(look.uid, look.phase) if look.phase is not None else None
        # nobody is due where who was has conceded
        if look.kind == "none" or phase is None or not look.due:
            if look.progress is not None:
                yield f"{look.uid} shows {look.progress} at {look.at}, where it shows nothing"
            continue
        if look.progress is None:
            yield f"{look.uid} shows nothing at {look.at}, where it shows {look.kind}"
            continue
        known = [seat for seat in look.due if stored.is_known(look, phase, seat)]
        missing = [seat for seat in look.due if seat not in known]
        told = (look.progress.due, look.progress.handed_in, look.progress.last)
        if told != (len(look.due), len(known), missing == [look.seat] and len(look.due) > 1):
            yield (
                f"{look.uid} shows {look.progress} to {look.seat} at {look.at}, and {known} of"
                f" {look.due} are known"
            )
        named = (*look.progress.seats, *look.progress.missing)
        if named != ((*known, *missing) if look.kind == "seats" else ()):
            yield f"{look.uid} shows {look.kind} and names {named} to {look.seat} at {look.at}"


class _Stored:
    """When each receipt's orders were stored, and which plans were adopted as a phase opened."""

    def __init__(self, session: Session, scene: Scene) -> None:
        read = {letter.id: letter.read_at for letter in scene.incoming}
        answers = {
            letter.receipt_id: read.get(letter.incoming_id)
            for letter in scene.letters
            if letter.receipt_id and letter.incoming_id
        }
        self._of_seat: dict[tuple[int, int, str], list[tuple[int, datetime]]] = {}
        for receipt in scene.receipts:
            if receipt.disposition != "refused" and receipt.id is not None:
                at = answers.get(receipt.id) if receipt.channel == "letter" else receipt.at
                place = (receipt.match_id, receipt.phase_number, receipt.seat)
                self._of_seat.setdefault(place, []).append((receipt.id, at or receipt.at))
        adopted = session.exec(
            select(Envelope.phase_id, Envelope.seat).where(
                Envelope.seq == 0, col(Envelope.for_later).is_(False)
            )
        )
        self._adopted = set(adopted)

    def is_known(self, look: Watched, phase: PhaseRow, seat: str) -> bool:
        """Whether the viewer may know that a seat has handed in, and so is shown it."""
        stored = [
            at
            for number, at in self._of_seat.get((phase.match_id, phase.number, seat), [])
            if number <= look.newest
        ]
        first = (
            phase.opened_at if (phase.id, seat) in self._adopted else stored[0] if stored else None
        )
        return first is not None and (
            seat == look.seat or first.replace(second=0, microsecond=0) + _MINUTE <= look.at
        )


def strangers_get_news_of_public_changes_alone(_: Session, scene: Scene) -> Iterator[str]:
    """Between two looks of strangers the mark of the news and the live stream's step change if
    everybody may see a change.

    While the match runs they change then only.
    """
    if scene.world.fired[UPGRADED]:  # the last release did not count public changes
        return
    # a forged act may come and go between two looks
    for uid in scene.of_match.keys() - scene.ledger.forged:
        looks = [look for look in scene.ledger.watched if look.uid == uid and look.seat is None]
        for before, after in pairwise(sorted(looks, key=lambda look: look.newest)):
            both_run = before.phase is not None and after.phase is not None
            for what, was, now_is, told in (
                ("mark", before.mark, after.mark, _told_by_mark),
                ("step", before.step, after.step, _told),
            ):
                public = [(look.public, told(look)) for look in (before, after)]
                same = public[0] == public[1]
                if (was != now_is) if same and both_run else (was == now_is and not same):
                    yield (
                        f"the {what} of {uid} was {was} at {before.at} and {now_is} at {after.at}:"
                        f" {public}"
                    )


def _told(look: Watched) -> int | None:
    """Return how many have handed in, as the match shows it, None where it shows nothing."""
    return look.progress.handed_in if look.progress else None


def _told_by_mark(look: Watched) -> int | None:
    """Do as `_told`, for the news of a match, which name no phase from a stop until the worker ends
    it.
    """
    return _told(look) if look.mark.split(".")[1] else None


CHECKS: tuple[Check, ...] = (
    everybody_is_shown_what_the_match_shows,
    strangers_get_news_of_public_changes_alone,
)
