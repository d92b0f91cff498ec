"""One look for the log lines of all roles: time, level, role, event, on standard error."""

import logging
import sys

import structlog

from adjudicator.config import Level


def configure(level: Level, role: str) -> None:
    """Send this process's log, its libraries' included, to standard error; libraries speak from WARNING up unless DEBUG."""
    structlog.contextvars.bind_contextvars(role=role)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%Y-%m-%dT%H:%M:%S.%fZ", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    _configure_libraries(level, shared)


def _configure_libraries(level: Level, shared: list[structlog.typing.Processor]) -> None:
    # plain: the pretty one writes every local variable, orders and addresses among them
    look = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
    handler = logging.StreamHandler(sys.stderr)
    strip = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[strip, look]))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("celery", "kombu", "amqp", "gunicorn", "alembic", "sqlalchemy", "py.warnings", "redis", "werkzeug"):
        logging.getLogger(name).setLevel(level if level in ("DEBUG", "ERROR") else "WARNING")
    logging.captureWarnings(True)
