"""The commands that need the service to stand still."""

from contextlib import AbstractContextManager, nullcontext

from adjudicator.hosting.lock import hold_folder
from adjudicator.hosting.messages import CannotStart
from adjudicator.platform import heartbeat
from adjudicator.platform.config import Settings


def stopped_service(told: Settings, command: str) -> AbstractContextManager[object]:
    """Keep the service from starting during the block; raises CannotStart while it runs."""
    if told.embedded_broker:
        return hold_folder(told.data_dir, command)
    age, wait = (
        heartbeat.seconds_since(heartbeat.open_client(told.redis_url), heartbeat.SWEEP),
        3 * told.sweep_seconds + 10,
    )
    if age is not None and age < wait:
        raise CannotStart(
            f"The service is running: a worker looked for work {age:.0f} s ago. Stop all roles, and"
            f" wait {wait:.0f} s."
        )
    return nullcontext()
