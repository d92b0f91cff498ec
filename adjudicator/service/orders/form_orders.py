"""What differs where orders come by a form: others may have been sealed since its page was made,
and its button says `ready`.
"""

from dataclasses import replace

from sqlmodel import Session

from adjudicator.play.submission import Submitted
from adjudicator.seal.commitments import Place
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import Match
from adjudicator.service.requests.made_for import MadeFor
from adjudicator.service.requests.sent_forms import has_made, note_result


class SealedMeanwhile(NotNow):
    """Other orders were sealed after the page of a form was made. Whose count is for the player to
    say; until then nothing changes.
    """

    def __init__(self, phase: str) -> None:
        super().__init__(
            f"You sealed other orders for {phase} after this page was made, so nothing was changed."
        )


class SealedBefore(NotNow):
    """The same form was sent before, and its orders are the newest that are sealed. Nothing is
    changed.
    """

    def __init__(self) -> None:
        super().__init__("These orders are sealed already.")


def as_pressed(match: Match, read: Submitted) -> Submitted:
    """Return what a form says: its button says `ready` only of orders of which no line was refused.

    Where complete orders are ready by themselves, it does not say so either of those that leave
    something open.
    """
    unsure = read.refusals or (match.ready_rule == "complete" and not read.complete)
    return replace(read, says=None) if read.says == "ready" and unsure else read


def require_newest_orders(session: Session, made_for: MadeFor, newest: Place, phase: str) -> None:
    """Raise SealedMeanwhile where a form's page did not know the newest orders of its seat,
    SealedBefore where they are its own.
    """
    if newest.seq <= made_for.seq:
        return
    if has_made(session, _name_orders(newest)):
        raise SealedBefore
    raise SealedMeanwhile(phase)


def note_orders(session: Session, place: Place) -> None:
    """Note which orders the form that is answered sealed, in a match that the caller has locked."""
    note_result(session, _name_orders(place))


def _name_orders(place: Place) -> str:
    return f"{place.match} {place.phase} {place.seat} {place.seq}"
