"""Limits on invitations: who may send them, to whom, and how many."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.rows import count_rows
from adjudicator.service.base.tables import Letter, Match, Player, Seat
from adjudicator.service.letters import suppression

_DAY = timedelta(days=1)
MOST_TO_ONE = 3  # invitations to one address within 24 hours, from all players
_FIELD = "invited"


@dataclass(frozen=True)
class Caps:
    """Limits on invitations within 24 hours."""

    a_day: int = 20  # from one player
    in_all: int = 500  # from all players


USUAL = Caps()


def require_invitations(
    session: Session, inviter_id: int, addresses: Sequence[str], *, caps: Caps, now: datetime
) -> None:
    """Raise Refused with a sentence unless this player may invite all of these addresses now.

    The player needs a confirmed address, no invited address may be suppressed, and no limit may be
    exceeded.
    """
    if not addresses:
        return
    # one request at a time is counted; a stronger lock would wait for itself elsewhere, since
    # inserts refer to the player
    inviter = session.exec(
        select(Player).where(Player.id == inviter_id).with_for_update(key_share=True)
    ).one()
    if inviter.address is None:
        raise NotAllowed(
            "Invitations are for players with a confirmed address: add yours in your account first,"
            " or leave seats open and pass the address of the match on yourself.",
            field=_FIELD,
        )
    for address in addresses:
        if not may_be_invited(session, address, now):
            raise Refused(
                f"No invitation goes to {address} now. Pass the address of the match on yourself,"
                " and leave a seat open.",
                field=_FIELD,
            )
    _count(session, inviter_id, len(addresses), caps, now)


def may_be_invited(session: Session, address: str, now: datetime) -> bool:
    """Whether an invitation may go to an address: it is not suppressed, and got fewer than the most
    within 24 hours.
    """
    return (
        not suppression.why_suppressed(session, address)
        and _written_to(session, address, now) < MOST_TO_ONE
    )


def _count(session: Session, inviter_id: int, more: int, caps: Caps, now: datetime) -> None:
    """Raise NotNow where `more` invitations would exceed a limit in `caps`."""
    own, all_ = _sent(session, now, inviter_id), _sent(session, now)
    if own + more > caps.a_day:
        raise NotNow(
            f"A player may send {caps.a_day} invitations within a day, and you sent {own}. Leave"
            " seats open, or go on tomorrow.",
            field=_FIELD,
        )
    if all_ + more > caps.in_all:
        raise NotNow(
            "So many invitations went out from here today that no more do. Leave seats open, or"
            " invite people tomorrow.",
            field=_FIELD,
        )


def _sent(session: Session, now: datetime, inviter_id: int | None = None) -> int:
    """Return how many invitations one player, or all, wrote within 24 hours, including those of
    matches still being set up.
    """
    written = (
        select(func.count())
        .select_from(Letter)
        .where(Letter.kind == "invitation", Letter.made_at > now - _DAY)
    )
    about_to_be = select(func.count()).select_from(Seat).join(Match)
    about_to_be = about_to_be.where(Match.status == "making", col(Seat.kept_for).is_not(None))
    if inviter_id is not None:
        written = written.join(Match).where(Match.master_id == inviter_id)
        about_to_be = about_to_be.where(Match.master_id == inviter_id)
    return int(session.exec(written).one() + session.exec(about_to_be).one())


def _written_to(session: Session, address: str, now: datetime) -> int:
    """Return how many invitations to an address were written within 24 hours."""
    recent = (Letter.kind == "invitation", Letter.made_at > now - _DAY)
    return count_rows(session, Letter, *recent, Letter.address == address)
