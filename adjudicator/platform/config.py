"""The settings of one installation: a typed class, read from the environment once, whose errors are
one sentence.
"""

import os
import re
import stat
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from adjudicator.platform import clock, entropy, failpoints
from adjudicator.platform.errors import WrongSetting

# else pydantic reads the metadata of every installed package, for plugins
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

_POSTGRES_SPELLINGS = ("postgres://", "postgresql://")
_SQLITE = "sqlite:///"
_DATABASES = (_SQLITE, "postgresql+psycopg://")
_BROKERS = ("redis://", "rediss://", "unix://")
_MAIL_SERVERS = ("smtp", "smtps")
_INBOXES = ("smtp", "lmtp")
_FETCHED_FROM = ("imap", "imaps")
LOGIN = r"([^\s:=]+)(?::(\S+))?"  # a login of PostgreSQL and its password, as in DATABASE_ROLES
_ROLE_LOGIN = re.compile(rf"(web|inbox|worker|live|beat)={LOGIN}")
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_LABEL = r"(?!-)[a-z0-9_-]{1,63}"
_HOST_NAME = re.compile(rf"(?!.{{254}}){_LABEL}(?:\.{_LABEL})*", re.IGNORECASE)
_LOCAL_PART = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*", re.IGNORECASE)
# that leave room for the + and the token of a seat in the 64 of RFC 5321
_LONGEST_LOCAL = 35
_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600
_RIGHT = {
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number of seconds such as 2 or 0.5",
    "string_too_short": "must not be empty",
}


class SettingsError(WrongSetting):
    """A setting is wrong; the message is one sentence for the host and contains no secret."""


