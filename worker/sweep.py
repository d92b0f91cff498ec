"""The sweep: it finds all work that is due by the tasks' own declarations, and sends it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from adjudicator.platform import heartbeat, queues
from adjudicator.platform.db import ReadTx
from adjudicator.platform.wakeups import CLOSE, Task
from adjudicator.service.phases import batches
from worker import context
from worker.app import SWEEP
from worker.task import SWEPT, send_wakeup, task
from worker.tasks import BATCH


@dataclass(frozen=True)
class DueWork:
    """The work that is due, in the order in which it is sent."""

    # a task, and the public names of the matches (or requests ...) that need it
    matches: tuple[tuple[Task, Sequence[str]], ...]
    queues: tuple[tuple[Task, bool], ...]  # a task, and whether anything waits for it


def find_due_work(session: ReadTx, now: datetime) -> DueWork:
    """Return all work that is due; indexes make it cheap while nothing is."""
    return DueWork(
        tuple((each.task, each.find(session, now)) for each in SWEPT if each.find is not None),
        tuple((each.task, each.waits(session, now)) for each in SWEPT if each.waits is not None),
    )


@task(SWEEP)
def sweep() -> None:
    """Find all due work and send a task for each piece that is not queued; indexes make an idle
    sweep cheap.
    """
    here = context.current_context()
    here.stamper.stamp()
    now, queued = here.database.now(), queues.queued_tasks(here.broker)
    here.hasher.hash_due(now)
    with here.database.read_tx() as session:
        found = find_due_work(session, now)
    closing_soon = {name for task_name, names in queued if task_name == BATCH for name in names}
    for task_name, names in found.matches:
        wanted = [name for name in names if (task_name, (name,)) not in queued]
        if task_name == CLOSE:
            wanted = [name for name in wanted if name not in closing_soon]
        if task_name == CLOSE and len(wanted) > 1:
            for begin in range(0, len(wanted), batches.MOST):
                send_wakeup(BATCH, *wanted[begin : begin + batches.MOST], swept=True)
            continue
        for name in wanted:
            send_wakeup(task_name, name, swept=True)
    heartbeat.note_alive(here.broker, heartbeat.SWEEP)
    for task_name, waits in found.queues:
        if waits and (task_name, ()) not in queued:
            send_wakeup(task_name, swept=True)
