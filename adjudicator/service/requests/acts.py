"""Acts: what a person does to a match, a seat, a tournament or an account; each is one function,
declared as an act where it stands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Generic, ParamSpec, TypeVar

from sqlmodel import Session

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.service.requests.sent_forms import make_once

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Act(Generic[P, R]):
    """An act. Called with a session it is carried out in the caller's transaction, with a database
    in one of its own.
    """

    do: Callable[Concatenate[Session, P], R]  # raises Refused with a sentence; then nothing is done

    def __call__(self, at: Session | Database, /, *args: P.args, **named: P.kwargs) -> R:
        """Carry out the act and return its result; raises what the function raises."""
        if isinstance(at, Database):
            with failpoints.killable_tx(at, self.do.__name__) as session:
                return self.do(session, *args, **named)
        return self.do(at, *args, **named)


def act(do: Callable[Concatenate[Session, P], R]) -> Act[P, R]:
    """Declare an act."""
    return Act(do)


def act_once(do: Callable[Concatenate[Session, P], str]) -> Act[P, str]:
    """Declare an act that a form does once: one that is sent again gets the text of the first."""

    @wraps(do)
    def once(session: Session, /, *args: P.args, **named: P.kwargs) -> str:
        return make_once(session, lambda: do(session, *args, **named))

    return Act(once)