class Settings(BaseModel):
    """Everything that a host can set. The field in capitals is the environment variable: DATA_DIR,
    PORT ...; an empty one is not set.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    data_dir: Path = Field(
        default=Path("var"), description="the folder that holds what this installation keeps"
    )
    database_url: str = Field(
        default="",
        description="sqlite:///FILE or postgresql://...; empty: a SQLite file in DATA_DIR",
        repr=False,
    )
    database_roles: SecretStr = Field(
        default=SecretStr(""),
        description=(
            "the logins that `sealed migrate` makes for the roles: web=LOGIN:PASSWORD inbox=..."
        ),
    )
    redis_url: str = Field(
        default="",
        description="redis://...; empty: the embedded Valkey that `sealed serve` starts",
        repr=False,
    )
    site_url: str = Field(
        default="", description="the address that letters link to, without a slash at its end"
    )
    host: str = Field(
        default="127.0.0.1", min_length=1, description="the network address the site listens on"
    )
    port: int = Field(default=8000, ge=1, le=65535, description="the port the site listens on")
    live_port: int = Field(
        default=0,
        ge=0,
        le=65535,
        description="the port of the live stream; 0: `sealed serve` chooses one",
    )
    trusted_proxies: int = Field(
        default=0,
        ge=0,
        le=5,
        description="how many proxies of one's own stand in front of the site",
    )
    key_file: Path = Field(
        default=Path(), description="the worker's private keys; empty: DATA_DIR/keys/worker.key"
    )
    key_fingerprint: str = Field(
        default="",
        pattern=r"^([0-9a-f]{64})?$",
        description="the only keys that site and inbox seal to; empty: those in the database",
    )
    secret_key: SecretStr = Field(
        default=SecretStr(""), description="signs the sessions; empty: made once, kept in DATA_DIR"
    )
    mail_address: str = Field(
        default="orders@localhost",
        description=(
            "the address letters come from; seats get NAME+TOKEN of it, or with *@HOST each an"
            " address of its own there"
        ),
    )
    smtp_url: SecretStr = Field(
        default=SecretStr(""),
        description="smtp[s]://user:password@host:port; empty: letters stay in the local mailbox",
    )
    inbox_url: str = Field(
        default="", description="where the inbox listens: smtp://0.0.0.0:25 or lmtp://127.0.0.1:24"
    )
    imap_url: SecretStr = Field(
        default=SecretStr(""),
        description="imap[s]://user:password@host/FOLDER of a mailbox to fetch letters from",
    )
    dkim_key_file: Path | None = Field(
        default=None, description="the private key that letters are signed with, PEM; empty: none"
    )
    dkim_selector: str = Field(
        default="sealed",
        pattern=r"^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$",
        description="the name of that key in the DNS",
    )
    letter_days: int = Field(
        default=30,
        ge=1,
        le=3650,
        description="days that a letter is kept after it was read or sent",
    )
    backup_days: int = Field(
        default=0,
        ge=0,
        le=3650,
        description="days that you keep backups, as players are told; 0: they are not told",
    )
    invites_a_day: int = Field(
        default=20, ge=0, le=1000, description="invitations that one player may send within a day"
    )
    invites_in_all: int = Field(
        default=500,
        ge=0,
        le=100_000,
        description="invitations that all players may send within a day",
    )
    metrics_token: SecretStr = Field(
        default=SecretStr(""),
        description="opens /metrics to others than this machine; empty: to nobody else",
    )
    witnesses: str = Field(
        default="",
        description="who cosigns the public log: ADDRESS KEY [KEY of the log there], ...",
    )
    witness_for: str = Field(
        default="",
        description=(
            "the verifier keys of other logs that this installation cosigns, with commas between"
        ),
    )
    web_threads: int = Field(default=8, ge=1, le=256, description="threads that answer pages")
    worker_concurrency: int = Field(default=2, ge=1, le=64, description="worker processes")
    sweep_seconds: float = Field(
        default=2.0,
        ge=0.1,
        le=60,
        description="how often due phases and waiting letters are looked for",
    )
    log_level: Level = Field(default="INFO", description="what is logged")

    @field_validator("database_url")
    @classmethod
    def _name_the_driver(cls, url: str) -> str:
        for spelling in _POSTGRES_SPELLINGS:
            url = (
                url.replace(spelling, "postgresql+psycopg://", 1)
                if url.startswith(spelling)
                else url
            )
        if url and not url.startswith(_DATABASES):
            raise ValueError("must begin with sqlite:/// or postgresql://")
        if url.startswith(_SQLITE):
            return _SQLITE + _absolute_file(url.removeprefix(_SQLITE))
        if url and not _is_database(url):
            raise ValueError(
                "must read postgresql://user:password@host:port/name, with special characters"
                " percent-encoded"
            )
        return url

    @field_validator("database_roles")
    @classmethod
    def _know_the_roles(cls, text: SecretStr) -> SecretStr:
        words = [_ROLE_LOGIN.fullmatch(each) for each in text.get_secret_value().split()]
        roles = [word[1] for word in words if word]
        if len(roles) < len(words) or len(set(roles)) < len(roles):
            raise ValueError(
                "must read web=LOGIN:PASSWORD inbox=LOGIN:PASSWORD ..., each of web, inbox, worker,"
                " live and beat once"
            )
        return text

    @field_validator("redis_url")
    @classmethod
    def _know_the_broker(cls, url: str) -> str:
        if url and not url.startswith(_BROKERS):
            raise ValueError("must begin with redis://, rediss:// or unix://")
        if url and not _is_broker(url):
            raise ValueError(
                "must read redis://:password@host:port/0, with special characters percent-encoded"
            )
        return url

    @field_validator("smtp_url")
    @classmethod
    def _know_the_mail_server(cls, url: SecretStr) -> SecretStr:
        text = url.get_secret_value()
        if text and not _is_url(text, _MAIL_SERVERS):
            raise ValueError("must read smtp://host:port or smtps://user:password@host:port")
        return url

    @field_validator("site_url")
    @classmethod
    def _trim_the_site(cls, url: str) -> str:
        url = url.rstrip("/")
        if not url:
            return url
        if not _is_url(url, ("http", "https")):
            raise ValueError("must be a web address such as https://orders.example.org")
        if set(url.partition("://")[2]) & set("/?#@"):
            raise ValueError(
                "must be a host alone, without a path or a user, such as https://orders.example.org"
            )
        scheme, _, host = url.partition("://")
        return f"{scheme.lower()}://{_in_the_dns(host)}"

    @field_validator("inbox_url")
    @classmethod
    def _know_the_inbox(cls, url: str) -> str:
        if url and not _is_url(url, _INBOXES):
            raise ValueError("must read smtp://HOST:PORT or lmtp://HOST:PORT")
        return url

    @field_validator("imap_url")
    @classmethod
    def _know_the_mailbox(cls, url: SecretStr) -> SecretStr:
        text = url.get_secret_value()
        if text and not (_is_url(text, _FETCHED_FROM) and urlsplit(text).username):
            raise ValueError("must read imaps://user:password@host/INBOX")
        return url

    @field_validator("mail_address")
    @classmethod
    def _know_the_address(cls, address: str) -> str:
        name, at, domain = address.partition("@")
        if (
            not (name and at and domain)
            or set(address) & set(' <>"+,;:\n')
            or "@" in domain
            or ("*" in name and name != "*")
        ):
            raise ValueError(
                "must be one plain address such as orders@example.org, without a +, or"
                " *@play.example.org"
            )
        if not ((name == "*" or _LOCAL_PART.fullmatch(name)) and _is_host(domain)):
            raise ValueError(
                "must have letters from a to z, digits, dots, - and _ alone before the @, and after"
                " it a host as it is in the DNS, such as orders@example.org"
            )
        if len(name) > _LONGEST_LOCAL:
            raise ValueError(
                f"must have at most {_LONGEST_LOCAL} letters before the @, as addresses of seats"
                " are longer"
            )
        return f"{name}@{_in_the_dns(domain)}".lower()

    @field_validator("log_level", mode="before")
    @classmethod
    def _raise_the_level(cls, level: Any) -> Any:
        return level.upper() if isinstance(level, str) else level

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Read what was not given from the environment, and derive empty settings from DATA_DIR.

        Paths are made absolute, because a role may change its working directory.
        """
        given = {
            name: os.environ[name.upper()]
            for name in cls.model_fields
            if os.environ.get(name.upper())
        } | given
        data_dir = (
            Path(given.get("data_dir") or cls.model_fields["data_dir"].default)
            .expanduser()
            .absolute()
        )
        given["data_dir"] = data_dir
        given["key_file"] = (
            Path(given.get("key_file") or data_dir / "keys" / "worker.key").expanduser().absolute()
        )
        given["database_url"] = (
            given.get("database_url") or f"sqlite:///{data_dir / 'sealed.sqlite3'}"
        )
        return given

    @model_validator(mode="after")
    def _point_at_itself(self) -> Self:
        if not self.site_url:
            host = "localhost" if self.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else self.host  # noqa: S104 compared, not bound
            object.__setattr__(self, "site_url", f"http://{host}:{self.port}")
        return self

    @property
    def log_origin(self) -> str:
        """The name of this installation's public log: the site's address without its scheme, and
        /log.
        """
        return f"{urlsplit(self.site_url).netloc}/log"

    @property
    def on_sqlite(self) -> bool:
        """Whether the database is a SQLite file."""
        return self.database_url.startswith("sqlite")

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the database; None on PostgreSQL."""
        return (
            Path(self.database_url.removeprefix(_SQLITE).partition("?")[0])
            if self.on_sqlite
            else None
        )

    @property
    def lacks_database(self) -> bool:
        """Whether there is no file of a SQLite database yet; to connect would create it."""
        return self.sqlite_file is not None and not self.sqlite_file.exists()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that this installation writes to: DATA_DIR, and that of a SQLite file
        elsewhere.
        """
        file = self.sqlite_file
        return (
            (self.data_dir,)
            if file is None or file.parent == self.data_dir
            else (self.data_dir, file.parent)
        )

    @property
    def embedded_broker(self) -> bool:
        """Whether `sealed serve` starts its own Valkey, because REDIS_URL is unset."""
        return not self.redis_url

    @property
    def local_mailbox(self) -> bool:
        """Whether letters stay in a folder of DATA_DIR, because SMTP_URL is unset."""
        return not self.smtp_url.get_secret_value()

    @property
    def answerable(self) -> bool:
        """Whether letters can be answered: an inbox listens, or a mailbox is fetched from."""
        return bool(self.inbox_url or self.imap_url.get_secret_value())

    @property
    def mailbox_page(self) -> bool:
        """Whether the site shows /mailbox: only at an address of this machine, because the letters
        contain sign-in links.
        """
        return self.local_mailbox and self.local_site

    @property
    def local_site(self) -> bool:
        """Whether SITE_URL is an address of this machine."""
        return urlsplit(self.site_url).hostname in THIS_MACHINE

    def session_secret(self) -> str:
        """Return the key that signs sessions: SECRET_KEY, else a generated key in DATA_DIR that
        only its owner can read.
        """
        return self.secret_key.get_secret_value() or kept_secret(self.data_dir / "secret_key")


