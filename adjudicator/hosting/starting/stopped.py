"""The commands that need the service to stand still."""

from contextlib import AbstractContextManager, nullcontext

from adjudicator.hosting.lock import hold_folder
from adjudicator.hosting.messages import CannotStart
from adjudicator.platform import heartbeat
from adjudicator.platform.config import Settings


def stopped_service(settings: Settings, command: str) -> AbstractContextManager[object]:
    """Keep the service from starting during the block; raises CannotStart while it runs."""
    if settings.embedded_broker:
        return hold_folder(settings.data_dir, command)
    age = heartbeat.seconds_since(heartbeat.open_client(settings.redis_url), heartbeat.SWEEP)
    wait = 3 * settings.sweep_seconds + 10
    if age is not None and age < wait:
        raise CannotStart(
            f"The service is running: a worker looked for work {age:.0f} s ago. Stop all roles, and"
            f" wait {wait:.0f} s."
        )
    return nullcontext()
