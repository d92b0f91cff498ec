"""What only the worker's key file opens, counted for the host who has lost it (SEAL/1, Keys)."""

from dataclasses import dataclass
from pathlib import Path

from sqlmodel import Session, col, func, select

from adjudicator.platform.words import plural
from adjudicator.service.base.public_keys import find_key_trouble
from adjudicator.service.base.rows import count_rows
from adjudicator.service.base.tables import Envelope, Incoming, Letter, Match, PhaseRow


@dataclass(frozen=True)
class Losses:
    """What nobody can open without the key file that a database was sealed to."""

    running: int  # matches that cannot go on without it, stuck ones included
    gathering: int  # matches that have not begun, whose chance is fixed
    orders: int  # seats whose orders are sealed for an open phase
    letters: int  # letters that wait to be sent
    unread: int  # letters from players that wait to be read


def count_losses(session: Session) -> Losses:
    """Return what needs the key file now."""

    def count(matches: tuple[str, ...]) -> int:
        founded = col(Match.wrapped_chains).is_not(None)
        return count_rows(session, Match, col(Match.status).in_(matches), founded)

    sealed = select(Envelope.phase_id, Envelope.seat).join(PhaseRow)
    seats = sealed.where(col(PhaseRow.closed_at).is_(None)).distinct().subquery()
    waiting = (col(Letter.state).in_(("waiting", "held")), col(Letter.context).is_not(None))
    return Losses(
        count(("running", "stuck")),
        count(("open",)),
        session.exec(select(func.count()).select_from(seats)).one(),
        count_rows(session, Letter, *waiting),
        count_rows(session, Incoming, col(Incoming.disposition).is_(None)),
    )


_TELLING = (
    (
        "orders",
        "The open orders of {n} seat are lost for good then.",
        "The open orders of {n} seats are lost for good then.",
    ),
    ("running", "{n} running match cannot go on then.", "{n} running matches cannot go on then."),
    (
        "gathering",
        "{n} match that waits for players cannot begin then.",
        "{n} matches that wait for players cannot begin then.",
    ),
    (
        "letters",
        "{n} letter that waits to be sent is lost then.",
        "{n} letters that wait to be sent are lost then.",
    ),
    (
        "unread",
        "{n} letter that waits to be read is lost then.",
        "{n} letters that wait to be read are lost then.",
    ),
)
NOTHING_LOST = "Nothing sealed waits there."
KEPT = (
    "Accounts, ended matches and closed phases stay readable without it, and logs and receipts"
    " still verify."
)
WHAT_TO_DO = (
    "Look for a copy: a backup, or another machine that runs a worker. If there is none, begin a"
    " new installation with an empty database, tell the players of matches that cannot go on, and"
    " keep this database: its ended matches can be exported."
)


def explain_key_trouble(session: Session, path: Path) -> str:
    """Return why a key file cannot serve this database, and what is lost where there is no better
    one; "" if it can, or may be made.
    """
    trouble = find_key_trouble(session, path)
    if trouble is None:
        return ""
    return (
        f"{trouble.sentence} {describe_losses(count_losses(session))}"
        if trouble.lost
        else trouble.sentence
    )


def describe_losses(losses: Losses) -> str:
    """Return sentences for the host: what is lost where there is no copy of the key file, what is
    not, and what can be done.
    """
    lost = [
        plural(number, one, many)
        for name, one, many in _TELLING
        if (number := getattr(losses, name))
    ]
    nobody = "Without a copy of it nobody can open what was sealed, the host included."
    return " ".join([nobody, *(lost or [NOTHING_LOST]), KEPT, WHAT_TO_DO])