def kept_secret(path: Path) -> str:
    """Return the secret in the file, created with mode 0600 at first use. Processes that create it
    at once get the same secret. Raises SettingsError for a file that cannot serve.
    """
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE_FILE)
        try:
            with os.fdopen(handle, "w") as file:
                file.write(entropy.token_urlsafe(48))
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        _publish(draft, path)
    try:
        mode, secret = path.stat().st_mode, path.read_text("utf-8", "replace").strip()
    except OSError as fault:
        raise SettingsError(
            f"The file {path} holds a secret and cannot be read ({fault.strerror}): look whose it"
            " is, or remove it to have a new one made."
        ) from None
    if stat.S_IMODE(mode) & 0o077:
        raise SettingsError(
            f"The file {path} holds a secret and can be read by others: chmod 600 it, or remove it"
            " to have a new one made."
        )
    if not secret:
        raise SettingsError(
            f"The file {path} is to hold a secret and is empty: remove it to have a new one made."
        )
    return secret


def read_settings(**changes: Any) -> Settings:
    """Return the environment's settings with `changes` applied. Raises SettingsError with one
    sentence that names the wrong setting.
    """
    try:
        read = Settings(**changes)
    except ValidationError as fault:
        raise SettingsError(_sentence_for(fault, Settings)) from None
    for name in filter(os.environ.get, (clock.TEST_SETTING, failpoints.TEST_SETTING)):
        if not read.local_site:
            raise SettingsError(
                f"{name} is for tests, but SITE_URL {read.site_url} is not an address of this"
                f" machine: unset {name}."
            )
    return read


