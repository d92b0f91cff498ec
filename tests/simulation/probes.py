"""Counts the branches of the service that only faults lead to, from its log and from wrapped
functions.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any
from unittest import mock

from adjudicator.mail.sending import smtp
from adjudicator.platform import db
from adjudicator.service.letters import incoming, outbox
from adjudicator.service.phases import batches, beginning, closing
from adjudicator.service.posting import claims
from tests.simulation.sink import Sink
from tests.simulation.world import Put, World

# For each function, the results that mean a conflict: overtaken, already taken, or missing.
_LISTENED: tuple[tuple[Any, str, Any, str], ...] = (
    (closing, "_write", False, "a closing was overtaken"),
    (beginning, "lock_unchanged", None, "a beginning was overtaken"),
    (outbox, "give_back", None, "claimed letters were given back"),
    (incoming, "claim_letter", None, "a letter in was claimed by another"),
    (incoming, "any_unread", True, "a closing waited for letters"),
    (incoming, "came_before", True, "a letter came twice"),
)
BATCHES = "phases closed together", "a phase was left out of a batch"
CLAIMS = "letters claimed together", "a letter was claimed by another"
BRANCHES = (
    *(each[3] for each in _LISTENED),
    *BATCHES,
    *CLAIMS,
    "a reading was overtaken",
    "a kept connection was made anew",
)
BUSY = "a database was busy"  # SQLite's write lock was not free in time
# log events that are such branches too
LOGGED = {
    "letter.not_marked": "a mark was given up",
    "wakeup.lost": "a wakeup was lost",
    "task.failed": "a task failed",
    "letter.not_sent": "a letter was not sent",
}


def count_log_events(world: World, sink: Sink) -> None:
    """Count what the service logs."""

    def logged(method: str, event: dict[str, Any]) -> None:
        kind = LOGGED.get(event.get("event", ""))
        world.note(f"log {event.get('event')} {event.get('fault', '')}")
        if (
            event.get("event") == "letter.not_marked"
            and world.current
            and world.current.process.unmarked.get(event["letter"])
        ):
            sink.ambiguous.add(event["letter"])
        if kind:
            world.fire(kind)

    world.logged = logged


@contextmanager
def count_results() -> Iterator[None]:
    """Wrap the functions during the block."""
    with ExitStack() as stack:
        for owner, name, answer, kind in _LISTENED:
            stack.enter_context(
                mock.patch.object(owner, name, _told(getattr(owner, name), answer, kind))
            )
        stack.enter_context(mock.patch.object(outbox, "make_letter", _made(outbox.make_letter)))
        stack.enter_context(
            mock.patch.object(incoming.Overtaken, "__init__", _raised("a reading was overtaken"))
        )
        stack.enter_context(mock.patch.object(db.DatabaseBusy, "__init__", _raised(BUSY)))
        stack.enter_context(mock.patch.object(smtp._Gone, "__init__", _gone(smtp._Gone.__init__)))
        stack.enter_context(
            mock.patch.object(batches, "close_phases", _closed(batches.close_phases))
        )
        stack.enter_context(
            mock.patch.object(claims, "claim_letters", _claimed(claims.claim_letters))
        )
        yield


def _told(function: Any, answer: Any, kind: str) -> Any:
    @wraps(function)
    def listened(*args: Any, **kwargs: Any) -> Any:
        told = function(*args, **kwargs)
        if told is answer and World.here.current is not None:
            World.here.fire(kind)
        return told

    return listened


def _made(make: Any) -> Any:
    @wraps(make)
    def noted(*args: Any, **kwargs: Any) -> Any:
        letter = make(*args, **kwargs)
        if World.here.current is not None:
            World.here.current.writing.append(letter.uid)
            title = str(getattr(args[2], "title", ""))
            World.here.put[letter.uid] = Put(
                letter.kind, letter.address, letter.match_id, letter.seat, letter.tenure, title
            )
        return letter

    return noted


def _closed(close: Any) -> Any:
    @wraps(close)
    def noted(*args: Any, **kwargs: Any) -> Any:
        closed = close(*args, **kwargs)
        if closed and World.here.current is not None:
            World.here.fire(BATCHES[0])
        if len(closed) < len(args[2]) and World.here.current is not None:
            World.here.fire(BATCHES[1])
        return closed

    return noted


def _claimed(claim: Any) -> Any:
    @wraps(claim)
    def noted(*args: Any, **kwargs: Any) -> Any:
        claimed = claim(*args, **kwargs)
        if len(claimed) > 1 and World.here.current is not None:
            World.here.fire(CLAIMS[0])
        if len(claimed) < len(args[2]) and World.here.current is not None:
            World.here.fire(CLAIMS[1])
        return claimed

    return noted


def _raised(kind: str) -> Any:
    def made(self: Any, *_: Any) -> None:
        World.here.fault(kind)

    return made


def _gone(before: Any) -> Any:
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        World.here.fire("a kept connection was made anew")
        before(self, *args, **kwargs)

    return made
