"""Health checks, and metrics for Prometheus; neither contains a name, an address or a token."""

import hmac
from collections.abc import Iterable, Iterator, Mapping
from threading import Lock

import redis
from flask import Blueprint, Flask, abort, current_app, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from werkzeug.wrappers import Response

from adjudicator.platform import clock, disk, heartbeat, queues
from adjudicator.platform.db import Database
from adjudicator.service.views import health, metrics
from adjudicator.service.views.metrics import Figures
from web.http import access_log, request_context
from web.http.page_rules import PageRules

bp = Blueprint("watching", __name__)

KEPT_SECONDS = 5.0  # for which one reading of the database is reused


def install(app: Flask) -> None:
    """Register the metrics and the heartbeat client of this site."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_FromDatabase(app.extensions["database"]))
    url = app.extensions["settings"].redis_url
    app.extensions["pulse"] = heartbeat.open_client(url) if url else None
    registry.register(_FromBroker(app.extensions["pulse"]))
    access_log.install(app, registry)
    app.extensions["figures"] = registry
    app.extensions["clock_note"] = heartbeat.ClockNote("the site")


@bp.get("/healthz")
@PageRules(same_for_all=True)
def healthz() -> Response:
    """Answer 200 if the database answers and has this release's tables, else 503 and the reason.

    `?deep` also answers 503 where nothing can be written, without a sweep for a minute (the worker,
    the clock or Redis is down), and when phases or letters wait much longer than they should.
    """
    swept = _swept_seconds()
    wrong = health.trouble(request_context.database())
    if not wrong and "deep" in request.args:
        wrong = " ".join(filter(None, _look_deeply(request_context.database(), swept)))
    answer = {"status": "wrong", "what": wrong} if wrong else {"status": "ok"}
    response = jsonify(answer | {"swept_seconds_ago": swept if swept is None else round(swept, 1)})
    response.status_code = 503 if wrong else 200
    return response


def _look_deeply(database: Database, swept: float | None) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong, "" for one that is not."""
    yield health.write_trouble(database)
    if any(
        disk.is_short(folder) for folder in request_context.settings().folders if folder.is_dir()
    ):
        yield (
            "A folder that the service writes to takes nothing more, or its disk is nearly full:"
            " `sealed check` names it."
        )
    yield heartbeat.sweep_trouble(swept)
    yield from health.strain(_waits(database))


def _waits(database: Database) -> health.Waits:
    now = database.now()
    with database.read_tx() as session:
        return health.waits(session, now)


def _swept_seconds() -> float | None:
    broker = current_app.extensions["pulse"]
    return heartbeat.seconds_since(broker, heartbeat.SWEEP) if broker is not None else None


@bp.get("/metrics", endpoint="metrics")
@PageRules(same_for_all=True)
def metrics_page() -> Response:
    """Return the metrics to this machine and to holders of METRICS_TOKEN; others get 404."""
    if not (request_context.from_this_machine() or _has_the_token()):
        abort(404)
    return Response(
        generate_latest(current_app.extensions["figures"]), content_type=CONTENT_TYPE_LATEST
    )


def _has_the_token() -> bool:
    token = request_context.settings().metrics_token.get_secret_value()
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    return bool(token) and hmac.compare_digest(given.encode(), token.encode())


# --- metrics from the database


class _FromDatabase(Collector):
    """Reads the metrics from the database on demand, at most once in KEPT_SECONDS for all
    scrapers.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._seen: tuple[float, Figures] | None = None

    def collect(self) -> Iterable[Metric]:
        """Return the metric families."""
        return metric_families(self._look())

    def _look(self) -> Figures:
        with self._lock:
            if self._seen is None or clock.monotonic() - self._seen[0] > KEPT_SECONDS:
                now = self._database.now()
                with self._database.read_tx() as session:
                    self._seen = clock.monotonic(), metrics.read_metrics(session, now)
            return self._seen[1]


class _FromBroker(Collector):
    """Reads from the broker what the processes report there; yields nothing while the broker cannot
    be reached.
    """

    def __init__(self, broker: redis.Redis | None) -> None:
        self._broker = broker

    def collect(self) -> Iterable[Metric]:
        """Return the metric families."""
        if self._broker is None:
            return []
        try:
            off = heartbeat.read_clocks_off(self._broker)
        except redis.RedisError:
            return []
        queued = queues.count_queued(self._broker)
        help_ = (
            "How far the clock of a process is ahead of the database's, where it is more than a"
            " second off."
        )
        return [
            _by("sealed_clock_ahead_seconds", help_, "process", off),
            _by("sealed_tasks_queued", "Tasks that wait for a worker, by name.", "task", queued),
        ]


def metric_families(figures: Figures) -> list[Metric]:
    """Return the figures as Prometheus metric families."""
    return [
        _by("sealed_matches", "Matches by status.", "status", figures.matches),
        _one("sealed_matches_paused", "Running matches whose clock stands still.", figures.paused),
        _one("sealed_phases_open", "Phases that wait for orders.", figures.phases_open),
        _one(
            "sealed_phases_overdue",
            "Phases whose time to be closed has come.",
            figures.phases_overdue,
        ),
        _one(
            "sealed_phase_overdue_seconds",
            "How long the longest overdue of them waits.",
            figures.overdue_seconds,
        ),
        _by(
            "sealed_letters_out",
            "Letters out that are not sent, by state.",
            "state",
            figures.letters_out,
        ),
        _by(
            "sealed_letter_waits_seconds",
            "How long the oldest letter out that could go waits, by kind.",
            "kind",
            figures.letter_waits,
        ),
        _one(
            "sealed_letters_sent_today",
            "Letters sent since midnight UTC.",
            figures.letters_sent_today,
        ),
        _one(
            "sealed_letters_in_waiting",
            "Letters that came in and are not read yet.",
            figures.letters_in_waiting,
        ),
        _one(
            "sealed_letters_in_oldest_seconds",
            "Age of the oldest of them.",
            figures.letters_in_seconds,
        ),
        _by(
            "sealed_letters_in_today",
            "Letters read since midnight UTC, by what became of them.",
            "disposition",
            figures.letters_in_today,
        ),
        _one(
            "sealed_receipts_unsigned",
            "Receipts that wait for their signature.",
            figures.receipts_unsigned,
        ),
        _one("sealed_players", "Players, house bots left out.", figures.players),
        _one(
            "sealed_log_refused",
            "Witnesses that say that the public log does not continue what they cosigned.",
            figures.log_refused,
        ),
        _one(
            "sealed_witnessed_logs_forked",
            "Logs witnessed here whose key signed contradictory checkpoints.",
            figures.logs_forked,
        ),
    ]


def _one(name: str, help_: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_, value=value)


def _by(name: str, help_: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, help_, labels=(label,))
    for each, value in values.items():
        family.add_metric((each,), value)
    return family