@lru_cache(maxsize=1)
def current_settings() -> Settings:
    """Return the settings of this process, read once."""
    return read_settings()


def _publish(draft: Path, path: Path) -> None:
    """Rename the draft to `path` unless another process created `path` first."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def _is_url(text: str, schemes: tuple[str, ...]) -> bool:
    """Whether this is a URL of one of these schemes with a host, and with a port or none."""
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in schemes
            and _is_host(parts.hostname or "")
            and parts.port != 0
            and not set(text) & set(" \t\n")
        )
    except ValueError:
        return False


def _is_host(name: str) -> bool:
    """Whether this is an address of IPv6, which `urlsplit` has looked at, or else a name or an
    address of IPv4 as the DNS takes it.
    """
    try:
        return ":" in name or _HOST_NAME.fullmatch(_in_the_dns(name)) is not None
    except UnicodeError:
        return False


def _in_the_dns(host: str) -> str:
    """Return a host in ASCII: as the DNS spells a name with other letters. Raises UnicodeError."""
    return host if host.isascii() else host.encode("idna").decode()


def _absolute_file(path: str) -> str:
    """Return the absolute path of a SQLite file; raises ValueError where there is none."""
    if path.partition("?")[0] in ("", ":memory:"):
        raise ValueError("must name a file: sqlite:////var/lib/sealed-orders/sealed.sqlite3")
    return str(Path(path).expanduser().absolute())


def _is_database(url: str) -> bool:
    from sqlalchemy.engine import make_url  # only where it is needed: `sealed --help` stays quick
    from sqlalchemy.exc import ArgumentError

    try:
        host = make_url(url).host or ""
        # as the name is looked up; a path is a socket's
        host.removeprefix("[").partition("/")[0].partition("%2F")[0].encode("idna")
    except (ArgumentError, ValueError):
        return False
    return True


def _is_broker(url: str) -> bool:
    import redis

    try:
        parts = urlsplit(url)
        if parts.scheme != "unix" and not re.fullmatch(r"/?\d*", parts.path):
            return False  # which would be the first of its databases
        # knows its options; connects to nothing
        redis.ConnectionPool.from_url(url).make_connection()
    except (ValueError, TypeError, redis.RedisError):
        return False
    return True


# --- an invalid setting, as one sentence with its name, its meaning and what is allowed


def _sentence_for(fault: ValidationError, settings: type[BaseModel]) -> str:
    """Return one sentence about the first wrong setting; its value may be a secret and is never
    repeated.
    """
    first = fault.errors(include_input=False, include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "settings"
    field = settings.model_fields.get(name)
    meaning = f" ({field.description})" if field and field.description else ""
    return f"{name.upper()}{meaning} {_remedy(first)}."


def _remedy(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "greater_than_equal":
            return f"must be at least {context['ge']}"
        case "less_than_equal":
            return f"must be at most {context['le']}"
        case "literal_error":
            return f"must be {context['expected']}"
        case "string_pattern_mismatch":
            return f"must match {context['pattern']}"
        case "value_error":
            return str(context["error"])
        case kind:
            return _RIGHT.get(kind, f"is not right: {error['msg'].lower()}")
