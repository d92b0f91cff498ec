"""What all connections of one live process share: limits, listeners, metrics and the last
reading.
"""

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Gauge, Histogram
from prometheus_client import Counter as Count

from adjudicator.platform import clock
from adjudicator.platform.config import Settings
from web.live.listeners import Limits, Listeners

SILENT_SECONDS = 60.0  # without a reading that succeeded; then the role is not well
_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class LiveFigures:
    """The metrics of a live process."""

    def __init__(self, listeners: Listeners) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        Gauge("sealed_live_listeners", "Pages that listen.", registry=self.registry).set_function(
            lambda: len(listeners)
        )
        watched = Gauge(
            "sealed_live_matches", "Matches that somebody listens for.", registry=self.registry
        )
        watched.set_function(lambda: len(listeners.watched))
        why, registry = ("why",), self.registry
        self.refused = Count(
            "sealed_live_refused",
            "Requests for the stream that were refused, by reason.",
            why,
            registry=registry,
        )
        self.dropped = Count(
            "sealed_live_dropped",
            "Connections that were dropped, by reason.",
            why,
            registry=registry,
        )
        self.told = Count("sealed_live_told", "Events sent to listeners.", registry=registry)
        self.seconds = Histogram(
            "sealed_live_read_seconds",
            "Seconds a reading took.",
            buckets=_BUCKETS,
            registry=registry,
        )


class Hub:
    """Shared by the connections of one process; used on its event loop only."""

    def __init__(self, settings: Settings, limits: Limits, now: Callable[[], datetime]) -> None:
        self.limits, self.now = limits, now
        self.proxies = settings.trusted_proxies
        self.metrics_token = settings.metrics_token.get_secret_value()
        self.secret = settings.session_secret()
        self.listeners = Listeners(limits)
        self.figures = LiveFigures(self.listeners)
        # connections that have not sent a whole request yet, by network
        self.silent: Counter[str] = Counter()
        self.read_at = clock.monotonic()

    def health(self) -> tuple[HTTPStatus, bytes]:
        """Return the answer to a health check: 503 and the reason while the database cannot be
        read.
        """
        silent = clock.monotonic() - self.read_at
        if silent > SILENT_SECONDS:
            figures = {
                "status": "wrong",
                "what": f"The live stream could not read the database for {silent:.0f} seconds.",
            }
            return HTTPStatus.SERVICE_UNAVAILABLE, json.dumps(figures).encode()
        return (
            HTTPStatus.OK,
            json.dumps({"status": "ok", "listeners": len(self.listeners)}).encode(),
        )
