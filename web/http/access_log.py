"""A log line and metrics for every request, by endpoint; never the path, which may contain a token,
nor the client.
"""

from types import TracebackType
from typing import Any, cast

import structlog
from flask import Flask, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram
from werkzeug.wrappers import Response

from adjudicator.platform import clock

_EXTENSION = "requests"
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
_MERELY_LOOKED_AT = frozenset(
    {  # requested every few seconds
        "static",
        "watching.healthz",
        "watching.metrics",
        "matches.news",
        "live.changes",
        "live.stream",
        "live.no_stream",
    }
)

log = structlog.get_logger()


class Requests:
    """The metrics of this process's requests."""

    def __init__(self, registry: CollectorRegistry) -> None:
        labels = ("method", "endpoint", "status")
        self.count = Counter(
            "sealed_http_requests",
            "Requests answered by this web process.",
            labels,
            registry=registry,
        )
        self.seconds = Histogram(
            "sealed_http_seconds",
            "Seconds an answer took.",
            ("endpoint",),
            buckets=_BUCKETS,
            registry=registry,
        )

    def note(self, method: str, endpoint: str, status: int, seconds: float) -> None:
        """Log and count an answer."""
        self.count.labels(method, endpoint, status).inc()
        self.seconds.labels(endpoint).observe(seconds)
        note = log.debug if endpoint in _MERELY_LOOKED_AT else log.info
        note(
            "request", method=method, endpoint=endpoint, status=status, ms=round(seconds * 1000, 1)
        )


def figures_of(app: Flask) -> Requests:
    """Return the metrics of a site's requests."""
    return cast(Requests, app.extensions[_EXTENSION])


def install(app: Flask, registry: CollectorRegistry) -> None:
    """Log and count every request of this site."""
    figures = app.extensions[_EXTENSION] = Requests(registry)

    @app.before_request
    def _begin() -> None:
        g.begun = clock.monotonic()

    @app.after_request
    def _note(response: Response) -> Response:
        seconds = clock.monotonic() - g.get("begun", clock.monotonic())
        method = request.method if request.method in _METHODS else "other"
        figures.note(method, request.endpoint or "none", response.status_code, seconds)
        return response

    app.log_exception = _failed  # type: ignore[method-assign]  # Flask's own logs the path


def _failed(
    exc_info: (
        tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None] | Any
    ),
) -> None:
    log.error("request.failed", endpoint=request.endpoint or "none", exc_info=exc_info)
