"""Invitations: who may write to strangers, how often, and that nobody is written to who does not want it."""

from adjudicator.service import outbox
from adjudicator.service.outbox import Claimed
from tests.service.desk import Desk


def opened(desk: Desk, kind: str) -> list[Claimed]:
    """Return the letters of a kind that wait, opened as the worker would."""
    with desk.database.reading() as session:
        waiting = outbox.waiting(session, desk.now)
    claimed = [outbox.claim(desk.database, desk.keyring, each, desk.now) for each in waiting]
    return [each for each in claimed if each is not None and each.kind == kind]
