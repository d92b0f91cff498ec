"""Logs of all roles on standard error: readable on a terminal, otherwise one JSON object a line.

No line may contain an address, an order, a token or a visitor's IP address; processors here remove
them.
"""

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import structlog

from adjudicator.platform.config import Level
from adjudicator.platform.errors import HostFault

_OURS = ("adjudicator", "web", "worker")
# their messages are about machines, not people; so are those of these, by name:
_HARMLESS = (OSError, HostFault, ImportError)
_HARMLESS_ELSEWHERE = frozenset(
    {
        "jinja2.exceptions.TemplateError",
        "kombu.exceptions.OperationalError",
        "redis.exceptions.RedisError",
        "sqlalchemy.exc.OperationalError",
    }
)  # not every role imports these packages
_MOST_CAUSES = 5
_SECRETS = (
    (re.compile(r"[^\s<>\"'`,;:()\[\]=]+@[^\s<>\"'`,;:()\[\]/]+"), "(an address)"),
    (re.compile(r"(/(?:sign-in|invitations|letters/stop)/)[^\s?\"'\]]+"), r"\1(a token)"),
    (re.compile(r"Invalid request from ip=\S+?:?(?= |$)"), "Invalid request:"),
)


def configure_logging(level: Level, role: str) -> None:
    """Send this process's log and its libraries' to standard error; libraries log from WARNING up,
    unless the level is DEBUG.
    """

    def sign(
        _logger: Any, _method: str, event: structlog.typing.EventDict
    ) -> structlog.typing.EventDict:
        return {"role": role, **event}

    shared: list[structlog.typing.Processor] = [
        sign,
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
    on_terminal = sys.stderr.isatty()
    look: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer()
        if on_terminal
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    handler = logging.StreamHandler(sys.stderr)
    strip = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[strip, describe_exception, hide_secrets, look]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level if level in ("DEBUG", "ERROR") else "WARNING")
    for name in _OURS:
        logging.getLogger(name).setLevel(level)
    logging.captureWarnings(True)


def describe_exception(
    _logger: Any, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Add an exception's traceback, and its message only if that cannot quote a letter, orders or
    an address.
    """
    given = event.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event["exception"] = "".join(_traceback_lines(error))
    return event


def _traceback_lines(error: BaseException | None) -> Iterator[str]:
    for _ in range(_MOST_CAUSES):
        if error is None:
            return
        yield from traceback.format_tb(error.__traceback__)
        reason = f": {error}" if _is_harmless(error) else ""
        yield f"{type(error).__module__}.{type(error).__qualname__}{reason}\n"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _is_harmless(error: BaseException) -> bool:
    names = {f"{each.__module__}.{each.__qualname__}" for each in type(error).__mro__}
    return isinstance(error, _HARMLESS) or not names.isdisjoint(_HARMLESS_ELSEWHERE)


def hide_secrets(
    _logger: Any, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Replace what looks like an address or a token in every text."""
    return {
        name: _hushed(value) if isinstance(value, str) else value for name, value in event.items()
    }


def _hushed(text: str) -> str:
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text
