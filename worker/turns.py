"""Working off lists for a limited time, before more urgent tasks run."""

from collections.abc import Callable, Iterator
from itertools import takewhile

from adjudicator.platform import clock
from worker import context


def work_off(
    list_waiting: Callable[..., list[int]],
    work: Callable[[context.WorkerContext, list[int], float], None],
    seconds: float,
) -> bool:
    """Pass the listed ids to `work`, list after list, for `seconds`; returns whether none is
    left.
    """
    here, until = context.current_context(), clock.monotonic() + seconds
    while clock.monotonic() < until:
        now = here.database.now()
        with here.database.read_tx() as session:
            waiting = list_waiting(session, now)
        if not waiting:
            return True
        work(here, waiting, until)
    return False


def take_until(ids: list[int], until: float) -> Iterator[int]:
    """Yield ids until it is `until`; a single one may take seconds."""
    return takewhile(lambda _: clock.monotonic() < until, ids)
