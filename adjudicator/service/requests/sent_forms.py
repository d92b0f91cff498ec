"""Forms that make something: what the same form made before is the result when it is sent again,
and nothing is made twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete

from adjudicator.platform.db import Database
from adjudicator.service.base.rows import one_at_a_time
from adjudicator.service.base.storing import add_at_end
from adjudicator.service.base.tables import SentForm

# key in Session.info: a function that returns the form which is answered, None for none; letters
# and tasks have no form
FORM = "form"
KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Form:
    """A form that was sent. Its name is the same when it is sent again; nobody else's has it, nor
    another form of the same person.
    """

    name: str
    at: datetime


def do_once(session: Session, act: Callable[[], object]) -> None:
    """Do what the form that is answered asks for, unless it was sent and done before. What `act`
    refuses was not done.
    """

    def done() -> str:
        act()
        return ""

    make_once(session, done)


def make_once(session: Session, make: Callable[[], str]) -> str:
    """Return what the form that is answered made before, else what `make` makes now. What `make`
    refuses was not made.
    """
    form = _form(session)
    if form is None:
        return make()
    one_at_a_time(session, form.name)
    before = session.get(SentForm, form.name)
    if before is not None:
        return before.result
    made = make()
    session.add(SentForm(name=form.name, result=made, at=form.at))
    return made


def note_result(session: Session, result: str) -> None:
    """Note what the form that is answered made, where the caller holds a lock under which nobody
    else answers it.
    """
    form = _form(session)
    if form is not None:
        add_at_end(session, SentForm(name=form.name, result=result, at=form.at))


def has_made(session: Session, result: str) -> bool:
    """Whether the form that is answered was sent before, and made this."""
    form = _form(session)
    before = session.get(SentForm, form.name) if form is not None else None
    return before is not None and before.result == result


def _form(session: Session) -> Form | None:
    found: Callable[[], Form | None] | None = session.info.get(FORM)
    return found() if found is not None else None


def erase_old(database: Database, now: datetime) -> None:
    """Erase what was kept for its time."""
    with database.write_tx() as session:
        session.exec(delete(SentForm).where(col(SentForm.at) < now - KEPT))
