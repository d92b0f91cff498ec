"""What a start requires, looked at before any process is forked: the settings, the broker, the
database and the keys.

What no restart mends is a WrongSetting, which ends with an exit status of its own.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from adjudicator.hosting import machine_errors
from adjudicator.hosting.databases import opened, read_tx_at
from adjudicator.hosting.messages import CannotStart, hide_password, say
from adjudicator.platform import db
from adjudicator.platform.config import Settings, current_settings
from adjudicator.platform.errors import WrongSetting

if TYPE_CHECKING:
    from adjudicator.hosting.database_roles.grants import RoleName
    from adjudicator.hosting.database_roles.logins import Login

Command = Literal["serve", "web", "live", "worker", "beat", "inbox"]
_SECONDS = 5.0  # for the broker to answer


def require_settings(command: Command) -> None:
    """Raise WrongSetting for what no restart mends, CannotStart for a database that is away or of
    an older release.
    """
    for require in _NEEDS[command]:
        require(current_settings())


# --- the broker


def _require_redis(settings: Settings) -> None:
    if settings.embedded_broker:
        raise WrongSetting(
            "REDIS_URL is not set: a role alone needs a Redis that all roles reach; only `sealed"
            " serve` starts one of its own."
        )


def _try_redis(settings: Settings) -> None:
    """Raise WrongSetting for a broker that refuses this URL; one that is away is waited for by the
    roles.
    """
    if settings.embedded_broker:
        return
    import redis  # large, and a start with an embedded broker needs none of it here

    shown = hide_password(settings.redis_url)
    try:
        with redis.Redis.from_url(
            settings.redis_url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS
        ) as client:
            client.ping()
    except (redis.AuthenticationError, redis.ResponseError) as fault:
        raise WrongSetting(f"REDIS_URL {shown} cannot be used: {str(fault).rstrip('.')}.") from None
    except redis.RedisError as fault:
        say(f"REDIS_URL {shown} does not answer ({fault}): what needs it waits for it.")


# --- the database


def require_database(settings: Settings) -> None:
    """Raise CannotStart unless the database can be reached and has this release's tables,
    WrongSetting for those of a newer one.
    """
    found, newest = _revisions(settings.database_url)
    if wrong := db.explain_revisions(found, newest):
        raise (WrongSetting if db.is_newer(found) else CannotStart)(wrong)


def _require_older_database(settings: Settings) -> None:
    """Raise WrongSetting for a database of a newer release; a missing or an older one is migrated
    by this start.
    """
    if settings.lacks_database:
        return
    found, newest = _revisions(settings.database_url)
    if db.is_newer(found):
        raise WrongSetting(db.explain_revisions(found, newest))


def _revisions(url: str) -> tuple[str | None, str | None]:
    try:
        return db.revisions(url)
    except db.FAULTS as fault:
        kind = WrongSetting if machine_errors.is_refused(fault) else CannotStart
        raise kind(machine_errors.describe_database_fault(url, fault)) from None


def require_writable(settings: Settings) -> None:
    """Raise CannotStart unless the database takes writes; what is tried is rolled back."""
    from adjudicator.service.phases import stamps

    try:
        with opened(settings.database_url) as database:
            stamps.try_stamp(database)
    except db.FAULTS as fault:
        raise CannotStart(
            machine_errors.describe_database_fault(settings.database_url, fault)
        ) from None


def read_roles(settings: Settings) -> "Mapping[RoleName, Login]":
    """Return the logins of DATABASE_ROLES. Raises WrongSetting."""
    roles = settings.database_roles.get_secret_value()
    if roles and settings.on_sqlite:
        raise WrongSetting(
            "DATABASE_ROLES needs PostgreSQL, and DATABASE_URL is a SQLite file, which has no"
            " logins: unset it."
        )
    if not roles:
        return {}
    # imports the driver of PostgreSQL
    from adjudicator.hosting.database_roles.logins import read_logins

    return read_logins(roles)


# --- keys and secrets


def require_keys(settings: Settings) -> None:
    """Raise WrongSetting for a key file that cannot serve the database, where that has this
    release's tables.
    """
    from adjudicator.seal import crypto
    from adjudicator.service.upkeep.losses import explain_key_trouble

    if settings.lacks_database or db.explain_revisions(*db.revisions(settings.database_url)):
        return
    try:
        with read_tx_at(settings.database_url) as session:
            trouble = explain_key_trouble(session, settings.key_file)
        if trouble:
            raise WrongSetting(trouble)
        if settings.key_file.exists():
            crypto.load_key_file(settings.key_file)
    except crypto.KeyFileError as fault:
        raise WrongSetting(str(fault)) from None


def require_fingerprint(settings: Settings) -> None:
    """Raise WrongSetting for a KEY_FINGERPRINT that does not lead to the keys in the database:
    nothing would be sealed to them.
    """
    from adjudicator.service.base.public_keys import believed_keys, list_keys, pinned

    if not settings.key_fingerprint:
        return
    with read_tx_at(settings.database_url, info=pinned(settings.key_fingerprint)) as session:
        fits = not list_keys(session) or bool(believed_keys(session))
    if not fits:
        where = "`sealed check` prints the right one where the worker runs"
        raise WrongSetting(
            "KEY_FINGERPRINT is not of the keys in the database, nor of keys that these followed:"
            f" {where}."
        )


def _require_signature(settings: Settings) -> None:
    """Raise DkimKeyError for a key that cannot sign letters."""
    from adjudicator.mail.sending import signing

    signing.load_signer(settings)


def _require_secret(settings: Settings) -> None:
    """Raise SettingsError for a kept secret that cannot serve."""
    if (settings.data_dir / "secret_key").exists():
        settings.session_secret()


def _require_live(settings: Settings) -> None:
    if not settings.live_port:
        raise WrongSetting(
            "LIVE_PORT is not set: give the port of the live stream, such as LIVE_PORT=8001."
        )
    if (
        not settings.secret_key.get_secret_value()
        and not (settings.data_dir / "secret_key").exists()
    ):
        raise WrongSetting(
            "SECRET_KEY is not set: the live stream needs the one that the sites have, which signs"
            " its tickets."
        )


def _require_inbox(settings: Settings) -> None:
    if not settings.answerable:
        raise WrongSetting(
            "Neither INBOX_URL nor IMAP_URL is set: give one, such as"
            " INBOX_URL=smtp://127.0.0.1:2525."
        )


def _require_peers(settings: Settings) -> None:
    """Raise PeersError if WITNESSES or WITNESS_FOR is wrong."""
    from adjudicator.service.checkpoints.peers import read_peers

    read_peers(settings.witnesses, settings.witness_for, on_this_machine=settings.local_site)


_SHARED = (_require_redis, _try_redis, require_database)
_NEEDS: Mapping[Command, tuple[Callable[[Settings], object], ...]] = {
    "serve": (
        _require_peers,
        read_roles,
        _require_secret,
        _try_redis,
        _require_older_database,
        require_keys,
        _require_signature,
    ),
    "web": (_require_peers, _require_secret, *_SHARED, require_writable, require_fingerprint),
    "live": (_require_live, _require_secret, require_database),
    "worker": (_require_peers, *_SHARED, require_writable, require_keys, _require_signature),
    "beat": _SHARED,
    "inbox": (_require_inbox, *_SHARED, require_writable, require_fingerprint),
}  # a beat's login writes nothing, nor does that of a live stream
