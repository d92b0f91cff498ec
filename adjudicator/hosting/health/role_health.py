"""Quick checks of one role on this machine, for the health checks of containers.

Each runs every two minutes in each container, so it imports no more than it needs, where it needs
it.
"""

import http.client
import json
from typing import Literal

from adjudicator.hosting.listeners import kept_port, reachable_host
from adjudicator.platform.config import Settings

Role = Literal["web", "live", "worker", "beat", "inbox"]
ROLES: tuple[Role, ...] = ("web", "live", "worker", "beat", "inbox")
_SECONDS = 5.0


def find_trouble(settings: Settings, role: Role) -> str:
    """Return what is wrong with a role on this machine in one sentence; "" if it is well."""
    match role:
        case "web":
            return _answers(settings.host, settings.port, "The site")
        case "live":
            return live_trouble(settings)
        case "beat":
            return _pulse(settings, "beat", "The clock")
        case "worker":
            return _pulse(settings, "worker", "The worker") or _database(settings)
        case "inbox":
            return _inbox(settings) or _database(settings)


def live_trouble(settings: Settings) -> str:
    """Return what is wrong with the live stream in one sentence; "" if it is well."""
    port = settings.live_port or kept_port(settings.data_dir / "live" / "port")
    return (
        _answers(settings.host, port, "The live stream")
        if port
        else "LIVE_PORT is not set, and `sealed serve` is not running."
    )


def _answers(host: str, port: int, name: str) -> str:
    """Return why what listens there is not well, as its health check says; "" if it is."""
    host = reachable_host(host)
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request(
            "GET", "/healthz", headers={"Host": "localhost", "User-Agent": "sealed-check"}
        )
        answer = connection.getresponse()
        body = answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as fault:
        return f"{name} does not answer at {host}, port {port}: {fault}."
    finally:
        connection.close()
    return "" if answer.status == http.HTTPStatus.OK else _what(body, name)


def _what(body: str, name: str) -> str:
    try:
        return str(json.loads(body)["what"])
    except (ValueError, LookupError, TypeError):
        return f"{name} answers with a fault."


def _pulse(settings: Settings, role: str, name: str) -> str:
    from adjudicator.platform import heartbeat

    url = settings.redis_url
    if not url:
        from adjudicator.hosting.roles import broker

        own = broker.find_broker(settings.data_dir)
        url = own.url if own is not None else ""
    if not url:
        return "REDIS_URL is not set, and the embedded broker is not running."
    with heartbeat.open_client(url) as connection:
        seconds = heartbeat.seconds_since(connection, heartbeat.name_here(role))
    if seconds is None:
        return f"{name} of this machine has no pulse, or Redis is away."
    return (
        ""
        if seconds <= heartbeat.LONGEST_SILENCE
        else f"{name} of this machine has had no pulse for {seconds:.0f} seconds."
    )


def _inbox(settings: Settings) -> str:
    from adjudicator.hosting.health.mail_server import why_silent

    fault = why_silent(settings.inbox_url, seconds=_SECONDS) if settings.inbox_url else None
    return f"The inbox does not answer: {fault}." if fault else ""


def _database(settings: Settings) -> str:
    from adjudicator.hosting.databases import opened
    from adjudicator.service.views import health

    with opened(settings.database_url) as database:
        return health.trouble(database) or health.write_trouble(database)
