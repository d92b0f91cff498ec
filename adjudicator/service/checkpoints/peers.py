"""The witnesses and logs that the host named in the settings."""

from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from adjudicator.platform.errors import WrongSetting
from adjudicator.platform.net.outside import is_public
from adjudicator.seal.notes import COSIGNATURE, SIGNATURE, NoteError, VerifierKey

MOST_WITNESSES = 16  # whose cosignatures every tool has to take (signed-note)
_FORM = (
    "WITNESSES must read ADDRESS KEY, or ADDRESS KEY KEY-OF-ITS-LOG, with commas between several"
)


class PeersError(WrongSetting):
    """WITNESSES or WITNESS_FOR is wrong; the message is one sentence for the host."""


@dataclass(frozen=True)
class Witness:
    """A witness: where it is asked, and the key of its cosignatures."""

    address: str  # without `/add-checkpoint`
    key: VerifierKey


@dataclass(frozen=True)
class Peers:
    """Who witnesses this installation's log, and the keys of the logs that it witnesses."""

    witnesses: tuple[Witness, ...]
    logs: tuple[VerifierKey, ...]

    def keys_of(self, origin: str) -> tuple[VerifierKey, ...]:
        """Return the keys of the log of this origin; () for one that is not witnessed here."""
        return tuple(key for key in self.logs if key.name == origin)


def read_peers(witnesses: str, witness_for: str, *, on_this_machine: bool) -> Peers:
    """Return what the settings WITNESSES and WITNESS_FOR name; raises PeersError with a sentence.

    `on_this_machine`: the site is, so that it may ask a witness on this machine too, as tests do.
    An entry of WITNESSES that also has the key of a log makes this installation that log's witness:
    one setting on each side.
    """
    listed = []
    logs = [_read_key("WITNESS_FOR", text, SIGNATURE) for text in _listed(witness_for)]
    for entry in _listed(witnesses):
        address, *keys = entry.split()
        if not 1 <= len(keys) <= 2:
            raise PeersError(f"{_FORM}.")
        listed.append(
            Witness(
                _read_address(address, on_this_machine=on_this_machine),
                _read_key("WITNESSES", keys[0], COSIGNATURE),
            )
        )
        logs += [_read_key("WITNESSES", text, SIGNATURE) for text in keys[1:]]
    if len({each.key for each in listed}) < len(listed):
        raise PeersError("WITNESSES names a witness twice.")
    if len(listed) > MOST_WITNESSES:
        raise PeersError(
            f"WITNESSES names {len(listed)} witnesses; at most {MOST_WITNESSES} are asked."
        )
    return Peers(tuple(listed), tuple(dict.fromkeys(logs)))


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _read_key(setting: str, text: str, kind: int) -> VerifierKey:
    try:
        key = VerifierKey.read(text)
    except NoteError as error:
        raise PeersError(f"{setting} holds a key that cannot be read: {error}") from error
    if key.kind != kind:
        wanted, found = (
            ("a witness’s", "a log’s") if kind == COSIGNATURE else ("a log’s", "a witness’s")
        )
        raise PeersError(
            f"{setting}: the key of {key.name} is {found}, and {wanted} is to stand there."
        )
    return key


def _read_address(text: str, *, on_this_machine: bool) -> str:
    """Return an address that `worker.witness_posts` can post to, without the slash at its end;
    raises PeersError.
    """
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname or "", parts.port
    except ValueError as error:
        raise PeersError(f"{_FORM}; one of the addresses cannot be read.") from error
    own = parts.scheme == "http" and on_this_machine and _is_this_machine(host)
    if not (parts.scheme == "https" or own) or not host:
        raise PeersError(f"{_FORM}; the address begins with https://.")
    if not _is_plain(text, parts):
        raise PeersError(
            f"{_FORM}; the address names neither a password nor anything after its path, and is"
            " written in ASCII."
        )
    if not own and not _may_be_public(host):
        raise PeersError(
            f"WITNESSES: {host} is not on the public internet, where a witness has to be."
        )
    return text.rstrip("/")


def _is_plain(text: str, parts: SplitResult) -> bool:
    return (
        text.isascii()
        and text.isprintable()
        and parts.username is None
        and not set("?#") & set(text)
    )


def _may_be_public(host: str) -> bool:
    """Whether a host is a name, which is resolved for each request, or a public address."""
    with suppress(ValueError):
        return is_public(ip_address(host))
    return host != "localhost"


def _is_this_machine(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
